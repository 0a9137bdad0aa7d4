import SQLitePages

/// Which rows have a name: chains, since most names are those of one row.
struct NamedRows {
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

  var namingColumns: [NamingColumns] { templates.map { NamingColumns($0, among: templates) } }

  private func foundNames() throws -> FoundNames {
    let columns = namingColumns
    let isNamed = columns.map { !$0.columns.isEmpty }
    guard isNamed.contains(true) else { return FoundNames(for: 0) }
    let rows = foundSoFar
    var names = FoundNames(for: found.count { isNamed[$0.template] })
    try inShares(found.count) { share -> [(row: Int32, part: UInt32)] in
      var reading = NameReading(rows, columns)
      var parts: [(row: Int32, part: UInt32)] = []
      for row in share where isNamed[rows.found[row].template] && !rows.found[row].isDropped {
        try reading.forEachName(of: row) { parts.append((Int32(clamping: row), $0.part)) }
      }
      return parts
    } take: { parts in
      for (row, part) in parts { names.add(part, of: row) }
    }
    return names
  }

  /// Which rows have each of the names that more than one row has.
  private func namedRows(_ names: FoundNames) throws -> NamedRows {
    var named = NamedRows(isIncomplete: names.isIncomplete)
    var reading = NameReading(foundSoFar, namingColumns)
    var last: Int32 = -1
    for (row, part) in names.all where row != last && names.again.contains(part) {
      last = row
      try reading.forEachName(of: Int(row)) { name in
        if names.again.contains(name.part) { named.add(name, row: row) }
      }
    }
    for (name, key) in names.live { named.see(name, key: key) }
    return named
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
    return ValuePrints.areAlike(one, other)
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
      ValuePrints.all(record, in: bytes) { candidate.isLost($0, field: record.fields[$0]) }
    }
  }

  /// Damaged rows of each template.
  private func damagedRows() throws -> [Int: DamagedRows] {
    var all: [Int: DamagedRows] = [:]
    let rows = foundSoFar
    var reader = RecordReader(files, ahead: 1 << 17)
    let mayBeOfBefore = templates.map(DamagedPrints.mayBeOfBefore)
    for (index, candidate) in found.enumerated()
    where !candidate.isDropped && (candidate.isDamaged || mayBeOfBefore[candidate.template]) {
      guard let prints = try DamagedPrints(candidate, rows, &reader) else { continue }
      all[candidate.template, default: DamagedRows()].add(index, longest: prints.longest, print: prints.print)
    }
    if all.values.contains(where: \.isIncomplete) {
      notes.append("more than 100 damaged rows have one value; whether the others are copies of live rows is not known")
    }
    return all
  }

  /// What the live rows of a template's table say; nothing of one without a tree.
  private func liveNames(_ template: Int, _ names: FoundNames, _ damaged: DamagedRows?) throws -> [LiveNames] {
    guard let root = templates[template].root else { return [] }
    let wanted = LiveNames.Wanted(
      rows: foundSoFar, known: known, template: template,
      columns: names.all.isEmpty ? [] : templates[template].coreData?.namingColumns ?? [], names: names.once,
      damaged: damaged)
    return try TreeReading(view, root: root) { try LiveNames(&$0, wanted) }.parts
  }

  /// Drops copies of live rows, and takes note of the names of those.
  private func readLive(_ template: Int, names: inout FoundNames, damaged: DamagedRows?) throws {
    for live in try liveNames(template, names, damaged) {
      for (name, key) in live.names { names.see(name, key: key) }
      for copy in live.copies { drop(Int(copy)) }
    }
  }

  /// `Z_OPT` of a row, which counts its saves.
  func version(of candidate: Candidate) throws -> Int64? {
    guard let column = templates[candidate.template].coreData?.versionColumn else { return nil }
    return try integer(column, of: candidate)
  }
}
