/// A copy of a schema in the words of its source, as `storedoctor-swiftdata` makes it.
public struct SourceCopy: Sendable, Equatable {
  /// The enum with its classes and value types; empty if there are obstacles.
  public var text = ""
  /// The modules to import, sorted.
  public var modules: [String] = []
  /// The files that declarations were copied from, by path.
  public var files: [String] = []
  /// Why there is no copy; empty if there is one.
  public var obstacles: [SourceProblem] = []
  /// The references of the copy to the outside, and its parts that could not be compared with the schema.
  public var notes: [SourceProblem] = []
  /// The entities whose hash is not known or has several readings, which could be compared only as far as they are known.
  public var unchecked: [String] = []
  /// The entities that the copy derives differently.
  public var differing: [String] = []

  /// An empty copy.
  public init() {}
}
