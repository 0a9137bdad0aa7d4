/// A table that Core Data keeps beside those of the model. A new one is a case here, and the compiler names what has to be
/// decided about it.
package enum OwnTable: Hashable, Sendable {
  /// `Z_PRIMARYKEY`.
  case entityMap
  /// `Z_METADATA`.
  case metadata
  /// `Z_MODELCACHE`.
  case modelCache
  /// A table of persistent history.
  case history(HistoryTable)
  /// A table of CloudKit mirroring.
  case mirroring

  /// The beginning of the names of mirroring's tables.
  package static let mirroringPrefix = "ANSCK"

  /// The table with that name; nil for one of the model, of SQLite or of somebody else.
  package init?(_ name: String) {
    switch name {
    case "Z_PRIMARYKEY": self = .entityMap
    case "Z_METADATA": self = .metadata
    case "Z_MODELCACHE": self = .modelCache
    case _ where name.hasPrefix(Self.mirroringPrefix): self = .mirroring
    default:
      guard let history = HistoryTable(rawValue: name) else { return nil }
      self = .history(history)
    }
  }
}

/// A table of persistent history.
package enum HistoryTable: String, CaseIterable, Sendable, CustomStringConvertible {
  /// What was done to an object, a row for each.
  case change = "ACHANGE"
  /// A save, with its time and author.
  case transaction = "ATRANSACTION"
  /// Texts that transactions refer to; framework 851 has no such table.
  case transactionString = "ATRANSACTIONSTRING"

  /// `Z_ENT` in its rows and in `Z_PRIMARYKEY`. CloudKit mirroring follows from 17001, and no model comes so far.
  package var entityNumber: Int64 {
    switch self {
    case .change: 16001
    case .transaction: 16002
    case .transactionString: 16003
    }
  }

  /// The first number of an entity that is not the model's.
  package static let firstEntityNumber = Self.change.entityNumber

  /// `Z_NAME` in `Z_PRIMARYKEY`.
  package var entityName: String { String(rawValue.dropFirst()) }

  /// The table's name.
  package var description: String { rawValue }

  /// The table whose rows have that `Z_ENT`.
  package init?(entityNumber: Int64) {
    guard let table = Self.allCases.first(where: { $0.entityNumber == entityNumber }) else { return nil }
    self = table
  }
}

extension Shape {
  /// A table of history, where the store has it.
  package func table(_ history: HistoryTable) -> Table? { tables[history.rawValue] }
}
