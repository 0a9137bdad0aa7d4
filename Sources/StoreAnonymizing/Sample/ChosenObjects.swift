import StoreCoreData
import StoreDiagnosis
import StoreFindings
import StoreScanning
import StoreSQLite

/// Chooses some objects of each entity: first those that findings name, with what they are linked to, then those that are linked
/// to chosen ones, then any in the order of their keys.
///
/// An object that another must have is chosen with it, also beyond the number that was asked for.
struct ChosenObjects {
  /// Keys by table.
  private(set) var keys: [String: Set<Int64>] = [:]
  /// How many were chosen, by `Z_ENT`.
  private(set) var counts: [Int64: Int] = [:]

  private let connection: Connection
  private let links: StoreLinks
  private let limit: Int
  /// Entities whose optional links are followed, too, because without them there would be new findings.
  private let held: Set<EntityID>
  private var pending: [Wish] = []
  /// For how many steps what an object is linked to was followed already.
  private var followed: [String: [Int64: Int]] = [:]
  private var reading: [String: (row: Statement, columns: [StoreLinks.Column])] = [:]

  /// An object to be chosen.
  private struct Wish {
    var table: String
    var key: Int64
    /// Whether it is chosen although there are enough of its entity.
    var isRequired: Bool
    /// For how many more steps everything that it is linked to is required, too.
    var steps: Int
  }

  /// How far what a finding names is followed: a loop of parents is a finding of all its objects.
  private static let steps = 8
  /// The most members of a to-many relationship that are followed from there.
  private static let mostMembers = 200

  init(
    _ store: Store, _ links: StoreLinks, map: StoreMap, limit: Int, held: Set<EntityID>, findings: [Finding]
  ) throws {
    (connection, self.links, self.limit, self.held) = (store.connection, links, limit, held)
    try chooseNamed(by: findings, map)
    for join in links.joins { try chooseHalfJoined(join) }
    for table in links.tables { try fill(table, linkedOnly: true) }
    for join in links.joins { try fill(join) }
    for table in links.tables { try fill(table, linkedOnly: false) }
  }

  /// How many rows of a finding are chosen first.
  static func examples(limit: Int) -> Int { min(max(limit / 10, 2), 1000) }

  // MARK: What findings name

  private mutating func chooseNamed(by findings: [Finding], _ map: StoreMap) throws {
    for finding in findings {
      let own = finding.table.flatMap { links.tables.contains($0) ? $0 : nil }
      let home = own ?? finding.entity.flatMap { map.entity(named: $0)?.table }
      for example in finding.examples.prefix(Self.examples(limit: limit)) {
        var table = home
        if table == nil, case .text(let name)? = example.facts["entity"] { table = map.entity(named: name)?.table }
        guard let table, links.tables.contains(table) else { continue }
        var keys = [example.primaryKey].compactMap(\.self)
        // The first of the rows that are equal.
        if case .number(let first)? = example.facts["first"] { keys.append(first) }
        for key in keys { try take(Wish(table: table, key: key, isRequired: true, steps: Self.steps)) }
      }
    }
  }

  /// Of links that have one end, some of the objects there.
  private mutating func chooseHalfJoined(_ join: StoreLinks.Join) throws {
    guard let (first, second) = join.pair else { return }
    let rows = try connection.prepare(
      """
      SELECT \(quotedIdentifier(first.column)), \(quotedIdentifier(second.column)) FROM \(quotedIdentifier(join.table)) j
      WHERE NOT EXISTS (SELECT 1 FROM \(quotedIdentifier(first.target)) WHERE Z_PK = j.\(quotedIdentifier(first.column)))
      OR NOT EXISTS (SELECT 1 FROM \(quotedIdentifier(second.target)) WHERE Z_PK = j.\(quotedIdentifier(second.column)))
      LIMIT \(Self.examples(limit: limit))
      """)
    var wishes: [Wish] = []
    while try rows.step() {
      for (index, end) in [first, second].enumerated() where rows.kind(index) == .integer {
        wishes.append(Wish(table: end.target, key: rows.int64(index), isRequired: true, steps: 0))
      }
    }
    for wish in wishes { try take(wish) }
  }

  // MARK: The others

