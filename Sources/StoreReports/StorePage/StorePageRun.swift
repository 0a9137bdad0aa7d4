/// How a page about a store was made.
package struct StorePageRun: Sendable, Equatable {
  /// When, in nanoseconds since 1970.
  package var made: Int64
  /// The command as it was given.
  package var command: String
  /// What is said of the case: a name and words each.
  package var note: [Fact] = []
  /// Whether values of rows and of the app's own metadata may be shown.
  package var showsValues = false

  /// A name with what belongs to it.
  package struct Fact: Sendable, Equatable {
    package var name: String
    package var words: String

    package init(_ name: String, _ words: String) {
      self.name = name
      self.words = words
    }
  }

  package init(made: Int64, command: String) {
    self.made = made
    self.command = command
  }
}
