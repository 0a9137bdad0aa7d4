import StoreDataModel
import StoreRecovery
import StoreRows
import StoreSQLite
import StoreText
import StoreWords

extension RecoveredRow.Value {
  /// The value by the attribute's type, as a person reads it: dates in UTC, UUIDs spelt, Booleans as words.
  ///
  /// - Parameter limit: about how many characters of a text, and bytes of a blob, are shown; what is cut ends in "…".
  func words(upTo limit: Int) -> String {
    switch (value, type) {
    case (.null, _): return "NULL"
    case (.integer(let number), .boolean?) where number == 0 || number == 1: return number == 1 ? "true" : "false"
    case (.integer(let number), .date?): return datetime(Double(number))?.milliseconds ?? String(number)
    case (.real(let number), .date?): return datetime(number)?.milliseconds ?? "\(number)"
    case (.integer(let number), _): return String(number)
    case (.real(let number), _): return "\(number)"
    case (.text(let bytes), _):
      let text = String(decoding: bytes, as: UTF8.self)
      let shown = text.prefix(limit)
      return shown.endIndex < text.endIndex ? shown + "…" : text
    case (.blob(let bytes), .uuid?) where bytes.count == 16: return bytes.withUnsafeBytes { UUIDText.text($0) }
    case (.blob(let bytes), _):
      let shown = bytes.prefix(min(limit, 32))
      return "\(bytesText(Int64(bytes.count)))"
        + (bytes.isEmpty ? "" : " " + hexadecimal(Array(shown)) + (shown.count < bytes.count ? "…" : ""))
    }
  }

  /// Whether it is a text, which is shown in quotes.
  var isText: Bool { if case .text = value { true } else { false } }
}

extension Bracket {
  /// "between 2024-03-01T12:00:00.000Z and ...", "not before ...", "not after ..."; nil where nothing is known.
  var words: String? {
    switch (after.map(momentText), before.map(momentText)) {
    case (let after?, let before?): "between \(after) and \(before)"
    case (let after?, nil): "not before \(after)"
    case (nil, let before?): "not after \(before)"
    case (nil, nil): nil
    }
  }
}

/// A moment in seconds since 2001 as text, to the millisecond; "not a date" outside of the years 1 to 9999.
func momentText(_ seconds: Double) -> String { datetime(seconds)?.milliseconds ?? "not a date" }

extension RecoveredRow.KeySource {
  /// What a reader is told of the key, as a sentence without a full stop.
  var words: String {
    switch self {
    case .value: "the key is that of a row with the same unique value"
    case .place: "the key follows from the place between two cells of the page"
    case .index: "the key stands in what is left of an index entry with the same values"
    }
  }
}

extension RecoveredRow.Witness {
  /// "present: insert change 3 in transaction 2, 2024-03-01T12:00:00.000Z".
  var words: String { "\(shows.rawValue): \(what)\(time.map { ", " + momentText($0) } ?? "")" }
}

extension RecoveredRow.Place {
  /// "main page 3 bytes 8192-8250 (freeblock)".
  var words: String {
    "\(file) page \(page)\(frame.map { " frame \($0)" } ?? "") bytes \(start)-\(end) (\(method))"
  }
}

extension Recovery.Database {
  /// "30 pages of 4,096 bytes, 2 free, UTF-8, write-ahead log, 12 tables".
  var words: String {
    let journal: String
    switch (readVersion, writeVersion) {
    case (1, 1): journal = "rollback journal"
    case (2, 2): journal = "write-ahead log"
    default: journal = "read version \(readVersion), write version \(writeVersion)"
    }
    return [
      "\(counted(pages, "page")) of \(grouped(Int64(pageSize))) bytes", "\(grouped(freePages)) free", encoding, journal,
      counted(Int64(tables.count), "table"),
    ].joined(separator: ", ")
  }
}

/// Objects that stand together for a person: one, or several of which only that their keys follow each other is known.
struct RecoveredRun {
  var object: RecoveredObject
  /// The last one.
  var last: RecoveredObject?

  /// "12", "key unknown", or "12 to 4,711 (4,700 keys)".
  func keyWords(_ rows: [RecoveredRow]) -> String {
    func key(_ object: RecoveredObject) -> Int64? { object.rows.last.flatMap { rows[$0].key } }
    guard let first = key(object), let last = last.flatMap(key), last > first else {
      return object.rows.last.map { rows[$0].keyWords } ?? ""
    }
    return "\(first) to \(last) (\(grouped(last - first + 1)) keys)"
  }

  /// " [12]", or " [12 to 4,711]": the numbers by which they are cited.
  var numberWords: String { " [\(numbers)]" }

  /// "12", or "12 to 4711".
  var numbers: String { last.map { "\(object.number) to \($0.number)" } ?? "\(object.number)" }

  /// Objects by their numbers, with three and more implied keys in a row as one.
  static func runs(_ objects: [RecoveredObject], rows: [RecoveredRow]) -> [RecoveredRun] {
    var runs: [RecoveredRun] = []
    func only(_ object: RecoveredObject) -> RecoveredRow? {
      object.rows.count == 1 ? object.rows.first.map { rows[$0] }.flatMap { $0.isOnlyKey ? $0 : nil } : nil
    }
    for object in objects {
      if let row = only(object), let key = row.key, let run = runs.last, let before = only(run.last ?? run.object),
        before.table == row.table, let previous = before.key, previous < .max, previous + 1 == key
      {
        runs[runs.count - 1].last = object
      } else {
        runs.append(RecoveredRun(object: object))
      }
    }
    return runs.flatMap { run in
      guard let last = run.last, last.number - run.object.number == 1 else { return [run] }
      return [RecoveredRun(object: run.object), RecoveredRun(object: last)]
    }
  }
}

extension RecoveredRow {
  /// Whether nothing but its key is known.
  fileprivate var isOnlyKey: Bool { grade == .implied && places.isEmpty && witnesses.isEmpty }

  /// "read by an earlier version of the model: a former Z_PRIMARYKEY", or why the entity is not known.
  func readWithWords(_ source: String) -> String {
    entity == nil ? "the entity is not known: \(source)" : "read by an earlier version of the model: \(source)"
  }

  /// "12", or "key unknown".
  var keyWords: String { key.map { String($0) } ?? "key unknown" }
}
