import CoreDataStore

/// One kind of problem: what it is called, what it means, and how to find it.
///
/// A check looks twice. Before the tables are read it asks the scan for what it wants of them; what it returns is run
/// when they have been read, and gives the findings. It reads nothing itself except where an index answers, writes
/// nothing, and knows no other check. A class, since all that is ever done with one is to hand it on.
public final class Check: Sendable {
  /// "SD401"; permanent and never used again.
  public let id: String
  /// "dangling-reference": the problem, not the cure; permanent too.
  public let name: String
  /// How bad a finding is unless somebody says otherwise.
  public let severity: Severity
  /// One sentence.
  public let summary: String
  /// Markdown under four headings: what it looks for, why it matters, an example, what can be done.
  public let explanation: String

  private let look: @Sendable (Check, Scan, Candidates?) throws -> Judgement

  /// What is run once the tables have been read.
  typealias Judgement = () throws -> [Finding]

  /// A check of the store that also looks at the models it may be opened with, where there are any.
  init(
    _ id: String, _ name: String, _ severity: Severity, summary: String, explanation: String,
    lookWithCandidates look: @escaping @Sendable (Check, Scan, Candidates?) throws -> Judgement
  ) {
    self.id = id
    self.name = name
    self.severity = severity
    self.summary = summary
    self.explanation = explanation
    self.look = look
  }

  /// A check of the store alone.
  convenience init(
    _ id: String, _ name: String, _ severity: Severity, summary: String, explanation: String,
    look: @escaping @Sendable (Check, Scan) throws -> Judgement
  ) {
    self.init(
      id, name, severity, summary: summary, explanation: explanation,
      lookWithCandidates: { check, scan, _ in try look(check, scan) })
  }

  /// A check of the store against the models it may be opened with; without models it finds nothing.
  convenience init(
    _ id: String, _ name: String, _ severity: Severity, summary: String, explanation: String,
    ofCandidates find: @escaping @Sendable (CandidateView) -> [Finding]
  ) {
    self.init(
      id, name, severity, summary: summary, explanation: explanation,
      lookWithCandidates: { check, scan, candidates in
        guard let candidates else { return { [] } }
        return { find(CandidateView(check: check, candidates: candidates, scan: scan)) }
      })
  }

  /// Asks the scan for what the check wants of the tables.
  ///
  /// - Parameter candidates: the models the store may be opened with; nil where none is given.
  func prepare(_ scan: Scan, _ candidates: Candidates?) throws -> Judgement { try look(self, scan, candidates) }
}

// MARK: Making findings
//
// Words are put together only where there is something to say: most columns of most stores have nothing.

extension Check {
  /// A finding at a relationship; nil where no row is concerned.
  func finding(
    _ relationship: StoredRelationship, table: String, _ rows: ExampleTally, _ message: @autoclosure () -> String,
    blocks: [Int] = [], remedies: @autoclosure () -> [Finding.Remedy] = []
  ) -> Finding? {
    guard rows.count > 0 else { return nil }
    return Finding(
      id: id, name: name, severity: severity, entity: relationship.owner.name, table: table,
      property: relationship.layout.name, count: rows.count, examples: rows.examples, message: message(),
      blocks: blocks,
      remedies: remedies(), basis: relationship.basis)
  }
}

extension Check {
  /// A finding at an entity, or at none.
  func finding(
    _ entity: String? = nil, table: String? = nil, property: String? = nil, count: Int64 = 1,
    examples: [Finding.Example] = [], _ message: String, blocks: [Int] = [], remedies: [Finding.Remedy] = [],
    basis: Basis = .observed
  ) -> Finding {
    Finding(
      id: id, name: name, severity: severity, entity: entity, table: table, property: property, count: count,
      examples: examples, message: message, blocks: blocks, remedies: remedies, basis: basis)
  }

  /// A finding at the rows of an entity's table; nil where no row is concerned.
  func finding(
    _ entity: EntityLayout, _ rows: ExampleTally, _ message: @autoclosure () -> String, blocks: [Int] = [],
    remedies: @autoclosure () -> [Finding.Remedy] = []
  ) -> Finding? {
    guard rows.count > 0 else { return nil }
    return finding(
      entity.name, table: entity.table, count: rows.count, examples: rows.examples, message(), blocks: blocks,
      remedies: remedies())
  }
}

/// Things counted, and the first of them as examples.
struct ExampleTally {
  /// How many there are.
  private(set) var count: Int64 = 0
  /// The first of them.
  private(set) var examples: [Finding.Example] = []
  let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Rows that were counted during the read.
  init(_ rows: RowTally, example: (Int64) -> Finding.Example) {
    count = rows.count
    examples = rows.keys.map(example)
    limit = rows.limit
  }

  /// Counts a thing; the example is made only if it is one of the first.
  mutating func add(_ example: @autoclosure () -> Finding.Example) {
    count += 1
    if examples.count < limit { examples.append(example()) }
  }
}

extension Check: CustomStringConvertible {
  /// "SD401 dangling-reference".
  public var description: String { "\(id) \(name)" }
}
