import StoreCoreData
import StorePublishing
import StoreSQLite

/// Sees the rows of a store while its values are read.
protocol RowObserver: AnyObject {
  /// Called before the first row of a table.
  func begin(_ table: AnonymizingPlan.Table) throws
  /// Called with each row, and what becomes of its columns.
  func see(_ row: Statement, of table: AnonymizingPlan.Table, _ treatments: AnonymizingPlan.RowTreatments) throws
  /// Called behind the last row of a table.
  func end(_ table: AnonymizingPlan.Table) throws
}

/// Reads all values of a store with what becomes of them, and its external files.
struct StoreReader {
  let store: Store
  let plan: AnonymizingPlan
  /// External files by name.
  let files: [(name: [UInt8], path: PosixPath)]
  /// Other things in the support folder, which are not written.
  let otherFiles: Int

  /// Files are read in parts of this size.
  static let partLength = 4 << 20

  init(_ store: Store, _ plan: AnonymizingPlan) throws(AnonymizingError) {
    (self.store, self.plan) = (store, plan)
    let support = store.supportFolder
    guard FileSystem.kind(of: support, followingLinks: false) == .folder else {
      (files, otherFiles) = ([], 0)
      return
    }
    let folder = support.appending(component: Self.folderName)
    switch store.externalFiles() {
    case .unlistable: throw AnonymizingError("the folder with its external files cannot be listed")
    case .absent: files = []
    case .names(let names):
      files = names.sorted { $0.lexicographicallyPrecedes($1) }.map { ($0, folder.appending(component: $0)) }
    }
    let all = (FileSystem.names(in: support) ?? []).filter { $0 != Self.folderName }.count
    otherFiles = all + (FileSystem.names(in: folder) ?? []).count - files.count
  }

  /// How many bytes the values have at most, about: those of the pages and the external files.
  var size: Int64 {
    let pages = (try? store.connection.pageUse().bytes) ?? 0
    return files.reduce(max(pages, 0)) { sum, file in
      let size = FileSystem.identity(of: file.path)?.size ?? 0
      return sum.addingReportingOverflow(max(size, 0)).overflow ? .max : sum + max(size, 0)
    }
  }

  /// The folder in the support folder.
  static let folderName = Array("_EXTERNAL_DATA".utf8)

  /// Calls `body` with every part of a value that is replaced, some at a time.
  ///
  /// - Parameter observer: sees each row first.
  func forEachReplaced(
    observer: (any RowObserver)? = nil, _ body: (ReplacedPieces) throws -> Void
  ) throws {
    var pieces = ReplacedPieces()
    func handOver() throws {
      guard pieces.weight >= ReplacedPieces.usualWeight else { return }
      try body(pieces)
      pieces = ReplacedPieces()
    }
    try forEachColumn(where: \.mayReplaceBytes, observer: observer) { table, index, treatment, value in
      let place = if case .attribute(let use) = treatment { use.name } else { table.columns[index].place }
      // Most values are texts that are replaced as they are, and UUIDs: these are copied once.
      if value.kind == .text, Replacer.isPlain(treatment) {
        value.withBytes { if !Replacer.isNotANumber($0) { pieces.add($0, isText: true, at: place) } }
      } else if Replacer.isPlainUUID(value, treatment) {
        value.withBytes { if !IdentifierMapping.isUniform($0) { pieces.add($0, isText: false, at: place) } }
      } else {
        Replacer.pieces(of: value.copied, treatment) { pieces.add($0, at: place) }
      }
      try handOver()
    }
    for (name, path) in files {
      pieces.add(.text(name), at: "the names of external files")
      try Self.forEachPart(of: path) { part, isFirst, isWhole in
        if isWhole {
          BytesMapping.pieces(of: part) { pieces.add($0, at: "external files") }
        } else {
          pieces.add(
            .bytes(Array(part.dropFirst(isFirst ? BytesMapping.signature(part) : 0))), at: "external files")
        }
        try handOver()
      }
    }
    try body(pieces)
  }

  /// Calls `body` with each text and blob that stays.
  func forEachKept(_ body: ([UInt8]) -> Void) throws {
    try forEachColumn(where: \.mayKeep) { _, _, treatment, column in
      let value = column.copied
      let isKept =
        switch treatment {
        case .keep: true
        case .attribute(let use): use.decision == .keep || use.named.contains(value)
        case .modelCache: if case .blob(let bytes) = value { ModelCache(content: bytes).model != nil } else { false }
        case .signature: if case .text(let text) = value { Replacer.isSystemText(text) } else { false }
        case .structure, .replace, .metadata: false
        }
      guard isKept else { return }
      switch value {
      case .text(let bytes), .blob(let bytes): body(bytes)
      case .null, .integer, .real: break
      }
    }
  }

  /// Calls `body` with a copy of every text and data whose treatment is wanted.
  func forEachValue(
    where isWanted: (AnonymizingPlan.Treatment) -> Bool,
    _ body: (AnonymizingPlan.Treatment, SQLiteValue) throws -> Void
  ) throws {
    try forEachColumn(where: isWanted) { try body($2, $3.copied) }
  }

  /// Calls `body` with every text and data whose treatment is wanted, at its place, and where its column is in its table.
  ///
  /// - Parameter observer: sees each row first, also of tables without such values.
  private func forEachColumn(
    where isWanted: (AnonymizingPlan.Treatment) -> Bool, observer: (any RowObserver)? = nil,
    _ body: (AnonymizingPlan.Table, Int, AnonymizingPlan.Treatment, ColumnValue) throws -> Void
  ) throws {
    for table in plan.tables {
      let wanted = table.columns.indices.filter { index in
        let column = table.columns[index]
        return isWanted(column.treatment) || column.byEntity.values.contains(where: isWanted)
      }
      guard observer != nil || !wanted.isEmpty else { continue }
      let rows = try table.rows(store.connection)
      var treatments = table.treatments
      try observer?.begin(table)
      while try rows.step() {
        treatments.take(rows)
        try observer?.see(rows, of: table, treatments)
        for index in wanted {
          let value = rows[index + table.offset]
          switch value.kind {
          case .null, .integer, .real: continue
          case .text, .blob: break
          }
          let treatment = treatments[index]
          guard isWanted(treatment) else { continue }
          try body(table, index, treatment, value)
        }
      }
      try observer?.end(table)
    }
  }

  /// Calls `body` with the parts of a file, and whether each is the first, and all of it.
  static func forEachPart(
    of path: PosixPath, _ body: (_ part: [UInt8], _ isFirst: Bool, _ isWhole: Bool) throws -> Void
  ) throws {
    let file = try EvidenceFile(path)
    if file.size <= Int64(BytesMapping.largestStructure) {
      return try body(file.read(at: 0, count: Int(file.size)), true, true)
    }
    var offset: Int64 = 0
    while offset < file.size {
      let part = try file.read(at: offset, count: partLength)
      guard !part.isEmpty else { break }
      try body(part, offset == 0, false)
      offset += Int64(part.count)
    }
  }
}
