import StoreSQLite

/// Where objects come from, as the history tells: another device, or this one. History is cut, so of old objects nothing
/// is known.
package struct MirrorOrigins: Sendable {
  /// Where an object comes from.
  package enum Origin: String, Sendable {
    /// It was inserted by an import of CloudKit's mirroring.
    case `import`
    /// It was inserted by somebody else.
    case here
  }

  private var keys: [Place: Origin] = [:]

  private struct Place: Hashable {
    var entity: EntityID
    var key: Int64
  }

  /// The most insertions that are kept, at 32 bytes each.
  private static let most = 2_000_000

  /// No objects.
  package init() {}

  /// Where an object comes from; nil where the history does not say.
  package func origin(of key: Int64, entity: EntityID) -> Origin? { keys[Place(entity: entity, key: key)] }

  /// Adds an insertion. A key is never used twice, so that the first one decides.
  package mutating func add(_ key: Int64, entity: EntityID, origin: Origin) {
    guard keys.count < Self.most else { return }
    let place = Place(entity: entity, key: key)
    if keys[place] == nil { keys[place] = origin }
  }
}

extension Store {
  /// Where objects come from; nil where the store keeps no history whose authors can be told.
  ///
  /// - Throws: `SQLiteError` where the history cannot be read to its end.
  package func mirrorOrigins() throws -> MirrorOrigins? {
    guard let changes = shape.table(.change), let transactions = shape.table(.transaction),
      let texts = shape.table(.transactionString), texts.has("ZNAME"), transactions.has("ZAUTHORTS"),
      ["ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"].allSatisfy(changes.has)
    else { return nil }
    let imports = try importTransactions()
    var origins = MirrorOrigins()
    let inserts = try connection.prepare(
      "SELECT ZENTITY, ZENTITYPK, ZTRANSACTIONID FROM \(HistoryTable.change) NOT INDEXED WHERE ZCHANGETYPE = 0")
    while try inserts.step() {
      origins.add(
        inserts.int64(1), entity: EntityID(inserts.int64(0)),
        origin: imports.contains(inserts.int64(2)) ? .import : .here)
    }
    return origins
  }

  /// The transactions in which the mirror wrote what came from the server.
  private func importTransactions() throws -> Set<Int64> {
    var authors: Set<Int64> = []
    let texts = try connection.prepare("SELECT rowid, ZNAME FROM \(HistoryTable.transactionString) NOT INDEXED")
    while try texts.step() {
      let isImport = texts.withBytes(1) { $0.elementsEqual(MirrorTable.importAuthor.utf8) }
      if isImport { authors.insert(texts.int64(0)) }
    }
    guard !authors.isEmpty else { return [] }
    var imports: Set<Int64> = []
    let transactions = try connection.prepare("SELECT rowid, ZAUTHORTS FROM \(HistoryTable.transaction) NOT INDEXED")
    while try transactions.step() {
      if authors.contains(transactions.int64(1)) { imports.insert(transactions.int64(0)) }
    }
    return imports
  }
}
