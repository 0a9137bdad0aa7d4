import StoreDataModel
import StoreSQLite
import Synchronization

/// What stores that were read before have in common with the next: models with their hashes, metadata, tables, and where
/// each property lives. The stores of a fleet have a few versions between them, and working these out takes longer than
/// reading a small store.
package final class KnownModels: Sendable {
  private let models = Mutex(Recent<[UInt8], Decoded>())
  private let metadata = Mutex(Recent<[UInt8], StoreMetadata>())
  private let shapes = Mutex(Recent<[SchemaObject], Shape>())
  private let layouts = Mutex(Recent<LayoutBasis, Layout>())

  /// The longest property list of metadata that is kept; an app may have put into it what it likes.
  private static let longestMetadata = 1 << 16
  /// The longest content of a model cache that is kept, compressed as it lies in a store.
  private static let longestContent = 1 << 20
  /// The most objects of a schema that is kept; the largest real store has 79 tables.
  private static let mostObjects = 1000

  /// A model cache, decoded.
  package final class Decoded: Sendable {
    /// The model, or why there is none.
    let cache: ModelCache
    /// The version hashes computed from it.
    let hashes: VersionHashes?

    init(_ cache: ModelCache) {
      self.cache = cache
      hashes = cache.model?.versionHashes
    }
  }

  /// None yet.
  package init() {}

  /// What the content of a model cache holds, decoded now or before.
  func decoded(_ content: [UInt8]) -> Decoded {
    if let known = models.withLock({ $0.value(for: content) }) { return known }
    let decoded = Decoded(ModelCache(content: content))
    if content.count <= Self.longestContent { models.withLock { $0.keep(decoded, for: content) } }
    return decoded
  }

  /// What the property list of `Z_METADATA` says, read now or before.
  func metadata(_ propertyList: [UInt8]) -> StoreMetadata {
    if let known = metadata.withLock({ $0.value(for: propertyList) }) { return known }
    let read = StoreMetadata(propertyList: propertyList)
    if propertyList.count <= Self.longestMetadata { metadata.withLock { $0.keep(read, for: propertyList) } }
    return read
  }

  /// The tables a schema makes, read now or before.
  func shape(reading connection: Connection) throws -> Shape {
    // Where an object begins is nothing to its columns, and differs from store to store.
    let objects = try connection.schema().map { object in
      var object = object
      object.rootPage = 0
      return object
    }
    if let known = shapes.withLock({ $0.value(for: objects) }) { return known }
    let shape = try Shape(reading: connection, objects)
    if objects.count <= Self.mostObjects { shapes.withLock { $0.keep(shape, for: objects) } }
    return shape
  }

  /// Where the properties of a cached model live, found now or before.
  func layout(_ decoded: Decoded, _ model: Model, entityMap: EntityMap, shape: Shape) -> Layout {
    let basis = LayoutBasis(decoded: decoded, entities: entityMap.rows, shape: shape)
    if let known = layouts.withLock({ $0.value(for: basis) }) { return known }
    let layout = Layout(model: model, entityMap: entityMap, shape: shape)
    if shape.tables.count <= Self.mostObjects { layouts.withLock { $0.keep(layout, for: basis) } }
    return layout
  }

  /// All that decides a layout.
  private struct LayoutBasis: Equatable {
    let decoded: Decoded
    let entities: [EntityMap.Row]
    let shape: Shape

    init(decoded: Decoded, entities: [EntityMap.Row], shape: Shape) {
      self.decoded = decoded
      // The highest key is a store's own.
      self.entities = entities.map { EntityMap.Row(id: $0.id, name: $0.name, parent: $0.parent, highWater: nil) }
      self.shape = shape
    }

    static func == (left: Self, right: Self) -> Bool {
      left.decoded === right.decoded && left.entities == right.entities && left.shape == right.shape
    }
  }
}

/// The last few values that were worked out.
private struct Recent<Key: Equatable, Value> {
  /// The newest is the last.
  private var known: [(key: Key, value: Value)] = []

  private static var capacity: Int { 32 }

  func value(for key: Key) -> Value? { known.last { $0.key == key }?.value }

  mutating func keep(_ value: Value, for key: Key) {
    if known.count == Self.capacity { known.removeFirst() }
    known.append((key, value))
  }
}
