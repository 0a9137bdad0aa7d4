import StoreMigration
import StoreScanning
import StoreCoreData

/// Conditions on links.
extension StoreRows {
  func isToMany(_ names: [String], property: String) -> Bool {
    names.contains { name in
      scan.map.entity(named: name)?.relationships.contains { $0.name == property && $0.isToMany } == true
    }
  }

  /// Rows whose number of links is not allowed.
  func linkCounts(_ names: [String], property: String, isAllowed: @escaping (Int) -> Bool) -> Question {
    guard let subjects = subjects(names) else { return { nil } }
    var owners: [(Subject, ToMany)] = []
    for subject in subjects {
      guard let toMany = scan.map.relationship(property, of: subject.name).flatMap({ toManys[$0] }) else {
        return { nil }
      }
      owners.append((subject, toMany))
    }
    return { [scan] in
      var violations: [RowViolation] = []
      for (subject, toMany) in owners {
        guard let linked = toMany.ownersOfLinks(scan), subject.table.damage == nil else { return nil }
        var rows = RowTally(limit: scan.exampleLimit)
        forEachCount(of: linked, among: subject.table.keys(of: [subject.layout.id])) { row, count in
          if !isAllowed(count) { rows.add(row) }
        }
        if let violation = subject.violation(rows) { violations.append(violation) }
      }
      return violations
    }
  }

  func danglingKeys(_ names: [String], property: String) -> Question {
    badKeys(names, property: property) { [scan] column in column.targets(scan)?.right }
  }

  func linksWithin(_ names: [String], property: String, destinations: [String]) -> Question {
    let kinds = Set(destinations.compactMap { scan.map.entity(named: $0)?.id })
    if isToMany(names, property: property) { return manyLinksWithin(names, property: property, kinds: kinds) }
    return badKeys(names, property: property) { column in
      column.target.damage == nil ? column.target.keys(of: kinds) : nil
    }
  }

  /// Rows whose to-one key is not among the right ones.
  private func badKeys(
    _ names: [String], property: String, right: @escaping (KeyColumn) -> KeySet?
  ) -> Question {
    guard let subjects = subjects(names) else { return { nil } }
    var columns: [(Subject, KeyColumn)] = []
    for subject in subjects {
      guard let column = scan.map.relationship(property, of: subject.name).flatMap({ keyColumns[$0] }) else {
        return { nil }
      }
      columns.append((subject, column))
    }
    return { [limit = scan.exampleLimit] in
      var violations: [RowViolation] = []
      for (subject, column) in columns {
        guard column.holder.damage == nil, let right = right(column) else { return nil }
        var rows = RowTally(limit: limit)
        column.forEachLink { link in
          guard let key = link.key, !right.contains(key), column.holder.isRow(link.row, of: subject.layout.id) else {
            return
          }
          rows.add(link.row)
        }
        if let violation = subject.violation(rows) { violations.append(violation) }
      }
      return violations
    }
  }

  private func manyLinksWithin(_ names: [String], property: String, kinds: Set<EntityID>) -> Question {
    guard let subjects = subjects(names) else { return { nil } }
    var owners: [(Subject, ToMany)] = []
    for subject in subjects {
      guard let toMany = scan.map.relationship(property, of: subject.name).flatMap({ toManys[$0] }) else {
        return { nil }
      }
      owners.append((subject, toMany))
    }
    return { [scan] in
      var violations: [RowViolation] = []
      for (subject, toMany) in owners {
        let right = toMany.others.keys(of: kinds)
        var bad: [Int64] = []
        let isWhole = toMany.forEachLink(scan) { owner, other in
          if !right.contains(other), subject.table.isRow(owner, of: subject.layout.id) { bad.append(owner) }
        }
        guard isWhole else { return nil }
        if let violation = subject.violation(KeySet(bad.sorted()), limit: scan.exampleLimit) {
          violations.append(violation)
        }
      }
      return violations
    }
  }

  /// Links of a join table with an end that does not exist; the keys are those on the relationship's own side.
  func orphanedLinks(_ names: [String], property: String) -> Question {
    guard let name = names.first, let relationship = scan.map.relationship(property, of: name),
      let join = joins[relationship]
    else { return { nil } }
    let isSource = join.place.source.relationship == relationship
    return { [scan] in
      guard join.table.damage == nil, let (sources, destinations) = join.targets(scan) else { return nil }
      var rows = RowTally(limit: scan.exampleLimit)
      join.forEachLink { link in
        let isWhole =
          link.source.map(sources.all.contains) == true && link.destination.map(destinations.all.contains) == true
        if !isWhole { rows.add((isSource ? link.source : link.destination) ?? 0) }
      }
      return rows.count == 0 ? [] : [RowViolation(entity: name, count: rows.count, keys: rows.keys.sorted())]
    }
  }
}

/// Calls `body` for every row with its number of occurrences in the sorted `owners`.
private func forEachCount(of owners: [Int64], among rows: KeySet, body: (Int64, Int) -> Void) {
  var position = 0
  for row in rows {
    while position < owners.count, owners[position] < row { position += 1 }
    var end = position
    while end < owners.count, owners[end] == row { end += 1 }
    body(row, end - position)
    position = end
  }
}
