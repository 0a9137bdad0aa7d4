import SQLitePages

/// A value that names a row of one table, by hashes of its bytes: equal ones are the same value, short of a collision in more
/// than 64 bits.
private struct Name {
  var hash: UInt64
  var check: UInt32

  init(_ bytes: UnsafeRawBufferPointer, template: Int, column: Int) {
    var hash = ByteHash()
    hash.add(Int64(template))
    hash.add(Int64(column))
    hash.addWords(bytes)
    hash.add(Int64(bytes.count))
    self.hash = hash.value
    check = UInt32(truncatingIfNeeded: ByteHash.of(bytes))
  }
}

/// Which rows have a name: chains, since most names are those of one row.
private struct NamedRows {
  private struct Entry {
    var row: Int32
    var check: UInt32
    /// The next entry with the same name; -1 behind the last.
    var next: Int32 = -1
    /// For the first with a name the last one.
    var last: Int32
  }

  private var entries: [Entry] = []
  private var index = CandidateIndex()
  /// For the first entry with a name the key of the live row that has it, once one was seen.
  private var liveKeys: [Int64] = []
  private var liveRows: [LiveRows] = []

  /// How many live rows have a name.
  private enum LiveRows: UInt8 { case none, one, several }

  /// The most names that are kept.
  static let limit = 4_000_000
  /// Whether there were more.
  private(set) var isIncomplete: Bool

  init(isIncomplete: Bool) { self.isIncomplete = isIncomplete }

  /// The first entry with a name; nil where none has it.
  private func first(_ name: Name) -> Int? {
    var first: Int?
    index.forEach(name.hash) { entry in
      guard entries[entry].check == name.check else { return true }
      first = entry
      return false
    }
    return first
  }

  mutating func add(_ name: Name, row: Int32) {
    guard entries.count < Self.limit else { return isIncomplete = true }
    let new = entries.count
    let first = first(name)
    entries.append(Entry(row: row, check: name.check, last: Int32(clamping: new)))
    guard let first else { return index.insert(name.hash, number: new) }
    entries[Int(entries[first].last)].next = Int32(clamping: new)
    entries[first].last = Int32(clamping: new)
  }

  /// Takes note of a live row with a name.
  mutating func see(_ name: Name, key: Int64) {
    guard let first = first(name) else { return }
    if liveRows.isEmpty {
      liveKeys = Array(repeating: 0, count: entries.count)
      liveRows = Array(repeating: .none, count: entries.count)
    }
    if liveRows[first] == .none {
      (liveKeys[first], liveRows[first]) = (key, .one)
    } else if liveKeys[first] != key {
      liveRows[first] = .several
    }
  }

  /// The rows with one name, ascending, and the key of the live row that has it; where several live rows have a name, or none
  /// and only one row was found, it is left out. In the order of their last rows, so that two runs are equal.
  var shared: [(rows: [Int], live: Int64?)] {
    let seen = liveRows
    let firsts = entries.indices.filter { entry in
      let state = seen.isEmpty ? .none : seen[entry]
      return state == .one || state == .none && Int(entries[entry].last) > entry
    }
    return firsts.sorted { entries[$0].last < entries[$1].last }.map { first in
      var (rows, next) = ([Int](), Int32(clamping: first))
      while next >= 0 {
        rows.append(Int(entries[Int(next)].row))
        next = entries[Int(next)].next
      }
      return (rows, seen.isEmpty || seen[first] != .one ? nil : liveKeys[first])
    }
  }
}

/// Which object a row without a key is a version of: a UUID, or a value that a constraint makes unique, names it.
extension PageRecovery {
  /// Compares what was found without a key with live rows and with each other: drops copies that were left when a live row
  /// moved, gives rows the keys of others with the same value, and says which rows without a key are of one object.
  func findIdentities() throws {
    var keyless: Set<Int> = []
    let homes = templates.map { $0.root == nil ? nil : Optional($0.home) }
    for candidate in found where candidate.key == nil {
      if let home = homes[candidate.template] { keyless.insert(home) }
    }
    var names = try foundNames()
    let damaged = try damagedRows()
    for template in keyless.sorted() { try readLive(template, names: &names, damaged: damaged[template]) }
    let named = try namedRows(names)
    guard !named.isIncomplete else {
      notes.append(
        "more unique values were found than are compared; rows that have one may be of one object all the same")
      return
    }
    for (members, live) in named.shared {
      guard try isIdentifying(members) else { continue }
      var known = Set(members.compactMap { found[$0].ownKey })
      if let live { known.insert(live) }
      guard known.count <= 1 else { continue }
      for index in members where found[index].ownKey == nil {
        if let key = known.first {
          take(key: key, of: index, from: .value)
        } else {
          take(object: Int32(clamping: members[0]), of: index)
        }
      }
    }
  }

