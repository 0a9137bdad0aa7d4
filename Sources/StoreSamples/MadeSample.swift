import StoreFindings

/// A sample store that was made.
package struct MadeSample: Sendable {
  /// Its path.
  package var output: String
  /// The path of the model.
  package var modelPath: String
  /// The version of the model.
  package var version: String
  /// The options asked for.
  package var options: SampleOptions
  /// The entities that can have objects, by name, with how many there are.
  package var entities: [(name: String, objects: Int)]
  /// Links between objects; those that are stored on both sides count once.
  package var links: Int
  /// Warnings that a diagnosis of the store with the model gives: rules of the model that could not be kept.
  package var findings: [Finding]
  /// Parts the store does not have, or that were not checked, one sentence each.
  package var limits: [String]

  /// All objects.
  package var objects: Int { entities.reduce(0) { $0 + $1.objects } }
}

/// Why no sample store was made.
package struct SampleError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The problem and its remedy; lower case, no full stop.
  package var description: String

  init(_ description: String) { self.description = description }
}
