import StoreSQLite

/// The meaning of an archive's entry for an audit, judged by its name and first bytes.
package enum EntryRole: Equatable {
  /// Begins as a SQLite database does.
  case database
  /// Has the name of a write-ahead log or a rollback journal.
  case sideFile
  /// Lies where a store keeps large values: `.NAME_SUPPORT/_EXTERNAL_DATA/`.
  case externalData
  /// Has the name of a store, but is no database.
  case namedStore
  /// Has the name of an archive.
  case archive
  /// Is of no interest.
  case other

  /// How many first bytes are needed.
  package static let usefulBytes = 16

  package init(name: [UInt8], head: [UInt8]) {
    if FileSniff(Array(head.prefix(Self.usefulBytes))) == .sqlite {
      self = .database
    } else if Self.isAppleDouble(name, head: head) {
      self = .other
    } else {
      self.init(name: name)
    }
  }

  /// The role by the name alone.
  package init(name: [UInt8]) {
    if Self.sideFiles.contains(where: name.hasSuffix) {
      self = .sideFile
    } else if Self.isExternalData(name) {
      self = .externalData
    } else if Self.stores.contains(where: name.hasSuffix) {
      self = .namedStore
    } else {
      self = ArchiveKind.isNamedArchive(name) ? .archive : .other
    }
  }

  /// Whether such an entry is unpacked.
  package var isWanted: Bool {
    switch self {
    case .database, .sideFile, .externalData, .namedStore: true
    case .archive, .other: false
    }
  }

  private static let sideFiles = ["-wal", "-journal"]
  private static let stores = [".sqlite", ".sqlite3", ".sqlitedb", ".store", ".storedata", ".coredata"]

  private static func isExternalData(_ name: [UInt8]) -> Bool {
    let parts = Array(name.split(separator: UInt8(ascii: "/")).suffix(3))
    guard parts.count == 3, parts[1].elementsEqual("_EXTERNAL_DATA".utf8) else { return false }
    return parts[0].first == UInt8(ascii: ".") && Array(parts[0]).hasSuffix("_SUPPORT")
  }

  /// Whether this is an AppleDouble file (`._Notes.sqlite`), in which macOS keeps metadata of a file (RFC 1740,
  /// appendix B).
  private static func isAppleDouble(_ name: [UInt8], head: [UInt8]) -> Bool {
    isNamedAppleDouble(name) && head.starts(with: [0x00, 0x05, 0x16, 0x07])
  }

  /// Whether it is named like an AppleDouble file.
  package static func isNamedAppleDouble(_ name: [UInt8]) -> Bool {
    (name.split(separator: UInt8(ascii: "/")).last ?? []).starts(with: "._".utf8)
  }
}
