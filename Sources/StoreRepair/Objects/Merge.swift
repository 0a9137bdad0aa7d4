import StoreScanning
import StoreWords
import StoreDataModel
import StoreCoreData

/// Merges each group of duplicates into its survivor: the duplicates' links are moved to the survivor, and each
/// attribute or to-one the survivor lacks is copied from the first duplicate that has it.
///
/// Every link is rewritten to what its ends become, so groups that link to one another, or to themselves, can be merged
/// in any order.
struct Merge {
  let bench: Workbench
  let merging: Merging
  let twins: [Twins]
  var edits: ObjectEdits
  var bounds = LinkBounds()
  var conflicts = Conflicts()
  var obstacles: [Obstacle] = []
  /// External data files that no row references after the merge.
  var lostFiles = 0
  /// By column: rows whose key no survivor takes, because it would become its own ancestor.
  let avoided: [String: Set<Int64>]
  private let request: DedupeRequest

  /// A merge with nothing decided yet.
  init(
    _ twins: [Twins], for request: DedupeRequest, bench: Workbench, avoiding avoided: [String: Set<Int64>] = [:]
  ) throws {
    self.bench = bench
    self.twins = twins
    self.request = request
    self.avoided = avoided
    merging = try Merging(twins, in: request.entity.table, bench)
    edits = ObjectEdits(.dedupe, intention: request.intention("merge", twins: twins))
  }

  /// The operations of the merge, and what prevents it.
  mutating func decision() throws -> Decision {
    let places = LinkPlaces(bench)
    obstacles += places.obstacles(.dedupe)
    for place in places.joins { try moveLinks(of: place) }
    for place in places.keys {
      guard let inverse = oneToOne(place, among: places.keys) else {
        try moveKeys(of: place)
        continue
      }
      // Both sides of a one-to-one are moved together.
      if place.relationship == inverse.relationship || isFirst(place, inverse: inverse) {
        try movePairs(of: place, inverse)
      }
    }
    try fillAttributes()
    noteEntities()
    let name = request.entity.name
    edits.delete(
      twins.flatMap(\.others), of: merging.table, entity: request.entity,
      summary:
        "delete the \(counted(merging.gone.count, "\(name) object")) that \(merging.gone.count == 1 ? "has" : "have") become another"
    )
    var decision = try finished()
    decision.noteGroups(twins, in: merging.table, areMerged: true)
    return decision
  }

  /// An object of another entity than its survivor's changes its class, for itself and for all that lead to it.
  private mutating func noteEntities() {
    for group in twins {
      let entity = merging.entities[group.survivor]
      for key in group.others where merging.entities[key] != entity {
        conflicts.note(
          key, of: merging.entities[key].flatMap(bench.map.entity)?.name, becomes: group.survivor,
          other: entity.flatMap(bench.map.entity)?.name)
      }
    }
  }

  private func finished() throws -> Decision {
    var decision = Decision(operations: edits.operations(conflicts.isEmpty ? .safe : .lossy), obstacles: obstacles)
    decision.obstacles += try bounds.obstacles(.dedupe, in: bench, gone: [merging.table: merging.gone])
    decision.obstacles += try UniquenessCheck(bench, decision.operations).obstacles(.dedupe)
    let loose =
      request.comparison == .exact
      ? [] : Set(request.by.compactMap { name in attributeName(String(name.prefix { $0 != "." })) })
    decision.notices = conflicts.notices(loose: loose)
    decision.notices += bench.filesNotice(lostFiles).map { [$0] } ?? []
    decision.notices += bench.notices(ofDerived: decision.operations)
    return decision
  }

  private func attributeName(_ name: String) -> String? {
    request.entity.attributes.first { $0.property.name == name }.map { "\($0.declaredBy).\(name)" }
  }

  private func oneToOne(_ place: KeyColumn.Place, among places: [KeyColumn.Place]) -> KeyColumn.Place? {
    guard !place.isHidden, let inverse = bench.map.inverse(of: place.relationship), !inverse.layout.isToMany else {
      return nil
    }
    return places.first { $0.relationship == inverse && !$0.isHidden }
  }

  private func isFirst(_ place: KeyColumn.Place, inverse: KeyColumn.Place) -> Bool {
    let (left, right) = (place.relationship, inverse.relationship)
    return (left.owner.id, left.layout.name) < (right.owner.id, right.layout.name)
  }
}

/// Hands out order keys at the end of ordered relationships. Core Data's own are multiples of 1024 from 2048 on.
struct OrderKeys {
  private var highest: [Int64: Int64] = [:]

  /// Notes an order key in use among the objects of `owner`.
  mutating func note(_ place: Int64?, of owner: Int64) {
    if let place { highest[owner] = max(highest[owner] ?? place, place) }
  }

  /// The next order key; nil where the highest in use leaves none above it.
  mutating func next(of owner: Int64) -> Int64? {
    let (next, overflow) = (highest[owner] ?? 1024).addingReportingOverflow(1024)
    if overflow { return nil }
    highest[owner] = next
    return next
  }
}

extension Obstacle {
  /// The order keys in use leave no room for another.
  static func noRoom(_ relationship: StoredRelationship, owner: Int64) -> Obstacle {
    Obstacle(
      .dedupe, entity: relationship.owner.name, property: relationship.layout.name, keys: [owner],
      "the places in the order of \(quoted(relationship.description)) are used up; number them anew with the repair "
        + "'order-keys' first",
      refusesPlan: true)
  }
}
