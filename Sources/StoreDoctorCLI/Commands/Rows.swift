import ArgumentParser
import StoreCoreData
import StoreJSON
import StoreModels
import StorePlatform
import StorePublishing
import StoreRecovery
import StoreReports
import StoreRows
import StoreSQLite
import StoreSalvage
import StoreWords

/// `storedoctor rows STORE [ENTITY]`.
struct RowsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rows",
    abstract: "Show the objects of a store as its app sees them.",
    discussion: """
      Values are shown by the model's types: dates, UUIDs, Booleans, relationships as keys, archives as JSON. The store \
      is opened as 'inspect' opens it: nothing beside it is touched. Without ENTITY the entities are listed, or, with \
      --output, all of them are written.

      EXAMPLES
        storedoctor rows Notes.sqlite
        storedoctor rows Notes.sqlite Note
        storedoctor rows Notes.sqlite Note --key 3 --long
        storedoctor rows Notes.sqlite Note --columns title,folder.name \\
          --order-by createdAt:desc --limit 20
        storedoctor rows Notes.sqlite Note \\
          --where "folder.name == 'Work' AND createdAt > '2026-01-01'"
        storedoctor rows Notes.sqlite Note --where "ANY tags.name CONTAINS[cd] 'idea'"
        storedoctor rows Notes.sqlite Note --format csv --output notes.csv
        storedoctor rows Notes.sqlite Note --format jsonl | jq .title
        storedoctor rows Notes.sqlite Note --deleted --format csv
        storedoctor rows Notes.sqlite Note --cloudkit
        storedoctor rows Notes.sqlite --format sqlite --output readable.sqlite
        storedoctor rows Notes.sqlite --format csv --output folder
      """)

  @Argument(help: "The store: a file of any name, or a folder or bundle with exactly one store.", completion: .file())
  var store: String

  @Argument(help: "The entity; without it, all are listed.", completion: .entities)
  var entity: String?

  @OptionGroup(title: HelpGroup.objects) var which: RowChoice

  @OptionGroup(title: "What is shown of each object") var shown: RowDetail

  @OptionGroup(title: HelpGroup.output) var output: RowOutput

  @OptionGroup(title: HelpGroup.state) var moment: MomentArguments

  @OptionGroup(title: HelpGroup.description) var storeModel: StoreModelArguments

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func validate() throws {
    if entity == nil {
      if output.format == .sqlite || output.format == .csv || output.format == .jsonl, output.path == nil {
        throw ValidationError("all entities are written to --output; name it, or an entity")
      }
      if let option = shown.optionOfOneEntity ?? which.optionOfOneEntity {
        throw ValidationError("\(option) is about the objects of one entity; name the entity after the store")
      }
    } else if output.format == .sqlite {
      throw ValidationError("--format sqlite writes all entities; omit ENTITY")
    }
    if shown.isLong, output.format != .table {
      throw ValidationError("--long is for the table; other formats show everything")
    }
    if output.path != nil, output.format == .table {
      throw ValidationError("--output goes with --format csv, jsonl, json or sqlite")
    }
    if output.force, output.path == nil || entity == nil {
      throw ValidationError(
        "--force replaces the file of one entity; name it after the store, and the file with --output")
    }
    if shown.showsCloudKit, output.format == .sqlite || entity == nil && output.path == nil {
      throw ValidationError(
        "--cloudkit shows objects; name an entity after the store, or --output for csv, jsonl or json")
    }
    if output.keepFormulas, output.format != .csv { throw ValidationError("--keep-formulas is for --format csv") }
    if which.deleted {
      try validateDeleted()
    } else if shown.columns.contains(where: { $0.split(separator: ",").contains("_state") }) {
      throw ValidationError("_state is a column of --deleted")
    }
    _ = try keyList()
    _ = try orders()
  }

  /// Refuses options that do not fit deleted objects, which may lack values and are read from all files.
  private func validateDeleted() throws {
    guard entity != nil || output.path != nil else {
      throw ValidationError("--deleted shows objects; name an entity after the store, or --output for all")
    }
    if output.format == .sqlite { throw ValidationError("--deleted goes with --format table, json, jsonl or csv") }
    let others: [(String, Bool)] = [
      ("--order-by", !which.orderBy.isEmpty), ("--external", shown.external != nil),
      ("--as-of", moment.asOf != nil), ("--without-wal", moment.withoutWAL), ("--store-model", storeModel.path != nil),
    ]
    if let other = others.first(where: \.1) {
      throw ValidationError("--deleted does not go with \(other.0); omit one of them")
    }
  }

  private func keyList() throws -> [Int64]? {
    which.keys.isEmpty ? nil : try objectKeys(which.keys)
  }

  private func orders() throws -> [RowQuery.Order] {
    try which.orderBy.flatMap { $0.split(separator: ",") }.map { word in
      let parts = word.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count <= 2, parts.count == 1 || parts[1] == "desc" || parts[1] == "asc", !parts[0].isEmpty else {
        throw ValidationError("--order-by takes properties such as title or createdAt:desc; '\(word)' is none")
      }
      return RowQuery.Order(path: String(parts[0]), isDescending: parts.count == 2 && parts[1] == "desc")
    }
  }

  func run() throws {
    let progress = ProgressLine("reading \(store)", isQuiet: output.quiet || isatty(STDOUT_FILENO) == 1)
    try reported {
      defer { progress?.clear() }
      let recovery =
        which.deleted
        ? try recoverPastDamage(
          PosixPath(argument: store), log: moment.log, describedBy: storeModel.source(of: store)) : nil
      let opened = try openStore(progress)
      if entity != nil || output.path != nil, output.format != .json || entity == nil { Reading(opened).tell() }
      if shown.showsCloudKit, !opened.isMirrored {
        standardError("storedoctor: note: the store has none of the tables of CloudKit's mirroring")
      }
      var isWhole = true
      defer { for note in recovery?.notes ?? [] { standardError("storedoctor: note: \(escapedForTerminal(note))") } }
      if let entity {
        var query = try query(entity, in: opened)
        query.gone = recovery?.gone(from: opened.layout.entity(named: entity)?.table)
        let rows = try Rows(query, of: opened)
        try show(rows, in: output.path.map { PosixPath(argument: $0) })
        isWhole = rows.isWhole
      } else {
        isWhole = try runWhole(opened, recovery: recovery)
      }
      try recovery?.checkUnchanged()
      let reading = Reading(opened)
      if entity != nil || output.path != nil, !opened.isStandIn { reading.tellDamage() }
      if reading.sound == .no || !isWhole { throw ExitCode(2) }
    }
  }

  private func openStore(_ progress: ProgressLine?) throws -> Store {
    let path = try StoreLocator.locate(PosixPath(argument: store))
    var options = moment.opening(progress: progress).watchingPages.readingPastDamage(of: entity)
    if let source = try storeModel.source(of: store) {
      options.model = try source.version(describing: path, options).model
    }
    return try Store(path, options: options)
  }

  /// Lists the entities, or writes the objects of all.
  ///
  /// - Returns: whether all were written whole.
  private func runWhole(_ opened: Store, recovery: Recovery?) throws -> Bool {
    guard let path = output.path else {
      let list = EntityList(StoreOverview(opened))
      try opened.checkUnchanged()
      try standardOutput(
        output.format == .json ? list.json.text : list.text(width: output.width, isStyled: output.isStyled))
      return true
    }
    let target = PosixPath(argument: path)
    switch output.format {
    case .sqlite: try writeDatabase(opened, to: target)
    case .csv, .jsonl, .json: return try writeFolder(opened, recovery: recovery, to: target)
    case .table: break
    }
    return true
  }

  /// Writes the readable database under a name of its own, and gives it the name that was asked for when it is whole.
  private func writeDatabase(_ opened: Store, to target: PosixPath) throws {
    guard FileSystem.kind(of: target, followingLinks: false) == nil else {
      throw OutputFileError(path: target, message: "it exists; name another file, or remove it")
    }
    let draft = try StreamedFile(creating: target, keepsParts: false, mode: 0o600)
    let identity = StoreIdentity(opened)
    let summary = try exportReadableDatabase(
      of: opened, into: draft.place.description,
      about: [
        ("made by", "storedoctor \(toolVersion)"), ("store", identity.path), ("store UUID", identity.uuid ?? ""),
        ("framework version", identity.frameworkVersion.map { String($0) } ?? ""),
        ("version identifiers", identity.versionIdentifiers.joined(separator: ", ")),
        ("model", identity.modelSource), ("model checksum", identity.checksum ?? ""),
      ])
    try opened.checkUnchanged()
    try draft.finish()
    for remark in summary.remarks { standardError("storedoctor: \(remark)") }
    let objects = summary.objects.reduce(0) { $0 + $1.count }
    try standardOutput(
      "wrote \(objects) objects of \(summary.objects.count) entities to \(target.description)"
        + (summary.dangling > 0 ? "; \(summary.dangling) links without an end are in its table _dangling" : "") + "\n")
  }

  private func writeFolder(_ opened: Store, recovery: Recovery?, to target: PosixPath) throws -> Bool {
    guard FileSystem.kind(of: target, followingLinks: false) == nil else {
      throw OutputFileError(path: target, code: EEXIST)
    }
    // It has its name when all is in it.
    let draft = UnfinishedOutput(beside: target, isFolder: true)
    let folder = try newFolder(draft.path, shownAs: target, mode: 0o700)
    var isPublished = false
    defer { if !isPublished { draft.discard() } }
    var taken: Set<String> = []
    var isWhole = true
    for entity in opened.layout.entities where !entity.id.isInternal && entity.tableExists {
      var query = RowQuery(entity: entity.name)
      query.includesSubentities = false
      query.readsBinary = shown.binary
      query.externalValues = try externalValues()
      query.showsCloudKit = shown.showsCloudKit
      query.gone = recovery?.gone(from: entity.table)
      let name = fileName(entity.name, among: &taken) + "." + output.format.rawValue
      do {
        let rows = try Rows(query, of: opened)
        try show(rows, in: folder.appending(component: Array(name.utf8)), isPart: true, prefix: "\(entity.name): ")
        isWhole = isWhole && rows.isWhole
      } catch let error as SQLiteError where error.isCorrupt {
        // One damaged table does not cost the others.
        isWhole = false
        let sentence = "\(entity.name): not written: its table \(entity.table) is damaged"
        standardError("storedoctor: \(escapedForTerminal(sentence))")
      }
    }
    do throws(FileActionError) { try draft.publish(as: target) } catch {
      throw OutputFileError(path: target, code: error.code)
    }
    isPublished = true
    return isWhole
  }

  /// An entity's name as that of a file, and of no other entity here.
  private func fileName(_ entity: String, among taken: inout Set<String>) -> String {
    let name = safeFileName(entity)
    var candidate = name
    var number = 2
    while !taken.insert(candidate.lowercased()).inserted {
      candidate = "\(name)_\(number)"
      number += 1
    }
    return candidate
  }

  private func query(_ entity: String, in opened: Store) throws -> RowQuery {
    var query = RowQuery(entity: entity)
    let names = shown.columns.flatMap { $0.split(separator: ",") }.map(String.init)
    query.columns = names.isEmpty ? nil : names
    query.expanded = shown.expanded
    query.condition = which.condition
    query.order = try orders()
    query.limit = which.limit
    query.offset = which.offset
    query.keys = try keyList()
    query.includesSubentities = !which.withoutSubentities
    query.showsCloudKit = shown.showsCloudKit
    query.readsBinary = shown.binary && output.format != .table
    query.externalValues = try externalValues()
    query.putsTitleFirst = output.format == .table && !shown.isLong
    return query
  }

  /// Writes values to files of the folder for external ones, named by entity, key and attribute.
  private func externalValues() throws -> RowQuery.ExternalValueWriter? {
    guard let external = shown.external else { return nil }
    let folder = PosixPath(argument: external)
    if FileSystem.kind(of: folder) == nil { _ = try newFolder(folder, mode: 0o700) }
    return { entity, key, attribute, bytes in
      let name = safeFileName(entity) + "-\(key)-" + safeFileName(attribute) + Self.fileExtension(of: bytes)
      let file = try StreamedFile(
        creating: folder.appending(component: Array(name.utf8)), keepsParts: false, isPart: true, mode: 0o600)
      try file.write(bytes)
      try file.finish()
      return name
    }
  }

  /// The extension for a file by its first bytes, for the kinds that apps keep most.
  private static func fileExtension(of bytes: UnsafeRawBufferPointer) -> String {
    let kinds: [([UInt8], String)] = [
      ([0xFF, 0xD8, 0xFF], ".jpg"), ([0x89, 0x50, 0x4E, 0x47], ".png"), (Array("GIF8".utf8), ".gif"),
      (Array("%PDF".utf8), ".pdf"), (Array("bplist00".utf8), ".plist"), (Array("PK\u{3}\u{4}".utf8), ".zip"),
    ]
    if let kind = kinds.first(where: { bytes.starts(with: $0.0) }) { return kind.1 }
    guard bytes.count > 12, bytes[4..<8].elementsEqual("ftyp".utf8) else { return "" }
    return bytes[8..<12].elementsEqual("heic".utf8) ? ".heic" : ".mp4"
  }

  private func show(_ rows: Rows, in path: PosixPath?, isPart: Bool = false, prefix: String = "") throws {
    let file = try path.map {
      if isPart { return try StreamedFile(creating: $0, keepsParts: false, isPart: true, mode: 0o600) }
      return try StreamedFile(
        creating: $0, replacing: output.force,
        madeFrom: [PosixPath(argument: store)]
          + [storeModel.path, moment.logPath].compactMap(\.self).map { PosixPath(argument: withoutVersion($0)) },
        keepsParts: false,
        mode: 0o600)
    }
    let sink = OutputBytes { bytes in
      if let file { try file.write(bytes) } else { try standardOutput(bytes) }
    }
    let style = ValueStyle(dates: shown.dateFormat, writesBinary: shown.binary)
    var remarks: [String] = []
    switch output.format {
    case .table:
      var table = RowTable(
        width: output.width, isStyled: output.isStyled, isLong: shown.isLong, isChosen: !shown.columns.isEmpty,
        noun: rows.entity.name
      )
      try rows.write(&table, to: sink)
    case .jsonl, .json:
      var writer = JSONRowWriter(output.format == .json ? rows.documentFrame : .lines, style)
      try rows.write(&writer, to: sink)
      remarks = writer.remarks
    case .csv:
      var writer = CSVRowWriter(
        style, keepsFormulas: output.keepFormulas, isForTerminal: file == nil && isatty(STDOUT_FILENO) == 1)
      try rows.write(&writer, to: sink)
      remarks = writer.remarks
      if writer.guarded > 0 { remarks.append("--keep-formulas writes texts that begin like formulas as they are") }
    case .sqlite: break
    }
    try rows.store.checkUnchanged()
    try file?.finish()
    try file?.replace(mode: 0o600)
    for remark in rows.remarks + remarks { standardError("storedoctor: \(prefix)\(remark)") }
  }
}

extension Rows {
  /// Whether all was shown that was asked for; known after it was written.
  fileprivate var isWhole: Bool { undecided == 0 && unread.isEmpty }
}
