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
    var random = Seeded(seed)
    let models = try GraphModel.all()
    let graphModel = models[Int(seed) % models.count]
    let store = try RepairBench(graphModel.model) { try graphModel.fill($0, &random) }
    let before = try store.graph()
    let trial = Trial(graphModel, before, &random)
    let decision = try trial.decide(in: store.bench)
    let expected = trial.expected()

    #expect(
      decision.refusals.isEmpty == (expected != nil), "seed \(seed): \(trial) refused with \(decision.refusals)")
    guard let expected, decision.refusals.isEmpty else { return }
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
      var random = Seeded(seed)
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

  init(_ graphModel: GraphModel, _ graph: ObjectGraph, _ random: inout Seeded) {
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
