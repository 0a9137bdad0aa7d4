import SQLitePages
import StoreCoreData
import StoreDataModel
import StoreSQLite
import StoreWords

/// A version of the model that the store had before, by which rows are read that were written then.
///
/// A migration gives entities other numbers, and makes tables anew; what was freed before it keeps the numbers and columns of
/// then (`forensics.md`: "a carved row's `Z_ENT` is in the numbers of the version that wrote it").
struct FormerVersion {
  /// What tells of it, such as "a former model cache".
  var source: String
  /// Its entities, with the numbers that they had, by table.
  var entities: [String: [EntityLayout]]
  /// Its tables, where it is known that they had these columns; others had those of today.
  var definitions: [String: TableDefinition] = [:]

  /// The most entities of a version; the largest model that was seen has 200.
  static let limit = 5_000

  /// A version whose whole model is known.
  init?(_ model: Model, source: String) {
    guard !model.entities.isEmpty, model.entities.count <= Self.limit else { return nil }
    let fresh = Layout.fresh(model)
    self.init(source: source, entities: Dictionary(grouping: fresh.layout.entities, by: \.table))
    for table in fresh.shape.tables.values where entities[table.name] != nil {
      definitions[table.name] = TableDefinition(keyed: table)
    }
  }

  /// A version of which only numbers are known: entities of today that had others.
  init?(numbers: [String: Int64], of entities: [EntityLayout], source: String) {
    let former = entities.compactMap { entity in
      numbers[entity.name].map { number in
        var entity = entity
        entity.id = EntityID(number)
        return entity
      }
    }
    guard !former.isEmpty, former.map(\.id) != former.compactMap({ one in entities.first { $0.name == one.name }?.id })
    else { return nil }
    self.init(source: source, entities: Dictionary(grouping: former, by: \.table))
  }

  private init(source: String, entities: [String: [EntityLayout]]) {
    self.source = source
    self.entities = entities
  }

  /// The same with the names that entities and tables have today.
  func renamed(by names: FormerNames) -> FormerVersion {
    guard !names.today.isEmpty || !names.tables.isEmpty else { return self }
    var version = FormerVersion(source: source, entities: [:])
    for (table, members) in entities {
      let today = entities[names.tables[table] ?? table] == nil ? names.tables[table] ?? table : table
      version.entities[today] = members.map { $0.renamed(by: names, table: today) }
    }
    for (table, definition) in definitions {
      var definition = definition
      let today = definitions[names.tables[table] ?? table] == nil ? names.tables[table] ?? table : table
      definition.name = today
      version.definitions[today] = definition
    }
    return version
  }

  /// Whether rows of a template may be this version's: its table had these columns, or the first of them, before others were
  /// added behind.
  func fits(_ template: RowTemplate) -> Bool {
    guard let definition = definitions[template.table] else { return true }
    let names = template.columns.map(\.name)
    return definition.columns.count <= names.count && (!template.isFormer || definition.columns.count == names.count)
      && zip(definition.columns, names).allSatisfy { $0.name == $1 }
  }

  /// Whether another version reads rows just the same.
  func isLike(_ other: FormerVersion) -> Bool {
    definitions == other.definitions && entities.count == other.entities.count
      && entities.allSatisfy { table, members in
        other.entities[table].map { Set($0.map(Member.init)) } == Set(members.map(Member.init))
      }
  }

  private struct Member: Hashable {
    var number: Int64
    var name: String

    init(_ entity: EntityLayout) { (number, name) = (entity.id.number, entity.name) }
  }
}

extension EntityLayout {
  fileprivate func renamed(by names: FormerNames, table: String) -> EntityLayout {
    var entity = self
    entity.name = names.today(of: name)
    entity.parent = parent.map(names.today)
    entity.root = names.today(of: root)
    entity.table = table
    return entity
  }
}

extension TableDefinition {
  /// The definition of a table of objects, as Core Data makes it.
  fileprivate init?(keyed table: Shape.Table) {
    let columns = table.columns.enumerated().map { index, column in
      quotedIdentifier(column.name) + " " + column.declaredType + (index == 0 ? " PRIMARY KEY" : "")
    }
    self.init(sql: "CREATE TABLE \(quotedIdentifier(table.name)) (\(columns.joined(separator: ", ")))")
  }
}
