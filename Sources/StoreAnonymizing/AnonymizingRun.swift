import StoreCoreData
import StoreDiagnosis
import StorePublishing
import StoreScanning
import StorePlatform
import StoreSQLite
import StoreSystem
import StoreWords

/// One run: what is read, what replaces it, and what was proved.
struct AnonymizingRun {
  private let store: Store
  private let objects: [SchemaObject]
  private let plan: AnonymizingPlan
  private let reader: StoreReader
  private let options: AnonymizingOptions
  private let before: Diagnosis
  private let filter: RunFilter
  private let replacer: Replacer
  private let map: StoreMap
  /// What was looked through while the copy was written.
  private var begun: RunSearch?
  /// The part of the store that is copied; nil for all of it.
  private var sample: StoreSample?
  /// Entities whose links all stay, because without them there would be findings that the store has not.
  private var held: Set<EntityID> = []

  /// Reads the store once, and makes nothing.
  ///
  /// - Parameter openingAgain: opens the store once more.
  init(_ store: Store, _ options: AnonymizingOptions, openingAgain: (@Sendable () throws -> Store)?) throws {
    (self.store, self.options) = (store, options)
    let schema = try store.connection.readSchema()
    if let damage = schema.damage {
      throw AnonymizingError(
        "its schema is damaged (\(damage.message)); 'storedoctor salvage' makes a sound store of it first")
    }
    objects = schema.objects
    var diagnosis = options.diagnosis
    if let limit = options.sample {
      (diagnosis.examples, diagnosis.countsRows) = (ChosenObjects.examples(limit: limit), true)
    }
    let values: Values
    if let openingAgain, try store.connection.pageUse().bytes <= Self.mostBytesBeside {
      options.onProgress?("diagnosing and reading")
      let outcome: Result<Values, any Error>
      (before, outcome) = try beside { [diagnosis] in
        try diagnose(Examination(store: openingAgain(), options: diagnosis))
      } meanwhile: {
        Result { try Values(of: store, schema.objects, options) }
      }
      // Of a damaged store the diagnosis says more than what stopped reading it.
      try Self.refuseDamage(before, store)
      values = try outcome.get()
    } else {
      options.onProgress?("diagnosing")
      before = try diagnose(Examination(store: store, options: diagnosis))
      giveBackFreedMemory()
      try Self.refuseDamage(before, store)
      options.onProgress?("reading")
      values = try Values(of: store, objects, options)
    }
    (plan, reader, filter, replacer) = (values.plan, values.reader, values.filter, values.replacer)
    map = StoreMap(store)
    giveBackMemory()
    try choose()
  }

  /// Gives back what is free, of a large store: what is taken again costs time.
  private func giveBackMemory() {
    if reader.size > Self.mostBytesKept { giveBackFreedMemory() }
  }

  private static let mostBytesKept: Int64 = 64 << 20

  private static func refuseDamage(_ diagnosis: Diagnosis, _ store: Store) throws(AnonymizingError) {
    let damage = Set(diagnosis.findings.map(\.id)).intersection(FindingsProof.damage).sorted()
    guard damage.isEmpty, store.truncation == nil else {
      throw AnonymizingError(
        "the store is damaged\(damage.isEmpty ? "" : " (\(damage.joined(separator: ", ")))"), and what cannot be read cannot be "
          + "replaced; 'storedoctor salvage' makes a sound store of it first")
    }
  }

  /// The values of a store: what becomes of them, and what was seen of them.
  private struct Values {
    let plan: AnonymizingPlan
    let reader: StoreReader
    let filter: RunFilter
    let replacer: Replacer

    /// Sees every value once: what numbers look like, and on other threads which runs there are and what texts have besides letters.
    init(of store: Store, _ objects: [SchemaObject], _ options: AnonymizingOptions) throws {
      plan = try AnonymizingPlan(store, objects, options.policy)
      reader = try StoreReader(store, plan)
      let filter = RunFilter(bytes: reader.size)
      let replacer = Replacer(options.key, filter, options.sizes)
      (self.filter, self.replacer) = (filter, replacer)
      let facts = replacer.facts
      try besideInOrder(threads: Platform.cores, most: ReplacedPieces.mostWeight, weight: \.weight) {
        ValueSurvey(facts, addingTo: filter).see
      } items: {
        try reader.forEachReplaced(observer: NumberSurvey(), $0)
      } take: { seen in
        filter.count(seen.runs)
        replacer.note(seen)
      }
      filter.fit()
    }
  }

  private mutating func choose() throws {
    guard let limit = options.sample else { return }
    options.onProgress?("choosing")
    sample = try StoreSample(store, limit: limit, findings: before.findings, held: held)
  }

