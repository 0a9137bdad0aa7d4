import SQLitePages
import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreRecovery
import StoreSQLite
import StoreText
import StoreWords
import StoreWriting

/// Writes what was found into the new store, and counts.
struct SalvageRun {
  private let found: FoundStore
  private let options: SalvageOptions
  private let view: PageView
  private let encoding: DatabaseHeader.TextEncoding
  private var reader: RowReader
  private var made: [String]
  private var leftOut: [String]
  /// By table and `Z_ENT`.
  private var saved: [[Int64: Int]]
  private var doubtful: [Int]
  private var torn: [Int]
  private var rows: [Salvage.LeftOut] = []
  private var damagedPages: [Salvage.DamagedPage] = []
  private var damagedCount = 0
  /// Triggers that exist before the rows do.
  private var created: Set<String> = []

  /// The most rows that are listed one by one.
  private static let mostListed = 1000
  /// The most rows of leaves that contradict each other that are held against each other.
  private static let mostContested = 1 << 18

  init(_ found: FoundStore, _ options: SalvageOptions) {
    self.found = found
    self.options = options
    view = found.evidence.view
    encoding = view.files.header.textEncoding
    reader = RowReader(found.evidence, reached: found.owners.reached, isStrict: found.isDamaged)
    made = found.made
    leftOut = found.leftOut
    saved = Array(repeating: [:], count: found.owners.tables.count)
    doubtful = Array(repeating: 0, count: found.owners.tables.count)
    torn = doubtful
  }

  // MARK: Writing

  mutating func write(to path: PosixPath) throws {
    try SalvageDraft(creating: path, like: view.files.header).write { draft in try writeStore(to: draft) }
  }

  /// Writes the same into a private database that vanishes with its connection.
  mutating func writePrivately() throws -> Connection {
    try SalvageDraft(privateLike: view.files.header).filled { draft in try writeStore(to: draft) }
  }

  private mutating func writeStore(to draft: SalvageDraft) throws {
    try createTables(in: draft)
    let damaged = damagedTrees
    if !damaged.isEmpty { try createTriggers(of: damaged, in: draft) }
    try writeAllRows(besides: damaged, to: draft)
    try completeOwnRows(in: draft)
    try createRest(in: draft)
  }

  /// Counts what `write` writes: as it was counted while the pages were read, or, where rows depend on each other, by writing
  /// them into a private database that vanishes.
  mutating func count() throws -> Savable {
    if !options.keepsDoubtful, let sums = found.tally?.sums(found.owners, isStrict: found.isDamaged) {
      try SalvageDraft(privateLike: view.files.header).write { draft in
        try createTables(in: draft)
        for table in tableOrder.map({ found.owners.tables[$0] }) where !table.leaves.isEmpty && isWritten(table) {
          try draft.checkInsertion(into: table)
        }
      }
      for (table, sums) in sums.enumerated() {
        (saved[table], doubtful[table], torn[table]) = (sums.saved, sums.doubtful, sums.torn)
      }
      for table in tableOrder { damagedCount += sums[table].damagedPages }
      return Savable(tables: tables, damagedPages: damagedCount)
    }
    try SalvageDraft(privateLike: view.files.header).write { [damaged = damagedTrees] draft in
      try createTables(in: draft)
      if !damaged.isEmpty { try createTriggers(of: damaged, in: draft) }
      try writeAllRows(besides: damaged, to: draft)
    }
    return Savable(tables: tables, damagedPages: damagedCount)
  }

  private mutating func writeAllRows(besides damaged: Set<String>, to draft: SalvageDraft) throws {
    for table in tableOrder where shadows[found.owners.tables[table].name] == nil {
      try writeRows(of: table, to: draft)
    }
    try writeShadows(besides: damaged, to: draft)
  }

  private var entries: [PageSchema.Entry] { found.entries }

