import StoreSQLite

/// An archive that is open, and the name it has in the place that was named.
package final class OpenArchive {
  let reader: any ArchiveReader
  /// Empty for the place itself; `inner.zip!` for an archive in it.
  let prefix: [UInt8]

  init(_ reader: any ArchiveReader, prefix: [UInt8]) {
    self.reader = reader
    self.prefix = prefix
  }
}

/// A file of a place: its name there, and where its bytes are.
package struct PlaceFile {
  /// The name that people know: a path in the archive, or `Domain/path` in a backup.
  package var name: [UInt8]
  /// Bytes of it.
  package var size: Int64
  /// Where its bytes are.
  package var bytes: Bytes

  /// Where the bytes of a file are.
  package enum Bytes {
    /// In a file, as they are.
    case file(PosixPath)
    /// In an archive.
    case member(ArchiveMember, in: OpenArchive)
  }
}

/// The files of one store: what was found as one, by name or by the backup's list.
package struct EvidenceSet {
  /// The path in the place, with `!` behind each archive in it: `inner.zip!` or nothing.
  package var prefix: [UInt8]
  /// The main file.
  package var main: PlaceFile
  /// Whether it begins as a database does; if not, its name is a store's, or it may be one that lost its header.
  package var isDatabase: Bool
  /// Whether it may be a database that lost its header, which only its pages tell.
  package var mayBeHeadless = false
  /// Its log, journal and shared memory, by the ending that SQLite gives them.
  package var sides: [(ending: String, file: PlaceFile)] = []
  /// Those that are there and cannot be read, with the reason.
  package var unreadableSides: [(ending: String, reason: String)] = []
  /// Files of external data, by the name in their folder.
  package var external: [(name: [UInt8], file: PlaceFile)] = []
  /// Logs that lie with it under names of others.
  package var strayLogs: [PlaceFile] = []
  /// The app or group whose container it lies in.
  package var container: String?

  /// Whether it has a log of its name, readable or not.
  var hasLog: Bool { sides.contains { $0.ending == "-wal" } || unreadableSides.contains { $0.ending == "-wal" } }

  /// The name behind the place's `!`.
  package var shown: [UInt8] { prefix + main.name }
}

/// Something in a place that was not read, or not whole.
package struct LeftOut: Equatable {
  /// Its name in the place; empty for the place itself.
  package var name: [UInt8]
  package var kind: Kind
  /// Why; part of a sentence.
  package var reason: String

  /// Kinds of what is left out.
  package enum Kind: Equatable {
    /// Damaged, or otherwise not to be trusted.
    case refused
    /// It needs a password.
    case encrypted
    /// An archive that cannot be read.
    case unreadableArchive
    /// An archive in as many others as are followed.
    case tooDeep
    /// A link, which is not followed.
    case link
    /// A log without its store.
    case orphanLog
    /// Of the place as a whole.
    case whole
  }
}

/// What a place holds, and what of it was left out.
package struct PlaceContents {
  /// Stores, and files that may be one, in the order of their names.
  package var sets: [EvidenceSet] = []
  /// What was not read.
  package var leftOut: [LeftOut] = []
  /// How many files were looked at.
  package var filesSeen = 0
  /// What each backup says of itself, and the path to it with its `!`; empty for the place itself.
  package var backups: [(prefix: [UInt8], facts: BackupFacts)] = []
}
