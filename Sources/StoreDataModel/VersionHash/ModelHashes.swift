/// The hashes of a model's entities, and of the properties that each has, inherited ones included.
struct ModelHashes {
  /// Of the entities.
  var entities: VersionHashes
  /// Of the properties by entity, sorted by name; transient ones, which are not hashed, are left out.
  var properties: [String: [(name: String, hash: VersionHash)]]

  /// The number of hashes.
  var weight: Int { properties.values.reduce(0) { $0 + $1.count } }
}
