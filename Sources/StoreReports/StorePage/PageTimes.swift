import StoreCoreData
import StoreInspection
import StoreRecovery
import StoreWords

/// What of a store has a time, for its page.
package struct PageTimes {
  let timeline: Timeline
  /// Whether each event is listed.
  let listsEvents: Bool
  /// What was found of deleted objects, by entity or table; nil where pages were not searched.
  let found: [Found]?
  private let ends: [TimePicture.End]

  /// What pages have of the objects of one entity.
  struct Found: Equatable {
    var entity: String
    var deleted: [RecoveredRow.Grade: Int64] = [:]
    var versions: Int64 = 0
  }

  /// - Parameter recovery: what was found in the pages; nil where they were not searched.
  package init(_ timeline: Timeline, listsEvents: Bool, recovery: Recovery?) {
    self.timeline = timeline
    self.listsEvents = listsEvents
    found = recovery.map { Self.found($0.rows) }
    ends = recovery.map(\.endsShownByPages) ?? []
  }

  var picture: TimePicture { TimePicture(timeline, ends: ends) }

  private static func found(_ rows: [RecoveredRow]) -> [Found] {
    var byEntity: [String: Found] = [:]
    for row in rows {
      let name = row.entity ?? row.table ?? "unknown"
      switch row.kind {
      case .deleted: byEntity[name, default: Found(entity: name)].deleted[row.grade, default: 0] += 1
      case .earlierVersion: byEntity[name, default: Found(entity: name)].versions += 1
      case .undecided, .neverCommitted, .unreachable: continue
      }
    }
    return byEntity.values.sorted { codeUnitsPrecede($0.entity, $1.entity) }
  }
}

extension Recovery {
  /// Ends of objects and of versions of them that pages show and nothing proves.
  fileprivate var endsShownByPages: [TimePicture.End] {
    rows.filter { $0.grade != .proved }.compactMap { row in
      switch row.kind {
      case .deleted: TimePicture.End(.deleted(row.grade), time: row.bracket.time)
      case .earlierVersion: TimePicture.End(.replaced(row.grade), time: row.bracket.time)
      case .undecided, .neverCommitted, .unreachable: nil
      }
    }
  }
}
