import StoreSQLite
import StoreText
import StoreWords

extension Reading {
  /// Of an opened store.
  package init(_ store: Store) {
    self.init()
    if let reading = store.readingOfStandIn { self = reading }
    unread = Self.unread(of: store)
    let left = UnfinishedRepair.left(beside: store.files.location)
    (unfinishedRepair, abandonedJournal) = (left.journal?.description, left.abandoned?.description)
    guard !store.isStandIn else { return }
    keepsAccessTimes = !store.files.accessTimeMayChange
    appliesJournal = store.journal?.isHot == true
    readDamage(store)
    if let truncation = store.truncation {
      sound = .no
      damage.append(
        "\(Self.beginningOfTruncation)\(truncation.actual) of the \(truncation.expected) bytes its header asks for: what lay "
          + "behind is missing, and counts are bounds")
    }
    judge(store.files, header: store.header, wal: store.wal, isOfMoment: store.asOf != nil)
    offer(store.fittingLogs)
  }

  /// What tells of the store as a whole and cannot be read.
  private static func unread(of store: Store) -> [String] {
    var unread = store.metadata.keys.isEmpty ? Array(store.metadata.problems.prefix(1)) : []
    if case .unreadable(let why) = store.modelCache, !store.hasModel {
      unread.append("the model cache cannot be decoded (\(why)): names are taken from the tables' columns")
    }
    if !store.hasUnreadLayout {
      let homeless = store.tablesWithoutEntity.filter { store.hasRow($0) }
      if !homeless.isEmpty {
        let names = firstOf(homeless, limit: 3).joined(separator: ", ")
        unread.append("rows of tables of no entity that Z_PRIMARYKEY has are not shown: \(names)")
      }
      for (table, keys) in store.missingTables.prefix(3) {
        unread.append(
          "there is no table \(table), of which \(grouped(keys)) \(keys == 1 ? "key was" : "keys were") handed out")
      }
    }
    return unread
  }

  /// Of a database that need not be a store.
  ///
  /// - Parameters:
  ///   - header: that of the main file.
  ///   - wal: what its pages tell of the log; nil without one.
  package init(_ files: DatabaseFiles, header: DatabaseHeader, wal: WALFacts?) {
    self.init()
    keepsAccessTimes = !files.accessTimeMayChange
    judge(files, header: header, wal: wal, isOfMoment: false)
    if complete != .yes, header.isWAL, files.wal == nil, files.namedLog == nil {
      offer(FittingLogs(beside: files, header: header, shownAs: files.location))
    }
  }

  /// Says which logs fit, and were not read.
  private mutating func offer(_ logs: FittingLogs) {
    fittingLogs = logs.paths.map(\.description)
    if !fittingLogs.isEmpty { reasons.append(FittingLogs.offer(fittingLogs)) }
    if complete != .yes, let gap = logs.gap { reasons.append(gap) }
  }

  private mutating func judge(_ files: DatabaseFiles, header: DatabaseHeader, wal: WALFacts?, isOfMoment: Bool) {
    if let path = files.namedLog?.description {
      (log, namedLog, complete) = (.read, path, .unknown)
      reasons = [
        "the log '\(path)' was read with it, as --wal says: both fit; an older copy of this file would fit as well, so "
          + "that they are of one moment is not proved"
      ]
      if let damage = wal?.damage { reasons.append("this log is damaged: \(damage)") }
      if let end = wal?.openEnd { reasons.append("what was saved last may be missing from this log: \(end)") }
      return
    }
    if let name = files.sideFilesBesideLink.first(where: { $0.hasSuffix("-wal") }) {
      complete = .unknown
      reasons = [
        "\(name) lies beside the link and was not read: side files are looked for at the link's target; --wal '\(name)' "
          + "reads it"
      ]
      return
    }
    if let problem = files.problems.first(where: { $0.path.hasSuffix("-wal") }) {
      (log, complete) = (.leftOut, .no)
      reasons = ["\(problem.description): what was saved last may be missing"]
      return
    }
    guard let wal else {
      // An app that closes its store takes the log away; whoever copies the main file alone leaves it behind.
      if header.isWAL, files.wal == nil, !isOfMoment {
        complete = .unknown
        reasons = ["WAL mode, no -wal beside it: what was saved last may be missing"]
      }
      return
    }
    if wal.isRead || wal.committedFrames == 0 && wal.damage == nil {
      log = wal.isRead ? .read : .none
    } else if wal.isReadable {
      (log, complete) = (.leftOut, .no)
      reasons = ["its -wal was left out: what was saved last may be missing"]
    } else {
      (log, complete) = (.foreign, .unknown)
      reasons = ["the -wal beside it was not read, since it does not fit: what was saved last may be missing"]
    }
    if let damage = wal.damage {
      complete = .unknown
      reasons.append("its -wal is damaged: \(damage)")
    } else if let end = wal.openEnd, log != .leftOut {
      complete = .unknown
      reasons.append("what was saved last may be missing from its -wal: \(end)")
    }
  }

