import StoreCoreData
import StoreWords

/// How the numbers of entities moved, by rows with numbers that no entity of their table has.
///
/// All entities of a table follow each other, so a migration moves them alike; and what is numbered between two tables that
/// moved alike moved with them.
struct NumberShifts {
  /// What is added to a number of today to have that of before; the one that most rows tell of first.
  private(set) var believed: [Int64] = []

  /// For each shift the tables, with the rows that tell of it.
  private var votes: [Int64: [String: Int]] = [:]
  private let isExplained: (String, Int64) -> Bool
  private let ranges: [String: [Int64]]

  /// - Parameters:
  ///   - numbers: for each table how many rows have which number.
  ///   - isExplained: whether a version that is known explains a number in a table.
  init(
    _ numbers: [String: [Int64: Int]], _ entities: [EntityLayout], isExplained: @escaping (String, Int64) -> Bool
  ) {
    self.isExplained = isExplained
    ranges = Dictionary(grouping: entities.filter { !$0.isAbstract }, by: \.table).mapValues { $0.map(\.id.number) }
    for (table, rows) in numbers {
      let members = (ranges[table] ?? []).prefix(Self.mostMembers)
      for (number, count) in rows where !isExplained(table, number) {
        // A table with one entity says it all; of several entities each may have been the one.
        for member in members { votes[number - member, default: [:]][table, default: 0] += count }
      }
    }
    // A shift has to explain the numbers of a table with several entities, but for a few bytes that look like a row by
    // chance; a table with a single entity may have rows of more than one version.
    let ranges = ranges
    func isSingle(_ table: String) -> Bool { ranges[table]?.count == 1 }
    var left = votes.mapValues { tables in
      tables.filter { table, count in
        isSingle(table)
          || count * 10 >= 9 * (numbers[table] ?? [:]).filter { !isExplained(table, $0.key) }.values.reduce(0, +)
      }
    }
    while let best = left.max(by: { Self.rank($0) < Self.rank($1) }), Self.rank(best).isBelieved {
      believed.append(best.key)
      let explained = Set(best.value.keys.filter { !isSingle($0) })
      left = left.filter { $0.key != best.key }.mapValues { $0.filter { !explained.contains($0.key) } }
    }
  }

  /// The most entities of a table that are looked at.
  private static let mostMembers = 200

  private struct Rank: Comparable {
    var tables: Int
    var rows: Int
    var distance: Int64

    /// Rows of two tables, or five of one: fewer may be bytes that look like a row by chance.
    var isBelieved: Bool { tables >= 2 || rows >= 5 }

    static func < (left: Self, right: Self) -> Bool {
      if left.tables != right.tables { return left.tables < right.tables }
      return left.rows == right.rows ? left.distance > right.distance : left.rows < right.rows
    }
  }

  private static func rank(_ votes: (key: Int64, value: [String: Int])) -> Rank {
    Rank(
      tables: votes.value.count, rows: votes.value.values.reduce(0, +), distance: Int64(clamping: votes.key.magnitude))
  }

  /// The numbers that entities had, for tables that a shift is believed of, and those between them.
  func numbers(by shift: Int64, of entities: [EntityLayout]) -> [String: Int64] {
    let tables = Set((votes[shift] ?? [:]).keys)
    let told = entities.filter { tables.contains($0.table) }.map(\.id.number)
    guard let first = told.min(), let last = told.max() else { return [:] }
    var numbers: [String: Int64] = [:]
    for entity in entities where (first...last).contains(entity.id.number) && entity.id.number + shift > 0 {
      // Of several entities at the end of what is told one may have been added since.
      if ranges[entity.table]?.count != 1, ranges[entity.table]?.contains(last) == true { continue }
      numbers[entity.name] = entity.id.number + shift
    }
    return numbers
  }

  /// The rows that nothing explains.
  func open(_ numbers: [String: [Int64: Int]]) -> (rows: Int, tables: [String]) {
    var (rows, tables) = (0, Set<String>())
    for (table, all) in numbers {
      for (number, count) in all where !isExplained(table, number) {
        if believed.contains(where: { ranges[table]?.contains(number - $0) == true }) { continue }
        rows += count
        tables.insert(table)
      }
    }
    return (rows, tables.sorted(by: codeUnitsPrecede))
  }
}
