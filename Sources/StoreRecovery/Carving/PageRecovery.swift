import SQLitePages
import StoreSQLite
import StoreText

/// Searches all versions of all pages of one database for rows that are gone.
///
///     1. trees: which page belongs to what, and what live rows look like
///     2. dropped tables: from what is left of the schema's own rows
///     3. every page: unused space of live pages, free pages, superseded pages of file, log and journal
///     4. what was found against what is live
final class PageRecovery {
  let files: PageFiles
  let view: PageView
  let schema: PageSchema
  private(set) var templates: [RowTemplate] = []
  /// Rows of each template's table.
  private(set) var liveRows: [Int64] = []
  /// Tables that may have rows which the walk through their trees does not meet.
  private(set) var damagedTables: Set<String> = []
  /// Of these, the ones that are damaged by nothing but that, with what speaks against them; lower case, no full stop.
  private(set) var doubtedTables: [String: String] = [:]
  /// Pages that are neither in a tree nor in the list of free pages: how many, and the first.
  private(set) var lostPages: (count: Int, first: UInt32) = (0, 0)
  /// Rows of all tables that could be read whole, by name.
  private(set) var rowCounts: [String: Int64] = [:]
  /// The keys of each table by its rows, and by each of its indexes.
  private var tableSums: [String: KeySum] = [:]
  private var indexSums: [(name: String, table: String, keys: KeySum)] = []
  private(set) var found: [Candidate] = []
  private var reader: RecordReader
  var notes: [String] = []
  /// Tables whose row of the schema is gone but still in the file.
  private(set) var droppedTables: [String] = []
  /// Rows of the schema that are gone but still in the file.
  private(set) var formerEntries: [PageSchema.Entry] = []
  private(set) var bytesSearched: Int64 = 0
  /// What the database's newest state has freed.
  private(set) var freedSpace = FreedSpace()

  /// Free pages whose beginning lists other free pages.
  private let trunks: PageSet
  /// All pages of the freelist.
  private let freePages: PageSet
  /// For each page the template of its table plus 1; -1 for pages in other use, 0 for pages in none.
  private var owners: [Int32]
  /// The hashes of rows with overflow pages, those included; of other rows it is the local hash.
  private var wholeHashes: [Int32: UInt64] = [:]
  /// For each hash of a row the last candidate that has it.
  private(set) var known: [UInt64: Int32] = [:]
  private var views: [Int: PageView] = [:]
  /// For each page of which a row was proved to be gone, the commit that took it away.
  private var ends: [UInt32: Int] = [:]

  /// The most rows that are kept.
  static let limit = 2_000_000
  /// The most commits whose trees are descended, for proof.
  private static let provableCommits = 4_000

  /// Reads the trees of a database.
  init(_ files: PageFiles) throws {
    self.files = files
    view = PageView(files)
    reader = RecordReader(files, ahead: 1 << 17)
    var trunks = PageSet(upTo: view.pageCount)
    let free = try Freelist(view)
    for trunk in free.trunks { trunks.insert(trunk.page) }
    self.trunks = trunks
    freePages = free.pages
    schema = try PageSchema(view)
    owners = [Int32](repeating: 0, count: Int(view.pageCount) + 1)
    try readTrees()
  }

  /// Adjusts the templates, before the search.
  func refine(_ change: (inout RowTemplate) -> Void) {
    for index in templates.indices { change(&templates[index]) }
  }

  /// Adds the template of a table that was dropped, or of one that had other columns before.
  ///
  /// - Parameter home: the template of the same table as it is today; nil for one that is gone.
  func add(_ new: RowTemplate, home: Int?) {
    var template = new
    template.home = home ?? templates.count
    if let home {
      template.isFormer = true
      template.root = templates[home].root
      template.table = templates[home].table
      (template.largestLive, template.largestKey) = (templates[home].largestLive, templates[home].largestKey)
    }
    templates.append(template)
    liveRows.append(0)
  }

  /// Adds for each table of objects a template of rows with numbers that no entity of it has.
  func addForeign() {
    for index in templates.indices where templates[index].coreData?.versionColumn != nil && !templates[index].isFormer {
      guard templates[index].root != nil, templates.count < Self.templateLimit else { continue }
      var template = templates[index]
      template.isForeign = true
      templates.append(template)
      liveRows.append(0)
    }
  }

