/// What a zip archive's directory says, to compare with what comes out of it.
struct ZipFacts {
  /// Whether the archive has a directory; without it, it was cut.
  let hasDirectory: Bool
  /// Whether anything needs a password.
  let holdsEncrypted: Bool
  private let contents: Set<ZipDirectory.Contents>
  private let names: [[UInt8]]

  init(_ directory: ZipDirectory?) {
    hasDirectory = directory != nil
    let entries = directory?.entries ?? []
    holdsEncrypted = entries.contains(where: \.isEncrypted)
    contents = Set(entries.map(\.contents))
    names = entries.map(\.name)
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
    let seen = Set(seen.map(Self.turned))
    return names.filter { EntryRole(name: Self.turned($0)).isWanted && !seen.contains(Self.turned($0)) }
  }

  private static func turned(_ name: [UInt8]) -> [UInt8] {
    name.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
  }
}
