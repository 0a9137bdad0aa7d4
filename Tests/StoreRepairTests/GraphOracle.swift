import StoreDataModel
import StoreTestSupport

/// The effect of merging or deleting objects on a graph, in the simplest way, with lists and dictionaries and without a
/// store.
struct GraphOracle {
  let model: Model
  let graph: ObjectGraph

  /// The relationships of an entity, sorted by name.
  private func relationships(of entity: String) -> [(name: String, it: Relationship, property: Property)] {
    model.properties(of: entity).sorted { $0.key < $1.key }.compactMap { name, property in
      property.property.relationship.map { (name, $0, property.property) }
    }
  }

  private func inverse(_ relationship: Relationship) -> Relationship? {
    relationship.inverse.flatMap { model.property($0, of: relationship.destination)?.relationship }
  }

  private func entity(_ node: Node) -> String { graph.objects[node]?.entity ?? "" }

  private func links(_ node: Node, _ name: String) -> [Node] { graph.objects[node]?.links[name] ?? [] }
}

// MARK: Which objects are equal

extension GraphOracle {
  enum Keep: CaseIterable { case first, last, mostComplete, mostLinked, newest, oldest }

  /// Groups of equal objects, each with the surviving one first.
  func groups(of entity: String, by: [String], nullsAreEqual: Bool, keep: Keep, value: String, merges: Bool) -> [[Node]]
  {
    var representative: [Node: Node] = [:]
    while true {
      var found: [[String]: [Node]] = [:]
      for node in graph.objects.keys.sorted() where model.entity(self.entity(node), isKindOf: entity) {
        let parts = by.map { name -> String? in
          if let other = links(node, name).first { return "\(representative[other] ?? other)" }
          return graph.objects[node]?.attributes[name]
        }
        if !nullsAreEqual && parts.contains(nil) { continue }
        found[parts.map { $0 ?? "NULL" }, default: []].append(node)
      }
      let groups = found.values.filter { $0.count > 1 }
      var next: [Node: Node] = [:]
      for group in groups { for node in group { next[node] = group[0] } }
      if !merges || next == representative {
        return groups.map { group in survivorFirst(group, keep, value) }.sorted { $0[0] < $1[0] }
      }
      representative = next
    }
  }

  private func survivorFirst(_ group: [Node], _ keep: Keep, _ value: String) -> [Node] {
    // By insertion: each goes before the first that it is better than.
    var order: [Node] = []
    for node in group {
      order.insert(node, at: order.firstIndex { isBetter(node, $0, keep, value) } ?? order.endIndex)
    }
    return order
  }

  private func isBetter(_ left: Node, _ right: Node, _ keep: Keep, _ value: String) -> Bool {
    func number(_ node: Node) -> Int? {
      graph.objects[node]?.attributes[value].flatMap { Int($0.filter { $0.isNumber }) }
    }
    switch keep {
    case .first: return false
    case .last: return true
    case .mostComplete: return completeness(left) > completeness(right)
    case .mostLinked: return linkCount(left) > linkCount(right)
    case .newest: return number(left).map { left in number(right).map { left > $0 } ?? true } ?? false
    case .oldest: return number(left).map { left in number(right).map { left < $0 } ?? true } ?? false
    }
  }

  private func completeness(_ node: Node) -> Int {
    let toOnes = relationships(of: entity(node)).filter { !$0.it.isToMany && !links(node, $0.name).isEmpty }
    return (graph.objects[node]?.attributes.count ?? 0) + toOnes.count
  }

  private func linkCount(_ node: Node) -> Int {
    let own = (graph.objects[node]?.links ?? [:]).values.reduce(0) { $0 + $1.count }
    var incoming = 0
    for other in graph.objects.keys {
      for relationship in relationships(of: entity(other)) where relationship.it.inverse == nil {
        incoming += links(other, relationship.name).count { $0 == node }
      }
    }
    return own + incoming
  }
}

// MARK: Merging

extension GraphOracle {
  /// The graph after each group was merged into its first object.
  func merging(_ groups: [[Node]]) -> ObjectGraph {
    Quotient(oracle: self, groups).graph
  }

  private struct Quotient {
    let oracle: GraphOracle
    var survivor: [Node: Node] = [:]
    var rank: [Node: Int] = [:]
    var members: [Node: [Node]] = [:]