  /// The names of rows, of which most are those of one row: what is to know which are not.
  private struct FoundNames {
    /// Rows with a part of the hash of each name.
    var all: [(row: Int32, part: UInt32)] = []
    var once: HashBits
    /// What more than one row has, live ones among them.
    var again: HashBits
    /// The names of live rows that rows which were found may have.
    var live: [(name: Name, key: Int64)] = []
    /// Whether there were more names than are kept.
    var isIncomplete = false

    init(for count: Int) { (once, again) = (HashBits(for: count), HashBits(for: count)) }

    mutating func see(_ name: Name, key: Int64) {
      let part = HashBits.part(name.hash)
      guard once.contains(part) else { return }
      guard live.count < NamedRows.limit else { return isIncomplete = true }
      again.insert(part)
      live.append((name, key))
    }
  }

  /// For each template the columns of names, and the places that they have in today's table.
  private var namingColumns: [[(column: Int, place: Int)]] {
    templates.map { template in
      guard template.root != nil, let columns = template.coreData?.namingColumns else { return [] }
      let today = template.isFormer ? templates[template.home].columns.map(\.name) : nil
      return columns.compactMap { column in
        let place = today.map { $0.firstIndex(of: template.columns[column].name) } ?? column
        return place.map { (column, $0) }
      }
    }
  }

  private func foundNames() throws -> FoundNames {
    let columns = namingColumns
    let isNamed = columns.map { !$0.isEmpty }
    guard isNamed.contains(true) else { return FoundNames(for: 0) }
    let count = found.count { isNamed[$0.template] }
    var names = FoundNames(for: count)
    names.all.reserveCapacity(min(count, NamedRows.limit))
    for (index, candidate) in found.enumerated() where isNamed[candidate.template] && !candidate.isDropped {
      try forEachName(of: candidate, columns: columns[candidate.template]) { name in
        let part = HashBits.part(name.hash)
        guard names.all.count < NamedRows.limit else { return names.isIncomplete = true }
        names.all.append((Int32(clamping: index), part))
        if !names.once.insert(part) { names.again.insert(part) }
      }
    }
    return names
  }

  /// Which rows have each of the names that more than one row has.
  private func namedRows(_ names: FoundNames) throws -> NamedRows {
    var named = NamedRows(isIncomplete: names.isIncomplete)
    let columns = namingColumns
    var last: Int32 = -1
    for (row, part) in names.all where row != last && names.again.contains(part) {
      last = row
      let candidate = found[Int(row)]
      try forEachName(of: candidate, columns: columns[candidate.template]) { name in
        if names.again.contains(HashBits.part(name.hash)) { named.add(name, row: row) }
      }
    }
    for (name, key) in names.live { named.see(name, key: key) }
    return named
  }

  private func forEachName(
    of candidate: Candidate, columns: [(column: Int, place: Int)], _ body: (Name) -> Void
  ) throws {
    let home = facts(of: candidate).home
    _ = try read(candidate) { record, bytes in
      for (column, place) in columns
      where column < record.count && !candidate.isLost(column, field: record.fields[column]) {
        guard let value = record.bytes(column, in: bytes), !value.isEmpty else { continue }
        body(Name(value, template: home, column: place))
      }
      return true
    }
  }

  /// Whether rows with one value can be versions of one object: then no two of them have the same `Z_OPT`, unless one is a
  /// damaged copy of the other.
  private func isIdentifying(_ members: [Int]) throws -> Bool {
    var versions: [Int64: Int] = [:]
    for index in members where found[index].ownKey == nil {
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
    guard let column = templates[found[one].template].coreData?.entityColumn else { return false }
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
    (0..<record.count).dropFirst().map { isLost($0) ? nil : print(record.fields[$0], in: bytes) }
  }

  private static func print(_ field: Record.Field, in bytes: UnsafeRawBufferPointer) -> UInt64? {
    guard let size = field.type.size, field.offset >= 0, field.offset <= bytes.count - size else { return nil }
    var hash = ByteHash()
    hash.add(field.type.code)
    hash.addWords(UnsafeRawBufferPointer(rebasing: bytes[field.offset..<field.offset + size]))
    return hash.value
  }

  private static func areAlike(_ one: [UInt64?], _ other: [UInt64?]) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
  }

