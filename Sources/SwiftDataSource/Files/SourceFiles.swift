import StorePlatform
import StoreSwiftDataSchemas

/// The Swift files in the given paths, with their contents.
///
/// Skipped in folders: hidden files, `DerivedData`, tests (folders and files with names ending in `Tests`), and links.
/// A link that leads out of the folder is reported; one that stays inside leads to files that are read anyway.
struct SourceFiles {
  /// A file as it was read.
  typealias File = FoundFile

  private(set) var files: [File] = []
  private(set) var problems: [SourceProblem] = []
  private let limits: SourceLimits
  private var remainingBytes: Int
  private var remainingNames: Int
  private var seen: Set<FileID> = []

  private struct FileID: Hashable {
    var device: UInt64
    var number: UInt64
  }

  init(_ paths: [String], limits: SourceLimits) throws(SourceFileError) {
    self.limits = limits
    remainingBytes = limits.bytes
    remainingNames = limits.names
    for path in paths { try read(path) }
    files.sort { $0.path < $1.path }
  }

  private mutating func read(_ path: String) throws(SourceFileError) {
    guard !path.utf8.contains(0) else { throw .system(ENOENT, at: path) }
    guard let pointer = realpath(path, nil) else { throw .system(errno, at: path) }
    let real = String(cString: pointer)
    free(pointer)
    var status = stat()
    guard stat(real, &status) == 0 else { throw .system(errno, at: path) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: try readFolder(real, shown: path, root: real, depth: 0)
    case S_IFREG: try readFile(real, shown: path, status: status, isGiven: true)
    default: throw SourceFileError(path, "neither a file nor a folder")
    }
  }

  // MARK: Folders

  private mutating func readFolder(
    _ path: String, shown: String, root: String, depth: Int
  ) throws(SourceFileError) {
    guard depth <= limits.depth else {
      problems.append(SourceProblem("'\(shown)' is left out: more than \(limits.depth) folders inside one another"))
      return
    }
    for name in try names(path, shown: shown) where !FoundFile.isHidden(name) && !FoundFile.isTest(name) {
      let inner = path + "/" + name
      let shownInner = (shown.hasSuffix("/") ? shown : shown + "/") + name
      var status = stat()
      // A file that was removed in the meantime is skipped.
      guard lstat(inner, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: try readFolder(inner, shown: shownInner, root: root, depth: depth + 1)
      case S_IFREG where Self.isSource(name): try readFile(inner, shown: shownInner, status: status, isGiven: false)
      case S_IFLNK: reportLink(inner, shown: shownInner, root: root)
      default: continue
      }
    }
  }

  private mutating func names(_ path: String, shown: String) throws(SourceFileError) -> [String] {
    guard let names = FoundFile.names(in: path, atMost: remainingNames) else {
      problems.append(SourceProblem("\(SourceFileError.system(errno, at: shown))"))
      return []
    }
    remainingNames -= names.count
    guard remainingNames >= 0 else {
      throw SourceFileError(shown, "more than \(limits.names) names in its folders; give the folders with the models")
    }
    return names
  }

  private static func isSource(_ name: String) -> Bool { name.hasSuffix(".swift") }

  private mutating func reportLink(_ path: String, shown: String, root: String) {
    guard let pointer = realpath(path, nil) else { return }
    defer { free(pointer) }
    let target = String(cString: pointer)
    guard target != root, !target.hasPrefix(root + "/") else { return }
    var status = stat()
    guard stat(target, &status) == 0 else { return }
    guard (status.st_mode & S_IFMT) == S_IFDIR || Self.isSource(target) else { return }
    problems.append(
      SourceProblem("'\(shown)' is left out: a link that leads out of the folder; give its target as well"))
  }

  // MARK: Files

  private mutating func readFile(
    _ path: String, shown: String, status: stat, isGiven: Bool
  ) throws(SourceFileError) {
    let id = FileID(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
    guard seen.insert(id).inserted else { return }
    guard status.st_size <= limits.fileSize else {
      let error = SourceFileError(shown, "\(status.st_size) bytes, more than \(limits.fileSize)")
      if isGiven { throw error }
      problems.append(SourceProblem("\(error)"))
      return
    }
    guard files.count < limits.files else {
      throw SourceFileError(shown, "more than \(limits.files) Swift files; give the folders with the models")
    }
    let bytes: [UInt8]
    do throws(SourceFileError) {
      bytes = try FoundFile.bytes(of: path, shown: shown, limit: limits.fileSize)
    } catch {
      if isGiven { throw error }
      problems.append(SourceProblem("\(error)"))
      return
    }
    remainingBytes -= bytes.count
    guard remainingBytes >= 0 else {
      throw SourceFileError(shown, "more than \(limits.bytes) bytes in all files; give the folders with the models")
    }
    files.append(File(path: shown, bytes: bytes))
  }
}
