import StorePlaces
import StorePlatform
import StoreSystem
import StoreSQLite
import StoreText

/// An archive as a tar, converted by libarchive's bsdtar and read through a pipe: nothing is written, and the bytes are
/// counted.
///
/// It reads a descriptor that this process opened, so that the archive's access time stays and its path may be
/// anything. It ends when this object goes away; if this process ends, by its next write to the closed connection.
final class ArchiveStream {
  private let program: ChildProcess
  private let limits: ArchiveLimits
  private let growthLimit: Int64
  private var passed: Int64 = 0

  /// - Throws: `ArchiveError.cannotStart`.
  init(_ archive: EvidenceFile, limits: ArchiveLimits) throws(ArchiveError) {
    // Blocks of 512 bytes, because at an error the contents of the last block are lost.
    let arguments = ["-c", "-f", "-", "-b", "1", "--format=gnutar", "--no-mac-metadata", "@-"]
    program = try Self.start("bsdtar", arguments: arguments, reading: archive)
    self.limits = limits
    growthLimit = limits.growthLimit(of: archive.size)
  }

  /// The next bytes; none at the end.
  ///
  /// - Throws: `ArchiveError` at a limit, `ChildProcess.Failure`.
  func readPart() throws -> [UInt8] {
    let part = try program.readPart()
    passed += Int64(part.count)
    try requireRoom(for: 0)
    return part
  }

  /// Throws where `count` bytes more would exceed a limit, so that an archive bomb is recognised by the sizes it
  /// states.
  func requireRoom(for count: Int64) throws(ArchiveError) {
    guard count <= limits.bytes - passed else { throw .tooManyBytes(limit: limits.bytes) }
    guard count <= growthLimit - passed else { throw .bomb(growth: limits.growth) }
  }

  /// Reads to the end.
  ///
  /// - Returns: the program's message, which may be empty; nil if it read everything.
  func finish() -> String? {
    do {
      while try !program.readPart().isEmpty {}
      try program.finish()
      return nil
    } catch let failure as ChildProcess.Failure {
      return Self.meaning(of: failure.message)
    } catch {
      return ""
    }
  }

  /// Shortens "ended with status 1: bsdtar: Error reading archive -: Truncated tar archive" to "Truncated tar archive".
  private static func meaning(of message: String) -> String {
    let known = ["Error reading archive -: ", "bsdtar: ", "bsdcat: "]
    for prefix in known {
      guard let place = message.firstRange(of: prefix) else { continue }
      let meaning = message[place.upperBound...]
      return meaning == "(null)" ? "" : String(meaning)
    }
    return message
  }
}

extension ArchiveStream {
  /// The first 512 bytes of an archive without its compression, which may have been applied several times.
  ///
  /// libarchive also reads lists of files on disk (mtree), and bsdtar then packs those files whatever its options: a
  /// list in place of an archive would reveal any file this user can read. So the decompressed head is checked first,
  /// through the same filters.
  ///
  /// - Throws: `ArchiveError.cannotStart`, or `damaged` when there are fewer bytes.
  static func head(of archive: EvidenceFile) throws(ArchiveError) -> [UInt8] {
    let program = try start("bsdcat", arguments: [], reading: archive)
    do {
      let head = try program.readPart()
      if head.count < TarHeader.size { try program.finish() }
      return Array(head.prefix(TarHeader.size))
    } catch {
      let message = (error as? ChildProcess.Failure).map { meaning(of: $0.message) } ?? "\(error)"
      throw .damaged(message: "the archive ends early or is damaged" + (message.isEmpty ? "" : " (\(message))"))
    }
  }

  /// Whether there is a program that unpacks what is not read here.
  static let isProgramThere = (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":").contains {
    folder in
    PosixPath("\(folder)/bsdtar").withCString { access($0, X_OK) } == 0
  }

  private static func start(
    _ program: String, arguments: [String], reading archive: EvidenceFile
  ) throws(ArchiveError) -> ChildProcess {
    do {
      return try ChildProcess(program, arguments, environment: environment, input: .file(archive))
    } catch {
      let message = (error as? ChildProcess.Failure)?.message ?? "\(error)"
      throw .cannotStart(program: "bsdcat or bsdtar", message: message)
    }
  }

  /// The locale makes names of zip entries and pax headers UTF-8. Without a `PATH` no program is run for formats that
  /// libarchive leaves to others.
  private static let environment = ["LC_ALL": "C.UTF-8", "PATH": "/dev/null"]
}
