import StoreScanning
import StoreCoreData
import StoreSQLite

/// Finds groups of duplicates: candidates by hash in one read of the table, then confirmed by value.
///
/// A row takes 16 bytes, and so does a candidate for a group. Beyond `mostRows`, only a part of the hashes is kept at a time, and the table is read once for
/// each part. Where objects are compared by a to-one within their own table, the search is repeated until merging finds
/// no more.
struct TwinSearch {
  private let request: DedupeRequest
  private let bench: Workbench
  private let table: String
  private let columns: [String]
  /// Indexes of compared columns whose keys lead into the same table: the objects they lead to may be merged as well.
  private let ownKeys: Set<Int>
  private let kinds: Set<EntityID>
  private let mostRows: Int
  /// The object that each object is merged into, as far as known.
  private var representative: [Int64: Int64] = [:]
  /// Objects that are left out.
  private var spared: Set<Int64> = []

  private struct HashedRow {
    var hash: UInt64
    var key: Int64
  }

  /// Prepares a search.
  init(_ request: DedupeRequest, _ bench: Workbench, mostRows: Int = DuplicateKeys.mostRows) throws {
    self.request = request
    self.bench = bench
    self.mostRows = max(mostRows, 2)
    table = request.entity.table
    let parts = try request.columns()
    columns = parts.map(\.column)
    kinds = bench.map.kinds(of: request.entity.id)
    ownKeys = Set(
      parts.indices.filter { index in
        let name = parts[index].name
        guard request.others == .merge, let layout = request.entity.relationships.first(where: { $0.name == name })
        else { return false }
        return layout.destination.flatMap(bench.map.entity(named:))?.table == request.entity.table
      })
  }

  /// The keys of each group of duplicates, ascending; groups in order of their first key.
  ///
  /// - Parameter spared: objects that are in no group.
  func groups(leaving spared: Set<Int64> = []) throws -> [[Int64]] {
    var search = self
    search.spared = spared
    var groups = try search.search()
    while !ownKeys.isEmpty {
      let merged = groups.reduce(0) { $0 + $1.count - 1 }
      search.representative = [:]
      for group in groups { for key in group { search.representative[key] = group[0] } }
      groups = try search.search()
      if groups.reduce(0, { $0 + $1.count - 1 }) == merged { break }
    }
    return groups
  }

  private func search() throws -> [[Int64]] {
    var groups: [[Int64]] = []
    var parts: UInt64 = 1
    var part: UInt64 = 0
    while part < parts {
      var rows: [HashedRow] = []
      try forEachRow { key, hash in
        guard hash & (parts - 1) == part else { return }
        rows.append(HashedRow(hash: hash, key: key))
        while rows.count > mostRows, parts < 1 << 32, part == 0 {
          parts *= 2
          rows.removeAll { $0.hash & (parts - 1) != 0 }
        }
      }
      try confirm(&rows, groups: &groups)
      part += 1
    }
    return groups.sorted { $0[0] < $1[0] }
  }

  /// Calls `body` with the key of every row that may have duplicates, and a hash of its values.
  private func forEachRow(_ body: (Int64, UInt64) -> Void) throws {
    let rows = try bench.connection.prepare("SELECT Z_PK, Z_ENT, \(list) FROM \(quotedIdentifier(table)) NOT INDEXED")
    while try rows.step() {
      guard kinds.contains(EntityID(rows.int64(1))), !spared.contains(rows.int64(0)), let hash = hash(rows) else {
        continue
      }
      body(rows.int64(0), hash)
    }
  }

  private var list: String { columns.map(quotedIdentifier).joined(separator: ", ") }

  /// Nil for a row that has no duplicates, since NULL equals nothing.
  private func hash(_ values: Statement) -> UInt64? {
    var hasher = Hasher()
    for index in columns.indices {
      let value = values[index + 2]
      let kind = value.kind
      if case .null = kind, !request.nullsAreEqual { return nil }
      if ownKeys.contains(index), kind == .integer {
        hasher.combine(representative[value.int64] ?? value.int64)
      } else {
        hasher.combineLoosely(ScannedValue(value))
      }
    }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  private func confirm(_ rows: inout [HashedRow], groups: inout [[Int64]]) throws {
    rows.sort { ($0.hash, $0.key) < ($1.hash, $1.key) }
    // In the order of their first rows, which are then read one after the other.
    var candidates: [Range<Int>] = []
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count, rows[end].hash == rows[start].hash { end += 1 }
      if end - start > 1 { candidates.append(start..<end) }
      start = end
    }
    candidates.sort { rows[$0.lowerBound].key < rows[$1.lowerBound].key }
    let lookUp = try bench.connection.prepare("SELECT \(list) FROM \(quotedIdentifier(table)) WHERE Z_PK = ?1")
    for range in candidates {
      var equals: [[KeyValue?]: [Int64]] = [:]
      for row in rows[range] {
        lookUp.reset()
        try lookUp.bind(row.key, at: 1)
        if try lookUp.step() { equals[values(lookUp), default: []].append(row.key) }
      }
      groups += equals.values.filter { $0.count > 1 }
    }
  }

  private func values(_ row: Statement) -> [KeyValue?] {
    columns.indices.map { index in
      guard let value = KeyValue(row, index) else { return nil }
      if ownKeys.contains(index), case .integer(let key) = value { return .integer(representative[key] ?? key) }
      return value.seen(by: request.comparison)
    }
  }
}
