import StoreAudit
import StoreWords

/// What sections have in common.
extension AuditPage {
  /// Names how many rows are not on the page: "and 3 more, which the JSON has"; empty where all are.
  static func rest(of count: Int) -> String {
    count > most ? "and \(grouped(Int64(count - most))) more, which the JSON has" : ""
  }

  /// A name with its middle cut out, if it is too long for the page.
  static func cut(_ name: String) -> String {
    name.count > 160 ? "\(name.prefix(100)) … \(name.suffix(50))" : name
  }

  /// A share in hundredths with two digits, as a width; never 0 if the part is not.
  static func hundredths(_ part: Int64, of whole: Int64) -> String {
    guard whole > 0, part > 0 else { return "0" }
    let share = min(max(Double(part) / Double(whole), 0.004), 1)
    return String((share * 10_000).rounded() / 100)
  }

  /// The parts of a bar, one after the other.
  static func bars(_ parts: [AuditSummary.StoresOutcome], of whole: Int64) -> HTML {
    var sum: Int64 = 0
    return HTML.each(parts) { part in
      defer { sum += part.stores }
      let start = whole > 0 ? (Double(sum) / Double(whole) * 10_000).rounded() / 100 : 0
      return """
        <rect x="\(String(start))" y="0" width="\(hundredths(part.stores, of: whole))" height="8" class="\(part.style)"></rect>
        """
    }
  }

  /// A bar under a name.
  static func bar(_ name: String, words: String, width: String, style: String) -> HTML {
    """
    <svg class="bar thin" viewBox="0 0 100 4" preserveAspectRatio="none" role="img"><title>\(name)</title><desc>\(words)</desc><rect x="0" y="0" width="\(width)" height="4" class="\(style)"></rect></svg>
    """
  }

  /// Paths of examples, folded.
  static func folded(_ examples: [AuditExample], as summary: HTML = "examples") -> HTML {
    let items = HTML.each(examples) { "<li>\($0.pathWords)</li>" }
    return "<details><summary>\(summary)</summary><ul class=\"paths\">\(items)</ul></details>"
  }

  /// The rows of a list that are visible at first, about a screenful.
  private static let atOnce = 10

  /// A table of a section with what follows it: many rows are folded, and what is left out is said.
  ///
  /// - Parameters:
  ///   - columns: the names of the columns; all but the first hold numbers.
  ///   - count: how many rows there are in all.
  static func table(columns: [StaticString], rows: [HTML], of count: Int) -> HTML {
    // A rest has at least three rows.
    let isFolded = rows.count > atOnce + 2
    let visible = isFolded ? Array(rows.prefix(atOnce)) : rows
    return """
      <table class="stacked">\(head(columns))<tbody>
      \(lines(visible))</tbody></table>
      \(isFolded ? more(Array(rows.dropFirst(atOnce))) : "")
      <p class="rest">\(rest(of: count))</p>
      """
  }

  /// Rows that are hidden behind a line with their number.
  private static func more(_ rows: [HTML]) -> HTML {
    """
    <details class="more"><summary>\(rows.count) more</summary><table class="stacked"><tbody>
    \(lines(rows))</tbody></table></details>
    """
  }

  /// A table's head.
  static func head(_ columns: [StaticString]) -> HTML {
    let cells = HTML.each(columns.enumerated()) { position, name in
      let name = HTML(stringLiteral: name)
      return position == 0 ? "<th scope=\"col\">\(name)</th>" : "<th scope=\"col\" class=\"number\">\(name)</th>"
    }
    return "<thead><tr>\(cells)</tr></thead>"
  }

  /// Rows, a line each.
  static func lines(_ rows: [HTML]) -> HTML {
    HTML.each(rows) { row in
      """
      \(row)

      """
    }
  }
}

extension AuditExample {
  /// The path, behind the id where there is one.
  var pathWords: String { id.map { "\($0) (\(path))" } ?? path }
}
