import StoreCoreData
import StoreSQLite
import StoreText
import StoreWords

extension Workbench {
  /// Removes transactions of persistent history with their changes, and the texts that no transaction refers to any more. The
  /// newest transaction always stays: it carries the tokens of those who have read all.
  ///
  /// `Z_MAX` stays, so that no number is handed out twice.
  func trimHistory(_ trim: Recipe.HistoryTrim) throws -> Decision {
    guard let transactions = store.shape.table(.transaction), transactions.has("Z_PK"),
      let changes = store.shape.table(.change), changes.has("Z_PK"), changes.has("ZTRANSACTIONID")
    else { return Decision(notices: ["the store keeps no persistent history: there is nothing to trim"]) }
    let history = try TrimmedHistory(trim, of: readTransactions(transactions))
    var decision = Decision(notices: history.notices)
    guard !history.removed.isEmpty else { return decision }
    decision.obstacles = try store.historyReaders().compactMap { $0.obstacle(to: history) }
    if let obstacle = try lastExportObstacle(history) { decision.obstacles.append(obstacle) }
    guard decision.obstacles.isEmpty else { return decision }
    decision.operations = [
      try deletion(.change, keys: keys("SELECT Z_PK, ZTRANSACTIONID FROM \(HistoryTable.change)", in: history.removed)),
      deletion(.transaction, keys: history.removed.map(\.key)),
      try deletion(.transactionString, keys: unusedTexts(transactions, without: history.removed)),
    ].compactMap(\.self)
    decision.notices.append(
      "who keeps a token of a transaction that is removed, such as a widget, an extension or the app in its defaults, gets "
        + "NSPersistentHistoryTokenExpiredError (134301) and has to read everything anew; what 'timeline' and 'recover' prove "
        + "by the history goes with it")
    if store.isMirrored {
      decision.notices.append(
        "CloudKit's mirror reads the history too: Apple advises to remove only what lies months before its last export")
    }
    return decision
  }

  private func readTransactions(_ table: Shape.Table) throws -> [TrimmedHistory.Transaction] {
    let time = table.has("ZTIMESTAMP") ? "ZTIMESTAMP" : "NULL"
    let rows = try connection.prepare(
      "SELECT Z_PK, \(time) FROM \(HistoryTable.transaction) NOT INDEXED ORDER BY rowid")
    var transactions: [TrimmedHistory.Transaction] = []
    while try rows.step() {
      let isTime = rows.kind(1) == .real || rows.kind(1) == .integer
      transactions.append(.init(key: rows.int64(0), time: isTime ? rows.double(1) : nil))
    }
    return transactions
  }

  /// The first column of rows whose second is the key of one of these transactions.
  private func keys(_ sql: String, in removed: [TrimmedHistory.Transaction]) throws -> [Int64] {
    let removed = Set(removed.map(\.key))
    let rows = try connection.prepare(sql + " ORDER BY rowid")
    var keys: [Int64] = []
    while try rows.step() {
      if rows.kind(1) == .integer, removed.contains(rows.int64(1)) { keys.append(rows.int64(0)) }
    }
    return keys
  }

  private func unusedTexts(
    _ transactions: Shape.Table, without removed: [TrimmedHistory.Transaction]
  ) throws -> [Int64] {
    guard let texts = store.shape.table(.transactionString), texts.has("Z_PK") else { return [] }
    let columns = ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"].filter(transactions.has)
    // Without the columns nobody can say what is used.
    guard !columns.isEmpty else { return [] }
    let removed = Set(removed.map(\.key))
    var used: Set<Int64> = []
    let rows = try connection.prepare(
      "SELECT Z_PK, \(columns.joined(separator: ", ")) FROM \(HistoryTable.transaction)")
    while try rows.step() {
      if removed.contains(rows.int64(0)) { continue }
      for column in 1...columns.count where rows.kind(column) == .integer { used.insert(rows.int64(column)) }
    }
    let keys = try connection.prepare("SELECT Z_PK FROM \(HistoryTable.transactionString) ORDER BY rowid")
    var unused: [Int64] = []
    while try keys.step() {
      if !used.contains(keys.int64(0)) { unused.append(keys.int64(0)) }
    }
    return unused
  }

