import StoreCoreData
import StoreFindings
import StoreSQLite
import StoreWords

/// Reads everything in the store at `path` that has a time.
///
/// - Throws: `StoreError` when the file cannot be read as a store, or keeps changing; `UnknownEntity` or `UnknownDate` for
///   a name that the store lacks.
package func makeTimeline(
  _ path: PosixPath, opening: Store.Options = Store.Options(), options: TimelineOptions = TimelineOptions()
) throws -> Timeline {
  let path = try StoreLocator.locate(path)
  func once() throws -> Timeline {
    let store = try Store(path, options: opening.watchingPages)
    let result = Result {
      var timeline = try TimelineReader(store: store, options: options).timeline()
      timeline.store.reading = Reading(store)
      return timeline
    }
    try store.checkUnchanged()
    return try result.get()
  }
  do {
    return try once()
  } catch let error as StoreError {
    guard case .changedWhileReading = error.problem else { throw error }
    return try once()
  }
}

/// A date attribute that a store lacks.
package struct UnknownDate: Error, CustomStringConvertible {
  /// As it was asked for.
  package var name: String
  /// Those that there are.
  package var known: [String]

  /// Advice on what to do.
  package var description: String {
    "there is no date attribute \(quoted(name)); name it as in 'Note.created'"
      + (known.isEmpty ? " (the store has none)" : didYouMean(name, among: known))
  }
}

private struct TimelineReader {
  let store: Store
  let options: TimelineOptions

  func timeline() throws -> Timeline {
    var timeline = Timeline(
      store: StoreIdentity(store), events: [], entityNames: [:], attributes: [], transactions: [:], changes: [],
      commits: [], metadataKeys: [], undatedLeftOut: 0, problems: store.problems)
    for row in store.entityMap.rows { timeline.entityNames[row.id] = row.name }
    let wanted = try wantedEntities()
    if options.readsDates { readDates(wanted, into: &timeline, dates: try wantedDates()) }
    readHistory(wanted, into: &timeline)
    readCommits(wanted, into: &timeline)
    takeProved(wanted, into: &timeline)
    if wanted == nil, options.keys.isEmpty, options.readsDates { readMetadata(&timeline) }
    limit(&timeline)
    timeline.events.sort(by: timeline.precedes)
    return timeline
  }

  /// The entities asked for and their subentities; nil for all.
  private func wantedEntities() throws -> Set<EntityID>? {
    guard !options.entities.isEmpty else { return nil }
    var wanted: Set<EntityID> = []
    for name in options.entities {
      guard let entity = store.layout.entity(named: name) else {
        throw UnknownEntity(
          name: name, known: store.layout.entities.filter { !$0.id.isInternal }.map(\.name), place: "store")
      }
      wanted.insert(entity.id)
    }
    for row in store.entityMap.rows {
      var (id, steps) = (row.id, 0)
      while let parent = store.entityMap[id]?.parent, steps < 1000, !wanted.contains(id) {
        (id, steps) = (parent, steps + 1)
      }
      if wanted.contains(id) { wanted.insert(row.id) }
    }
    return wanted
  }

  /// The attributes asked for, as "Note.created"; nil for all.
  private func wantedDates() throws -> Set<String>? {
    guard !options.dates.isEmpty else { return nil }
    let known = store.layout.entities.flatMap { entity in
      [entity.name, entity.modelName].compactMap(\.self).flatMap { name in
        store.dateColumns(of: entity).map { "\(name).\($0.attribute)" }
      }
    }
    for name in options.dates where !known.contains(name) { throw UnknownDate(name: name, known: known) }
    return Set(options.dates)
  }

  // MARK: Dates of objects

  private func readDates(_ wanted: Set<EntityID>?, into timeline: inout Timeline, dates: Set<String>?) {
    var positions: [String: Int] = [:]
    for (table, entities) in Dictionary(grouping: store.layout.entities, by: \.table).sorted(by: { $0.key < $1.key }) {
      var columns: [String] = []
      /// For each entity, the attribute of each column.
      var attributes: [EntityID: [String: Int]] = [:]
      for entity in entities where !entity.id.isInternal && wanted?.contains(entity.id) != false && entity.tableExists {
        for date in store.dateColumns(of: entity) where isWanted(date, of: entity, dates: dates) {
          let position = positions[date.attribute] ?? timeline.attributes.count
          if position == timeline.attributes.count { timeline.attributes.append(date.attribute) }
          positions[date.attribute] = position
          attributes[entity.id, default: [:]][date.column] = position
          if !columns.contains(date.column) { columns.append(date.column) }
        }
      }
      guard !columns.isEmpty else { continue }
      do {
        try store.forEachDate(in: table, columns: columns) { key, entity, column, time in
          guard let attribute = attributes[entity]?[columns[column]], isWanted(key) else { return }
          timeline.events.append(
            .init(
              time: time.isFinite ? .exact(time) : .between(nil, nil),
              source: .date(attribute: attribute, entity: entity, key: key)))
        }
      } catch {
        store.noteDamage()
        timeline.problems.append("table \(quoted(table)) cannot be read whole: \(error)")
      }
    }
  }

