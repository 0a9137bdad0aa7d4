import StoreFindings

/// The result of an audit for one store, or for something that was named and is none: a line of `storedoctor.audit/2`.
///
/// Read from a finished line; `AuditLine.Detail` says how much of it.
package struct AuditLine: Sendable, Equatable {
  /// The version of storedoctor that wrote the line.
  package var toolVersion: String
  /// A digest of everything that decides what a run's lines say; only lines with the same one belong in one report.
  package var run: String
  /// The path as given or found; `archive.zip!entry` in an archive.
  package var path: String
  /// The path's bytes, where it is not UTF-8 and `path` is repaired.
  package var pathBytes: [UInt8]?
  /// Its id in a list given with `--from`.
  package var id: String?
  /// The path inside of what that id names: "/2024/Notes.sqlite" in a folder, "!Notes.sqlite" in an archive.
  package var within: [UInt8] = []
  /// The outcome.
  package var status: AuditStatus
  /// The problem, if there was one.
  package var problem: Problem?
  /// The worst severity of verdict and findings; nil where there is none.
  package var severity: Severity?
  /// Size of the main file and its WAL.
  package var bytes: Int64?
  /// Rows of all entities.
  package var rows: Int64?
  /// The app's own entities, in order of name.
  package var entities: [EntityRows] = []
  /// Facts of the store's metadata.
  package var store: StoreFacts?
  /// The candidate version with the store's hashes; nil where there is none.
  package var version: String?
  /// The verdict of the deciding version.
  package var verdict: Verdict?
  /// The deciding version, where models were given.
  package var deciding: Deciding?
  /// The verdict for each candidate version.
  package var models: [Candidate] = []
  /// Rows that lose something in the migration to the deciding version, or pass it and deserve a look.
  package var atRisk: [Risk] = []
  /// The findings. Their fingerprints are computed from check and place, and not read.
  package var findings: [Finding] = []
  /// What `salvage` would save of it, where it is damaged and that can be told.
  package var savable: Savable?
  /// Checks that could not be made; read only with `whole`.
  package var skipped: [SkippedCheck] = []
  /// The number of checks that could not be made.
  package var skippedCount: Int64 = 0
  /// The number of findings about entities that were not asked for.
  package var leftOut: Int64 = 0
  /// The configuration in effect.
  package var config: String?
  /// The number of findings that a baseline hides.
  package var known: Int64 = 0
  /// The number of findings that the configuration mutes.
  package var muted: Int64 = 0
  /// The repairs a recipe would make.
  package var plan: Plan?
  /// The copy, repaired or without anybody's values.
  package var output: Output?
  /// The outcome of a rehearsed migration; only of `rehearse` and `audit --rehearse`.
  package var rehearsal: Rehearsal?
  /// How long the store took; only with `--timings`.
  package var milliseconds: Int64?
  /// A stamp of its files, 16 hex digits, which changes when they are written.
  package var stamp: String?
  /// The app or group in whose container it lies, where its path does not say so.
  package var container: String?
  /// Of a store in a backup: the device, in words.
  package var device: String?

  /// A line without facts about its entry.
  package init(toolVersion: String, run: String, path: String, status: AuditStatus) {
    self.toolVersion = toolVersion
    self.run = run
    self.path = path
    self.status = status
  }

  /// How much of a line is read.
  package enum Detail: Sendable {
    /// The members a gate needs: path and id, status, severity, verdict, version, the store, and the outcome of a copy.
    case standing
    /// Everything that is counted; no messages, examples or remedies of findings.
    case facts
    /// Everything that other formats show.
    case whole
  }
}

extension AuditLine {
  /// Why a store was not read.
  package struct Problem: Sendable, Equatable {
    /// The problem in a word: "truncated", "not-permitted", "orphan-wal".
    package var kind: String
    /// The problem in a sentence.
    package var message: String
    /// The stage: "opening", "reading".
    package var stage: String?
    /// The signal that ended the process.
    package var signal: Int64?
  }

  /// What `salvage` would save.
  package struct Savable: Sendable, Equatable {
    /// Objects of the app's own entities.
    package var objects: Int64 = 0
    /// Rows of all tables that are left out, since they are doubtful.
    package var doubtful: Int64 = 0
    /// Keys of objects that lie on pages which cannot be read, as far as it is known how many were handed out.
    package var lostKeys: Int64 = 0
    /// Whether it is not known of all tables how many of these keys were handed out.
    package var mayLoseMore = false
  }

  /// An entity and how many rows it has, without those of its subentities.
  package struct EntityRows: Sendable, Equatable {
    /// Its name in `Z_PRIMARYKEY`.
    package var name: String
    /// Rows.
    package var rows: Int64
  }

