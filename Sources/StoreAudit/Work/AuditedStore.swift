import StoreSQLite
import StoreDiagnosis
import StoreFindings
import StoreCoreData

/// What an audit says of one entry: a line of `storedoctor.audit/2`.
public struct AuditedStore: Sendable {
  /// Digest of all that decides what lines say, so that lines of different runs are not mixed: 16 hex digits.
  public var run: String
  /// What it is, and where.
  public var item: AuditItem
  /// What became of it.
  public var status: AuditStatus
  /// Why nothing is said of its content.
  public var problem: AuditProblem?
  /// Bytes of the main file and its write-ahead log; nil where there is none.
  public var bytes: Int64?
  /// What it holds and what is wrong with it, where it was read.
  public var content: Content?
  /// What is wrong with it and was not known before, by check, entity and property.
  public var findings: [Finding]
  /// How many findings a baseline hides.
  public var known: Int = 0
  /// What a recipe comes to for it.
  public var repair: Repair?
  /// How long the work took, where that was asked for.
  public var milliseconds: Int64?
  /// What tells that its files were written to since: 16 hex digits; nil where there are none.
  public var stamp: String?

  /// What was read of a store.
  public struct Content: Sendable {
    /// The diagnosis, its findings apart.
    public var diagnosis: Diagnosis
    /// The checksum of the version hashes in its metadata, in base-64; nil where there are none.
    public var checksum: String?
    /// The name of the model version with the store's hashes, of those given.
    public var version: String?
    /// Whether the verdict is among what the baseline knows.
    public var verdictIsKnown = false
  }

  /// What a recipe comes to.
  public struct Repair: Sendable, Equatable {
    /// What would be done, or was, by repair.
    public var operations: [Count]
    /// What cannot be done, in sentences.
    public var obstacles: [String]
    /// The repaired copy, where one was written.
    public var output: String?
    /// Why nothing was planned, or written.
    public var failure: String?
    /// Whether a copy was asked for.
    public var isToBeWritten = false

    /// What one repair does.
    public struct Count: Sendable, Equatable {
      /// Its name.
      public var repair: String
      /// Operations of the plan.
      public var operations: Int
      /// Rows, or files, that change.
      public var changes: Int
    }
  }

  /// The worst of verdict and findings; nil where there is nothing to say.
  public var severity: Severity? {
    if let content, content.diagnosis.verdict.isError, !content.verdictIsKnown { return .error }
    return findings.map(\.severity).max()
  }
}

extension AuditedStore {
  /// The line of an entry of which nothing can be said but why.
  ///
  /// "SD101 comes from `audit` only" (`design.md` §6): what stands for a store and cannot be read is that finding.
  public init(_ item: AuditItem, _ problem: AuditProblem, run: String, known: Set<String> = []) {
    self.run = run
    self.item = item
    self.problem = problem
    stamp = item.stamp
    status = problem.status
    bytes = FileSystem.kind(of: item.location) == .file ? FileSystem.identity(of: item.location)?.size : nil
    findings = status.isStore ? [Check.unreadableFile.finding(nil, problem.message)] : []
    hide(known)
  }

  /// Takes away what is known. A verdict that is an error is known where every error it shows in is.
  mutating func hide(_ known: Set<String>) {
    guard !known.isEmpty else { return }
    let hidden = findings.filter { $0.isKnown(in: known) }
    findings.removeAll { $0.isKnown(in: known) }
    self.known = hidden.count
    content?.verdictIsKnown =
      hidden.contains { $0.severity == .error } && !findings.contains { $0.severity == .error }
  }
}
