import StoreDataModel

/// Links the objects at both ends of a relationship: first what is required, then what the kind of content wants.
///
/// Any object of one end may be linked with any of the other, so taking the partner that needs a link most, and any with
/// room otherwise, finds a solution where the numbers of objects allow one.
struct LinkMaker {
  /// The links made, as positions in both ends, in the order in which they are stored.
  private(set) var links: [(source: Int, destination: Int)] = []

  private let kind: LinkKind
  private let entities: SampleEntities
  private var sources: LinkEnd
  private var destinations: LinkEnd
  private var made: [Int: Set<Int>] = [:]
  private let isTree: Bool
  private let goesDeep: Bool
  /// Whether both ends have the numbers of links that a store has.
  private var isLikeStore = false
  /// Whether a relationship that is its own inverse has them, of which both ends are the same.
  private var isLikeStoreInItself = false

  init(
    _ kind: LinkKind, _ entities: SampleEntities, _ objects: [[SampleObject]], _ options: SampleOptions,
    _ random: inout SampleRandom
  ) {
    let content = options.kind
    self.kind = kind
    self.entities = entities
    sources = LinkEnd(
      entities, objects, kinds: kind.source.entity, name: kind.source.name, partner: kind.destination.entity)
    destinations = LinkEnd(
      entities, objects, kinds: kind.destination.entity, name: kind.destination.inverse, partner: kind.source.entity)
    if kind.destination.inverse == nil { destinations.limit(to: kind.hiddenMost ?? .max) }
    isTree =
      !kind.isSymmetric && (!kind.isToMany.source || !kind.isToMany.destination)
      && entities.model.root(of: kind.source.entity)?.name == entities.model.root(of: kind.destination.entity)?.name
    goesDeep = content == .edge && isTree
    if let shape = options.like {
      let isCounted = sources.want(
        like: shape, kind.source.name, entities, isTree: isTree, partners: destinations.count, random: &random)
      isLikeStoreInItself = kind.isSymmetric && isCounted
      let inverse = kind.isSymmetric ? nil : kind.destination.inverse
      isLikeStore =
        inverse.map {
          destinations.want(like: shape, $0, entities, isTree: isTree, partners: sources.count, random: &random)
            && isCounted
        } ?? false
      return
    }
    sources.want(
      content, isToMany: kind.isToMany.source, isDeep: goesDeep, partners: destinations.count, random: &random)
    let waitsForSources = kind.isToMany.destination && !kind.isToMany.source && content == .typical
    if !waitsForSources, kind.destination.inverse != nil || kind.isToMany.source {
      destinations.want(
        content, isToMany: kind.isToMany.destination, isDeep: goesDeep, partners: sources.count, random: &random)
    }
  }

  /// Makes the links.
  mutating func make(_ tuples: inout UniqueTuples, random: inout SampleRandom) {
    if isLikeStore { pair(&tuples, random: &random) }
    meetNeeds(&tuples, random: &random, isStrict: true)
    meetNeeds(&tuples, random: &random, isStrict: false)
    // Where the chain of parents is to be long, it is made before anything is added to it.
    let sourcesFirst = goesDeep && !kind.isToMany.source
    if sourcesFirst { grantSources(&tuples, random: &random) }
    if !isLikeStore {
      grantDestinations(&tuples, random: &random)
      if !sourcesFirst { grantSources(&tuples, random: &random) }
    }
    mendFloors(&tuples, random: &random)
    links = sources.indices.flatMap { source in
      (made[source] ?? []).sorted().filter { !kind.isSymmetric || source <= $0 }.map { (source, $0) }
    }
    if kind.isOrdered { links = random.shuffled(links) }
  }

  /// The objects of a link.
  func objects(of link: (source: Int, destination: Int)) -> (source: SampleObject, destination: SampleObject) {
    (sources.objects[link.source], destinations.objects[link.destination])
  }

  /// How many links fewer than the store has were made; nil where as many were, or none were counted.
  var missing: Int? {
    guard isLikeStore || isLikeStoreInItself else { return nil }
    let ends = sources.indices.reduce(0) { $0 + sources.wanted($1) }
    let wanted = isLikeStoreInItself ? ends / 2 : ends
    return wanted > links.count ? wanted - links.count : nil
  }

  /// Links objects of both ends that each are to have so many links: the open ends of one side are given to those of the other,
  /// in any order, or in a tree so that parents come first.
  private mutating func pair(_ tuples: inout UniqueTuples, random: inout SampleRandom) {
    var open = destinations.indices.flatMap { repeatElement($0, count: destinations.wanted($0)) }
    if !isTree { open = random.shuffled(open) }
    // For each place one from which on all before the next open one are taken.
    var next = Array(0...open.count)
    func firstOpen(from place: Int) -> Int {
      var place = place
      while next[place] != place {
        next[place] = next[next[place]]
        place = next[place]
      }
      return place
    }
    for source in sources.indices {
      var (place, tried) = (firstOpen(from: 0), 0)
      while sources.degree(source) < sources.wanted(source), place < open.count, tried < Self.stepsForWishes {
        if add(source, destination: open[place], tuples: &tuples, isStrict: true) { next[place] = place + 1 }
        tried += 1
        place = firstOpen(from: place + 1)
      }
    }
    guard !isTree else { return }
    // What is left are ends that are linked already: each takes the end of another link, which takes the one that is left.
    var (left, source) = (firstOpen(from: 0), 0)
    while left < open.count {
      while source < sources.count, sources.degree(source) >= sources.wanted(source) { source += 1 }
      guard source < sources.count else { return }
      if !exchange(source, with: open[left], tuples: &tuples, random: &random) { source += 1 }
      left = firstOpen(from: left + 1)
    }
  }