  /// Damaged rows without a key, to be told from damaged copies of live rows: each by its longest value that is left.
  private struct DamagedRows {
    /// The columns of those values.
    private(set) var columns: Set<Int> = []
    private var byValue = CandidateIndex()
    /// Whether one value has more rows than are compared.
    private(set) var isIncomplete = false

    /// The most rows with one value.
    private static let limit = 100

    mutating func add(_ index: Int, longest column: Int, print: UInt64) {
      var count = 0
      forEach(column: column, print: print) { _ in count += 1 }
      guard count < Self.limit else { return isIncomplete = true }
      columns.insert(column)
      byValue.insert(Self.hash(column: column, print: print), number: index)
    }

    func forEach(column: Int, print: UInt64, _ body: (Int) -> Void) {
      byValue.forEach(Self.hash(column: column, print: print)) { index in
        body(index)
        return true
      }
    }

    private static func hash(column: Int, print: UInt64) -> UInt64 {
      var hash = ByteHash()
      hash.add(Int64(column))
      hash.add(Int64(bitPattern: print))
      return hash.value
    }
  }

  /// The hashes of what is left of a row without a key that is damaged, or has a number of before: either may be that of a live
  /// row. Nil for others.
  ///
  /// - Returns: also the column of the longest value, and its hash.
  private func damagedPrints(
    of candidate: Candidate
  ) throws -> (prints: [UInt64?], column: Int, print: UInt64)? {
    guard candidate.key == nil else { return nil }
    let rule = templates[candidate.template].coreData
    guard candidate.isDamaged || rule?.successors.isEmpty == false else { return nil }
    return try read(candidate) { record, bytes in
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
  }

  /// Such rows of each template.
  private func damagedRows() throws -> [Int: DamagedRows] {
    var all: [Int: DamagedRows] = [:]
    for (index, candidate) in found.enumerated() where !candidate.isDropped {
      guard let (_, column, print) = try damagedPrints(of: candidate) else { continue }
      all[candidate.template, default: DamagedRows()].add(index, longest: column, print: print)
    }
    if all.values.contains(where: \.isIncomplete) {
      notes.append("more than 100 damaged rows have one value; whether the others are copies of live rows is not known")
    }
    return all
  }

  /// Drops damaged rows of which nothing that is left differs from a live row.
  private func dropDamagedCopies(of record: Record, in payload: UnsafeRawBufferPointer, among damaged: DamagedRows)
    throws
  {
    for column in damaged.columns where column + 1 < record.count {
      guard let print = Self.print(record.fields[column + 1], in: payload) else { continue }
      var alike: [Int] = []
      damaged.forEach(column: column, print: print) { alike.append($0) }
      guard !alike.isEmpty else { continue }
      let prints = Self.prints(record, in: payload)
      for index in alike where !found[index].isDropped {
        if let left = try damagedPrints(of: found[index])?.prints, Self.areAlike(left, prints) { drop(index) }
      }
    }
  }

  private func readLive(_ template: Int, names: inout FoundNames, damaged: DamagedRows?) throws {
    guard let root = templates[template].root else { return }
    let columns = names.all.isEmpty ? [] : templates[template].coreData?.namingColumns ?? []
    var walk = BTreeWalk(view, root: root)
    var record = Record()
    try walk.run { row in
      guard record.read(row.payload) else { return true }
      for column in columns {
        guard let bytes = record.bytes(column, in: row.payload), let key = row.cell.rowID else { continue }
        names.see(Name(bytes, template: template, column: column), key: key)
      }
      if let damaged { try dropDamagedCopies(of: record, in: row.payload, among: damaged) }
      dropCopies(of: record, in: row, template: template)
      return true
    }
  }

  /// `Z_OPT` of a row, which counts its saves.
  func version(of candidate: Candidate) throws -> Int64? {
    guard let column = templates[candidate.template].coreData?.versionColumn else { return nil }
    return try integer(column, of: candidate)
  }
}