  /// Takes those templates away, which were the last to be added.
  func removeForeign() {
    templates.removeAll(where: \.isForeign)
    liveRows.removeLast(liveRows.count - templates.count)
  }

  /// The rows that were found with numbers that no entity of their table has: for each table how many have which.
  func foreignNumbers() throws -> [String: [Int64: Int]] {
    var numbers: [String: [Int64: Int]] = [:]
    for candidate in found {
      let template = templates[Int(candidate.template)]
      guard template.isForeign, let rule = template.coreData,
        let number = try integer(rule.entityColumn, of: candidate)
      else { continue }
      numbers[template.table, default: [:]][number, default: 0] += 1
    }
    return numbers
  }

  /// Remembers a row of the schema that is gone.
  func remember(_ entry: PageSchema.Entry, isDropped: Bool) {
    formerEntries.append(entry)
    if isDropped { droppedTables.append(entry.name) }
  }

  /// The most templates.
  static let templateLimit = 4_000

  /// Searches again, with other templates.
  func searchAgain() throws {
    (found, known, wholeHashes, views, ends) = ([], [:], [:], [:], [:])
    (bytesSearched, freedSpace) = (0, FreedSpace())
    try search()
  }

  /// Whether a page is in no tree and was not freed either: what led to it is damaged, and its rows may be live.
  private func isLost(_ page: UInt32, as origin: PageOrigin) -> Bool {
    lostPages.count > 0 && isFree(page) && !freePages.contains(page) && view.origin(of: page) == origin
  }

  /// Whether a page is in no tree, and neither map nor lock page.
  func isFree(_ page: UInt32) -> Bool { Int(page) < owners.count && owners[Int(page)] == 0 }

  /// Whether a page is in the tree of a template's table.
  func isOf(_ template: Int, page: UInt32) -> Bool {
    Int(page) < owners.count && Int(owners[Int(page)]) == templates[template].home + 1
  }

  // MARK: Trees

  private func readTrees() throws {
    own(schema.pages, as: -1)
    for entry in schema.entries where entry.root > 1 {
      let definition = entry.type == "table" ? entry.sql.flatMap { TableDefinition(sql: $0) } : nil
      if let definition, !definition.isWithoutRowID, !entry.name.hasPrefix("sqlite_") {
        try readTable(RowTemplate(table: entry.name, root: entry.root, definition: definition))
      } else {
        try readIndex(entry)
      }
    }
    let geometry = files.geometry
    if files.header.hasPointerMap {
      for map in geometry.pointerMapPages(upTo: view.pageCount) { owners[Int(map)] = -1 }
    }
    if geometry.lockPage <= view.pageCount { owners[Int(geometry.lockPage)] = -1 }
    note(schema.faults, in: "the schema")
    noteDisagreements()
    noteLostPages()
  }

  /// In a sound database each page is in a tree or in the list of free pages.
  private func noteLostPages() {
    guard view.pageCount >= 2 else { return }
    for page in 2...view.pageCount where isFree(page) && !freePages.contains(page) {
      if lostPages.count == 0 { lostPages.first = page }
      lostPages.count += 1
    }
  }

  /// What pages that nothing leads to leave open; nil without any.
  var lostPageWords: String? {
    guard lostPages.count > 0 else { return nil }
    let pages =
      lostPages.count == 1
      ? "page \(lostPages.first) is" : "\(lostPages.count) pages, the first of them \(lostPages.first), are"
    return "\(pages) in no tree and not in the list of free pages"
  }

  /// Goes through an index, or a table without row ids.
  private func readIndex(_ entry: PageSchema.Entry) throws {
    var walk = BTreeWalk(view, root: entry.root, isTable: entry.type == "table" ? nil : false)
    var rows: Int64 = 0
    // A partial index has not all keys.
    let isWhole = entry.type == "index" && !(entry.sql?.uppercased().contains("WHERE") ?? false)
    var keys: KeySum? = isWhole ? KeySum() : nil
    try walk.run(readsOverflow: false) { row in
      rows += 1
      if keys != nil {
        let key = row.cell.overflow == nil ? RecordHeader(row.payload)?.lastInteger(in: row.payload) : nil
        if let key { keys?.add(key) } else { keys = nil }
      }
      return true
    }
    if entry.type == "table", walk.faults.count == 0 { rowCounts[entry.name] = rows }
    if let keys, walk.faults.count == 0 { indexSums.append((entry.name, entry.table, keys)) }
    own(walk.pages, as: -1)
    note(walk.faults, in: entry.name)
  }