  /// Tables, the virtual ones first: they make tables themselves.
  private mutating func createTables(in draft: SalvageDraft) throws {
    let tables = entries.filter { $0.type == "table" && !$0.name.lowercased().hasPrefix("sqlite_") }
    let virtual = tables.filter(\.isVirtual)
    for entry in virtual { try create(entry, in: draft) }
    var names = Set(try draft.column("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap(\.textValue))
    for entry in tables where names.insert(entry.name).inserted { try create(entry, in: draft) }
  }

  private mutating func createRest(in draft: SalvageDraft) throws {
    for type in ["index", "view", "trigger"] {
      for entry in entries where entry.type == type && entry.sql != nil && !created.contains(entry.name) {
        try create(entry, in: draft)
      }
    }
  }

  private mutating func create(_ entry: PageSchema.Entry, in draft: SalvageDraft) throws {
    guard let sql = entry.sql, sql.uppercased().hasPrefix("CREATE ") else { return }
    if let refusal = try draft.create(sql) { leftOut.append("the \(entry.type) \(quoted(entry.name)): \(refusal)") }
  }

  /// Tables that are made again, in the order of the schema.
  private var tableOrder: [Int] {
    let names = Set(entries.map(\.name))
    return found.owners.tables.indices.filter { names.contains(found.owners.tables[$0].name) }
  }

  // MARK: R-trees

  /// For each table behind an R-tree the name of that.
  private var shadows: [String: String] {
    let trees = found.schema.entries.filter(\.isVirtual).map(\.name)
    return Dictionary(
      trees.flatMap { tree in ["_node", "_parent", "_rowid"].map { (tree + $0, tree) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The R-trees that are made anew: all, where anything is damaged, since they have entries of rows that may be lost.
  private var damagedTrees: Set<String> { found.isDamaged ? Set(shadows.values) : [] }

  /// Has damaged R-trees made anew: the triggers that fill them exist before the rows do.
  private mutating func createTriggers(of trees: Set<String>, in draft: SalvageDraft) throws {
    for tree in trees.sorted(by: codeUnitsPrecede) {
      let own = entries.filter { $0.type == "trigger" && $0.name.hasPrefix(tree + "_") }
      for entry in own { try create(entry, in: draft) }
      created.formUnion(own.map(\.name))
      made.append("the R-tree \(quoted(tree)), an index of places, is made from the rows that were saved")
    }
    try draft.learnTriggers()
  }

  /// The tables behind sound R-trees.
  private mutating func writeShadows(besides damaged: Set<String>, to draft: SalvageDraft) throws {
    let shadows = shadows
    let tables = tableOrder.filter { index in
      shadows[found.owners.tables[index].name].map { !damaged.contains($0) } ?? false
    }
    try draft.withShadowTables { for table in tables { try writeRows(of: table, to: draft) } }
  }

  // MARK: Rows

  private func isWritten(_ table: SalvageTable) -> Bool {
    !table.name.lowercased().hasPrefix("sqlite_") || table.name == "sqlite_sequence"
  }

  private mutating func writeRows(of index: Int, to draft: SalvageDraft) throws {
    let table = found.owners.tables[index]
    guard isWritten(table) else { return }
    let asked = AskedTemplates([table.template])
    let isShadow = shadows[table.name] != nil
    let entityColumn = table.template.columns.firstIndex { $0.name == "Z_ENT" }
    var later: [SalvageTable.Leaf] = []
    for leaf in table.leaves {
      if leaf.isContested {
        later.append(leaf)
        continue
      }
      var counts: (saved: [Int64: Int], doubtful: [(Int64, RowReader.State)]) = ([:], [])
      let coverage = try reader.read(leaf, template: asked) { row in
        guard row.state == .whole || options.keepsDoubtful else {
          counts.doubtful.append((row.key, row.state))
          return
        }
        let isNew = try draft.insert(
          row, into: table, values: row.record.count, encoding: encoding, replaces: isShadow)
        if row.state != .whole || !isNew {
          counts.doubtful.append((row.key, row.state))
        } else {
          let entity = entityColumn.flatMap { row.record.integer($0, in: row.payload) } ?? 0
          counts.saved[entity, default: 0] += 1
        }
      }
      saved[index].merge(counts.saved, uniquingKeysWith: +)
      for (key, state) in counts.doubtful { note(key, state == .whole ? .taken : state.why, on: leaf.page, of: index) }
      note(coverage, of: leaf, in: index)
    }
    try writeContested(later, of: index, asked, to: draft, entityColumn)
    if options.keepsDoubtful { try writeOlder(of: index, asked, to: draft) }
  }

  /// Writes the rows of pages of an older state whose keys no other page has.
  private mutating func writeOlder(of index: Int, _ asked: AskedTemplates, to draft: SalvageDraft) throws {
    let leaves = found.owners.doubtful.filter { $0.table == index }.compactMap(\.leaf)
    let table = found.owners.tables[index]
    var unreadable: [(key: Int64, page: UInt32)] = []
    for leaf in leaves {
      var reader = RowReader(found.evidence, reached: found.owners.reached, isStrict: true)
      var added: [Int64] = []
      let coverage = try reader.read(leaf, template: asked) { row in
        if try draft.insert(row, into: table, values: row.record.count, encoding: encoding) { added.append(row.key) }
      }
      for key in added { note(key, .contested, on: leaf.page, of: index) }
      unreadable += coverage.unreadable.map { ($0, leaf.page) }
      noteGap(coverage, of: leaf, in: index)
    }
    // Most keys of an older state are those of rows that other pages have.
    var noted: Set<Int64> = []
    for (key, page) in unreadable where noted.insert(key).inserted {
      if try !draft.has(key, in: table) { note(key, .damaged, on: page, of: index) }
    }
  }

  /// Of leaves that have keys in a common range one is of an older state, and which is not known: a row is sure that all of them
  /// have that should have it.
  private mutating func writeContested(
    _ leaves: [SalvageTable.Leaf], of index: Int, _ asked: AskedTemplates, to draft: SalvageDraft, _ entityColumn: Int?
  ) throws {
    guard !leaves.isEmpty else { return }
    let table = found.owners.tables[index]
    var hashes: [Int64: Set<Int>] = [:]
    var counts: [Int64: Int] = [:]
    var isFull = false
    // The same row on two leaves has the same overflow pages: each leaf is read as if it were the only one.
    let (reached, evidence) = (found.owners.reached, found.evidence)
    for leaf in leaves {
      var reader = RowReader(evidence, reached: reached, isStrict: true)
      try reader.read(leaf, template: asked) { row in
        guard counts.count < Self.mostContested || counts[row.key] != nil else {
          isFull = true
          return
        }
        counts[row.key, default: 0] += 1
        var hasher = Hasher()
        hasher.combine(bytes: row.payload)
        hashes[row.key, default: []].insert(hasher.finalize())
      }
    }
    for leaf in leaves {
      var reader = RowReader(evidence, reached: reached, isStrict: true)
      var found: [(key: Int64, entity: Int64?, why: Salvage.Why?)] = []
      let coverage = try reader.read(leaf, template: asked) { row in
        let rivals = leaves.count { $0.keys.contains(row.key) }
        let isSure = !isFull && row.state == .whole && hashes[row.key]?.count == 1 && counts[row.key] == rivals
        guard isSure || options.keepsDoubtful else {
          found.append((row.key, nil, row.state == .whole ? .contested : row.state.why))
          return
        }
        let isNew = try draft.insert(row, into: table, values: row.record.count, encoding: encoding)
        // The same row again is no news.
        guard isNew || !isSure else { return }
        let entity = entityColumn.flatMap { row.record.integer($0, in: row.payload) } ?? 0
        found.append((row.key, entity, isSure ? nil : .contested))
      }
      for (key, entity, why) in found {
        if let why { note(key, why, on: leaf.page, of: index) } else { saved[index][entity ?? 0, default: 0] += 1 }
      }
      note(coverage, of: leaf, in: index)
    }
  }

  private mutating func note(_ key: Int64, _ why: Salvage.Why, on page: UInt32, of table: Int) {
    doubtful[table] += 1
    if why == .torn { torn[table] += 1 }
    guard rows.count < Self.mostListed else { return }
    rows.append(.init(table: found.owners.tables[table].name, key: key, page: page, why: why))
  }

  /// Notes what of a leaf was not read.
  private mutating func note(_ coverage: RowReader.Coverage, of leaf: SalvageTable.Leaf, in table: Int) {
    for key in coverage.unreadable { note(key, .damaged, on: leaf.page, of: table) }
    noteGap(coverage, of: leaf, in: table)
  }

  /// Notes a leaf that may have had more rows than were found.
  private mutating func noteGap(_ coverage: RowReader.Coverage, of leaf: SalvageTable.Leaf, in table: Int) {
    guard !coverage.isComplete else { return }
    damagedCount += 1
    guard damagedPages.count < Self.mostListed else { return }
    damagedPages.append(
      .init(
        table: found.owners.tables[table].name, page: leaf.page, found: coverage.found, stated: coverage.stated,
        keys: found.owners.room(of: leaf, in: table)))
  }

  // MARK: Metadata, numbers, model cache

  private mutating func completeOwnRows(in draft: SalvageDraft) throws {
    let own = found.own
    if try draft.column("SELECT Z_ENT FROM Z_PRIMARYKEY").isEmpty {
      for row in own.entityMap.rows {
        try draft.run(
          "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)", .integer(row.id.number),
          .text(row.name), .integer(row.parent?.number ?? 0), .integer(0))
      }
      try raiseHighWater(in: draft)
    }
    guard let model = own.model else { return }
    let framework = Int(clamping: own.metadata?.frameworkVersion ?? Int64(SchemaSearch.framework))
    if try draft.column("SELECT Z_VERSION FROM Z_METADATA WHERE Z_PLIST IS NOT NULL").isEmpty {
      let description = StoreDescription(model: model, framework: framework, keepsHistory: found.hasHistory)
      try draft.run("DELETE FROM Z_METADATA")
      try draft.run(
        "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)", .text(Self.newUUID()),
        .blob(description.metadata.binaryPropertyList()))
      made.append(
        "the metadata (Z_METADATA) are made for the model: the store's own, with its UUID and what the app had put there, are "
          + "lost. CloudKit and others that know it by its UUID take it for a new store")
    }
    guard try !draft.column("SELECT name FROM sqlite_master WHERE name = 'Z_MODELCACHE'").isEmpty,
      try draft.column("SELECT rowid FROM Z_MODELCACHE").isEmpty
    else { return }
    try draft.run("INSERT INTO Z_MODELCACHE VALUES (?)", .blob(ModelCache.content(of: model)))
    made.append("the model cache (Z_MODELCACHE) is made from the model: the store's own is lost")
  }

  private static func newUUID() -> String {
    var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    (bytes[6], bytes[8]) = (bytes[6] & 0x0f | 0x40, bytes[8] & 0x3f | 0x80)
    return UUIDText.text(bytes)
  }

  /// No key is handed out twice: the largest that a table has, or that a link leads to.
  private mutating func raiseHighWater(in draft: SalvageDraft) throws {
    for table in tableOrder.map({ found.owners.tables[$0] }) where table.template.coreData != nil {
      guard let root = found.own.entities(of: table.name).first(where: { found.own.entityMap.root(of: $0.id) == $0.id })
      else {
        continue
      }
      let largest = try draft.column("SELECT max(Z_PK) FROM \(identifier(table.name))").first?.integerValue ?? 0
      try draft.run("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", .integer(largest), .integer(root.id.number))
    }
    made.append(
      "the largest keys (Z_MAX) are those of the rows that were saved: keys of objects that were deleted, or are lost, may be "
        + "given again")
  }

  // MARK: Result

  func result(store: String, output: String, _ diagnosis: Diagnosis) -> Salvage {
    var diagnosis = diagnosis
    // It was diagnosed before it got its name.
    diagnosis.store.path = output
    let leaves = found.owners.tables.flatMap(\.leaves)
    let older = found.owners.doubtful.count { if case .olderState = $0.why { true } else { false } }
    return Salvage(
      store: store, output: output, notes: found.evidence.notes, made: made, leftOut: leftOut,
      tables: tables,
      pages: .init(
        all: Int(view.pageCount), read: leaves.count, unreached: leaves.count { $0.way != .tree }, older: older,
        unclear: found.owners.doubtful.count - older, blank: found.owners.blankPages, damaged: damagedCount),
      damagedPages: damagedPages, rows: rows,
      reading: found.evidence.reading(
        isForeign: options.logIsForeign, isWhole: !found.isDamaged,
        damage: found.schema.isIncomplete ? ["the schema, the list of its tables and indexes, is damaged"] : []),
      mayLackLastSave: found.evidence.lossInLog != nil,
      keepsDoubtful: options.keepsDoubtful, diagnosis: diagnosis)
  }

  /// What answers rest on that are given by what was written.
  var reading: Reading {
    var damage = [
      "it is too damaged to be read as it is: what is shown was found in its pages one by one, and counts are bounds"
    ]
    damage += found.evidence.notes + made + leftOut.map { "left out is \($0)" }
    let losing = tables.filter { $0.doubtful > 0 || !$0.lost.isEmpty }
    damage += losing.prefix(Self.mostTables).map { table in
      let parts = [
        table.doubtful > 0 ? "\(counted(table.doubtful, "doubtful row")) left out" : nil,
        table.lost.isEmpty ? nil : "lost are keys \(table.lostKeyWords)",
      ]
      return "\(table.name): \(parts.compactMap(\.self).joined(separator: "; "))"
    }
    if losing.count > Self.mostTables {
      damage.append("\(counted(losing.count - Self.mostTables, "more table")) lost rows")
    }
    if damagedCount > 0 {
      damage.append("\(counted(damagedCount, "page")) \(damagedCount == 1 ? "has" : "have") fewer rows than once")
    }
    var reading = found.evidence.reading(isForeign: options.logIsForeign, isWhole: false, damage: damage)
    reading.isOfStandIn = true
    return reading
  }

  /// The most tables whose losses are said one by one.
  private static let mostTables = 5

  /// The header of the store, as far as it is known.
  var header: DatabaseHeader { view.files.header }

  /// The tables with rows, and those that lost some, as far as they were written.
  private var tables: [Salvage.Table] {
    let tables = tableOrder.map { index -> Salvage.Table in
      let table = found.owners.tables[index]
      let names = Dictionary(found.own.entities(of: table.name).map { ($0.id.number, $0.name) }) { first, _ in first }
      let entities = saved[index].sorted { $0.key < $1.key }.map { number, count in
        Salvage.Entity(name: names[number] ?? (names.isEmpty ? nil : "Z_ENT \(number)"), saved: count)
      }
      return .init(
        name: table.name, entities: entities, doubtful: doubtful[index], torn: torn[index], lost: lost(index),
        largestKey: found.own.largestKey(of: table.name))
    }
    return tables.filter { !$0.entities.isEmpty || $0.doubtful > 0 || !$0.lost.isEmpty }
  }

  /// What of the missing keys no leaf that was taken has: from 1 up to the largest that was handed out.
  private func lost(_ index: Int) -> [ClosedRange<Int64>] {
    let table = found.owners.tables[index]
    // One row each, and one of each entity.
    if OwnRows.tables.contains(table.name), !table.leaves.isEmpty { return [] }
    guard
      found.owners.mayHideRows || found.evidence.missingInFront > 0
        || found.owners.doubtful.contains(where: \.isUnclear)
    else { return [] }
    let largest = found.own.largestKey(of: table.name) ?? .max
    let taken = table.leaves.filter { $0.way != .tree }.map(\.keys).sorted { $0.lowerBound < $1.lowerBound }
    return table.missing.sorted { $0.lowerBound < $1.lowerBound }.flatMap { missing -> [ClosedRange<Int64>] in
      let (first, last) = (max(1, missing.lowerBound), min(largest, missing.upperBound))
      var rest: [ClosedRange<Int64>] = []
      var next = first
      for keys in taken where keys.lowerBound >= missing.lowerBound && keys.upperBound <= missing.upperBound {
        if keys.lowerBound > next, next <= last { rest.append(next...min(last, keys.lowerBound - 1)) }
        guard keys.upperBound < last else { return rest }
        next = max(next, keys.upperBound + 1)
      }
      if next <= last { rest.append(next...last) }
      return rest
    }
  }
}

extension RowReader.State {
  fileprivate var why: Salvage.Why { self == .torn ? .torn : .damaged }
}

extension SQLiteValue {
  fileprivate var textValue: String? {
    if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
  }
  fileprivate var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }
}
