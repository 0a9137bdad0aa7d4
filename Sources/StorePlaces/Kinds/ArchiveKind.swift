import StoreSystem
import StoreSQLite

/// The kinds of archives that are unpacked, recognised by their first bytes.
package enum ArchiveKind: Equatable {
  /// An uncompressed tar.
  case tar
  /// gzip; whether it holds a tar is known only when it is unpacked.
  case gzip
  case zip

  /// How many first bytes are needed.
  package static let usefulBytes = TarHeader.size

  /// Nil when `head`, the first bytes of a file, is not that of an archive.
  package init?(head: some Collection<UInt8>) {
    switch FileSniff(Array(head.prefix(8))) {
    case .gzip: self = .gzip
    case .zip: self = .zip
    case .empty, .sqlite, .writeAheadLog, .rollbackJournal, .sharedMemory, .binaryPropertyList, .xmlPropertyList,
      .xmlStore, .xml, .text, .zeros, .random, .unknown:
      guard TarHeader.isMarked(Array(head.prefix(TarHeader.size))) else { return nil }
      self = .tar
    }
  }

  /// Extensions of archives that are unpacked. Many other files are zip archives too: documents, apps, libraries.
  fileprivate var extensions: [String] {
    switch self {
    case .tar: [".tar"]
    case .gzip: [".tar.gz", ".tgz"]
    case .zip: [".zip", ".ipa"]
    }
  }

  /// Whether a name has the extension of an archive, even of a kind that is not unpacked: there may be stores in it.
  package static func isNamedArchive(_ name: [UInt8]) -> Bool {
    [ArchiveKind.tar, .gzip, .zip].contains { $0.fits(name) } || isOfUnsupportedKind(name)
  }

  /// Whether a name has the extension of a zip.
  package static func isNamedZip(_ name: [UInt8]) -> Bool { ArchiveKind.zip.fits(name) }

  /// Whether a name has the extension of an archive, or of one compressed store, of a kind that is not unpacked.
  package static func isOfUnsupportedKind(_ name: [UInt8]) -> Bool {
    otherArchives.contains(where: name.hasSuffix)
      || compressions.contains { suffix in
        name.hasSuffix(suffix) && EntryRole(name: Array(name.dropLast(suffix.utf8.count))) == .namedStore
      }
  }

  /// Whether a file is a tar packed in a way that is not read here, by its name and first bytes; libarchive's programs
  /// read it.
  package static func isPackedTar(_ name: [UInt8], head: [UInt8]) -> Bool {
    packedTars.contains { kind in
      head.starts(with: kind.magic) && kind.extensions.contains { name.count > $0.utf8.count && name.hasSuffix($0) }
    }
  }

  private static let packedTars: [(magic: [UInt8], extensions: [String])] = [
    (Array("BZh".utf8), [".tar.bz2", ".tbz", ".tbz2"]), ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], [".tar.xz", ".txz"]),
    ([0x28, 0xb5, 0x2f, 0xfd], [".tar.zst", ".tzst"]), ([0x04, 0x22, 0x4d, 0x18], [".tar.lz4"]),
  ]

  private static let otherArchives = [
    ".tar.bz2", ".tbz", ".tbz2", ".tar.xz", ".txz", ".tar.zst", ".tzst", ".tar.lz4", ".7z", ".rar", ".aar",
  ]
  /// Extensions of a single compressed file.
  private static let compressions = [".gz", ".bz2", ".xz", ".zst", ".lz4"]

  fileprivate func fits(_ name: [UInt8]) -> Bool {
    extensions.contains { name.count > $0.utf8.count && name.hasSuffix($0) }
  }
}

/// Why a file that is named like an archive, or begins like one, is not unpacked.
package func reasonNotUnpacked(name: [UInt8], head: [UInt8]) -> ArchiveError? {
  if TarHeader.saysUstar(head) { return .damaged(message: "its first header is damaged") }
  return ArchiveKind.isOfUnsupportedKind(name) ? .unsupported : nil
}

/// Whether a file is an archive to search: by its first bytes and its name. `name` is nil where the user named the
/// path; then the first bytes alone decide.
package func isArchive(name: [UInt8]?, head: [UInt8]) -> Bool {
  guard let kind = ArchiveKind(head: head) else { return false }
  return name.map(kind.fits) ?? true
}

/// Whether a path has the extension of an archive.
package func isNamedArchive(_ path: String) -> Bool { ArchiveKind.isNamedArchive(Array(path.utf8)) }

extension [UInt8] {
  /// Whether the bytes end with `suffix`, ignoring case.
  package func hasSuffix(_ suffix: String) -> Bool {
    count >= suffix.utf8.count
      && zip(self.suffix(suffix.utf8.count), suffix.utf8).allSatisfy { lowercased($0) == lowercased($1) }
  }
}

private func lowercased(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}