  /// A table and its indexes have the same keys; where they do not, a row may be hidden, or have lost its key.
  private func noteDisagreements() {
    for index in indexSums {
      guard let sum = tableSums[index.table], sum != index.keys, damagedTables.insert(index.table).inserted else {
        continue
      }
      notes.append("\(index.table): its rows have other keys than its index \(index.name); counts are bounds")
    }
    (indexSums, tableSums) = ([], [:])
  }

  /// The rows of a table by which it is seen whether they are its own.
  private static let judgedRows = 64

  /// Where none of a table's rows has the number of an entity of the table, its root leads to another table.
  func noteForeignTables() throws {
    for template in templates where !template.isFormer && !template.isForeign {
      guard let entities = template.coreData?.entities, !entities.isEmpty, let root = template.root,
        let column = template.coreData?.entityColumn, !damagedTables.contains(template.table)
      else { continue }
      var walk = BTreeWalk(view, root: root, isTable: true)
      var record = Record()
      var (rows, own) = (0, 0)
      var others: Set<Int64> = []
      try walk.run(readsOverflow: false) { row in
        rows += 1
        guard record.read(row.payload), let number = record.integer(column, in: row.payload) else { return true }
        if entities.contains(number) { own += 1 } else { others.insert(number) }
        return own == 0 && rows < Self.judgedRows
      }
      guard rows > 0, own == 0 else { continue }
      damagedTables.insert(template.table)
      doubtedTables[template.table] = "has rows, and none is of an entity of the table, which so may lie on other pages"
      notes.append(
        "\(template.table): none of its rows is of an entity of the table, which so may lie on other pages; counts are "
          + "bounds")
      for other in templates where other.coreData?.entities.isDisjoint(with: others) == false && other.root != root {
        guard damagedTables.insert(other.table).inserted else { continue }
        doubtedTables[other.table] = "may lie on pages of \(template.table), which has rows of its entities"
      }
    }
  }

  private func readTable(_ new: RowTemplate) throws {
    var template = new
    var rows: Int64 = 0
    var largest: Int64 = 0
    var last = Int64.min
    var disorder: UInt32?
    var walk = BTreeWalk(view, root: template.root ?? 0, isTable: true)
    var keys = KeySum()
    var flawed: UInt32?
    let geometry = files.geometry
    try walk.run(readsOverflow: false) { number, page, header in
      if flawed == nil, header.flaw(in: page, geometry: geometry) == .space { flawed = number }
    } entry: { row in
      rows += 1
      let key = row.cell.rowID ?? 0
      if key <= last, disorder == nil, rows > 1 { disorder = row.page }
      last = key
      keys.add(key)
      largest = max(largest, key)
      template.learn(row.payload)
      return true
    }
    template.largestLive = largest
    template.home = templates.count
    templates.append(template)
    liveRows.append(rows)
    if walk.faults.count == 0 { rowCounts[template.table] = rows }
    if !walk.faults.hidesRows { tableSums[template.table] = keys }
    own(walk.pages, as: Int32(clamping: templates.count))
    note(walk.faults, in: template.table)
    if walk.faults.hidesRows { damagedTables.insert(template.table) }
    if let flawed {
      damagedTables.insert(template.table)
      notes.append("\(template.table): page \(flawed) does not add up, so that a row may be hidden; counts are bounds")
    }
    if let disorder {
      damagedTables.insert(template.table)
      notes.append("\(template.table): its keys are not in order on page \(disorder); counts are bounds")
    }
  }

  private func own(_ pages: PageSet, as owner: Int32) {
    guard view.pageCount >= 1 else { return }
    for page in 1...view.pageCount where pages.contains(page) { owners[Int(page)] = owner }
  }

  private func note(_ faults: PageFaults, in what: String) {
    guard let first = faults.first.first else { return }
    notes.append(
      "\(what): \(faults.count) places could not be read, the first on page \(first.page); what looks deleted there may "
        + "be a live row that cannot be reached")
  }

  // MARK: Search

