import StoreCoreData
import StoreJSON
import StoreReports
import StoreRows
import StoreSQLite

/// The differences between two stores, counted by entity.
public struct StoreDifference: Answer {
  /// Whether nothing is different; nil where something could not be compared, and nothing else is different.
  public let isEqual: Bool?
  /// The compared entities.
  public let entities: [Entity]
  /// Entities whose objects could not be paired.
  public let notCompared: [NotCompared]
  private let comparison: StoreComparison

  /// Objects of one entity.
  public struct Entity: Sendable, Equatable {
    /// The name in the second store.
    public let name: String
    /// Objects in the first store.
    public let before: Int64
    /// Objects in the second store.
    public let after: Int64
    /// Objects of the second store only.
    public let added: Int64
    /// Objects of the first store only.
    public let removed: Int64
    /// Objects of both with other values or links.
    public let changed: Int64
    /// Objects with the same values under another key.
    public let moved: Int64
  }

  /// An entity whose objects could not be paired.
  public struct NotCompared: Sendable, Equatable {
    /// Its name.
    public let entity: String
    /// Why.
    public let reason: String
  }

  /// `storedoctor.comparison/1`, without the objects.
  public let jsonText: String
  /// The text that `storedoctor compare --summary` prints.
  public func text(width: Int) -> String { ComparisonText(limit: 0).text(comparison, width: width, isStyled: false) }

  fileprivate init(_ comparison: StoreComparison) {
    isEqual = comparison.isEqual
    entities = comparison.entities.map {
      Entity(
        name: $0.name, before: $0.before, after: $0.after, added: $0.added, removed: $0.removed, changed: $0.changed,
        moved: $0.moved)
    }
    notCompared = comparison.notCompared.map { NotCompared(entity: $0.entity, reason: $0.reason) }
    jsonText = JSONValue.object(comparison.summary).text
    self.comparison = comparison
  }
}

/// One object that is different.
public struct ObjectDifference: Sendable, Equatable {
  /// The kinds of changes.
  public enum Kind: String, Sendable {
    case added, removed, changed, moved
  }

  /// The kind of change.
  public let kind: Kind
  /// Its entity, by the name in the second store.
  public let entity: String
  /// The key in the first store; nil for an added object.
  public let keyBefore: Int64?
  /// The key in the second store; nil for a removed object.
  public let keyAfter: Int64?
  /// Its title, if an attribute looks like one.
  public let title: String?
  /// The values that are different.
  public let values: [Value]

  /// One value in both stores.
  public struct Value: Sendable, Equatable {
    /// The attribute or relationship.
    public let property: String
    /// The value in the first store as JSON; nil where there is none.
    public let before: String?
    /// The value in the second store as JSON; nil where there is none.
    public let after: String?
  }
}

/// Compares the objects of two stores, also of different versions of a model. Both are only read.
///
/// - Parameters:
///   - options: which entities and properties count, and how objects are paired.
///   - onChange: called for each object that is different, entity by entity.
/// - Throws: `StoreError`, `UnknownEntity`, `RowQueryError` for an attribute to pair by that does not exist, and what
///   `onChange` throws.
public func compare(
  path: String, with other: String, options: ComparisonOptions = ComparisonOptions(),
  onChange: (ObjectDifference) throws -> Void = { _ in }
) throws -> StoreDifference {
  let stores = try [path, other].map { try Store(StoreLocator.locate(PosixPath($0))) }
  let comparison = try compareStores(stores[0], stores[1], options: options) { try onChange(ObjectDifference($0)) }
  for store in stores { try store.checkUnchanged() }
  return StoreDifference(comparison)
}

extension ObjectDifference {
  fileprivate init(_ change: ObjectChange) {
    kind =
      switch change.kind {
      case .added: .added
      case .removed: .removed
      case .changed: .changed
      case .moved: .moved
      }
    entity = change.entity
    (keyBefore, keyAfter, title) = (change.keyBefore, change.keyAfter, change.title)
    values = change.values.map { value in
      Value(property: value.property, before: value.before.map(Self.text), after: value.after.map(Self.text))
    }
  }

  private static func text(_ value: JSONValue) -> String { String(value.lineText.dropLast()) }
}
