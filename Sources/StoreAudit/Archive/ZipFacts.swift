import StorePlaces

/// The entries of a zip archive's directory, to compare with those that bsdtar delivers.
struct ZipFacts {
  /// Whether the archive has a directory; otherwise it was truncated.
  let hasDirectory: Bool
  /// Files that need a password, by name.
  let encrypted: [[UInt8]]
  /// All other files, by name.
  let readable: [[UInt8]]
  private let contents: Set<ZipDirectory.Contents>

  init(_ directory: ZipDirectory?) {
    hasDirectory = directory != nil
    let entries = directory?.entries ?? []
    encrypted = entries.filter { $0.isEncrypted && !$0.isFolder }.map(\.name)
    let others = entries.filter { !$0.isEncrypted || $0.isFolder }
    readable = others.map(\.name)
    contents = Set(others.map(\.contents))
    // All ones: the offset is in zip64's extra field.
    let offsets = others.map(\.offset).filter { $0 != .max }
    overlapping = offsets.count - Set(offsets).count
    isWhollyEncrypted = !encrypted.isEmpty && others.allSatisfy(\.isFolder)
  }

  /// Whether no file can be read without a password.
  let isWhollyEncrypted: Bool

  /// The least number of entries that bsdtar delivers. On macOS it takes some for file metadata.
  var leastEntries: Int { readable.count { !$0.starts(with: Array("__MACOSX/".utf8)) } }

  /// The message about entries that are in the directory and were not delivered.
  func lossWords(_ count: Int) -> String {
    let why = overlapping > 0 ? ": \(overlapping) lie in the place of others, which is a trick" : ""
    return "\(count) of its \(readable.count) entries did not come out\(why); unpack it yourself and audit the folder"
  }

  /// The number of entries that overlap others.
  private let overlapping: Int

  /// The most comparisons of names that are made to exclude encrypted files.
  private static let mostComparisons = 5_000_000
  /// The most patterns that fit into a program's arguments.
  private static let mostPatterns = 500

  /// Patterns that match the encrypted files and no others; nil where that is not possible.
  var patternsOfEncrypted: [EntryPattern]? {
    let patterns = encrypted.compactMap(EntryPattern.init)
    guard patterns.count == encrypted.count, patterns.count <= Self.mostPatterns,
      patterns.count * readable.count <= Self.mostComparisons,
      patterns.reduce(0, { $0 + $1.text.utf8.count }) <= 64 << 10,
      !readable.contains(where: { name in patterns.contains { $0.fits(name) } })
    else { return nil }
    return patterns
  }

  /// Why an entry with these contents is not to be trusted; nil when it is.
  func doubt(of found: ZipDirectory.Contents) -> String? {
    if hasDirectory { return contents.contains(found) ? nil : "its bytes do not fit its checksum" }
    // In an archive written as a stream, only the directory or the data after an entry has its size.
    return found.size == 0 ? "its size is lost with the archive's directory" : nil
  }

  /// The wanted entries that were not delivered.
  func missing(seen: Set<[UInt8]>) -> [[UInt8]] {
    // Compared with slashes, since bsdtar turns backslashes into them.
    let seen = Set(seen.map(EntryPattern.turned))
    return readable.filter { name in
      let turned = EntryPattern.turned(name)
      return EntryRole(name: turned).isWanted && !seen.contains(turned)
    }
  }
}

extension ZipDirectory.Entry {
  fileprivate var isFolder: Bool { name.last == UInt8(ascii: "/") && contents.size == 0 }
}
