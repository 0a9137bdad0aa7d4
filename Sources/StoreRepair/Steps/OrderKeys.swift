import StoreScanning
import StoreWords
import StoreCoreData
import StoreSQLite

/// Order keys as Core Data makes them: integers, usually multiples of 1024 from 2048 on.
enum OrderKey {
  /// The key after `highest`, the owner's highest one; the first key for nil.
  static func next(after highest: Int64?) -> Int64 {
    guard let highest, highest >= 2048 else { return 2048 }
    let (next, overflow) = ((highest / 1024) * 1024).addingReportingOverflow(1024)
    return overflow ? highest : next
  }

  /// The key at an index, from 0 on, of a list that has no keys yet.
  static func of(_ index: Int) -> Int64 { 2048 + 1024 * Int64(index) }
}

extension Workbench {
  /// Gives members of ordered lists whose order key is missing or repeated one of their own (SD409).
  ///
  /// Keys that are there stay, and none that had different keys change places; another key is written only where the
  /// present ones leave no room. Of members with equal keys the first row keeps it.
  ///
  /// Those without a key come first, since SQLite sorts NULL before every number. Whether Core Data shows them there no
  /// store proves (none of 1,046 observed keys was missing), so this is a loss: the order that a person saw may be
  /// another. A list of one member has only one order.
  ///
  /// - Parameter leavesMissing: whether lists are left alone in which several members stand and one has no key.
  func orderKeys(leavesMissing: Bool) throws -> Decision {
    let scan = scan()
    let columns = scan.keyColumns().filter { $0.place.orderKey != nil }
    let joins = scan.joinLinks()
    try scan.read()
    var decision = Decision()
    for column in columns { decision += orderKeys(of: column, in: scan, leavesMissing: leavesMissing) }
    for join in joins {
      for (end, isSource) in [(join.place.source, true), (join.place.destination, false)] {
        decision += orderKeys(of: join, end: end, isSource: isSource, in: scan, leavesMissing: leavesMissing)
      }
    }
    return decision
  }

  private func orderKeys(of column: KeyColumn, in scan: Scan, leavesMissing: Bool) -> Decision {
    guard let orderKey = column.place.orderKey else { return Decision() }
    let relationship = map.inverse(of: column.place.relationship) ?? column.place.relationship
    guard let targets = column.targets(scan) else {
      return Decision(obstacles: [.damaged(by: .orderKeys, relationship, table: column.place.table)])
    }
    let places = newPlaces { visit in
      column.forEachLink { link in
        if let owner = link.key, targets.right.contains(owner) { visit(owner, link.row, link.orderKey) }
      }
    }
    return decision(places, of: relationship, leavesMissing: leavesMissing) { places in
      var rows = RowEdit.objects(column.place.table, set: [orderKey])
      for place in places { rows.add(place.member, set: [.integer(place.orderKey)]) }
      return rows
    }
  }

  private func orderKeys(
    of join: JoinLinks, end: JoinLinks.End, isSource: Bool, in scan: Scan, leavesMissing: Bool
  ) -> Decision {
    guard let orderColumn = end.orderColumn else { return Decision() }
    guard let (sources, destinations) = join.targets(scan), join.table.damage == nil else {
      return Decision(obstacles: [.damaged(by: .orderKeys, end.relationship, table: join.place.table)])
    }
    let places = newPlaces { visit in
      join.forEachLink { link in
        guard let source = link.source, let destination = link.destination, sources.all.contains(source),
          destinations.all.contains(destination)
        else { return }
        if isSource {
          visit(source, destination, link.sourceOrder)
        } else {
          visit(destination, source, link.destinationOrder)
        }
      }
    }
    return decision(places, of: end.relationship, leavesMissing: leavesMissing) { places in
      var rows = RowEdit(
        .update, join.place.table, key: [join.place.source.column, join.place.destination.column], set: [orderColumn])
      for place in places {
        let key = isSource ? [place.owner, place.member] : [place.member, place.owner]
        rows.add(key: key.map(SQLiteValue.integer), set: [.integer(place.orderKey)])
      }
      return rows
    }
  }

