import ArgumentParser
import StoreAudit
import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreExplanation
import StoreFindings
import StoreModels
import StoreReports
import StoreSalvage
import StoreSQLite
import StoreTriage
import StoreWords

// How the front door answers
// --------------------------
//
//   things ─► one store: `diagnose` with the models found, and what the store has of what the logs name
//          ─► several:   `audit` with the models found, its lines sorted
//          ─► none:      what the models and logs say
//
// It judges nothing itself: the options of these commands are made as a person would write them.

/// Answers about things that a person named without a command.
struct FrontDoor {
  let things: [GivenThing]
  /// Error numbers and checks that were named.
  let codes: [GivenThing.ReadLog]
  let progress: ProgressLine?
  let isQuiet: Bool
  private var notes: [String] = []

  init(things: [GivenThing], codes: [GivenThing.ReadLog], progress: ProgressLine?, isQuiet: Bool) {
    (self.things, self.codes, self.progress, self.isQuiet) = (things, codes, progress, isQuiet)
  }

  /// The answer, and the exit status.
  mutating func answer() throws -> (Triage, Int32) {
    var seen: Set<PosixPath> = []
    // One file may be named in two ways.
    let stores = things.flatMap(\.stores).filter { seen.insert((try? $0.resolved()) ?? $0).inserted }
    let unreadable = things.flatMap(\.unreadable)
    let unread = things.contains { $0.problem?.isUnread == true }
    var triage = Triage(things, .none)
    triage.logs = things.flatMap(\.logs) + codes
    let status: Int32
    if stores.count == 1, unreadable.isEmpty, let store = stores.first {
      status = try answer(about: store, in: &triage)
    } else if stores.count + unreadable.count > 1 {
      status = try answerAboutSeveral(in: &triage)
    } else {
      if let gap = things.compactMap(\.incomplete).first, unreadable.isEmpty {
        notes.append("there may be a store: \(gap)")
      }
      if let sentence = unreadable.first { triage.answer = .unreadable(sentence) }
      triage.models = models(for: nil)
      let isAnswered = unreadable.isEmpty && !(triage.logs.isEmpty && triage.models.allSatisfy { $0.source == nil })
      status = isAnswered ? 0 : 2
    }
    triage.notes = notes + things.flatMap(\.gaps)
    return (triage, unread ? 2 : status)
  }

  // MARK: One store

  private mutating func answer(about path: PosixPath, in triage: inout Triage) throws -> Int32 {
    if let gap = things.compactMap(\.incomplete).first { notes.append("there may be more stores: \(gap)") }
    let store: PosixPath
    do {
      store = try StoreLocator.locate(path)
    } catch let error as StoreError {
      return unreadable(error, in: &triage)
    }
    triage.models = models(for: store)
    do {
      var made: Looked
      do {
        made = try diagnosis(of: store, models: triage.models.filter { $0.source != nil }.map(\.name))
      } catch  where !(error is StoreError) && triage.models.contains(where: { $0.source != nil }) {
        // What cannot be used of a model costs its verdict alone.
        for position in triage.models.indices where triage.models[position].source != nil {
          triage.models[position].problem = "not used: \(message(of: error))"
        }
        made = try diagnosis(of: store, models: [])
      }
      // A model beside the store may be another app's.
      if made.diagnosis.deciding?.verdict == .foreignModel, things.allSatisfy({ !$0.holdsModel || !$0.stores.isEmpty })
      {
        made = try diagnosis(of: store, models: [])
        for position in triage.models.indices where triage.models[position].source != nil {
          triage.models[position].problem = "not used: it has none of the store's entities"
        }
      }
      try lookUp(in: store, log: made.log, &triage)
      triage.answer = .store(made.diagnosis, entities: made.entities)
      // It could not be read as it is.
      if made.isStandIn { return 2 }
      if let worst = made.diagnosis.worstSeverity, made.gate.holds(worst) { return 1 }
      return 0
    } catch let error as StoreError {
      return unreadable(error, in: &triage)
    }
  }

  private func unreadable(_ error: StoreError, in triage: inout Triage) -> Int32 {
    triage.answer = .unreadable(error.description)
    return 2
  }

  /// A diagnosis, with what else is said of the store.
  private struct Looked {
    var diagnosis: Diagnosis
    var gate: Gate
    var entities: Int
    /// The log that was read in place of the one beside the store.
    var log: PosixPath?
    /// Whether what was found in its pages was read in its place.
    var isStandIn: Bool
  }

