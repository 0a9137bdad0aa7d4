import StoreDataModel

/// The objects at one end of a relationship, with how many links each may have and has.
struct LinkEnd {
  /// The objects, in the order in which they were made.
  private(set) var objects: [SampleObject] = []
  private var bounds: [Int: SampleBounds] = [:]
  /// By entity: the entities that the relationship leads to from there.
  private var partners: [Int: Set<Int>] = [:]
  private var degrees: [Int] = []
  private var wishes: [Int] = []
  /// Objects that are to have no links, where that is allowed.
  private var empty: Set<Int> = []
  private var limit = Int.max
  /// How many objects have fewer links than they need.
  private(set) var open = 0
  /// How many objects may have more links.
  private(set) var roomy = 0

  /// The end of a relationship.
  ///
  /// - Parameters:
  ///   - kinds: the entity whose objects are there, with its subentities.
  ///   - name: the relationship from there; nil where the model has none.
  ///   - partner: the entity at the other end, for an end without a relationship of its own.
  init(
    _ entities: SampleEntities, _ objects: [[SampleObject]], kinds: String, name: String?, partner: String
  ) {
    var known: [String: Set<Int>] = [:]
    func partners(_ entity: String) -> Set<Int> {
      if let found = known[entity] { return found }
      let found = Set(entities.kinds(of: entity))
      known[entity] = found
      return found
    }
    for position in entities.kinds(of: kinds) {
      if let name {
        // A subentity may have declared something else under this name.
        guard let found = entities.all[position].relationships[name] else { continue }
        bounds[position] = found
        self.partners[position] = partners(found.destination)
      } else {
        self.partners[position] = partners(partner)
      }
      self.objects += objects[position]
    }
    degrees = self.objects.map { _ in 0 }
    wishes = degrees
    count(degrees.indices)
  }

  private mutating func count(_ positions: Range<Int>) {
    open = positions.count { least($0) > 0 }
    roomy = positions.count { most($0, isStrict: false) > 0 }
  }

  var count: Int { objects.count }
  var indices: Range<Int> { objects.indices }

  /// Sets the most links of each object where the model has no relationship that says so.
  mutating func limit(to most: Int) {
    limit = most
    count(indices)
  }

  /// How many links the content wants each object to have.
  ///
  /// - Parameter isDeep: whether a long chain is wanted, so that few objects have no link.
  mutating func want(
    _ content: SampleKind, isToMany: Bool, isDeep: Bool, partners: Int, random: inout SampleRandom
  ) {
    guard content != .minimal else { return }
    for position in indices {
      let most = min(most(position, isStrict: false), partners)
      let wish: Int
      switch (content, isToMany) {
      case (.edge, false):
        wish = (isDeep ? position == 1 : position % 4 == 1) ? 0 : 1
      case (.edge, true) where isDeep: wish = least(position)
      case (.edge, true):
        // Many, as few as allowed, none.
        wish = position % 3 == 0 ? min(most, 40, max(partners / 2, 1)) : position % 3 == 1 ? floor(position) : 0
      case (_, false): wish = 1
      case (_, true): wish = max(floor(position), 1 + random.below(4))
      }
      wishes[position] = max(min(wish, most), least(position))
      if wish == 0, least(position) == 0, !(isDeep && isToMany) { empty.insert(position) }
    }
  }

  /// How many links each object is to have, as a store has them: for each entity as many objects with as many.
  ///
  /// - Parameters:
  ///   - name: the relationship.
  ///   - isTree: whether the objects are to be parents and children, of which the first ones have the most children.
  ///   - partners: how many objects there are at the other end.
  /// - Returns: whether that was counted for all of them.
  mutating func want(
    like shape: SampleShape, _ name: String, _ entities: SampleEntities, isTree: Bool, partners: Int,
    random: inout SampleRandom
  ) -> Bool {
    var start = 0
    while start < objects.count {
      let entity = objects[start].entity
      let end = objects[start...].firstIndex { $0.entity != entity } ?? objects.count
      guard let degrees = shape.degrees(entities.all[entity].name, name, count: end - start) else { return false }
      let isToMany = entities.all[entity].relationships[name].map { $0.most > 1 } ?? false
      let ordered = !isTree ? random.shuffled(degrees) : isToMany ? degrees.reversed() : degrees
      for (position, degree) in zip(start..<end, ordered) {
        wishes[position] = max(min(degree, most(position, isStrict: false), partners), least(position))
        if wishes[position] == 0 { empty.insert(position) }
      }
      start = end
    }
    return true
  }

  func degree(_ position: Int) -> Int { degrees[position] }
  func wanted(_ position: Int) -> Int { wishes[position] }
  func least(_ position: Int) -> Int { bounds[objects[position].entity]?.least ?? 0 }
  func floor(_ position: Int) -> Int { bounds[objects[position].entity]?.floor ?? 1 }

  /// The most links of an object; none for one that is to have none.
  func most(_ position: Int, isStrict: Bool) -> Int {
    isStrict && empty.contains(position) ? 0 : bounds[objects[position].entity]?.most ?? limit
  }

  /// Whether it has links, but fewer than the model allows.
  func isBelowFloor(_ position: Int) -> Bool { (1..<max(floor(position), 1)).contains(degrees[position]) }

  /// Whether it may have one link less.
  func mayLose(_ position: Int) -> Bool {
    degrees[position] > max(least(position), floor(position)) || degrees[position] == 1 && least(position) == 0
  }

  /// Whether the relationship of an object leads to objects of an entity.
  func leads(_ position: Int, to entity: Int) -> Bool {
    partners[objects[position].entity]?.contains(entity) == true
  }

  /// Adds links to an object, or takes some away.
  mutating func change(_ position: Int, by difference: Int) {
    let before = (isOpen: degrees[position] < least(position), isRoomy: isRoomy(position))
    degrees[position] += difference
    let after = (isOpen: degrees[position] < least(position), isRoomy: isRoomy(position))
    open += (after.isOpen ? 1 : 0) - (before.isOpen ? 1 : 0)
    roomy += (after.isRoomy ? 1 : 0) - (before.isRoomy ? 1 : 0)
  }

  private func isRoomy(_ position: Int) -> Bool { degrees[position] < most(position, isStrict: false) }
}
