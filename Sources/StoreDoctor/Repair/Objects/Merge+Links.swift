import CoreDataStore
import SQLite

/// Many-to-many relationships.
extension Merge {
  /// A row of the table with what its objects become.
  private struct Claim {
    var link: JoinLinks.Link
    var source: Int64, destination: Int64
    /// How many come before the two in their groups.
    var sourceRank: Int, destinationRank: Int

    /// Whether the row is right as it is.
    var isItself: Bool { link.source == source && link.destination == destination }
  }

  /// A link that there is in the end.
  private struct Final {
    /// The row that becomes it.
    var row: JoinLinks.Link
    var source: Int64, destination: Int64
    /// Those whose places in the orders of both sides it has.
    var sourcePlace: Claim, destinationPlace: Claim
    var sourceOrder: Int64?, destinationOrder: Int64?

    var link: JoinLinks.Link {
      .init(source: source, destination: destination, sourceOrder: sourceOrder, destinationOrder: destinationOrder)
    }
  }

  mutating func moveLinks(of place: JoinLinks.Place) throws {
    let (sources, destinations) = (merging.keys(in: place.source.table), merging.keys(in: place.destination.table))
    guard !sources.isEmpty || !destinations.isEmpty else { return }
    let links = try bench.links(of: place, sources: sources, destinations: destinations)
    var superfluous: [JoinLinks.Link] = []
    let claims = claims(links, place, &superfluous)
    var finals = finals(claims, &superfluous)
    count(links, finals, place)
    giveOrder(&finals, links, place)
    edits.delete(superfluous, of: place) { "delete \($0) that there are already, or that led from one to the other" }
    write(finals, place)
  }

  private mutating func claims(
    _ links: [JoinLinks.Link], _ place: JoinLinks.Place, _ superfluous: inout [JoinLinks.Link]
  ) -> [Claim] {
    let tables = (place.source.table, place.destination.table)
    var claims: [Claim] = []
    for link in links {
      guard let source = link.source, let destination = link.destination,
        !merging.areTwins(source, destination, in: tables)
      else {
        superfluous.append(link)
        continue
      }
      let becomes = (merging.survivor(of: source, in: tables.0), merging.survivor(of: destination, in: tables.1))
      guard merging.mayBecome(place.source.kinds, source, in: tables.0),
        merging.mayBecome(place.destination.kinds, destination, in: tables.1)
      else {
        conflicts.note(place.source.relationship.description, at: tables.0 == merging.table ? becomes.0 : becomes.1)
        superfluous.append(link)
        continue
      }
      claims.append(
        Claim(
          link: link, source: becomes.0, destination: becomes.1, sourceRank: merging.rank(of: source, in: tables.0),
          destinationRank: merging.rank(of: destination, in: tables.1)))
    }
    return claims.sorted {
      ($0.source, $0.destination, $0.sourceRank, $0.destinationRank)
        < ($1.source, $1.destination, $1.sourceRank, $1.destinationRank)
    }
  }

  /// Links that become the same are one; in each order it has the place of the first.
  private func finals(_ claims: [Claim], _ superfluous: inout [JoinLinks.Link]) -> [Final] {
    var finals: [Final] = []
    var start = 0
    while start < claims.count {
      let first = claims[start]
      let end =
        claims[start...].firstIndex { $0.source != first.source || $0.destination != first.destination } ?? claims.count
      // By ranks, so that a row that is right as it is comes first.
      for claim in claims[start..<end].dropFirst() { superfluous.append(claim.link) }
      let byDestination = claims[start..<end].min {
        ($0.destinationRank, $0.sourceRank) < ($1.destinationRank, $1.sourceRank)
      }
      finals.append(
        Final(
          row: first.link, source: first.source, destination: first.destination, sourcePlace: first,
          destinationPlace: byDestination ?? first))
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
      bounds.note(place.source.relationship, final.source, 1)
      if !place.isReflexive { bounds.note(place.destination.relationship, final.destination, 1) }
    }
  }

  private mutating func giveOrder(_ finals: inout [Final], _ links: [JoinLinks.Link], _ place: JoinLinks.Place) {
    if place.source.orderColumn != nil {
      var places = OrderKeys()
      for link in links { if let source = link.source { places.note(link.sourceOrder, of: source) } }
      let order = finals.indices.sorted { left, right in
        let (left, right) = (finals[left], finals[right])
        return (left.source, left.sourcePlace.sourceRank, left.sourcePlace.link.sourceOrder ?? .max, left.destination)
          < (right.source, right.sourcePlace.sourceRank, right.sourcePlace.link.sourceOrder ?? .max, right.destination)
      }
      for index in order {
        let final = finals[index]
        finals[index].sourceOrder =
          final.sourcePlace.sourceRank == 0
          ? final.sourcePlace.link.sourceOrder : next(&places, final.source, place.source)
      }
    }
    if place.destination.orderColumn != nil {
      var places = OrderKeys()
      for link in links {
        if let destination = link.destination { places.note(link.destinationOrder, of: destination) }
      }
      let order = finals.indices.sorted { left, right in
        let (left, right) = (finals[left], finals[right])
        return (
          left.destination, left.destinationPlace.destinationRank,
          left.destinationPlace.link.destinationOrder ?? .max, left.source
        ) < (
          right.destination, right.destinationPlace.destinationRank,
          right.destinationPlace.link.destinationOrder ?? .max, right.source
        )
      }
      for index in order {
        let final = finals[index]
        finals[index].destinationOrder =
          final.destinationPlace.destinationRank == 0
          ? final.destinationPlace.link.destinationOrder : next(&places, final.destination, place.destination)
      }
    }
  }

  private mutating func next(_ places: inout OrderKeys, _ owner: Int64, _ end: JoinLinks.End) -> Int64? {
    let next = places.next(of: owner)
    if next == nil { obstacles.append(.noRoom(end.relationship, owner)) }
    return next
  }

  private mutating func write(_ finals: [Final], _ place: JoinLinks.Place) {
    var edit = RowEdit(.update, place.table, key: place.keyColumns, set: place.columns)
    for final in finals where final.link != final.row {
      var values = final.link.keys
      if place.source.orderColumn != nil { values.append(SQLiteValue(final.sourceOrder)) }
      if place.destination.orderColumn != nil { values.append(SQLiteValue(final.destinationOrder)) }
      edit.add(key: final.row.keys, set: values)
    }
    let name = quoted(place.source.relationship.description)
    edits.update(edit, of: place.source.relationship, "move \(counted(edit.count, "link")) of \(name)")
  }
}
