import StoreDigests
import StoreJSON
import StoreRecovery
import StoreRepair
import StoreSQLite
import StoreWords

/// `storedoctor.recovery/1`; its schema is `docs/schemas/recovery.json`.
extension Recovery: JSONRepresentable {
  /// The whole document.
  package var json: JSONValue { json(withModels: false) }

  /// The whole document.
  ///
  /// - Parameter withModels: whether models of caches are in it with all entities and properties.
  package func json(withModels isWhole: Bool) -> JSONValue {
    var lists: [(String, JSONValue?)] = []
    // Nothing is thrown but by what takes the elements.
    for (name, forEach) in [("objects", forEachObject), ("rows", forEachRow)] {
      var elements: [JSONValue] = []
      try? forEach { elements.append($0) }
      lists.append((name, .array(elements)))
    }
    return JSONValue.object(members(withModels: isWhole) + lists).sealed
  }

  /// Writes the same document without having all of it in memory; its checksum is its last member.
  package func writeJSON(to put: (String) throws -> Void) throws {
    let values = members(withModels: false).map { (name: $0.0, part: $0.1.map { JSONDocument.Part.value($0) }) }
    let document = JSONDocument(values + [("objects", .list(forEachObject)), ("rows", .list(forEachRow))])
    var stream = SHA256Stream()
    try document.write(to: put) { line in
      line.withUnsafeBytes { stream.update($0) }
    } last: {
      ("checksum", .string(hexadecimal(stream.digest)))
    }
  }

  /// All members but the lists of objects and rows.
  private func members(withModels isWhole: Bool) -> [(String, JSONValue?)] {
    [
      ("schema", .string("storedoctor.recovery/1")), ("tool", .object(["version": .string(toolVersion)])),
      ("isStore", .bool(isStore)), ("uuid", .optional(uuid)), ("case", .optional(caseName)),
      ("examiner", .optional(examiner)),
      ("choice", choice == Choice() ? nil : choice.json),
      ("bytesSearched", .integer(bytesSearched)),
      ("bytesUnsearched", bytesUnsearched == 0 ? nil : .integer(bytesUnsearched)),
      ("freedSpace", freedSpace.json),
      ("database", database?.json), ("files", .array(files.map(\.json))), ("summary", .array(summary.map(\.json))),
      ("droppedTables", .strings(droppedTables)), ("notes", .strings(notes)),
      ("reading", reading?.json),
      ("verdict", choice.part == nil ? .string(verdictLine) : nil),
      ("models", models.isEmpty && !isWhole ? nil : .array(models.map { $0.json(isWhole: isWhole) })),
    ]
  }

  private func forEachRow(_ add: (JSONValue) throws -> Void) throws {
    for row in rows { try add(row.json) }
  }

  /// The objects of which something was found; a key that only a gap shows is among the rows alone.
  private func forEachObject(_ add: (JSONValue) throws -> Void) throws {
    let comparison = VersionComparison(self)
    for object in objects where object.fate != .implied {
      var versions: [JSONValue] = []
      comparison.forEachVersion(of: object) { index, changes in
        versions.append(
          .object([
            ("row", .integer(Int64(index))), ("saves", rows[index].saves.map(JSONValue.integer)),
            ("differsFrom", changes.map { .string($0.nextName(rows)) }),
            ("changed", changes.map { .strings($0.changes.map(\.before.name)) }),
          ]))
      }
      let last = object.rows.last.map { rows[$0] }
      try add(
        .object([
          ("object", .integer(Int64(object.number))), ("fate", .string(object.fate.rawValue)),
          ("entity", .optional(object.rows.lazy.compactMap { rows[$0].entity }.first)),
          ("table", .optional(last?.table)),
          ("key", last?.key.map(JSONValue.integer) ?? .string("unknown")),
          ("deletedAt", last?.deletedAt.map { .string(momentText($0)) }),
          ("hasContent", .bool(object.rows.contains { rows[$0].isFound })), ("versions", .array(versions)),
        ]))
    }
  }

  /// One row in a line of its own.
  package static func line(_ row: RecoveredRow) -> String { row.json.lineText }
}

extension FreedSpace: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("blocks", .integer(blocks)), ("blocksWithContent", .integer(blocksWithContent)), ("pages", .integer(pages)),
      ("pagesWithContent", .integer(pagesWithContent)),
    ])
  }
}

extension FreedSpace {
  /// "101 of 107 freed blocks and 3 of 4 free pages still have content"; as part of a sentence.
  var words: String {
    guard isKnown else { return "no block within a page and no page is free" }
    let parts = [
      blocks > 0 ? "\(grouped(blocksWithContent)) of \(counted(blocks, "freed block"))" : nil,
      pages > 0 ? "\(grouped(pagesWithContent)) of \(counted(pages, "free page"))" : nil,
    ].compactMap(\.self)
    let rest =
      blocks > 0 && blocksWithContent == 0
      ? ": what is freed within a page was wiped, and of a single deleted row only its key, history or the log can tell"
      : ""
    return parts.joined(separator: " and ") + " still have content" + rest
  }
}