  private func decision(
    _ places: [NewPlace], of relationship: StoredRelationship, leavesMissing: Bool, edit: ([NewPlace]) -> RowEdit
  ) -> Decision {
    let (entity, name) = (relationship.owner.name, relationship.layout.name)
    let guessed = places.filter(\.isGuessed)
    let owners = Set(guessed.map(\.owner)).sorted()
    let shown =
      owners.prefix(Obstacle.maximumKeys).map(String.init).joined(separator: ", ")
      + (owners.count > Obstacle.maximumKeys ? ", …" : "")
    var decision = Decision()
    for (places, grade) in [
      (places.filter { !$0.isGuessed }, RepairGrade.safe), (leavesMissing ? [] : guessed, .lossy),
    ]
    where !places.isEmpty {
      let rows = edit(places)
      decision.operations.append(
        Operation(
          .orderKeys, summary: "give \(counted(rows.count, "link")) of \(relationship) an order key of its own",
          entity: entity, property: name, .rows(rows), grade: grade))
      if grade == .lossy {
        decision.notices.append(
          "loss in \(quoted(relationship.description)): in \(counted(owners.count, "list")) members without an order key "
            + "are put first, and the app may have shown them elsewhere (owners \(shown))")
      }
    }
    if leavesMissing, !guessed.isEmpty {
      decision.obstacles.append(
        Obstacle(
          .orderKeys, entity: entity, property: name, count: owners.count, keys: owners,
          "\(counted(owners.count, "list")) left alone, because members have no order key and it is not known where the "
            + "app shows them: --structure order-keys --allow-lossy puts them first", refusesPlan: false))
    }
    return decision
  }
}

/// A member of a list and its new order key.
private struct NewPlace {
  var owner: Int64
  var member: Int64
  var orderKey: Int64
  /// Whether its list has a member whose place is not known.
  var isGuessed: Bool
}

/// The members that get another order key, by owner and place.
///
/// - Parameter forEach: calls `visit` with owner, member and order key of every link; it must give the same each time.
private func newPlaces(forEach: (_ visit: (Int64, Int64, Int64?) -> Void) -> Void) -> [NewPlace] {
  var count = 0
  forEach { _, _, _ in count += 1 }
  var places = RepeatedHashes(capacity: count)
  forEach { owner, _, order in if let order { places.insert(KeyPair(owner, order)) } }
  var taken: Set<KeyPair> = []
  var broken: Set<Int64> = []
  forEach { owner, _, order in
    guard let order else { return _ = broken.insert(owner) }
    let place = KeyPair(owner, order)
    if places.mayContain(place), !taken.insert(place).inserted { broken.insert(owner) }
  }
  guard !broken.isEmpty else { return [] }
  var lists: [Int64: [(order: Int64?, member: Int64)]] = [:]
  forEach { owner, member, order in
    if broken.contains(owner) { lists[owner, default: []].append((order, member)) }
  }
  return lists.sorted { $0.key < $1.key }.flatMap { owner, list in
    let sorted = list.sorted { ($0.order ?? .min, $0.member) < ($1.order ?? .min, $1.member) }
    let keys = orderKeys(sorted.map(\.order)) ?? sorted.indices.map(OrderKey.of)
    return zip(sorted, keys).compactMap { link, key in
      link.order == key
        ? nil
        : NewPlace(
          owner: owner, member: link.member, orderKey: key, isGuessed: list.count > 1 && sorted[0].order == nil)
    }
  }
}

/// Ascending keys for members of a list in their present order, NULL first; as many as possible are those they have.
/// Nil where there are not enough numbers.
private func orderKeys(_ present: [Int64?]) -> [Int64]? {
  let missing = present.prefix { $0 == nil }.count
  guard missing < present.count, let lowest = present[missing] else { return present.indices.map(OrderKey.of) }
  var keys: [Int64] = []
  keys.reserveCapacity(present.count)
  // Before the first key.
  let step = max(1, lowest / Int64(missing + 1))
  let (below, underflow) = lowest.subtractingReportingOverflow(Int64(missing) + 1)
  guard !underflow else { return nil }
  for index in 1...max(missing, 1) where index <= missing {
    keys.append(lowest > 0 ? step * Int64(index) : below + Int64(index))
  }
  var index = missing
  while index < present.count {
    guard let key = present[index] else { return nil }
    var end = index + 1
    while end < present.count, present[end] == key { end += 1 }
    // The first of equal keys stays, unless those before it needed its place.
    let first: Int64
    if let last = keys.last, last >= key {
      let (next, overflow) = last.addingReportingOverflow(1)
      if overflow { return nil }
      first = next
    } else {
      first = key
    }
    keys.append(first)
    let next = end < present.count ? present[end] : nil
    let room = next.map { $0.subtractingReportingOverflow(first) }
    let step = room.map { $0.overflow ? 1024 : max(1, min(1024, $0.partialValue / Int64(end - index))) } ?? 1024
    for _ in (index + 1)..<max(end, index + 1) {
      let (following, overflow) = (keys.last ?? first).addingReportingOverflow(step)
      if overflow { return nil }
      keys.append(following)
    }
    index = end
  }
  return keys
}
