import SwiftDataSchemas

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The Swift files of the paths given, with their bytes.
///
/// Left out of folders: what is hidden, `DerivedData`, tests (folders and files whose names end in `Tests`), and links;
/// a link that leads out of the folder is reported, one that stays inside leads to what is read anyway.
struct SourceFiles {
  struct File: Sendable {
    let path: String
    let bytes: [UInt8]
  }

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
    guard !path.utf8.contains(0) else { throw .system(ENOENT, path) }
    guard let pointer = realpath(path, nil) else { throw .system(errno, path) }
    let real = String(cString: pointer)
    free(pointer)
    var status = stat()
    guard stat(real, &status) == 0 else { throw .system(errno, path) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: try readFolder(real, shown: path, root: real, depth: 0)
    case S_IFREG: try readFile(real, shown: path, status, isGiven: true)
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
    for name in try names(path, shown: shown) where !Self.isLeftOut(name) {
      let inner = path + "/" + name
      let shownInner = (shown.hasSuffix("/") ? shown : shown + "/") + name
      var status = stat()
      // What vanishes meanwhile is not there.
      guard lstat(inner, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: try readFolder(inner, shown: shownInner, root: root, depth: depth + 1)
      case S_IFREG where Self.isSource(name): try readFile(inner, shown: shownInner, status, isGiven: false)
      case S_IFLNK: reportLink(inner, shown: shownInner, root: root)
      default: continue
      }
    }
  }

  private mutating func names(_ path: String, shown: String) throws(SourceFileError) -> [String] {
    guard let directory = opendir(path) else {
      problems.append(SourceProblem("\(SourceFileError.system(errno, shown))"))
      return []
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      remainingNames -= 1
      guard remainingNames >= 0 else {
        throw SourceFileError(shown, "more than \(limits.names) names in its folders; give the folders with the models")
      }
      names.append(name)
    }
    return names.sorted()
  }

  private static func isLeftOut(_ name: String) -> Bool {
    name.hasPrefix(".") || name == "DerivedData" || name.hasSuffix("Tests") || name.hasSuffix("Tests.swift")
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
    _ path: String, shown: String, _ status: stat, isGiven: Bool
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
      bytes = try Self.bytes(of: path, shown: shown, limit: limits.fileSize)
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

  private static func bytes(of path: String, shown: String, limit: Int) throws(SourceFileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw .system(errno, shown) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(errno, shown) }
    guard (status.st_mode & S_IFMT) == S_IFREG else { throw SourceFileError(shown, "not a regular file") }
    var failure: Int32 = 0
    let size = min(Int(status.st_size), limit)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, done in
      while done < size {
        let count = readOnce(
          descriptor, UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[done...]))
        if count < 0, errno == EINTR { continue }
        if count < 0 { failure = errno }
        if count <= 0 { break }
        done += count
      }
    }
    guard failure == 0 else { throw .system(failure, shown) }
    return bytes
  }
}

private func readOnce(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}
