import SQLitePages
import StoreDataModel
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
  /// Tables whose roots are lost, so that they may have rows on pages that were not found; among the damaged ones.
  let lostTables: Set<String>
  /// Pages that are neither in a tree nor in the list of free pages: how many, and the first.
  private(set) var lostPages: (count: Int, first: UInt32) = (0, 0)
  /// Rows of all tables that could be read whole, by name.
  private(set) var rowCounts: [String: Int64] = [:]
  /// The keys of tables of objects, by template, where they lie near each other.
  private(set) var liveKeys: [Int: [KeyBits]] = [:]
  /// The keys of each table by its rows, and by each of its indexes.
  private var tableSums: [String: KeySum] = [:]
  private var indexSums: [(name: String, table: String, keys: KeySum)] = []
  /// For each table of objects the leaves below its root, by `Z_ENT` of their first rows.
  private var leaves: [String: [Int64: [UInt32]]] = [:]
  /// The rows that were found; `judged` says which of them are results.
  private(set) var found: [Candidate] = []
  /// What few of them have.
  private(set) var extras: [Candidate.Extra] = []
  private var reader: RecordReader
  var notes: [String] = []
  /// Tables whose row of the schema is gone but still in the file.
  private(set) var droppedTables: [String] = []
  /// Rows of the schema that are gone but still in the file.
  private(set) var formerEntries: [PageSchema.Entry] = []
  private(set) var bytesSearched: Int64 = 0
  /// Whether the search ended before the file did.
  var isStopped: Bool { bytesSearched < bytesOfVersions }
  /// Bytes of versions of pages that were not searched, because too many rows were found.
  var bytesUnsearched: Int64 { bytesOfVersions - bytesSearched }
  private var bytesOfVersions: Int64 = 0
  /// Rows of freed pages that no template fits, each by a hash.
  private(set) var unfittingRows: Set<UInt64> = []
  /// The most of them that are told apart.
  static let mostUnfitting = 100_000
  /// What the database's newest state has freed.
  private(set) var freedSpace = FreedSpace()

  /// Free pages whose beginning lists other free pages.
  private let trunks: PageSet
  /// All pages of the freelist.
  private let freePages: PageSet
  /// For each page the template of its table plus 1; -1 for pages in other use, 0 for pages in none.
  private(set) var owners: [Int32]
  /// Of all rows with the same values in templates of their own, and with the same overflow pages, the first.
  private(set) var known = CandidateIndex()
  /// The others, by values and keys.
  private var knownByKey = CandidateIndex()
  /// Places of rows that have more than one.
  private var otherPlaces = 0
  private var facts: [TemplateFacts] = []
  private var views: [Int: PageView] = [:]
  /// For each page of which a row was proved to be gone, the commit that took it away.
  private var ends: [UInt32: Int] = [:]

  /// The most rows that are looked for.
  let limit: Int
  /// The most rows where nobody asks for fewer.
  static let limit = Recovery.mostFound
  /// The most overflow pages and copies of rows that are kept besides.
  private static let placeLimit = 4_000_000
  /// The most commits whose trees are descended, for proof.
  private static let provableCommits = 4_000

  /// Reads the trees of a database.
  ///
  /// - Parameters:
  ///   - found: what was found of a database whose schema is lost; its pages are `files`.
  ///   - limit: the search stops behind the page with which it has found so many rows.
  init(_ files: PageFiles, found: FoundDatabase? = nil, limit: Int = PageRecovery.limit) throws {
    self.files = files
    self.limit = min(limit, Self.limit)
    view = PageView(files)
    reader = RecordReader(files, ahead: 1 << 17)
    var trunks = PageSet(upTo: view.pageCount)
    let free = try Freelist(view)
    for trunk in free.trunks { trunks.insert(trunk.page) }
    self.trunks = trunks
    var freePages = free.pages
    found?.free.forEach { freePages.insert($0) }
    self.freePages = freePages
    schema = try found?.schema ?? PageSchema(view)
    owners = [Int32](repeating: 0, count: Int(view.pageCount) + 1)
    lostTables = Set(found?.doubted.map(\.key) ?? [])
    try readTrees(found)
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
    let isForeign = templates.map(\.isForeign)
    for candidate in found where isForeign[candidate.template] {
      let template = templates[candidate.template]
      guard let rule = template.coreData,
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
    (found, extras, otherPlaces, views, ends) = ([], [], 0, [:], [:])
    (known, knownByKey) = (CandidateIndex(), CandidateIndex())
    (bytesSearched, freedSpace, unfittingRows) = (0, FreedSpace(), [])
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

  private func readTrees(_ found: FoundDatabase?) throws {
    own(schema.pages, as: -1)
    for entry in schema.entries where entry.root > 1 {
      let definition = entry.type == "table" ? entry.sql.flatMap { TableDefinition(sql: $0) } : nil
      if let definition, !definition.isWithoutRowID, !entry.name.hasPrefix("sqlite_") {
        try readTable(RowTemplate(table: entry.name, root: entry.root, definition: definition))
      } else {
        try readIndex(entry)
      }
    }
    if let found { try ownLeaves(of: found) }
    let geometry = files.geometry
    if files.header.hasPointerMap {
      for map in geometry.pointerMapPages(upTo: view.pageCount) { owners[Int(map)] = -1 }
    }
    if geometry.lockPage <= view.pageCount { owners[Int(geometry.lockPage)] = -1 }
    note(schema.faults, in: "the schema")
    noteDisagreements()
    noteLostPages()
  }

  /// Takes pages that are known to have rows of a table for its own, where no root leads to them.
  private func ownLeaves(of found: FoundDatabase) throws {
    for entry in schema.entries where entry.type == "table" && entry.root <= 1 && !entry.name.hasPrefix("sqlite_") {
      guard let definition = entry.sql.flatMap({ TableDefinition(sql: $0) }), !definition.isWithoutRowID else {
        continue
      }
      add(RowTemplate(table: entry.name, root: nil, definition: definition), home: nil)
    }
    for index in templates.indices {
      for page in found.leaves[templates[index].table] ?? [] where page > 1 && isFree(page) {
        try own(leaf: page, template: index)
      }
    }
    for (table, why) in found.doubted { doubt(table, why) }
  }

  private func own(leaf number: UInt32, template: Int) throws {
    guard let page = try view.page(number) else { return }
    let (geometry, owner) = (files.geometry, Int32(clamping: template + 1))
    owners[Int(number)] = owner
    try page.withUnsafeBytes { bytes in
      guard let header = BTreePage(bytes, isFirst: false, usableSize: geometry.usableSize), header.kind == .leafTable
      else { return }
      for cell in PageAnatomy(bytes, header: header, geometry: geometry).cells {
        let end = min(bytes.count, cell.payloadStart + cell.localSize)
        guard cell.payloadStart < end else { continue }
        templates[template].learn(UnsafeRawBufferPointer(rebasing: bytes[cell.payloadStart..<end]))
        liveRows[template] += 1
        var chain = OverflowChain(cell, in: geometry)
        while let next = chain.next, next > 1, isFree(next), let content = try view.page(next) {
          owners[Int(next)] = owner
          content.withUnsafeBytes { _ = chain.take($0) }
        }
      }
    }
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
    // A partial index has not all keys.
    let isWhole = entry.type == "index" && !(entry.sql?.uppercased().contains("WHERE") ?? false)
    let tree = try TreeReading(view, root: entry.root, isTable: entry.type == "table" ? nil : false) { walk in
      try IndexEntries(&walk, isWhole: isWhole)
    }
    var all = IndexEntries()
    for part in tree.parts { all.add(part) }
    if entry.type == "table", tree.faults.count == 0 { rowCounts[entry.name] = all.count }
    if isWhole, let keys = all.keys, tree.faults.count == 0 { indexSums.append((entry.name, entry.table, keys)) }
    own(tree.pages, as: -1)
    note(tree.faults, in: entry.name)
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
        let column = template.coreData?.entityColumn
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
      // Also of a table that is known to be damaged: the rows that its root leads to are of others, which lack them.
      if damagedTables.insert(template.table).inserted {
        doubtedTables[template.table] =
          "has rows, and none is of an entity of the table, which so may lie on other pages"
        notes.append(
          "\(template.table): none of its rows is of an entity of the table, which so may lie on other pages; counts are "
            + "bounds")
      }
      for other in templates where other.coreData?.entities.isDisjoint(with: others) == false && other.root != root {
        guard damagedTables.insert(other.table).inserted else { continue }
        doubtedTables[other.table] = "may lie on pages of \(template.table), which has rows of its entities"
      }
    }
  }

  /// Takes a table whose pages are sound for one that does not show all its rows.
  func doubt(_ table: String, _ why: String) {
    guard damagedTables.insert(table).inserted else { return }
    doubtedTables[table] = why
  }

  /// The leaves of tables of objects, by `Z_ENT` of their first rows; they are not kept.
  func takeLeaves() -> [String: [Int64: [UInt32]]] {
    defer { leaves = [:] }
    return leaves
  }

  private func readTable(_ new: RowTemplate) throws {
    let geometry = files.geometry
    let tree = try TreeReading(view, root: new.root ?? 0, isTable: true) { walk in
      try TreeSummary(&walk, new, geometry: geometry)
    }
    var all = TreeSummary(new)
    for part in tree.parts { all.add(part) }
    var template = all.template
    template.largestLive = all.largest
    template.home = templates.count
    templates.append(template)
    if !all.leaves.isEmpty { leaves[template.table] = all.leaves }
    liveRows.append(all.count)
    if tree.faults.count == 0, all.disorder == nil { liveKeys[templates.count - 1] = all.liveKeys }
    if tree.faults.count == 0 { rowCounts[template.table] = all.count }
    if !tree.faults.hidesRows { tableSums[template.table] = all.keys }
    own(tree.pages, as: Int32(clamping: templates.count))
    note(tree.faults, in: template.table)
    if tree.faults.hidesRows { damagedTables.insert(template.table) }
    if let flawed = all.flawed {
      damagedTables.insert(template.table)
      notes.append("\(template.table): page \(flawed) does not add up, so that a row may be hidden; counts are bounds")
    }
    if let disorder = all.disorder {
      damagedTables.insert(template.table)
      notes.append("\(template.table): its keys are not in order on page \(disorder); counts are bounds")
    }
  }

  private func own(_ pages: PageSet, as owner: Int32) {
    pages.forEach { page in if page >= 1, page <= view.pageCount { owners[Int(page)] = owner } }
  }

  private func note(_ faults: PageFaults, in what: String) {
    guard let first = faults.first.first else { return }
    notes.append(
      "\(what): \(faults.count) places could not be read, the first on page \(first.page); what looks deleted there may "
        + "be a live row that cannot be reached")
  }

  // MARK: Search

  /// Searches every version of every page, until there are more rows than are kept.
  func search() throws {
    let carver = Carver(templates: templates, geometry: files.geometry, encoding: files.header.textEncoding)
    let search = PageSearch(
      carver: carver, files: files, owners: owners, freePages: freePages, trunks: trunks)
    let (frames, records) = (files.frames?.frames ?? [], files.journal?.records ?? [])
    let size = Int64(files.geometry.pageSize)
    bytesOfVersions = size * (Int64(files.mainPageCount) + Int64(frames.count { $0.page > 0 } + records.count))
    // Without being written to, reserved memory is none; growing would take twice as much of it.
    found.reserveCapacity(min(limit, Int(clamping: bytesOfVersions / Self.smallestRow)) + Self.roomForPage)
    // What one piece has is taken while the next one is searched.
    var waiting: [PageSearch.Finds] = []
    func takeAndSearch(_ piece: PagePiece) throws -> Bool {
      let former = waiting
      waiting = []
      var goesOn = false
      (waiting, goesOn) = try search.found(in: piece) { try take(former) }
      return goesOn
    }
    try forEachMainPiece(takeAndSearch)
    try forEachPiece(of: frames.indices) { index, piece in
      let frame = frames[index]
      guard frame.page > 0, let offset = files.frames?.offset(of: index) else { return }
      let origin = PageOrigin(file: .wal, offset: offset, index: index)
      let isCurrent = view.origin(of: frame.page) == origin
      let version = PageVersion(
        number: frame.page, origin: origin, isCurrent: isCurrent, commit: isCurrent ? nil : frame.commit,
        fate: frame.fate, isLost: isLost(frame.page, as: origin))
      piece.append(version, try files.bytes(at: origin))
    } body: {
      try takeAndSearch($0)
    }
    try forEachPiece(of: records.indices) { index, piece in
      let record = records[index]
      let origin = PageOrigin(file: .journal, offset: record.offset, index: index)
      let isCurrent = files.isJournalHot && view.origin(of: record.page)?.offset == record.offset
      piece.append(
        PageVersion(number: record.page, origin: origin, isCurrent: isCurrent, commit: nil), try files.bytes(at: origin)
      )
    } body: {
      try takeAndSearch($0)
    }
    _ = try take(waiting)
  }

  /// Bytes of the main file that are searched at once.
  private static let mainPieceSize = 1 << 21
  /// Bytes of other files that are read, and then searched, at once.
  private static let pieceSize = 1 << 20
  /// Rows of the page with which the search stops.
  private static let roomForPage = 1 << 14
  /// Bytes that most rows take at least.
  private static let smallestRow: Int64 = 16

  /// Calls `body` for pieces of the main file until it returns false.
  private func forEachMainPiece(_ body: (PagePiece) throws -> Bool) throws {
    let (size, count) = (files.geometry.pageSize, files.mainPageCount)
    var first: UInt32 = 1
    while first <= count {
      let last = first + min(count - first, UInt32(Self.mainPieceSize / size) - 1)
      let versions = (first...last).map { number -> PageVersion in
        let origin = PageOrigin(file: .main, offset: files.offset(ofMainPage: number))
        let isCurrent = view.origin(of: number) == origin
        return PageVersion(
          number: number, origin: origin, isCurrent: isCurrent, commit: isCurrent ? nil : 0,
          isLost: isLost(number, as: origin))
      }
      guard try body(PagePiece(pageSize: size, ofMain: versions)), last < count else { return }
      first = last + 1
    }
  }

  /// The same for versions of pages that are added one by one.
  private func forEachPiece(
    of indices: Range<Int>, add: (Int, inout PagePiece) throws -> Void, body: (PagePiece) throws -> Bool
  ) throws {
    guard !isFull else { return }
    var piece = PagePiece(pageSize: files.geometry.pageSize)
    for index in indices {
      try add(index, &piece)
      guard piece.bytes.count >= Self.pieceSize || index == indices.upperBound - 1, !piece.versions.isEmpty else {
        continue
      }
      guard try body(piece) else { return }
      piece.removeAll()
    }
  }

  // MARK: Candidates

  /// Whether there are as many rows as are kept.
  private var isFull: Bool { found.count >= limit || otherPlaces >= Self.placeLimit }

  /// Takes what pages have, until there are more rows than are kept.
  ///
  /// - Returns: whether the search goes on.
  private func take(_ pages: [PageSearch.Finds]) throws -> Bool {
    for page in pages {
      guard !isFull else { return false }
      bytesSearched += Int64(files.geometry.pageSize)
      freedSpace.add(page.freedSpace)
      for row in page.unfitting where unfittingRows.count < Self.mostUnfitting { unfittingRows.insert(row) }
      for row in page.rows { try add(row, of: page.version) }
    }
    return !isFull
  }

  private func add(_ row: PageSearch.FoundRow, of version: PageVersion) throws {
    var new = row.candidate
    let commit = new.isInCell ? version.commit : nil
    var overflowPlaces: [PlaceRef] = []
    var wholeHash: UInt64? = new.localHash
    if let overflow = row.overflow {
      var payload = overflow.payload
      // Where a cell was never committed, nothing tells which version of an overflow page is its own: that of the database, or
      // one of several transactions whose frames lie behind the last commit.
      let isSaved = !new.isInCell || version.fate == .saved
      let isWhole =
        try isSaved && collect(overflow, commit: commit, into: &payload, places: &overflowPlaces)
      wholeHash = payload.withUnsafeBytes { bytes in
        // Where a page was written again, a text mostly ends as none does.
        guard isWhole,
          new.isInCell
            || files.header.textEncoding.areReadable(overflow.record, in: bytes, beyond: overflow.payload.count)
        else { return nil }
        return ByteHash.body(overflow.record, in: bytes, at: 0, upTo: bytes.count)
      }
      if isWhole, wholeHash == nil { overflowPlaces = [] }
    }
    new.isWhole = wholeHash != nil
    let (same, isFirst) = sameRow(as: new, hash: row.hash, wholeHash: wholeHash)
    if let same {
      let isCompleted = new.hasOverflow && new.isWhole && !found[same].isWhole
      addCopy(isCompleted ? [new.place] : [new.place] + overflowPlaces, of: new, commit: commit, to: same)
      if isCompleted { complete(same, with: overflowPlaces, wholeHash: wholeHash) }
      return
    }
    let index = found.count
    found.append(new)
    if commit != nil || row.overflow != nil {
      change(extraOf: index) { extra in
        extra.commit = commit.map { Int32(clamping: $0) } ?? -1
        extra.wholeHash = wholeHash ?? 0
        extra.otherPlaces = overflowPlaces
      }
      otherPlaces += overflowPlaces.count
    }
    if isFirst {
      known.insert(row.hash, number: index)
    } else if let key = new.key {
      knownByKey.insert(Self.hash(row.hash, key: key), number: index)
    }
  }

  private static func hash(_ hash: UInt64, key: Int64) -> UInt64 {
    var keyed = ByteHash()
    keyed.add(Int64(bitPattern: hash))
    keyed.add(key)
    return keyed.value
  }

  private func change(extraOf index: Int, _ body: (inout Candidate.Extra) -> Void) {
    if found[index].extra < 0 {
      found[index].take(extra: Int32(clamping: extras.count))
      extras.append(Candidate.Extra())
    }
    body(&extras[Int(found[index].extra)])
  }

  /// What few rows have; nil for others.
  func extra(of candidate: Candidate) -> Candidate.Extra? {
    extras.indices.contains(Int(candidate.extra)) ? extras[Int(candidate.extra)] : nil
  }

  /// The hash of a candidate with its overflow pages; nil where some are lost.
  private func wholeHash(of candidate: Candidate) -> UInt64? {
    guard candidate.isWhole else { return nil }
    return candidate.hasOverflow ? extra(of: candidate)?.wholeHash : candidate.localHash
  }

  /// The first row that was found before and is the same: equal values, and not two keys.
  ///
  /// - Returns: also whether it is the first one with these values, whatever its key.
  private func sameRow(as new: Candidate, hash: UInt64, wholeHash: UInt64?) -> (index: Int?, isFirst: Bool) {
    var same: Int?
    var isFirst = true
    func compare(_ index: Int) -> Bool {
      let other = found[index]
      guard other.template == new.template, other.localHash == new.localHash, other.place.check == new.place.check
      else { return true }
      let its = self.wholeHash(of: other)
      if its == wholeHash { isFirst = false }
      if new.key == nil || other.key == nil || new.key == other.key, wholeHash == nil || its == nil || wholeHash == its
      {
        same = min(same ?? index, index)
      }
      return true
    }
    known.forEach(hash, compare)
    if let key = new.key, !isFirst || same == nil { knownByKey.forEach(Self.hash(hash, key: key), compare) }
    return (same, isFirst)
  }

  /// Gives a row, of whose overflow pages some are lost, those of a copy that has them all.
  private func complete(_ index: Int, with overflow: [PlaceRef], wholeHash: UInt64?) {
    guard let wholeHash else { return }
    found[index].isWhole = true
    change(extraOf: index) { extra in
      extra.wholeHash = wholeHash
      extra.otherPlaces = overflow + extra.otherPlaces.drop { $0.how == .overflow }
    }
  }

  /// Takes a row for one of another template of the same table.
  func retemplate(_ index: Int, _ template: Int) { found[index].take(template: template) }

  /// Says that which version of its table a row is of stays open.
  func leaveVersionOpen(_ index: Int) { found[index].isOfOpenVersion = true }

  /// Takes a row for a copy of another one, unless their overflow pages say other things.
  func join(_ index: Int, to first: Int) {
    let copy = found[index]
    let (whole, its) = (wholeHash(of: copy), wholeHash(of: found[first]))
    guard whole == nil || its == nil || whole == its else { return }
    let commit = extra(of: copy).flatMap { $0.commit < 0 ? nil : Int($0.commit) }
    let overflow = extra(of: copy)?.otherPlaces.prefix { $0.how == .overflow } ?? []
    addCopy(places(of: copy), of: copy, commit: commit, to: first)
    if copy.hasOverflow, its == nil { complete(first, with: Array(overflow), wholeHash: whole) }
    found[index].isDropped = true
  }

  /// Adds a copy to a row that was found before.
  private func addCopy(_ places: [PlaceRef], of copy: Candidate, commit: Int?, to index: Int) {
    found[index].take(key: copy.key)
    // Equal bytes in two places were not written over in one of them.
    if !copy.isDamaged { found[index].takeForSound() }
    if copy.fate == .saved { found[index].fate = .saved }
    if copy.isOnLostPage { found[index].isOnLostPage = true }
    change(extraOf: index) { extra in
      if let commit { extra.commit = max(Int32(clamping: commit), extra.commit) }
      if extra.otherPlaces.count + 1 < Candidate.listedCopies {
        extra.otherPlaces += places
        otherPlaces += places.count
      } else {
        extra.furtherCopies &+= 1
      }
    }
  }

  /// Calls `body` with the record of a candidate and its bytes.
  func read<Result>(
    _ candidate: Candidate, body: (Record, UnsafeRawBufferPointer) throws -> Result?
  ) throws -> Result? {
    try reader.read(candidate, extra: extra(of: candidate), body: body)
  }

  /// What a row of a many-to-many table has in two columns, read with the search's own reader.
  func ends(
    of candidate: Candidate, _ layout: RowLayout, source: String?, destination: String?
  ) throws -> RowLayout.Ends {
    try layout.ends(source: source, destination: destination, of: candidate, with: &reader)
  }

  /// Whether a template's table may have rows.
  func mayHaveRows(_ template: Int) -> Bool {
    facts[template].root == nil || facts[template].isDamaged || liveRows[facts[template].home] > 0
  }

  /// The integer in `column` of a candidate; nil for values of other kinds, and for one that is lost.
  func integer(_ column: Int, of candidate: Candidate) throws -> Int64? {
    try reader.integer(column, of: candidate, extra: extra(of: candidate))
  }

  /// The number of a candidate's entity; nil where it has none, or it is lost.
  func entity(of candidate: Candidate) throws -> Int64? {
    guard let column = facts(of: candidate).entityColumn else { return nil }
    return try candidate.entity ?? integer(column, of: candidate)
  }

  /// All places of a candidate, its own first.
  func places(of candidate: Candidate) -> [PlaceRef] {
    [candidate.place] + (extra(of: candidate)?.otherPlaces ?? [])
  }

  /// Follows a chain of overflow pages; false where a page of it is in use elsewhere or does not exist, the chain returns to
  /// itself, or goes on where the record ends: then pages of it were written again, with bytes of another row, and none of
  /// them is taken.
  private func collect(
    _ row: PageSearch.OverflowingRow, commit: Int?, into payload: inout [UInt8], places: inout [PlaceRef]
  ) throws -> Bool {
    let view = commit.map(viewAt) ?? view
    var chain = OverflowChain(first: row.first, count: row.record.size - payload.count, in: files.geometry)
    // One of the pages before: the last one whose number among them is a power of two.
    var (steps, mark) = (0, UInt32(0))
    while let next = chain.next {
      guard next >= 2, next <= view.pageCount, next != mark, commit != nil || isFree(next) && !trunks.contains(next),
        payload.count < BTreeWalk.maximumPayload,
        let origin = view.origin(of: next), let page = try view.page(next)
      else { return false }
      if steps & (steps - 1) == 0 { mark = next }
      steps += 1
      page.withUnsafeBytes { bytes in
        let content = chain.take(bytes)
        payload.append(contentsOf: content)
        let range = 0..<OverflowChain.contentStart + content.count
        places.append(
          PlaceRef(
            range, page: next, file: origin.file, index: origin.index ?? recordIndex(origin),
            check: ByteHash.check(UnsafeRawBufferPointer(rebasing: bytes[range])), how: .overflow))
      }
    }
    guard chain.isEnded else {
      places = []
      return false
    }
    return true
  }

  /// The record of the journal that is a page's version; nil for other files.
  private func recordIndex(_ origin: PageOrigin) -> Int? {
    origin.file == .journal ? recordIndexes[origin.offset] : nil
  }

  private lazy var recordIndexes = Dictionary(
    (files.journal?.records ?? []).enumerated().map { ($1.offset, $0) }
  ) { first, _ in first }

  /// The database as it was after a commit; the last ones that were asked for are kept.
  private func viewAt(_ commit: Int) -> PageView {
    if let view = views[commit] { return view }
    let view = PageView(files, commit: commit)
    if views.count >= 64 { views = [:] }
    views[commit] = view
    return view
  }

  // MARK: Against what is live

  /// Says of each row that was found what it is, and drops those that are no results: one `deleted` stays for each object,
  /// and its earlier versions.
  ///
  /// - Returns: how many results there are.
  func judge() throws -> Int {
    facts = templates.map { TemplateFacts($0, isDamaged: damagedTables.contains($0.table)) }
    try loseRewrittenOverflow()
    try findIdentities()
    (known, knownByKey) = (CandidateIndex(), CandidateIndex())
    try findKeysByPlace()
    try findKeysByIndex()
    try compareWithLive()
    // Without a log there is no proof in it.
    let hasCommits = (files.frames?.commits ?? 0) > 0
    for index in found.indices where (hasCommits || found[index].isOnLostPage) && !found[index].isDropped {
      guard let key = found[index].key, let root = facts(of: found[index]).root else { continue }
      try prove(index, key: key, root: root)
      if found[index].isOnLostPage, !isProved(found[index]) { found[index].loseSight() }
    }
    try takeOneForEachObject()
    return found.count { !$0.isDropped }
  }

  /// Gives a row the key that follows from something else.
  func take(key: Int64, of index: Int, from source: RecoveredRow.KeySource) {
    found[index].take(key: key, from: source)
  }

  /// Says which row without a key is the first of the same object as one.
  func take(object: Int32, of index: Int) { found[index].take(object: object) }

  /// Takes the overflow pages from a row, as from one of which some are lost.
  func loseOverflow(of index: Int) {
    found[index].isWhole = false
    change(extraOf: index) { extra in
      extra.wholeHash = 0
      extra.otherPlaces = Array(extra.otherPlaces.drop { $0.how == .overflow })
    }
  }

  /// Takes a row for no result.
  func drop(_ index: Int) { found[index].isDropped = true }

  /// What is asked of a template for each row, which is judged.
  struct TemplateFacts {
    let root: UInt32?
    let home: Int
    let entityColumn: Int?
    /// Whether counts of its table are bounds.
    let isDamaged: Bool

    init(_ template: RowTemplate, isDamaged: Bool) {
      (root, home, entityColumn) = (template.root, template.home, template.coreData?.entityColumn)
      self.isDamaged = isDamaged
    }

    /// Whether rows can be told by their places and by index entries: other databases give keys in any order.
    var isOrdered: Bool { root != nil && entityColumn != nil && !isDamaged }
  }

  /// Whether rows of a template can be told by their places and by index entries.
  func isOrdered(_ template: Int) -> Bool { facts[template].isOrdered }

  /// What is asked of a template for each row.
  func facts(of candidate: Candidate) -> TemplateFacts { facts[candidate.template] }

  /// Whether commits of the log prove that a row is gone.
  private func isProved(_ candidate: Candidate) -> Bool { extra(of: candidate).map { $0.present >= 0 } ?? false }

  /// Calls `body` with each result of some templates, by table, key and place.
  func forEachResult(where isWanted: (Int) -> Bool, _ body: (Int32) throws -> Void) rethrows {
    let tables = Dictionary(grouping: templates.indices.filter(isWanted)) { templates[$0].table }
    for (_, members) in tables.sorted(by: { $0.key < $1.key }) { try forEachResult(of: Set(members), body) }
  }

  private func forEachResult(of members: Set<Int>, _ body: (Int32) throws -> Void) rethrows {
    let isMember = templates.indices.map(members.contains)
    func isResult(_ candidate: Candidate) -> Bool { isMember[candidate.template] && !candidate.isDropped }
    var (least, most) = (Int64.max, Int64.min)
    var (keyed, keyless): ([UInt64], [Int32]) = ([], [])
    var count = 0
    for candidate in found where isResult(candidate) {
      if let key = candidate.key { (least, most, count) = (min(least, key), max(most, key), count + 1) }
    }
    // Key and number in one: keys are mostly few and near each other.
    let (width, isTooWide) = most.subtractingReportingOverflow(least)
    let isNarrow = least <= most && !isTooWide && width <= Int64(UInt32.max)
    var others: [Int32] = []
    // Growing would take twice as much.
    if isNarrow { keyed.reserveCapacity(count) }
    for (index, candidate) in found.enumerated() where isResult(candidate) {
      if candidate.key == nil {
        keyless.append(Int32(clamping: index))
      } else if let key = candidate.key, isNarrow {
        keyed.append(UInt64(key - least) << 32 | UInt64(index))
      } else {
        others.append(Int32(clamping: index))
      }
    }
    func number(_ keyed: UInt64) -> Int32 { Int32(truncatingIfNeeded: keyed) }
    keyed.sort()
    try forEachByPlace(of: &keyed, number: number, body)
    keyed = []
    others.sort { (found[Int($0)].key ?? .max, $0) < (found[Int($1)].key ?? .max, $1) }
    try forEachByPlace(of: &others, number: { $0 }, body)
    keyless.sort { isBefore($0, $1) }
    try keyless.forEach(body)
  }

  /// Calls `body` with the numbers of rows that are in order of their keys; of one key by place.
  private func forEachByPlace<Keyed>(
    of rows: inout [Keyed], number: (Keyed) -> Int32, _ body: (Int32) throws -> Void
  ) rethrows {
    var start = 0
    while start < rows.count {
      let key = found[Int(number(rows[start]))].key
      var end = start + 1
      while end < rows.count, found[Int(number(rows[end]))].key == key { end += 1 }
      if end - start > 1 { rows[start..<end].sort { isBefore(number($0), number($1)) } }
      for row in rows[start..<end] { try body(number(row)) }
      start = end
    }
  }

  private func isBefore(_ left: Int32, _ right: Int32) -> Bool {
    PlaceRef.isBefore(found[Int(left)].place, found[Int(right)].place, in: files)
  }

  /// The grade of a row.
  func grade(of candidate: Candidate) -> RecoveredRow.Grade { isProved(candidate) ? .proved : .shown }

  /// Tells what is there from what is gone, many rows at once.
  private func compareWithLive() throws {
    let verdicts = try liveVerdicts()
    for (part, verdicts) in verdicts.enumerated() {
      for (offset, verdict) in verdicts.enumerated() where !found[part * FoundSoFar.share + offset].isDropped {
        let index = part * FoundSoFar.share + offset
        switch verdict {
        case .same: found[index].isDropped = true
        case .earlier: found[index].kind = .earlierVersion
        case .gone: break
        }
        found[index].takeFate()
        if facts(of: found[index]).root == nil || found[index].key == nil, found[index].isOnLostPage {
          found[index].loseSight()
        }
      }
    }
  }

  private func liveVerdicts() throws -> [[LiveComparison.Verdict]] {
    let rows = foundSoFar
    return try concurrently(FoundSoFar.shares(of: found.count)) { share in try LiveComparison(rows).verdicts(share) }
  }

  /// A version of an object that is gone.
  private struct Version {
    var template: Int32
    /// Which of the rows.
    var index: Int32
    /// The key, or the first row of an object whose key is lost.
    var key: Int64
    var hasKey: Bool

    func isOfSameObject(as other: Self) -> Bool {
      template == other.template && key == other.key && hasKey == other.hasKey
    }

    static func isBefore(_ left: Self, _ right: Self) -> Bool {
      if left.template != right.template { return left.template < right.template }
      if left.hasKey != right.hasKey { return right.hasKey }
      return left.key == right.key ? left.index < right.index : left.key < right.key
    }
  }

  /// Of several versions of an object that is gone, the last is deleted, and those before are earlier versions.
  private func takeOneForEachObject() throws {
    var versions = severalOfOneObject()
    versions.sort(by: Version.isBefore)
    var start = 0
    while start < versions.count {
      let end = versions[start...].firstIndex { !$0.isOfSameObject(as: versions[start]) } ?? versions.count
      if end - start > 1 { try order(versions[start..<end].map { Int($0.index) }) }
      start = end
    }
  }

  /// The rows of objects of which there may be several: most are the only ones of theirs, and are not kept for it.
  private func severalOfOneObject() -> [Version] {
    let home = templates.map { templates[$0.home].coreData?.versionColumn == nil ? nil : Int32(clamping: $0.home) }
    var once = HashBits(for: found.count)
    var again = once
    func version(_ index: Int) -> Version? {
      let row = found[index]
      guard !row.isDropped, row.kind == .deleted || isUncommittedCopy(row), row.key != nil || row.object >= 0,
        let home = home[row.template]
      else {
        return nil
      }
      return Version(
        template: home, index: Int32(clamping: index), key: row.key ?? Int64(row.object), hasKey: row.key != nil)
    }
    func hash(_ version: Version) -> UInt32 {
      var hash = ByteHash()
      hash.add(version.key)
      hash.add(Int64(version.template) << 1 | (version.hasKey ? 1 : 0))
      return HashBits.part(hash.value)
    }
    for index in found.indices {
      guard let version = version(index) else { continue }
      if !once.insert(hash(version)) { again.insert(hash(version)) }
    }
    return found.indices.compactMap { index in
      version(index).flatMap { again.contains(hash($0)) ? $0 : nil }
    }
  }

  /// Whether a row is in unused space of a page that was never committed.
  private func isUncommittedCopy(_ row: Candidate) -> Bool { row.kind == .neverCommitted && !row.isInCell }

  /// Marks all but the last version of one object, and drops damaged copies of a version.
  private func order(_ rows: [Int]) throws {
    let members = rows.filter { !isUncommittedCopy(found[$0]) }
    try dropUncommitted(rows.filter { isUncommittedCopy(found[$0]) }, besides: members)
    guard members.count > 1 else { return }
    let numbered = try members.compactMap { member -> NumberedVersion? in
      let candidate = found[member]
      // Copies in cells come first, then those that were proved, then those of which nothing is lost.
      let rank =
        (templates[candidate.template].isFormer ? 8 : 0) + (candidate.isInCell ? 0 : 4)
        + (isProved(candidate) ? 0 : 2) + (candidate.isDamaged ? 1 : 0)
      let rule = templates[candidate.template].coreData
      let entity = try entity(of: candidate)
      return try version(of: candidate).map {
        NumberedVersion(
          index: member, number: $0, rank: rank, isInCell: candidate.isInCell,
          isFormer: templates[candidate.template].isFormer, entity: entity,
          entityToday: entity.flatMap { rule?.successors[$0] })
      }
    }
    // A copy whose version was overwritten, beside others that have theirs.
    if !numbered.isEmpty {
      let known = Set(numbered.map(\.index))
      for member in members where !known.contains(member) { found[member].isDropped = true }
    }
    let sorted = numbered.sorted { left, right in
      if left.number != right.number { return left.number > right.number }
      // Of two that a migration alone tells apart, the one behind it.
      if left.isBefore(right) != right.isBefore(left) { return right.isBefore(left) }
      return left.rank == right.rank ? left.index < right.index : left.rank < right.rank
    }
    for (before, row) in zip(sorted, sorted.dropFirst()) {
      found[row.index].kind = .earlierVersion
      if row.number == before.number, !row.isInCell || row.isBefore(before) { found[row.index].isDropped = true }
    }
  }

  /// Every save raises `Z_OPT`: what has the same one and other values, in space that a transaction was writing to, is no change.
  private func dropUncommitted(_ rows: [Int], besides others: [Int]) throws {
    guard !rows.isEmpty, !others.isEmpty else { return }
    let known = try Set(others.compactMap { try version(of: found[$0]) })
    for row in rows {
      if let version = try version(of: found[row]), known.contains(version) { found[row].isDropped = true }
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

  /// Looks for the proof that a commit that can be known had exactly this row in the table's tree, and the last one has not.
  private func prove(_ index: Int, key: Int64, root: UInt32) throws {
    let candidate = found[index]
    let last = files.frames?.commits ?? 0
    guard candidate.isInCell, let extra = extra(of: candidate), extra.commit >= 0,
      extra.commit > 0 || isMainFileUntouched, extra.commit < last, last <= Self.provableCommits
    else { return }
    let commit = Int(extra.commit)
    func page(at commit: Int) throws -> UInt32? {
      guard let then = try viewAt(commit).find(rowID: key, root: root),
        try LiveComparison.isEqual(then, to: candidate, extra: extra, in: view)
      else { return nil }
      return then.page
    }
    guard let home = try page(at: commit) else { return }
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
    change(extraOf: index) {
      $0.present = Int32(clamping: first)
      $0.absent = Int32(clamping: end)
    }
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

}

extension PageRecovery {
  /// What was found so far.
  var foundSoFar: FoundSoFar { FoundSoFar(found, extras: extras, templates: templates, map: view.map) }

  /// Does something with shares of so many rows, many at once, and takes what is made of them in their order, while not more
  /// is kept than of some of them.
  func inShares<Made: Sendable>(
    _ count: Int, _ work: @Sendable (Range<Int>) throws -> Made, take: (Made) throws -> Void
  ) throws {
    let shares = FoundSoFar.shares(of: count)
    for start in stride(from: 0, to: shares.count, by: FoundSoFar.sharesAtOnce) {
      let some = Array(shares[start..<min(start + FoundSoFar.sharesAtOnce, shares.count)])
      for made in try concurrently(some, work: work) { try take(made) }
    }
  }

  /// What was found, for rows that are made of it.
  var foundRows: FoundRows { FoundRows(found, extras: extras, files: files) }
}
