import StoreDigests
import StoreSQLite

/// A file's name in a backup.
struct BackupName: Hashable {
  var domain: String
  var path: String

  /// What people see.
  var shown: [UInt8] { Array((domain + "/" + path).utf8) }

  /// The name of the file that holds it: 40 hex digits.
  var fileID: String { hexadecimal(Digests.sha1(Array((domain + "-" + path).utf8))) }

  /// Another file with an ending behind this one's name.
  func appending(_ ending: String) -> BackupName { BackupName(domain: domain, path: path + ending) }
}

/// What lies in a backup, by its list.
protocol BackupManifest {
  /// Hands over the names of all files, with the names of 40 digits under which they lie.
  ///
  /// - Throws: what came in the way of reading it to its end.
  func forEachFile(_ body: (_ fileID: String, _ name: BackupName) -> Void) throws
}

/// `Manifest.db`, of iOS 10 and later. It is gone through once, whatever indexes it has; a hostile one costs no more than the
/// limits on statements allow.
struct ManifestDatabase: BackupManifest {
  private let connection: Connection

  /// Nil where it has no table of files.
  init?(_ connection: Connection) {
    self.connection = connection
    guard (try? connection.prepare(Self.all)) != nil else { return nil }
  }

  // 2 are folders, 4 links. What the rest are is not known; only files lie under hashes.
  private static let all = "SELECT fileID, domain, relativePath FROM Files WHERE flags IS NOT 2 AND flags IS NOT 4"

  func forEachFile(_ body: (_ fileID: String, _ name: BackupName) -> Void) throws {
    let statement = try connection.prepare(Self.all)
    while try statement.step() {
      guard let domain = statement.string(1), let path = statement.string(2) else { continue }
      let name = BackupName(domain: domain, path: path)
      body(statement.string(0) ?? name.fileID, name)
    }
  }

  /// A list is somebody else's, and may be made to take forever.
  static func policy(size: Int64) -> ReadPolicy {
    ReadPolicy(instructionLimit: 5_000_000 + 10 * Int(clamping: min(size, 1 << 40)))
  }
}

/// `Manifest.mbdb`, of iOS 4 to 9.
///
///     "mbdb" 5 0, then records: domain, path, target of a link, digest, key: each with a length of two bytes, ffff for
///     none; mode of two bytes; 8 bytes inode; user and group, 4 bytes each; three times of 4 bytes; 8 bytes size; a byte
///     for the class of protection; the number of properties in a byte, and as many pairs of texts
///
/// Numbers are big-endian.
struct ManifestTable: BackupManifest {
  private let bytes: [UInt8]

  /// It ended within a record.
  struct Cut: Error, CustomStringConvertible {
    var description: String { "it ends within a record" }
  }

  static let magic: [UInt8] = Array("mbdb".utf8) + [5, 0]

  /// Nil where it does not begin as such a list does.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.magic) else { return nil }
    self.bytes = bytes
  }

  func forEachFile(_ body: (_ fileID: String, _ name: BackupName) -> Void) throws {
    var rest = bytes.dropFirst(Self.magic.count)
    while !rest.isEmpty {
      guard let record = Self.record(&rest) else { throw Cut() }
      if record.isFile { body(record.name.fileID, record.name) }
    }
  }

  private static func record(_ rest: inout ArraySlice<UInt8>) -> (name: BackupName, isFile: Bool)? {
    guard let domain = text(&rest), let path = text(&rest), text(&rest) != nil, text(&rest) != nil, text(&rest) != nil,
      rest.count >= 40
    else { return nil }
    let fixed = rest.prefix(40)
    rest = rest.dropFirst(40)
    for _ in 0..<fixed[fixed.startIndex + 39] {
      guard text(&rest) != nil, text(&rest) != nil else { return nil }
    }
    let mode = UInt16(fixed[fixed.startIndex]) << 8 | UInt16(fixed[fixed.startIndex + 1])
    let name = BackupName(
      domain: String(decoding: domain, as: UTF8.self), path: String(decoding: path, as: UTF8.self))
    return (name, mode & 0o170000 == 0o100000)
  }

  private static func text(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard rest.count >= 2 else { return nil }
    let length = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
    rest = rest.dropFirst(2)
    guard length != 0xFFFF else { return [] }
    guard rest.count >= length else { return nil }
    defer { rest = rest.dropFirst(length) }
    return rest.prefix(length)
  }
}