  /// Searches every version of every page.
  func search() throws {
    let carver = Carver(templates: templates, geometry: files.geometry, encoding: files.header.textEncoding)
    let search = PageSearch(
      carver: carver, geometry: files.geometry, owners: owners, freePages: freePages, trunks: trunks)
    try forEachMainPiece { try take(search.found(in: $0)) }
    try forEachPiece(of: files.frames?.frames.indices ?? 0..<0) { index, piece in
      guard let frames = files.frames else { return }
      let frame = frames.frames[index]
      guard frame.page > 0 else { return }
      let origin = PageOrigin(file: .wal, offset: frames.offset(of: index), index: index)
      let isCurrent = view.origin(of: frame.page) == origin
      let version = PageVersion(
        number: frame.page, origin: origin, isCurrent: isCurrent, commit: isCurrent ? nil : frame.commit,
        fate: frame.fate, isLost: isLost(frame.page, as: origin))
      piece.append(version, try files.bytes(at: origin))
    } body: {
      try take(search.found(in: $0))
    }
    let records = files.journal?.records ?? []
    try forEachPiece(of: records.indices) { index, piece in
      let record = records[index]
      let origin = PageOrigin(file: .journal, offset: record.offset, index: index)
      let isCurrent = files.isJournalHot && view.origin(of: record.page)?.offset == record.offset
      piece.append(
        PageVersion(number: record.page, origin: origin, isCurrent: isCurrent, commit: nil), try files.bytes(at: origin)
      )
    } body: {
      try take(search.found(in: $0))
    }
  }

  /// Bytes read at once.
  private static let pieceSize = 1 << 20

  private func forEachMainPiece(_ body: (PagePiece) throws -> Void) throws {
    let size = files.geometry.pageSize
    var offset: Int64 = 0
    while offset < files.main.size {
      var bytes = try files.main.read(at: offset, count: Self.pieceSize)
      guard !bytes.isEmpty else { return }
      let rest = bytes.count % size
      if rest > 0 { bytes.append(contentsOf: repeatElement(0, count: size - rest)) }
      let versions = (0..<bytes.count / size).map { index -> PageVersion in
        let start = offset + Int64(index * size)
        let number = UInt32(clamping: start / Int64(size) + 1)
        let origin = PageOrigin(file: .main, offset: start)
        let isCurrent = view.origin(of: number) == origin
        return PageVersion(
          number: number, origin: origin, isCurrent: isCurrent, commit: isCurrent ? nil : 0,
          isLost: isLost(number, as: origin))
      }
      try body(PagePiece(pageSize: size, bytes: bytes, versions: versions))
      offset += Int64(bytes.count)
    }
  }

  /// The same for versions of pages that are added one by one.
  private func forEachPiece(
    of indices: Range<Int>, add: (Int, inout PagePiece) throws -> Void, body: (PagePiece) throws -> Void
  ) throws {
    var piece = PagePiece(pageSize: files.geometry.pageSize)
    for index in indices {
      try add(index, &piece)
      guard piece.bytes.count >= Self.pieceSize || index == indices.upperBound - 1, !piece.versions.isEmpty else {
        continue
      }
      try body(piece)
      piece.removeAll()
    }
  }

  // MARK: Candidates

  private func take(_ pages: [PageSearch.Finds]) throws {
    for page in pages {
      bytesSearched += Int64(files.geometry.pageSize)
      guard found.count < Self.limit else { continue }
      freedSpace.add(page.freedSpace)
      for row in page.rows { try add(row, of: page.version) }
    }
  }

