/// The name of a file in a backup: 40 hex digits, in a folder of the first two, or without one.
struct BackupFileName {
  /// The 40 digits.
  var fileID: String

  /// Nil for any other name, relative to the backup's folder.
  init?(_ name: some Collection<UInt8>) {
    let parts = name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard let last = parts.last, last.count == 40, last.allSatisfy(Self.isHexDigit), parts.count <= 2,
      parts.count == 1 || parts[0].elementsEqual(last.prefix(2))
    else { return nil }
    fileID = String(decoding: last, as: UTF8.self)
  }

  /// Whether a folder is one of those that files are in.
  static func isFolder(_ name: [UInt8]) -> Bool { name.count == 2 && name.allSatisfy(isHexDigit) }

  /// The names of the lists by which a backup is recognized.
  static let lists = ["Manifest.db", "Manifest.mbdb"]

  /// The names of the files beside those under hashes.
  private static let others =
    lists + ["Manifest.db-wal", "Manifest.db-shm", "Info.plist", "Manifest.plist", "Status.plist"]

  /// The folder, with its slash, and the name of a file beside those under hashes; nil for any other.
  static func list(_ name: [UInt8]) -> (root: [UInt8], list: String)? {
    let root = SetFinder.folder(of: name)
    let last = name.dropFirst(root.count)
    return others.first { last.elementsEqual($0.utf8) }.map { (root, $0) }
  }

  /// The folder, with its slash, of the backup that a file lies in; nil for a name that is no hash.
  static func root(ofFile name: [UInt8]) -> [UInt8]? {
    guard name.count >= 40, BackupFileName(name.suffix(40)) != nil else { return nil }
    let rest = name.dropLast(40)
    guard rest.last == UInt8(ascii: "/") else { return rest.isEmpty ? [] : nil }
    let folder = rest.suffix(3).dropLast()
    let isAlone = rest.count == 3 || rest.count > 3 && rest[rest.endIndex - 4] == UInt8(ascii: "/")
    return Array(isAlone && folder.elementsEqual(name.suffix(40).prefix(2)) ? rest.dropLast(3) : rest)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