  private mutating func exchange(
    _ source: Int, with destination: Int, tuples: inout UniqueTuples, random: inout SampleRandom
  ) -> Bool {
    let start = random.below(sources.count)
    for step in 0..<min(sources.count, Self.stepsForNeeds) {
      let other = wrapped(start + step, count: sources.count)
      guard other != source, made[other]?.contains(destination) != true else { continue }
      for taken in (made[other] ?? []).sorted() where made[source]?.contains(taken) != true {
        remove(other, destination: taken, tuples: &tuples)
        if add(source, destination: taken, tuples: &tuples, isStrict: true) {
          if add(other, destination: destination, tuples: &tuples, isStrict: true) { return true }
          remove(source, destination: taken, tuples: &tuples)
        }
        add(other, destination: taken, tuples: &tuples, isStrict: false)
      }
    }
    return false
  }

  private mutating func grantSources(_ tuples: inout UniqueTuples, random: inout SampleRandom) {
    for position in sources.indices where sources.wanted(position) > sources.degree(position) {
      fill(source: position, to: sources.wanted(position), tuples: &tuples, random: &random, isStrict: true)
    }
  }

  private mutating func grantDestinations(_ tuples: inout UniqueTuples, random: inout SampleRandom) {
    guard !kind.isSymmetric else { return }
    for position in destinations.indices where destinations.wanted(position) > destinations.degree(position) {
      fill(destination: position, to: destinations.wanted(position), tuples: &tuples, random: &random, isStrict: true)
    }
  }

  private mutating func meetNeeds(
    _ tuples: inout UniqueTuples, random: inout SampleRandom, isStrict: Bool
  ) {
    for position in sources.indices where sources.least(position) > sources.degree(position) {
      fill(source: position, to: sources.least(position), tuples: &tuples, random: &random, isStrict: isStrict)
    }
    guard !kind.isSymmetric else { return }
    for position in destinations.indices where destinations.least(position) > destinations.degree(position) {
      fill(
        destination: position, to: destinations.least(position), tuples: &tuples, random: &random, isStrict: isStrict)
    }
  }

  /// Links an object until it has `count` links or there is nothing left to link it with. Partners that need a link come
  /// first.
  private mutating func fill(
    source: Int, to count: Int, tuples: inout UniqueTuples, random: inout SampleRandom, isStrict: Bool
  ) {
    let partners = kind.isSymmetric ? sources.count : destinations.count
    let steps = min(partners, sources.least(source) >= count ? Self.stepsForNeeds : Self.stepsForWishes)
    let walk = walk(from: source, among: partners, isToMany: kind.isToMany.source, &random)
    for isNeedy in [true, false] {
      for step in 0..<steps {
        let left =
          kind.isSymmetric
          ? (isNeedy ? sources.open : sources.roomy) : (isNeedy ? destinations.open : destinations.roomy)
        guard sources.degree(source) < count, left > 0 else { break }
        let destination = wrapped(walk.start + step * walk.direction, count: partners)
        if isNeedy, !isOpen(destination) { continue }
        add(source, destination: destination, tuples: &tuples, isStrict: isStrict)
      }
    }
  }

  private mutating func fill(
    destination: Int, to count: Int, tuples: inout UniqueTuples, random: inout SampleRandom, isStrict: Bool
  ) {
    let steps = min(sources.count, destinations.least(destination) >= count ? Self.stepsForNeeds : Self.stepsForWishes)
    let walk = walk(from: destination, among: sources.count, isToMany: kind.isToMany.destination, &random)
    for step in 0..<steps {
      guard degree(ofDestination: destination) < count, sources.roomy > 0 else { break }
      add(
        wrapped(walk.start + step * walk.direction, count: sources.count), destination: destination, tuples: &tuples,
        isStrict: isStrict)
    }
  }

  /// How many partners are tried for a link that is required, and for one that is not: among many thousands of objects,
  /// trying all for each would take hours where there is none.
  private static let stepsForNeeds = 4096
  private static let stepsForWishes = 128

  /// Where the search for partners begins, and in which direction it goes. Parents are made before their children, the
  /// nearest one where the tree is to be deep.
  private func walk(
    from position: Int, among partners: Int, isToMany: Bool, _ random: inout SampleRandom
  ) -> (start: Int, direction: Int) {
    guard isTree else { return (random.below(partners), 1) }
    guard !goesDeep else { return isToMany ? (position + 1, 1) : (position - 1, -1) }
    let offset = random.below(isToMany ? partners - position - 1 : position)
    return isToMany ? (position + 1 + offset, 1) : (offset, -1)
  }

