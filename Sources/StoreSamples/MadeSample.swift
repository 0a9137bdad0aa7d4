import StoreFindings

/// A sample store that was made.
public struct MadeSample: Sendable {
  /// Its path.
  public var output: String
  /// The path of the model.
  public var modelPath: String
  /// The version of the model.
  public var version: String
  /// The options asked for.
  public var options: SampleOptions
  /// The entities that can have objects, by name, with how many there are.
  public var entities: [(name: String, objects: Int)]
  /// Links between objects; those that are stored on both sides count once.
  public var links: Int
  /// Warnings that a diagnosis of the store with the model gives: rules of the model that could not be kept.
  public var findings: [Finding]
  /// Parts the store does not have, or that were not checked, one sentence each.
  public var limits: [String]

  /// All objects.
  public var objects: Int { entities.reduce(0) { $0 + $1.objects } }
}

/// Why no sample store was made.
public struct SampleError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The problem and its remedy; lower case, no full stop.
  public var description: String

  init(_ description: String) { self.description = description }
}
