import StoreSwiftDataSchemas

/// One side of a pair of relationships.
struct RelationshipEnd: Hashable, Comparable {
  var entity: String
  var property: String

  static func < (left: Self, right: Self) -> Bool {
    (left.entity, left.property) < (right.entity, right.property)
  }
}

/// The inverses of all relationships of a schema: stated, inferred, or undecided.
struct Inverses {
  /// The inverse's name of each relationship that certainly has one.
  fileprivate(set) var certain: [RelationshipEnd: String] = [:]
  /// Undecided inverses: the rule, the names of its alternatives, and the inverse in each.
  fileprivate(set) var open: [RelationshipEnd: (key: ChoiceKey, options: [(name: String, value: String?)])] = [:]
  fileprivate(set) var unmeasured: [RelationshipEnd: UnmeasuredRule] = [:]
  /// Stated inverses that do not fit.
  fileprivate(set) var problems: [RelationshipEnd: String] = [:]
}

/// Finds the inverses of a schema's relationships.
struct InverseFinder {
  private let table: NameTable
  private let shapes: [ClassShape]
  private let byName: [String: ClassShape]
  private var found = Inverses()
  /// Ends that are certainly paired, or stated to be.
  private var linked: [RelationshipEnd: RelationshipEnd] = [:]

  private static let maximumPairings = SourceEntity.maximumVariants

  /// - Parameter shapes: the classes of a schema, one for each entity name.
  static func inverses(of shapes: [ClassShape], _ table: NameTable) -> Inverses {
    var finder = InverseFinder(table, shapes.sorted { $0.name < $1.name })
    finder.link()
    finder.infer()
    for (end, other) in finder.linked where finder.found.problems[end] == nil {
      finder.found.certain[end] = other.property
    }
    return finder.found
  }

  private init(_ table: NameTable, _ shapes: [ClassShape]) {
    self.table = table
    self.shapes = shapes
    byName = Dictionary(shapes.map { ($0.name, $0) }) { first, _ in first }
  }

  // MARK: Stated inverses

  /// With `inverse: \B.x` on one side, both sides have each other as inverse.
  private mutating func link() {
    for shape in shapes {
      for member in shape.members {
        guard let relationship = member.relationship, let stated = relationship.statedInverse else { continue }
        let end = RelationshipEnd(entity: shape.name, property: member.stored.name)
        guard let other = statedEnd(stated, of: relationship, in: shape) else {
          found.problems[end] =
            "its inverse '\(stated.name)' does not fit: no relationship of \(table[relationship.target].name) that leads back"
          continue
        }
        if let inherited = inheritedEnd(of: relationship, other, in: shape) {
          found.problems[end] = "its inverse '\(stated.name)' \(inherited), and no store has shown what becomes of that"
          continue
        }
        if let before = linked[other], before != end {
          found.problems[end] = "another property names the same inverse"
          found.problems[before] = found.problems[end]
          continue
        }
        if let before = linked[end], before != other {
          found.problems[end] = "the other side names another inverse"
          continue
        }
        linked[end] = other
        linked[other] = end
      }
    }
  }

  /// The end a stated inverse names; its key path may name the type with or without the enum around it.
  private func statedEnd(
    _ stated: (root: TypeName?, name: String), of relationship: RelationshipDraft, in shape: ClassShape
  ) -> RelationshipEnd? {
    let scope = Scope(file: table[shape.id].file, type: shape.id)
    let target = table[relationship.target].name
    if let root = stated.root {
      guard let id = table.declaredType(root, in: scope),
        table[id].name == target || inherits(target, from: table[id].name)
      else { return nil }
    }
    var current = byName[target]
    for _ in 0..<16 {
      guard let candidate = current else { return nil }
      if let back = candidate.relationship(stated.name) {
        let backTarget = table[back.target].name
        let leadsBack =
          backTarget == shape.name || inherits(shape.name, from: backTarget) || inherits(backTarget, from: shape.name)
        return leadsBack ? RelationshipEnd(entity: candidate.name, property: stated.name) : nil
      }
      current = candidate.superclass.flatMap { byName[table[$0].name] }
    }
    return nil
  }

  /// Reports an inverse that involves inheritance, about which nothing is known.
  private func inheritedEnd(
    of relationship: RelationshipDraft, _ other: RelationshipEnd, in shape: ClassShape
  ) -> String? {
    if other.entity != table[relationship.target].name { return "is inherited from \(other.entity)" }
    let back = byName[other.entity]?.relationship(other.property).map { table[$0.target].name }
    guard let back, back != shape.name else { return nil }
    return "leads to \(back)"
  }

  private func inherits(_ name: String, from ancestor: String) -> Bool {
    var current = byName[name]
    for _ in 0..<16 {
      guard let parent = current?.superclass.map({ table[$0].name }) else { return false }
      if parent == ancestor { return true }
      current = byName[parent]
    }
    return false
  }

  // MARK: Inferred inverses

  private struct Candidate {
    var end: RelationshipEnd
    var relationship: RelationshipDraft
    var isOptional: Bool
  }

  private func candidates(from entity: String, to target: String) -> [Candidate] {
    (byName[entity]?.members ?? []).compactMap { member in
      let end = RelationshipEnd(entity: entity, property: member.stored.name)
      guard let relationship = member.relationship, table[relationship.target].name == target, linked[end] == nil,
        relationship.statedInverse == nil
      else { return nil }
      return Candidate(end: end, relationship: relationship, isOptional: member.stored.isOptional)
    }
  }

