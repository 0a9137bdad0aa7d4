import StoreScanning
import StoreWords
import StoreDataModel
import StoreCoreData

/// Makes one object of several: all links of the others become those of the one that stays, and what it has not it gets
/// from the first of them that has it.
///
/// Everything is decided on the graph as it will be: an object that is linked to is looked up by what it becomes, so that
/// groups that are linked with one another, or with themselves, need no order among them.
struct Merge {
  let bench: Workbench
  let merging: Merging
  let twins: [Twins]
  var edits: ObjectEdits
  var bounds = LinkBounds()
  var conflicts = Conflicts()
  var obstacles: [Obstacle] = []
  /// Files that no object names any more.
  var lostFiles = 0
  private let request: DedupeRequest

  /// Nothing decided yet.
  init(_ twins: [Twins], _ request: DedupeRequest, _ bench: Workbench) throws {
    self.bench = bench
    self.twins = twins
    self.request = request
    merging = try Merging(twins, in: request.entity.table, bench)
    edits = ObjectEdits(.dedupe, intention: request.intention("merge", twins))
  }

  /// Everything that has to be done, and why it cannot be.
  mutating func decision() throws -> Decision {
    let places = LinkPlaces(bench)
    obstacles += places.obstacles(.dedupe)
    for place in places.joins { try moveLinks(of: place) }
    for place in places.keys {
      guard let inverse = oneToOne(place, among: places.keys) else {
        try moveKeys(of: place)
        continue
      }
      // Both sides at once.
      if place.relationship == inverse.relationship || isFirst(place, inverse) { try movePairs(of: place, inverse) }
    }
    try fillAttributes()
    let name = request.entity.name
    edits.delete(
      twins.flatMap(\.others), of: merging.table, request.entity,
      "delete the \(counted(merging.gone.count, "\(name) object")) that \(merging.gone.count == 1 ? "has" : "have") become another"
    )
    return try finished()
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

  private func isFirst(_ place: KeyColumn.Place, _ inverse: KeyColumn.Place) -> Bool {
    let (left, right) = (place.relationship, inverse.relationship)
    return (left.owner.id, left.layout.name) < (right.owner.id, right.layout.name)
  }
}

/// Hands out places at the end of ordered lists: "multiples of 1024 starting at 2048" (`store-format.md` §7).
struct OrderKeys {
  private var highest: [Int64: Int64] = [:]

  /// Notes a place that is taken in the list of an object.
  mutating func note(_ place: Int64?, of owner: Int64) {
    if let place { highest[owner] = max(highest[owner] ?? place, place) }
  }

  /// The next place; nil where there are no higher numbers.
  mutating func next(of owner: Int64) -> Int64? {
    let (next, overflow) = (highest[owner] ?? 1024).addingReportingOverflow(1024)
    if overflow { return nil }
    highest[owner] = next
    return next
  }
}

extension Obstacle {
  /// Lists whose places leave no room.
  static func noRoom(_ relationship: StoredRelationship, _ owner: Int64) -> Obstacle {
    Obstacle(
      .dedupe, entity: relationship.owner.name, property: relationship.layout.name, keys: [owner],
      "the places in the order of \(quoted(relationship.description)) are used up; number them anew with the repair "
        + "'order-keys' first",
      refusesPlan: true)
  }
}
