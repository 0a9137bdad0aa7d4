import StoreText
import StoreWords
import StoreSQLite

extension Store {
  /// The check looks up every row in its indexes, all over the file; a larger cache avoids reading pages again. A store of 1 GB
  /// takes as long as with 64 MiB, and 7 % longer with 32.
  private static let cacheBytes = 40 << 20

  /// Lets SQLite check all pages of the store, and assigns its complaints to tables and indexes.
  ///
  /// Reads the file once, and a second time if something is wrong.
  /// - Throws: `SQLiteError` if reading was stopped, by the deadline or on request.
  package func integrity(_ depth: IntegrityReport.Depth) throws -> IntegrityReport {
    try connection.withCache(bytes: Self.cacheBytes) { try integrityReport(depth) }
  }

  /// Whether SQLite finds the pages and the row order of a table and its indexes correct. Reads only this table
  /// (`PRAGMA quick_check(TABLE)`), so it does not notice a page that another table uses too.
  ///
  /// - Throws: `SQLiteError` if reading was stopped.
  package func hasSoundPages(_ table: String) throws -> Bool {
    guard shape.tables[table] != nil else { return true }
    return try connection.withCache(bytes: Self.cacheBytes) {
      try DamagedTrees(connection).ownsTree(table) && connection.complaints(of: "quick_check", table: table).isEmpty
    }
  }

  private func integrityReport(_ depth: IntegrityReport.Depth) throws -> IntegrityReport {
    let pragma = depth == .full ? "integrity_check" : "quick_check"
    var report = IntegrityReport()
    report.complaints = try connection.complaints(of: pragma)
    guard !report.complaints.isEmpty else { return report }
    var trees = try DamagedTrees(connection)
    trees.namePages(report.complaints)
    // SQLite stops checking at the first page it cannot read, so each table is checked separately. Each such check
    // goes through the whole schema; so tables that share another's root page are skipped, of which a hostile store
    // has thousands.
    for table in shape.tables.keys.sorted(by: codeUnitsPrecede) where trees.ownsTree(table) {
      trees.readAboutTable(try connection.complaints(of: pragma, table: table))
    }
    report.problem = try trees.locatePages(connection, limit: pageLimit)
    let others = trees.assign(report.complaints)
    (report.otherComplaints, report.otherComplaint) = (others.count, others.first)
    report.trees = try trees.damaged.map { tree in
      var tree = tree
      if !tree.isIndex { tree.entriesByIndex = try trees.countByIndex(of: tree, connection) }
      return tree
    }
    return report
  }

  /// The most pages the files can hold; a tree that contains itself would list pages without end.
  private var pageLimit: Int64 {
    [files.main, files.wal, files.journal].compactMap { $0?.size }.reduce(0, +) / 512 + 1
  }
}

extension Connection {
  fileprivate func complaints(of pragma: String, table: String? = nil) throws(SQLiteError) -> [String] {
    var complaints: [String] = []
    do {
      let rows = try prepare("PRAGMA \(pragma)(\(table.map(quotedIdentifier) ?? "\(IntegrityReport.mostComplaints)"))")
      while try rows.step() {
        // The first row holds all complaints about pages, one per line, under a heading.
        complaints += (rows.string(0) ?? "").split(separator: "\n").map(String.init)
      }
    } catch {
      switch error.interruption {
      case .deadline, .request: throw error
      case .work: complaints.append("a tree contains itself, or is too large")
      // After other complaints this error only says that the check ended there.
      case nil: if complaints.isEmpty { complaints.append(error.message) }
      }
    }
    complaints.removeAll { $0 == "ok" || $0.hasPrefix("*** in database") }
    return Array(complaints.prefix(IntegrityReport.mostComplaints))
  }
}

/// The tables and indexes that complaints are about.
private struct DamagedTrees {
  private var trees: [String: IntegrityReport.DamagedTree] = [:]
  private var indexes: [String: [String]] = [:]
  private var concerned: Set<String> = []
  /// For each root page, the first table by name that has it.
  private var tableOfRoot: [Int64: String] = [:]
  private var rootOfTable: [String: Int64] = [:]
  /// Pages named in complaints.
  private var namedPages: Set<Int64> = []
  /// Of these, the ones that were found in a tree.
  private var locatedPages: [Int64: String] = [:]

  private static let mostPages = 100

  init(_ connection: Connection) throws(SQLiteError) {
    // The schema has no row for its own table.
    let schema = IntegrityReport.DamagedTree.schema
    trees[schema] = .init(name: schema, table: schema, isIndex: false)
    for object in try connection.schema() where object.rootPage > 0 {
      let isIndex = object.type == .index
      trees[object.name] = .init(name: object.name, table: object.tableName, isIndex: isIndex)
      if isIndex { indexes[object.tableName, default: []].append(object.name) }
      guard object.type == .table else { continue }
      let root = Int64(object.rootPage)
      rootOfTable[object.name] = root
      if let other = tableOfRoot[root], codeUnitsPrecede(other, object.name) { continue }
      tableOfRoot[root] = object.name
    }
  }

