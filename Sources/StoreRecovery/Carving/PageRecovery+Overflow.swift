import SQLitePages
import StoreWords

/// Rows whose overflow pages were written again since.
///
/// SQLite chooses how much of a row lies on its own page so that its last overflow page is full, mostly: those of two rows are
/// then alike in all but what they say, and a row that was freed leads to the bytes of a later one.
///
///     row of the deleted Note    "Groceries", "milk, bre ..."  -> page 23
///     page 23                    "... to the theatre on Monday", UUID of another object
extension PageRecovery {
  /// Takes their overflow pages from rows that cannot have them: what stands there names another object that is there, or
  /// another row has the same pages.
  func loseRewrittenOverflow() throws {
    let claims = overflowClaims
    guard !claims.isEmpty else { return }
    let (own, others, uncompared) = try namedByOverflow()
    var lost = others
    var start = 0
    while start < claims.count {
      let end = claims[start...].firstIndex { $0.page != claims[start].page } ?? claims.count
      let rows = claims[start..<end].map { Int($0.row) }.filter { !others.contains($0) }
      start = end
      guard rows.count > 1 else { continue }
      // What a commit of the log has in a tree has its overflow pages.
      let owner = rows.first { own.contains($0) || found[$0].isInCell && extra(of: found[$0])?.commit ?? -1 >= 0 }
      if let owner {
        let object = try ObjectParts(owner, self)
        for row in rows where try !object.mayBe(ObjectParts(row, self)) { lost.insert(row) }
      } else {
        var object = try ObjectParts(rows[0], self)
        if try !rows.dropFirst().allSatisfy({ try object.take(ObjectParts($0, self)) }) { lost.formUnion(rows) }
      }
    }
    if !lost.isEmpty {
      for row in lost { loseOverflow(of: row) }
      notes.append(
        "the overflow pages of \(counted(lost.count, "row")) have what other rows wrote since: the values there are missing"
      )
    }
    let open = uncompared.subtracting(own).subtracting(lost).count
    if open > 0 {
      notes.append(
        "the overflow pages of \(counted(open, "row")) were not compared with all live rows of the same UUID, which are too "
          + "many or too long: the values there may be what other rows wrote since")
    }
    try dropContents(of: claims.filter { !lost.contains(Int($0.row)) })
  }

  /// Drops what looks like rows, and is a part of one value of another row: a photo may be a database of its own.
  private func dropContents(of claims: [OverflowClaim]) throws {
    guard !claims.isEmpty else { return }
    var contents = OverflowContents(claims, self)
    var parts: [Int] = []
    for (index, candidate) in found.enumerated() where !candidate.isDropped && contents.mayHave(candidate.place) {
      let extra = extra(of: candidate)
      let copies = extra?.otherPlaces.filter { $0.how != .overflow } ?? []
      guard extra?.furtherCopies ?? 0 == 0,
        try ([candidate.place] + copies).allSatisfy({ try contents.has($0, besides: index) })
      else { continue }
      parts.append(index)
    }
    guard !parts.isEmpty else { return }
    for index in parts { drop(index) }
    let count = parts.count
    notes.append(
      "\(counted(count, "row")) on overflow pages of other rows \(count == 1 ? "is a part" : "are parts") of a value there, "
        + "and left out")
  }

  /// The versions of overflow pages that rows have, by version.
  private var overflowClaims: [OverflowClaim] {
    var claims: [OverflowClaim] = []
    for (index, candidate) in found.enumerated()
    where candidate.hasOverflow && candidate.isWhole && !candidate.isDropped {
      for place in extra(of: candidate)?.otherPlaces ?? [] {
        guard place.how == .overflow else { break }
        claims.append((OverflowContents.page(of: place), Int32(clamping: index)))
      }
    }
    claims.sort { ($0.page, $0.row) < ($1.page, $1.row) }
    return claims
  }

