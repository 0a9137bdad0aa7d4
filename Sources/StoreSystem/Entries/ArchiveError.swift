import StoreSQLite

/// Why an archive was not unpacked, or not completely.
package enum ArchiveError: Error, Equatable, CustomStringConvertible {
  /// The archive cannot be read.
  case unreadable(FileError)
  /// Its contents are none of the supported kinds, whatever its name.
  case notAnArchive
  /// Its name is that of an archive of an unsupported kind.
  case unsupported
  /// A program of libarchive is missing or cannot be started.
  case cannotStart(program: String, message: String)
  /// The program could read nothing; its message.
  case damaged(message: String)
  /// It needs a password.
  case encrypted
  /// It exceeds the limit in bytes.
  case tooManyBytes(limit: Int64)
  /// It exceeds the limit of entries.
  case tooManyEntries(limit: Int)
  /// It unpacks to more than this many times its own size.
  case bomb(growth: Int64)
  /// Less than this many bytes would stay free.
  case noSpace(kept: Int64)
  /// The private folder cannot be written to, or is not private.
  case folder(path: String, message: String)

  /// One line for the user: what is wrong, and what to do.
  package var description: String {
    switch self {
    case .unreadable(let error): error.description
    case .notAnArchive: "cannot unpack: it is no .tar, .tar.gz or .zip; \(Self.advice)"
    case .unsupported: "not unpacked: of archives .tar, .tar.gz and .zip are supported; \(Self.advice)"
    case .cannotStart(let program, let message):
      "cannot unpack: \(program) \(message); install libarchive-tools, or \(Self.advice)"
    case .damaged(let message): "cannot unpack: \(message)"
    case .encrypted: "cannot unpack: it is encrypted; \(Self.advice)"
    case .tooManyBytes(let limit): "unpacks to more than \(Self.size(limit)); \(Self.advice)"
    case .tooManyEntries(let limit): "holds more than \(limit) entries; \(Self.advice)"
    case .bomb(let growth): "unpacks to more than \(growth) times its size; if you trust it, \(Self.advice)"
    case .noSpace(let kept): "unpacking it would leave less than \(Self.size(kept)) of free space; \(Self.advice)"
    case .folder(let path, let message): "cannot unpack into '\(path)': \(message)"
    }
  }

  private static let advice = "unpack it yourself and audit the folder"

  /// The size in the largest unit that expresses it exactly.
  private static func size(_ bytes: Int64) -> String {
    for (unit, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] where bytes > 0 && bytes % (1 << shift) == 0 {
      return "\(bytes >> shift) \(unit)"
    }
    return "\(bytes) bytes"
  }
}