  /// Chooses objects again, so that entities which had other findings in the last sample keep all their links.
  ///
  /// - Returns: false where that changes nothing.
  mutating func choosesOthers(for error: FindingsOfSample) throws -> Bool {
    let named = error.entities.compactMap { map.entity(named: $0)?.id }
    let new = named.reduce(into: Set<EntityID>()) { $0.formUnion(map.kinds(of: $1)) }.subtracting(held)
    guard !new.isEmpty else { return false }
    held.formUnion(new)
    try choose()
    return true
  }

  // MARK: Writing

  /// Writes the copy and its external files.
  mutating func write(to path: PosixPath) throws {
    options.onProgress?("writing")
    let draft = try AnonymousDraft(creating: path, like: store.header)
    let search = RunSearch(filter)
    begun = try draft.write(objects) { connection in
      for table in plan.tables where !plan.isOfNumbers(table) { try write(table, to: connection) }
    } others: { connection in
      // To make an index takes much at once.
      giveBackMemory()
      for table in plan.tables where plan.isOfNumbers(table) { try write(table, to: connection) }
    } meanwhile: { isFinished in
      var search = search
      try search.begin(path, until: isFinished)
      return search
    }
    try writeFiles(to: Store.supportFolder(of: path))
    giveBackMemory()
  }

  private func write(_ table: AnonymizingPlan.Table, to connection: Connection) throws {
    let names = (table.hasRowID ? ["rowid"] : []) + table.columns.map { quotedIdentifier($0.name) }
    let insert = try connection.prepare(
      "INSERT INTO \(quotedIdentifier(table.name)) (\(names.joined(separator: ", "))) "
        + "VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))")
    let facts = replacer.facts
    try besideInOrder(threads: Platform.cores, most: RowBatch.mostWeight, weight: \.weight) {
      let mapping = AheadMapping(facts)
      return { (batch: RowBatch) in batch.madeAhead(by: mapping) }
    } items: {
      try forEachBatch(of: table, $0)
    } take: {
      try write($0, of: table, with: insert)
    }
  }

  /// Calls `body` with the rows of a table that belong to the copy, some at a time.
  private func forEachBatch(of table: AnonymizingPlan.Table, _ body: (RowBatch) throws -> Void) throws {
    let rows = try table.rows(store.connection)
    let part = sample.map { SampledTable($0, table) }
    var batch = RowBatch(columns: table.columns.count + table.offset)
    var treatments = table.treatments
    while try rows.step() {
      if try part?.keeps(rows) == false { continue }
      let cut = try part?.cut(rows).columns ?? []
      if table.hasRowID { batch.add(rows[0], nil) }
      treatments.take(rows)
      for index in table.columns.indices {
        let place = index + table.offset
        if cut.contains(place) {
          batch.addCut()
        } else {
          let value = rows[place]
          batch.add(value, Replacer.ahead(value, treatments[index]))
        }
      }
      guard batch.weight >= RowBatch.usualWeight else { continue }
      try body(batch)
      batch = RowBatch(columns: batch.columns)
    }
    if !batch.isEmpty { try body(batch) }
  }

  private func write(_ batch: RowBatch, of table: AnonymizingPlan.Table, with insert: Statement) throws {
    var treatments = table.treatments
    try batch.forEachRow { row in
      insert.reset()
      treatments.take(row.value)
      for column in 0..<batch.columns {
        guard column >= table.offset else {
          try insert.bind(row.value(column), at: column + 1)
          continue
        }
        let treatment = treatments[column - table.offset]
        if Replacer.takesMade(treatment), try row.bindMade(column, to: insert, at: column + 1) { continue }
        let new =
          row.isCut(column) ? .null : try replacer.replaced(row.value(column), treatment, made: row.made(column))
        try insert.bind(new, at: column + 1)
      }
      while try insert.step() {}
    }
  }

  private func writeFiles(to support: PosixPath) throws {
    let kept = try keptFiles()
    guard !kept.isEmpty else { return }
    let files = FileActions()
    let folder = support.appending(component: StoreReader.folderName)
    try files.makeFolder(support)
    try files.makeFolder(folder)
    for (name, path) in kept {
      let new = folder.appending(component: replacer.fileName(name))
      guard FileSystem.kind(of: new, followingLinks: false) == nil else {
        throw AnonymizingError("two external files would get one name; try again, for chance decides about names")
      }
      let file = try files.create(new)
      var offset: Int64 = 0
      try StoreReader.forEachPart(of: path) { part, isFirst, isWhole in
        let made = isWhole ? replacer.content(part) : replacer.part(part, isFirst: isFirst)
        try made.withUnsafeBytes { try files.write($0, to: file, at: offset) }
        offset += Int64(made.count)
      }
      try files.sync(file)
    }
    try files.sync(folder: folder)
    try files.sync(folder: support)
  }