  private mutating func fill(_ table: String, linkedOnly: Bool) throws {
    let columns = links.keyColumns(of: table)
    if linkedOnly, columns.isEmpty { return }
    let names = ["Z_PK", "Z_ENT"] + columns.map { quotedIdentifier($0.name) }
    let rows = try connection.prepare(
      "SELECT \(names.joined(separator: ", ")) FROM \(quotedIdentifier(table)) NOT INDEXED")
    let entities = links.home.filter { $0.value == table }.map(\.key.number)
    while try rows.step() {
      guard rows.kind(0) == .integer else { continue }
      if (counts[rows.int64(1)] ?? 0) >= limit {
        if entities.allSatisfy({ (counts[$0] ?? 0) >= limit }) { break }
        continue
      }
      if linkedOnly {
        let isLinked = columns.indices.contains { index in
          rows.kind(index + 2) == .integer && keys[columns[index].target]?.contains(rows.int64(index + 2)) == true
        }
        guard isLinked else { continue }
      }
      try take(Wish(table: table, key: rows.int64(0), isRequired: false, steps: 0))
    }
  }

  /// Takes objects at the other end of links of chosen ones.
  private mutating func fill(_ join: StoreLinks.Join) throws {
    guard let (first, second) = join.pair else { return }
    let rows = try connection.prepare(
      "SELECT \(quotedIdentifier(first.column)), \(quotedIdentifier(second.column)) FROM \(quotedIdentifier(join.table))"
    )
    var taken = 0
    while taken < limit, try rows.step() {
      guard rows.kind(0) == .integer, rows.kind(1) == .integer else { continue }
      let (left, right) = (rows.int64(0), rows.int64(1))
      let hasLeft = keys[first.target]?.contains(left) == true
      guard hasLeft != (keys[second.target]?.contains(right) == true) else { continue }
      let before = counts
      try take(
        Wish(
          table: hasLeft ? second.target : first.target, key: hasLeft ? right : left, isRequired: false, steps: 0))
      if counts != before { taken += 1 }
    }
  }

  // MARK: One object and what comes with it

  private mutating func take(_ wish: Wish) throws {
    pending.append(wish)
    while let next = pending.popLast() { try takeOne(next) }
  }

  private mutating func takeOne(_ wish: Wish) throws {
    // What was chosen already is looked at again only where more comes with it now.
    let isKnown = keys[wish.table]?.contains(wish.key) == true
    if isKnown, wish.steps <= followed[wish.table]?[wish.key] ?? 0 { return }
    if wish.steps > 0 { followed[wish.table, default: [:]][wish.key] = wish.steps }
    let (row, columns) = try reader(of: wish.table)
    row.reset()
    try row.bind(wish.key, at: 1)
    guard try row.step() else { return }
    let entity = row.int64(0)
    if !isKnown {
      guard wish.isRequired || (counts[entity] ?? 0) < limit else { return }
      keys[wish.table, default: []].insert(wish.key)
      counts[entity, default: 0] += 1
    }
    let own = EntityID(entity)
    let isHeld = held.contains(own)
    let columnsOfEntity = Dictionary((links.columns[own] ?? []).map { ($0.name, $0) }) { first, _ in first }
    for (index, column) in columns.enumerated() where row.kind(index + 1) == .integer {
      let isRequired = wish.steps > 0 || isHeld || !(columnsOfEntity[column.name] ?? column).isOptional
      pending.append(
        Wish(
          table: column.target, key: row.int64(index + 1), isRequired: isRequired, steps: max(wish.steps - 1, 0)))
    }
    row.reset()
    for members in links.members[own] ?? [] {
      let count = max(wish.steps == Self.steps ? Self.mostMembers : 0, isHeld ? 1 : 0, members.least)
      if count > 0 { try wishFor(members, of: wish.key, count: count) }
    }
  }

  private mutating func wishFor(_ members: StoreLinks.Members, of owner: Int64, count: Int) throws {
    let rows = try connection.prepare(
      "SELECT \(quotedIdentifier(members.member)) FROM \(quotedIdentifier(members.table)) WHERE "
        + "\(quotedIdentifier(members.owner)) = ? LIMIT \(count)")
    try rows.bind(owner, at: 1)
    while try rows.step() {
      guard rows.kind(0) == .integer else { continue }
      pending.append(Wish(table: members.target, key: rows.int64(0), isRequired: true, steps: 0))
    }
  }

  private mutating func reader(of table: String) throws -> (row: Statement, columns: [StoreLinks.Column]) {
    if let known = reading[table] { return known }
    let columns = links.keyColumns(of: table)
    let names = ["Z_ENT"] + columns.map { quotedIdentifier($0.name) }
    let row = try connection.prepare(
      "SELECT \(names.joined(separator: ", ")) FROM \(quotedIdentifier(table)) WHERE Z_PK = ?")
    reading[table] = (row, columns)
    return (row, columns)
  }
}

extension StoreLinks.Join {
  /// Both ends; nil where there are not two.
  fileprivate var pair: ((column: String, target: String), (column: String, target: String))? {
    ends.count == 2 ? (ends[0], ends[1]) : nil
  }
}
