import StoreCoreData
import StoreSQLite

/// Everything in a store that has a time, in order.
public struct Timeline: Sendable, Equatable {
  /// Which store it is.
  public var store: StoreIdentity
  /// The events in order: by time, then by what they are, then by key. Those without any time come last.
  public var events: [Event]
  /// Names of the entities, by number.
  public var entityNames: [EntityID: String]
  /// Date attributes that events refer to.
  public var attributes: [String]
  /// Transactions of persistent history that events refer to, by key.
  public var transactions: [Int64: HistoryTransaction]
  /// Changes that events refer to.
  public var changes: [HistoryChange]
  /// Commits that events refer to.
  public var commits: [StoreCommit]
  /// Dates in the metadata that events refer to: the key.
  public var metadataKeys: [String]
  /// Objects the log proves to be gone that events refer to.
  public var proved: [ProvedEnd] = []
  /// Events without any time that a limit of time left out.
  public var undatedLeftOut: Int
  /// Parts that could not be read, one sentence each.
  public var problems: [String]

  /// One event.
  public struct Event: Sendable, Equatable {
    /// When it was.
    public var time: Time
    /// The source of the event.
    public var source: Source
  }

  /// A moment in seconds since 2001-01-01 UTC, as well as it is known.
  public enum Time: Sendable, Equatable {
    case exact(Double)
    /// Not before the first and not after the second, where they are known.
    case between(Double?, Double?)
  }

  /// The sources of events. Positions are those in the lists of the timeline.
  public enum Source: Sendable, Equatable {
    case date(attribute: Int, entity: EntityID, key: Int64)
    case transaction(Int64)
    case change(Int)
    case commit(Int)
    case metadata(Int)
    case proved(Int)
  }

  /// An object, or a version of one, that a commit of the log has and a later one has not.
  public struct ProvedEnd: Sendable, Equatable {
    /// Its entity's name.
    public var entity: String
    /// Its key.
    public var key: Int64
    /// Whether the object itself is gone, and not only this version of it.
    public var isDeletion: Bool
    /// The last commit that has it; 0 for the main file before the first.
    public var present: Int
    /// The first commit that has not.
    public var absent: Int
    /// When it ended.
    public var time: Time

    /// The end of an object or a version.
    public init(entity: String, key: Int64, isDeletion: Bool, present: Int, absent: Int, time: Time) {
      self.entity = entity
      self.key = key
      self.isDeletion = isDeletion
      self.present = present
      self.absent = absent
      self.time = time
    }
  }
}

extension Timeline.Time {
  /// The moment that an event is placed at; nil where nothing is known.
  public var place: Double? {
    switch self {
    case .exact(let time): time
    case .between(let start, let end): start ?? end
    }
  }

  /// Whether it can be within limits.
  func overlaps(since: Double?, until: Double?) -> Bool {
    let (start, end): (Double?, Double?) =
      switch self {
      case .exact(let time): (time, time)
      case .between(let start, let end): (start, end)
      }
    if let since, let end, end < since { return false }
    if let until, let start, start > until { return false }
    return true
  }
}

/// Options for the content of a timeline.
public struct TimelineOptions: Sendable {
  /// The earliest moment, seconds since 2001-01-01 UTC; nil for no limit.
  public var since: Double?
  /// The latest moment, likewise.
  public var until: Double?
  /// Entities, by their names in `Z_PRIMARYKEY` or the model; with subentities. Empty for all.
  public var entities: [String]
  /// Keys of objects. Empty for all.
  public var keys: [Int64]
  /// Date attributes as "Note.created"; empty for all.
  public var dates: [String]
  /// Objects the log proves to be gone, which are shown too.
  public var proved: [Timeline.ProvedEnd] = []

  /// Everything.
  public init(
    since: Double? = nil, until: Double? = nil, entities: [String] = [], keys: [Int64] = [], dates: [String] = []
  ) {
    self.since = since
    self.until = until
    self.entities = entities
    self.keys = keys
    self.dates = dates
  }
}
