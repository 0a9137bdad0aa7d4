@testable import StoreDiagnosis
@testable import StoreFindings
@testable import StoreRepair
@testable import StoreScanning
import StoreDataModel
import StoreCoreData
import TestSupport
import Testing

/// Deduplication and deletion in a store give what a simple implementation on an object graph gives.
@Suite struct DedupeOracleTests {
  @Test(arguments: LongRuns.seeds(60, whole: 1000))
  func becomesWhatAPlainGraphBecomes(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let models = try GraphModel.all()
    let graphModel = models[Int(seed) % models.count]
    let store = try RepairBench(graphModel.model) { try graphModel.fill($0, &random) }
    let before = try store.graph()
    let trial = Trial(graphModel, before, &random)
    let decision = try trial.decide(in: store.bench)
    let expected = trial.expected()
    // A group that would make a loop is left out, which this oracle does not know; `keepsWhatSafePromises` does.
    if decision.obstacles.contains(where: { !$0.refusesPlan }) { return }

    #expect(
      decision.refusals.isEmpty == (expected != nil), "seed \(seed): \(trial) refused with \(decision.refusals)")
    guard let expected, decision.refusals.isEmpty else { return }
    // Nor does it go round a loop by another parent.
    guard trial.loops(in: expected).isSubset(of: trial.loops(in: before)) else { return }
    let errors = try store.errors()
    try store.perform(decision)
    let after = try store.graph()
    #expect(after == expected, "seed \(seed): \(trial)\n\(difference(before, expected, after))")
    #expect(try store.errors().subtracting(errors) == [], "seed \(seed): \(trial)")
    if trial.hasFixpoint {
      #expect(try trial.decide(in: store.bench).operations == [], "seed \(seed): \(trial) has more to do")
    }
  }

  @Test func triesEveryKindOfChange() throws {
    var kinds: [String: Int] = [:]
    for seed: UInt64 in 0..<30 {
      var random = SeededGenerator(seed: seed)
      let models = try GraphModel.all()
      let graphModel = models[Int(seed) % models.count]
      let store = try RepairBench(graphModel.model) { try graphModel.fill($0, &random) }
      let decision = try Trial(graphModel, store.graph(), &random).decide(in: store.bench)
      let kind = decision.refusals.isEmpty ? decision.operations.last.map { $0.summary.prefix(5) } ?? "none" : "refused"
      kinds[String(kind), default: 0] += 1
    }
    #expect(Set(kinds.keys) == ["merge", "empty", "refused", "none"])
    #expect(kinds["merge", default: 0] > 10)
  }

  /// What "safe" promises, by a mapping that knows nothing of plans: a merge that is graded safe keeps every object, its
  /// entity, its values and its links, and makes no loop; any merge that is carried out makes none.
  @Test(arguments: LongRuns.seeds(60, whole: 200))
  func keepsWhatSafePromises(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 7000)
    let models = try GraphModel.all()
    let graphModel = models[Int(seed) % models.count]
    let store = try RepairBench(graphModel.model) { try graphModel.fill($0, &random) }
    let before = try store.graph()
    let trial = Trial(graphModel, before, &random)
    guard case .merge = trial.action else { return }
    let decision = try Promise(store.bench).graded(trial.decide(in: store.bench))
    guard decision.refusals.isEmpty else { return }
    try store.perform(decision)
    let after = try store.graph()

    var became: [Node: Node] = [:]
    for group in trial.mergedGroups() {
      for node in group where after.objects[node] == nil {
        became[node] = group.first { after.objects[$0] != nil }
      }
    }
    func image(_ node: Node) -> Node { became[node] ?? node }
    let old = trial.loops(in: before)
    let images = Set(old.map { Trial.Place(property: $0.property, node: image($0.node)) })
    #expect(trial.loops(in: after).isSubset(of: images), "seed \(seed): \(trial) makes a loop")
    guard decision.operations.allSatisfy({ $0.grade == .safe }) else { return }
    for (node, object) in before.objects {
      guard let other = after.objects[image(node)] else {
        Issue.record("seed \(seed): \(node) is gone")
        continue
      }
      #expect(object.entity == other.entity, "seed \(seed): \(node)")
      for (name, value) in object.attributes {
        #expect(other.attributes[name] == value, "seed \(seed): \(node).\(name)")
      }
      for (name, links) in object.links {
        let lost = Set(links.map(image)).subtracting(other.links[name] ?? [])
        #expect(lost.isEmpty, "seed \(seed): \(trial): \(node).\(name) loses \(lost)")
      }
    }
  }

  private func difference(_ before: ObjectGraph, _ expected: ObjectGraph, _ after: ObjectGraph) -> String {
    let (wanted, got) = (Set(expected.lines), Set(after.lines))
    return
      (["before:"] + before.lines + ["expected:"] + wanted.subtracting(got).sorted() + ["got:"]
      + got.subtracting(wanted).sorted()).joined(separator: "\n")
  }
}

/// An operation on a graph.
private struct Trial: CustomStringConvertible {
  enum Action { case merge, delete, deleteSome([Node]) }

