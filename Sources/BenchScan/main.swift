// Reads every column of a table through the cursor and sums it up, as bench/scan.c does with the C library alone.
// bench-scan FILE TABLE prints: rows, sum of integers, sum of reals, sum of bytes' lengths and first bytes.

import StorePlatform
import StoreSQLite

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2 else {
  print("usage: bench-scan FILE TABLE")
  exit(64)
}

/// Sums over all values of a table.
struct Sums {
  var rows = 0
  var integers: Int64 = 0
  var reals = 0.0
  var bytes = 0

  mutating func add(_ row: Statement, columns: Int) {
    rows += 1
    for column in 0..<columns {
      let value = row[column]
      switch value.kind {
      case .integer: integers &+= value.int64
      case .real: reals += value.double
      case .text, .blob: bytes += value.withBytes { $0.count + Int($0.first ?? 0) }
      case .null: break
      }
    }
  }
}

func scan(_ path: String, table: String) throws -> Sums {
  let connection = try Connection(reading: DatabaseFiles(path: path))
  let rows = try connection.prepare("SELECT * FROM \(quotedIdentifier(table)) NOT INDEXED")
  var sums = Sums()
  let columns = rows.columnCount
  while try rows.step() { sums.add(rows, columns: columns) }
  return sums
}

let sums = try scan(arguments[0], table: arguments[1])
print(sums.rows, sums.integers, sums.reals.bitPattern, sums.bytes)