extension Recovery.Choice: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("entities", .nonEmpty(entities)), ("grade", grade == .implied ? nil : .string(grade.rawValue)),
      ("since", since.map(JSONValue.number)), ("until", until.map(JSONValue.number)),
      ("limit", limit.map { .integer(Int64($0)) }), ("part", part.map { .string($0.rawValue) }),
      ("models", .nonEmpty(models)),
    ])
  }
}

extension Recovery.Database: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("pageSize", .integer(Int64(pageSize))), ("pages", .integer(pages)), ("freePages", .integer(freePages)),
      ("encoding", .string(encoding)), ("readVersion", .integer(Int64(readVersion))),
      ("writeVersion", .integer(Int64(writeVersion))), ("tables", .array(tables.map(\.json))),
    ])
  }
}

extension Recovery.Table: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("name", .string(name)), ("sql", .optional(sql)), ("rows", rows.map { .integer($0) }),
      (
        "columns",
        .array(
          columns.map { column in
            .object([
              ("name", .string(column.name)), ("type", .string(column.type)),
              ("primaryKey", column.primaryKey == 0 ? nil : .integer(Int64(column.primaryKey))),
            ])
          })
      ),
    ])
  }
}

extension Recovery.File: JSONRepresentable {
  var json: JSONValue { .object(["role": .string(role), "path": .string(path), "size": .integer(size)]) }
}

extension Recovery.TableSummary: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("name", .string(name)), ("table", .string(table)), ("ever", .optional(ever)), ("live", .integer(live)),
      ("proved", .integer(Int64(proved))), ("shown", .integer(Int64(shown))), ("implied", .integer(implied)),
      ("earlierVersions", .integer(Int64(earlierVersions))),
      ("undecided", undecided == 0 ? nil : .integer(Int64(undecided))),
      ("neverCommitted", neverCommitted == 0 ? nil : .integer(Int64(neverCommitted))),
    ])
  }
}

extension RecoveredRow: JSONRepresentable {
  var json: JSONValue {
    let (values, missing) = content
    return .object([
      ("object", .integer(Int64(citation.object))),
      ("version", citation.version == 0 ? nil : .integer(Int64(citation.version))),
      ("entity", .optional(entity)), ("table", .optional(table)),
      ("key", key.map(JSONValue.integer) ?? .string("unknown")),
      ("keyFrom", keySource.map { .string($0.rawValue) }), ("readWith", .optional(readWith)),
      ("kind", .string(kind.rawValue)),
      ("grade", .string(grade.rawValue)), ("values", .array(values.map(\.json))),
      ("missing", .nonEmpty(missing)), ("places", .array(places.map(\.json))),
      ("furtherCopies", furtherCopies == 0 ? nil : .integer(Int64(furtherCopies))),
      ("between", bracket.isKnown ? bracket.json : nil),
      ("deletedAt", deletedAt.map { .string(momentText($0)) }),
      ("witnesses", witnesses.isEmpty ? nil : .array(witnesses.map(\.json))),
    ])
  }
}

extension VersionChanges {
  /// "there" for the row that is there today, else the number of the version.
  fileprivate func nextName(_ rows: [RecoveredRow]) -> String {
    switch next {
    case .there: "there"
    case .version(let row): rows[row].citation.text
    }
  }
}

extension Bracket: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("after", after.map { .string(momentText($0)) }), ("before", before.map { .string(momentText($0)) }),
    ])
  }
}

extension RecoveredRow.Value: JSONRepresentable {
  var json: JSONValue {
    .object([("name", .string(name)), ("column", .string(column)), ("type", .optional(type?.name))] + members)
  }

  private var members: [(String, JSONValue?)] {
    switch value {
    case .null: [("value", .null)]
    case .integer(let number): [("value", .integer(number))]
    // JSON has no infinite numbers.
    case .real(let number): number.isFinite ? [("value", .number(number))] : [("real", .string("\(number)"))]
    case .text(let bytes):
      if let text = String(validating: bytes, as: UTF8.self) {
        [("value", .string(text))]
      } else {
        [("textBytes", .string(hexadecimal(bytes)))]
      }
    case .blob(let bytes): [("blob", .string(hexadecimal(bytes)))]
    }
  }
}

/// Two digits for each byte.
func hexadecimal(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  return String(decoding: text, as: UTF8.self)
}

extension RecoveredRow.Place: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("file", .string(file)), ("page", .integer(Int64(page))), ("frame", frame.map { .integer(Int64($0)) }),
      ("start", .integer(start)), ("end", .integer(end)), ("method", .string(method)), ("checksum", .string(checksum)),
    ])
  }
}

extension RecoveredRow.Witness: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("shows", .string(shows.rawValue)), ("what", .string(what)), ("time", time.map { .string(momentText($0)) }),
      ("commit", commit.map { .integer(Int64($0)) }),
    ])
  }
}
