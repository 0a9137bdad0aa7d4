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
      try walk.run(readsOverflow: false) { row in
        rows += 1
        if record.read(row.payload), let number = record.integer(column, in: row.payload), entities.contains(number) {
          own += 1
        }
        return own == 0 && rows < Self.judgedRows
      }
      guard rows > 0, own == 0 else { continue }
      damagedTables.insert(template.table)
      doubtedTables[template.table] = "has rows, and none is of an entity of the table, which so may lie on other pages"
      notes.append(
        "\(template.table): none of its rows is of an entity of the table, which so may lie on other pages; counts are "
          + "bounds")
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
    try forEachMainPage { number, bytes, origin in
      let isCurrent = view.origin(of: number) == origin
      try search(bytes, number: number, origin: origin, isCurrent: isCurrent, commit: isCurrent ? nil : 0, with: carver)
    }
    guard let frames = files.frames else { return try searchJournal(carver) }
    for index in frames.frames.indices {
      let frame = frames.frames[index]
      guard frame.page > 0 else { continue }
      let origin = PageOrigin(file: .wal, offset: frames.offset(of: index), index: index)
      let bytes = try files.bytes(at: origin)
      let isCurrent = view.origin(of: frame.page) == origin
      try bytes.withUnsafeBytes {
        try search(
          $0, number: frame.page, origin: origin, isCurrent: isCurrent, commit: isCurrent ? nil : frame.commit,
          fate: frame.fate, with: carver)
      }
    }
    try searchJournal(carver)
  }

  private func searchJournal(_ carver: Carver) throws {
    guard let journal = files.journal else { return }
    for (index, record) in journal.records.enumerated() {
      let origin = PageOrigin(file: .journal, offset: record.offset, index: index)
      let bytes = try files.bytes(at: origin)
      let isCurrent = files.isJournalHot && view.origin(of: record.page)?.offset == record.offset
      try bytes.withUnsafeBytes {
        try search($0, number: record.page, origin: origin, isCurrent: isCurrent, commit: nil, with: carver)
      }
    }
  }

  /// Bytes read at once.
  private static let piece: Int64 = 1 << 20

  private func forEachMainPage(_ body: (UInt32, UnsafeRawBufferPointer, PageOrigin) throws -> Void) throws {
    let size = files.geometry.pageSize
    var offset: Int64 = 0
    while offset < files.main.size {
      var bytes = try files.main.read(at: offset, count: Int(Self.piece))
      guard !bytes.isEmpty else { return }
      let rest = bytes.count % size
      if rest > 0 { bytes.append(contentsOf: repeatElement(0, count: size - rest)) }
      try bytes.withUnsafeBytes { piece in
        for start in stride(from: 0, to: piece.count, by: size) {
          let number = UInt32(clamping: (offset + Int64(start)) / Int64(size) + 1)
          let page = UnsafeRawBufferPointer(rebasing: piece[start..<start + size])
          try body(number, page, PageOrigin(file: .main, offset: offset + Int64(start)))
        }
      }
      offset += Int64(bytes.count)
    }
  }

  /// Searches one version of a page.
  ///
  /// - Parameters:
  ///   - isCurrent: whether it is the version that counts.
  ///   - commit: the commit of the log that wrote it, 0 for the main file; nil for the current version, and where no
  ///     commit is known.
  ///   - fate: what became of what the version holds.
  private func search(
    _ page: UnsafeRawBufferPointer, number: UInt32, origin: PageOrigin, isCurrent: Bool, commit: Int?,
    fate: FrameFate = .saved, with carver: Carver
  ) throws {
    bytesSearched += Int64(page.count)
    guard found.count < Self.limit else { return }
    let usable = files.geometry.usableSize
    let owner = Int(number) < owners.count ? owners[Int(number)] : 0
    let isLive = isCurrent && owner != 0
    if isCurrent, freePages.contains(number), !trunks.contains(number) { freedSpace.add(freePage: page) }
    let header = BTreePage(page, isFirst: number == 1, usableSize: usable)
    guard let header, isLive || header.kind != .interiorTable || header.cellCount > 0 else {
      if !isLive {
        try carve(
          page, number: number, origin: origin, in: 0..<usable, owner: nil, freeblocks: [],
          fate: fate,
          with: carver)
      }
      return
    }
    var template = owner > 0 ? Int(owner) - 1 : nil
    let anatomy = PageAnatomy(page, header: header, geometry: files.geometry)
    if isLive, header.kind == .leafTable { freedSpace.add(anatomy.freeblocks, in: page) }
    if !isLive, header.kind == .leafTable {
      let context = CellContext(
        number: number, origin: origin, commit: commit, owner: template, fate: fate,
        isLost: isLost(number, as: origin))
      let itsOwn = try takeCells(page, anatomy: anatomy, context: context, with: carver)
      // A free page was of the table of which it still has rows.
      template = template ?? itsOwn
    }
    // Of a page that cells do not fit, the whole space is searched where nothing live is in it.
    let isWhole = anatomy.unreadableCells == 0 && (header.cellCount > 0 || header.kind == .leafTable)
    let ranges = isLive || isWhole ? anatomy.unclaimed : [header.start..<usable]
    let isOfIndex = header.kind == .leafIndex || header.kind == .interiorIndex
    // What was freed in an interior page are keys and page numbers: rows in it are from a time when it was another page, and
    // have to be known by themselves, as Core Data's are.
    let isInterior = header.kind == .interiorTable && template.map { templates[$0].coreData == nil } ?? false
    let ownerOfCells = isInterior ? nil : template
    for range in ranges where range.count >= 5 {
      try carve(
        page, number: number, origin: origin, in: range, owner: ownerOfCells, freeblocks: anatomy.freeblocks,
        keyLengths: ownerOfCells.flatMap { templates[$0].coreData == nil ? anatomy.keyLengths(around: range) : nil },
        isOfIndex: isOfIndex, fate: fate, with: carver)
    }
  }

  private func carve(
    _ page: UnsafeRawBufferPointer, number: UInt32, origin: PageOrigin, in range: Range<Int>, owner: Int?,
    freeblocks: [Range<Int>], keyLengths: ClosedRange<Int>? = nil, isOfIndex: Bool = false, fate: FrameFate,
    with carver: Carver
  ) throws {
    for cell in carver.rows(
      in: page, range: range, owner: owner, freeblocks: freeblocks, keyLengths: keyLengths)
    {
      if isOfIndex, !carver.isDistinct(cell) { continue }
      let context = CellContext(number: number, origin: origin, fate: fate, isLost: isLost(number, as: origin))
      try add(cell, in: page, context: context, isInCell: false)
    }
  }

  private struct CellContext {
    var number: UInt32
    var origin: PageOrigin
    var commit: Int?
    var owner: Int?
    var fate: FrameFate
    /// Whether the page is one that nothing leads to.
    var isLost = false
  }

  /// Takes the rows that the pointers of a page in no tree still lead to.
  ///
  /// - Returns: the template of the first.
  private func takeCells(
    _ page: UnsafeRawBufferPointer, anatomy: PageAnatomy, context: CellContext, with carver: Carver
  ) throws -> Int? {
    var record = Record()
    var first: Int?
    for cell in anatomy.cells {
      guard
        record.read(
          page.first(cell.payloadStart + cell.localSize), at: cell.payloadStart),
        record.size == cell.payloadSize, record.headerSize <= cell.localSize, let key = cell.rowID
      else { continue }
      guard
        let template = carver.template(
          record, in: page, cell: cell, owner: context.owner, fate: context.fate)
      else { continue }
      first = first ?? template
      let carved = CarvedCell(
        template: template, start: cell.start, end: cell.end, key: key, record: record,
        recordStart: cell.payloadStart, localSize: cell.localSize, overflow: cell.overflow, method: .cell)
      try add(carved, in: page, context: context, isInCell: true)
    }
    return first
  }

  // MARK: Candidates

  private func add(
    _ cell: CarvedCell, in page: UnsafeRawBufferPointer, context: CellContext, isInCell: Bool
  ) throws {
    let (number, origin, commit) = (context.number, context.origin, context.commit)
    let local = cell.recordStart + cell.localSize
    let localHash = ByteHash.body(cell.record, in: page, at: cell.recordStart, upTo: local)
    let rowHash = ByteHash.row(cell, localHash: localHash, in: page)
    let place = RecoveredRow.Place(page, cell.start..<cell.end, page: number, origin: origin, how: cell.method)
    var overflowPlaces: [RecoveredRow.Place] = []
    var payload: [UInt8] = []
    var wholeHash: UInt64? = localHash
    if let overflow = cell.overflow {
      payload = Array(page[cell.recordStart..<local])
      let isWhole = try collect(
        overflow, size: cell.record.size - cell.localSize, commit: commit, into: &payload, places: &overflowPlaces)
      wholeHash = isWhole ? payload.withUnsafeBytes { ByteHash.body(cell.record, in: $0, at: 0, upTo: $0.count) } : nil
    }
    if merge(
      cell, rowHash: rowHash, wholeHash: wholeHash, places: [place] + overflowPlaces, context: context,
      isInCell: isInCell)
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
        lostEnd: UInt16(clamping: cell.lost.upperBound), localHash: localHash, place: place,
        commit: commit.map { Int32(clamping: $0) } ?? -1, fate: context.fate,
        isOnLostPage: context.isLost, otherPlaces: overflowPlaces))
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
    _ cell: CarvedCell, rowHash: UInt64, wholeHash: UInt64?, places: [RecoveredRow.Place],
    context: CellContext, isInCell: Bool
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
    if context.fate == .saved { found[same].fate = .saved }
    if context.isLost { found[same].isOnLostPage = true }
    if let commit = context.commit, isInCell {
      found[same].commit = max(Int32(clamping: commit), found[same].commit)
    }
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

