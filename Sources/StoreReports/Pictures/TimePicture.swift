import StoreCoreData
import StoreInspection
import StoreRecovery
import StoreText
import StoreWords

/// All that has a time in a store, on one axis: lanes for who saved, the log, what pages tell of deletions, and date attributes.
///
/// The axis has a column for each span of time with an event. What lies between them without any is left out.
package struct TimePicture: Sendable, Equatable {
  /// The lanes, in the order they are drawn.
  package private(set) var lanes: [Lane] = []
  /// The columns, in the order of time.
  package private(set) var columns: [Column] = []
  /// The marks, by lane and column.
  package private(set) var marks: [Mark] = []
  /// How long a column is.
  package private(set) var span = TimeSpan.day
  /// Events of which no time is known, by what they are.
  package private(set) var undated: [TimeEvent: Int] = [:]

  /// A lane.
  package struct Lane: Sendable, Hashable {
    /// Who saved, or which attribute.
    package var name: String
    /// What stands below its name: the context.
    package var detail = ""
    /// What its events are.
    package var kind: Kind

    /// The kinds, in the order they are drawn.
    package enum Kind: Int, Sendable { case history, log, pages, dates }
  }

  /// A span of time.
  package struct Column: Sendable, Equatable {
    /// The number of the span, counted from that of 2001-01-01.
    package var number: Int
    /// "2024-03-03".
    package var title: String
    /// Whether spans before it are left out.
    package var isAfterGap = false
  }

  /// What happened in a lane within a column.
  package struct Mark: Sendable, Equatable {
    package var lane: Int
    package var column: Int
    package var counts: [TimeEvent: Int]
  }

  /// What pages tell of the end of an object or of a version of it.
  package struct End: Sendable, Equatable {
    package var event: TimeEvent
    package var time: Timeline.Time

    /// - Parameter event: a deletion or a replacement.
    package init(_ event: TimeEvent, time: Timeline.Time) {
      self.event = event
      self.time = time
    }
  }

  /// The most columns that are drawn.
  static let mostColumns = 32

  /// - Parameters:
  ///   - timeline: what has a time.
  ///   - ends: what pages tell besides.
  package init(_ timeline: Timeline, ends: [End] = []) {
    var events = TimeEvents()
    for event in timeline.events { events.add(event, of: timeline) }
    for end in ends { events.add(end) }
    self.init(events)
  }

  /// Of events that were collected.
  init(_ events: TimeEvents) {
    undated = events.undated
    span = TimeSpan.finest(for: events.dated.map(\.time), most: Self.mostColumns)
    let order = events.lanes.indices.sorted { one, other in
      let (one, other) = (events.lanes[one], events.lanes[other])
      return (one.kind.rawValue, one.name, one.detail) < (other.kind.rawValue, other.name, other.detail)
    }
    lanes = order.map { events.lanes[$0] }
    let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    var counts: [Int: [Int: [TimeEvent: Int]]] = [:]
    for event in events.dated {
      counts[span.number(of: event.time), default: [:]][places[event.lane] ?? 0, default: [:]][
        event.what, default: 0] += 1
    }
    var before: Int?
    for (column, (number, byLane)) in counts.sorted(by: { $0.key < $1.key }).enumerated() {
      columns.append(
        Column(number: number, title: span.title(number), isAfterGap: before.map { number > $0 + 1 } ?? false))
      before = number
      marks += byLane.map { Mark(lane: $0.key, column: column, counts: $0.value) }
    }
    marks.sort { ($0.lane, $0.column) < ($1.lane, $1.column) }
  }

  /// Whether there is nothing to draw.
  package var isEmpty: Bool { marks.isEmpty }

  /// How many events of a kind there are.
  func count(_ isMeant: (TimeEvent) -> Bool) -> Int {
    marks.reduce(0) { sum, mark in sum + mark.counts.reduce(0) { isMeant($1.key) ? $0 + $1.value : $0 } }
  }
}
