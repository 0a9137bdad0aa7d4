import CoreDataStore
import SQLite

/// To-one relationships, and to-many ones that are kept as keys.
extension Merge {
  /// A key that an object may have in the end: its own, or that of an object that becomes it.
  private struct Claim {
    var link: KeyColumn.Link
    /// Who would have it, and how many come before.
    var holder: Int64, rank: Int
    /// What it would lead to; nil where it leads to nothing any more.
    var target: Int64?
  }

  /// A key that an object has in the end.
  private struct Final {
    var holder: Int64
    /// Nil where nothing is left.
    var winner: Claim?
    /// What it has now.
    var current: Claim?
    var orderKey: Int64?

    /// Whether the key is one that led there before, so that its place in the order is right.
    var isOwn: Bool { winner.map { $0.link.key == $0.target } ?? false }
    var isUnchanged: Bool { isOwn && winner?.link.row == holder }
  }

  mutating func moveKeys(of place: KeyColumn.Place) throws {
    let (holders, targets) = (merging.keys(in: place.table), merging.keys(in: place.targetTable))
    guard !holders.isEmpty || !targets.isEmpty else { return }
    let links = try bench.links(of: place, holders: holders, targets: targets)
    var finals = finals(claims(links, place), place)
    count(links, finals, place)
    giveOrderKeys(&finals, links, place)
    write(finals, place)
  }

  private mutating func claims(_ links: [KeyColumn.Link], _ place: KeyColumn.Place) -> [Claim] {
    links.compactMap { link in
      guard let key = link.key else { return nil }
      let holder = merging.survivor(of: link.row, in: place.table)
      var claim = Claim(link: link, holder: holder, rank: merging.rank(of: link.row, in: place.table))
      if merging.areTwins(link.row, key, in: (place.table, place.targetTable)) { return claim }
      guard merging.mayBecome(place.targets, key, in: place.targetTable),
        merging.mayBecome(place.holders, link.row, in: place.table)
      else {
        conflicts.note(place.relationship.description, at: holder)
        return claim
      }
      claim.target = merging.survivor(of: key, in: place.targetTable)
      return claim
    }
    .sorted { ($0.holder, $0.rank) < ($1.holder, $1.rank) }
  }

  private mutating func finals(_ claims: [Claim], _ place: KeyColumn.Place) -> [Final] {
    var finals: [Final] = []
    var start = 0
    while start < claims.count {
      let end = claims[start...].firstIndex { $0.holder != claims[start].holder } ?? claims.count
      let all = claims[start..<end]
      let winner = all.first { $0.target != nil }
      for claim in all where claim.target != nil && claim.target != winner?.target {
        conflicts.note(place.relationship.description, at: claim.holder)
      }
      finals.append(Final(holder: claims[start].holder, winner: winner, current: all.first { $0.rank == 0 }))
      start = end
    }
    return finals
  }

  private mutating func count(_ links: [KeyColumn.Link], _ finals: [Final], _ place: KeyColumn.Place) {
    guard let toMany = place.toMany(bench.map) else { return }
    for link in links { bounds.note(toMany, link.key, -1) }
    for final in finals { bounds.note(toMany, final.winner?.target, 1) }
  }

  /// An object's own others come first, then those of each object that becomes it, all in the order they had.
  private mutating func giveOrderKeys(_ finals: inout [Final], _ links: [KeyColumn.Link], _ place: KeyColumn.Place) {
    guard place.orderKey != nil else { return }
    var places = OrderKeys()
    for link in links { if let key = link.key { places.note(link.orderKey, of: key) } }
    let moved = finals.indices.filter { finals[$0].winner != nil && !finals[$0].isOwn }.sorted { left, right in
      order(of: finals[left], place) < order(of: finals[right], place)
    }
    for index in finals.indices where finals[index].isOwn {
      finals[index].orderKey = finals[index].winner?.link.orderKey
    }
    for index in moved {
      guard let target = finals[index].winner?.target else { continue }
      finals[index].orderKey = places.next(of: target)
      if finals[index].orderKey == nil {
        obstacles.append(.noRoom(place.toMany(bench.map) ?? place.relationship, target))
      }
    }
  }

  private func order(of final: Final, _ place: KeyColumn.Place) -> (Int64, Int, Int64, Int64) {
    let link = final.winner?.link
    return (
      final.winner?.target ?? 0, merging.rank(of: link?.key ?? 0, in: place.targetTable), link?.orderKey ?? .max,
      link?.row ?? 0
    )
  }

  private mutating func write(_ finals: [Final], _ place: KeyColumn.Place) {
    var rows: [ObjectEdits.Row] = []
    var emptied: [Int64] = []
    for final in finals where !final.isUnchanged {
      if final.winner == nil {
        // What an object that goes had is no more; what stays has nothing it had not.
        guard final.current != nil else { continue }
        emptied.append(final.holder)
      }
      rows.append(.init(key: final.holder, values: values(final, place)))
    }
    if place.isRequired, !emptied.isEmpty { obstacles.append(.emptied(.dedupe, place.relationship, emptied)) }
    let name = quoted(place.relationship.description)
    edits.update(
      rows, of: place.table, set: place.columns, place.relationship.owner, place.relationship.layout.name
    ) { "re-link \(counted($0, "object")) through \(name)" }
  }

  private func values(_ final: Final, _ place: KeyColumn.Place) -> [SQLiteValue] {
    guard let winner = final.winner, let target = winner.target else { return place.columns.map { _ in .null } }
    var values = [SQLiteValue.integer(target)]
    if place.companion != nil {
      let known = final.isOwn ? winner.link.companion : nil
      values.append(
        SQLiteValue(
          final.isOwn ? known : merging.companion(of: target, in: place.targetTable, otherwise: winner.link.companion)))
    }
    if place.orderKey != nil { values.append(SQLiteValue(final.orderKey)) }
    return values
  }
}
