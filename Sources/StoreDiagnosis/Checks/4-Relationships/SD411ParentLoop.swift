import StoreCoreData
import StoreFindings
import StoreScanning
import StoreWords

extension Check {
  static let parentLoop = Check(
    .parentLoop, "parent-loop", .warning, traits: [.rows, .standingRule],
    summary: "An object is its own ancestor: following its parents leads back to it.",
    explanation: """
      ## What it looks for
      To-one relationships of an entity to itself whose inverse is a to-many, as `Folder.parent` and `Folder.children`.
      Objects from which the keys lead round in a loop, and back to them. Objects below a loop are not counted.

      ## Why it matters
      Core Data keeps such rows without complaint, and migrates them. But code that walks up to the root does not end,
      and code that walks down from the roots never meets these objects: they are in the store, and no screen shows them.

      ## Example
      Row 3 of `ZFOLDER` has 7 in `ZPARENT`, and row 7 has 3.

      ## What can be done
      Only the author can say which of the objects is the topmost one: empty its parent in the app, with a copy at hand.
      """
  ) { check, scan in
    guard scan.store.hasModel else {
      scan.skip("without a model nobody knows which relationships lead to parents")
      return { [] }
    }
    let columns = scan.keyColumns().filter { column in
      let place = column.place
      // Not `Note.owner` that leads to an account, itself a kind of note: the topmost account owns itself.
      return !place.isHidden && place.relationship.destination?.id == place.relationship.owner.id
        && scan.map.inverse(of: place.relationship)?.layout.isToMany == true
    }
    return {
      columns.compactMap { column in
        let loops = loops(of: column)
        var rows = ExampleTally(limit: scan.exampleLimit)
        for (key, parent) in loops { rows.add(scan.example(key, of: column, facts: ["key": .number(parent)])) }
        return check.finding(
          of: column.place.relationship, table: column.place.table, rows: rows,
          message: message(rows.count, at: column.place))
      }
    }
  }
}

/// The rows that are on a loop, ascending, with the key each holds.
private func loops(of column: KeyColumn) -> [(key: Int64, parent: Int64)] {
  // Sorted pairs take a third of the memory of a dictionary; a table may have millions of rows.
  var links: [KeyPair] = []
  column.forEachLink { link in if let key = link.key { links.append(KeyPair(link.row, key)) } }
  links.sort()
  // Rows that no other row has as its parent are on no loop, and neither are rows that only such rows have.
  var next = [Int32](repeating: -1, count: links.count)
  var children = [Int32](repeating: 0, count: links.count)
  for index in links.indices {
    guard let parent = links.index(ofFirst: links[index].second) else { continue }
    next[index] = Int32(clamping: parent)
    children[parent] += 1
  }
  var leaves = links.indices.filter { children[$0] == 0 }
  while let leaf = leaves.popLast() {
    children[leaf] = -1
    let parent = Int(next[leaf])
    guard parent >= 0 else { continue }
    children[parent] -= 1
    if children[parent] == 0 { leaves.append(parent) }
  }
  return links.indices.filter { children[$0] > 0 }.map { (links[$0].first, links[$0].second) }
}

extension [KeyPair] {
  /// The index of the pair whose first key is `key`, of pairs in ascending order that have it once; nil for none.
  fileprivate func index(ofFirst key: Int64) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].first < key { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low].first == key ? low : nil
  }
}

private func message(_ count: Int64, at place: KeyColumn.Place) -> String {
  "\(counted(count, "row")) of \(place.table) \(count == 1 ? "is its own ancestor" : "are their own ancestors") by "
    + place.column
}
