import StoreText
import StoreWords
import StoreSQLite

/// One entry of an audit: what is known before anything of it is read.
package struct AuditItem: Sendable {
  /// Its id in the list it came from.
  package var id: String?
  /// The path inside of what the list's id names, as lines show it: "/2024/Notes.sqlite" in a folder, "!Notes.sqlite"
  /// in an archive; empty for that itself, and without an id.
  package var within: [UInt8] = []
  /// Whether the place of this entry's repaired copy is taken by an earlier one's.
  var isRepeated = false
  /// The path that its line shows, as given or found; `archive!entry` in an archive.
  package var shown: PosixPath
  /// The actual path.
  package var location: PosixPath
  /// The work to be done with it.
  package var kind: Kind
  /// The private folder it was unpacked into, which no line mentions.
  var unpacked: Unpacked?
  /// What the place it lies in says of it.
  var facts = PlaceMap.Facts()

  /// The kinds of work to be done with an entry.
  package enum Kind: Sendable, Equatable {
    /// A file that is, or may be, a store; `wasNamed` if the user named it.
    case store(wasNamed: Bool)
    /// An archive to be unpacked and searched.
    case archive
    /// Nothing: only the problem is reported.
    case problem(AuditProblem)
  }

  /// Where the entries of an archive are while they are audited.
  struct Unpacked: Sendable, Equatable {
    /// The private folder.
    var folder: PosixPath
    /// The archive's path as lines show it.
    var archive: PosixPath
    /// Where the entry's files are, by the names they have in the archive; nil where they lie in the folder under these.
    var map: PosixPath?
  }

  /// An entry; by default shown by its path.
  package init(id: String? = nil, _ location: PosixPath, shown: PosixPath? = nil, _ kind: Kind) {
    self.id = id
    self.location = location
    self.shown = shown ?? location
    self.kind = kind
  }

  /// The app or group in whose container it lies, where that is known and not in its path.
  package var container: String? { facts.container.flatMap { shown.description.contains($0) ? nil : $0 } }
  /// Of a store in a backup: the device, in words.
  package var device: String? { facts.device }

  /// Identifies the entry: for sorting, in baselines, and for its shard.
  package var key: [UInt8] { id.map { Array($0.utf8) + within } ?? shown.bytes }
}

extension AuditItem {
  /// A message as a line shows it, with the names in the archive instead of those in the private folder.
  func shownText(_ text: String) -> String {
    guard let unpacked else { return text }
    let (folder, archive) = (unpacked.folder.description, unpacked.archive.description)
    // Some messages contain paths verbatim, others escaped for a terminal.
    return [(folder, archive), (escapedForTerminal(folder), escapedForTerminal(archive))].reduce(text) { text, names in
      text.replacing(names.0 + "/", with: names.1 + "!").replacing(names.0, with: names.1)
    }
  }
}
