import StoreDataModel
import StoreRecovery
import StoreRows
import StoreSQLite
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
    case (.blob(let bytes), .uuid?) where bytes.count == 16: return bytes.withUnsafeBytes { uuidText($0) }
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

extension RecoveredRow {
  /// "12", or "key unknown".
  var keyWords: String { key.map { String($0) } ?? "key unknown" }
}
