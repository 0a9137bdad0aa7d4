import SQLitePages

/// Which object a row without a key is a version of: a UUID, or a value that a constraint makes unique, names it.
struct Identities {
  /// Rows that a live row equals: copies that were left when it moved.
  var copies: Set<Int> = []
  /// The keys of rows that lost theirs.
  var keys: [Int: Int64] = [:]
  /// For rows whose key stays unknown, and which are not the only ones with their value, the first with it.
  var firstOf: [Int: Int32] = [:]
}

/// A value that names a row of one table, by two hashes of its bytes: equal ones are the same value, short of a collision in
/// 128 bits.
private struct Name: Hashable {
  var template: Int32
  var column: Int32
  var first: UInt64
  var second: UInt64

  init(_ bytes: UnsafeRawBufferPointer, template: Int, column: Int) {
    self.template = Int32(clamping: template)
    self.column = Int32(clamping: column)
    first = ByteHash.of(bytes)
    var hash = ByteHash()
    hash.add(Int64(bytes.count))
    hash.addWords(bytes)
    second = hash.value
  }
}

/// Which rows have a name: chains of numbers, since most names are those of one row.
private struct NamedRows {
  /// For each name the last entry.
  private(set) var last: [Name: Int32] = [:]
  private var entries: [(row: Int32, before: Int32)] = []

  mutating func add(_ name: Name, _ row: Int) {
    entries.append((Int32(clamping: row), last[name] ?? -1))
    last[name] = Int32(clamping: entries.count - 1)
  }

  /// The rows of a chain, ascending.
  func rows(_ entry: Int32) -> [Int] {
    var (rows, next) = ([Int](), Int(entry))
    while next >= 0 {
      rows.append(Int(entries[next].row))
      next = Int(entries[next].before)
    }
    return rows.reversed()
  }

  /// Whether a chain has more than one row.
  func isShared(_ entry: Int32) -> Bool { entries[Int(entry)].before >= 0 }
}

/// The keys of live rows with one name.
private enum LiveKeys {
  case one(Int64)
  case several
}

extension PageRecovery {
  /// Compares what was found without a key with live rows and with each other.
  func identities() throws -> Identities {
    var identities = Identities()
    var named = NamedRows()
    var keyless: Set<Int> = []
    for (index, candidate) in found.enumerated() where templates[Int(candidate.template)].root != nil {
      if candidate.key == nil { keyless.insert(Int(candidate.template)) }
      for name in try names(of: candidate) { named.add(name, index) }
    }
    var live: [Name: LiveKeys] = [:]
    for template in keyless.sorted() { try readLive(template, named, &live, &identities.copies) }
    // In the order of rows, so that two runs are equal.
    let shared = named.last.filter { live[$0.key] != nil || named.isShared($0.value) }.sorted { $0.value < $1.value }
    for (name, entry) in shared {
      let members = named.rows(entry)
      guard try isIdentifying(members) else { continue }
      var keys = Set(members.compactMap { found[$0].key })
      switch live[name] {
      case .several: continue
      case .one(let key): keys.insert(key)
      case nil: break
      }
      guard keys.count <= 1 else { continue }
      for index in members where found[index].key == nil {
        if let key = keys.first {
          identities.keys[index] = key
        } else {
          identities.firstOf[index] = Int32(clamping: members[0])
        }
      }
    }
    return identities
  }

  private func names(of candidate: Candidate) throws -> [Name] {
    guard let columns = templates[Int(candidate.template)].coreData?.namingColumns, !columns.isEmpty else { return [] }
    return try read(candidate) { record, bytes in
      columns.compactMap { column in
        guard column < record.count, !candidate.isLost(column, record.fields[column]),
          let value = record.bytes(column, in: bytes), !value.isEmpty
        else { return nil }
        return Name(value, template: Int(candidate.template), column: column)
      }
    } ?? []
  }

  /// Whether rows with one value can be versions of one object: then no two of them have the same `Z_OPT`, unless one is a
  /// damaged copy of the other.
  private func isIdentifying(_ members: [Int]) throws -> Bool {
    var versions: Set<Int64> = []
    for index in members where found[index].key == nil {
      guard let version = try version(of: found[index]), versions.insert(version).inserted else { return false }
    }
    return true
  }

  private func readLive(
    _ template: Int, _ named: NamedRows, _ live: inout [Name: LiveKeys], _ copies: inout Set<Int>
  ) throws {
    guard let root = templates[template].root else { return }
    let columns = named.last.isEmpty ? [] : templates[template].coreData?.namingColumns ?? []
    var walk = BTreeWalk(view, root: root)
    var record = SQLitePages.Record()
    try walk.run { row in
      guard record.read(row.payload) else { return true }
      for column in columns {
        guard let bytes = record.bytes(column, in: row.payload), let key = row.cell.rowID else { continue }
        let name = Name(bytes, template: template, column: column)
        guard named.last[name] != nil else { continue }
        if case .one(let other) = live[name], other != key { live[name] = .several }
        if live[name] == nil { live[name] = .one(key) }
      }
      var next = Int(known[ByteHash.body(record, row.payload, at: 0, upTo: row.cell.localSize)] ?? -1)
      guard next >= 0 else { return true }
      let whole = ByteHash.body(record, row.payload, at: 0, upTo: row.payload.count)
      while next >= 0 {
        let candidate = found[next]
        if candidate.template == template, candidate.key == nil, wholeHash(of: next).map({ $0 == whole }) ?? true {
          copies.insert(next)
        }
        next = Int(candidate.before)
      }
      return true
    }
  }

  /// `Z_OPT` of a row, which counts its saves.
  func version(of candidate: Candidate) throws -> Int64? {
    guard let column = templates[Int(candidate.template)].coreData?.versionColumn else { return nil }
    return try integer(column, of: candidate)
  }
}
