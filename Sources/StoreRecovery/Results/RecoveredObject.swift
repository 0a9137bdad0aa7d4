/// One object with all that was found of it: its deletion, or that it is there, and its versions.
package struct RecoveredObject: Sendable, Equatable {
  /// What became of an object, in the order in which reports show it.
  package enum Fate: String, Sendable, CaseIterable {
    /// It existed and is gone.
    case deleted
    /// It is there; what was found are versions that it had before.
    case there
    /// Its key is not known: it is gone, or is a version of one that is there.
    case undecided
    /// It is only in a transaction that was never finished.
    case neverCommitted = "never-committed"
    /// A damaged table does not show it; it may be there.
    case unreachable
    /// A row of a many-to-many table that is gone: no object.
    case link
    /// Only a key that was handed out and is not in use tells of it.
    case implied
  }

  /// The number by which it is cited, from 1.
  package let number: Int
  /// What became of it.
  package let fate: Fate
  /// Which of the rows are its own, the oldest version first.
  package let rows: [Int]
}

extension RecoveredRow {
  /// How often its object had been saved (`Z_OPT`); nil where that is lost.
  package var saves: Int64? { layout?.saves(of: index) }

  /// Whether it is a row of a table without objects, such as a many-to-many table.
  package var isLink: Bool { layout?.isOfObjects == false }

  /// Whether it is an object that a transaction which was never finished has inserted: its key may have been given to another
  /// one since. "`Z_OPT` is 1 after insert".
  fileprivate var isNeverInserted: Bool { kind == .neverCommitted && saves == 1 }

  /// Whether bytes of it were found.
  package var isFound: Bool { candidate != nil }

  /// What the row says of its object, or of itself where it is of none; in a database that is no store every row stands for
  /// itself.
  fileprivate func fate(isOfStore: Bool) -> RecoveredObject.Fate {
    if isOfStore, isLink { return .link }
    return switch kind {
    case .deleted: grade == .implied ? .implied : .deleted
    case .earlierVersion: .there
    case .undecided: .undecided
    case .neverCommitted: .neverCommitted
    case .unreachable: .unreachable
    }
  }
}

extension Recovery {
  /// The objects of the rows, by number. An object of which rows were left out has those that are left.
  package var objects: [RecoveredObject] {
    let order = rows.indices.sorted { left, right in
      let (first, second) = (rows[left].citation, rows[right].citation)
      return first.object == second.object ? first.version < second.version : first.object < second.object
    }
    var objects: [RecoveredObject] = []
    var start = 0
    while start < order.count {
      let number = rows[order[start]].citation.object
      let end = order[start...].firstIndex { rows[$0].citation.object != number } ?? order.count
      objects.append(
        RecoveredObject(number: Int(number), fate: fate(of: order[start..<end]), rows: Array(order[start..<end])))
      start = end
    }
    return objects
  }

  /// What rows say of their object: a deletion says more than a version, and a version that was there more than one that never
  /// was.
  private func fate(of members: ArraySlice<Int>) -> RecoveredObject.Fate {
    members.map { rows[$0].fate(isOfStore: isStore) }.min { $0.rank < $1.rank } ?? .undecided
  }

  /// Numbers the results: deletions first, then versions of what is there, then what is open, each by entity and key; of an
  /// object its versions by `Z_OPT`.
  mutating func number() {
    let groups = RowGroups(rows, isOfStore: isStore)
    var names = NamePlaces(rows)
    func place(_ row: Int) -> Int {
      groups.rank(row, rows[row], isOfStore: isStore) * names.count + names.place(of: rows[row])
    }
    // How many objects come before those of one fate and name.
    var before = [Int](repeating: 0, count: RecoveredObject.Fate.allCases.count * names.count)
    for row in rows.indices where groups.isFirst(row) { before[place(row)] += 1 }
    var sum = 0
    for index in before.indices { (before[index], sum) = (sum, sum + before[index]) }
    for row in rows.indices where groups.isFirst(row) {
      let place = place(row)
      before[place] += 1
      let object = Int32(clamping: before[place])
      guard let members = groups.members[row] else {
        rows[row].citation = RecoveredRow.Citation(object: object)
        continue
      }
      for (version, member) in ordered(members).enumerated() {
        rows[member].citation = RecoveredRow.Citation(object: object, version: Int32(clamping: version + 1))
      }
    }
  }