  private func add(_ row: PageSearch.FoundRow, of version: PageVersion) throws {
    let (cell, rowHash) = (row.cell, row.rowHash)
    let isInCell = cell.method == .cell
    let commit = isInCell ? version.commit : nil
    var overflowPlaces: [RecoveredRow.Place] = []
    var wholeHash: UInt64? = row.localHash
    if let overflow = cell.overflow {
      var payload = row.localPayload
      let isWhole = try collect(
        overflow, size: cell.record.size - cell.localSize, commit: commit, into: &payload, places: &overflowPlaces)
      wholeHash = isWhole ? payload.withUnsafeBytes { ByteHash.body(cell.record, in: $0, at: 0, upTo: $0.count) } : nil
    }
    if merge(
      cell, rowHash: rowHash, wholeHash: wholeHash, places: [row.place] + overflowPlaces, commit: commit,
      of: version)
    {
      return
    }
    found.append(
      Candidate(
        template: Int32(clamping: cell.template), before: known[rowHash] ?? -1, key: cell.key,
        isFirstValueUnknown: cell.isFirstValueUnknown, isInCell: isInCell, isWhole: wholeHash != nil,
        hasOverflow: cell.overflow != nil, head: cell.head,
        recordOffset: UInt8(clamping: cell.recordStart - cell.start),
        firstType: UInt8(clamping: cell.record.fields.first?.type.code ?? 0),
        valueCount: UInt16(clamping: cell.record.count), lostFrom: UInt16(clamping: cell.lost.lowerBound),
        lostEnd: UInt16(clamping: cell.lost.upperBound), localHash: row.localHash, place: row.place,
        commit: commit.map { Int32(clamping: $0) } ?? -1, fate: version.fate,
        isOnLostPage: version.isLost, otherPlaces: overflowPlaces))
    let last = Int32(clamping: found.count - 1)
    known[rowHash] = last
    if cell.overflow != nil, let wholeHash { wholeHashes[last] = wholeHash }
  }

  /// The hash of a candidate with its overflow pages; nil where some are lost.
  func wholeHash(of index: Int) -> UInt64? {
    found[index].isWhole ? wholeHashes[Int32(clamping: index)] ?? found[index].localHash : nil
  }

  /// Adds a copy to a row that was found before; false where there is none.
  private func merge(
    _ cell: CarvedCell, rowHash: UInt64, wholeHash: UInt64?, places: [RecoveredRow.Place], commit: Int?,
    of version: PageVersion
  ) -> Bool {
    var same: Int?
    var next = Int(known[rowHash] ?? -1)
    // The first that was found is the one that copies are added to.
    while next >= 0 {
      let (key, its) = (found[next].key, self.wholeHash(of: next))
      if Int(found[next].template) == cell.template, cell.key == nil || key == nil || cell.key == key,
        wholeHash == nil || its == nil || wholeHash == its
      {
        same = next
      }
      next = Int(found[next].before)
    }
    guard let same else { return false }
    if found[same].key == nil { found[same].key = cell.key }
    if version.fate == .saved { found[same].fate = .saved }
    if version.isLost { found[same].isOnLostPage = true }
    if let commit { found[same].commit = max(Int32(clamping: commit), found[same].commit) }
    if found[same].otherPlaces.count + 1 < Candidate.listedCopies {
      found[same].otherPlaces += places
    } else {
      found[same].furtherCopies &+= 1
    }
    return true
  }

  /// Calls `body` with the record of a candidate and its bytes.
  func read<Result>(
    _ candidate: Candidate, body: (Record, UnsafeRawBufferPointer) throws -> Result?
  ) throws -> Result? {
    try reader.read(candidate, body: body)
  }

  /// The values of a row that was found, read with the search's own reader.
  func values(of row: RecoveredRow) -> [RecoveredRow.Value] {
    row.source?.read(row.key, with: &reader).values ?? []
  }

  /// The integer in `column` of a candidate; nil for values of other kinds, and for one that is lost.
  func integer(_ column: Int, of candidate: Candidate) throws -> Int64? {
    try reader.integer(column, of: candidate)
  }

  /// Follows a chain of overflow pages; false where a page of it is in use elsewhere or does not exist.
  private func collect(
    _ first: UInt32, size: Int, commit: Int?, into payload: inout [UInt8], places: inout [RecoveredRow.Place]
  ) throws -> Bool {
    let view = commit.map(viewAt) ?? view
    var chain = OverflowChain(first: first, count: size, in: files.geometry)
    while let next = chain.next {
      guard next >= 2, next <= view.pageCount, commit != nil || isFree(next) && !trunks.contains(next),
        payload.count < BTreeWalk.maximumPayload,
        let origin = view.origin(of: next), let page = try view.page(next)
      else { return false }
      page.withUnsafeBytes { bytes in
        let content = chain.take(bytes)
        payload.append(contentsOf: content)
        let range = 0..<OverflowChain.contentStart + content.count
        places.append(RecoveredRow.Place(bytes, range, page: next, origin: origin, how: .overflow))
      }
    }
    return true
  }

