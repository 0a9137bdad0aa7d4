import StoreSQLite
import Synchronization

/// The write-ahead logs in a folder, told by their first bytes, whatever their names.
struct StrayLogs: Sendable {
  /// A log, and the page size that its header names.
  struct Log: Sendable {
    var name: [UInt8]
    var pageSize: Int
  }

  /// In byte order of their names.
  private(set) var logs: [Log] = []
  /// Why there may be others; lower case, no full stop.
  private(set) var gap: String?

  /// The most names of a folder that are looked at.
  static let mostNames = 2000

  /// The logs in a folder. The last folder is remembered until it changes: each of ten thousand stores in one folder would
  /// read the beginning of all its files otherwise.
  init(in folder: PosixPath) {
    let state = FileSystem.identity(of: folder)
    if let state, let known = Self.last.withLock({ $0 }), known.folder == folder, known.state == state {
      self = known.logs
      return
    }
    guard let listing = FolderListing(folder) else {
      gap = "the folder it lies in could not be listed, so no log under another name was looked for"
      return
    }
    let names = listing.names(beginningWith: [])
    var unread = 0
    for name in names.prefix(Self.mostNames) { read(name, in: folder, unread: &unread) }
    if names.count > Self.mostNames {
      gap = "of \(names.count) names beside it \(Self.mostNames) were looked at for a log under another name"
    } else if unread > 0 {
      gap = "\(unread) of the files beside it may not be read, and one may be its log under another name"
    }
    guard let state, FolderListing.isSettled(state) else { return }
    let logs = self
    Self.last.withLock { $0 = Known(folder: folder, state: state, logs: logs) }
  }

  private mutating func read(_ name: [UInt8], in folder: PosixPath, unread: inout Int) {
    let path = folder.appending(component: name)
    // Nothing but a regular file is opened.
    guard FileSystem.kind(of: path, followingLinks: false) == .file else { return }
    // What is only looked at keeps its access time.
    guard let file = try? EvidenceFile(path), !file.accessTimeMayChange else {
      unread += 1
      return
    }
    guard let bytes = try? file.read(at: 0, count: WALHeader.size), let header = try? WALHeader(bytes) else { return }
    logs.append(Log(name: name, pageSize: header.pageSize))
  }

  /// The logs of a folder when it was looked at.
  private struct Known {
    var folder: PosixPath
    var state: FileIdentity
    var logs: StrayLogs
  }

  private static let last = Mutex<Known?>(nil)
}
