import StoreCoreData
import StorePlatform
import StorePublishing
import StoreSQLite
import StoreText

/// The folder that makes a change in place undoable; only its owner may read it.
///
///   Notes.sqlite.storedoctor-20260712T101500Z/   0700, beside the store unless named otherwise
///       journal.json          what was done, its state, size and SHA-256 of all files below; replaced atomically
///       main, wal, journal    the store's files before the change
///       changes-1, ...        the changed rows, in order (`Changeset`)
///       files/                external files that were moved aside
///       undoing               while an undo that keeps this journal is running (`UnfinishedUndo`)
///
/// While a change is under way whose journal lies elsewhere, a link of such a name leads from the store's folder to it
/// (`putLink`), so that whoever looks at the store finds what is unfinished.
///
/// States, and what the store holds when work stops there:
///
///   prepared   the state before the change, or after it: the commit comes between this state and the next
///   applied    the changed state; `after` is its fingerprint
///   undoing    anything; only running undo again helps
///   undone     the state before the change, as far as this journal is concerned
///
/// A journal is untrusted input: file names are never taken from it, except those of external files, which must be
/// plain names. Sizes and sums are checked before anything is touched, and it is applied only to a store with the UUID
/// and fingerprint it names.
package struct Journal: Sendable {
  /// How far the work has come.
  package enum State: String, Sendable { case prepared, applied, undoing, undone }

  /// A file of the journal.
  package struct File: Equatable, Sendable {
    /// Bytes.
    package var size: Int64
    /// SHA-256.
    package var sha256: [UInt8]
  }

  /// One of the store's files.
  package enum Role: String, CaseIterable, Sendable {
    case main, wal, journal

    /// The suffix after the main file's name.
    var suffix: String {
      switch self {
      case .main: ""
      case .wal: "-wal"
      case .journal: "-journal"
      }
    }
  }

  /// Its folder, links resolved.
  package let folder: PosixPath
  /// A random name that other journals know it by.
  package let id: String
  /// The store's main file, links resolved.
  package let store: PosixPath
  /// The store's UUID.
  package let uuid: String?
  /// How far the work has come.
  package internal(set) var state: State
  /// The store before the change.
  package let before: Fingerprint
  /// The store after it, once that is known.
  package internal(set) var after: HashListFingerprint?
  /// The store's files as they were.
  package internal(set) var backups: [Role: File] = [:]
  /// The changes of rows, in order.
  package internal(set) var changes: [File] = []
  /// The other changes, in order.
  package internal(set) var entries: [JournalEntry] = []
  /// Why the change can be taken back only as a whole, while the store is as it left it, and not row by row; nil where
  /// both are possible.
  package internal(set) var onlyWhole: String?
  /// The id of the journal that this change undid, when it was an undo.
  package internal(set) var undoes: String?
  /// External files that were to be moved aside and could not be; not kept in the folder.
  package internal(set) var unmoved: [String] = []

  /// Why a change that wrote the file anew is taken back only as a whole.
  static let compactedReason = "the file was written anew, and what its free pages held is in the backup alone"

  /// Whether the rows could be taken back, and the change can be taken back only as a whole because the file was written anew.
  var isOnlyWholeByCompaction: Bool { onlyWhole == Self.compactedReason }

  func path(of role: Role) -> PosixPath { Self.path(of: role, in: folder) }
  func path(ofChanges index: Int) -> PosixPath { Self.path(ofChanges: index, in: folder) }
  var document: PosixPath { Self.document(in: folder) }
  var mark: PosixPath { Self.mark(in: folder) }
  var movedFiles: PosixPath { folder.appending(component: Array("files".utf8)) }

  static func path(of role: Role, in folder: PosixPath) -> PosixPath {
    folder.appending(component: Array(role.rawValue.utf8))
  }
  static func path(ofChanges index: Int, in folder: PosixPath) -> PosixPath {
    folder.appending(component: Array("changes-\(index + 1)".utf8))
  }
  static func document(in folder: PosixPath) -> PosixPath {
    folder.appending(component: Array("journal.json".utf8))
  }
  static func mark(in folder: PosixPath) -> PosixPath { folder.appending(component: UnfinishedUndo.markName) }
}

/// Where the journal of a change in place goes.
package struct JournalTarget: Sendable {
  /// The folder to make; nil for one beside the store.
  package var folder: PosixPath?
  /// The journal that is undone by this change.
  var undoes: Journal?

  /// A folder that does not exist yet, or for nil one beside the store that is named after it and the time.
  package init(_ folder: PosixPath? = nil) {
    self.folder = folder
  }

  /// Makes the folder.
  func make(for store: PosixPath, _ files: FileActions) throws -> PosixPath {
    try make(folder ?? Self.freePath(beside: store), files: files)
  }

  /// The first free name beside a store that is made of its own and the time.
  static func freePath(beside store: PosixPath) throws(RepairError) -> PosixPath {
    let name = store.name + Array(".storedoctor-\(utcTime())".utf8)
    for number in 1...100 {
      let path = store.sibling(named: name + Array((number == 1 ? "" : "-\(number)").utf8))
      if FileSystem.kind(of: path, followingLinks: false) == nil { return path }
    }
    throw RepairError(store.sibling(named: name), .journalExists)
  }

  private func make(_ path: PosixPath, files: FileActions) throws -> PosixPath {
    guard FileSystem.kind(of: path, followingLinks: false) == nil else { throw RepairError(path, .journalExists) }
    try files.makeFolder(path)
    do {
      try files.sync(folder: path.parent)
      return try path.resolved()
    } catch {
      try? files.removeFolder(path)
      throw error
    }
  }
}

/// "20260712T101500Z"
private func utcTime() -> String { DateText.compact(secondsSince1970: time(nil)) }