  /// The database as it was after a commit; the last ones that were asked for are kept.
  private func viewAt(_ commit: Int) -> PageView {
    if let view = views[commit] { return view }
    let view = PageView(files, commit: commit)
    if views.count >= 64 { views = [:] }
    views[commit] = view
    return view
  }

  // MARK: Against what is live

  /// The rows that are gone, with what became of them: one `deleted` for each object, and its earlier versions.
  func judged() throws -> [Judged] {
    let identities = try identities()
    let placed = try keysByPlace(besides: identities)
    let indexed = try keysByIndex(besides: identities, known: placed)
    known = [:]
    var judged: [Judged] = []
    judged.reserveCapacity(found.count)
    for (index, candidate) in found.enumerated() where !identities.copies.contains(index) {
      var row = Judged(
        index: Int32(clamping: index), key: candidate.key ?? identities.keys[index] ?? placed[index] ?? indexed[index])
      if candidate.key == nil, row.key != nil {
        row.keySource = identities.keys[index] != nil ? .value : placed[index] != nil ? .place : .index
      }
      guard let root = templates[Int(candidate.template)].root, let key = row.key else {
        row.object = identities.firstOf[index] ?? -1
        row.take(candidate.fate)
        if candidate.isOnLostPage { row.loseSight() }
        judged.append(row)
        continue
      }
      if let live = try view.find(rowID: key, root: root) {
        if try isEqual(live, to: index) || isDamagedCopy(of: live, candidate) || isOfBefore(live, candidate) {
          continue
        }
        row.kind = .earlierVersion
      }
      row.take(candidate.fate)
      row.proof = try proof(index, key: key, root: root)
      if candidate.isOnLostPage, row.proof == nil { row.loseSight() }
      judged.append(row)
    }
    try takeOneForEachObject(&judged)
    return judged
  }

  /// A row that was found, and what it is.
  struct Judged {
    /// Which of those that were found.
    var index: Int32
    /// For a row without a key the first row of the same object; -1 where it is the only one.
    var object: Int32 = -1
    /// The key, its own or by what names it.
    var key: Int64?
    /// What the key follows from; nil where it stands in the row.
    var keySource: RecoveredRow.KeySource?
    var kind = RecoveredRow.Kind.deleted
    var proof: Proof?
    var isProved: Bool { proof != nil }

    /// Tells apart what was never in the database, or may be in it for all that can be read.
    mutating func take(_ fate: FrameFate) {
      switch fate {
      case .saved: return
      case .unfinished: kind = .neverCommitted
      case .unreadable: if kind == .deleted { kind = .unreachable }
      }
    }

    /// Takes nothing for deleted that only cannot be reached.
    mutating func loseSight() {
      if kind == .deleted { kind = .unreachable }
    }

    init(index: Int32, key: Int64?) {
      self.index = index
      self.key = key
    }
  }

  /// Every save raises `Z_OPT`: other values with the same one, in space that is overwritten by and by, are no version.
  private func isDamagedCopy(of live: (page: UInt32, cell: Cell, bytes: [UInt8]), _ candidate: Candidate) throws -> Bool
  {
    guard !candidate.isInCell, let version = try version(of: candidate),
      let column = templates[Int(candidate.template)].coreData?.versionColumn
    else { return false }
    return live.bytes.withUnsafeBytes { page in
      var record = Record()
      guard record.read(page, at: live.cell.payloadStart),
        let current = record.integer(column, in: page, at: live.cell.payloadStart)
      else { return false }
      return version >= current
    }
  }

  /// Whether a row is what a live row was before a migration, which changes neither key nor `Z_OPT`: another number of the
  /// entity, or other columns, and no value that the live row has not.
  private func isOfBefore(_ live: (page: UInt32, cell: Cell, bytes: [UInt8]), _ candidate: Candidate) throws -> Bool {
    let template = templates[Int(candidate.template)]
    guard let rule = template.coreData, let column = templates[template.home].coreData?.versionColumn,
      let entityColumn = templates[template.home].coreData?.entityColumn,
      let version = try version(of: candidate)
    else { return false }
    let entity = try integer(rule.entityColumn, of: candidate)
    return try live.bytes.withUnsafeBytes { page in
      var now = Record()
      let start = live.cell.payloadStart
      guard now.read(page, at: start), now.integer(column, in: page, at: start) == version,
        template.isFormer || Int(candidate.valueCount) < now.count
          || entity != now.integer(entityColumn, in: page, at: start)
      else { return false }
      guard template.isFormer else { return true }
      let today = Set(templates[template.home].columns.map(\.name))
      return try read(candidate) { record, bytes in
        for (index, column) in template.columns.enumerated() where index < record.count && !today.contains(column.name)
        {
          guard record.fields[index].type.kind != .null, let value = record.bytes(index, in: bytes) else { continue }
          let isKept = (0..<now.count).contains { field in
            now.fields[field].type.code == record.fields[index].type.code
              && now.fields[field].offset + value.count <= live.cell.localSize
              && page[start + now.fields[field].offset..<start + now.fields[field].offset + value.count].elementsEqual(
                value)
          }
          if !isKept { return false }
        }
        return true
      } ?? false
    }
  }

