import SQLitePages
import StoreDataModel

/// A value that names a row of one table, by hashes of its bytes: equal ones are the same value, short of a collision in more
/// than 64 bits.
struct Name: Sendable {
  var hash: UInt64
  var check: UInt32

  init(_ bytes: UnsafeRawBufferPointer, template: Int, column: Int) {
    var hash = ByteHash()
    hash.add(Int64(template))
    hash.add(Int64(column))
    hash.addWords(bytes)
    hash.add(Int64(bytes.count))
    self.hash = hash.value
    check = UInt32(truncatingIfNeeded: ByteHash.of(bytes))
  }

  /// What of the hash is asked for.
  var part: UInt32 { HashBits.part(hash) }
}

/// The columns of names in the rows of one template.
struct NamingColumns: Sendable {
  /// The template of the table as it is today.
  let home: Int
  /// The columns, and the places that they have in today's table.
  let columns: [(column: Int, place: Int)]

  init(_ template: RowTemplate, among templates: [RowTemplate]) {
    home = template.home
    guard template.root != nil, let columns = template.coreData?.namingColumns else {
      self.columns = []
      return
    }
    let today = template.isFormer ? templates[template.home].columns.map(\.name) : nil
    self.columns = columns.compactMap { column in
      let place = today.map { $0.firstIndex(of: template.columns[column].name) } ?? column
      return place.map { (column, $0) }
    }
  }
}

/// Reads the names of rows that were found, on a thread of its own.
struct NameReading {
  private let rows: FoundSoFar
  private let columns: [NamingColumns]
  private var reader: RecordReader

  init(_ rows: FoundSoFar, _ columns: [NamingColumns]) {
    (self.rows, self.columns) = (rows, columns)
    reader = RecordReader(rows.map.files, ahead: 1 << 17)
  }

  /// Calls `body` with each name of a row.
  mutating func forEachName(of row: Int, _ body: (Name) -> Void) throws {
    let candidate = rows.found[row]
    let naming = columns[candidate.template]
    _ = try reader.read(candidate, extra: rows.extra(of: candidate)) { record, bytes in
      for (column, place) in naming.columns
      where column < record.count && !candidate.isLost(column, field: record.fields[column]) {
        guard let value = record.bytes(column, in: bytes), !value.isEmpty else { continue }
        body(Name(value, template: naming.home, column: place))
      }
      return true
    }
  }
}

/// The names of rows, of which most are those of one row: what is to know which are not.
struct FoundNames {
  /// Rows with a part of the hash of each name.
  private(set) var all: [(row: Int32, part: UInt32)] = []
  private(set) var once: HashBits
  /// What more than one row has, live ones among them.
  private(set) var again: HashBits
  /// The names of live rows that rows which were found may have.
  private(set) var live: [(name: Name, key: Int64)] = []
  /// Whether there were more names than are kept.
  private(set) var isIncomplete = false

  init(for count: Int) {
    (once, again) = (HashBits(for: count), HashBits(for: count))
    all.reserveCapacity(min(count, NamedRows.limit))
  }

  mutating func add(_ part: UInt32, of row: Int32) {
    guard all.count < NamedRows.limit else { return isIncomplete = true }
    all.append((row, part))
    if !once.insert(part) { again.insert(part) }
  }

  /// Takes note of a live row's name that a row which was found may have.
  mutating func see(_ name: Name, key: Int64) {
    guard live.count < NamedRows.limit else { return isIncomplete = true }
    again.insert(name.part)
    live.append((name, key))
  }
}
