import SQLitePages

/// Which object a row without a key is a version of: a UUID, or a value that a constraint makes unique, names it.
struct Identities {
  /// Rows that a live row equals: copies that were left when it moved.
  var copies: Set<Int> = []
  /// The keys of rows that lost theirs.
  var keys: [Int: Int64] = [:]
  /// For rows whose key stays unknown the first row with the same value.
  var firstOf: [Int: Int] = [:]
}

/// A value that names a row of one table, by two hashes of its bytes: equal ones are the same value, short of a collision in
/// 128 bits.
private struct Name: Hashable {
  var template: Int
  var column: Int
  var first: UInt64
  var second: UInt64

  init(_ bytes: UnsafeRawBufferPointer, template: Int, column: Int) {
    self.template = template
    self.column = column
    first = ByteHash.of(bytes)
    var hash = ByteHash()
    hash.add(Int64(bytes.count))
    hash.addWords(bytes)
    second = hash.value
  }
}

extension PageRecovery {
  /// Compares what was found without a key with live rows and with each other.
  func identities() throws -> Identities {
    var identities = Identities()
    var hashes: [Int: [UInt64: [Int]]] = [:]
    var named: [Name: [Int]] = [:]
    var record = SQLitePages.Record()
    for (index, candidate) in found.enumerated() where templates[candidate.template].root != nil {
      let template = candidate.template
      if candidate.key == nil { hashes[template, default: [:]][candidate.localHash, default: []].append(index) }
      for name in names(of: candidate, &record) { named[name, default: []].append(index) }
    }
    named = named.filter { _, members in members.contains { found[$0].key == nil } }
    var live: [Name: Set<Int64>] = [:]
    for template in hashes.keys.sorted() {
      try readLive(template, hashes[template] ?? [:], named, &live, &identities.copies)
    }
    for (name, members) in named where isIdentifying(members) {
      let keys = (live[name] ?? []).union(members.compactMap { found[$0].key })
      guard keys.count <= 1 else { continue }
      for index in members where found[index].key == nil {
        if let key = keys.first { identities.keys[index] = key } else { identities.firstOf[index] = members.first }
      }
    }
    return identities
  }

  private func names(of candidate: Candidate, _ record: inout SQLitePages.Record) -> [Name] {
    guard let columns = templates[candidate.template].coreData?.namingColumns, !columns.isEmpty else { return [] }
    return records.withBytes(of: candidate.record) { bytes in
      guard record.read(bytes) else { return [] }
      return columns.compactMap { column in
        guard column > 0 || !candidate.isFirstValueUnknown, let value = record.bytes(column, in: bytes), !value.isEmpty
        else { return nil }
        return Name(value, template: candidate.template, column: column)
      }
    }
  }

  /// Whether rows with one value can be versions of one object: then no two of them have the same `Z_OPT`, unless one is a
  /// damaged copy of the other.
  private func isIdentifying(_ members: [Int]) -> Bool {
    var versions: Set<Int64> = []
    for index in members where found[index].key == nil {
      guard let version = version(of: found[index]), versions.insert(version).inserted else { return false }
    }
    return true
  }

  private func readLive(
    _ template: Int, _ hashes: [UInt64: [Int]], _ named: [Name: [Int]], _ live: inout [Name: Set<Int64>],
    _ copies: inout Set<Int>
  ) throws {
    guard let root = templates[template].root else { return }
    let columns = templates[template].coreData?.namingColumns ?? []
    var walk = BTreeWalk(view, root: root)
    var record = SQLitePages.Record()
    try walk.run { row in
      guard record.read(row.payload) else { return true }
      for column in columns {
        guard !named.isEmpty, let bytes = record.bytes(column, in: row.payload), let key = row.cell.rowID else {
          continue
        }
        let name = Name(bytes, template: template, column: column)
        if named[name] != nil { live[name, default: []].insert(key) }
      }
      let hash = ByteHash.body(record, row.payload, at: 0, upTo: row.cell.localSize)
      guard let same = hashes[hash] else { return true }
      let whole = ByteHash.body(record, row.payload, at: 0, upTo: row.payload.count)
      for index in same where found[index].wholeHash.map({ $0 == whole }) ?? true { copies.insert(index) }
      return true
    }
  }

  /// `Z_OPT` of a row, which counts its saves.
  func version(of candidate: Candidate) -> Int64? {
    guard let column = templates[candidate.template].coreData?.versionColumn,
      column > 0 || !candidate.isFirstValueUnknown
    else { return nil }
    return records.integer(column, of: candidate.record)
  }
}
