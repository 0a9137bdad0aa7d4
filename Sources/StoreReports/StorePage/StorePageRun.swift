import StoreText

/// How a page about a store was made.
package struct StorePageRun: Sendable, Equatable {
  /// When, in seconds since 1970.
  package var made: Int
  /// The command as it was given.
  package var command: String
  /// What is said of the case: a name and words each.
  package var note: [PageFact] = []
  /// Whether values of rows and of the app's own metadata may be shown.
  package var showsValues = false

  package init(made: Int, command: String) {
    self.made = made
    self.command = command
  }

  /// When, in words.
  var moment: String { DateText.text(secondsSince1970: made) }
}
