import StoreCoreData
import StoreSQLite

/// Why a line says nothing about a store's contents.
package struct AuditProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// The problem in a word, for scripts.
  package var kind: Kind
  /// A sentence for people; lower case, no full stop.
  package var message: String
  /// The stage at which the work was ended.
  package var stage: AuditStage?
  /// The signal that ended the worker.
  package var signal: Int32?

  /// The sentence.
  package var description: String { message }

  /// A problem; one that ended a worker has a stage.
  package init(_ kind: Kind, _ message: String, stage: AuditStage? = nil, signal: Int32? = nil) {
    self.kind = kind
    self.message = message
    self.stage = stage
    self.signal = signal
  }

  /// The kinds of problems.
  package enum Kind: String, Sendable, CaseIterable {
    case missing, empty, truncated, unreadable, changed
    case notPermitted = "not-permitted"
    case notRegular = "not-regular"
    case otherKind = "other-kind"
    case unknownBytes = "unknown-bytes"
    case undoneHalfway = "undone-halfway"
    /// A write-ahead log without its main file.
    case orphanWAL = "orphan-wal"
    /// A line of a list without a path.
    case badLine = "bad-line"
    case cannotUnpack = "cannot-unpack"
    /// An entry of an archive that is not unpacked because of a suspicious name or size.
    case refusedEntry = "refused-entry"
    case tooDeep = "too-deep"
    case timedOut = "timed-out"
    case crashed
    case overMemory = "over-memory"
    case notCoreData = "not-core-data"
    case noStore = "no-store"
    case link
    case nestedArchive = "nested-archive"
    /// An archive of a kind that is not unpacked, found by a search.
    case unsupportedArchive = "unsupported-archive"
  }
}

extension AuditProblem {
  /// The status of an entry with this problem.
  package var status: AuditStatus {
    switch kind {
    case .missing, .empty, .truncated, .unreadable, .changed, .notPermitted, .notRegular, .otherKind, .unknownBytes,
      .undoneHalfway, .orphanWAL, .badLine, .cannotUnpack, .refusedEntry, .tooDeep:
      .unreadable
    case .timedOut: .timedOut
    case .crashed: .crashed
    case .overMemory: .overMemory
    case .notCoreData, .noStore: .noStore
    case .link, .nestedArchive, .unsupportedArchive: .notFollowed
    }
  }
}

extension AuditProblem {
  /// The problem behind an error while reading a store.
  ///
  /// - Parameter wasNamed: whether the user named it as a store; a file found by a search may be anything.
  init(_ error: any Error, wasNamed: Bool) {
    if let error = error as? AuditProblem {
      self = error
    } else if let error = error as? StoreError {
      self.init(error, wasNamed: wasNamed)
    } else if let error = error as? SQLiteError, error.isOutOfMemory {
      self.init(.overMemory, "SQLite ran out of the memory it may take")
    } else {
      self.init(.unreadable, "\(error)")
    }
  }

  private init(_ error: StoreError, wasNamed: Bool) {
    let kind: Kind =
      switch error.problem {
      case .missing: .missing
      case .notPermitted: .notPermitted
      case .notRegularFile: .notRegular
      case .empty: .empty
      case .otherKind(.encrypted), .otherKind(.zeros): .unknownBytes
      case .otherKind(.lostHeader): .unreadable
      case .otherKind: .otherKind
      case .unknownBytes: .unknownBytes
      case .notCoreData: wasNamed ? .otherKind : .notCoreData
      // Everything may be in the log that was left behind.
      case .logLeftBehind: wasNamed ? .otherKind : .unreadable
      case .truncated: .truncated
      case .entityNumbersLost, .unreadable, .folderWithoutStore, .folderWithSeveralStores: .unreadable
      case .changedWhileReading: .changed
      case .undoneHalfway: .undoneHalfway
      case .commitNotReadable, .logDoesNotFit: .unreadable
      // The fault is the reading process's and not the store's.
      case .noDescriptors: .crashed
      }
    self.init(kind, error.description)
  }
}
