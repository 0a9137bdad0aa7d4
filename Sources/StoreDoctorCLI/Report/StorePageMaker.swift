import StoreCoreData
import StoreDiagnosis
import StoreInspection
import StoreRecovery
import StoreReports
import StoreRows
import StoreSQLite

/// Reads all that the page about a store says.
struct StorePageMaker {
  let location: PosixPath
  let opening: Store.Options
  let options: DiagnosisOptions
  let run: StorePageRun
  /// The log that is read in place of the one beside the store.
  let log: PosixPath?
  let showsRows: Bool
  /// Whether pages are searched for what is gone.
  let searchesPages: Bool
  let listsEvents: Bool

  /// The page, with rows where they are to be shown.
  func page() throws -> StorePage {
    try page { inspection, recovery in
      guard showsRows else { return nil }
      var rows = PageRows(of: inspection)
      try read(into: &rows, recovery)
      return rows
    }
  }

  /// Writes the page and those with its rows to a folder.
  ///
  /// - Parameter onEnd: called when all was read.
  func writePages(to folder: PageFolder.Draft, onEnd: () -> Void) throws {
    let page = try page { inspection, recovery in
      var rows = PageRows(of: inspection, inFolder: true)
      try read(into: &rows, recovery, inFolder: true) {
        try folder.write($0.html(of: run, named: location.description), to: $0.file)
      }
      return rows
    }
    onEnd()
    try folder.write(page.html, to: RowPage.index)
  }

  private func page(_ rows: (Inspection, Recovery?) throws -> PageRows?) throws -> StorePage {
    let diagnosis = try diagnosis()
    var asked = InspectionOptions(
      measuresSizes: true, hashesFiles: true, showsValues: run.showsValues, storeModel: options.storeModel)
    asked.measuresColumns = true
    let inspection = try inspect(location, opening: opening, options: asked)
    let recovery = searchesPages ? try recoverPastDamage(location, log: log, opening: described()) : nil
    var timed = TimelineOptions()
    timed.readsDates = run.showsValues || showsRows || listsEvents
    timed.proved = recovery?.provedByPages ?? []
    let timeline = try makeTimeline(location, opening: described(), options: timed)
    let times = PageTimes(timeline, listsEvents: listsEvents, recovery: recovery)
    return StorePage(diagnosis, inspection, run, times: times, rows: try rows(inspection, recovery))
  }

  private func diagnosis() throws -> Diagnosis {
    var intact = opening
    intact.standIn = nil
    return try diagnosisPastDamage(of: location, opening: described(), with: Check.all, countsRows: false) {
      try diagnose(location, opening: intact, options: options, with: Check.all)
    }.diagnosis
  }

  /// How the store is opened, described by the model that was given for it.
  private func described() throws -> Store.Options {
    var opening = opening
    if let source = options.storeModel { opening.model = try source.version(describing: location, opening).model }
    return opening
  }

  /// Reads titles first, since links show them, and then the rows of each entity.
  ///
  /// - Parameters:
  ///   - inFolder: whether each entity has pages of its own.
  ///   - body: called with each page of a folder.
  private func read(
    into pageRows: inout PageRows, _ recovery: Recovery?, inFolder: Bool = false,
    body: (RowPage) throws -> Void = { _ in }
  ) throws {
    let store = try Store(location, options: described().watchingPages)
    let entities = store.layout.entities.filter { !$0.id.isInternal && $0.tableExists }
    for entity in entities {
      var query = RowQuery(entity: entity.name)
      query.includesSubentities = false
      query.gone = recovery?.gone(from: entity.table)
      let columns = entity.attributes.count + entity.relationships.count
      // What is damaged is said where the rows are read.
      do {
        if inFolder {
          query.columns = [RowColumn.key.name]
          try pageRows.noteKeys(Rows(query, of: store), number: entity.id.number, columns: columns)
        }
        guard let title = entity.titleAttribute else { continue }
        query.columns = [title]
        query.gone = nil
        try pageRows.noteTitles(Rows(query, of: store))
      } catch is SQLiteError {}
    }
    for entity in entities {
      var query = RowQuery(entity: entity.name)
      query.includesSubentities = false
      query.gone = recovery?.gone(from: entity.table)
      try pageRows.add(Rows(query, of: store), number: entity.id.number, body: body)
    }
    try store.checkUnchanged()
    try recovery?.checkUnchanged()
  }
}
