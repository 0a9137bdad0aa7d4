/// Text for a terminal or a pipe: lines in sections, emphasised only if it is styled.
package struct Page {
  /// The width of lines, in columns.
  let width: Int
  /// Whether escape sequences may be written.
  let isStyled: Bool
  package private(set) var text = ""
  private var starts: [(title: String, text: Int)] = []

  package init(width: Int, isStyled: Bool) {
    self.width = max(width, 40)
    self.isStyled = isStyled
  }

  /// The role of a piece of text, which decides its look.
  package enum Style { case strong, heading, faint, warning, error }

  package func styled(_ text: String, as style: Style) -> String {
    guard isStyled, !text.isEmpty else { return text }
    let code =
      switch style {
      case .strong: "1"
      // In the colour of the terminal's own text: cyan has a contrast of 1.3 to 3.4 on white.
      case .heading: "1;4"
      case .faint: "2"
      // Red and magenta can be read on light and on dark grounds, which yellow cannot.
      case .warning: "35"
      case .error: "1;31"
      }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }

  package mutating func line(_ line: String = "") {
    text += line
    text += "\n"
  }

  /// Bytes of text from which on a page that may be long is written.
  private static let longPiece = 1 << 16

  /// The text so far, where it is long enough to be written at once; then the page goes on without it. Not for a page whose
  /// sections are asked for.
  mutating func takeLongText() -> String? {
    guard text.utf8.count >= Self.longPiece else { return nil }
    defer { text = "" }
    return text
  }

  /// A heading with an empty line before it.
  package mutating func section(_ title: String) {
    line()
    line(styled(title, as: .heading))
    starts.append((title, text.utf8.count))
  }

  /// A section as a value, for other formats.
  package struct Section: Sendable, Equatable {
    /// Its heading.
    package var title: String
    /// Its lines, without the indent that all have.
    package var lines: [String]
  }

  /// The sections in their order, so that another format shows each, and forgets none. To be asked of a page that is wide and
  /// not styled, whose lines are whole.
  package var sections: [Section] {
    starts.indices.map { index in
      // The heading of the next section has an empty line before it.
      let end =
        index + 1 < starts.count ? starts[index + 1].text - starts[index + 1].title.utf8.count - 2 : text.utf8.count
      let part = text.utf8.dropFirst(starts[index].text).prefix(max(end - starts[index].text, 0))
      let lines = String(decoding: part, as: UTF8.self).split(separator: "\n").map { line in
        line.hasPrefix("  ") ? String(line.dropFirst(2)) : String(line)
      }
      return Section(title: starts[index].title, lines: lines)
    }
  }

  /// The lines before the first heading.
  var lead: [String] {
    let end = starts.first.map { $0.text - $0.title.utf8.count - 2 } ?? text.utf8.count
    return String(decoding: text.utf8.prefix(max(end, 0)), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// A page whose sections are asked for, and not its text.
  package static var forSections: Page { Page(width: 1_000_000, isStyled: false) }

  /// Adds text wrapped to the page; further lines are aligned with the first word.
  package mutating func paragraph(_ words: String, indent: Int = 2, first: String? = nil, style: Style? = nil) {
    let lead = first ?? String(repeating: " ", count: indent)
    let room = width - max(indent, lead.displayWidth)
    let lines = wrapped(words.split(separator: " ").map(String.init), separator: " ", width: room)
    for (position, content) in lines.enumerated() {
      let start = position == 0 ? lead : String(repeating: " ", count: lead.displayWidth)
      line(start + (style.map { styled(content, as: $0) } ?? content))
    }
  }

  /// Adds a command as a shell takes it: one that is too long for a narrow terminal goes on in further lines, after
  /// backslashes, and its note stands above it. A page of 100 columns is also that of a pipe, where other programs look
  /// for whole commands.
  package mutating func command(_ command: String, note: String? = nil) {
    let whole = "  " + command + (note.map { "   # " + $0 } ?? "")
    guard whole.displayWidth > width, width < 100 else { return line(whole) }
    if let note { paragraph(note, first: "  # ") }
    guard command.displayWidth > width - 2 else { return line("  " + command) }
    // Room for the indent of the second line, and for the backslash.
    let lines = wrapped(
      keepingValues(shellWords(of: command), width: width - 6), separator: " ", width: width - 6)
    for (position, words) in lines.enumerated() {
      line((position == 0 ? "  " : "    ") + words + (position == lines.count - 1 ? "" : " \\"))
    }
  }

  /// Adds text of several styles wrapped to the page, with a hanging indent.
  package mutating func paragraph(_ pieces: [(words: [String], style: Style?)], indent: Int = 0, hanging: Int) {
    var (content, taken, isStart) = (String(repeating: " ", count: indent), indent, true)
    for (words, style) in pieces {
      var run = ""
      for word in words {
        if !isStart, taken + 1 + word.displayWidth > width {
          line(content + look(run, style: style))
          (content, run, taken, isStart) = (String(repeating: " ", count: hanging), "", hanging, true)
        }
        let gap = isStart ? "" : " "
        if run.isEmpty { content += gap } else { run += gap }
        run += word
        (taken, isStart) = (taken + gap.count + word.displayWidth, false)
      }
      content += look(run, style: style)
    }
    line(content)
  }

  private func look(_ text: String, style: Style?) -> String { style.map { styled(text, as: $0) } ?? text }

  /// Adds a name and its value in two columns.
  package mutating func field(_ name: String, _ value: String, width nameWidth: Int = 14) {
    paragraph(value, first: "  " + name.padded(to: nameWidth) + "  ")
  }

  /// Adds a table in which each column is as wide as its widest cell; nothing when there are no rows.
  ///
  /// - Parameters:
  ///   - wrapping: the column that is wrapped where the table is wider than the page, and stands below its row where the others
  ///     leave no room for it.
  ///   - moving: columns behind that one which join it, by their names, where the others alone are wider than the page: the last
  ///     one first.
  package mutating func table(
    _ header: [String], rows: [[String]], rightAligned: Set<Int> = [], wrapping: Int? = nil, moving: Set<Int>? = nil
  ) {
    guard !rows.isEmpty else { return }
    if let wrapping, let moving, let last = moving.max(), widthBeside(wrapping, header, rows) > width {
      let fewer = rows.map { row in
        var row = row
        row[wrapping] += ", \(header[last]) \(row.remove(at: last))"
        return row
      }
      var names = header
      names.remove(at: last)
      table(
        names, rows: fewer, rightAligned: rightAligned.filter { $0 != last }, wrapping: wrapping,
        moving: moving.filter { $0 != last })
      return
    }
    line()
    var widths = header.indices.map { column in ([header] + rows).map { $0[column].displayWidth }.max() ?? 0 }
    var below: Int?
    if let wrapping {
      let room = width - (widths.reduce(0) { $0 + $1 + 2 } - widths[wrapping])
      // Where columns may move, no word of this one pushes them out of their place.
      let longest = moving == nil ? 0 : rows.flatMap { $0[wrapping].split(separator: " ") }.map(\.count).max() ?? 0
      if room < min(max(Self.narrowestWords, longest), widths[wrapping]) { below = wrapping }
      widths[wrapping] = min(widths[wrapping], max(Self.narrowestWords, room))
    }
    for (position, row) in ([header] + rows).enumerated() {
      defer {
        if let below, position > 0, !row[below].isEmpty { paragraph(row[below], indent: 6) }
      }
      let lines = row.indices.map { column in
        column == below
          ? []
          : column == wrapping
            ? wrapped(row[column].split(separator: " ").map(String.init), separator: " ", width: widths[column])
            : [row[column]]
      }
      for number in 0..<(lines.map(\.count).max() ?? 0) {
        let cells = row.indices.filter { $0 != below }.map { column in
          let cell = number < lines[column].count ? lines[column][number] : ""
          return rightAligned.contains(column) ? cell.rightAligned(to: widths[column]) : cell.padded(to: widths[column])
        }
        var line = "  " + cells.joined(separator: "  ")
        while line.hasSuffix(" ") { line.removeLast() }
        self.line(position == 0 ? styled(line, as: .faint) : line)
      }
    }
  }

  /// How wide the columns are without one of them.
  private func widthBeside(_ column: Int, _ header: [String], _ rows: [[String]]) -> Int {
    header.indices.filter { $0 != column }.reduce(0) { sum, column in
      sum + 2 + (([header] + rows).map { $0[column].displayWidth }.max() ?? 0)
    }
  }

  /// The least width of a wrapped column.
  private static let narrowestWords = 16
}

/// An option and its value as one word, where a line has room for both.
private func keepingValues(_ words: [String], width: Int) -> [String] {
  words.reduce(into: []) { parts, word in
    if let last = parts.last, last.hasPrefix("--"), !last.contains(" "), !word.hasPrefix("-"),
      last.displayWidth + 1 + word.displayWidth <= width
    {
      parts[parts.count - 1] += " " + word
    } else {
      parts.append(word)
    }
  }
}

/// The words of a command, each with its quotes.
private func shellWords(of command: String) -> [String] {
  var words = [""]
  var (isQuoted, isEscaped) = (false, false)
  for character in command {
    if character == " ", !isQuoted, !isEscaped {
      words.append("")
      continue
    }
    if character == "'", !isEscaped { isQuoted.toggle() }
    isEscaped = character == "\\" && !isQuoted && !isEscaped
    words[words.count - 1].append(character)
  }
  return words
}
