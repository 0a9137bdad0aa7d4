import StoreCoreData
import StoreSQLite

/// Changes and transactions that were trimmed from the history, as far as their rows are left in unused space.
struct TrimmedHistory {
  /// The tables of the history that are read.
  static let tables: Set<String> = [HistoryTable.change.rawValue, HistoryTable.transaction.rawValue]

  /// The changes, as they were found.
  private(set) var changes: [Change] = []
  /// When transactions were, by their keys, in seconds since 2001-01-01 UTC.
  private(set) var times: [Int64: Double] = [:]

  /// One change of one object.
  struct Change {
    /// Its key; nil where it is lost.
    var key: Int64?
    var object: ChangedObject
    var transaction: Int64
    var isDelete: Bool
  }

  /// The most changes that are kept.
  private static let limit = 1_000_000

  /// Reads the numbers of entities again; a change of which it is not known which entity it names is left out.
  ///
  /// - Returns: how many are left out.
  mutating func resolve(_ object: (ChangedObject) throws -> ChangedObject?) rethrows -> Int {
    let before = changes.count
    changes = try changes.compactMap { change in
      guard let known = try object(change.object) else { return nil }
      var change = change
      change.object = known
      return change
    }
    return before - changes.count
  }

  /// Takes a row of one of the tables; one whose values are lost, or no such values, says nothing.
  mutating func add(_ row: RecoveredRow) {
    let values = row.values
    func integer(_ column: String) -> Int64? {
      guard case .integer(let number)? = values.first(where: { $0.column == column })?.value else { return nil }
      return number
    }
    if row.table == HistoryTable.transaction.rawValue {
      guard let key = row.key, case .real(let time)? = values.first(where: { $0.column == "ZTIMESTAMP" })?.value,
        time.isFinite
      else { return }
      times[key] = time
    } else if let type = integer("ZCHANGETYPE"), (0...2).contains(type), let entity = integer("ZENTITY"),
      let key = integer("ZENTITYPK"), let transaction = integer("ZTRANSACTIONID"), changes.count < Self.limit
    {
      changes.append(
        Change(
          key: row.key, object: ChangedObject(entity: entity, key: key), transaction: transaction,
          isDelete: type == 2))
    }
  }
}

/// An object as history names it.
struct ChangedObject: Hashable {
  /// `Z_ENT`.
  var entity: Int64
  /// `Z_PK`.
  var key: Int64
}