  private mutating func readDamage(_ store: Store) {
    guard let watcher = store.pageWatcher else { return }
    let seen = store.seenDamage
    // Of pages that were not looked at nothing is known.
    if !watcher.isWatching, seen.isEmpty { return }
    sound = seen.isEmpty ? .yes : .no
    if let problem = seen.problem {
      damage = ["the file is damaged (\(problem)), and it is not known which tables: counts are bounds"]
      return
    }
    let onPages = seen.tables.map { table, pages in
      let words = pages.count == 1 ? "page \(pages[0])" : "\(pages.count) pages, the first \(pages[0]),"
      return (table, "is damaged on \(words)")
    }
    let counted = seen.disagreements.filter { seen.tables[$0.key] == nil }.map { ($0.key, $0.value) }
    damage = (onPages + counted).sorted { $0.0 < $1.0 }.map { table, what in
      "\(table) \(what): what it does not show may be there all the same, and counts are bounds"
    }
  }

  /// What a person has to know before the answer, a clause each; empty in the plain case.
  public var clauses: [String] { clauses(besides: []) }

  /// The clauses of an answer that itself tells what could not be read of the store as a whole, as a diagnosis does.
  package var clausesOfDiagnosis: [String] { clauses(besides: unread + [truncation].compactMap(\.self)) }

  private func clauses(besides said: [String]) -> [String] {
    ofFiles + (damage + unread).filter { !said.contains($0) }
      + (keepsAccessTimes ? [] : [Self.accessTimesClause])
  }

  /// What is said where access times were not kept.
  package static let accessTimesClause = "access times may have changed: a file belongs to another user"

  /// What a person has to know of the files alone, whoever reads them.
  package var ofFiles: [String] {
    reasons
      + (unfinishedRepair.map { ["a repair of it stopped before its end: 'storedoctor undo \($0)' takes it back"] }
        ?? [])
      + (abandonedJournal.map {
        ["a repair or an undo was ended before it changed anything, and left '\($0)', which can be removed"]
      } ?? [])
      + (appliesJournal ? ["a hot rollback journal lies beside it and was applied in memory"] : [])
  }
}

extension Store {
  /// Tables named and made like those of entities that belong to no entity of the layout, by name.
  package var tablesWithoutEntity: [String] {
    let known = Set(layout.entities.map(\.table))
    return shape.tables.values
      .filter { $0.name.hasPrefix("Z") && !$0.name.hasPrefix("Z_") && $0.has("Z_ENT") && !known.contains($0.name) }
      .map(\.name).sorted(by: codeUnitsPrecede)
  }

  /// Tables of entities that are not there although keys of them were handed out, by name.
  fileprivate var missingTables: [(table: String, keys: Int64)] {
    var missing: [String: Int64] = [:]
    for entity in layout.entities where shape.tables[entity.table] == nil {
      if let keys = entityMap[entityMap.root(of: entity.id)]?.keysHandedOut, keys > 0 { missing[entity.table] = keys }
    }
    return missing.sorted { codeUnitsPrecede($0.key, $1.key) }.map { ($0.key, $0.value) }
  }

  /// Whether the entities were not looked for.
  fileprivate var hasUnreadLayout: Bool { layout.entities.isEmpty && !entityMap.rows.isEmpty }

  /// Whether a table has a row, as far as it can be read.
  fileprivate func hasRow(_ table: String) -> Bool {
    (try? connection.prepare("SELECT 1 FROM \(quotedIdentifier(table)) LIMIT 1").step()) ?? false
  }
}