  /// The rows of one object, the oldest first; what was deleted is its last version.
  private func ordered(_ members: [Int]) -> [Int] {
    let versions = members.map { (row: $0, saves: rows[$0].saves, isLast: rows[$0].kind == .deleted) }
    return versions.sorted { left, right in
      if left.isLast != right.isLast { return right.isLast }
      if left.saves != right.saves { return left.saves ?? .min < right.saves ?? .min }
      return left.row < right.row
    }.map(\.row)
  }
}

extension RecoveredObject.Fate {
  fileprivate var rank: Int {
    switch self {
    case .deleted: 0
    case .there: 1
    case .undecided: 2
    case .neverCommitted: 3
    case .unreachable: 4
    case .link: 5
    case .implied: 6
    }
  }
}

/// Which rows are of one object. There may be millions, and most are the only ones of theirs: of those nothing is kept.
private struct RowGroups {
  /// The rows of objects with more than one, by the first of them.
  private(set) var members: [Int: [Int]] = [:]
  /// The ranks of the fates of such objects.
  private var fates: [Int: Int] = [:]
  /// Rows that are not the first of their object, one bit each.
  private var further: [UInt64]

  /// - Parameter rows: in the order of tables and keys.
  init(_ rows: [RecoveredRow], isOfStore: Bool) {
    further = [UInt64](repeating: 0, count: rows.count / 64 + 1)
    // Rows without a key that are of one object, by what they share.
    var keyless: [Int32: Int] = [:]
    var last: Int?
    for (index, row) in rows.enumerated() where !row.isNeverInserted {
      let (key, object) = (row.key, row.object)
      var first: Int?
      if key == nil {
        first = object >= 0 ? keyless[object] : nil
      } else if let last, rows[last].key == key, rows[last].table == row.table {
        first = last
      }
      guard let first else {
        if object >= 0 { keyless[object] = index }
        last = index
        continue
      }
      further[index / 64] |= 1 << UInt64(index % 64)
      members[first, default: [first]].append(index)
      fates[first] = min(
        fates[first] ?? rows[first].fate(isOfStore: isOfStore).rank, row.fate(isOfStore: isOfStore).rank)
    }
  }

  /// Whether a row is the first of its object.
  func isFirst(_ row: Int) -> Bool { further[row / 64] & (1 << UInt64(row % 64)) == 0 }

  /// The rank of the fate of the object whose first row is one.
  func rank(_ number: Int, _ row: RecoveredRow, isOfStore: Bool) -> Int {
    fates[number] ?? row.fate(isOfStore: isOfStore).rank
  }
}

/// The places of the names of rows: of their entities, of tables where those are not known.
private struct NamePlaces {
  private var places: [ObjectIdentifier?: Int] = [:]
  private(set) var count = 0
  private var recent = RecentSources()

  init(_ rows: [RecoveredRow]) {
    var names: [ObjectIdentifier?: String] = [:]
    var last: ObjectIdentifier?
    for row in rows where row.sourceID != last || names.isEmpty {
      last = row.sourceID
      if names[last] == nil { names[last] = row.entity ?? row.table ?? "" }
    }
    let sorted = Set(names.values).sorted()
    let byName = Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1, $0) })
    places = names.mapValues { byName[$0] ?? 0 }
    count = sorted.count
  }

  /// The place of a row's name.
  mutating func place(of row: RecoveredRow) -> Int { recent.number(of: row) { places[row.sourceID] ?? 0 } }
}
