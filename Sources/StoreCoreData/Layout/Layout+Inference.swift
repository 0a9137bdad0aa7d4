import StoreWords
import StoreDataModel
import StoreSQLite

/// Infers the layout of a store without a model cache (frameworks 241 to 519) from its tables.
///
/// Column names are in upper case, so the case of property names is lost. Each property says how certain it is.
extension Layout {
  init(inferredFrom connection: Connection, entityMap: EntityMap, shape: Shape) throws {
    var inference = Inference(connection: connection, entityMap: entityMap, shape: shape)
    for row in entityMap.rows where !row.id.isInternal && row.parent == nil {
      do {
        try inference.examine(root: row)
      } catch let error as SQLiteError {
        guard error.isCorrupt || error.interruption == .work else { throw error }
        problems.append("what \(quoted(row.name)) is made of cannot be told from its table: \(error)")
      }
    }
    problems = firstOf(problems, limit: 20)
    inference.examineJoinTables()
    entities = entityMap.rows.map { inference.entity($0) }
    joinTables = inference.joinTables.sorted { codeUnitsPrecede($0.name, $1.name) }
    unexplained = unexplainedObjects(
      in: shape, claimed: inference.claimed, indexTables: [], noModelFor: [])
  }
}

private struct Inference {
  let connection: Connection
  let entityMap: EntityMap
  let shape: Shape
  var claimed: [String: Set<String>] = [:]
  var joinTables: [JoinTableLayout] = []
  /// Columns of the table being examined that are the first column of an index.
  private var indexed: Set<String> = []
  /// Companion columns of the table being examined, by their key column.
  private var companions: [String: CompanionName] = [:]
  /// Entities with a table, by number: the possible destinations of a key.
  private let candidates: [Candidate]
  private let names: CandidateNames
  /// How many more times a column's values may be compared with a table's keys. Without a limit the number grows with
  /// the square of the tables, and a hostile store has thousands.
  private var comparisonsLeft = 5_000
  private var attributes: [EntityID: [AttributeLayout]] = [:]
  private var relationships: [EntityID: [RelationshipLayout]] = [:]

  init(connection: Connection, entityMap: EntityMap, shape: Shape) {
    self.connection = connection
    self.entityMap = entityMap
    self.shape = shape
    candidates = entityMap.rows.compactMap { row in
      let table = TablePlan.tableName(ofRoot: entityMap[entityMap.root(of: row.id)]?.name ?? row.name)
      guard !row.id.isInternal, shape.tables[table] != nil else { return nil }
      return Candidate(name: row.name, upperCased: Array(row.name.uppercased().utf8), table: table)
    }
    names = CandidateNames(candidates.map(\.upperCased))
  }

  func entity(_ row: EntityMap.Row) -> EntityLayout {
    var entity = EntityLayout(bare: row, in: entityMap, shape: shape)
    guard !row.id.isInternal else { return entity }
    let lineage = entityMap.lineage(of: row.id)
    entity.isDescribed = entity.tableExists
    entity.attributes = lineage.flatMap { attributes[$0] ?? [] }
      .sorted { codeUnitsPrecede($0.property.name, $1.property.name) }
    entity.relationships = lineage.flatMap { relationships[$0] ?? [] }
      .sorted { codeUnitsPrecede($0.name, $1.name) }
    return entity
  }

  mutating func examine(root: EntityMap.Row) throws {
    guard let table = shape.tables[TablePlan.tableName(ofRoot: root.name)] else { return }
    claimed[table.name] = Set(["Z_PK", "Z_ENT", "Z_OPT"].filter(table.has))
    companions = Dictionary(
      table.columns.compactMap { CompanionName($0.name) }.filter { entityMap[$0.entity] != nil }
        .map { ($0.relationshipColumn, $0) },
      uniquingKeysWith: { first, _ in first })
    indexed = Set(try connection.indexes(of: table.name).compactMap(\.columns.first?.name))
    let contents = try ColumnContents.all(of: table, connection)
    for column in table.columns where claimed[table.name]?.contains(column.name) == false {
      try examine(column, of: table, root: root, contents: contents[column.name] ?? ColumnContents())
    }
  }

