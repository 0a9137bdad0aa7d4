import StoreCoreData
import StoreDataModel
import StoreScanning
import StoreSQLite
import StoreText
import StoreWords

/// What becomes of every column of a store.
struct AnonymizingPlan {
  /// What becomes of a value.
  enum Treatment {
    /// It stays: names of entities, the model.
    case keep
    /// Whole numbers stay, keys and entity numbers; anything else there is replaced.
    case structure
    /// It is replaced by what it is; a number as a date where it is one.
    case replace(isDate: Bool)
    /// As its attribute says.
    case attribute(AttributeUse)
    /// The property list of the metadata.
    case metadata
    /// The model, where it can be read.
    case modelCache
    /// A text of the history or of CloudKit's tables; Apple's own stay.
    case signature

    /// Whether something that is no number may stay.
    var mayKeep: Bool {
      switch self {
      case .keep, .modelCache, .signature: true
      case .attribute(let use): use.decision == .keep || !use.named.isEmpty
      case .structure, .replace, .metadata: false
      }
    }

    /// Whether texts or bytes may be replaced.
    var mayReplaceBytes: Bool {
      switch self {
      case .keep: false
      case .attribute(let use): use.decision != .keep
      case .structure, .replace, .metadata, .modelCache, .signature: true
      }
    }
  }

  struct Column {
    var name: String
    /// The table and the column: "ZNOTE.ZTITLE".
    var place: String
    /// For rows of entities without one of their own.
    var treatment: Treatment
    /// By `Z_ENT`.
    var byEntity: [Int64: Treatment] = [:]

    /// Whether its values may be names of external files.
    var mayNameFiles: Bool {
      ([treatment] + byEntity.values).contains { treatment in
        if case .attribute(let use) = treatment { use.attribute.allowsExternalStorage } else { false }
      }
    }
  }

  struct Table {
    var name: String
    var columns: [Column]
    /// The index of `Z_ENT`.
    var entityColumn: Int?
    /// Whether rows have a `rowid` besides their columns.
    var hasRowID: Bool
  }

  private(set) var tables: [Table] = []
  /// Each attribute once, by name.
  private(set) var uses: [AttributeUse] = []
  /// Names of statistics tables, which are left out.
  private(set) var leftOut: [String] = []

  /// - Throws: `AnonymizingError` for what cannot be made again, and for names in the policy that the store lacks.
  init(_ store: Store, _ objects: [SchemaObject], _ policy: AnonymizingPolicy) throws {
    try Self.refuse(objects)
    let map = StoreMap(store)
    let names = Dictionary(store.layout.entities.map { ($0.id, [$0.name, $0.modelName].compactMap(\.self)) }) {
      first, _ in
      first
    }
    var attributes: [String: [(column: String, holders: Set<EntityID>, use: AttributeUse)]] = [:]
    for place in map.attributePlaces.places {
      guard let attribute = place.leaf.attribute else { continue }
      let entities = (names[place.owner.id] ?? []) + place.holders.sorted().flatMap { names[$0] ?? [] }
      let use = AttributeUse(place, attribute, policy: policy, entities: entities)
      uses.append(use)
      attributes[place.table, default: []].append((place.column, place.holders, use))
    }
    uses.sort { codeUnitsPrecede($0.name, $1.name) }
    try Self.check(policy, against: uses, store)
    let structure = Self.structure(of: store)
    let shadows = Self.shadowTables(objects)
    for object in objects where object.isOrdinaryTable {
      guard !object.name.lowercased().hasPrefix("sqlite_stat") else {
        leftOut.append(object.name)
        continue
      }
      // The tables behind an R-tree are made again by its triggers.
      guard !shadows.contains(object.name.lowercased()) else { continue }
      let columns = try store.connection.columns(of: object.name).filter { $0.kind == .ordinary }
      var table = Table(
        name: object.name, columns: [], entityColumn: columns.firstIndex { $0.name == "Z_ENT" },
        hasRowID: try Self.hasRowID(object.name, store.connection))
      for column in columns {
        var own = Column(
          name: column.name, place: "\(object.name).\(column.name)",
          treatment: Self.treatment(column, of: object.name, structure: structure[object.name] ?? []))
        for (name, holders, use) in attributes[object.name] ?? [] where name == column.name {
          // A column that a relationship has as well is a key.
          if case .structure = own.treatment { continue }
          for holder in holders { own.byEntity[holder.number] = .attribute(use) }
        }
        table.columns.append(own)
      }
      tables.append(table)
    }
  }