  /// A version of an object that is gone.
  private struct Version {
    var template: Int
    /// The key, or the first row of an object whose key is lost.
    var key: Int64?
    var first: Int32
    /// Which of the judged rows.
    var index: Int

    func isOfSameObject(as other: Self) -> Bool {
      template == other.template && key == other.key && first == other.first
    }

    static func isBefore(_ left: Self, _ right: Self) -> Bool {
      if left.template != right.template { return left.template < right.template }
      if left.key != right.key { return left.key ?? .min < right.key ?? .min }
      return left.first == right.first ? left.index < right.index : left.first < right.first
    }
  }

  /// Of several versions of an object that is gone, the last is deleted, and those before are earlier versions.
  private func takeOneForEachObject(_ judged: inout [Judged]) throws {
    var versions: [Version] = []
    for (index, row) in judged.enumerated() where row.kind == .deleted && (row.key != nil || row.object >= 0) {
      let template = templates[Int(found[Int(row.index)].template)].home
      guard templates[template].coreData?.versionColumn != nil else { continue }
      versions.append(Version(template: template, key: row.key, first: row.key == nil ? row.object : -1, index: index))
    }
    versions.sort(by: Version.isBefore)
    var dropped: Set<Int> = []
    var start = 0
    while start < versions.count {
      let end = versions[start...].firstIndex { !$0.isOfSameObject(as: versions[start]) } ?? versions.count
      if end - start > 1 { try order(versions[start..<end], judged: &judged, dropped: &dropped) }
      start = end
    }
    guard !dropped.isEmpty else { return }
    judged = judged.indices.filter { !dropped.contains($0) }.map { judged[$0] }
  }

  /// Marks all but the last version of one object, and drops damaged copies of a version.
  private func order(_ members: ArraySlice<Version>, judged: inout [Judged], dropped: inout Set<Int>) throws {
    let numbered = try members.compactMap { member -> NumberedVersion? in
      let candidate = found[Int(judged[member.index].index)]
      // Copies in cells come first, then those that were proved, then those of which nothing is lost.
      let rank =
        (templates[Int(candidate.template)].isFormer ? 8 : 0) + (candidate.isInCell ? 0 : 4)
        + (judged[member.index].isProved ? 0 : 2) + (candidate.isDamaged ? 1 : 0)
      let rule = templates[Int(candidate.template)].coreData
      let entity = try rule.flatMap { try integer($0.entityColumn, of: candidate) }
      return try version(of: candidate).map {
        NumberedVersion(
          index: member.index, number: $0, rank: rank, isInCell: candidate.isInCell,
          isFormer: templates[Int(candidate.template)].isFormer, entity: entity,
          entityToday: entity.flatMap { rule?.successors[$0] })
      }
    }
    // A copy whose version was overwritten, beside others that have theirs.
    if !numbered.isEmpty {
      let known = Set(numbered.map(\.index))
      for member in members where !known.contains(member.index) { dropped.insert(member.index) }
    }
    let sorted = numbered.sorted { left, right in
      if left.number != right.number { return left.number > right.number }
      // Of two that a migration alone tells apart, the one behind it.
      if left.isBefore(right) != right.isBefore(left) { return right.isBefore(left) }
      return left.rank == right.rank ? left.index < right.index : left.rank < right.rank
    }
    for (before, row) in zip(sorted, sorted.dropFirst()) {
      judged[row.index].kind = .earlierVersion
      if row.number == before.number, !row.isInCell || row.isBefore(before) { dropped.insert(row.index) }
    }
  }

