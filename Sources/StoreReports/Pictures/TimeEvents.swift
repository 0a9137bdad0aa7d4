import StoreCoreData
import StoreInspection
import StoreText

/// Events by lane, before there are columns.
struct TimeEvents {
  private(set) var lanes: [TimePicture.Lane] = []
  private(set) var dated: [(time: Double, lane: Int, what: TimeEvent)] = []
  private(set) var undated: [TimeEvent: Int] = [:]
  private var places: [TimePicture.Lane: Int] = [:]
  /// The lanes of date attributes, of which there may be a million events.
  private var dateLanes: [DateAttribute: TimePicture.Lane] = [:]

  private struct DateAttribute: Hashable {
    var attribute: Int
    var entity: EntityID
  }

  mutating func add(_ event: Timeline.Event, of timeline: Timeline) {
    switch event.source {
    case .transaction(let key): add(.saved, event.time, history(timeline.transactions[key]))
    case .change(let position):
      guard timeline.changes.indices.contains(position) else { return }
      let change = timeline.changes[position]
      let what: TimeEvent =
        switch change.kind {
        case .insert: .inserted
        case .update: .updated
        case .delete: .deleted(.proved)
        case .other: .changed
        }
      add(what, event.time, history(timeline.transactions[change.transaction]))
    case .commit:
      var isExact = false
      if case .exact = event.time { isExact = true }
      add(isExact ? .commit : .boundedCommit, event.time, Self.log)
    case .proved(let position):
      guard timeline.proved.indices.contains(position) else { return }
      add(timeline.proved[position].isDeletion ? .deleted(.proved) : .replaced(.proved), event.time, Self.pages)
    case .date(let attribute, let entity, _):
      let key = DateAttribute(attribute: attribute, entity: entity)
      let lane = dateLanes[key] ?? Self.dates(attribute, entity, timeline)
      dateLanes[key] = lane
      add(.date, event.time, lane)
    case .metadata(let position):
      let key = timeline.metadataKeys.indices.contains(position) ? timeline.metadataKeys[position] : "?"
      add(.date, event.time, .init(name: key, detail: "metadata", kind: .dates))
    }
  }

  mutating func add(_ end: TimePicture.End) { add(end.event, end.time, Self.pages) }

  private static let log = TimePicture.Lane(name: "write-ahead log", kind: .log)
  private static let pages = TimePicture.Lane(name: "found in pages", kind: .pages)

  private func history(_ transaction: HistoryTransaction?) -> TimePicture.Lane {
    .init(
      name: transaction?.author ?? (transaction == nil ? "no transaction" : "no author"),
      detail: transaction?.context.map { "context \($0)" } ?? "", kind: .history)
  }

  private static func dates(_ attribute: Int, _ entity: EntityID, _ timeline: Timeline) -> TimePicture.Lane {
    let name = timeline.attributes.indices.contains(attribute) ? timeline.attributes[attribute] : "?"
    return .init(name: "\(timeline.entityNames[entity] ?? "entity \(entity)").\(name)", kind: .dates)
  }

  /// Adds an event of a lane. What no calendar has a day for, the list of events calls "not a date".
  mutating func add(_ what: TimeEvent, _ time: Timeline.Time, _ lane: TimePicture.Lane) {
    guard let place = time.place, datetime(place) != nil else {
      undated[what, default: 0] += 1
      return
    }
    let number = places[lane] ?? lanes.count
    if number == lanes.count {
      lanes.append(lane)
      places[lane] = number
    }
    dated.append((place, number, what))
  }
}
