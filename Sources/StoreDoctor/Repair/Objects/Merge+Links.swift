import CoreDataStore
import SQLite

/// Many-to-many relationships.
extension Merge {
  /// A row of the table with what its objects become.
  private struct Claim {
    /// Its place among the links that were read.
    var link: Int
    var source: Int64, destination: Int64
    /// How many come before the two in their groups.
    var sourceRank: Int32, destinationRank: Int32

    var pair: KeyPair { KeyPair(source, destination) }
  }

  /// A link that there is in the end: the row that becomes it, and those whose places in the two orders it has.
  private struct Final {
    var source: Claim, destination: Claim
    var sourceOrder: Int64?, destinationOrder: Int64?
  }

  /// Links that lead to or from an object that goes are read, and of all others only those they may become: a table of
  /// 20 million is read through, not kept.
  mutating func moveLinks(of place: JoinLinks.Place) throws {
    let tables = (place.source.table, place.destination.table)
    guard tables.0 == merging.table || tables.1 == merging.table else { return }
    var links = try bench.links(
      of: place, sources: tables.0 == merging.table ? merging.gone : KeySet(),
      destinations: tables.1 == merging.table ? merging.gone : KeySet())
    var superfluous: [Int] = []
    var claims = claims(links.indices, links, place, &superfluous)
    var places = (source: OrderKeys(), destination: OrderKeys())
    let present = try linksThere(are: claims.map(\.pair).sorted(), place, &places)
    let known = links.count
    links += present
    claims += self.claims(known..<links.count, links, place, &superfluous)
    var finals = finals(&claims, &superfluous)
    count(links, finals, place)
    giveOrder(&finals, links, place, &places)
    superfluous.sort()
    edits.delete(superfluous.lazy.map { links[$0] }, of: place) {
      "delete \($0) that there are already, or that led from one to the other"
    }
    write(finals, links, place)
  }

  /// The links of objects that stay that others become; the places of all are noted.
  private func linksThere(
    are wanted: [KeyPair], _ place: JoinLinks.Place, _ places: inout (source: OrderKeys, destination: OrderKeys)
  ) throws -> [JoinLinks.Link] {
    guard !wanted.isEmpty else { return [] }
    let kept = merging.members.subtracting(merging.gone)
    let stays = (
      source: place.source.table == merging.table ? kept : KeySet(),
      destination: place.destination.table == merging.table ? kept : KeySet()
    )
    var found: [JoinLinks.Link] = []
    for (column, keys) in [(place.source.column, stays.source), (place.destination.column, stays.destination)] {
      try bench.forEachLink(of: place, where: column, isIn: keys) { link in
        guard let source = link.source, let destination = link.destination else { return }
        // What touches an object that goes is known; what touches two that stay comes twice.
        let isKnown =
          merging.isGone(source, in: place.source.table) || merging.isGone(destination, in: place.destination.table)
        places.source.note(link.sourceOrder, of: source)
        places.destination.note(link.destinationOrder, of: destination)
        let isSecond = column == place.destination.column && stays.source.contains(source)
        if !isKnown, !isSecond, wanted.containsSorted(KeyPair(source, destination)) { found.append(link) }
      }
    }
    found.sort { ($0.source ?? 0, $0.destination ?? 0) < ($1.source ?? 0, $1.destination ?? 0) }
    return found
  }

  private mutating func claims(
    _ range: Range<Int>, _ links: [JoinLinks.Link], _ place: JoinLinks.Place, _ superfluous: inout [Int]
  ) -> [Claim] {
    let tables = (place.source.table, place.destination.table)
    var claims: [Claim] = []
    for index in range {
      guard let source = links[index].source, let destination = links[index].destination,
        !merging.areTwins(source, destination, in: tables)
      else {
        superfluous.append(index)
        continue
      }
      let becomes = (merging.survivor(of: source, in: tables.0), merging.survivor(of: destination, in: tables.1))
      guard merging.mayBecome(place.source.kinds, source, in: tables.0),
        merging.mayBecome(place.destination.kinds, destination, in: tables.1)
      else {
        conflicts.note(place.source.relationship.description, at: tables.0 == merging.table ? becomes.0 : becomes.1)
        superfluous.append(index)
        continue
      }
      claims.append(
        Claim(
          link: index, source: becomes.0, destination: becomes.1,
          sourceRank: Int32(clamping: merging.rank(of: source, in: tables.0)),
          destinationRank: Int32(clamping: merging.rank(of: destination, in: tables.1))))
    }
    return claims
  }