    init(oracle: GraphOracle, _ groups: [[Node]]) {
      self.oracle = oracle
      for group in groups {
        members[group[0]] = group
        for (index, node) in group.enumerated() { (survivor[node], rank[node]) = (group[0], index) }
      }
    }

    func became(_ node: Node) -> Node { survivor[node] ?? node }
    func all(_ node: Node) -> [Node] { members[node] ?? [node] }

    var graph: ObjectGraph {
      var result = ObjectGraph()
      for node in oracle.graph.objects.keys where became(node) == node {
        var object = ObjectGraph.Object(entity: oracle.entity(node))
        let known = oracle.model.properties(of: object.entity)
        for twin in all(node) {
          for (name, value) in oracle.graph.objects[twin]?.attributes ?? [:]
          where object.attributes[name] == nil && known[name]?.topmostDeclarer == declarer(name, twin) {
            object.attributes[name] = value
          }
        }
        for relationship in oracle.relationships(of: object.entity) {
          var links = self.links(of: node, relationship.name, relationship.it)
          if !relationship.it.isOrdered { links.sort() }
          if !links.isEmpty { object.links[relationship.name] = links }
        }
        result.objects[node] = object
      }
      return result
    }

    /// The entity that declares a property. Two entities may declare different properties under one name.
    func declarer(_ name: String, _ node: Node) -> String? {
      oracle.model.topmostDeclarer(of: name, in: oracle.entity(node))
    }

    /// The object to which a link leads after merging; nil if the link is dropped.
    func target(_ owner: Node, _ other: Node, _ name: String, _ relationship: Relationship) -> Node? {
      let (node, target) = (became(owner), became(other))
      if owner != other, node == target { return nil }
      guard declarer(name, owner) == declarer(name, node),
        oracle.model.entity(oracle.entity(target), isKindOf: relationship.destination)
      else { return nil }
      if let inverse = relationship.inverse, declarer(inverse, other) != declarer(inverse, target) { return nil }
      return target
    }

    func links(of node: Node, _ name: String, _ relationship: Relationship) -> [Node] {
      let inverse = oracle.inverse(relationship)
      switch (relationship.isToMany, inverse?.isToMany) {
      case (false, true?), (false, nil): return toOne(node, name).map { [$0.target] } ?? []
      case (false, false?): return partner(of: node, name).map { [$0] } ?? []
      case (true, true?): return manyToMany(node, name, relationship)
      case (true, false?):
        return all(node).flatMap { twin in
          oracle.links(twin, name).filter { child in
            toOne(became(child), relationship.inverse ?? "")?.provider == child
              && target(twin, child, name, relationship) != nil
          }
        }
        .map(became)
      case (true, nil):
        return all(node).flatMap { twin in
          oracle.links(twin, name).filter { child in
            // Of the children that are merged into one, the first with a valid owner keeps its link.
            let providers = all(became(child)).filter { candidate in
              oracle.graph.objects.contains { owner, object in
                (object.links[name] ?? []).contains(candidate)
                  && oracle.model.property(name, of: object.entity)?.relationship == relationship
                  && target(owner, candidate, name, relationship) != nil
              }
            }
            return providers.first == child && target(twin, child, name, relationship) != nil
          }
        }
        .map(became)
      }
    }

    /// The link of the first object in the group that has a valid one.
    func toOne(_ node: Node, _ name: String) -> (provider: Node, target: Node)? {
      for twin in all(node) {
        guard let other = oracle.links(twin, name).first,
          let relationship = oracle.model.property(name, of: oracle.entity(twin))?.relationship,
          let target = target(twin, other, name, relationship)
        else { continue }
        return (twin, target)
      }
      return nil
    }

    /// The lists of all objects of the group, one after the other. Each target counts once: in the first list that has
    /// it, and there by the link to the object that survives, rather than by one to an object merged into it.
    func manyToMany(_ node: Node, _ name: String, _ relationship: Relationship) -> [Node] {
      var found: [(owner: Int, place: Int, rank: Int, target: Node)] = []
      for (index, twin) in all(node).enumerated() {
        for (place, other) in oracle.links(twin, name).enumerated() {
          guard let target = target(twin, other, name, relationship) else { continue }
          found.append((index, place, rank[other] ?? 0, target))
        }
      }
      let best = found.filter { one in
        !found.contains { $0.target == one.target && ($0.owner, $0.rank, $0.place) < (one.owner, one.rank, one.place) }
      }
      return best.sorted { ($0.owner, $0.place) < ($1.owner, $1.place) }.map(\.target)
    }