  /// The rows whose overflow pages have the UUID of a live row: of which it may be their own object, which have in them what
  /// another one says, and which were not compared with all such live rows.
  private func namedByOverflow() throws -> (own: Set<Int>, others: Set<Int>, uncompared: Set<Int>) {
    let named = try OverflowNames(foundSoFar, namingColumns)
    guard !named.isEmpty else { return ([], [], []) }
    var (own, others, partly): (Set<Int>, Set<Int>, Set<Int>) = ([], [], [])
    var uncompared: [UInt64: Int] = [:]
    for (index, template) in templates.enumerated() where !template.isFormer {
      guard let root = template.root, let rule = template.coreData, !rule.namingColumns.isEmpty else { continue }
      let live = try TreeReading(view, root: root, isTable: true) { try named.live(&$0, rule, home: index) }
      for match in live.parts.lazy.flatMap(\.matches) {
        let isOwn = try ObjectParts(match.row, self).mayBe(match.object)
        if isOwn { own.insert(match.row) } else if match.isSaid { others.insert(match.row) }
      }
      for part in live.parts {
        uncompared.merge(part.uncompared, uniquingKeysWith: min)
        partly.formUnion(part.partly)
      }
    }
    return (own, others.subtracting(own), named.rows(from: uncompared).union(partly))
  }
}

/// What is known of the object that a row is a version of.
private struct ObjectParts: Sendable {
  /// The template of its table.
  var home: Int
  /// Its key; nil where that is lost.
  var key: Int64?
  /// The number that its entity has today; nil where that is lost.
  var entity: Int64?

  init(home: Int, key: Int64?, entity: Int64?) { (self.home, self.key, self.entity) = (home, key, entity) }

  init(_ row: Int, _ search: PageRecovery) throws {
    let candidate = search.found[row]
    home = search.facts(of: candidate).home
    key = candidate.key
    entity = try search.entity(of: candidate).map {
      search.templates[candidate.template].coreData?.successors[$0] ?? $0
    }
  }

  /// Whether nothing that is known of both differs; of one key the entity may have been read by another version.
  func mayBe(_ other: Self) -> Bool {
    guard home == other.home else { return false }
    if let key, let its = other.key { return key == its }
    return entity == nil || other.entity == nil || entity == other.entity
  }

  /// Takes what is known of another row of the same object; false where it cannot be of it.
  mutating func take(_ other: Self) -> Bool {
    guard mayBe(other) else { return false }
    (key, entity) = (key ?? other.key, entity ?? other.entity)
    return true
  }
}

/// UUIDs that stand in overflow pages of rows that were found.
private struct OverflowNames: Sendable {
  /// A live row with the UUID of one that was found.
  struct Match: Sendable {
    let row: Int
    let object: ObjectParts
    /// Whether the overflow pages also have the end of another value of the live row: a UUID alone may be that of a link, or
    /// one that two objects share.
    let isSaid: Bool
  }

  /// What a part of a table has of the UUIDs.
  struct Matches: Sendable {
    fileprivate(set) var matches: [Match] = []
    /// For each UUID with more rows than were compared, by its hash, the place of the first of the others.
    fileprivate(set) var uncompared: [UInt64: Int] = [:]
    /// Rows that were looked into only in part.
    fileprivate(set) var partly: Set<Int> = []
  }

  private let found: FoundSoFar
  private var names: [(name: UInt64, row: Int32)] = []
  private var bits = HashBits(for: 0)

  /// Bytes of the end of a value by which it is known.
  private static let end = 32
  /// The most bytes of rows that are looked into for one part of a table; behind them only the end of each.
  private static let mostBytes = 1 << 26
  private static let leastBytes = 1 << 12
  /// The most pairs of rows that are compared in one part of a table.
  private static let mostPairs = 10_000
  /// The most rows with one UUID that are compared with a live row.
  private static let mostOfOne = 100

  var isEmpty: Bool { names.isEmpty }