  private mutating func examine(
    _ column: Shape.Column, of table: Shape.Table, root: EntityMap.Row, contents: ColumnContents
  ) throws {
    let name = column.name
    if let plain = CompanionName(name)?.relationshipColumn, table.has(plain) { return claim(name, of: table) }
    if let key = TablePlan.keyName(ofOrderKey: name), table.has(key) { return claim(name, of: table) }
    guard name.hasPrefix("Z"), !name.hasPrefix("Z_"), name.count > 1 else { return }
    claim(name, of: table)
    if examineHiddenKey(column, of: table, root: root) { return }
    if try examineKey(column, of: table, root: root) { return }
    attributes[root.id, default: []].append(
      AttributeLayout(
        property: Property(
          name: propertyName(name), isOptional: true,
          kind: .attribute(Attribute(type: contents.type(declared: column.declaredType).type))),
        declaredBy: root.name, columns: [.init(leaf: [], name: name)],
        certainty: contents.type(declared: column.declaredType).certainty))
  }

  private mutating func claim(_ column: String, of table: Shape.Table) {
    claimed[table.name]?.insert(column)
  }

  /// Column names do not preserve the case of a property's name; lower case reads better than capitals.
  private func propertyName(_ column: String) -> String { String(column.dropFirst()).lowercased() }

  // MARK: Relationships

  /// Recognises `Z<n><REL>` as the hidden key of a to-many relationship of entity n without inverse; Core Data
  /// indexes it.
  private mutating func examineHiddenKey(_ column: Shape.Column, of table: Shape.Table, root: EntityMap.Row) -> Bool {
    guard column.declaredType == "INTEGER", indexed.contains(column.name),
      let name = EntityNumberedName(column.name, prefix: "Z"), let owner = entityMap[name.entity]
    else { return false }
    let orderName = TablePlan.orderKeyName(besideKey: column.name)
    let orderKey = table.has(orderName) ? orderName : nil
    relationships[owner.id, default: []].append(
      RelationshipLayout(
        name: name.rest.lowercased(), declaredBy: owner.name, destination: root.name, inverse: nil, isOptional: true,
        isToMany: true, isOrdered: orderKey != nil,
        storage: .hiddenKey(table: table.name, column: column.name, orderKey: orderKey),
        certainty: .likely))
    return true
  }

  /// Recognises an integer column as a to-one key if a companion, its name, or its values suggest it.
  private mutating func examineKey(
    _ column: Shape.Column, of table: Shape.Table, root: EntityMap.Row
  ) throws -> Bool {
    guard column.declaredType == "INTEGER", let (destination, certainty) = try destination(of: column, in: table)
    else { return false }
    let companion = companions[column.name]?.column
    let orderKey = TablePlan.orderKeyName(besideKey: column.name)
    relationships[root.id, default: []].append(
      RelationshipLayout(
        name: propertyName(column.name), declaredBy: root.name, destination: destination, inverse: nil,
        isOptional: true, isToMany: false, isOrdered: false,
        storage: .key(
          column: column.name, companion: companion, orderKey: table.has(orderKey) ? orderKey : nil),
        certainty: certainty))
    return true
  }

  private mutating func destination(
    of column: Shape.Column, in table: Shape.Table
  ) throws -> (entity: String?, certainty: Certainty)? {
    // A to-one key's companion is `Z<n>_OWNER`; n is the destination's number (`docs/format/store-layout.md` §2).
    if let companion = companions[column.name], let entity = entityMap[companion.entity] {
      return (entity.name, .certain)
    }
    // Core Data indexes every to-one key; old frameworks also index attributes marked as indexed.
    guard indexed.contains(column.name) else { return nil }
    let bare = Array(column.name.utf8.dropFirst())
    if let named = names.place(of: bare).map({ candidates[$0] }) {
      return try holdsKeys(of: named, in: column, table: table).map { (named.name, $0 ? .likely : .possible) }
    }
    // The names may be similar: `mainImage` and Image, `type` and RecipeType.
    let alike = names.places(alike: bare).map { candidates[$0] }
    if let nearest = alike.max(by: { $0.name.count < $1.name.count }),
      try holdsKeys(of: nearest, in: column, table: table) != false
    {
      return (nearest.name, .likely)
    }
    var fitting: [Candidate] = []
    for candidate in candidates {
      guard comparisonsLeft > 0 else { break }
      if try holdsKeys(of: candidate, in: column, table: table) == true { fitting.append(candidate) }
    }
    guard !fitting.isEmpty else { return nil }
    return (fitting.count == 1 ? fitting[0].name : nil, .possible)
  }