    /// Pairs are kept as long as neither object has another partner already, those of surviving objects first.
    func partner(of node: Node, _ name: String) -> Node? {
      guard let relationship = oracle.model.property(name, of: oracle.entity(node))?.relationship,
        let inverse = relationship.inverse, let declaring = declarer(name, node)
      else { return nil }
      // The side whose declaring entity, or else whose name, comes first is the left one.
      let back = oracle.model.topmostDeclarer(of: inverse, in: relationship.destination) ?? ""
      let isLeft = back == declaring ? name <= inverse : declaring < back
      let (leftName, rightName) = isLeft ? (name, inverse) : (inverse, name)
      let leftDeclarer = isLeft ? declaring : back
      var couples: [(left: Node, right: Node)] = []
      for (left, object) in oracle.graph.objects where declarer(leftName, left) == leftDeclarer {
        guard let right = object.links[leftName]?.first, leftName != rightName || left <= right else { continue }
        let it = oracle.model.property(leftName, of: object.entity)?.relationship
        if let it, target(left, right, leftName, it) != nil { couples.append((left, right)) }
      }
      func weight(_ couple: (left: Node, right: Node)) -> (Int, Int, Int64, Int64) {
        let (left, right) = (rank[couple.left] ?? 0, rank[couple.right] ?? 0)
        return (max(left, right), min(left, right), couple.left.key, couple.right.key)
      }
      var right: [Node: Node] = [:]
      var left: [Node: Node] = [:]
      for couple in couples.sorted(by: { weight($0) < weight($1) }) {
        let (one, other) = (became(couple.left), became(couple.right))
        if leftName == rightName {
          guard right[one] == nil || right[one] == other, right[other] == nil || right[other] == one else { continue }
          (right[one], right[other]) = (other, one)
        } else if right[one] == nil || right[one] == other, left[other] == nil || left[other] == one {
          (right[one], left[other]) = (other, one)
        }
      }
      return isLeft ? right[node] : left[node]
    }
  }
}

// MARK: Deleting

extension GraphOracle {
  /// The graph without these objects and those that cascade rules delete with them; nil if a deny rule forbids it.
  func deleting(_ objects: [Node]) -> ObjectGraph? {
    var gone: Set<Node> = []
    var pending = objects.filter { graph.objects[$0] != nil }
    while let node = pending.popLast() {
      guard gone.insert(node).inserted else { continue }
      for relationship in relationships(of: entity(node)) where relationship.it.deleteRule == .cascade {
        pending += links(node, relationship.name)
      }
    }
    for node in gone {
      for relationship in relationships(of: entity(node)) where relationship.it.deleteRule == .deny {
        if links(node, relationship.name).contains(where: { !gone.contains($0) }) { return nil }
      }
    }
    var result = ObjectGraph()
    for (node, object) in graph.objects where !gone.contains(node) {
      var object = object
      object.links = object.links.mapValues { $0.filter { !gone.contains($0) } }.filter { !$0.value.isEmpty }
      result.objects[node] = object
    }
    return result
  }

  /// Whether an object in `after` violates a required relationship or a minimum or maximum count that it did not
  /// violate before.
  func breaksRules(_ after: ObjectGraph) -> Bool {
    after.objects.contains { node, object in
      relationships(of: object.entity).contains { relationship in
        let (old, new) = (links(node, relationship.name).count, object.links[relationship.name]?.count ?? 0)
        guard relationship.it.isToMany else { return old == 1 && new == 0 && !relationship.property.isOptional }
        let (least, most) = (Int(relationship.it.minimumCount), Int(relationship.it.maximumCount))
        func isFew(_ count: Int) -> Bool { count < least && !(count == 0 && relationship.property.isOptional) }
        func isMany(_ count: Int) -> Bool { most > 0 && count > most }
        return isFew(new) && !isFew(old) || isMany(new) && !isMany(old)
      }
    }
  }
}