  private mutating func diagnosis(of store: PosixPath, models: [String]) throws -> Looked {
    let logs = things.compactMap(\.writeAheadLog)
    guard logs.count == 1, let log = logs.first else {
      if logs.count > 1 { notes.append("of \(logs.count) write-ahead logs none was read; name one with --wal") }
      return try diagnosis(of: store, models: models, log: nil)
    }
    do {
      return try diagnosis(of: store, models: models, log: log)
    } catch let error as StoreError {
      guard case .logDoesNotFit = error.problem else { throw error }
      let note = error.description
      if !notes.contains(note) { notes.append(note) }
      return try diagnosis(of: store, models: models, log: nil)
    }
  }

  private func diagnosis(of store: PosixPath, models: [String], log: PosixPath?) throws -> Looked {
    let options =
      models.flatMap { ["--model", $0] } + mappings.flatMap { models.isEmpty ? [] : ["--mapping", $0] }
      + (log.map { ["--wal", $0.description] } ?? [])
    let made = try Diagnose.parse(options + ["--", store.description])
      .made(progress, at: store, countsRows: true, readsPastDamage: true)
    var opening = Store.Options(readsModel: false)
    opening.log = log
    let opened = try made.standIn ?? Store(store, options: opening)
    return Looked(
      diagnosis: made.diagnosis, gate: made.gate, entities: opened.entityMap.rows.count { !$0.id.isInternal }, log: log,
      isStandIn: opened.isStandIn)
  }

  /// Looks up in the store what the logs name.
  private func lookUp(in path: PosixPath, log: PosixPath?, _ triage: inout Triage) throws {
    guard triage.logs.contains(where: { $0.explanation.log != nil }) else { return }
    var options = Store.Options().readingPastDamage
    options.log = log
    let store = try Store(path, options: options)
    for position in triage.logs.indices {
      guard let facts = triage.logs[position].explanation.log else { continue }
      triage.logs[position].explanation.store = try LogInStore(facts, in: store)
    }
    try store.checkUnchanged()
  }

  // MARK: Models

  private var mappings: [String] { things.filter(\.isMapping).map(\.name) }

  /// The models that were found; those that cannot be read with the reason.
  private func models(for store: PosixPath?) -> [Triage.FoundModel] {
    things.filter(\.holdsModel).map { thing in
      do {
        return .init(name: thing.name, source: try readModel(thing.path, for: store))
      } catch {
        return .init(name: thing.name, source: nil, problem: "is not used: \(message(of: error))")
      }
    }
  }

  // MARK: Several stores

  private mutating func answerAboutSeveral(in triage: inout Triage) throws -> Int32 {
    triage.models = models(for: nil)
    let places = things.filter { !$0.stores.isEmpty || !$0.unreadable.isEmpty }
    let roots = places.map { Self.root(of: $0.path) }
    let words =
      triage.models.filter { $0.source != nil }.flatMap { ["--model", $0.name] } + ["--quiet", "--"]
      + roots.map(\.description)
    let audit = try Audit.parse(words)
    let command = AuditCommand(
      input: audit.input, work: audit.work,
      looks: AuditLooks(
        candidates: audit.candidates, checks: audit.checks, diagnosis: audit.diagnosis, files: audit.files,
        configuration: audit.configuration, recipe: audit.recipe, rehearsal: audit.rehearsal,
        anonymizing: audit.anonymizing, gate: audit.gate), output: audit.output,
      arguments: words)
    var stores = TriagedStores()
    let counting = AuditProgress(audit.input.input, isQuiet: isQuiet, verb: "looking")
    defer { counting?.clear() }
    // A part of an archive or a backup is read with the whole.
    let parts = zip(places, roots).filter { $0.path != $1 }.map { (root: $1, part: $0.path) }
    try command.eachLine { bytes in
      let line = try AuditLine(bytes, .whole)
      counting?.count()
      guard parts.allSatisfy({ !$0.covers(line) || line.pathInBytes.starts(with: $1.bytes) }) else { return }
      stores.add(line)
    }
    triage.answer = .stores(stores)
    if triage.logs.contains(where: { $0.explanation.log != nil }) {
      notes.append("what the log names was looked up in none of the stores; name the log with one store")
    }
    if triage.models.isEmpty, places.contains(where: { $0.isPlace && !$0.holdsModel }) {
      notes.append("no model was looked for among several stores; name the app or the project with them")
    }
    return stores.worst.map { $0 >= .error } == true ? 1 : 0
  }

  /// The place that a member lies in; the path itself where it is a file's.
  private static func root(of path: PosixPath) -> PosixPath {
    guard FileSystem.kind(of: path) == nil else { return path }
    for mark in path.bytes.indices where path.bytes[mark] == UInt8(ascii: "!") {
      let place = PosixPath(bytes: Array(path.bytes[..<mark]))
      if FileSystem.kind(of: place) != nil { return place }
    }
    return path
  }
}

extension PosixPath {
  /// Whether a line of an audit is about something in this place.
  fileprivate func covers(_ line: AuditLine) -> Bool { line.pathInBytes.starts(with: bytes) }
}