  private func isWanted(_ date: Store.DateColumn, of entity: EntityLayout, dates: Set<String>?) -> Bool {
    guard let dates else { return true }
    return dates.contains("\(entity.name).\(date.attribute)")
      || entity.modelName.map { dates.contains("\($0).\(date.attribute)") } == true
  }

  private func isWanted(_ key: Int64) -> Bool { options.keys.isEmpty || options.keys.contains(key) }

  // MARK: History

  private func readHistory(_ wanted: Set<EntityID>?, into timeline: inout Timeline) {
    do {
      try store.forEachHistoryTransaction { transaction in
        timeline.transactions[transaction.key] = transaction
        // Of single objects or entities the changes themselves tell who saved.
        guard wanted == nil, options.keys.isEmpty else { return }
        timeline.events.append(.init(time: time(transaction), source: .transaction(transaction.key)))
      }
      try store.forEachHistoryChange { change in
        guard wanted?.contains(change.entity) != false, isWanted(change.object) else { return }
        let transaction = timeline.transactions[change.transaction]
        timeline.events.append(
          .init(time: transaction.map(time) ?? .between(nil, nil), source: .change(timeline.changes.count)))
        timeline.changes.append(change)
      }
    } catch {
      timeline.problems.append("persistent history cannot be read whole: \(error)")
    }
  }

  private func time(_ transaction: HistoryTransaction) -> Timeline.Time {
    transaction.time.flatMap { $0.isFinite ? .exact($0) : nil } ?? .between(nil, nil)
  }

  // MARK: Commits

  /// A commit has no time of its own. One that wrote history has that of its last transaction; others lie between those.
  private func readCommits(_ wanted: Set<EntityID>?, into timeline: inout Timeline) {
    guard options.keys.isEmpty else { return }
    do {
      let commits = try store.commits().dropFirst().prefix { $0.number <= store.asOf?.commit ?? .max }
      var later: [Double?] = []
      var next: Double?
      for commit in commits.reversed() {
        later.append(next)
        next = commit.changes?.times?.upperBound ?? next
      }
      var earlier: Double?
      for (commit, later) in zip(commits, later.reversed()) {
        let own = commit.changes?.times?.upperBound
        // One whose changes are not known may have changed the entity.
        let isWanted = wanted.map { wanted in
          commit.changes?.entities.contains { $0.entity.map(wanted.contains) == true } ?? true
        }
        if isWanted ?? true {
          timeline.events.append(
            .init(time: own.map { .exact($0) } ?? .between(earlier, later), source: .commit(timeline.commits.count)))
          timeline.commits.append(commit)
        }
        earlier = own ?? earlier
      }
    } catch {
      timeline.problems.append("the commits of the write-ahead log cannot be read: \(error)")
    }
  }

  private func takeProved(_ wanted: Set<EntityID>?, into timeline: inout Timeline) {
    for end in options.proved where isWanted(end.key) {
      if let wanted, store.layout.entity(named: end.entity).map({ wanted.contains($0.id) }) != true { continue }
      timeline.events.append(.init(time: end.time, source: .proved(timeline.proved.count)))
      timeline.proved.append(end)
    }
  }

  // MARK: Metadata

  private func readMetadata(_ timeline: inout Timeline) {
    for (key, date) in store.metadata.dates.sorted(by: { codeUnitsPrecede($0.key, $1.key) }) {
      timeline.events.append(
        .init(time: date.isFinite ? .exact(date) : .between(nil, nil), source: .metadata(timeline.metadataKeys.count)))
      timeline.metadataKeys.append(key)
    }
  }

  private func limit(_ timeline: inout Timeline) {
    guard options.since != nil || options.until != nil else { return }
    let undated = timeline.events.count { $0.time.place == nil }
    timeline.undatedLeftOut = undated
    timeline.events.removeAll {
      $0.time.place == nil || !$0.time.overlaps(since: options.since, until: options.until)
    }
  }
}

extension Timeline {
  /// A total order: equal only for the same event.
  fileprivate func precedes(_ left: Event, _ right: Event) -> Bool {
    switch (left.time.place, right.time.place) {
    case (let one?, let other?) where one != other: return one < other
    case (nil, _?): return false
    case (_?, nil): return true
    default: return rank(left.source) < rank(right.source)
    }
  }

  private func rank(_ source: Source) -> (Int, Int64, Int64, Int64) {
    switch source {
    case .date(let attribute, let entity, let key): (0, entity.number, key, Int64(attribute))
    case .transaction(let key): (1, key, 0, 0)
    // After its transaction, and before the next one of the same moment.
    case .change(let position): (1, changes[position].transaction, 1, changes[position].key)
    case .commit(let position): (2, Int64(commits[position].number), 0, 0)
    case .proved(let position): (3, Int64(proved[position].absent ?? 0), proved[position].key, Int64(position))
    case .metadata(let position): (4, Int64(position), 0, 0)
    }
  }
}
