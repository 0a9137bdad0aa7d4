import StoreCoreData
import StoreSQLite

/// Everything in a store that has a time, in order.
package struct Timeline: Sendable, Equatable {
  /// Which store it is.
  package var store: StoreIdentity
  /// The events in order: by time, then by what they are, then by key. Those without any time come last.
  package var events: [Event]
  /// Names of the entities, by number.
  package var entityNames: [EntityID: String]
  /// Date attributes that events refer to.
  package var attributes: [String]
  /// Transactions of persistent history that events refer to, by key.
  package var transactions: [Int64: HistoryTransaction]
  /// Changes that events refer to.
  package var changes: [HistoryChange]
  /// Commits that events refer to.
  package var commits: [StoreCommit]
  /// Dates in the metadata that events refer to: the key.
  package var metadataKeys: [String]
  /// Objects the log proves to be gone that events refer to.
  package var proved: [ProvedEnd] = []
  /// Events without any time that a limit of time left out.
  package var undatedLeftOut: Int
  /// Parts that could not be read, one sentence each.
  package var problems: [String]

  /// One event.
  package struct Event: Sendable, Equatable {
    /// When it was.
    package var time: Time
    /// The source of the event.
    package var source: Source
  }

  /// A moment in seconds since 2001-01-01 UTC, as well as it is known.
  package enum Time: Sendable, Equatable {
    case exact(Double)
    /// Not before the first and not after the second, where they are known.
    case between(Double?, Double?)
  }

  /// The sources of events. Positions are those in the lists of the timeline.
  package enum Source: Sendable, Equatable {
    case date(attribute: Int, entity: EntityID, key: Int64)
    case transaction(Int64)
    case change(Int)
    case commit(Int)
    case metadata(Int)
    case proved(Int)
  }

  /// The end of an object, or of a version of one, that pages prove, besides the history that is kept.
  package struct ProvedEnd: Sendable, Equatable {
    /// Its entity's name.
    package var entity: String
    /// Its key.
    package var key: Int64
    /// Whether the object itself is gone, and not only this version of it.
    package var isDeletion: Bool
    /// What proves it.
    package var proof: Proof
    /// When it ended.
    package var time: Time

    /// The kinds of proof.
    package enum Proof: Sendable, Equatable {
      /// A commit of the log has it and a later one has not; 0 is the main file before the first.
      case commits(present: Int, absent: Int)
      /// A delete change that was trimmed from the history and is still in the file, in words.
      case trimmedChange(String)
    }

    /// The end of an object or a version.
    package init(entity: String, key: Int64, isDeletion: Bool, proof: Proof, time: Time) {
      self.entity = entity
      self.key = key
      self.isDeletion = isDeletion
      self.proof = proof
      self.time = time
    }

    /// The commit that has it no more; nil for another proof.
    package var absent: Int? {
      if case .commits(_, let absent) = proof { absent } else { nil }
    }
  }
}

extension Timeline.Time {
  /// The moment that an event is placed at; nil where nothing is known.
  package var place: Double? {
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
package struct TimelineOptions: Sendable {
  /// The earliest moment, seconds since 2001-01-01 UTC; nil for no limit.
  package var since: Double?
  /// The latest moment, likewise.
  package var until: Double?
  /// Entities, by their names in `Z_PRIMARYKEY` or the model; with subentities. Empty for all.
  package var entities: [String]
  /// Keys of objects. Empty for all.
  package var keys: [Int64]
  /// Date attributes as "Note.created"; empty for all.
  package var dates: [String]
  /// Whether dates of objects and of the metadata are read, which are values.
  package var readsDates = true
  /// Objects the log proves to be gone, which are shown too.
  package var proved: [Timeline.ProvedEnd] = []

  /// Everything.
  package init(
    since: Double? = nil, until: Double? = nil, entities: [String] = [], keys: [Int64] = [], dates: [String] = []
  ) {
    self.since = since
    self.until = until
    self.entities = entities
    self.keys = keys
    self.dates = dates
  }
}
