import StoreScanning
import StoreDataModel
import StoreCoreData
import StoreSQLite

/// Where a row's value is: in an attribute, a leaf of a composite one ("size.width"), or an attribute of the object a
/// to-one relationship leads to ("folder.name").
struct ValuePath {
  /// To-one relationships to follow, starting at the row.
  let hops: [Hop]
  /// The column with the value, in the last table.
  let column: String
  /// The attribute, or the leaf of a composite one.
  let leaf: Property

  /// A key and the table it leads to.
  struct Hop: Hashable {
    var keyColumn: String
    var table: String
  }

  /// The attribute's type.
  var type: AttributeType { leaf.attribute?.type ?? .undefined }
}

extension StoreMap {
  /// Where rows of an entity have a value; nil where the entity has none of that name.
  func path(_ name: String, of entity: EntityLayout) -> ValuePath? {
    var entity = entity
    var hops: [ValuePath.Hop] = []
    var rest = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
    while let first = rest.first, hops.count <= maximumHops {
      if let value = entity.value(rest) { return ValuePath(hops: hops, column: value.column, leaf: value.leaf) }
      guard let relationship = entity.relationships.first(where: { $0.name == first }),
        case .key(let column?, _, _) = relationship.storage,
        let destination = relationship.destination.flatMap({ self.entity(named: $0) }), destination.tableExists
      else { return nil }
      hops.append(.init(keyColumn: column, table: destination.table))
      entity = destination
      rest = rest.dropFirst()
    }
    return nil
  }

  /// Limited, because each hop is a join and SQLite allows 64.
  private var maximumHops: Int { 8 }

  /// The entity and its subentities. Each has its own layout, since two subentities that declare a property of the same
  /// name keep it in different columns.
  func entities(of entity: EntityLayout) -> [EntityLayout] {
    kinds(of: entity.id).sorted().compactMap { self.entity($0) }
  }
}

/// A query for values of one table's rows, and of the objects they lead to.
struct ValueQuery {
  /// The selected terms, in the order in which they were added.
  private(set) var terms: [String] = []
  private let table: String
  private var joins: [(prefix: [ValuePath.Hop], alias: String)] = []

  /// A query of one table.
  init(_ table: String) { self.table = table }

  /// Adds a column of the row; returns its index in the result.
  mutating func add(column: String) -> Int { add(term: "t.\(quotedIdentifier(column))") }

  /// Adds a value; returns its index in the result.
  mutating func add(_ path: ValuePath) -> Int { add(term: "\(alias(path.hops)).\(quotedIdentifier(path.column))") }

  private mutating func add(term: String) -> Int {
    if let known = terms.firstIndex(of: term) { return known }
    terms.append(term)
    return terms.count - 1
  }

  private mutating func alias(_ hops: [ValuePath.Hop]) -> String {
    guard !hops.isEmpty else { return "t" }
    if let known = joins.first(where: { $0.prefix == hops }) { return known.alias }
    _ = alias(hops.dropLast())
    joins.append((hops, "t\(joins.count)"))
    return joins.last?.alias ?? "t"
  }

  /// The statement, ordered by key.
  ///
  /// - Parameter condition: a condition on the row, whose alias is `t`.
  func sql(where condition: String) -> String {
    var tables = "\(quotedIdentifier(table)) AS t"
    for join in joins {
      guard let hop = join.prefix.last else { continue }
      let holder = join.prefix.count == 1 ? "t" : joins.first { $0.prefix == join.prefix.dropLast() }?.alias ?? "t"
      tables +=
        " LEFT JOIN \(quotedIdentifier(hop.table)) AS \(join.alias)"
        + " ON \(join.alias).Z_PK = \(holder).\(quotedIdentifier(hop.keyColumn))"
    }
    return "SELECT \(terms.joined(separator: ", ")) FROM \(tables) WHERE \(condition) ORDER BY t.Z_PK"
  }
}

/// A condition on the row's entity: "t.Z_ENT IN (1, 2)".
func isOfKind(_ entities: some Sequence<EntityID>) -> String {
  "t.Z_ENT IN (\(entities.map { String($0.number) }.sorted().joined(separator: ", ")))"
}