  /// Links that become the same are one; in each order it has the place of the first.
  private func finals(_ claims: inout [Claim], _ superfluous: inout [Int]) -> [Final] {
    claims.sort {
      ($0.source, $0.destination, $0.sourceRank, $0.destinationRank, $0.link)
        < ($1.source, $1.destination, $1.sourceRank, $1.destinationRank, $1.link)
    }
    var finals: [Final] = []
    var start = 0
    while start < claims.count {
      var end = start + 1
      while end < claims.count, claims[end].pair == claims[start].pair { end += 1 }
      // By ranks, so that a row that is right as it is comes first.
      superfluous += claims[(start + 1)..<end].map(\.link)
      let second = claims[start..<end].min {
        ($0.destinationRank, $0.sourceRank) < ($1.destinationRank, $1.sourceRank)
      }
      finals.append(Final(source: claims[start], destination: second ?? claims[start]))
      start = end
    }
    return finals
  }

  private mutating func count(_ links: [JoinLinks.Link], _ finals: [Final], _ place: JoinLinks.Place) {
    for link in links {
      bounds.note(place.source.relationship, link.source, -1)
      if !place.isReflexive { bounds.note(place.destination.relationship, link.destination, -1) }
    }
    for final in finals {
      bounds.note(place.source.relationship, final.source.source, 1)
      if !place.isReflexive { bounds.note(place.destination.relationship, final.source.destination, 1) }
    }
  }

  /// An object's own links keep their places; those of each object that becomes it follow, in the order they had.
  private mutating func giveOrder(
    _ finals: inout [Final], _ links: [JoinLinks.Link], _ place: JoinLinks.Place,
    _ places: inout (source: OrderKeys, destination: OrderKeys)
  ) {
    if place.source.orderColumn != nil {
      func old(_ final: Final) -> Int64? { links[final.source.link].sourceOrder }
      let order = finals.indices.sorted { left, right in
        let (left, right) = (finals[left], finals[right])
        return (left.source.source, left.source.sourceRank, old(left) ?? .max, left.source.destination)
          < (right.source.source, right.source.sourceRank, old(right) ?? .max, right.source.destination)
      }
      for index in order {
        let claim = finals[index].source
        finals[index].sourceOrder =
          claim.sourceRank == 0 ? old(finals[index]) : next(&places.source, claim.source, place.source)
      }
    }
    if place.destination.orderColumn != nil {
      func old(_ final: Final) -> Int64? { links[final.destination.link].destinationOrder }
      let order = finals.indices.sorted { left, right in
        let (left, right) = (finals[left], finals[right])
        return (
          left.destination.destination, left.destination.destinationRank, old(left) ?? .max, left.destination.source
        ) < (
          right.destination.destination, right.destination.destinationRank, old(right) ?? .max, right.destination.source
        )
      }
      for index in order {
        let claim = finals[index].destination
        finals[index].destinationOrder =
          claim.destinationRank == 0
          ? old(finals[index]) : next(&places.destination, claim.destination, place.destination)
      }
    }
  }

  private mutating func next(_ places: inout OrderKeys, _ owner: Int64, _ end: JoinLinks.End) -> Int64? {
    let next = places.next(of: owner)
    if next == nil { obstacles.append(.noRoom(end.relationship, owner)) }
    return next
  }

  private mutating func write(_ finals: [Final], _ links: [JoinLinks.Link], _ place: JoinLinks.Place) {
    var edit = RowEdit(.update, place.table, key: place.keyColumns, set: place.columns)
    for final in finals {
      let row = links[final.source.link]
      let link = JoinLinks.Link(
        source: final.source.source, destination: final.source.destination, sourceOrder: final.sourceOrder,
        destinationOrder: final.destinationOrder)
      guard link != row else { continue }
      var values = link.keys
      if place.source.orderColumn != nil { values.append(SQLiteValue(link.sourceOrder)) }
      if place.destination.orderColumn != nil { values.append(SQLiteValue(link.destinationOrder)) }
      edit.add(key: row.keys, set: values)
    }
    let name = quoted(place.source.relationship.description)
    edits.update(edit, of: place.source.relationship, "move \(counted(edit.count, "link")) of \(name)")
  }
}