  private func wrapped(_ position: Int, count: Int) -> Int {
    let rest = position % max(count, 1)
    return rest < 0 ? rest + count : rest
  }

  private func isOpen(_ destination: Int) -> Bool {
    kind.isSymmetric
      ? sources.degree(destination) < sources.least(destination)
      : destinations.degree(destination) < destinations.least(destination)
  }

  private func degree(ofDestination position: Int) -> Int {
    kind.isSymmetric ? sources.degree(position) : destinations.degree(position)
  }

  // MARK: One link

  /// Links two objects where that is allowed.
  ///
  /// - Parameter isStrict: whether loops of parents, links of an object with itself, and links of objects that are to have
  ///   none are avoided.
  /// - Returns: whether they are linked now and were not before.
  @discardableResult
  private mutating func add(_ source: Int, destination: Int, tuples: inout UniqueTuples, isStrict: Bool) -> Bool {
    guard made[source]?.contains(destination) != true, areOfKind(source, destination),
      hasRoom(source, destination: destination, isStrict: isStrict)
    else { return false }
    let (from, to) = (sources.objects[source], partner(destination))
    if isStrict {
      if from == to { return false }
      if isTree, kind.isToMany.source ? to.key < from.key : to.key > from.key { return false }
    }
    guard changeTuples(&tuples, from: from, to: to, adding: true) else { return false }
    made[source, default: []].insert(destination)
    sources.change(source, by: 1)
    if !kind.isSymmetric {
      destinations.change(destination, by: 1)
    } else if source != destination {
      made[destination, default: []].insert(source)
      sources.change(destination, by: 1)
    }
    return true
  }

  private mutating func remove(_ source: Int, destination: Int, tuples: inout UniqueTuples) {
    guard made[source]?.remove(destination) != nil else { return }
    _ = changeTuples(&tuples, from: sources.objects[source], to: partner(destination), adding: false)
    sources.change(source, by: -1)
    if !kind.isSymmetric {
      destinations.change(destination, by: -1)
    } else if source != destination {
      made[destination]?.remove(source)
      sources.change(destination, by: -1)
    }
  }

  private func partner(_ destination: Int) -> SampleObject {
    kind.isSymmetric ? sources.objects[destination] : destinations.objects[destination]
  }

  private func hasRoom(_ source: Int, destination: Int, isStrict: Bool) -> Bool {
    if isStrict, isLikeStoreInItself, sources.degree(destination) >= sources.wanted(destination) { return false }
    let others = kind.isSymmetric ? sources : destinations
    return sources.degree(source) < sources.most(source, isStrict: isStrict)
      && others.degree(destination) < others.most(destination, isStrict: isStrict)
  }

  /// Whether each is of the entity that the other's relationship leads to; subentities may re-declare it.
  private func areOfKind(_ source: Int, _ destination: Int) -> Bool {
    sources.leads(source, to: partner(destination).entity)
      && (kind.isSymmetric || destinations.leads(destination, to: sources.objects[source].entity))
  }

  /// Records a link in the constraints of both objects.
  ///
  /// - Returns: whether it is allowed; if not, nothing is recorded.
  private func changeTuples(
    _ tuples: inout UniqueTuples, from: SampleObject, to: SampleObject, adding: Bool
  ) -> Bool {
    var ends: [(SampleObject, String, Int64)] = []
    if !kind.isToMany.source { ends.append((from, kind.source.name, to.key)) }
    if !kind.isToMany.destination, let inverse = kind.destination.inverse { ends.append((to, inverse, from.key)) }
    func rules(_ object: SampleObject) -> [Int] { entities.all[object.entity].uniqueness }
    if adding {
      for (object, name, key) in ends {
        guard tuples.allow(object, positions: rules(object), link: name, to: key) else { return false }
      }
    }
    for (object, name, key) in ends { tuples.set(object, positions: rules(object), link: name, to: adding ? key : nil) }
    return true
  }

  // MARK: Counts

  /// Objects with some links but fewer than the model allows get more, or none.
  private mutating func mendFloors(_ tuples: inout UniqueTuples, random: inout SampleRandom) {
    for source in sources.indices where sources.isBelowFloor(source) {
      fill(source: source, to: sources.floor(source), tuples: &tuples, random: &random, isStrict: false)
      guard sources.isBelowFloor(source) else { continue }
      for destination in (made[source] ?? []).sorted() where degree(ofDestination: destination) > least(destination) {
        remove(source, destination: destination, tuples: &tuples)
      }
    }
    guard !kind.isSymmetric else { return }
    for destination in destinations.indices where destinations.isBelowFloor(destination) {
      fill(
        destination: destination, to: destinations.floor(destination), tuples: &tuples, random: &random, isStrict: false
      )
      guard destinations.isBelowFloor(destination) else { continue }
      for source in sources.indices
      where made[source]?.contains(destination) == true && sources.mayLose(source) {
        remove(source, destination: destination, tuples: &tuples)
      }
    }
  }

  private func least(_ destination: Int) -> Int {
    kind.isSymmetric ? sources.least(destination) : destinations.least(destination)
  }
}