extension Carver {
  /// The template of a row in a cell: that of its page's table, else the least loose that fits.
  ///
  /// - Parameter fate: what became of its page; the keys of a transaction that was never finished may not have been handed
  ///   out.
  func template(
    _ record: Record, in page: UnsafeRawBufferPointer, cell: Cell, owner: Int?, fate: FrameFate
  ) -> Int? {
    func fits(_ index: Int) -> Bool {
      templates[index].admits(record) && templates[index].agrees(record, in: page, at: cell.payloadStart)
        && (fate != .saved || (cell.rowID ?? 0) <= templates[index].largestKey ?? .max)
    }
    return firstOf(owner) { fits($0) ? $0 : nil }
  }
}

extension PageAnatomy {
  /// Bytes that the keys of the cells before and behind a free range take, of all cells of the page where it has none beside it;
  /// nil where it has none at all.
  fileprivate func keyLengths(around range: Range<Int>) -> ClosedRange<Int>? {
    func lengths(where isWanted: (Cell) -> Bool) -> ClosedRange<Int>? {
      var (least, most) = (Int.max, 0)
      for cell in cells where isWanted(cell) {
        guard let key = cell.rowID else { continue }
        let length = Varint.length(of: key)
        (least, most) = (min(least, length), max(most, length))
      }
      return most > 0 ? least...most : nil
    }
    return lengths { $0.end == range.lowerBound || $0.start == range.upperBound } ?? lengths { _ in true }
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