  /// A version of an object that is gone, with its `Z_OPT`.
  private struct NumberedVersion {
    var index: Int
    var number: Int64
    var rank: Int
    var isInCell: Bool
    var isFormer: Bool
    /// The number of its entity, and what that entity has today where it is a number of before.
    var entity: Int64?
    var entityToday: Int64?

    /// Whether it is what another was before a migration.
    func isBefore(_ other: Self) -> Bool {
      isFormer && !other.isFormer || entityToday != nil && entityToday == other.entity && entity != other.entity
    }
  }

  /// The last commit that is known to have exactly this row in the table's tree, and the first one after it that has not.
  struct Proof {
    var present: Int32
    var absent: Int32
  }

  /// The proof that a commit that can be known had exactly this row in the table's tree, and the last one has not.
  private func proof(_ index: Int, key: Int64, root: UInt32) throws -> Proof? {
    let candidate = found[index]
    let last = files.frames?.commits ?? 0
    let commit = Int(candidate.commit)
    guard candidate.isInCell, commit > 0 || commit == 0 && isMainFileUntouched,
      commit < last, last <= Self.provableCommits
    else { return nil }
    func page(at commit: Int) throws -> UInt32? {
      guard let then = try viewAt(commit).find(rowID: key, root: root), try isEqual(then, to: index) else { return nil }
      return then.page
    }
    guard let home = try page(at: commit) else { return nil }
    var (first, end) = (commit, last)
    // Rows of one page are gone together more often than not, and else when it is written again.
    let guesses = [ends[home], commitsOfPages[home]?.first { $0 > commit }].compactMap(\.self)
    for guess in guesses where guess > first && guess < end {
      if try page(at: guess) == nil { end = guess } else { first = guess }
      guard end == guess, end - 1 > first else { continue }
      if try page(at: end - 1) == nil { end -= 1 } else { first = end - 1 }
    }
    while end - first > 1 {
      let middle = (first + end) / 2
      if try page(at: middle) == nil { end = middle } else { first = middle }
    }
    ends[home] = end
    return Proof(present: Int32(clamping: first), absent: Int32(clamping: end))
  }

  /// The commits that wrote each page, ascending.
  private lazy var commitsOfPages: [UInt32: [Int]] = {
    var commits: [UInt32: [Int]] = [:]
    for frame in files.frames?.frames ?? [] {
      guard let commit = frame.commit, commits[frame.page]?.last != commit else { continue }
      commits[frame.page, default: []].append(commit)
    }
    return commits
  }()

  /// Whether no page of the main file equals one in the log, so that no checkpoint has begun: only then is the main file
  /// the state before the first commit.
  private lazy var isMainFileUntouched: Bool = {
    guard let frames = files.frames else { return false }
    for (index, frame) in frames.frames.enumerated() where frame.commit != nil && frame.page > 0 {
      let there = PageOrigin(file: .main, offset: files.offset(ofMainPage: frame.page))
      let here = PageOrigin(file: .wal, offset: frames.offset(of: index), index: index)
      guard let main = try? files.bytes(at: there), let log = try? files.bytes(at: here) else { return false }
      if main == log { return false }
    }
    return true
  }()

  private func isEqual(_ live: (page: UInt32, cell: Cell, bytes: [UInt8]), to index: Int) throws -> Bool {
    try live.bytes.withUnsafeBytes { page in
      var record = Record()
      guard record.read(page, at: live.cell.payloadStart) else { return false }
      let local = live.cell.payloadStart + live.cell.localSize
      let hash = ByteHash.body(record, in: page, at: live.cell.payloadStart, upTo: local)
      guard hash == found[index].localHash else { return false }
      guard live.cell.overflow != nil, let whole = wholeHash(of: index) else { return true }
      guard let payload = try view.payload(of: live.cell, in: page) else { return true }
      return payload.withUnsafeBytes { ByteHash.body(record, in: $0, at: 0, upTo: $0.count) } == whole
    }
  }
}

/// Many keys in two numbers, whatever their order, so that two sets of them can be compared without being kept.
private struct KeySum: Equatable {
  private var count: Int64 = 0
  private var sum: UInt64 = 0

  mutating func add(_ key: Int64) {
    var mixed = UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
    mixed ^= mixed >> 29
    count &+= 1
    sum &+= mixed &* 0xBF58_476D_1CE4_E5B9
  }
}