  /// Whether every value of a column is a key of an entity's table; nil if the column has no value or the limit is
  /// reached.
  private mutating func holdsKeys(
    of candidate: Candidate, in column: Shape.Column, table: Shape.Table
  ) throws -> Bool? {
    guard comparisonsLeft > 0 else { return nil }
    comparisonsLeft -= 1
    let (name, source, target) = (
      quotedIdentifier(column.name), quotedIdentifier(table.name), quotedIdentifier(candidate.table)
    )
    let any = try connection.prepare("SELECT 1 FROM \(source) WHERE \(name) IS NOT NULL LIMIT 1")
    guard try any.step() else { return nil }
    let outside = try connection.prepare(
      """
      SELECT 1 FROM \(source) AS s WHERE s.\(name) IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM \(target) AS t WHERE t.Z_PK = s.\(name)) LIMIT 1
      """)
    return try !outside.step()
  }

  // MARK: Join tables

  /// `Z_<n><REL>` with columns `Z_<n><INVERSE>` and `Z_<m><REL>` (`docs/format/store-layout.md` §4).
  mutating func examineJoinTables() {
    let tables = shape.tables.values.filter { claimed[$0.name] == nil }
      .sorted { codeUnitsPrecede($0.name, $1.name) }
    let columns = Set(tables.flatMap(\.columns).map(\.name))
    for table in tables {
      guard let join = JoinTableNames(table, entityMap, allColumns: columns) else { continue }
      joinTables.append(join.layout)
      claimed[table.name] = Set(
        table.columns.map(\.name).filter { $0.hasPrefix(TablePlan.orderKeyPrefix) } + [
          join.layout.source.column, join.layout.destination.column,
        ])
      let (source, destination) = (join.layout.source, join.layout.destination)
      let isReflexive = destination.column == TablePlan.reflexiveColumn
      for (end, other) in isReflexive ? [(source, destination)] : [(source, destination), (destination, source)] {
        guard let row = entityMap.row(named: end.entity) else { continue }
        relationships[row.id, default: []].append(
          RelationshipLayout(
            name: end.relationship, declaredBy: end.entity, destination: other.entity,
            inverse: other.relationship, isOptional: true, isToMany: true,
            isOrdered: !join.layout.orderColumns.isEmpty, storage: .joinTable(name: table.name),
            certainty: .certain))
      }
    }
  }
}

/// A name that contains an entity's number: `Z<n>REL`, `Z_<n>REL`.
private struct EntityNumberedName {
  var entity: EntityID
  var rest: String

  init?(_ name: String, prefix: String) {
    guard name.hasPrefix(prefix) else { return nil }
    let digits = name.dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber }
    guard let number = Int64(digits), name.count > prefix.count + digits.count else { return nil }
    entity = EntityID(number)
    rest = String(name.dropFirst(prefix.count + digits.count))
  }
}

/// An entity that may be the destination of a key.
private struct Candidate {
  var name: String
  /// The name in upper case as in columns, in bytes because thousands are compared.
  var upperCased: [UInt8]
  var table: String
}

/// Names of entities, found by their ends without a look at each: a hostile store has thousands, and as many columns.
private struct CandidateNames {
  private var places: [[UInt8]: [Int]] = [:]
  /// The names read backwards, in order, with their places.
  private var backwards: [(name: [UInt8], place: Int)]

  init(_ names: [[UInt8]]) {
    for (place, name) in names.enumerated() { places[name, default: []].append(place) }
    backwards = names.enumerated().map { (name: $1.reversed(), place: $0) }
    backwards.sort { $0.name.lexicographicallyPrecedes($1.name) }
  }

  /// The first name that is this one.
  func place(of name: [UInt8]) -> Int? { places[name]?.first }

  /// The names that end with this one, or with which it ends, ascending.
  func places(alike name: [UInt8]) -> [Int] {
    var found: Set<Int> = []
    for start in 0...name.count { found.formUnion(places[Array(name[start...])] ?? []) }
    let end = Array(name.reversed())
    var (low, high) = (0, backwards.count)
    while low < high {
      let middle = (low + high) / 2
      if backwards[middle].name.lexicographicallyPrecedes(end) { low = middle + 1 } else { high = middle }
    }
    found.formUnion(backwards[low...].prefix { $0.name.starts(with: end) }.map(\.place))
    return found.sorted()
  }
}

/// The parts of a companion's name `Z<n>_REL`.
private struct CompanionName {
  var column: String
  var entity: EntityID
  /// `ZREL`.
  var relationshipColumn: String

  init?(_ column: String) {
    guard let name = EntityNumberedName(column, prefix: "Z"), name.rest.hasPrefix("_"), name.rest.count > 1 else {
      return nil
    }
    self.column = column
    entity = name.entity
    relationshipColumn = TablePlan.keyName(besideCompanionEnd: name.rest)
  }
}

