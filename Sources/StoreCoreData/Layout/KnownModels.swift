import StoreDataModel
import StoreSQLite
import Synchronization

/// Cache of what stores share: decoded models with their hashes, metadata, schemas and layouts. The stores of a fleet
/// have only a few versions, and computing these takes longer than reading a small store.
package final class KnownModels: Sendable {
  private let models = Mutex(Recent<[UInt8], Decoded>())
  private let metadata = Mutex(Recent<[UInt8], StoreMetadata>())
  private let shapes = Mutex(Recent<[SchemaObject], Shape>())
  private let layouts = Mutex(Recent<LayoutBasis, Layout>())

  /// The longest metadata property list that is cached; an app may store any amount of data in it.
  private static let longestMetadata = 1 << 16
  /// The longest content of a model cache that is cached, compressed as in the store.
  private static let longestContent = 1 << 20
  /// The most objects of a schema that is cached; the largest real store has 79 tables.
  private static let mostObjects = 1000

  /// A decoded model cache.
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

  /// An empty cache.
  package init() {}

  /// The decoded content of a model cache, from this cache if possible.
  func decoded(_ content: [UInt8]) -> Decoded {
    if let known = models.withLock({ $0.value(for: content) }) { return known }
    let decoded = Decoded(ModelCache(content: content))
    if content.count <= Self.longestContent { models.withLock { $0.keep(decoded, for: content) } }
    return decoded
  }

  /// The decoded property list of `Z_METADATA`, from this cache if possible.
  func metadata(_ propertyList: [UInt8]) -> StoreMetadata {
    if let known = metadata.withLock({ $0.value(for: propertyList) }) { return known }
    let read = StoreMetadata(propertyList: propertyList)
    if propertyList.count <= Self.longestMetadata { metadata.withLock { $0.keep(read, for: propertyList) } }
    return read
  }

  /// The tables of a store's schema, from this cache if possible.
  func shape(reading connection: Connection) throws -> Shape {
    // Root pages differ from store to store and do not matter for the columns.
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

  /// The layout of a store with a cached model, from this cache if possible.
  func layout(
    _ decoded: Decoded, model: Model, entityMap: EntityMap, shape: Shape, isNamedInMetadata: Bool
  ) -> Layout {
    let basis = LayoutBasis(
      decoded: decoded, entities: entityMap.rows, shape: shape, isNamedInMetadata: isNamedInMetadata)
    if let known = layouts.withLock({ $0.value(for: basis) }) { return known }
    let layout = Layout(model: model, entityMap: entityMap, shape: shape, isNamedInMetadata: isNamedInMetadata)
    if shape.tables.count <= Self.mostObjects { layouts.withLock { $0.keep(layout, for: basis) } }
    return layout
  }

  /// Everything that determines a layout.
  private struct LayoutBasis: Equatable {
    let decoded: Decoded
    let entities: [EntityMap.Row]
    let shape: Shape
    let isNamedInMetadata: Bool

    init(decoded: Decoded, entities: [EntityMap.Row], shape: Shape, isNamedInMetadata: Bool) {
      self.decoded = decoded
      // The highest key differs from store to store and does not matter.
      self.entities = entities.map { EntityMap.Row(id: $0.id, name: $0.name, parent: $0.parent, highWater: nil) }
      self.shape = shape
      self.isNamedInMetadata = isNamedInMetadata
    }

    static func == (left: Self, right: Self) -> Bool {
      left.decoded === right.decoded && left.isNamedInMetadata == right.isNamedInMetadata
        && left.entities == right.entities && left.shape == right.shape
    }
  }
}

/// The most recently computed values.
private struct Recent<Key: Equatable, Value> {
  /// Oldest first.
  private var known: [(key: Key, value: Value)] = []

  private static var capacity: Int { 32 }

  func value(for key: Key) -> Value? { known.last { $0.key == key }?.value }

  mutating func keep(_ value: Value, for key: Key) {
    if known.count == Self.capacity { known.removeFirst() }
    known.append((key, value))
  }
}
