import StoreFindings
import StoreScanning
import StoreWords

/// Rows by the class that was found in each, with the first rows as examples.
struct ClassTally {
  /// All rows.
  private(set) var count: Int64 = 0
  /// The first rows with their classes.
  private(set) var examples: [(row: Int64, name: String)] = []
  private var counts: [String: Int64] = [:]
  private var others: Int64 = 0
  private let limit: Int

  /// The most classes that are told apart: a hostile column has another in each row.
  private static let mostClasses = 50
  /// The most classes that are named.
  private static let namedClasses = 5

  init(limit: Int) { self.limit = limit }

  mutating func add(_ row: Int64, name: String) {
    count += 1
    if examples.count < limit { examples.append((row, name)) }
    if counts[name] != nil || counts.count < Self.mostClasses { counts[name, default: 0] += 1 } else { others += 1 }
  }

  /// Whether the classes of both are few enough to be told apart, as they would be in one tally.
  func canAdd(_ later: ClassTally) -> Bool {
    later.others == 0 && Set(counts.keys).union(later.counts.keys).count <= Self.mostClasses
  }

  /// Adds rows that come after these.
  mutating func add(_ later: ClassTally) {
    count += later.count
    examples += later.examples.prefix(limit - examples.count)
    counts.merge(later.counts) { $0 + $1 }
  }

  /// The classes, those of most rows first.
  var byCount: [(name: String, rows: Int64)] {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }

  /// "'Post.Signature' (3 rows), 'UIColor' (1 row)".
  var words: String {
    let named = byCount.prefix(Self.namedClasses).map { "\(quoted($0.name)) (\(counted($0.rows, "row")))" }
    let rest = count - byCount.prefix(Self.namedClasses).map(\.rows).reduce(0, +)
    return named.joined(separator: ", ") + (rest > 0 ? " and others (\(counted(rest, "row")))" : "")
  }

  /// The rows as examples, each with its class, or what else the names are.
  func examples(of column: ArchiveColumn, in scan: Scan, as fact: String = "class") -> ExampleTally {
    ExampleTally(
      count: count,
      examples: examples.map { row, name in
        .init(
          row,
          [
            fact: .text(name), "entity": scan.entityName(of: row, in: column.table, besides: column.place.owner.id),
          ])
      }, limit: limit)
  }
}
