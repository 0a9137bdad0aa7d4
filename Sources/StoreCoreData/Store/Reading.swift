/// What an answer about a store rests on: whether all that the app saved was read, and whether reading left no trace.
///
/// Made where a store is opened, and carried by every answer about it, so that none can say "nothing" of what was not
/// there to be read.
public struct Reading: Sendable, Equatable {
  /// Whether all that was saved is in what was read.
  public enum Completeness: String, Sendable {
    /// It is, as far as the files can tell.
    case yes
    /// Something that lies there was not read.
    case no
    /// What would tell is not there, or cannot be read.
    case unknown
  }

  /// What became of the write-ahead log.
  public enum Log: String, Sendable {
    /// It was read.
    case read
    /// There is none.
    case none
    /// It belongs to another store, or cannot be read, so the main file was read alone.
    case foreign
    /// It was left out because the user asked for that.
    case leftOut
  }

  /// Whether the pages that were read show all rows of their tables.
  public enum Soundness: String, Sendable {
    /// They do.
    case yes
    /// A table is damaged: what it does not show may be there all the same.
    case no
    /// The pages were not looked at.
    case unknown
  }

  /// Whether all that was saved is in what was read.
  public var complete = Completeness.yes
  /// Whether the tables that were read show all their rows.
  public var sound = Soundness.unknown
  /// What is damaged; lower case, no full stop.
  public var damage: [String] = []
  /// Of that, what a file that is too short leaves open; nil where it has its length.
  package var truncation: String? { damage.first { $0.hasPrefix(Self.beginningOfTruncation) } }
  /// Why not, or why that is not known; lower case, no full stop.
  public var reasons: [String] = []
  /// What the store has and what could not be read of it, besides rows; lower case, no full stop.
  public var unread: [String] = []
  /// What became of the write-ahead log.
  public var log = Log.none
  /// The log that was read in place of the one beside the store, as the user named it; nil for that one.
  public var namedLog: String?
  /// Logs beside the store under other names, which fit and were not read.
  public var fittingLogs: [String] = []
  /// Whether a hot rollback journal lies beside it, which was rolled back in memory.
  public var appliesJournal = false
  /// The journal of a repair in place that stopped before its end; nil where there is none beside the store.
  public var unfinishedRepair: String?
  /// The folder that a repair in place or an undo left when it was ended before it changed anything; nil without one.
  public var abandonedJournal: String?
  /// Whether the store is too damaged to be read as it is, and what was found in its pages is read in its place.
  package var isOfStandIn = false
  /// Whether reading left the files' access times alone.
  public var keepsAccessTimes = true

  /// The plain case: all was read, and nothing was touched.
  public init() {}

  /// How the clause about a file that is too short begins.
  static let beginningOfTruncation = "the main file has "
}
