import StoreSQLite
import StoreDiagnosis
import StoreFindings
import StoreCoreData

/// The result of an audit for one entry: a line of `storedoctor.audit/2`.
package struct AuditedStore: Sendable {
  /// Digest of everything that decides the contents of lines, so that different runs are not mixed: 16 hex digits.
  package var run: String
  /// The entry.
  package var item: AuditItem
  /// The outcome.
  package var status: AuditStatus
  /// Why nothing is said about its contents.
  package var problem: AuditProblem?
  /// Size of the main file and its write-ahead log; nil where there is none.
  package var bytes: Int64?
  /// The content of the store, if it was read.
  package var content: Content?
  /// Findings that are not known already, by check, entity and property.
  package var findings: [Finding]
  /// What `salvage` would save, where the store is damaged and that can be told.
  package var savable: Savable?
  /// How many findings a baseline hides.
  package var known: Int = 0
  /// The result of the recipe, if there is one.
  package var repair: Repair?
  /// The copy without anybody's values, if one was asked for.
  package var copy: Copy?
  /// The outcome of a rehearsed migration, if it was asked for.
  package var rehearsal: AuditLine.Rehearsal?
  /// How long the work took, if that was asked for.
  package var milliseconds: Int64?
  /// A stamp of its files, 16 hex digits, which changes when they are written; nil where there are none.
  package var stamp: String?

  /// The content read of a store.
  package struct Content: Sendable {
    /// The diagnosis without its findings.
    package var diagnosis: Diagnosis
    /// The checksum of the version hashes in its metadata, in base-64; nil where there are none.
    package var checksum: String?
    /// The name of the given model version that has the store's hashes.
    package var version: String?
    /// Whether the baseline hides the verdict.
    package var verdictIsKnown = false
  }

  /// The result of a recipe.
  package struct Repair: Sendable, Equatable {
    /// The operations that repair would do, or did.
    package var operations: [Count]
    /// The obstacles, as sentences.
    package var obstacles: [String]
    /// The path of the repaired copy, if one was written.
    package var output: String?
    /// Why nothing was planned, or no copy written.
    package var failure: String?
    /// Whether a copy was asked for.
    package var isToBeWritten = false

    /// The effect of one repair.
    package struct Count: Sendable, Equatable {
      /// Its name.
      package var repair: String
      /// Operations of the plan.
      package var operations: Int
      /// Rows, or files, that change.
      package var changes: Int
    }
  }

  /// A copy without anybody's values.
  package struct Copy: Sendable, Equatable {
    /// Its path, if it was written.
    package var output: String?
    /// How many values were replaced in it.
    package var replacedValues: Int64?
    /// Why it was not written.
    package var failure: String?
  }

  /// The worst severity of verdict and findings; nil where there is none.
  package var severity: Severity? {
    if let content, content.diagnosis.verdict.isError, !content.verdictIsKnown { return .error }
    return findings.map(\.severity).max()
  }
}

extension AuditedStore {
  /// The result for an entry that could not be read. For one that is, or should be, a store this is finding SD101,
  /// which only `audit` reports.
  package init(_ item: AuditItem, _ problem: AuditProblem, run: String, known: Set<String> = []) {
    self.run = run
    self.item = item
    self.problem = problem
    stamp = item.stamp
    status = problem.status
    bytes = FileSystem.kind(of: item.location) == .file ? FileSystem.identity(of: item.location)?.size : nil
    findings = status.isStore ? [Check.unreadableFile.finding(nil, message: problem.message)] : []
    hide(known)
  }

  /// Removes known findings. A verdict that is an error counts as known if all its errors are.
  mutating func hide(_ known: Set<String>) {
    guard !known.isEmpty else { return }
    let hidden = findings.filter { $0.isKnown(in: known) }
    findings.removeAll { $0.isKnown(in: known) }
    self.known = hidden.count
    content?.verdictIsKnown =
      hidden.contains { $0.severity == .error } && !findings.contains { $0.severity == .error }
  }
}
