import StorePlatform
import StoreSQLite
import StoreSystem

/// Private files for members of archives that are read. Their names are numbers, or there is none: nothing that an archive
/// says becomes a path.
///
/// Used by one thread at a time.
package final class Spool: @unchecked Sendable {
  private let folder: PosixPath
  private let isNamed: Bool
  private let limits: ArchiveLimits
  private let growthLimit: Int64
  private var count = 0
  private var written: Int64 = 0
  /// Files without a name, which are there as long as they are open.
  private var open: [OpenFile] = []

  /// - Parameters:
  ///   - folder: a private folder for numbered files, which other processes read too; or any folder, for files that have no
  ///     name and are gone with this process, however it ends.
  ///   - size: the size of the archive, by which a bomb is told.
  package init(in folder: PosixPath, isNamed: Bool, limits: ArchiveLimits, archiveSize size: Int64) {
    self.folder = folder
    self.isNamed = isNamed
    self.limits = limits
    growthLimit = limits.growthLimit(of: size)
  }

  /// Creates a file.
  ///
  /// - Returns: the open file, and the path by which it is read.
  package func create() throws(ArchiveError) -> (file: OpenFile, path: PosixPath) {
    count += 1
    if isNamed {
      let path = folder.appending(component: Array("\(count)".utf8))
      return (try opened(path), path)
    }
    guard let parent = newPrivateFolder(named: "storedoctor-member", in: folder) else {
      throw .folder(path: folder.description, message: systemMessage())
    }
    defer { _ = parent.withCString { rmdir($0) } }
    let path = parent.appending(component: Array("member".utf8))
    let file = try opened(path)
    _ = path.withCString { unlink($0) }
    open.append(file)
    return (file, PosixPath("/dev/fd/\(file.number)"))
  }

  private func opened(_ path: PosixPath) throws(ArchiveError) -> OpenFile {
    let number = path.withCString { StorePlatform.open($0, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
    guard number >= 0 else { throw .folder(path: folder.description, message: systemMessage()) }
    return OpenFile(number)
  }

  /// Throws where so many bytes more would exceed a limit, or leave too little free space.
  package func take(_ bytes: Int64) throws(ArchiveError) {
    if let refusal = refusal(of: bytes) { throw refusal }
    written += max(0, bytes)
    if let free = DiskSpace.free(in: folder), free < limits.freeBytes || free - limits.freeBytes < bytes {
      throw .noSpace(kept: limits.freeBytes)
    }
  }

  /// Why so many bytes more are not written; nil where they may be.
  func refusal(of bytes: Int64) -> ArchiveError? {
    let (sum, overflow) = written.addingReportingOverflow(max(0, bytes))
    guard !overflow, sum <= limits.bytes else { return .tooManyBytes(limit: limits.bytes) }
    return sum <= growthLimit ? nil : .bomb(growth: limits.growth)
  }

  /// How many files more can be open, where they have no name.
  var openable: Int { isNamed ? .max : FileDescriptors.free - 64 }

  /// What files without a name are taken back to: so many were open.
  package var mark: Int { open.count }

  /// Closes files without a name that were opened since.
  package func close(since mark: Int) { open.removeSubrange(min(mark, open.count)...) }
}
