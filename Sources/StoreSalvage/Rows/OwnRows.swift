import SQLitePages
import StoreCoreData
import StoreDataModel
import StoreRecovery
import StoreSQLite

/// What a damaged store says of itself: metadata, numbers of entities, model.
struct OwnRows {
  /// `Z_METADATA`, of the first row that can be decoded.
  private(set) var metadata: StoreMetadata?
  /// `Z_PRIMARYKEY`.
  private(set) var entityMap = EntityMap(rows: [])
  /// The model of `Z_MODELCACHE`: the one that the metadata name, where there are several.
  private(set) var model: Model?

  /// The tables that say it.
  static let tables: Set<String> = ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"]

  /// Reads the rows of those three tables.
  ///
  /// - Throws: `FileError`.
  init(_ owners: PageOwners, _ evidence: SalvageEvidence) throws {
    let encoding = evidence.view.files.header.textEncoding
    var models: [Model] = []
    var rows: [EntityMap.Row] = []
    for table in owners.tables where Self.tables.contains(table.name) {
      let names = table.template.columns.map(\.name)
      let asked = AskedTemplates([table.template])
      var reader = RowReader(evidence, reached: owners.reached, isStrict: true)
      for leaf in table.leaves {
        try reader.read(leaf, template: asked) { row in
          guard row.state == .whole else { return }
          func value(_ column: String) -> SQLiteValue? {
            names.firstIndex(of: column).flatMap { row.record.value($0, in: row.payload, encoding: encoding) }
          }
          switch table.name {
          case "Z_METADATA":
            guard metadata == nil, case .blob(let list)? = value("Z_PLIST") else { return }
            var read = StoreMetadata(propertyList: list)
            guard read.hashes != nil else { return }
            if case .text(let uuid)? = value("Z_UUID") { read.uuid = String(decoding: uuid, as: UTF8.self) }
            metadata = read
          case "Z_MODELCACHE":
            guard models.count < 16, case .blob(let content)? = value("Z_CONTENT") else { return }
            if let model = ModelCache(content: content).model { models.append(model) }
          default:
            guard rows.count < Model.maximumEntities, case .text(let name)? = value("Z_NAME") else { return }
            func integer(_ column: String) -> Int64? {
              if case .integer(let number)? = value(column) { number } else { nil }
            }
            let parent = integer("Z_SUPER").flatMap { $0 == 0 ? nil : EntityID($0) }
            rows.append(
              .init(
                id: EntityID(row.key), name: String(decoding: name, as: UTF8.self), parent: parent,
                highWater: integer("Z_MAX")))
          }
        }
      }
    }
    entityMap = EntityMap(rows: rows)
    model = models.first { $0.versionHashes == metadata?.hashes } ?? models.first
  }

  /// Takes a model that was given.
  mutating func take(_ given: Model) { model = given }

  /// Takes the numbers that Core Data gives the entities of the model, where the store has lost its own.
  mutating func numberByModel() {
    guard let model, entityMap.rows.isEmpty else { return }
    let numbers = TablePlan.entityNumbers(of: model)
    entityMap = EntityMap(
      rows: model.entities.compactMap { entity in
        numbers[entity.name].map { number in
          .init(
            id: EntityID(number), name: entity.name, parent: entity.parent.flatMap { numbers[$0] }.map(EntityID.init),
            highWater: nil)
        }
      })
  }

  /// Takes the numbers that Core Data gives entities of these names, where the store has lost its own: only those of a model
  /// without inheritance, where each has a table, and only where no row says another number.
  ///
  /// - Parameters:
  ///   - tables: the tables that were read.
  ///   - number: the number in the rows of a table; nil where there are none.
  mutating func numberByMetadata(_ tables: [String], number: (String) throws -> Int64?) rethrows -> Bool {
    guard model == nil, entityMap.rows.isEmpty, let names = metadata?.hashes?.names, !names.isEmpty else {
      return false
    }
    let roots = Set(tables)
    guard names.allSatisfy({ roots.contains("Z" + $0.uppercased()) }) else { return false }
    let rows = names.sorted(by: TablePlan.caseFoldedPrecedes).enumerated().map { index, name in
      EntityMap.Row(id: EntityID(Int64(index) + 1), name: name, parent: nil, highWater: nil)
    }
    for row in rows {
      if let seen = try number("Z" + row.name.uppercased()), seen != row.id.number { return false }
    }
    entityMap = EntityMap(rows: rows)
    return true
  }

  /// The entities that have rows in a table; none for one that is no entity's.
  func entities(of table: String) -> [EntityMap.Row] {
    if let history = HistoryTable(rawValue: table) {
      return [.init(id: EntityID(history.entityNumber), name: history.entityName, parent: nil, highWater: nil)]
    }
    return byTable[table] ?? []
  }

  private var byTable: [String: [EntityMap.Row]] {
    Dictionary(grouping: entityMap.rows) { row in
      let root = entityMap[entityMap.root(of: row.id)] ?? row
      return (root.id.isInternal ? "A" : "Z") + root.name.uppercased()
    }
  }

  /// Gives tables what their entities tell of their rows.
  func refine(_ tables: inout [SalvageTable]) {
    let byTable = byTable
    for index in tables.indices {
      let columns = tables[index].template.columns.map(\.name)
      guard columns.first == "Z_PK", let entity = columns.firstIndex(of: "Z_ENT") else { continue }
      let history = HistoryTable(rawValue: tables[index].name).map { [$0.entityNumber] }
      let numbers = history ?? byTable[tables[index].name]?.map(\.id.number) ?? []
      guard !numbers.isEmpty else { continue }
      let isInternal = numbers.contains { EntityID($0).isInternal }
      tables[index].template.coreData = .init(
        entityColumn: entity, entities: Set(numbers), versionColumn: isInternal ? nil : columns.firstIndex(of: "Z_OPT"))
      // Rows are as long as the table was when they were written; columns are added behind.
      tables[index].template.counts.formUnion(min(3, columns.count)...columns.count)
    }
  }

  /// The largest key that was handed out for rows of a table.
  func largestKey(of table: String) -> Int64? {
    entities(of: table).first { entityMap.root(of: $0.id) == $0.id }?.keysHandedOut
  }
}
