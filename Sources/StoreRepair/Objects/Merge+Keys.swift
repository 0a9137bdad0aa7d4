import StoreScanning
import StoreWords
import StoreCoreData
import StoreSQLite

/// To-one relationships, and to-many ones that are stored as a key in the destination's table.
extension Merge {
  /// A key that an object may end up with: its own, or one of an object merged into it.
  private struct Claim {
    /// Index into the links that were read.
    var link: Int
    /// The object that would hold the key after the merge, and the rank in its group of the object that holds it now.
    var holder: Int64, rank: Int32
    /// The key's value after the merge; nil where it would lead to nothing.
    var target: Int64?
  }

  /// The key an object ends up with.
  private struct Final {
    var holder: Int64
    /// Nil where no key is left.
    var winner: Claim?
    /// Whether the survivor itself has a key now.
    var hasKey: Bool
    var orderKey: Int64?
  }

  /// Reads the keys that members hold and those that lead to an object that is deleted, and rewrites them.
  mutating func moveKeys(of place: KeyColumn.Place) throws {
    guard place.table == merging.table || place.targetTable == merging.table else { return }
    let links = try bench.links(
      of: place, holders: merging.keys(in: place.table),
      targets: place.targetTable == merging.table ? merging.gone : KeySet())
    guard !links.isEmpty else { return }
    var finals = finals(claims(links, at: place), at: place)
    count(links, finals: finals, of: place)
    try giveOrderKeys(to: &finals, links: links, of: place)
    write(finals, links: links, of: place)
  }

  private mutating func claims(_ links: [KeyColumn.Link], at place: KeyColumn.Place) -> [Claim] {
    var claims: [Claim] = []
    for (index, link) in links.enumerated() {
      guard let key = link.key else { continue }
      var claim = Claim(
        link: index, holder: merging.survivor(of: link.row, in: place.table),
        rank: Int32(clamping: merging.rank(of: link.row, in: place.table)))
      if merging.areTwins(link.row, key, in: (place.table, place.targetTable)) {
        // From one to the other: the link is not there any more.
        conflicts.note(place.relationship.description, at: claim.holder)
      } else if avoided[place.column]?.contains(link.row) == true {
        conflicts.note(place.relationship.description, at: claim.holder)
      } else {
        if merging.mayBecome(place.targets, key: key, in: place.targetTable),
          merging.mayBecome(place.holders, key: link.row, in: place.table)
        {
          claim.target = merging.survivor(of: key, in: place.targetTable)
        } else {
          conflicts.note(place.relationship.description, at: claim.holder)
        }
      }
      claims.append(claim)
    }
    claims.sort { ($0.holder, $0.rank) < ($1.holder, $1.rank) }
    return claims
  }

  private mutating func finals(_ claims: [Claim], at place: KeyColumn.Place) -> [Final] {
    var finals: [Final] = []
    var start = 0
    while start < claims.count {
      var end = start + 1
      while end < claims.count, claims[end].holder == claims[start].holder { end += 1 }
      let all = claims[start..<end]
      let winner = all.first { $0.target != nil }
      for claim in all where claim.target != nil && claim.target != winner?.target {
        conflicts.note(place.relationship.description, at: claim.holder)
      }
      finals.append(Final(holder: claims[start].holder, winner: winner, hasKey: claims[start].rank == 0))
      start = end
    }
    return finals
  }

  private mutating func count(_ links: [KeyColumn.Link], finals: [Final], of place: KeyColumn.Place) {
    guard let toMany = place.toMany(bench.map) else { return }
    for link in links { bounds.note(toMany, of: link.key, change: -1) }
    for final in finals { bounds.note(toMany, of: final.winner?.target, change: 1) }
  }

  /// The survivor's own objects keep their places; those of each object merged into it follow, in the order they had.
  private mutating func giveOrderKeys(
    to finals: inout [Final], links: [KeyColumn.Link], of place: KeyColumn.Place
  ) throws {
    guard let orderKey = place.orderKey else { return }
    var moved: [Int] = []
    for index in finals.indices {
      guard let winner = finals[index].winner else { continue }
      let link = links[winner.link]
      if link.key == winner.target { finals[index].orderKey = link.orderKey } else { moved.append(index) }
    }
    guard !moved.isEmpty else { return }
    var places = OrderKeys()
    let targets = KeySet(moved.compactMap { finals[$0].winner?.target })
    try bench.forEachRow(of: place.table, columns: [place.column, orderKey], where: place.column, isIn: targets) {
      row in
      if let owner = row.key(0) { places.note(row.key(1), of: owner) }
    }
    func order(_ index: Int) -> (Int64, Int, Int64, Int64) {
      guard let winner = finals[index].winner else { return (0, 0, 0, 0) }
      let link = links[winner.link]
      let rank = merging.rank(of: link.key ?? 0, in: place.targetTable)
      return (winner.target ?? 0, rank, link.orderKey ?? .max, link.row)
    }
    moved.sort { order($0) < order($1) }
    for index in moved {
      guard let target = finals[index].winner?.target else { continue }
      finals[index].orderKey = places.next(of: target)
      if finals[index].orderKey == nil {
        obstacles.append(.noRoom(place.toMany(bench.map) ?? place.relationship, owner: target))
      }
    }
  }

  private mutating func write(_ finals: [Final], links: [KeyColumn.Link], of place: KeyColumn.Place) {
    var rows: [ObjectEdits.Row] = []
    var emptied: [Int64] = []
    for final in finals {
      guard let winner = final.winner, let target = winner.target else {
        // A key of a deleted object goes with it; only a survivor's own key has to be emptied.
        guard final.hasKey else { continue }
        emptied.append(final.holder)
        rows.append(.init(key: final.holder, values: place.columns.map { _ in .null }))
        continue
      }
      let link = links[winner.link]
      let isOwn = link.key == target
      if isOwn, link.row == final.holder { continue }
      var values = [SQLiteValue.integer(target)]
      if place.companion != nil {
        let known = link.companion
        values.append(
          SQLiteValue(isOwn ? known : merging.companion(of: target, in: place.targetTable, otherwise: known)))
      }
      if place.orderKey != nil { values.append(SQLiteValue(final.orderKey)) }
      rows.append(.init(key: final.holder, values: values))
    }
    if place.isRequired, !emptied.isEmpty { obstacles.append(.emptied(by: .dedupe, place.relationship, rows: emptied)) }
    let name = quoted(place.relationship.description)
    edits.update(
      rows, of: place.table, set: place.columns, entity: place.relationship.owner,
      property: place.relationship.layout.name
    ) { "re-link \(counted($0, "object")) through \(name)" }
  }
}
