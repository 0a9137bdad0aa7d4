import StoreCoreData
import StoreSQLite
import StoreText
import StoreWords

/// The statements of a migration held against those of a log from a device or simulator, which is the only witness of
/// what Core Data runs there.
///
/// Compared are statements that change tables, indexes and rows. Left out on both sides are those about `Z_METADATA`,
/// `Z_MODELCACHE`, `Z_MAX` and history, which hold other values on every device, and whatever only reads.
package struct DebugLogComparison: Sendable, Equatable {
  /// One difference.
  package struct Difference: Sendable, Equatable {
    /// Whether it is in the log alone; otherwise it is planned alone.
    package var isInLog: Bool
    /// The number of the statement there, from 1.
    package var position: Int
    /// The statement.
    package var sql: String
  }

  /// How many statements are planned.
  package var planned: Int
  /// How many the log has.
  package var logged: Int
  /// The differences, in the order of the statements; a statement at another place is there twice.
  package var differences: [Difference]

  /// Whether the log has these statements, in this order.
  package var isEqual: Bool { differences.isEmpty }

  /// Compares planned statements with a log.
  ///
  /// - Throws: `DebugLogError` where the log has no statement, or too many.
  package init(_ planned: [MigrationStatement], log: [UInt8]) throws(DebugLogError) {
    let ours = planned.filter { ![.metadata, .history].contains($0.purpose) }.map { Self.settled($0.sql[...]) }
    let theirs = try Self.statements(log).filter(Self.isCompared)
    self.planned = ours.count
    logged = theirs.count
    differences = theirs.difference(from: ours).map { change in
      switch change {
      case .insert(let offset, let sql, _): Difference(isInLog: true, position: offset + 1, sql: sql)
      case .remove(let offset, let sql, _): Difference(isInLog: false, position: offset + 1, sql: sql)
      }
    }.sorted { ($0.position, $0.isInLog ? 1 : 0) < ($1.position, $1.isInLog ? 1 : 0) }
  }

  /// The most statements that are compared.
  private static let mostStatements = 10_000

  /// The statements of lines that have the words `CoreData: sql:`; whatever stands before these belongs to the log.
  private static func statements(_ log: [UInt8]) throws(DebugLogError) -> [String] {
    let mark = Array("CoreData: sql:".utf8)
    var statements: [String] = []
    for line in log.split(separator: UInt8(ascii: "\n")) {
      guard let place = line.firstRange(ofBytes: mark) else { continue }
      statements.append(settled(String(decoding: line[place.upperBound...], as: UTF8.self)[...]))
      guard statements.count <= mostStatements else { throw .tooManyStatements(mostStatements) }
    }
    guard !statements.isEmpty else { throw .noStatement }
    return statements
  }

  /// A statement with single spaces, none beside brackets and commas, and no semicolon at its end.
  private static func settled(_ sql: Substring) -> String {
    var text = ""
    for character in sql {
      if character.isWhitespace {
        if let last = text.last, !" (,".contains(last) { text.append(" ") }
      } else {
        if ",)".contains(character), text.last == " " { text.removeLast() }
        if character == "(", text.last == " " { text.removeLast() }
        text.append(character)
      }
    }
    while let last = text.last, last == " " || last == ";" { text.removeLast() }
    return text
  }

  private static func isCompared(_ sql: String) -> Bool {
    let words = sql.split(whereSeparator: { " (".contains($0) }).prefix(8).map { $0.uppercased() }
    guard let first = words.first, ["CREATE", "ALTER", "DROP", "INSERT", "UPDATE", "DELETE"].contains(first) else {
      return false
    }
    // Keys that a save hands out, not a migration.
    guard !sql.hasPrefix("UPDATE Z_PRIMARYKEY SET Z_MAX") else { return false }
    return !words.contains { word in
      ["Z_METADATA", "Z_MODELCACHE"].contains(word) || word.hasPrefix(OwnTable.mirroringPrefix)
        || HistoryTable.allCases.contains { word.hasPrefix($0.rawValue) }
    }
  }
}

/// A log that cannot be compared.
public enum DebugLogError: Error, CustomStringConvertible {
  /// It has no line with `CoreData: sql:`.
  case noStatement
  /// It has more statements than are compared.
  case tooManyStatements(Int)

  /// The problem and its remedy.
  public var description: String {
    switch self {
    case .noStatement:
      "the log has no line with 'CoreData: sql:'; start the app with the argument -com.apple.CoreData.SQLDebug 1, and save "
        + "what it prints while it migrates"
    case .tooManyStatements(let most):
      "the log has more than \(grouped(Int64(most))) statements; cut out the lines of the migration"
    }
  }
}