  private mutating func infer() {
    var pairs: Set<[String]> = []
    for shape in shapes {
      for relationship in shape.members.compactMap(\.relationship) {
        pairs.insert([shape.name, table[relationship.target].name].sorted())
      }
    }
    for pair in pairs.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      if pair[0] == pair[1] {
        inferWithin(pair[0])
      } else {
        infer(candidates(from: pair[0], to: pair[1]), candidates(from: pair[1], to: pair[0]))
      }
    }
  }

  /// Relationships of a class with itself, whose pairing is undecided. A single one has the same hash with itself as
  /// inverse and with none.
  private mutating func inferWithin(_ entity: String) {
    let ends = candidates(from: entity, to: entity)
    var edges: [(left: Int, right: Int)] = []
    for left in ends.indices {
      for right in ends.indices where right > left {
        if Self.verdict(ends[left], ends[right]) != .never(nil) { edges.append((left, right)) }
      }
    }
    guard !edges.isEmpty else { return }
    open(.selfInverse, detail: entity, ends: ends, edges: edges)
  }

  private mutating func infer(_ left: [Candidate], _ right: [Candidate]) {
    guard !left.isEmpty, !right.isEmpty else { return }
    if left.count == 1, right.count == 1 { return inferPair(left[0], right[0]) }
    let ends = left + right
    var edges: [(left: Int, right: Int)] = []
    for (position, first) in left.enumerated() {
      for (other, second) in right.enumerated() {
        switch Self.verdict(first, second) {
        case .never(let rule): note(rule, left: first, right: second)
        case .certain, .open: edges.append((position, left.count + other))
        }
      }
    }
    guard !edges.isEmpty else { return }
    open(.severalInverses, detail: "\(left[0].end.entity), \(right[0].end.entity)", ends: ends, edges: edges)
  }

  /// Infers the inverse where there is exactly one candidate each way.
  private mutating func inferPair(_ left: Candidate, _ right: Candidate) {
    if Self.areOldInverses(left, right) {
      return open(.inverseOfTwoMacros, detail: "", ends: [left, right], edges: [(0, 1)])
    }
    switch Self.verdict(left, right) {
    case .never(let rule): note(rule, left: left, right: right)
    case .certain:
      linked[left.end] = right.end
      linked[right.end] = left.end
    case .open(let rule): open(rule, detail: "", ends: [left, right], edges: [(0, 1)])
    }
  }

  private enum Verdict: Equatable {
    case never(UnmeasuredRule?)
    case certain
    case open(OpenRule)
  }

  /// Whether systems before 26 infer an inverse that later ones do not: between two macros without `inverse:`.
  private static func areOldInverses(_ left: Candidate, _ right: Candidate) -> Bool {
    let toOne = [left, right].filter { !$0.relationship.isToMany }
    return left.relationship.hasMacro && right.relationship.hasMacro && !toOne.isEmpty && toOne.allSatisfy(\.isOptional)
  }

  private static func verdict(_ left: Candidate, _ right: Candidate) -> Verdict {
    // With `@Relationship` without `inverse:` on both sides, none is inferred by systems from 26 on.
    if left.relationship.hasMacro && right.relationship.hasMacro { return .never(nil) }
    // A many-to-many inverse is never inferred; it needs `inverse:`.
    if left.relationship.isToMany && right.relationship.isToMany { return .never(.manyToManyNotInferred) }
    let toOne = [left, right].filter { !$0.relationship.isToMany }
    // With optional to-one sides, it is inferred; with `@Relationship` without `inverse:` on one of them, not by systems
    // from 26 on, as between two.
    if toOne.allSatisfy(\.isOptional) {
      return left.relationship.hasMacro || right.relationship.hasMacro ? .open(.inverseOfOneMacro) : .certain
    }
    // With a required to-one side, none is inferred.
    return toOne.contains(where: \.isOptional) ? .open(.requiredInverse) : .never(.requiredNotInferred)
  }

  private mutating func note(_ rule: UnmeasuredRule?, left: Candidate, right: Candidate) {
    guard let rule else { return }
    found.unmeasured[left.end] = rule
    found.unmeasured[right.end] = rule
  }

  private mutating func open(
    _ rule: OpenRule, detail: String, ends: [Candidate], edges: [(left: Int, right: Int)]
  ) {
    guard let pairings = matchings(edges, limit: Self.maximumPairings) else {
      for end in ends { found.problems[end.end] = "more than \(Self.maximumPairings) ways to pair it with an inverse" }
      return
    }
    let names = pairings.map { pairing -> String in
      let pairs = pairing.map { "\(ends[edges[$0].left].end.property)–\(ends[edges[$0].right].end.property)" }
      if pairs.isEmpty { return "none" }
      if detail.isEmpty { return "inferred" }
      return pairs.joined(separator: ", ")
    }
    for (position, end) in ends.enumerated() {
      let options = zip(names, pairings).map { name, pairing -> (name: String, value: String?) in
        for edge in pairing.map({ edges[$0] }) {
          if edge.left == position { return (name, ends[edge.right].end.property) }
          if edge.right == position { return (name, ends[edge.left].end.property) }
        }
        return (name, nil)
      }
      found.open[end.end] = (ChoiceKey(rule: rule, detail: detail), options)
    }
  }
}