  let oracle: GraphOracle
  let entity: String
  let by: [String]
  let newest: String
  let keep: GraphOracle.Keep
  let nullsAreEqual: Bool
  let action: Action

  init(_ graphModel: GraphModel, _ graph: ObjectGraph, _ random: inout SeededGenerator) {
    oracle = GraphOracle(model: graphModel.model, graph: graph)
    let request = graphModel.requests[Int.random(in: 0..<graphModel.requests.count, using: &random)]
    (entity, by, newest) = request
    keep = GraphOracle.Keep.allCases[Int.random(in: 0..<GraphOracle.Keep.allCases.count, using: &random)]
    nullsAreEqual = Int.random(in: 0..<4, using: &random) == 0
    let objects = graph.objects.keys.sorted()
    switch Int.random(in: 0..<8, using: &random) {
    case 0: action = .delete
    case 1: action = .deleteSome(Array(objects.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))))
    default: action = .merge
    }
  }

  var description: String {
    "\(action) \(entity) by \(by), keep \(keep), \(nullsAreEqual ? "equal" : "distinct") NULLs"
  }

  /// Whether a second run has nothing to do. Not after deleting, which may clear what objects are compared by. Nor
  /// after merging with equal NULLs by a relationship among the merged objects: a link between two of them is dropped.
  var hasFixpoint: Bool {
    guard case .merge = action else { return false }
    let model = oracle.model
    let leadsToItself = by.contains { name in
      guard let relationship = model.property(name, of: entity)?.relationship else { return false }
      return model.root(of: relationship.destination)?.name == model.root(of: entity)?.name
    }
    return !(nullsAreEqual && leadsToItself)
  }

  func decide(in bench: Workbench) throws -> Decision {
    if case .deleteSome(let nodes) = action {
      let tables = Dictionary(grouping: nodes) { "Z" + $0.root.uppercased() }
      return try deletion(of: tables.mapValues { $0.map(\.key) }, in: bench, for: .dangling)
    }
    let layout = try #require(bench.map.entity(named: entity))
    var request = DedupeRequest(entity: layout, by: by)
    request.nullsAreEqual = nullsAreEqual
    request.keep = kept
    if case .delete = action { request.others = .delete }
    return try dedupe(request, in: bench)
  }

  private var kept: DedupeRequest.Keep {
    switch keep {
    case .first: .first
    case .last: .last
    case .mostComplete: .mostComplete
    case .mostLinked: .mostLinked
    case .newest: .newest(newest)
    case .oldest: .oldest(newest)
    }
  }

  /// An object on a loop of a relationship.
  struct Place: Hashable {
    var property: String
    var node: Node
  }

  /// Objects that are their own ancestors along a to-one that leads to objects of the same table, and is no side of a
  /// one-to-one.
  func loops(in graph: ObjectGraph) -> Set<Place> {
    var found: Set<Place> = []
    for (node, object) in graph.objects {
      for name in object.links.keys {
        func next(_ node: Node) -> Node? {
          guard let object = graph.objects[node],
            let relationship = oracle.model.property(name, of: object.entity)?.relationship, !relationship.isToMany
          else { return nil }
          let inverse = relationship.inverse.flatMap { name in
            oracle.model.property(name, of: relationship.destination)?.relationship
          }
          if inverse?.isToMany == false { return nil }
          return object.links[name]?.first.flatMap { $0.root == node.root ? $0 : nil }
        }
        var current = next(node)
        for _ in graph.objects {
          guard let known = current, known != node else { break }
          current = next(known)
        }
        if current == node { found.insert(Place(property: name, node: node)) }
      }
    }
    return found
  }

  /// The groups of equal objects.
  func mergedGroups() -> [[Node]] {
    oracle.groups(of: entity, by: by, nullsAreEqual: nullsAreEqual, keep: keep, value: newest, merges: true)
  }

  /// The expected graph; nil if the operation has to be refused.
  func expected() -> ObjectGraph? {
    func groups(_ merges: Bool) -> [[Node]] {
      oracle.groups(of: entity, by: by, nullsAreEqual: nullsAreEqual, keep: keep, value: newest, merges: merges)
    }
    let after: ObjectGraph?
    switch action {
    case .merge: after = oracle.merging(groups(true))
    case .delete:
      let groups = groups(false)
      after = oracle.deleting(groups.flatMap { $0.dropFirst() })
      if let after, groups.contains(where: { after.objects[$0[0]] == nil }) { return nil }
    case .deleteSome(let nodes): after = oracle.deleting(nodes)
    }
    return after.flatMap { oracle.breaksRules($0) ? nil : $0 }
  }
}

extension RepairBench {
  /// The current objects.
  fileprivate func graph() throws -> ObjectGraph {
    try ObjectGraph(Store(reading: bench.connection, copiedFrom: bench.store), bench.connection)
  }

  /// The current findings, by check and property.
  fileprivate func errors() throws -> Set<String> {
    let store = try Store(reading: bench.connection, copiedFrom: bench.store)
    let findings = try diagnose(Examination(store: store)).findings
    return Set(
      findings.filter { $0.severity == .error || ["SD406", "SD409"].contains($0.id) }
        .map { "\($0.id) \($0.table ?? "").\($0.property ?? "")" })
  }
}