/// The two relationships of a join table, inferred from its names.
private struct JoinTableNames {
  var layout: JoinTableLayout

  /// - Parameter allColumns: columns of all join tables; a trailing digit tells columns of equal names in several
  ///   tables apart.
  init?(_ table: Shape.Table, _ entityMap: EntityMap, allColumns: Set<String>) {
    let keys = table.columns.map(\.name).filter { !$0.hasPrefix(TablePlan.orderKeyPrefix) }
    guard let own = EntityNumberedName(table.name, prefix: "Z_"), let owner = entityMap[own.entity], keys.count == 2
    else { return nil }
    let destinationIndex = keys.lastIndex { key in
      key == TablePlan.reflexiveColumn
        || EntityNumberedName(key, prefix: "Z_").map { $0.rest.hasPrefix(own.rest) } ?? false
    }
    guard let destinationIndex else { return nil }
    let (destination, source) = (keys[destinationIndex], keys[1 - destinationIndex])
    guard let inverse = EntityNumberedName(Self.withoutCounter(source, among: allColumns), prefix: "Z_"),
      inverse.entity == own.entity
    else { return nil }
    let target = EntityNumberedName(destination, prefix: "Z_").flatMap { entityMap[$0.entity] } ?? owner
    func order(of column: String) -> String? {
      let name = TablePlan.orderKeyName(besideLink: column)
      return table.has(name) ? name : nil
    }
    layout = JoinTableLayout(
      name: table.name,
      source: .init(
        entity: owner.name, relationship: own.rest.lowercased(), column: source, orderColumn: order(of: destination)),
      destination: .init(
        entity: target.name, relationship: inverse.rest.lowercased(), column: destination,
        orderColumn: order(of: source)),
      orderColumns: table.columns.map(\.name).filter { $0.hasPrefix(TablePlan.orderKeyPrefix) })
  }

  /// `Z_3ARTWORKS` for `Z_3ARTWORKS1`, if another join table has the plain name (`energy--artsypartner-1.4`).
  private static func withoutCounter(_ column: String, among allColumns: Set<String>) -> String {
    let plain = String(column.reversed().drop { $0.isASCII && $0.isNumber }.reversed())
    return plain != column && allColumns.contains(plain) ? plain : column
  }
}

/// Properties common to all values of a column.
private struct ColumnContents {
  var hasValues = false
  var isZeroOrOne = true
  var isKeyedArchive = true

  /// Reads a table once, for all its columns.
  static func all(of table: Shape.Table, _ connection: Connection) throws -> [String: ColumnContents] {
    let columns = table.columns.filter { $0.declaredType == "INTEGER" || $0.declaredType == "BLOB" }
    guard !columns.isEmpty else { return [:] }
    let list = columns.map { column in
      let name = quotedIdentifier(column.name)
      return column.declaredType == "BLOB" ? "substr(\(name), 1, 8)" : name
    }
    let statement = try connection.prepare(
      "SELECT \(list.joined(separator: ", ")) FROM \(quotedIdentifier(table.name)) NOT INDEXED LIMIT 100000")
    var contents = [ColumnContents](repeating: ColumnContents(), count: columns.count)
    while try statement.step() {
      for position in columns.indices { contents[position].look(at: statement, position) }
    }
    return Dictionary(zip(columns.map(\.name), contents)) { first, _ in first }
  }

  private mutating func look(at statement: Statement, _ index: Int) {
    switch statement.kind(index) {
    case .null: return
    case .integer: if !(0...1).contains(statement.int64(index)) { isZeroOrOne = false }
    case .blob: if statement.blob(index) != Array("bplist00".utf8) { isKeyedArchive = false }
    case .real, .text: (isZeroOrOne, isKeyedArchive) = (false, false)
    }
    hasValues = true
  }

  /// The attribute type, inferred from the declared type (`docs/format/store-layout.md` §3) and the values.
  func type(declared: String) -> (type: AttributeType, certainty: Certainty) {
    switch declared {
    case "INTEGER": hasValues && isZeroOrOne ? (.boolean, .possible) : (.integer64, .likely)
    case "TIMESTAMP": (.date, .certain)
    case "DECIMAL": (.decimal, .certain)
    case "FLOAT": (.double, .likely)
    case "VARCHAR": (.string, .likely)
    case "BLOB": hasValues && isKeyedArchive ? (.transformable, .likely) : (.binary, .likely)
    default: (.undefined, .possible)
    }
  }
}
