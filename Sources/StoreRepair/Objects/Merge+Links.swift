import StoreScanning
import StoreWords
import StoreSQLite

/// Many-to-many relationships.
extension Merge {
  /// A link, with the keys its ends have after the merge.
  private struct Claim {
    /// Index into the links that were read.
    var link: Int
    var source: Int64, destination: Int64
    /// The ranks of the two objects in their groups.
    var sourceRank: Int32, destinationRank: Int32

    var pair: KeyPair { KeyPair(source, destination) }
  }

  /// The resulting links. Held as indexes into `claims`, because there may be a million.
  private struct Finals {
    /// Per link: the index of the claim whose row is kept, and of the claim whose destination order it takes.
    var links: [(source: Int32, destination: Int32)] = []
    /// Their order keys; empty where the table has no such order column.
    var sourceOrders: [Int64?] = []
    var destinationOrders: [Int64?] = []
  }

  /// Moves the links of a join table to the survivors.
  ///
  /// Only links that touch a deleted object are kept in memory, and existing ones that a moved link becomes equal to: a
  /// table may have 20 million rows.
  mutating func moveLinks(of place: JoinLinks.Place) throws {
    let tables = (place.source.table, place.destination.table)
    guard tables.0 == merging.table || tables.1 == merging.table else { return }
    var links = try bench.links(
      of: place, sources: tables.0 == merging.table ? merging.gone : KeySet(),
      destinations: tables.1 == merging.table ? merging.gone : KeySet())
    var superfluous: [Int] = []
    var claims: [Claim] = []
    claim(links.indices, of: links, place: place, claims: &claims, superfluous: &superfluous)
    var places = (source: OrderKeys(), destination: OrderKeys())
    let known = links.count
    links += try linksThere(are: claims, at: place, places: &places)
    claim(known..<links.count, of: links, place: place, claims: &claims, superfluous: &superfluous)
    var finals = finals(&claims, superfluous: &superfluous)
    count(links, claims: claims, finals: finals, of: place)
    giveOrder(to: &finals, claims: claims, links: links, of: place, orderKeys: &places)
    superfluous.sort()
    edits.delete(superfluous.lazy.map { links[$0] }, of: place) {
      "delete \($0) that there are already, or that led from one to the other"
    }
    superfluous = []
    write(finals, claims: claims, links: links, of: place)
  }

