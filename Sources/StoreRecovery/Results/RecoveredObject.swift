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
  package var saves: Int64? { source?.saves }

  /// Whether it is a row of a table without objects, such as a many-to-many table.
  package var isLink: Bool { source?.isOfObject == false }

  /// Whether bytes of it were found.
  package var isFound: Bool { place != nil }

  /// What the row says of its object, or of itself where it is of none.
  fileprivate var fate: RecoveredObject.Fate {
    switch kind {
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
    members.map(fate).min { $0.rank < $1.rank } ?? .undecided
  }

  private func fate(of row: Int) -> RecoveredObject.Fate {
    // In a database that is no store every row stands for itself.
    isStore && rows[row].isLink ? .link : rows[row].fate
  }

  /// Numbers the results: deletions first, then versions of what is there, then what is open, each by entity and key; of an
  /// object its versions by `Z_OPT`.
  mutating func number() {
    let groups = RowGroups(rows, fate: fate)
    for (number, group) in groups.inOrder.enumerated() {
      let object = Int32(clamping: number + 1)
      guard let members = groups.members[group] else {
        rows[groups.first(of: group)].citation = RecoveredRow.Citation(object: object)
        continue
      }
      for (version, row) in ordered(members).enumerated() {
        rows[row].citation = RecoveredRow.Citation(object: object, version: Int32(clamping: version + 1))
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
  fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Which rows are of one object. There may be millions, and most are the only ones of theirs.
private struct RowGroups {
  private struct Group {
    var first: Int32
    var fate: UInt8
    var name: Int32
  }

  private var groups: [Group] = []
  /// The rows of objects with more than one.
  private(set) var members: [Int: [Int]] = [:]

  /// - Parameter rows: in the order of tables and keys.
  init(_ rows: [RecoveredRow], fate: (Int) -> RecoveredObject.Fate) {
    var names: [String: Int32] = [:]
    // Rows without a key that are of one object, by what they share.
    var keyless: [Int32: Int] = [:]
    for (index, row) in rows.enumerated() {
      var group: Int?
      if row.key == nil {
        group = row.object >= 0 ? keyless[row.object] : nil
      } else if index > 0, rows[index - 1].key == row.key, rows[index - 1].table == row.table {
        group = groups.count - 1
      }
      let rank = UInt8(clamping: fate(index).rank)
      if let group {
        let first = first(of: group)
        members[group, default: [first]].append(index)
        groups[group].fate = min(groups[group].fate, rank)
        continue
      }
      if row.object >= 0 { keyless[row.object] = groups.count }
      let name = row.entity ?? row.table ?? ""
      let known = names[name] ?? Int32(clamping: names.count)
      names[name] = known
      groups.append(Group(first: Int32(clamping: index), fate: rank, name: known))
    }
    let sorted = names.sorted { $0.key < $1.key }
    var places = [Int32](repeating: 0, count: names.count)
    for (place, name) in sorted.enumerated() { places[Int(name.value)] = Int32(clamping: place) }
    for index in groups.indices { groups[index].name = places[Int(groups[index].name)] }
  }

  func first(of group: Int) -> Int { Int(groups[group].first) }

  /// The groups in the order of their numbers.
  var inOrder: [Int] {
    groups.indices.sorted { left, right in
      let (first, second) = (groups[left], groups[right])
      if first.fate != second.fate { return first.fate < second.fate }
      return first.name == second.name ? first.first < second.first : first.name < second.name
    }
  }
}