  /// Facts of the store's metadata.
  package struct StoreFacts: Sendable, Equatable {
    /// `Z_UUID`.
    package var uuid: String?
    /// The version of the framework that last wrote the metadata.
    package var frameworkVersion: Int64?
    /// Text given by the developer.
    package var versionIdentifiers: [String] = []
    /// "cache", "given" or "inferred".
    package var modelSource: String?
    /// The digest of the version hashes, in base-64.
    package var digest: String?
    /// Their checksum, in base-64.
    package var checksum: String?
    /// Whether all that was saved was read, as far as the files tell; nil in lines that do not say it.
    package var isWhole: Bool?
    /// Whether the access times of its files are as they were; nil in lines that do not say it.
    package var keepsAccessTimes: Bool?
    /// What the answer leaves open, a clause each: why it is not whole, what is damaged, whether access times changed.
    package var remarks: [String] = []
  }

  /// The version that decides.
  package struct Deciding: Sendable, Equatable {
    /// Its label.
    package var version: String
    /// The error code that the app gets.
    package var code: Int64?
    /// The basis of the verdict.
    package var basis: String
  }

  /// The verdict for one candidate version.
  package struct Candidate: Sendable, Equatable {
    /// Its label.
    package var version: String
    /// The answer.
    package var verdict: Verdict
    /// The error code that the app gets.
    package var code: Int64?
  }

  /// Rows that lose something in a migration, or pass it and deserve a look.
  package struct Risk: Sendable, Equatable {
    /// The entity, by the store's name where it has one.
    package var entity: String?
    /// The attribute or relationship; nil for whole rows.
    package var property: String?
    /// Whether values are lost.
    package var isLoss: Bool
    /// The change: "lost".
    package var message: String
    /// How many rows.
    package var rows: Int64

    /// Rows at one place, and what happens to them.
    package init(entity: String?, property: String?, isLoss: Bool, message: String, rows: Int64) {
      self.entity = entity
      self.property = property
      self.isLoss = isLoss
      self.message = message
      self.rows = rows
    }
  }

  /// The repairs a recipe would make to the store.
  package struct Plan: Sendable, Equatable {
    /// The operations, in order.
    package var operations: [Operation] = []
    /// The number of obstacles.
    package var obstacles: Int64 = 0

    /// One repair.
    package struct Operation: Sendable, Equatable {
      /// Its name.
      package var repair: String
      /// Rows that change.
      package var changes: Int64
    }
  }

  /// A copy, repaired or without anybody's values.
  package struct Output: Sendable, Equatable {
    /// Where it is.
    package var path: String?
    /// The outcome of writing it.
    package var outcome: String
    /// Whether it has nobody's values.
    package var isAnonymized = false
  }

  /// A migration that was performed in private and thrown away.
  package struct Rehearsal: Sendable, Equatable {
    /// The outcome.
    package var outcome: Outcome
    /// Why it was not performed, or not what was judged; one sentence each.
    package var reasons: [String] = []
    /// Assumptions.
    package var assumed: [String] = []
    /// Objects that are in store and result.
    package var kept: Int64?
    /// Objects of entities that the target does not have.
    package var lost: Int64?
    /// Values of attributes and relationships that the target does not have.
    package var lostValues: Int64?
    /// The path of the migrated copy, if it was kept.
    package var output: String?

    /// How a rehearsal can end.
    package enum Outcome: String, Sendable, CaseIterable {
      /// It was performed, and is what was judged.
      case performed
      /// There is nothing to migrate.
      case opens
      /// The models do not migrate it.
      case notPossible = "not-possible"
      /// It is not known what Core Data would write, or only the app's code can.
      case notRehearsed = "not-rehearsed"
      /// Verdict and performance disagree, which is an error of storedoctor's.
      case notAsJudged = "not-as-judged"

      /// Whether a store with this outcome passes the gate.
      package var isPassed: Bool { self == .performed || self == .opens }
    }

    /// An outcome without details.
    package init(_ outcome: Outcome) { self.outcome = outcome }
  }

  /// Whether its migration was performed in private, and loses objects or values.
  package var losesInRehearsal: Bool {
    guard let rehearsal, rehearsal.outcome == .performed else { return false }
    return (rehearsal.lost ?? 0) > 0 || (rehearsal.lostValues ?? 0) > 0
      || findings.contains { $0.traits.contains(.losses) && $0.severity > .note }
  }

  /// Whether it opens, or was migrated as it was judged.
  ///
  /// - Parameter failsOnLoss: whether a migration that loses something does not pass; needs the detail `facts`.
  package func passesRehearsal(failsOnLoss: Bool) -> Bool {
    rehearsal?.outcome.isPassed == true && !(failsOnLoss && losesInRehearsal)
  }

  /// The path's own bytes.
  package var pathInBytes: [UInt8] { pathBytes ?? Array(path.utf8) }

  /// Identifies the entry for sorting, merging and baselines: its id with the path inside, else its path.
  package var key: [UInt8] { id.map { Array($0.utf8) + within } ?? pathInBytes }
}
