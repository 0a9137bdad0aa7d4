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

  mutating func add(_ name: Name, row: Int) {
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
      if candidate.key == nil { keyless.insert(templates[Int(candidate.template)].home) }
      for name in try names(of: candidate) { named.add(name, row: index) }
    }
    var live: [Name: LiveKeys] = [:]
    let damaged = try damagedRows()
    for template in keyless.sorted() {
      try readLive(template, named: named, damaged: damaged[template], live: &live, copies: &identities.copies)
    }
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
    let template = templates[Int(candidate.template)]
    guard let columns = template.coreData?.namingColumns, !columns.isEmpty else { return [] }
    let today = template.isFormer ? templates[template.home].columns.map(\.name) : nil
    return try read(candidate) { record, bytes in
      columns.compactMap { column in
        guard column < record.count, !candidate.isLost(column, field: record.fields[column]),
          let value = record.bytes(column, in: bytes), !value.isEmpty,
          let place = today.map({ $0.firstIndex(of: template.columns[column].name) }) ?? column
        else { return nil }
        return Name(value, template: template.home, column: place)
      }
    } ?? []
  }

  /// Whether rows with one value can be versions of one object: then no two of them have the same `Z_OPT`, unless one is a
  /// damaged copy of the other.
  private func isIdentifying(_ members: [Int]) throws -> Bool {
    var versions: [Int64: Int] = [:]
    for index in members where found[index].key == nil {
      guard let version = try version(of: found[index]) else { return false }
      if let other = versions[version] {
        guard try areCopies(index, other) || areOfTwoVersions(index, other) else { return false }
        if found[other].isDamaged { versions[version] = index }
      } else {
        versions[version] = index
      }
    }
    return true
  }

  /// Whether one of two rows is damaged and nothing that is left of both differs.
  private func areCopies(_ one: Int, _ other: Int) throws -> Bool {
    guard found[one].isDamaged || found[other].isDamaged, let one = try prints(of: one),
      let other = try prints(of: other)
    else { return false }
    return Self.areAlike(one, other)
  }

  /// Whether one of two rows is what the other was before a migration, which changes no `Z_OPT`: they have other numbers of
  /// the entity, or other columns.
  private func areOfTwoVersions(_ one: Int, _ other: Int) throws -> Bool {
    if found[one].template != found[other].template { return true }
    guard let column = templates[Int(found[one].template)].coreData?.entityColumn else { return false }
    let numbers = try (integer(column, of: found[one]), integer(column, of: found[other]))
    return numbers.0 != nil && numbers.1 != nil && numbers.0 != numbers.1
  }

  /// The hashes of a row's values; nil where its bytes are no longer there.
  private func prints(of index: Int) throws -> [UInt64?]? {
    let candidate = found[index]
    return try read(candidate) { record, bytes in
      Self.prints(record, in: bytes) { candidate.isLost($0, field: record.fields[$0]) }
    }
  }

  /// A hash of each value of a row but the first, which is the key; nil for those that are lost.
  private static func prints(
    _ record: Record, in bytes: UnsafeRawBufferPointer, isLost: (Int) -> Bool = { _ in false }
  ) -> [UInt64?] {
    (0..<record.count).dropFirst().map { column in
      let field = record.fields[column]
      guard !isLost(column), let size = field.type.size, field.offset >= 0, field.offset <= bytes.count - size
      else { return nil }
      var hash = ByteHash()
      hash.add(field.type.code)
      hash.addWords(UnsafeRawBufferPointer(rebasing: bytes[field.offset..<field.offset + size]))
      return hash.value
    }
  }

  private static func areAlike(_ one: [UInt64?], _ other: [UInt64?]) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
  }

  /// Damaged rows without a key, to be told from damaged copies of live rows: each by its longest value that is left.
  private struct DamagedRows {
    var rows: [(index: Int, prints: [UInt64?])] = []
    /// For each column and hash which of the rows.
    var byValue: [Int: [UInt64: [Int]]] = [:]
    /// Whether one value has more rows than are compared.
    var isIncomplete = false

    /// The most rows with one value.
    private static let limit = 100

    mutating func add(_ index: Int, prints: [UInt64?], longest column: Int, print: UInt64) {
      guard byValue[column]?[print]?.count ?? 0 < Self.limit else { return isIncomplete = true }
      byValue[column, default: [:]][print, default: []].append(rows.count)
      rows.append((index, prints))
    }

    func forEachCopy(of prints: [UInt64?], _ body: (Int) -> Void) {
      for (column, rowsOf) in byValue where column < prints.count {
        guard let print = prints[column] else { continue }
        for row in rowsOf[print] ?? [] where PageRecovery.areAlike(rows[row].prints, prints) { body(rows[row].index) }
      }
    }
  }

  /// The damaged rows without a key of each template, and those that have a number of before: what is left of either may be
  /// that of a live row.
  private func damagedRows() throws -> [Int: DamagedRows] {
    var all: [Int: DamagedRows] = [:]
    for (index, candidate) in found.enumerated() where candidate.key == nil {
      let rule = templates[Int(candidate.template)].coreData
      guard candidate.isDamaged || rule?.successors.isEmpty == false else { continue }
      let row = try read(candidate) { record, bytes -> (prints: [UInt64?], column: Int, print: UInt64)? in
        // A migration gives the entity another number, and changes no `Z_OPT`.
        let isOfBefore =
          rule.flatMap { rule in
            record.integer(rule.entityColumn, in: bytes).map { rule.successors[$0] != nil }
          } ?? false
        guard candidate.isDamaged || isOfBefore else { return nil }
        let prints = Self.prints(record, in: bytes) {
          isOfBefore && $0 == rule?.entityColumn || candidate.isLost($0, field: record.fields[$0])
        }
        let longest = prints.indices.filter { prints[$0] != nil }.max {
          record.fields[$0 + 1].type.size ?? 0 < record.fields[$1 + 1].type.size ?? 0
        }
        return longest.flatMap { column in prints[column].map { (prints, column, $0) } }
      }
      guard let (prints, column, print) = row else { continue }
      all[Int(candidate.template), default: DamagedRows()].add(index, prints: prints, longest: column, print: print)
    }
    if all.values.contains(where: \.isIncomplete) {
      notes.append("more than 100 damaged rows have one value; whether the others are copies of live rows is not known")
    }
    return all
  }

  private func readLive(
    _ template: Int, named: NamedRows, damaged: DamagedRows?,
    live: inout [Name: LiveKeys], copies: inout Set<Int>
  ) throws {
    guard let root = templates[template].root else { return }
    let columns = named.last.isEmpty ? [] : templates[template].coreData?.namingColumns ?? []
    var walk = BTreeWalk(view, root: root)
    var record = Record()
    try walk.run { row in
      guard record.read(row.payload) else { return true }
      for column in columns {
        guard let bytes = record.bytes(column, in: row.payload), let key = row.cell.rowID else { continue }
        let name = Name(bytes, template: template, column: column)
        guard named.last[name] != nil else { continue }
        if case .one(let other) = live[name], other != key { live[name] = .several }
        if live[name] == nil { live[name] = .one(key) }
      }
      damaged?.forEachCopy(of: Self.prints(record, in: row.payload)) { copies.insert($0) }
      var next = Int(known[ByteHash.body(record, in: row.payload, at: 0, upTo: row.cell.localSize)] ?? -1)
      guard next >= 0 else { return true }
      let whole = ByteHash.body(record, in: row.payload, at: 0, upTo: row.payload.count)
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
