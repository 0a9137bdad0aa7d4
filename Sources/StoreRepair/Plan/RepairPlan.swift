import StoreDiagnosis
import StoreFindings

/// What a recipe comes to for one store: every row that would change, and what the store would be like afterwards.
///
/// A plan is a value: it can be printed, reviewed, saved, and carried out by `apply`, which plans anew and refuses
/// whatever differs.
public struct RepairPlan: Sendable, Equatable {
  /// The store the plan is for.
  public var store: Subject
  /// What was asked for.
  public var recipe: Recipe
  /// What generated values follow from.
  public var generated: SeededValues
  /// Whether CloudKit mirrors the store.
  public var isMirrored: Bool
  /// What is done, in order.
  public var operations: [Operation]
  /// What was asked for and cannot be done.
  public var obstacles: [Obstacle]
  /// What whoever carries it out should know; lower case, no full stop.
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

  /// What a store is like, counted.
  public struct Condition: Sendable, Equatable {
    /// Rows of each entity, without those of its sub-entities, by its name in `Z_PRIMARYKEY`; links of each join table by
    /// the table's name.
    public var rows: [String: Int64] = [:]
    /// What a diagnosis finds.
    public var findings: [Count] = []
    /// Whether `integrity_check` complains of nothing.
    public var isIntact = true

    /// A finding by its place, with how many rows it is about.
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

  /// Why no part of it may be carried out; empty where it may.
  public var refusals: [Obstacle] { obstacles.filter(\.refusesPlan) }

  /// What has to be allowed for it to be carried out.
  public var grades: Set<RepairGrade> { Set(operations.map(\.grade)) }
}

extension RepairPlan.Condition {
  /// What a diagnosis counted.
  init(_ diagnosis: Diagnosis, rows: [String: Int64], isIntact: Bool) {
    self.rows = rows
    self.isIntact = isIntact
    findings = diagnosis.findings.map {
      Count(id: $0.id, severity: $0.severity, entity: $0.entity, property: $0.property, count: $0.count)
    }
  }

  /// Findings of severity error that `earlier` has not, or has fewer of.
  func newErrors(since earlier: Self) -> [Count] {
    findings.filter { found in
      found.severity == .error && found.count > earlier.count(at: found)
    }
  }

  /// How many rows the same finding is about here; 0 without one.
  public func count(at place: Count) -> Int64 {
    findings.lazy.filter { ($0.id, $0.entity, $0.property) == (place.id, place.entity, place.property) }.map(\.count)
      .reduce(0, +)
  }
}
