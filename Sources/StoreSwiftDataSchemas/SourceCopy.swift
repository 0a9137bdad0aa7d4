/// A copy of a schema in the words of its source, as `storedoctor-swiftdata` makes it.
package struct SourceCopy: Sendable, Equatable {
  /// The enum with its classes and value types; empty if there are obstacles.
  package var text = ""
  /// The modules to import, sorted.
  package var modules: [String] = []
  /// The files that declarations were copied from, by path.
  package var files: [String] = []
  /// Why there is no copy; empty if there is one.
  package var obstacles: [SourceProblem] = []
  /// The references of the copy to the outside, and its parts that could not be compared with the schema.
  package var notes: [SourceProblem] = []
  /// The entities whose hash is not known or has several readings, which could be compared only as far as they are known.
  package var unchecked: [String] = []
  /// The entities that the copy derives differently.
  package var differing: [String] = []

  /// An empty copy.
  package init() {}
}
