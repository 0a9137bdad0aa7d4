import StoreWords
import StoreRepair
import StoreSQLite

extension PlanReview.Operation {
  /// A line for each group or row, and one that says how many there are besides.
  func write(to page: inout Page, indent: Int) {
    for group in groups { group.write(to: &page, indent: indent) }
    if rows.contains(where: { !$0.changes.isEmpty || $0.ends.contains { $0.title != nil } }) {
      for row in rows { page.hanging(row.words, indent: indent) }
    } else if let first = rows.first {
      let keys = rows.map { row in row.ends.map(\.keyWords).joined(separator: "-") }
      let entity = first.ends.map { $0.entity ?? "?" }.joined(separator: "-")
      page.hanging("\(entity) " + keys.joined(separator: ", "), indent: indent)
    }
    if let remark { page.hanging(remark, indent: indent, style: .faint) }
  }

  /// The parts that are not shown, and why these are.
  var remark: String? {
    let shown = groups.isEmpty ? rows.count : groups.count
    guard shown > 0, total > shown else { return nil }
    let order =
      if groups.isEmpty {
        ""
      } else if comparedAll {
        "; above, those that differ in what few others do"
      } else {
        "; too many to say which stand out"
      }
    return "and \(total - shown) more\(order); --examples \(total) shows all"
  }
}

extension PlanReview.Group {
  /// "keep Folder 11 'Work'; 3 and 8 become it; 4 links of Note.folder move; parent filled from 8", and below it what
  /// its objects differ in.
  fileprivate func write(to page: inout Page, indent: Int) {
    page.hanging(words.joined(separator: "; "), indent: indent)
    for difference in differences where !difference.values.isEmpty {
      page.hanging("\(difference.property): \(difference.valueWords)", indent: indent + 4, style: .warning)
    }
  }

  /// Its fate, in pieces.
  var words: [String] {
    let names = inWords(others.map { "\($0.key)" + ($0.title.map { " \($0.words)" } ?? "") })
    let fate = isMerged ? (others.count == 1 ? "becomes it" : "become it") : (others.count == 1 ? "goes" : "go")
    let named = differences.filter(\.values.isEmpty)
    return ["keep \(kept.words)", "\(names) \(fate)"] + effects
      + (named.isEmpty ? [] : ["differ in \(named.map(\.property).joined(separator: ", "))"])
  }

  /// The values that the survivor gets.
  var effects: [String] {
    moved.map { "\(counted(Int64($0.count), "link")) of \($0.relationship) \($0.count == 1 ? "moves" : "move")" }
      + filled.map { "\($0.property) filled\($0.from.map { " from \($0)" } ?? "")" }
  }
}

extension PlanReview.Difference {
  /// "2 'a@b', 5 'c@d'".
  var valueWords: String { values.map { "\($0.key) \($0.value.words)" }.joined(separator: ", ") }
}

extension PlanReview.Object {
  /// "Folder 11 'Work'".
  var words: String { "\(entity) \(key)" + (title.map { " \($0.words)" } ?? "") }
}

extension PlanReview.End {
  /// "11", "NULL".
  var keyWords: String { key.map { "\($0)" } ?? "NULL" }
  /// "Folder 11 'Work'".
  var words: String { "\(entity ?? "?") \(keyWords)" + (title.map { " \($0.words)" } ?? "") }
}

extension PlanReview.Row {
  /// "Note 3 'Milk': folder 8 -> 11".
  var words: String {
    let what = changes.map { change in
      let before = change.before.map { "\($0.words) -> " } ?? ""
      return "\(change.name) \(before)\(change.after.words)"
    }
    return ends.map(\.words).joined(separator: " - ") + (what.isEmpty ? "" : ": " + what.joined(separator: ", "))
  }
}

extension PlanReview.Value {
  /// The value on one line: text in quotes and cut after 60 characters, dates in ISO 8601, the size of other bytes.
  var words: String {
    switch stored {
    case .null: return kind == .key ? "none" : "NULL"
    case .integer(let number): return kind == .date ? timestamp(Double(number)) : "\(number)"
    case .real(let number): return kind == .date ? timestamp(number) : "\(number)"
    case .text(let bytes):
      let text = String(decoding: bytes.prefix(4 * Self.longestText), as: UTF8.self)
      let cut = text.count > Self.longestText || bytes.count > 4 * Self.longestText
      return "'" + (cut ? text.prefix(Self.longestText) + "..." : text) + "'"
    case .blob(let bytes):
      guard kind == .uuid, bytes.count == 16 else { return counted(Int64(bytes.count), "byte") }
      let digits = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
      return [digits[0..<4], digits[4..<6], digits[6..<8], digits[8..<10], digits[10..<16]].map { $0.joined() }
        .joined(separator: "-")
    }
  }

  private static let longestText = 60
}

/// "3", "3 and 8", "3, 8 and 9".
private func inWords(_ names: [String]) -> String {
  guard names.count > 1, let last = names.last else { return names.first ?? "" }
  return names.dropLast().joined(separator: ", ") + " and " + last
}

extension Page {
  /// Words from a store, wrapped with a hanging indent.
  fileprivate mutating func hanging(_ words: String, indent: Int, style: Style? = nil) {
    let pieces = escapedForTerminal(words).split(separator: " ").map(String.init)
    paragraph([(pieces, style)], indent: indent, hanging: indent + 2)
  }
}