  /// The existing links between objects that stay that a moved link becomes equal to. All order keys met go into
  /// `places`.
  private func linksThere(
    are claims: [Claim], at place: JoinLinks.Place, places: inout (source: OrderKeys, destination: OrderKeys)
  ) throws -> [JoinLinks.Link] {
    guard !claims.isEmpty else { return [] }
    var wanted = claims.map(\.pair)
    wanted.sort()
    let kept = merging.members.subtracting(merging.gone)
    let stays = (
      source: place.source.table == merging.table ? kept : KeySet(),
      destination: place.destination.table == merging.table ? kept : KeySet()
    )
    var found: [JoinLinks.Link] = []
    for (column, keys) in [(place.source.column, stays.source), (place.destination.column, stays.destination)] {
      try bench.forEachLink(of: place, where: column, isIn: keys) { link in
        guard let source = link.source, let destination = link.destination else { return }
        // Links to a deleted object have been read already; a link between two survivors is met once for each column.
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

  private mutating func claim(
    _ range: Range<Int>, of links: [JoinLinks.Link], place: JoinLinks.Place, claims: inout [Claim],
    superfluous: inout [Int]
  ) {
    let tables = (place.source.table, place.destination.table)
    claims.reserveCapacity(range.upperBound)
    for index in range {
      guard let source = links[index].source, let destination = links[index].destination else {
        superfluous.append(index)
        continue
      }
      guard !merging.areTwins(source, destination, in: tables) else {
        // From one to the other: the link is not there any more.
        conflicts.note(place.source.relationship.description, at: merging.survivor(of: source, in: tables.0))
        superfluous.append(index)
        continue
      }
      let becomes = (merging.survivor(of: source, in: tables.0), merging.survivor(of: destination, in: tables.1))
      guard merging.mayBecome(place.source.kinds, key: source, in: tables.0),
        merging.mayBecome(place.destination.kinds, key: destination, in: tables.1)
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
  }

  /// Merges links that become equal into one, which takes in each order the place of the first.
  private func finals(_ claims: inout [Claim], superfluous: inout [Int]) -> Finals {
    claims.sort {
      ($0.source, $0.destination, $0.sourceRank, $0.destinationRank, $0.link)
        < ($1.source, $1.destination, $1.sourceRank, $1.destinationRank, $1.link)
    }
    var finals = Finals()
    finals.links.reserveCapacity(claims.count)
    var start = 0
    while start < claims.count {
      var end = start + 1
      while end < claims.count, claims[end].pair == claims[start].pair { end += 1 }
      // In order of rank, so that a row that needs no change is kept.
      superfluous += claims[(start + 1)..<end].map(\.link)
      let second = (start..<end).min {
        (claims[$0].destinationRank, claims[$0].sourceRank) < (claims[$1].destinationRank, claims[$1].sourceRank)
      }
      finals.links.append((Int32(clamping: start), Int32(clamping: second ?? start)))
      start = end
    }
    return finals
  }

  private mutating func count(
    _ links: [JoinLinks.Link], claims: [Claim], finals: Finals, of place: JoinLinks.Place
  ) {
    for link in links {
      bounds.note(place.source.relationship, of: link.source, change: -1)
      if !place.isReflexive { bounds.note(place.destination.relationship, of: link.destination, change: -1) }
    }
    for final in finals.links {
      let claim = claims[Int(final.source)]
      bounds.note(place.source.relationship, of: claim.source, change: 1)
      if !place.isReflexive { bounds.note(place.destination.relationship, of: claim.destination, change: 1) }
    }
  }

  /// The survivor's own links keep their places; those of each object merged into it follow, in the order they had.
  private mutating func giveOrder(
    to finals: inout Finals, claims: [Claim], links: [JoinLinks.Link], of place: JoinLinks.Place,
    orderKeys places: inout (source: OrderKeys, destination: OrderKeys)
  ) {
    if place.source.orderColumn != nil {
      let old = finals.links.map { links[claims[Int($0.source)].link].sourceOrder }
      finals.sourceOrders = old
      let order = finals.links.indices.sorted { left, right in
        let (one, other) = (claims[Int(finals.links[left].source)], claims[Int(finals.links[right].source)])
        return (one.source, one.sourceRank, old[left] ?? .max, one.destination)
          < (other.source, other.sourceRank, old[right] ?? .max, other.destination)
      }
      for index in order {
        let claim = claims[Int(finals.links[index].source)]
        if claim.sourceRank > 0 {
          finals.sourceOrders[index] = next(&places.source, of: claim.source, at: place.source)
        }
      }
    }
    if place.destination.orderColumn != nil {
      let old = finals.links.map { links[claims[Int($0.destination)].link].destinationOrder }
      finals.destinationOrders = old
      let order = finals.links.indices.sorted { left, right in
        let (one, other) = (claims[Int(finals.links[left].destination)], claims[Int(finals.links[right].destination)])
        return (one.destination, one.destinationRank, old[left] ?? .max, one.source)
          < (other.destination, other.destinationRank, old[right] ?? .max, other.source)
      }
      for index in order {
        let claim = claims[Int(finals.links[index].destination)]
        guard claim.destinationRank > 0 else { continue }
        finals.destinationOrders[index] = next(&places.destination, of: claim.destination, at: place.destination)
      }
    }
  }

  private mutating func next(_ places: inout OrderKeys, of owner: Int64, at end: JoinLinks.End) -> Int64? {
    let next = places.next(of: owner)
    if next == nil { obstacles.append(.noRoom(end.relationship, owner: owner)) }
    return next
  }

  private mutating func write(
    _ finals: Finals, claims: [Claim], links: [JoinLinks.Link], of place: JoinLinks.Place
  ) {
    var edit = RowEdit(.update, place.table, key: place.keyColumns, set: place.columns)
    func change(_ index: Int) -> (row: JoinLinks.Link, link: JoinLinks.Link)? {
      let claim = claims[Int(finals.links[index].source)]
      let link = JoinLinks.Link(
        source: claim.source, destination: claim.destination,
        sourceOrder: finals.sourceOrders.isEmpty ? nil : finals.sourceOrders[index],
        destinationOrder: finals.destinationOrders.isEmpty ? nil : finals.destinationOrders[index])
      return link == links[claim.link] ? nil : (links[claim.link], link)
    }
    // Counts first, to reserve exactly.
    edit.rows.reserveCapacity(finals.links.indices.count { change($0) != nil } * edit.width)
    for (row, link) in finals.links.indices.lazy.compactMap(change) {
      for number in [row.source, row.destination, link.source, link.destination] {
        edit.rows.append(SQLiteValue(number))
      }
      if place.source.orderColumn != nil { edit.rows.append(SQLiteValue(link.sourceOrder)) }
      if place.destination.orderColumn != nil { edit.rows.append(SQLiteValue(link.destinationOrder)) }
    }
    let name = quoted(place.source.relationship.description)
    edits.update(edit, of: place.source.relationship, summary: "move \(counted(edit.count, "link")) of \(name)")
  }
}