  init(_ found: FoundSoFar, _ columns: [NamingColumns]) throws {
    self.found = found
    var reader = RecordReader(found.map.files, ahead: 1 << 15)
    for (index, candidate) in found.found.enumerated()
    where candidate.hasOverflow && candidate.isWhole && !candidate.isDropped
      && !columns[candidate.template].columns.isEmpty
    {
      _ = try reader.read(candidate, extra: found.extra(of: candidate)) { record, bytes in
        for (column, _) in columns[candidate.template].columns
        where column < record.count && record.fields[column].offset >= candidate.localSize {
          guard let name = record.bytes(column, in: bytes), !name.isEmpty else { continue }
          names.append((ByteHash.of(name), Int32(clamping: index)))
        }
        return true
      }
    }
    names.sort { $0 < $1 }
    bits = HashBits(for: names.count)
    for (name, _) in names { bits.insert(HashBits.part(name)) }
  }

  /// The live rows of a part of a table that have such a UUID.
  func live(_ walk: inout BTreeWalk, _ rule: RowTemplate.CoreDataRule, home: Int) throws -> Matches {
    var live = Matches()
    var room = Self.mostBytes
    var record = Record()
    var reader = RecordReader(found.map.files)
    try walk.run { entry in
      guard record.read(entry.payload), let key = entry.cell.rowID else { return true }
      for column in rule.namingColumns {
        guard let bytes = record.bytes(column, in: entry.payload) else { continue }
        let name = ByteHash.of(bytes)
        guard bits.contains(HashBits.part(name)) else { continue }
        let object = ObjectParts(home: home, key: key, entity: record.integer(rule.entityColumn, in: entry.payload))
        let first = place(of: name)
        var next = first
        while isName(name, at: next), next - first < Self.mostOfOne, live.matches.count < Self.mostPairs {
          let row = Int(names[next].row)
          let (isSaid, isWhole) = try hasEnd(ofOneOf: record, in: entry.payload, row: row, &room, &reader)
          live.matches.append(Match(row: row, object: object, isSaid: isSaid))
          if !isSaid, !isWhole { live.partly.insert(row) }
          next += 1
        }
        if isName(name, at: next) { live.uncompared[name] = min(next, live.uncompared[name] ?? next) }
      }
      return true
    }
    return live
  }

  /// The place of the first row with a name, or where it would be.
  private func place(of name: UInt64) -> Int {
    var (low, high) = (0, names.count)
    while low < high {
      let middle = (low + high) / 2
      if names[middle].name < name { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func isName(_ name: UInt64, at place: Int) -> Bool { place < names.count && names[place].name == name }

  /// The rows with some names, from a place on for each.
  func rows(from places: [UInt64: Int]) -> Set<Int> {
    var rows: Set<Int> = []
    for (name, first) in places {
      for entry in names.dropFirst(first).prefix(while: { $0.name == name }) { rows.insert(Int(entry.row)) }
    }
    return rows
  }

  /// Whether what a row has on overflow pages contains the end of a text or of data of a live row, and whether all of it was looked
  /// into.
  ///
  /// - Parameter room: how many bytes may still be.
  private func hasEnd(
    ofOneOf record: Record, in payload: UnsafeRawBufferPointer, row: Int, _ room: inout Int,
    _ reader: inout RecordReader
  ) throws -> (isSaid: Bool, isWhole: Bool) {
    let ends = record.fields.indices.compactMap { column -> UnsafeRawBufferPointer? in
      guard let value = record.bytes(column, in: payload), value.count >= Self.end else { return nil }
      let end = UnsafeRawBufferPointer(rebasing: value[(value.count - Self.end)...])
      return end.contains { $0 != end[0] } ? end : nil
    }
    guard !ends.isEmpty else { return (false, true) }
    let candidate = found.found[row]
    var (isSaid, isWhole) = (false, false)
    _ = try reader.read(candidate, extra: found.extra(of: candidate)) { _, bytes in
      let overflow = min(candidate.localSize, bytes.count)
      let first = max(overflow, bytes.count - max(room, Self.leastBytes))
      let tail = UnsafeRawBufferPointer(rebasing: bytes[first...])
      room = max(room - tail.count, 0)
      isWhole = first == overflow
      isSaid = ends.contains { end in
        (0...max(0, tail.count - Self.end)).contains { start in
          start + Self.end <= tail.count && tail[start] == end[0]
            && tail[start..<start + Self.end].elementsEqual(end)
        }
      }
      return true
    }
    return (isSaid, isWhole)
  }
}
