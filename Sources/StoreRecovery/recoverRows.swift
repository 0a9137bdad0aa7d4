import SQLitePages
import StoreSQLite

/// What is left of deleted rows, and of earlier versions of rows, in any SQLite database, by its schema alone.
///
/// - Throws: `FileError`, or `DatabaseHeader.Invalid` for a file that is no database.
public func recoverRows(_ path: PosixPath) throws -> Recovery {
  let files = try DatabaseFiles(path)
  let recovery = try recoverRows(PageFiles(files), files: files)
  if let changed = files.changedFile() { throw FileError(path: changed, kind: .changed) }
  return recovery
}

/// The same for files that are open.
package func recoverRows(_ pages: PageFiles, files: DatabaseFiles?) throws -> Recovery {
  let search = try PageRecovery(pages)
  try search.search()
  var recovery = Recovery()
  for judged in try search.judged() {
    let candidate = judged.candidate
    guard let index = candidate.template else { continue }
    let template = search.templates[index]
    var row = RecoveredRow(kind: judged.kind, grade: judged.isProved ? .proved : .shown)
    row.table = template.table
    row.take(candidate, template, pages.header.textEncoding) { $0 }
    row.witnesses = judged.witnesses
    recovery.rows.append(row)
  }
  recovery.finish(search, files)
  return recovery
}

extension Recovery {
  /// Adds what the search knows besides rows, and sorts them.
  mutating func finish(_ search: PageRecovery, _ files: DatabaseFiles?) {
    notes += search.notes
    if search.found.count >= PageRecovery.limit {
      notes.append("the search stopped after \(PageRecovery.limit) rows; the rest of the file was not searched")
    }
    droppedTables = search.droppedTables
    database = Database(search)
    bytesSearched = search.bytesSearched
    for (role, file) in [("main", files?.main), ("wal", files?.wal), ("journal", files?.journal)] {
      if let file { self.files.append(File(role: role, path: file.path, size: file.size, location: file.location)) }
    }
    rows.sort { $0.order < $1.order }
  }
}

extension RecoveredRow {
  /// By table, key and place, so that two runs are equal.
  fileprivate var order: (String, Int64, String, Int64) {
    (table ?? "", key ?? .max, places.first?.file ?? "", places.first?.start ?? 0)
  }

  /// Takes over values and places of a candidate.
  ///
  /// - Parameter name: the name of what a column holds.
  mutating func take(
    _ candidate: Candidate, _ template: RowTemplate, _ encoding: DatabaseHeader.TextEncoding, name: (String) -> String
  ) {
    key = candidate.key
    places = candidate.places
    furtherCopies = candidate.furtherCopies
    for (index, declared) in template.columns.enumerated() {
      guard declared.index != template.definition.rowIDColumn else {
        if let key { values.append(Value(name: name(declared.name), column: declared.name, value: .integer(key))) }
        continue
      }
      guard index < candidate.values.count else {
        // Older than the column: SQLite reads its default, NULL in every table of Core Data.
        values.append(Value(name: name(declared.name), column: declared.name, value: .null))
        continue
      }
      guard let value = candidate.values[index] else {
        missing.append(name(declared.name))
        continue
      }
      values.append(
        Value(name: name(declared.name), column: declared.name, value: SQLiteValue(value, declared.affinity, encoding)))
    }
    if key == nil, let column = template.definition.rowIDColumn {
      missing.insert(name(template.definition.columns[column].name), at: 0)
    }
  }
}

extension SQLiteValue {
  /// A value as SQLite would read it: "a column with REAL affinity [...] forces integer values into floating point
  /// representation", and small ones are stored as integers.
  fileprivate init(
    _ value: PageValue, _ affinity: TableDefinition.Affinity, _ encoding: DatabaseHeader.TextEncoding
  ) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = affinity == .real ? .real(Double(number)) : .integer(number)
    case .real(let number): self = .real(number)
    case .text(let bytes):
      switch encoding {
      case .utf16LittleEndian, .utf16BigEndian: self = .text(decodedText(bytes, encoding))
      default: self = .text(bytes)
      }
    case .blob(let bytes): self = .blob(bytes)
    }
  }
}
