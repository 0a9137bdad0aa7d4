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

  /// The folder, with its slash, of the list of a backup; nil where the name is none of a list.
  static func root(ofList name: [UInt8]) -> [UInt8]? {
    for list in lists where name.count >= list.utf8.count && name.suffix(list.utf8.count).elementsEqual(list.utf8) {
      let root = Array(name.dropLast(list.utf8.count))
      if root.isEmpty || root.last == UInt8(ascii: "/") { return root }
    }
    return nil
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