  /// Whether a table has a root page and is the first by name to have it.
  func ownsTree(_ table: String) -> Bool { rootOfTable[table].map { tableOfRoot[$0] == table } ?? false }

  /// The damaged tables and indexes, by name.
  var damaged: [IntegrityReport.DamagedTree] {
    concerned.sorted(by: codeUnitsPrecede).compactMap { trees[$0] }
  }

  /// Collects the pages named in complaints about the whole file.
  mutating func namePages(_ complaints: [String]) {
    for complaint in complaints where index(in: complaint) == nil { namedPages.formUnion(Self.page(in: complaint)) }
  }

  /// Goes over the complaints about the whole file when all else was read, so that none is lost.
  ///
  /// - Returns: those that concern neither an index nor a page that was found in a tree.
  mutating func assign(_ complaints: [String]) -> [String] {
    var others: [String] = []
    for complaint in complaints {
      if let name = index(in: complaint) {
        // Said of the file, and not again of its table.
        if concerned.insert(name).inserted { trees[name]?.wrongEntries += 1 }
        trees[name]?.complaints += 1
      } else if let owner = Self.page(in: complaint).first.flatMap({ locatedPages[$0] }) {
        trees[owner]?.complaints += 1
      } else {
        others.append(complaint)
      }
    }
    return others
  }

  /// Collects the indexes and pages named in complaints about one table.
  mutating func readAboutTable(_ complaints: [String]) {
    for complaint in complaints {
      if let name = index(in: complaint) {
        concerned.insert(name)
        trees[name]?.wrongEntries += 1
      } else {
        namedPages.formUnion(Self.page(in: complaint))
      }
    }
  }

  private func index(in complaint: String) -> String? {
    Self.name(after: " index ", in: complaint).flatMap { trees[$0]?.isIndex == true ? $0 : nil }
  }

  /// "row 3 missing from index ZNOTE_ZFOLDER_INDEX".
  private static func name(after words: String, in complaint: String) -> String? {
    guard let range = complaint.firstRange(of: words) else { return nil }
    return String(complaint[range.upperBound...])
  }

  /// "Page 227: btreeInitPage() returns error code 11", "On tree page 227 cell 9: …", "Tree 5 page 227 cell 9: …".
  ///
  /// - Returns: one page or none.
  private static func page(in complaint: String) -> Set<Int64> {
    // An unused page is at most a consequence of other damage.
    guard !complaint.hasSuffix("is never used") else { return [] }
    for words in ["Page ", "page "] {
      guard let range = complaint.firstRange(of: words) else { continue }
      return Set([Int64(complaint[range.upperBound...].prefix { $0.isASCII && $0.isNumber })].compactMap(\.self))
    }
    return []
  }

  /// Walks all trees to find the pages that are damaged or named in complaints.
  ///
  /// - Returns: why that was not possible; nil if it was.
  mutating func locatePages(_ connection: Connection, limit: Int64) throws(SQLiteError) -> String? {
    var room = limit
    do {
      let pages = try connection.prepareTableSizes("SELECT name, pageno, pagetype, ncell FROM dbstat")
      while try pages.step() {
        room -= 1
        guard room >= 0 else { return "a page is in several trees" }
        let page = pages.int64(1)
        // Called sqlite_master by older versions of SQLite.
        let name = page == 1 ? IntegrityReport.DamagedTree.schema : pages.string(0) ?? ""
        if pages.string(2) == "leaf" || trees[name]?.isIndex == true {
          trees[name]?.readableEntries &+= pages.int64(3)
        }
        guard pages.string(2) == "corrupted" || namedPages.contains(page), trees[name] != nil else { continue }
        concerned.insert(name)
        locatedPages[page] = name
        if (trees[name]?.pages.count ?? 0) < Self.mostPages { trees[name]?.pages.append(page) }
      }
    } catch {
      if error.interruption == .deadline || error.interruption == .request { throw error }
      return error.message
    }
    for name in concerned { trees[name]?.pages.sort() }
    return nil
  }

  /// The number of rows of a table according to one of its indexes that is undamaged and not partial; nil if there is
  /// none.
  func countByIndex(of tree: IntegrityReport.DamagedTree, _ connection: Connection) throws(SQLiteError) -> Int64? {
    let partial = Set(try connection.indexes(of: tree.name).filter(\.isPartial).map(\.name))
    for index in indexes[tree.name] ?? [] where !concerned.contains(index) && !partial.contains(index) {
      let sql = """
        SELECT count(*) FROM \(quotedIdentifier(tree.name)) INDEXED BY \(quotedIdentifier(index))
        """
      do {
        let count = try connection.prepare(sql)
        if try count.step() { return count.int64(0) }
      } catch {
        if error.interruption == .deadline || error.interruption == .request { throw error }
      }
    }
    return nil
  }
}