  /// Whether a table has keys and numbers of entities alone, as join tables have, and can be written behind others: not where
  /// SQLite counts the rows that are written.
  func isOfNumbers(_ table: Table) -> Bool {
    guard !tables.contains(where: { $0.name == "sqlite_sequence" }) else { return false }
    return table.columns.allSatisfy { column in
      ([column.treatment] + column.byEntity.values).allSatisfy { if case .structure = $0 { true } else { false } }
    }
  }

  private static func refuse(_ objects: [SchemaObject]) throws(AnonymizingError) {
    for object in objects where object.isVirtualTable {
      guard object.sql?.lowercased().contains("using rtree") == true else {
        throw AnonymizingError(
          "the store has the virtual table \(quoted(object.name)), whose contents cannot be replaced; a copy of the store "
            + "without it can be anonymised")
      }
    }
  }

  /// Names in a policy that nothing has are mistakes, which would leave values where they are.
  private static func check(
    _ policy: AnonymizingPolicy, against uses: [AttributeUse], _ store: Store
  ) throws(AnonymizingError) {
    let entities = Set(store.layout.entities.flatMap { [$0.name, $0.modelName].compactMap(\.self) })
    var known = entities
    for entity in store.layout.entities {
      for attribute in entity.attributes {
        for column in attribute.columns {
          let path = ([attribute.property.name] + column.leaf).joined(separator: ".")
          for name in [entity.name, entity.modelName].compactMap(\.self) { known.insert("\(name).\(path)") }
        }
      }
    }
    let unknown = policy.decisions.keys.filter { !known.contains($0) }.sorted(by: codeUnitsPrecede)
    guard let first = unknown.first else { return }
    throw AnonymizingError(
      "the store has no entity or attribute \(quoted(first))\(didYouMean(first, among: known.sorted(by: codeUnitsPrecede)))"
    )
  }

  /// For each table the columns with keys, order keys and entity numbers.
  private static func structure(of store: Store) -> [String: Set<String>] {
    var columns: [String: Set<String>] = [:]
    for entity in store.layout.entities {
      for relationship in entity.relationships {
        switch relationship.storage {
        case .key(let column, let companion, let order):
          columns[entity.table, default: []].formUnion([column, companion, order].compactMap(\.self))
        case .inverseKey(let table, let column): columns[table, default: []].formUnion([column].compactMap(\.self))
        case .hiddenKey(let table, let column, let order):
          columns[table, default: []].formUnion([column, order].compactMap(\.self))
        case .joinTable, .none: break
        }
      }
    }
    let joins = store.layout.joinTables.map(\.name) + store.layout.undecidedJoinTables.map(\.table)
    for name in joins { columns[name, default: []].formUnion(store.shape.tables[name]?.columns.map(\.name) ?? []) }
    return columns
  }

