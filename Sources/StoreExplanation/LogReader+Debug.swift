// Output of `-com.apple.CoreData.SQLDebug 1` and `-com.apple.CoreData.MigrationDebug 1`, after any prefix:
//
//   CoreData: sql: SELECT 0, t0.Z_PK, t0.ZTITLE FROM ZNOTE t0 WHERE  t0.ZFOLDER = ?
//   CoreData: annotation: to-many relationship fault "notes" for objectID 0x… <x-coredata://…/Folder/p1> fulfilled …
//   CoreData: annotation: (migration) looking for mapping model with
//    source hashes: { Note = <…>; } destination hashes: { Note = <…>; }

extension LogReader {
  /// Reads the statements; each is listed once, with how often it ran.
  mutating func readStatements() {
    var positions: [LoggedStatement: Int] = [:]
    var lines = lineCounter()
    let starts = ["coredata: sql: ", "with sql text '"].flatMap { occurrences(of: $0) }.sorted()
    for start in starts {
      let line = bytes[start...].prefix(LoggedStatementReader.mostBytes).prefix { $0 != UInt8(ascii: "\n") }
      guard let statement = LoggedStatementReader.statement(in: line, line: lines.line(of: start)) else { continue }
      if let known = positions[statement.withoutPlace] {
        facts.statements[known].count += 1
      } else if facts.statements.count < Self.mostFacts {
        positions[statement.withoutPlace] = facts.statements.count
        facts.statements.append(statement)
      }
    }
  }

  /// Relationships that are named without their entity: `Failed to fulfill faulting for the relationship named 'folder'`.
  mutating func readRelationships() {
    for words in ["faulting for the relationship", "relationship fault", "relationship named"] {
      for end in occurrences(of: words) {
        guard let name = relationshipName(after: end), !facts.relationships.contains(name),
          facts.relationships.count < Self.mostFacts
        else { continue }
        facts.relationships.append(name)
      }
    }
  }

  /// The next name on the line, past quotes and "named".
  private func relationshipName(after start: Int) -> String? {
    let skipped: Set<UInt8> = Set(" \"':=`".utf8)
    var rest = bytes[start...].prefix(300).drop { skipped.contains($0) }
    if rest.starts(with: "named".utf8) { rest = rest.dropFirst("named".utf8.count).drop { skipped.contains($0) } }
    let name = rest.prefix { isNameByte($0) }
    guard let first = name.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return nil }
    let text = String(decoding: name, as: UTF8.self)
    return ["for", "on", "of", "the", "fault"].contains(text) ? nil : text
  }
}

private func isNameByte(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (0x41...0x5a).contains(byte & 0xdf)
    || byte == UInt8(ascii: "_") || byte >= 0x80
}
