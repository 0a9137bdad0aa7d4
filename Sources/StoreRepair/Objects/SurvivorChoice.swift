import StoreScanning
import StoreCoreData
import StoreSQLite

/// Chooses which object of each group of duplicates stays.
struct SurvivorChoice {
  private let request: DedupeRequest
  private let bench: Workbench

  init(_ request: DedupeRequest, _ bench: Workbench) {
    self.request = request
    self.bench = bench
  }

  /// The groups, each with its survivor.
  func twins(of groups: [[Int64]]) throws -> [Twins] {
    switch request.keep {
    case .first: return groups.map { twins($0) { _, _ in false } }
    case .last: return groups.map { twins($0) { $0 > $1 } }
    case .mostComplete: return try byScore(groups, scores: completeness(KeySet(groups.joined())))
    case .mostLinked: return try byScore(groups, scores: linkCounts(KeySet(groups.joined())))
    case .newest(let attribute): return try byValue(groups, of: attribute) { $0 > $1 }
    case .oldest(let attribute): return try byValue(groups, of: attribute) { $0 < $1 }
    }
  }

  /// The group in the order in which its objects would stay; where several are as good, the lowest key comes first.
  ///
  /// - Parameter isBetter: whether the first object is to stay rather than the second; a strict order.
  private func twins(_ group: [Int64], isBetter: (Int64, Int64) -> Bool) -> Twins {
    let order = group.sorted { left, right in
      isBetter(left, right) || (!isBetter(right, left) && left < right)
    }
    return Twins(survivor: order[0], others: Array(order.dropFirst()))
  }

  private func byScore(_ groups: [[Int64]], scores: [Int64: Int]) -> [Twins] {
    groups.map { group in twins(group) { (scores[$0] ?? 0) > (scores[$1] ?? 0) } }
  }

  // MARK: By an attribute

  private func byValue(
    _ groups: [[Int64]], of attribute: String, isBetter: (KeyValue, KeyValue) -> Bool
  ) throws -> [Twins] {
    let known = request.entity.uniqueColumns
    guard let column = known[attribute] else {
      throw UnknownProperty(entity: request.entity.name, name: attribute, known: Array(known.keys))
    }
    let rows = try bench.connection.prepare(
      "SELECT \(quotedIdentifier(column)) FROM \(quotedIdentifier(request.entity.table)) WHERE Z_PK = ?1")
    func value(_ key: Int64) throws -> KeyValue? {
      rows.reset()
      try rows.bind(key, at: 1)
      return try rows.step() ? KeyValue(rows, 0) : nil
    }
    return try groups.map { group in
      var values: [Int64: KeyValue] = [:]
      for key in group { values[key] = try value(key) }
      return twins(group) { left, right in
        guard let left = values[left] else { return false }
        return values[right].map { isBetter(left, $0) } ?? true
      }
    }
  }

  // MARK: By number of values or links

  private func completeness(_ keys: KeySet) throws -> [Int64: Int] {
    let columns = ObjectColumns(of: bench.map.kinds(of: request.entity.id), bench.map)
    let list = (["Z_PK", "Z_ENT"] + columns.names).map(quotedIdentifier).joined(separator: ", ")
    let rows = try bench.connection.prepare(
      "SELECT \(list) FROM \(quotedIdentifier(request.entity.table)) WHERE Z_PK = ?1")
    var scores: [Int64: Int] = [:]
    for key in keys {
      rows.reset()
      try rows.bind(key, at: 1)
      guard try rows.step() else { continue }
      let entity = EntityID(rows.int64(1))
      let parts = (columns.attributes[entity] ?? []) + (columns.toOnes[entity] ?? [])
      // An empty text says no more than NULL.
      scores[key] = parts.count { part in
        part.indexes.contains { index in
          let value = rows[index + 2]
          return value.kind != .null && !(value.kind == .text && value.withBytes { $0.isEmpty })
        }
      }
    }
    return scores
  }

  /// How many links each object has. A link counts once for an object, whichever side stores it.
  private func linkCounts(_ keys: KeySet) throws -> [Int64: Int] {
    var counts: [Int64: Int] = [:]
    let table = request.entity.table
    func count(_ rows: String, column: String, given: String? = nil) throws {
      try bench.forEachRow(of: rows, columns: [column, given ?? column], where: column, isIn: keys) { row in
        if let key = row.key(0), row.key(1) != nil { counts[key, default: 0] += 1 }
      }
    }
    let places = LinkPlaces(bench)
    for place in places.keys {
      if place.table == table { try count(table, column: "Z_PK", given: place.column) }
      guard place.targetTable == table else { continue }
      guard bench.isOneToOne(place) else {
        try count(place.table, column: place.column)
        continue
      }
      // The key on the other side of a one-to-one is the same link, unless only that side has it.
      let inverse = bench.map.inverse(of: place.relationship)
      let back = places.keys.first { $0.relationship == inverse && !$0.isHidden }
      var own: Set<KeyPair> = []
      if let back {
        try bench.forEachRow(of: table, columns: ["Z_PK", back.column], where: "Z_PK", isIn: keys) { row in
          if let key = row.key(0), let partner = row.key(1) { own.insert(KeyPair(key, partner)) }
        }
      }
      try bench.forEachRow(of: place.table, columns: [place.column, "Z_PK"], where: place.column, isIn: keys) { row in
        guard let key = row.key(0), let partner = row.key(1), !own.contains(KeyPair(key, partner)) else { return }
        counts[key, default: 0] += 1
      }
    }
    for place in places.joins {
      if place.source.table == table { try count(place.table, column: place.source.column) }
      if place.destination.table == table, !place.isReflexive {
        try count(place.table, column: place.destination.column)
      }
    }
    return counts
  }
}

extension KeyValue {
  /// Numbers before text before blobs, in SQLite's sort order.
  fileprivate static func < (left: KeyValue, right: KeyValue) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.text(let left), .text(let right)), (.blob(let left), .blob(let right)): left.lexicographicallyPrecedes(right)
    case (.integer, _), (.real, _), (_, .integer), (_, .real), (.text, _), (.canonical, _), (.blob, _):
      left.rank == right.rank ? left.number < right.number : left.rank < right.rank
    }
  }

  fileprivate static func > (left: KeyValue, right: KeyValue) -> Bool { right < left }

  private var rank: Int {
    switch self {
    case .integer, .real: 0
    case .text, .canonical: 1
    case .blob: 2
    }
  }

  private var number: Double {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .text, .canonical, .blob: 0
    }
  }
}
