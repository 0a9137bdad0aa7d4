import StoreDiagnosis
import StoreFindings

/// The result of planning a recipe for one store: every row that would change, and the store's condition afterwards.
///
/// A plan is a value that can be printed, reviewed and saved. A saved one is planned again before it is applied, and
/// refused if anything differs.
public struct RepairPlan: Sendable, Equatable {
  /// The store the plan is for.
  public var store: Subject
  /// The recipe asked for.
  package var recipe: Recipe
  /// The model that the store is to open with, and what follows from it; nil where none was given.
  package var aim: RepairAim?
  /// The seed and time that generated values are computed from.
  package var generated: SeededValues
  /// Whether CloudKit mirrors the store.
  public var isMirrored: Bool
  /// The operations, in order.
  public var operations: [Operation]
  /// Requests that cannot be carried out.
  public var obstacles: [Obstacle]
  /// Remarks for the person who applies the plan; lower case, no full stop.
  public var notices: [String]
  /// The store as it is.
  public var before: Condition
  /// The store as it would be.
  public var after: Condition

  /// Which store a plan is for.
  public struct Subject: Sendable, Equatable {
    /// The path as it was given.
    public var path: String
    /// `Z_UUID`; nil where the metadata has none.
    public var uuid: String?
    /// SHA-256 over the main file and the committed frames of the WAL, in hex.
    public var fingerprint: String
  }

  /// A store's condition, in numbers.
  public struct Condition: Sendable, Equatable {
    /// Rows of each entity, without those of its sub-entities, by its name in `Z_PRIMARYKEY`; links of each join table
    /// by the table's name.
    public var rows: [String: Int64] = [:]
    /// The findings of a diagnosis.
    public var findings: [Count] = []
    /// Whether no finding is about damaged pages or indexes.
    public var isIntact = true
    /// The result of opening it with the model it is repaired for; nil where there is no model, and where the
    /// plan is refused and so the condition never comes to be.
    public var opening: ModelVerdict?

    /// A finding's check and place, with how many rows it is about.
    public struct Count: Sendable, Equatable {
      /// The check's id.
      public var id: String
      /// How bad it is.
      public var severity: Severity
      /// The entity, by its name in `Z_PRIMARYKEY`.
      public var entity: String?
      /// The attribute or relationship.
      public var property: String?
      /// Rows, files or pages.
      public var count: Int64
    }
  }

  /// Whether there is nothing to do.
  public var isEmpty: Bool { operations.isEmpty }

  /// The obstacles that forbid the whole plan; empty where it may be carried out.
  public var refusals: [Obstacle] { obstacles.filter(\.refusesPlan) }

  /// The grades of its operations, which have to be allowed.
  public var grades: Set<RepairGrade> { Set(operations.map(\.grade)) }
}

extension RepairPlan.Condition {
  /// The condition that a diagnosis found, without guesses about how the file came to be: a copy has another past.
  init(_ diagnosis: Diagnosis, rows: [String: Int64], isIntact: Bool) {
    self.rows = rows
    self.isIntact = isIntact
    opening = diagnosis.deciding
    findings = diagnosis.findings.filter { !$0.traits.contains(.origin) }.map {
      Count(id: $0.id, severity: $0.severity, entity: $0.entity, property: $0.property, count: $0.count)
    }
  }

  /// The total count of the same finding here; 0 without one.
  public func count(at place: Count) -> Int64 {
    findings.lazy.filter { ($0.id, $0.entity, $0.property) == (place.id, place.entity, place.property) }.map(\.count)
      .reduce(0, +)
  }
}
