import StoreScanning
import StoreWords
import StoreCoreData
import StoreSQLite

/// One-to-one relationships.
extension Merge {
  /// A one-to-one link, stored on one side or on both.
  private struct Pair {
    var left: Int64, right: Int64
    /// Whether the left object's key leads to the right one, and the other way round.
    var isForward: Bool, isBack: Bool
  }

  /// The key column of one side in one row.
  private struct Slot: Hashable {
    var isBack: Bool
    var key: Int64
  }

  /// A pair with the keys its objects have after the merge.
  private struct Claim {
    var pair: Pair
    var left: Int64, right: Int64
    /// The ranks of the two objects in their groups, the higher one first.
    var ranks: (higher: Int, lower: Int)
  }

  /// Moves one-to-one links. A survivor keeps its partner; one without a partner takes that of the first duplicate that
  /// has one. An object whose partner was taken by another has none afterwards.
  mutating func movePairs(of place: KeyColumn.Place, _ inverse: KeyColumn.Place) throws {
    let isOwnInverse = place.relationship == inverse.relationship
    guard [place.table, place.targetTable].contains(merging.table) else { return }
    let forward = try links(of: place)
    let back = isOwnInverse ? [] : try links(of: inverse)
    let claims = claims(pairs(forward, back: back, isOwnInverse: isOwnInverse), place: place, inverse: inverse)
    var taken: [Slot: Int64] = [:]
    for claim in claims {
      let slots = slots(of: claim, isOwnInverse)
      if slots.allSatisfy({ taken[$0.slot].map { [other = $0.other] in $0 == other } ?? true }) {
        for slot in slots { taken[slot.slot] = slot.other }
      } else {
        lose(claim, place: place, inverse: inverse)
      }
    }
    write(forward, taken: taken, isBack: false, of: place)
    if !isOwnInverse { write(back, taken: taken, isBack: true, of: inverse) }
  }

  /// Reports a lost link, at the survivor of the side that is merged.
  private mutating func lose(_ claim: Claim, place: KeyColumn.Place, inverse: KeyColumn.Place) {
    if merging.rank(of: claim.pair.left, in: place.table) > 0 {
      conflicts.note(place.relationship.description, at: claim.left)
    } else {
      conflicts.note(inverse.relationship.description, at: claim.right)
    }
  }

  private func links(of place: KeyColumn.Place) throws -> [KeyColumn.Link] {
    try bench.links(of: place, holders: merging.keys(in: place.table), targets: merging.keys(in: place.targetTable))
  }

  private func pairs(_ forward: [KeyColumn.Link], back: [KeyColumn.Link], isOwnInverse: Bool) -> [Pair] {
    var pairs: [KeyPair: Pair] = [:]
    func add(_ left: Int64, _ right: Int64, isBack: Bool) {
      var pair = pairs[KeyPair(left, right)] ?? Pair(left: left, right: right, isForward: false, isBack: false)
      if isBack { pair.isBack = true } else { pair.isForward = true }
      pairs[KeyPair(left, right)] = pair
    }
    for link in forward {
      guard let key = link.key else { continue }
      // A relationship that is its own inverse keeps both directions in one column.
      if isOwnInverse, key < link.row { add(key, link.row, isBack: true) } else { add(link.row, key, isBack: false) }
    }
    for link in back { if let key = link.key { add(key, link.row, isBack: true) } }
    return pairs.sorted { $0.key < $1.key }.map(\.value)
  }

  private mutating func claims(_ pairs: [Pair], place: KeyColumn.Place, inverse: KeyColumn.Place) -> [Claim] {
    let claims = pairs.compactMap { pair -> Claim? in
      let left = merging.survivor(of: pair.left, in: place.table)
      if merging.areTwins(pair.left, pair.right, in: (place.table, place.targetTable)) {
        conflicts.note(place.relationship.description, at: left)
        return nil
      }
      guard merging.mayBecome(inverse.targets.intersection(place.holders), key: pair.left, in: place.table),
        merging.mayBecome(place.targets.intersection(inverse.holders), key: pair.right, in: place.targetTable)
      else {
        conflicts.note(place.relationship.description, at: left)
        return nil
      }
      let ranks = (merging.rank(of: pair.left, in: place.table), merging.rank(of: pair.right, in: place.targetTable))
      return Claim(
        pair: pair, left: left, right: merging.survivor(of: pair.right, in: place.targetTable),
        ranks: (max(ranks.0, ranks.1), min(ranks.0, ranks.1)))
    }
    // The index as last criterion keeps claims of equal rank in order of keys.
    return claims.enumerated()
      .sorted {
        ($0.element.ranks.higher, $0.element.ranks.lower, $0.offset) < (
          $1.element.ranks.higher, $1.element.ranks.lower, $1.offset
        )
      }
      .map(\.element)
  }

  private func slots(of claim: Claim, _ isOwnInverse: Bool) -> [(slot: Slot, other: Int64)] {
    var slots: [(Slot, Int64)] = []
    if claim.pair.isForward { slots.append((Slot(isBack: false, key: claim.left), claim.right)) }
    if claim.pair.isBack { slots.append((Slot(isBack: !isOwnInverse, key: claim.right), claim.left)) }
    return slots
  }

  private mutating func write(
    _ links: [KeyColumn.Link], taken: [Slot: Int64], isBack: Bool, of place: KeyColumn.Place
  ) {
    let current = Dictionary(links.map { ($0.row, $0) }) { first, _ in first }
    let companions = Dictionary(links.map { ($0.key ?? 0, $0.companion) }) { first, _ in first }
    let holders = Set(links.map { merging.survivor(of: $0.row, in: place.table) })
    var rows: [ObjectEdits.Row] = []
    var emptied: [Int64] = []
    for holder in holders.sorted() {
      let partner = taken[Slot(isBack: isBack, key: holder)]
      guard current[holder]?.key != partner else { continue }
      if partner == nil { emptied.append(holder) }
      var values = [SQLiteValue(partner)]
      if place.companion != nil {
        values.append(
          SQLiteValue(
            partner.flatMap {
              merging.companion(of: $0, in: place.targetTable, otherwise: companions[$0] ?? nil)
            }))
      }
      if place.orderKey != nil { values.append(.null) }
      rows.append(.init(key: holder, values: values))
    }
    if place.isRequired, !emptied.isEmpty { obstacles.append(.emptied(by: .dedupe, place.relationship, rows: emptied)) }
    let name = quoted(place.relationship.description)
    edits.update(
      rows, of: place.table, set: place.columns, entity: place.relationship.owner,
      property: place.relationship.layout.name
    ) { "re-link \(counted($0, "object")) through \(name)" }
  }
}
