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
  /// The name of a file; nil where the list does not have it.
  func name(ofFile fileID: String) throws -> BackupName?
  /// The names of files in a domain whose path begins so.
  func names(in domain: String, beginningWith prefix: String, atMost limit: Int) throws -> [BackupName]
  /// Hands over the names of all files.
  func forEachName(_ body: (BackupName) throws -> Void) throws
}

/// `Manifest.db`, of iOS 10 and later. A hostile one costs no more than the limits on statements allow.
struct ManifestDatabase: BackupManifest {
  private let connection: Connection

  /// Nil where it has no table of files.
  init?(_ connection: Connection) {
    self.connection = connection
    guard (try? connection.prepare("SELECT fileID, domain, relativePath, flags FROM Files LIMIT 1")) != nil else {
      return nil
    }
  }

  func name(ofFile fileID: String) throws -> BackupName? {
    let statement = try connection.prepare("SELECT domain, relativePath FROM Files WHERE fileID = ?")
    try statement.bind(fileID, at: 1)
    return try statement.step() ? Self.name(statement) : nil
  }

  func names(in domain: String, beginningWith prefix: String, atMost limit: Int) throws -> [BackupName] {
    let statement = try connection.prepare(
      "SELECT domain, relativePath FROM Files WHERE domain = ? AND relativePath >= ? AND relativePath < ? AND flags = 1"
    )
    try statement.bind(domain, at: 1)
    try statement.bind(prefix, at: 2)
    try statement.bind(prefix + "\u{10FFFF}", at: 3)
    var names: [BackupName] = []
    while names.count < limit, try statement.step() {
      if let name = Self.name(statement) { names.append(name) }
    }
    return names
  }

  func forEachName(_ body: (BackupName) throws -> Void) throws {
    let statement = try connection.prepare("SELECT domain, relativePath FROM Files WHERE flags = 1")
    while try statement.step() {
      if let name = Self.name(statement) { try body(name) }
    }
  }

  private static func name(_ statement: Statement) -> BackupName? {
    guard let domain = statement.string(0), let path = statement.string(1) else { return nil }
    return BackupName(domain: domain, path: path)
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
  private var names: [String: BackupName] = [:]
  private var sorted: [BackupName] = []
  /// Whether it ended within a record.
  private(set) var isCut = false

  static let magic: [UInt8] = Array("mbdb".utf8) + [5, 0]

  /// Nil where it does not begin as such a list does.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.magic) else { return nil }
    var rest = bytes.dropFirst(Self.magic.count)
    while !rest.isEmpty {
      guard let name = Self.name(&rest) else {
        isCut = true
        break
      }
      if let name = name.file {
        names[name.fileID] = name
        sorted.append(name)
      }
    }
  }

  private static func name(_ rest: inout ArraySlice<UInt8>) -> (file: BackupName?, ())? {
    guard let domain = text(&rest), let path = text(&rest), text(&rest) != nil, text(&rest) != nil, text(&rest) != nil,
      rest.count >= 40
    else { return nil }
    let fixed = rest.prefix(40)
    rest = rest.dropFirst(40)
    for _ in 0..<fixed[fixed.startIndex + 39] {
      guard text(&rest) != nil, text(&rest) != nil else { return nil }
    }
    let mode = UInt16(fixed[fixed.startIndex]) << 8 | UInt16(fixed[fixed.startIndex + 1])
    return (mode & 0o170000 == 0o100000 ? BackupName(domain: domain, path: path) : nil, ())
  }

  private static func text(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard rest.count >= 2 else { return nil }
    let length = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
    rest = rest.dropFirst(2)
    guard length != 0xFFFF else { return "" }
    guard rest.count >= length else { return nil }
    defer { rest = rest.dropFirst(length) }
    return String(decoding: rest.prefix(length), as: UTF8.self)
  }

  func name(ofFile fileID: String) -> BackupName? { names[fileID] }

  func names(in domain: String, beginningWith prefix: String, atMost limit: Int) -> [BackupName] {
    Array(sorted.lazy.filter { $0.domain == domain && $0.path.utf8.starts(with: prefix.utf8) }.prefix(limit))
  }

  func forEachName(_ body: (BackupName) throws -> Void) rethrows { try sorted.forEach(body) }
}
