import StoreDataModel
import StorePropertyLists

/// A compiled mapping model with hashes alone; `MappingModelTests` has one as Xcode's compiler writes it.
package struct MappingModelFile {
  /// An entity's hash in both versions; nil if the mapping has no entity there.
  package typealias Mapped = (entity: String, from: VersionHash?, to: VersionHash?)

  private let mappings: [Mapped]
  private let hasPrefix: Bool

  /// - Parameter hasPrefix: whether keys start with `NS`.
  package init(_ mappings: [Mapped], hasPrefix: Bool = true) {
    self.mappings = mappings
    self.hasPrefix = hasPrefix
  }

  /// A mapping from one version to another, for the entities of both.
  package init(from source: VersionHashes, to destination: VersionHashes) {
    let names = Set(source.names).union(destination.names).sorted()
    self.init(names.map { ($0, source.byEntity[$0], destination.byEntity[$0]) })
  }

  /// The archive.
  package var bytes: [UInt8] {
    var builder = KeyedArchiveBuilder()
    let objects = mappings.map { mapping in
      var fields: [(String, KeyedArchiveBuilder.Field)] = [
        (key("Name"), .reference(builder.string("\(mapping.entity)To\(mapping.entity)")))
      ]
      for (side, hash) in [("Source", mapping.from), ("Destination", mapping.to)] {
        guard let hash else { continue }
        fields.append((key(side + "EntityName"), .reference(builder.string(mapping.entity))))
        fields.append((key(side + "EntityVersionHash"), .reference(builder.data(hash.bytes))))
      }
      return builder.object(["NSEntityMapping", "NSObject"], fields: fields)
    }
    let list = builder.array(objects)
    let root = builder.object(["NSMappingModel", "NSObject"], fields: [(key("EntityMappings"), .reference(list))])
    return builder.binary(root: root)
  }

  private func key(_ name: String) -> String {
    hasPrefix ? "NS" + name : name.prefix(1).lowercased() + name.dropFirst()
  }
}
