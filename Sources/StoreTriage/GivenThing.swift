import StoreCoreData
import StoreExplanation
import StoreSQLite

/// One of the things that a person named without saying what it is, and what it was taken for.
package struct GivenThing: Sendable {
  /// As it was named.
  package var name: String
  /// Where it is.
  package var path: PosixPath
  /// The stores in it, each with the path at which it is read. Where there are several, not all are listed.
  package var stores: [PosixPath] = []
  /// Whether it is a folder, an archive or a backup, in which things were looked for.
  package var isPlace = false
  /// Databases in it that could not be read, a sentence each; they may be stores.
  package var unreadable: [String] = []
  /// Why it may hold more stores; nil where all was looked at.
  package var incomplete: String?
  /// What was not read of its models and logs, a sentence each.
  package var gaps: [String] = []
  /// Whether a model is in it, or it is one.
  package var holdsModel = false
  /// Whether it is a mapping model.
  package var isMapping = false
  /// The logs in it that say something of Core Data, or the one that it is.
  package var logs: [ReadLog] = []
  /// A write-ahead log of a store that does not lie beside it.
  package var writeAheadLog: PosixPath?
  /// The store beside which it lies as a side file.
  package var mainFile: PosixPath?
  /// Whether its stores were left out, since it was named for its model.
  package var leavesOutStores = false
  /// What it is, where nothing could be made of it; a sentence.
  package var problem: Problem?

  /// A text that was read as a log.
  package struct ReadLog: Sendable {
    /// Its name, `ARCHIVE!member/path` in an archive.
    package var name: String
    /// What it says.
    package var explanation: Explanation

    /// A text and what it says.
    package init(name: String, explanation: Explanation) { (self.name, self.explanation) = (name, explanation) }
  }

  /// Why nothing could be made of something.
  package struct Problem: Sendable {
    /// The sentence.
    package var sentence: String
    /// Whether it could not be read, so that it is not known what it holds; else it is something else than was looked for.
    package var isUnread: Bool
  }

  init(_ path: PosixPath, name: String) { (self.path, self.name) = (path, name) }
}
