/// What a zip archive's directory says, to compare with what comes out of it.
struct ZipFacts {
  /// Whether the archive has a directory; without it, it was cut.
  let hasDirectory: Bool
  /// Files that need a password, by name.
  let encrypted: [[UInt8]]
  /// Everything else, by name.
  let readable: [[UInt8]]
  private let contents: Set<ZipDirectory.Contents>

  init(_ directory: ZipDirectory?) {
    hasDirectory = directory != nil
    let entries = directory?.entries ?? []
    encrypted = entries.filter { $0.isEncrypted && !$0.isFolder }.map(\.name)
    let others = entries.filter { !$0.isEncrypted || $0.isFolder }
    readable = others.map(\.name)
    contents = Set(others.map(\.contents))
    // All ones: the offset is elsewhere, in zip64's extra field.
    let offsets = others.map(\.offset).filter { $0 != .max }
    overlapping = offsets.count - Set(offsets).count
    isWhollyEncrypted = !encrypted.isEmpty && others.allSatisfy(\.isFolder)
  }

  /// Whether no file can be read without a password.
  let isWhollyEncrypted: Bool

  /// How many entries bsdtar hands over at least. On macOS it takes some for what the file system keeps beside a file.
  var leastEntries: Int { readable.count { !$0.starts(with: Array("__MACOSX/".utf8)) } }

  /// What is said of entries that the directory has and that did not come out.
  func lossWords(_ count: Int) -> String {
    let why = overlapping > 0 ? ": \(overlapping) lie in the place of others, which is a trick" : ""
    return "\(count) of its \(readable.count) entries did not come out\(why); unpack it yourself and audit the folder"
  }

  /// How many entries lie where another does.
  private let overlapping: Int

  /// As many comparisons of names as are made to leave out what is encrypted.
  private static let mostComparisons = 5_000_000
  /// As many entries as a program's arguments have room for.
  private static let mostPatterns = 500

  /// Patterns for what is encrypted, and for nothing else; nil where there are none.
  var patternsOfEncrypted: [EntryPattern]? {
    let patterns = encrypted.compactMap(EntryPattern.init)
    guard patterns.count == encrypted.count, patterns.count <= Self.mostPatterns,
      patterns.count * readable.count <= Self.mostComparisons,
      patterns.reduce(0, { $0 + $1.text.utf8.count }) <= 64 << 10,
      !readable.contains(where: { name in patterns.contains { $0.fits(name) } })
    else { return nil }
    return patterns
  }

  /// Why an entry that came out with these contents is not to be believed; nil when it is.
  func doubt(of found: ZipDirectory.Contents) -> String? {
    if hasDirectory { return contents.contains(found) ? nil : "its bytes do not fit its checksum" }
    // In an archive that was written in one go only the directory, or what follows an entry, has its size.
    return found.size == 0 ? "its size is lost with the archive's directory" : nil
  }

  /// The wanted entries that are not among `seen`.
  func missing(seen: Set<[UInt8]>) -> [[UInt8]] {
    // Some names have backslashes, which bsdtar turns.
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