  /// The external files that belong to the sample: not those that only objects which were left out name.
  private func keptFiles() throws -> [(name: [UInt8], path: PosixPath)] {
    guard let sample, !reader.files.isEmpty else { return reader.files }
    var (named, left): (Set<[UInt8]>, Set<[UInt8]>) = ([], [])
    for table in plan.tables where table.columns.contains(where: \.mayNameFiles) {
      let (rows, part) = (try table.rows(store.connection), SampledTable(sample, table))
      var treatments = table.treatments
      while try rows.step() {
        treatments.take(rows)
        let isKept = try part.keeps(rows)
        for index in table.columns.indices {
          guard case .attribute(let use) = treatments[index], use.attribute.allowsExternalStorage,
            case .blob(let content) = rows.value(index + table.offset), content.first == 2, content.last == 0
          else { continue }
          let name = Array(content.dropFirst().dropLast())
          if isKept { named.insert(name) } else { left.insert(name) }
        }
      }
    }
    return reader.files.filter { named.contains($0.name) || !left.contains($0.name) }
  }

  // MARK: Proving

  /// The largest store that is diagnosed while its values are read, and the largest copy while they are compared.
  private static let mostBytesBeside: Int64 = 256 << 20

  /// Compares the finished copy with the store, and looks in it for what should be gone.
  ///
  /// - Throws: `AnonymizingError` naming the proof that fails.
  mutating func prove(_ path: PosixPath, output: PosixPath) throws -> Anonymization {
    options.onProgress?("proving")
    // Of a sample others may be chosen, and written again.
    if sample == nil {
      replacer.forgetMarks()
      giveBackMemory()
    }
    var search = begun ?? RunSearch(filter)
    begun = nil
    try search.search(store: path)
    options.onProgress?("proving")
    // The diagnosis needs as much.
    if sample == nil { filter.forget() }
    search.join()
    giveBackMemory()
    let (found, opening, diagnosis) = (search, openingOfCopy, options.diagnosis)
    let diagnosed = { @Sendable in try diagnose(Examination(store: Store(path, options: opening), options: diagnosis)) }
    func compared() throws -> (Store, ValuesProof, [UInt64: String]) {
      let copy = try Store(path, options: opening)
      let values = ValuesProof(copy, sample)
      return (copy, values, try found.confirmed(by: reader, observer: values))
    }
    // For a large copy both need memory, as for a large store.
    let (after, (copy, values, confirmed)) =
      found.bytes > Self.mostBytesBeside
      ? (try diagnosed(), try compared()) : try beside(diagnosed, meanwhile: compared)
    let dropped = Set(plan.uses.filter { $0.decision == .drop }.map(\.name))
    let findings =
      sample == nil
      ? try FindingsProof(before: before, after: after, dropped: dropped)
      : try FindingsProof(of: before, sample: after, dropped: dropped)
    giveBackMemory()
    options.onProgress?("searching")
    let explained = try explained(confirmed, found, copy)
    return Anonymization(
      store: store.path, output: output.description, sizes: options.sizes,
      sample: sample.map { sample in
        .init(
          limit: sample.limit, entities: entities(of: sample), cutLinks: values.cut, leftOutRows: values.leftOut,
          missing: findings.missing)
      }, rows: values.rows,
      attributes: plan.uses.map { $0.summary(options.sizes) },
      notes: notes, externalFiles: try keptFiles().count,
      proof: .init(
        findings: findings.same, notCompared: findings.notCompared, verdicts: findings.verdicts,
        keptValues: values.kept, replacedValues: values.replaced, otherLengths: values.otherLengths,
        keptLengths: options.sizes == .rough ? values.keptLengths : nil, runs: filter.added,
        searchedBytes: search.bytes, runsOfKeptValues: explained.kept, runsAcrossValues: explained.across,
        runsInNumbers: explained.inNumbers))
  }

  /// How many objects of each entity that has any are in the sample.
  private func entities(of sample: StoreSample) -> [Anonymization.Sample.Entity] {
    (before.population ?? []).filter { $0.rows > 0 }.map { population in
      let count = map.entity(named: population.entity).flatMap { sample.objects.counts[$0.id.number] } ?? 0
      return .init(name: population.entity, objects: Int64(count), of: population.rows)
    }
  }

  /// How the copy is opened, described by the same model as the store.
  private var openingOfCopy: Store.Options {
    var opening = Store.Options()
    if store.modelSource == .given { opening.model = store.model }
    return opening
  }

