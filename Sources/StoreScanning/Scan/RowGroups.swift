import StoreCoreData

/// The rows of a table while they are read, by entity: those who look at them, and their keys.
struct RowGroups {
  /// The number of rows that were taken.
  private(set) var count = 0
  /// Keys that are not greater than all before them.
  private(set) var disorder = KeyDisorder()

  private var groups: [Group] = []
  private var groupOfEntity: [EntityID?: Int] = [:]
  private let interests: [RowInterest]
  private let entityMap: EntityMap
  // The state for the present entity is kept at hand: most rows have the same entity as the one before.
  private var current: EntityID?
  private var group = 0
  private var visitors: [Unmanaged<RowVisitor>] = []
  private var keys = KeySet.Builder()

  /// The rows of one entity.
  private struct Group {
    var entity: EntityID?
    var keys = KeySet.Builder()
    /// Not retained; the interests hold them.
    var visitors: [Unmanaged<RowVisitor>]
  }

  /// The most unknown entity numbers that are kept apart; in a hostile table every row has another.
  private static let mostUnknownEntities = 1000

  /// No rows yet.
  init(_ interests: [RowInterest], entityMap: EntityMap) {
    self.interests = interests
    self.entityMap = entityMap
    group = self.group(of: nil)
    visitors = groups[group].visitors
  }

  /// Takes the current row: shows it to the visitors of its entity, and keeps its key.
  @inline(__always)
  mutating func take(_ row: Row) {
    row.key = row[0].int64
    let entity = row.integer(1).map(EntityID.init)
    if entity != current { change(to: entity) }
    count += 1
    if row.key > disorder.highest { disorder.highest = row.key } else if count > 1 { look(at: row.key) }
    keys.insert(row.key)
    // By index: a copy of the array to go over would be counted in every row.
    for index in visitors.indices { visitors[index]._withUnsafeGuaranteedRef { $0.visit(row) } }
  }

  private mutating func change(to entity: EntityID?) {
    current = entity
    // Moved and not copied, so that adding to them makes no copy.
    swap(&groups[group].keys, &keys)
    group = self.group(of: entity)
    visitors = groups[group].visitors
    swap(&groups[group].keys, &keys)
  }

  private mutating func group(of entity: EntityID?) -> Int {
    if let known = groupOfEntity[entity] { return known }
    let isOneOfTooMany = entity.map { entityMap[$0] == nil } == true && groups.count >= Self.mostUnknownEntities
    // Further unknown numbers share a group, under a number that no row has.
    let entity = isOneOfTooMany ? EntityID(.min) : entity
    if let known = groupOfEntity[entity] { return known }
    let interested = interests.filter { interest in
      interest.entities.map { wanted in entity.map(wanted.contains) == true } ?? true
    }
    groups.append(Group(entity: entity, visitors: interested.map { .passUnretained($0.visitor) }))
    groupOfEntity[entity] = groups.count - 1
    return groups.count - 1
  }

  /// Checks a key that is not greater than all before it, as is the second of two equal ones.
  private mutating func look(at key: Int64) {
    disorder.count += 1
    guard disorder.count <= KeyDisorder.mostKeys, !disorder.repeated.contains(key) else { return }
    if keys.contains(key) || disorder.late.contains(key) || groups.contains(where: { $0.keys.contains(key) }) {
      disorder.repeated.append(key)
    } else {
      disorder.late.insert(key)
    }
  }

  /// Groups for rows that come later, which are read at the same time; nil where a visitor has to see every row.
  func forLaterRows() -> RowGroups? {
    let later = interests.compactMap { interest in
      interest.visitor.forLaterRows().map { RowInterest(entities: interest.entities, visitor: $0) }
    }
    return later.count == interests.count ? RowGroups(later, entityMap: entityMap) : nil
  }

  /// Takes over what groups made by `forLaterRows` have taken, whose keys are greater than those here; false, and nothing is
  /// done, where it would not be the same as if these had taken all rows.
  mutating func add(_ later: RowGroups) -> Bool {
    let pairs = zip(interests, later.interests).map { ($0.visitor, $1.visitor) }
    // Further unknown entities share a group.
    guard groups.count + later.groups.count < Self.mostUnknownEntities, pairs.allSatisfy({ $0.canAdd($1) }) else {
      return false
    }
    count += later.count
    disorder.highest = max(disorder.highest, later.disorder.highest)
    for (entity, keys) in later.finished() {
      let group = self.group(of: entity)
      if group == self.group { self.keys.insert(keys) } else { groups[group].keys.insert(keys) }
    }
    for (own, other) in pairs { own.add(other) }
    return true
  }

  /// The keys of each entity number that occurs; nil stands for NULL.
  func finished() -> [EntityID?: KeySet] {
    var found: [EntityID?: KeySet] = [:]
    for (index, group) in groups.enumerated() {
      let keys = (index == self.group ? self.keys : group.keys).finished()
      if !keys.isEmpty { found[group.entity] = keys }
    }
    return found
  }
}

/// Keys of rows that are not in ascending order.
struct KeyDisorder {
  /// The highest key so far.
  var highest = Int64.min
  /// How many keys were not greater than all before them.
  var count = 0
  /// Those of them that were new.
  var late: Set<Int64> = []
  /// The first of them that had occurred before.
  var repeated: [Int64] = []

  /// The most keys out of order that are checked for repetitions.
  static let mostKeys = 4096
}