  private static func treatment(_ column: StoreSQLite.Column, of table: String, structure: Set<String>) -> Treatment {
    let isDate = column.declaredType.uppercased() == "TIMESTAMP"
    if ["Z_PK", "Z_ENT", "Z_OPT"].contains(column.name) || column.name.hasPrefix(TablePlan.orderKeyPrefix)
      || structure.contains(column.name)
    {
      return .structure
    }
    switch OwnTable(table) {
    case .entityMap: return column.name == "Z_NAME" ? .keep : .structure
    case .metadata:
      return column.name == "Z_PLIST" ? .metadata : column.name == "Z_VERSION" ? .structure : .replace(isDate: false)
    case .modelCache: return .modelCache
    case .history:
      if column.name == "ZCOLUMNS" { return .keep }
      if column.name.hasPrefix("ZTOMBSTONE") { return .replace(isDate: false) }
      if column.name == "ZTIMESTAMP" { return .replace(isDate: true) }
      return column.declaredType.uppercased() == "INTEGER" ? .structure : .signature
    case .mirroring:
      if isDate { return .replace(isDate: true) }
      return column.declaredType.uppercased() == "INTEGER" ? .structure : .signature
    case nil:
      if table == "sqlite_sequence" { return column.name == "name" ? .keep : .structure }
      return .replace(isDate: isDate)
    }
  }

  /// The tables behind virtual tables, in lower case.
  static func shadowTables(_ objects: [SchemaObject]) -> Set<String> {
    Set(
      objects.filter(\.isVirtualTable).flatMap { table in
        ["_node", "_parent", "_rowid"].map { (table.name + $0).lowercased() }
      })
  }

  private static func hasRowID(_ table: String, _ connection: Connection) throws -> Bool {
    do throws(SQLiteError) {
      _ = try connection.prepare("SELECT rowid FROM \(quotedIdentifier(table)) LIMIT 0")
      return true
    } catch {
      return false
    }
  }
}

extension AnonymizingPlan {
  /// What becomes of each column of a row; rows of one entity, which are alike, mostly follow each other.
  struct RowTreatments {
    private let table: Table
    private var entity: Int64?
    private var treatments: [Treatment]

    fileprivate init(_ table: Table) {
      self.table = table
      treatments = table.columns.map(\.treatment)
    }

    subscript(column: Int) -> Treatment { treatments[column] }

    /// Goes to the current row.
    mutating func take(_ row: Statement) { take(entity: table.entity(of: row)) }

    /// Goes to a row that was read.
    ///
    /// - Parameter value: gives the value at a place of the row, in which the `rowid` is first where there is one.
    mutating func take(_ value: (_ place: Int) -> SQLiteValue) { take(entity: table.entity(value)) }

    private mutating func take(entity new: Int64?) {
      guard new != entity else { return }
      entity = new
      for column in treatments.indices { treatments[column] = table.columns[column].treatment(ofEntity: new) }
    }
  }
}

extension AnonymizingPlan.Column {
  /// What becomes of it in rows of an entity.
  fileprivate func treatment(ofEntity entity: Int64?) -> AnonymizingPlan.Treatment {
    entity.flatMap { byEntity[$0] } ?? treatment
  }
}

extension AnonymizingPlan.Table {
  /// Reads its rows in their order: the `rowid` first where there is one, then the columns.
  func rows(_ connection: Connection) throws -> Statement {
    let names = (hasRowID ? ["rowid"] : []) + columns.map { quotedIdentifier($0.name) }
    return try connection.prepare(
      "SELECT \(names.joined(separator: ", ")) FROM \(quotedIdentifier(name)) NOT INDEXED")
  }

  /// The columns of the statement before those of the table.
  var offset: Int { hasRowID ? 1 : 0 }

  /// What becomes of the columns of each row.
  var treatments: AnonymizingPlan.RowTreatments { .init(self) }

  /// The number of the entity of the current row; nil where that is none.
  fileprivate func entity(of row: Statement) -> Int64? {
    guard let place = entityColumn.map({ $0 + offset }), row.kind(place) == .integer else { return nil }
    return row.int64(place)
  }

  /// The same of a row that was read.
  fileprivate func entity(_ value: (_ place: Int) -> SQLiteValue) -> Int64? {
    guard let entityColumn, case .integer(let entity) = value(entityColumn + offset) else { return nil }
    return entity
  }
}
