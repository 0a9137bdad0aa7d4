import StoreCoreData
import StoreDataModel

/// Which entities and properties of two stores are the same, as a migration would pair them: by name, or by a renaming
/// identifier of either model.
struct ModelPairing {
  /// Entities of both stores, by number in the first.
  private(set) var pairs: [EntityPair] = []
  private(set) var onlyBefore: [EntityLayout] = []
  private(set) var onlyAfter: [EntityLayout] = []

  struct EntityPair {
    var before: EntityLayout
    var after: EntityLayout
    /// Columns of both, by their names in each store.
    var columns: [ColumnPair]
    /// Columns that the other store does not have.
    var onlyBefore: [RowColumn]
    var onlyAfter: [RowColumn]

    var name: String { after.name }
  }

  struct ColumnPair {
    var before: RowColumn
    var after: RowColumn
  }

  init(_ before: Store, _ after: Store, given: GivenPairs? = nil) {
    let names = given.map(Names.init) ?? Names(before.model, after.model)
    var left = after.layout.entities.filter { !$0.id.isInternal && $0.tableExists }
    for entity in before.layout.entities where !entity.id.isInternal && entity.tableExists {
      guard let place = left.firstIndex(where: { names.areSame(entity, $0) }) else {
        onlyBefore.append(entity)
        continue
      }
      pairs.append(Self.pair(entity, of: before, with: left.remove(at: place), of: after, names: names))
    }
    onlyAfter = left
  }

  private static func pair(
    _ one: EntityLayout, of first: Store, with other: EntityLayout, of second: Store, names: Names
  ) -> EntityPair {
    var left = properties(of: other, second)
    var pair = EntityPair(before: one, after: other, columns: [], onlyBefore: [], onlyAfter: [])
    for column in properties(of: one, first) {
      let name = names.property(column.name, of: one)
      guard let place = left.firstIndex(where: { $0.name == name }) else {
        pair.onlyBefore.append(column)
        continue
      }
      pair.columns.append(ColumnPair(before: column, after: left.remove(at: place)))
    }
    pair.onlyAfter = left
    return pair
  }

  private static func properties(of entity: EntityLayout, _ store: Store) -> [RowColumn] {
    RowPlan.allColumns(of: entity, [entity], in: store).filter { $0.content != .key && $0.content != .entity }
  }

  /// The names that the second model has for entities and properties of the first.
  private struct Names {
    private var entities: [String: String] = [:]
    private var properties: [String: [String: String]] = [:]
    /// Whether both stores have a model; if not, names are compared as they are.
    private let areKnown: Bool

    init(_ given: GivenPairs) {
      (entities, properties, areKnown) = (given.entities, given.properties, true)
    }

    /// Which of two models is the older one is not said anywhere: it is the one to which more renaming identifiers of the
    /// other lead.
    init(_ first: Model?, _ second: Model?) {
      areKnown = first != nil && second != nil
      guard let first, let second else { return }
      let forwards = ModelDifference(from: first, to: second)
      let backwards = ModelDifference(from: second, to: first)
      for entity in first.entities {
        entities[entity.name] = forwards.destinationEntity(of: entity.name)
        let inverted = forwards.destinationEntity(of: entity.name).map(forwards.sourceProperties) ?? [:]
        properties[entity.name] = Dictionary(inverted.map { ($1, $0) }) { first, _ in first }
      }
      var other = (entities: [String: String](), properties: [String: [String: String]]())
      for entity in first.entities {
        other.entities[entity.name] = backwards.sourceEntity(of: entity.name)
        other.properties[entity.name] = backwards.sourceProperties(of: entity.name)
      }
      func renamings(_ entities: [String: String], properties: [String: [String: String]]) -> Int {
        ([entities] + properties.values).reduce(0) { $0 + $1.count { $0.key != $0.value } }
      }
      if renamings(other.entities, properties: other.properties) > renamings(entities, properties: properties) {
        (entities, properties) = other
      }
    }

    func areSame(_ one: EntityLayout, _ other: EntityLayout) -> Bool {
      let (name, otherName) = (one.modelName ?? one.name, other.modelName ?? other.name)
      return areKnown && one.isDescribed && other.isDescribed ? entities[name] == otherName : name == otherName
    }

    /// The second model's name of a property; of an element of a composite the first part is renamed.
    func property(_ name: String, of entity: EntityLayout) -> String? {
      guard areKnown, entity.isDescribed else { return name }
      let head = name.splitAtFirstDot?.0 ?? name
      return properties[entity.modelName ?? entity.name]?[head].map { $0 + name.dropFirst(head.count) }
    }
  }
}
