import StoreRecovery
import StoreWords

/// What an event on the axis is.
package enum TimeEvent: Hashable, Sendable {
  case saved
  case inserted
  case updated
  case changed
  case deleted(RecoveredRow.Grade)
  case replaced(RecoveredRow.Grade)
  case commit
  /// A commit of which only a bound is known.
  case boundedCommit
  case date

  /// In the order in which they are said.
  var rank: Int {
    switch self {
    case .saved: 0
    case .inserted: 1
    case .updated: 2
    case .changed: 3
    case .deleted(.proved): 4
    case .deleted(.shown): 5
    case .deleted(.implied): 6
    case .replaced(.proved): 7
    case .replaced(.shown): 8
    case .replaced(.implied): 9
    case .commit: 10
    case .boundedCommit: 11
    case .date: 12
    }
  }

  /// Whether it says that an object is gone.
  var isDeletion: Bool { if case .deleted = self { true } else { false } }

  /// "3 inserted".
  func words(_ count: Int) -> String {
    let number = grouped(Int64(count))
    return switch self {
    case .saved: counted(count, "transaction")
    case .inserted: "\(number) inserted"
    case .updated: "\(number) updated"
    case .changed: "\(number) changed in a way that is not known"
    case .deleted(let grade): "\(number) deleted (\(grade.rawValue))"
    case .replaced(let grade): "\(counted(count, "version")) replaced (\(grade.rawValue))"
    case .commit: counted(count, "commit")
    case .boundedCommit: "\(counted(count, "commit")), placed at a bound of their time"
    case .date: counted(count, "date")
    }
  }
}

extension [TimeEvent: Int] {
  /// Whether more was inserted than changed.
  var isMostlyInserted: Bool {
    let inserted = self[.inserted] ?? 0
    return inserted > 0 && inserted >= (self[.updated] ?? 0) + (self[.changed] ?? 0)
  }

  /// "2 transactions, 3 inserted, 1 deleted (proved)".
  var words: String { sorted { $0.key.rank < $1.key.rank }.map { $0.key.words($0.value) }.joined(separator: ", ") }
}