  private func deletion(_ table: HistoryTable, keys: [Int64]) -> Operation? {
    guard !keys.isEmpty else { return nil }
    var edit = RowEdit(.delete, table.rawValue)
    for key in keys { edit.add(key) }
    let what =
      switch table {
      case .change: counted(keys.count, "change") + " of the history"
      case .transaction: counted(keys.count, "transaction") + " of the history"
      case .transactionString: counted(keys.count, "text") + " that no transaction refers to"
      }
    return Operation(.trimHistory, summary: "delete \(what)", entity: table.entityName, .rows(edit), grade: .lossy)
  }

  /// What happened since the mirror last sent everything is not sent for certain.
  private func lastExportObstacle(_ history: TrimmedHistory) throws -> Obstacle? {
    guard let last = try store.lastMirrorExport() else { return nil }
    let unsent = history.removed.filter { ($0.time ?? -.infinity) > last }
    guard let first = unsent.first else { return nil }
    return Obstacle(
      .trimHistory, count: unsent.count,
      "CloudKit's mirror last sent everything at \(DateText.text(secondsSince2001: last) ?? "an unknown time"), and "
        + "\(counted(unsent.count, "transaction")) from \(first.key) on came later; \(history.remedy(keeping: first.key))",
      refusesPlan: true)
  }
}

/// The transactions of a history, parted in those that go and those that stay.
private struct TrimmedHistory {
  struct Transaction {
    var key: Int64
    /// Seconds since 2001; nil where there is none.
    var time: Double?
  }

  /// By key.
  private(set) var removed: [Transaction] = []
  private(set) var kept: [Transaction] = []
  private(set) var notices: [String] = []

  init(_ trim: Recipe.HistoryTrim, of transactions: [Transaction]) {
    switch trim {
    case .keep(let count):
      removed = Array(transactions.dropLast(count))
      kept = Array(transactions.suffix(count))
    case .before(let text):
      let limit = DateReading.seconds(text) ?? -.infinity
      for transaction in transactions.dropLast() {
        if let time = transaction.time, time < limit { removed.append(transaction) } else { kept.append(transaction) }
      }
      kept += transactions.suffix(1)
      let timeless = transactions.count { $0.time == nil }
      if timeless > 0 {
        notices.append("\(counted(timeless, "transaction")) without a time \(timeless == 1 ? "stays" : "stay")")
      }
      if let newest = transactions.last?.time, newest < limit {
        notices.append("the newest transaction is older, too, and stays: tokens of those who have read all name it")
      }
    }
  }

  /// The option that leaves a transaction and all later ones.
  func remedy(keeping key: Int64) -> String {
    let count = (removed + kept).count { $0.key >= key }
    return count == 0
      ? "open the store with the app first, so that its readers go on"
      : "'keep:\(count)' is the least that leaves \(count == 1 ? "it" : "them"), or open the store with the app first, so "
        + "that its readers go on"
  }
}

extension HistoryReader {
  /// Why this reader forbids that transactions are removed; nil where it needs none of them.
  fileprivate func obstacle(to history: TrimmedHistory) -> Obstacle? {
    let name =
      switch who {
      case .metadata(let key): "the reader whose token the metadata keep under \(quoted(key))"
      case .mirrorToken: "CloudKit's mirror"
      case .mirrorExport: "an export of CloudKit's mirror that is under way"
      }
    guard let needs else {
      return Obstacle(
        .trimHistory,
        "how far \(name) has read the history cannot be told, since the token is of an unknown form; have the app delete "
          + "its history", refusesPlan: true)
    }
    let missed = history.removed.filter { $0.key >= needs }
    guard !missed.isEmpty else { return nil }
    return Obstacle(
      .trimHistory, count: missed.count,
      "\(name) needs transaction \(needs) and those after it, of which \(missed.count) would go: it would start anew "
        + "(134301); \(history.remedy(keeping: needs))",
      refusesPlan: true)
  }
}
