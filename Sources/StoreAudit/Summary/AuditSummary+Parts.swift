import StoreFindings

extension AuditSummary {
  /// A version and the stores that have it.
  public struct VersionUse: Sendable, Equatable {
    /// The candidate version's label; else the store's identifiers and the start of its checksum.
    public var label: String
    /// Whether it is one of the given versions.
    public var isCandidate: Bool
    /// How many stores have it.
    public var stores: Int64
    /// Their total size.
    public var bytes: Int64
    /// The number of stores for each verdict.
    public var verdicts: [Verdict: Int64]
    /// Those that migrate and lose rows or values by it.
    public var losing: Int64
  }

  /// A check's findings at one place, in all stores.
  public struct FoundAt: Sendable, Equatable {
    /// The check's id.
    public var check: String
    /// The check's name.
    public var name: String
    /// The entity, else the table; nil for the store as a whole.
    public var owner: String?
    /// The attribute or relationship.
    public var property: String?
    /// The error code that the app gets; only for findings that prevent opening.
    public var code: Int64?
    /// The worst severity.
    public var severity: Severity
    /// Stores that have it.
    public var stores: Int64
    /// Rows, files or pages in all of them.
    public var rows: Int64
    /// The first few stores in byte order.
    public var examples: [AuditExample]

    /// "Note.title", "Note"; nil for the store as a whole.
    public var place: String? { joinedPlace(owner, property: property) }
  }

  /// The changes to rows at one place, in all stores that migrate.
  public struct RiskAt: Sendable, Equatable {
    /// The entity; nil for the store as a whole.
    public var owner: String?
    /// The attribute or relationship; nil for whole rows.
    public var property: String?
    /// Whether values are lost.
    public var isLoss: Bool
    /// The change: "lost".
    public var message: String
    /// Stores that have such rows.
    public var stores: Int64
    /// Rows in all of them.
    public var rows: Int64
    /// The first few stores in byte order.
    public var examples: [AuditExample]

    /// "Note.title", "Note"; nil for the store as a whole.
    public var place: String? { joinedPlace(owner, property: property) }
  }

  /// An entity in all stores.
  public struct EntityUse: Sendable, Equatable {
    /// Its name in the stores.
    public var name: String
    /// Stores that have it.
    public var stores: Int64
    /// Rows in all of them.
    public var rows: Int64
    /// The median number of rows; exact up to 7, else within an eighth.
    public var median: Int64
    /// The highest number of rows in one store.
    public var most: Int64
  }

  /// Why some stores were not read.
  public struct ProblemUse: Sendable, Equatable {
    /// The problem as in the lines: "truncated".
    public var kind: String
    /// Stores.
    public var stores: Int64
    /// The first few in byte order.
    public var examples: [AuditExample]
    /// Signals that ended the process, with their counts.
    public var signals: [Named]
  }

  /// A name and how often it occurs.
  public struct Named: Sendable, Equatable {
    /// The name.
    public var name: String
    /// How often.
    public var count: Int64
  }

  /// Counts of names beyond those that are kept.
  public struct Others: Sendable, Equatable {
    /// Stores of other versions.
    public var versions: Int64
    /// Occurrences of other causes.
    public var causes: Int64
    /// Occurrences of other findings.
    public var findings: Int64
    /// Occurrences of rows at risk at other places.
    public var atRisk: Int64
    /// Occurrences of other entities.
    public var entities: Int64
    /// Stores of other framework versions.
    public var frameworkVersions: Int64
    /// Stores with other problems.
    public var problems: Int64
  }

  /// Counts of the changes a recipe would make to all stores, or made.
  public struct Repairs: Sendable, Equatable {
    /// By repair.
    public var repairs: [Use]
    /// The number of obstacles.
    public var obstacles: Int64
    /// Copies by outcome.
    public var outputs: [Named]

    /// One repair.
    public struct Use: Sendable, Equatable {
      /// Its name.
      public var repair: String
      /// Operations; for most repairs this is the number of stores.
      public var stores: Int64
      /// Rows that change.
      public var changes: Int64
    }
  }

  /// The outcomes of the rehearsed migrations of all stores.
  public struct Rehearsals: Sendable, Equatable {
    /// Stores by outcome; none for stores that could not be read.
    public var outcomes: [AuditLine.Rehearsal.Outcome: Int64]
    /// Objects that are in stores and results.
    public var kept: Int64
    /// Objects of entities that the targets do not have.
    public var lost: Int64
    /// Values of attributes and relationships that the targets do not have.
    public var lostValues: Int64
    /// Stores that lose objects or values.
    public var losing: Int64
    /// Obstacles, that of the most stores first.
    public var obstacles: [Obstacle]
    /// Assumptions, with the number of stores.
    public var assumed: [Named]

    /// Why some stores were not migrated, or not as judged.
    public struct Obstacle: Sendable, Equatable {
      /// Their outcome.
      public var outcome: AuditLine.Rehearsal.Outcome
      /// One sentence.
      public var reason: String
      /// Stores.
      public var stores: Int64
      /// The first few in byte order.
      public var examples: [AuditExample]
    }
  }

  /// How long the stores took.
  public struct Timings: Sendable, Equatable {
    /// The total of all stores, which is not how long the run took.
    public var milliseconds: Int64
    /// The slowest, the slowest first.
    public var slowest: [Slow]

    /// One store.
    public struct Slow: Sendable, Equatable {
      /// The store.
      public var store: AuditExample
      /// How long it took.
      public var milliseconds: Int64
    }
  }
}

private func joinedPlace(_ owner: String?, property: String?) -> String? {
  let parts = [owner, property].compactMap(\.self)
  return parts.isEmpty ? nil : parts.joined(separator: ".")
}
