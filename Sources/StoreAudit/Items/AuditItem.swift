import StoreWords
import StoreSQLite

/// One entry of an audit: what a line is made of, before anything of it was read.
public struct AuditItem: Sendable {
  /// What the list it came from calls it.
  public var id: String?
  /// Where it is in what the list names by the id, as lines show it: "/2024/Notes.sqlite" of a folder,
  /// "!Notes.sqlite" of an archive; empty where it is that itself, and without an id.
  public var within: [UInt8] = []
  /// Whether an earlier entry of the audit has its repaired copy where this one's would go.
  var isRepeated = false
  /// The path its line shows, as given or found; of an entry in an archive `archive!entry`.
  public var shown: PosixPath
  /// Where it lies.
  public var location: PosixPath
  /// What is to be done with it.
  public var kind: Kind
  /// The private folder it was unpacked into, by whose path no line names it.
  var unpacked: Unpacked?

  /// What is to be done with an entry.
  public enum Kind: Sendable, Equatable {
    /// A file that is, or may be, a store; `wasNamed` where the user said so.
    case store(wasNamed: Bool)
    /// An archive to be unpacked and searched.
    case archive
    /// Nothing: that it is there is all there is to say.
    case problem(AuditProblem)
  }

  /// Where the entries of an archive lie for a while.
  struct Unpacked: Sendable, Equatable {
    /// The private folder.
    var folder: PosixPath
    /// The archive's path as lines show it.
    var archive: PosixPath
  }

  /// An entry; shown by its own path unless said otherwise.
  public init(id: String? = nil, _ location: PosixPath, shown: PosixPath? = nil, _ kind: Kind) {
    self.id = id
    self.location = location
    self.shown = shown ?? location
    self.kind = kind
  }

  /// What it is known by: in lists that are sorted, in baselines, and for the shard it belongs to.
  public var key: [UInt8] { id.map { Array($0.utf8) + within } ?? shown.bytes }
}

extension AuditItem {
  /// A sentence as a line shows it: by the names in the archive, and not by those of the private folder.
  func shownText(_ text: String) -> String {
    guard let unpacked else { return text }
    let (folder, archive) = (unpacked.folder.description, unpacked.archive.description)
    // Some sentences hold paths as they are, and some with what would act on a terminal escaped.
    return [(folder, archive), (escapedForTerminal(folder), escapedForTerminal(archive))].reduce(text) { text, names in
      text.replacing(names.0 + "/", with: names.1 + "!").replacing(names.0, with: names.1)
    }
  }
}
