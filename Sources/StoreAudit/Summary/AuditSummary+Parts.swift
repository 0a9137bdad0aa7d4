import StoreFindings

extension AuditSummary {
  /// A version and the stores that have it.
  package struct VersionUse: Sendable, Equatable {
    /// The candidate version's label; else the store's identifiers and the start of its checksum.
    package var label: String
    /// Whether it is one of the given versions.
    package var isCandidate: Bool
    /// How many stores have it.
    package var stores: Int64
    /// Their total size.
    package var bytes: Int64
    /// The number of stores for each verdict.
    package var verdicts: [Verdict: Int64]
    /// Those that migrate and lose rows or values by it.
    package var losing: Int64
  }

  /// A check's findings at one place, in all stores.
  package struct FoundAt: Sendable, Equatable {
    /// The check's id.
    package var check: String
    /// The check's name.
    package var name: String
    /// The entity, else the table; nil for the store as a whole.
    package var owner: String?
    /// The attribute or relationship.
    package var property: String?
    /// The error code that the app gets; only for findings that prevent opening.
    package var code: Int64?
    /// The worst severity.
    package var severity: Severity
    /// Stores that have it.
    package var stores: Int64
    /// Rows, files or pages in all of them.
    package var rows: Int64
    /// The first few stores in byte order.
    package var examples: [AuditExample]

    /// "Note.title", "Note"; nil for the store as a whole.
    package var place: String? { joinedPlace(owner, property: property) }
  }

  /// The changes to rows at one place, in all stores that migrate.
  package struct RiskAt: Sendable, Equatable {
    /// The entity; nil for the store as a whole.
    package var owner: String?
    /// The attribute or relationship; nil for whole rows.
    package var property: String?
    /// Whether values are lost.
    package var isLoss: Bool
    /// The change: "lost".
    package var message: String
    /// Stores that have such rows.
    package var stores: Int64
    /// Rows in all of them.
    package var rows: Int64
    /// The first few stores in byte order.
    package var examples: [AuditExample]

    /// "Note.title", "Note"; nil for the store as a whole.
    package var place: String? { joinedPlace(owner, property: property) }
  }

  /// An entity in all stores.
  package struct EntityUse: Sendable, Equatable {
    /// Its name in the stores.
    package var name: String
    /// Stores that have it.
    package var stores: Int64
    /// Rows in all of them.
    package var rows: Int64
    /// The median number of rows; exact up to 7, else within an eighth.
    package var median: Int64
    /// The highest number of rows in one store.
    package var most: Int64
  }

  /// Why some stores were not read.
  package struct ProblemUse: Sendable, Equatable {
    /// The problem as in the lines: "truncated".
    package var kind: String
    /// Stores.
    package var stores: Int64
    /// The first few in byte order.
    package var examples: [AuditExample]
    /// Signals that ended the process, with their counts.
    package var signals: [Named]
  }

  /// A name and how often it occurs.
  package struct Named: Sendable, Equatable {
    /// The name.
    package var name: String
    /// How often.
    package var count: Int64
  }

  /// Counts of names beyond those that are kept.
  package struct Others: Sendable, Equatable {
    /// Stores of other versions.
    package var versions: Int64
    /// Occurrences of other causes.
    package var causes: Int64
    /// Occurrences of other findings.
    package var findings: Int64
    /// Occurrences of rows at risk at other places.
    package var atRisk: Int64
    /// Occurrences of other entities.
    package var entities: Int64
    /// Stores of other framework versions.
    package var frameworkVersions: Int64
    /// Stores with other problems.
    package var problems: Int64
  }

  /// Counts of the changes a recipe would make to all stores, or made.
  package struct Repairs: Sendable, Equatable {
    /// By repair.
    package var repairs: [Use]
    /// The number of obstacles.
    package var obstacles: Int64
    /// Copies by outcome.
    package var outputs: [Named]

    /// One repair.
    package struct Use: Sendable, Equatable {
      /// Its name.
      package var repair: String
      /// Operations; for most repairs this is the number of stores.
      package var stores: Int64
      /// Rows that change.
      package var changes: Int64
    }
  }

  /// The outcomes of the rehearsed migrations of all stores.
  package struct Rehearsals: Sendable, Equatable {
    /// Stores by outcome; none for stores that could not be read.
    package var outcomes: [AuditLine.Rehearsal.Outcome: Int64]
    /// Objects that are in stores and results.
    package var kept: Int64
    /// Objects of entities that the targets do not have.
    package var lost: Int64
    /// Values of attributes and relationships that the targets do not have.
    package var lostValues: Int64
    /// Stores that lose objects or values.
    package var losing: Int64
    /// Obstacles, that of the most stores first.
    package var obstacles: [Obstacle]
    /// Assumptions, with the number of stores.
    package var assumed: [Named]

    /// Why some stores were not migrated, or not as judged.
    package struct Obstacle: Sendable, Equatable {
      /// Their outcome.
      package var outcome: AuditLine.Rehearsal.Outcome
      /// One sentence.
      package var reason: String
      /// Stores.
      package var stores: Int64
      /// The first few in byte order.
      package var examples: [AuditExample]
    }
  }

  /// How long the stores took.
  package struct Timings: Sendable, Equatable {
    /// The total of all stores, which is not how long the run took.
    package var milliseconds: Int64
    /// The slowest, the slowest first.
    package var slowest: [Slow]

    /// One store.
    package struct Slow: Sendable, Equatable {
      /// The store.
      package var store: AuditExample
      /// How long it took.
      package var milliseconds: Int64
    }
  }
}

private func joinedPlace(_ owner: String?, property: String?) -> String? {
  let parts = [owner, property].compactMap(\.self)
  return parts.isEmpty ? nil : parts.joined(separator: ".")
}