  /// How many of the runs that were found kept values have, and how many chance made: across the ends of values, and in numbers.
  ///
  /// - Throws: `AnonymizingError` for a run that is in the copy for no such reason.
  private func explained(
    _ confirmed: [UInt64: String], _ search: RunSearch, _ copy: Store
  ) throws -> (kept: Int, across: Int, inNumbers: Int) {
    var found = confirmed
    let all = found.count
    guard all > 0 else { return (0, 0, 0) }
    var keptRuns = KeptRuns(found.keys)
    for object in try copy.connection.schema() {
      for text in [object.type.description, object.name, object.tableName, object.sql ?? ""] {
        keptRuns.take(.text(Array(text.utf8)))
      }
    }
    try reader.forEachKept { keptRuns.take(.text($0)) }
    for signature in BytesMapping.signatures { keptRuns.take(part: .bytes(signature)) }
    for constant in Self.constants { keptRuns.take(part: .bytes(constant)) }
    for part in plan.uses.flatMap(\.parts) { keptRuns.take(part: .text(Array(part.utf8)), shortest: 2) }
    try reader.forEachValue(where: { if case .metadata = $0 { true } else { false } }) { _, value in
      guard case .blob(let bytes) = value else { return }
      BytesMapping.keptPieces(ofMetadata: bytes) { keptRuns.take(part: $0) }
    }
    found = found.filter { !keptRuns.explains($0.key) && !replacer.runsOfStructure.contains($0.key) }
    let (kept, places) = (
      all - found.count,
      found.isEmpty ? [:] : try search.places(of: found.keys, in: PosixPath(copy.path), copy.connection)
    )
    found = found.filter { places[$0.key] ?? .value == .value }
    if let (_, place) = found.min(by: { $0.value < $1.value }) {
      throw AnonymizingError(
        "\(counted(Int64(found.count), "run")) of six bytes of replaced values \(found.count == 1 ? "is" : "are") in the copy, the "
          + "first of \(quoted(place)); try again, for chance decides about values, or drop that attribute with --drop")
    }
    return (kept, places.values.count { $0 == .across }, places.values.count { $0 == .number })
  }

  /// What every file has: the beginning of a database, of property lists and archives, and signs that join emoji.
  private static let constants: [[UInt8]] = [
    Array("SQLite format 3\0".utf8), Array("bplist00".utf8), Array("$archiver$objects$top$versionNSKeyedArchiver".utf8),
    Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" ".utf8),
    Array("\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<plist version=\"1.0\">\n".utf8),
    Array("\u{fe0f}\u{200d}\u{200d}\u{fe0f}".utf8),
  ]

  private var notes: [String] {
    // What the store's files leave open is not in the copy either.
    let reading = Reading(store)
    var notes = reading.ofFiles + (reading.keepsAccessTimes ? [] : [Reading.accessTimesClause])
    let internals = Set(
      plan.tables.compactMap { table -> String? in
        switch OwnTable(table.name) {
        case .history:
          "the history keeps its changes and times between them; authors, bundles, processes and what it keeps of deleted "
            + "objects are replaced"
        case .mirroring: "CloudKit's tables keep their keys and numbers; names and contents of records are replaced"
        default: nil
        }
      }
    ).sorted()
    notes += internals
    notes.append("the UUID of the store and the values of the app's own metadata are replaced")
    if let wal = store.wal, wal.isRead { notes.append("the log was read; the copy has none") }
    if !plan.leftOut.isEmpty {
      notes.append("left out: \(plan.leftOut.joined(separator: ", ")), which SQLite makes again")
    }
    if reader.otherFiles > 0 {
      notes.append(
        "\(counted(Int64(reader.otherFiles), "other thing")) in the support folder \(reader.otherFiles == 1 ? "was" : "were") left out"
      )
    }
    if sample != nil {
      notes.append(
        "of the history the changes of objects that were left out are left out, too, and transactions that have no other; tables "
          + "that hold no objects are whole")
      notes.append("numbers of values are those of the whole store")
    }
    let unknown = plan.tables.filter { table in
      OwnTable(table.name) == nil
        && table.columns.contains { column in
          if case .replace = column.treatment { column.byEntity.isEmpty } else { false }
        }
    }
    if !unknown.isEmpty {
      notes.append(
        "replaced without knowing what they hold: columns of \(unknown.prefix(5).map { quoted($0.name) }.joined(separator: ", "))"
          + (unknown.count > 5 ? " and \(unknown.count - 5) more tables" : ""))
    }
    if !replacer.facts.marks.areWhole {
      notes.append(
        "there are more texts with marks than are held: of the last those that differed in case and marks alone may be others"
      )
    }
    if replacer.hasForgotten {
      notes.append(
        "there are more short texts and data than are held against each other: two of the last may have become equal")
    }
    notes.append("numbers and dates were replaced, and not searched for: any number may be anybody's")
    return notes
  }
}
