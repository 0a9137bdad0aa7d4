/// Text for a terminal or a pipe: sections of lines, with emphasis only where colour is wanted.
struct Page {
  /// Columns a line may take.
  let width: Int
  /// Whether escape sequences may be written.
  let isStyled: Bool
  private(set) var text = ""

  init(width: Int, isStyled: Bool) {
    self.width = max(width, 40)
    self.isStyled = isStyled
  }

  /// What a piece of text is; each has one look.
  enum Style { case strong, heading, faint, warning }

  func styled(_ text: String, _ style: Style) -> String {
    guard isStyled else { return text }
    let code =
      switch style {
      case .strong: "1"
      case .heading: "1;36"
      case .faint: "2"
      case .warning: "33"
      }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }

  mutating func line(_ line: String = "") { text += line + "\n" }

  /// A heading with an empty line before it.
  mutating func section(_ title: String) {
    line()
    line(styled(title, .heading))
  }

  /// Words wrapped to the page, continued under where they began.
  mutating func paragraph(_ words: String, indent: Int = 2, first: String? = nil, style: Style? = nil) {
    let lead = first ?? String(repeating: " ", count: indent)
    let room = width - max(indent, lead.displayWidth)
    let lines = wrapped(words.split(separator: " ").map(String.init), separator: " ", width: room)
    for (position, content) in lines.enumerated() {
      let start = position == 0 ? lead : String(repeating: " ", count: lead.displayWidth)
      line(start + (style.map { styled(content, $0) } ?? content))
    }
  }

  /// A name and what it is, in two columns.
  mutating func field(_ name: String, _ value: String, width nameWidth: Int = 14) {
    paragraph(value, first: "  " + name.padded(to: nameWidth) + "  ")
  }

  /// Rows under a header, each column as wide as its widest cell; nothing when there are no rows.
  mutating func table(_ header: [String], _ rows: [[String]], rightAligned: Set<Int> = []) {
    guard !rows.isEmpty else { return }
    line()
    let widths = header.indices.map { column in ([header] + rows).map { $0[column].displayWidth }.max() ?? 0 }
    for (position, row) in ([header] + rows).enumerated() {
      let cells = row.indices.map { column in
        rightAligned.contains(column)
          ? row[column].rightAligned(to: widths[column]) : row[column].padded(to: widths[column])
      }
      var line = "  " + cells.joined(separator: "  ")
      while line.hasSuffix(" ") { line.removeLast() }
      self.line(position == 0 ? styled(line, .faint) : line)
    }
  }
}
