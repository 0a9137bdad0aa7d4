import StoreFindings

/// What an audit says of one store, or of something that was named and is none: a line of `storedoctor.audit/2`.
///
/// It is what was read from a finished line; `AuditLine.Detail` says how much of one is read.
public struct AuditLine: Sendable, Equatable {
  /// The version of storedoctor that wrote the line.
  public var toolVersion: String
  /// A digest of everything that decides what the lines of a run say; lines of one value can stand in one report.
  public var run: String
  /// As given or found; an entry of an archive is `archive.zip!entry`.
  public var path: String
  /// The path byte for byte, where it is not UTF-8 and `path` is a repaired one.
  public var pathBytes: [UInt8]?
  /// What a list given with `--from` calls it.
  public var id: String?
  /// Where it is in what the list calls so: "/2024/Notes.sqlite" of a folder, "!Notes.sqlite" of an archive.
  public var within: [UInt8] = []
  /// How far the audit came with it.
  public var status: AuditStatus
  /// What stood in the way, where something did.
  public var problem: Problem?
  /// The worst of verdict and findings; nil where there is nothing to say.
  public var severity: Severity?
  /// Of the main file and its WAL.
  public var bytes: Int64?
  /// Of all entities.
  public var rows: Int64?
  /// The app's own entities, in order of name.
  public var entities: [EntityRows] = []
  /// What the store says of itself.
  public var store: StoreFacts?
  /// The candidate version whose hashes the store has; nil where none has them.
  public var version: String?
  /// The answer in a word.
  public var verdict: Verdict?
  /// What the verdict was given for, where models were given.
  public var deciding: Deciding?
  /// The answer for each candidate version.
  public var models: [Candidate] = []
  /// What a migration that is not stopped takes away, or passes and is worth a look; of the deciding version.
  public var atRisk: [Risk] = []
  /// What is wrong. The fingerprint follows from check and place, and is not read.
  public var findings: [Finding] = []
  /// What could not be looked at; read whole alone.
  public var skipped: [SkippedCheck] = []
  /// How many things could not be looked at.
  public var skippedCount: Int64 = 0
  /// Findings of entities that were not asked for.
  public var leftOut: Int64 = 0
  /// The configuration that held.
  public var config: String?
  /// Findings that a baseline hides.
  public var known: Int64 = 0
  /// Findings that the configuration mutes.
  public var muted: Int64 = 0
  /// What a recipe would do.
  public var plan: Plan?
  /// The repaired copy.
  public var output: Output?
  /// How long it took; only with `--timings`.
  public var milliseconds: Int64?
  /// What tells that its files were written to since: 16 hex digits.
  public var stamp: String?

  /// A line that says no more than what it is about.
  public init(toolVersion: String, run: String, path: String, status: AuditStatus) {
    self.toolVersion = toolVersion
    self.run = run
    self.path = path
    self.status = status
  }

  /// How much of a line is read.
  public enum Detail: Sendable {
    /// What a gate asks: path and id, status, severity, verdict, version, and what became of a copy.
    case standing
    /// What is counted; no messages, examples or remedies of findings.
    case facts
    /// Everything that another format shows.
    case whole
  }
}

extension AuditLine {
  /// What stood in the way.
  public struct Problem: Sendable, Equatable {
    /// In a word: "truncated", "not-permitted", "orphan-wal".
    public var kind: String
    /// In a sentence.
    public var message: String
    /// What was being done: "opening", "reading".
    public var stage: String?
    /// The signal that ended the process.
    public var signal: Int64?
  }

  /// An entity and how many rows it has, without those of its subentities.
  public struct EntityRows: Sendable, Equatable {
    /// Its name in `Z_PRIMARYKEY`.
    public var name: String
    /// Rows.
    public var rows: Int64
  }

  /// What the store says of itself.
  public struct StoreFacts: Sendable, Equatable {
    /// `Z_UUID`.
    public var uuid: String?
    /// Of the framework that last wrote the metadata.
    public var frameworkVersion: Int64?
    /// Text given by the developer.
    public var versionIdentifiers: [String] = []
    /// "cache", "given" or "inferred".
    public var modelSource: String?
    /// The digest of the version hashes, in base-64.
    public var digest: String?
    /// Their checksum, in base-64.
    public var checksum: String?
  }

  /// The version that decides.
  public struct Deciding: Sendable, Equatable {
    /// Its label.
    public var version: String
    /// What the app prints.
    public var code: Int64?
    /// What the verdict rests on.
    public var basis: String
  }

  /// The answer for one candidate version.
  public struct Candidate: Sendable, Equatable {
    /// Its label.
    public var version: String
    /// The answer.
    public var verdict: Verdict
    /// What the app prints.
    public var code: Int64?
  }

  /// Rows that a migration takes something from, or that pass and are worth a look.
  public struct Risk: Sendable, Equatable {
    /// The entity, by the store's name where it has one.
    public var entity: String?
    /// The attribute or relationship; nil for whole rows.
    public var property: String?
    /// Whether what they hold is gone afterwards.
    public var isLoss: Bool
    /// What becomes of them: "lost".
    public var message: String
    /// How many rows.
    public var rows: Int64

    /// What becomes of some rows.
    public init(entity: String?, property: String?, isLoss: Bool, message: String, rows: Int64) {
      self.entity = entity
      self.property = property
      self.isLoss = isLoss
      self.message = message
      self.rows = rows
    }
  }

  /// What a recipe would do to the store.
  public struct Plan: Sendable, Equatable {
    /// In order.
    public var operations: [Operation] = []
    /// How many things stand in its way.
    public var obstacles: Int64 = 0

    /// One repair.
    public struct Operation: Sendable, Equatable {
      /// Its name.
      public var repair: String
      /// Rows that change.
      public var changes: Int64
    }
  }

  /// A repaired copy.
  public struct Output: Sendable, Equatable {
    /// Where it is.
    public var path: String?
    /// What became of it.
    public var outcome: String
  }

  /// The path's own bytes.
  public var pathInBytes: [UInt8] { pathBytes ?? Array(path.utf8) }

  /// What a line is sorted, merged and known by: its id with where it is in what has that, else its path.
  public var key: [UInt8] { id.map { Array($0.utf8) + within } ?? pathInBytes }
}
