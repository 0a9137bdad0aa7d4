import StoreText
import StoreWords

// What reports are made of: the answer, commands, facts, and sections of a text.

extension HTML {
  /// The answer: its state in a word, in a sentence, and what belongs beside it.
  ///
  /// - Parameters:
  ///   - state: a word for it.
  ///   - headline: a sentence that needs no knowledge of Core Data.
  ///   - lead: what follows from it, a paragraph each.
  ///   - facts: what the run is known by.
  ///   - command: the command that made the page; nil where it stands elsewhere.
  ///   - left: what to do, with its title.
  ///   - right: what limits the answer, with its title.
  static func hero(
    _ mark: Mark, _ state: String, _ headline: String, lead: some Sequence<String>, facts: [PageFact] = [],
    command: String? = nil, left: (title: HTML, content: HTML), right: (title: HTML, content: HTML)
  ) -> HTML {
    let first: HTML = left.content.isEmpty ? "" : "<div><h2>\(left.title)</h2>\(left.content)</div>\n"
    return """
      <header class="hero"><p class="state">\(mark.labelled(state))</p>
      <h1 id="answer">\(headline)</h1>
      \(each(lead) { "<p class=\"lead\">\(unbroken($0))</p>\n" })\(self.facts(facts))\(command.map(self.command) ?? "")<div class="two">\(first)<div class="quiet"><h2>\(right.title)</h2>\(right.content)</div></div></header>

      """
  }

  /// Names with what belongs to them, side by side.
  static func facts(_ facts: [PageFact]) -> HTML {
    guard !facts.isEmpty else { return "" }
    return "<dl class=\"facts\">\(each(facts, as: fact))</dl>\n"
  }

  /// One of them.
  static func fact(_ fact: PageFact) -> HTML {
    "<div><dt>\(fact.name)</dt><dd>\(unbroken(fact.words))</dd></div>"
  }

  /// A command for a shell.
  static func command(_ words: String) -> HTML { "<code class=\"cmd\">\(unbroken(words))</code>\n" }

  /// Words that a browser does not break at their hyphens, such as options, dates and UUIDs; a path may be broken behind a
  /// slash.
  static func unbroken(_ text: String) -> HTML {
    guard text.utf8.count <= 4_000 else { return "\(text)" }
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map { word -> HTML in
      let parts = word.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      let pieces = parts.enumerated().map { number, part -> HTML in
        let piece = Substring(part) + (number < parts.count - 1 ? "/" : "")
        return part.contains(UInt8(ascii: "-")) ? "<span class=\"opt\">\(piece)</span>" : "\(piece)"
      }
      return "\(pieces, separator: "<wbr>")"
    }
    return "\(words, separator: " ")"
  }

  /// Commands with their notes, one after the other; nothing where there are none.
  static func steps(_ lines: [String]) -> HTML {
    lines.isEmpty ? "" : "<ol class=\"steps\">\(each(lines, as: step))</ol>"
  }

  private static func step(_ line: String) -> HTML {
    guard line.hasPrefix("storedoctor ") else { return "<li><p>\(unbroken(withoutMark(line)))</p></li>" }
    guard let note = line.range(ofLast: "   # ") else { return "<li>\(command(line))</li>" }
    return """
      <li>\(command(String(line[..<note.lowerBound]))) <p class="soft">\(unbroken(String(line[note.upperBound...])))</p></li>
      """
  }

  /// A section of a text that says what limits the answer.
  static func remarks(_ section: Page.Section) -> HTML {
    let items = each(section.lines) { "<li>\(remark(withoutMark($0)))</li>" }
    return "<h3 class=\"sub\">\(unbroken(section.title))</h3><ul class=\"plain small\">\(items)</ul>\n"
  }

  /// A reason before the checks that it kept from looking.
  private static func remark(_ line: String) -> HTML {
    guard let end = line.firstRange(of: ": "), line.hasPrefix("SD") else { return unbroken(line) }
    let checks = line[..<end.lowerBound].split(separator: ",").map(withoutSpacesAround)
    guard checks.allSatisfy({ $0.utf8.count == 5 && $0.hasPrefix("SD") }) else { return unbroken(line) }
    return """
      \(unbroken(String(line[end.upperBound...])))<br><span class="soft">not looked for: \(checks.joined(separator: ", "))</span>
      """
  }

  /// Sentences, one below the other; nothing where there are none.
  static func plain(_ lines: [String]) -> HTML {
    lines.isEmpty ? "" : "<ul class=\"plain small\">\(each(lines) { "<li>\(unbroken($0))</li>" })</ul>\n"
  }

  /// A section of a text; a line that is indented further belongs to the one before.
  static func lines(_ section: Page.Section) -> HTML {
    let title: HTML = "<h3 class=\"sub\">\(unbroken(section.title))</h3>\n"
    guard !section.title.hasPrefix("Recipe") else {
      return title + "<pre class=\"code\">\(each(section.lines) { "\($0)\n" })</pre>\n"
    }
    let columns = section.lines.map(columns)
    if let count = columns.first?.cells.count, count > 1, columns.allSatisfy({ $0.cells.count == count }) {
      return title
        + "<div class=\"scroll\"><table class=\"cols\"><tbody>\n\(each(columns, as: row))</tbody></table></div>\n"
    }
    let items = each(section.lines) { line in
      let (mark, words) = marked(line)
      let style: HTML = line.hasPrefix("  ") ? " class=\"in\"" : ""
      return "<li\(style)>\(mark.map { $0.labelled("") } ?? "")\(unbroken(words))</li>\n"
    }
    return title + "<ul class=\"lines\">\n\(items)</ul>\n"
  }

  /// The columns of a line, which a text parts by two spaces and more, and whether a star stands before it.
  private static func columns(_ line: String) -> (isMarked: Bool, cells: [String]) {
    var (cells, spaces): ([String], Int) = ([""], 0)
    let words = withoutSpacesAround(line[...])
    let isMarked = words.hasPrefix("* ")
    for scalar in (isMarked ? String(words.dropFirst(2)) : words).unicodeScalars {
      if scalar == " " {
        spaces += 1
        continue
      }
      if spaces > 1 { cells.append("") }
      if spaces == 1 { cells[cells.count - 1].append(" ") }
      spaces = 0
      cells[cells.count - 1].unicodeScalars.append(scalar)
    }
    return (isMarked, cells)
  }

  private static func row(_ columns: (isMarked: Bool, cells: [String])) -> HTML {
    let style: HTML = columns.isMarked ? " class=\"own\"" : ""
    let rest = each(columns.cells.dropFirst()) { "<td>\(unbroken($0))</td>" }
    return "<tr\(style)><th scope=\"row\">\(columns.cells.first ?? "")</th>\(rest)</tr>\n"
  }

  private static func marked(_ line: String) -> (Mark?, String) {
    for (start, mark) in [("E ", Mark.error), ("W ", .warning), ("N ", .note), ("? ", .unknown), ("! ", .warning)]
    where line.hasPrefix(start) {
      return (mark, String(line.dropFirst(2)))
    }
    return (nil, withoutMark(line))
  }
}

/// A line of text without the mark before it.
func withoutMark(_ line: String) -> String {
  let words = line.drop { $0 == " " }
  for mark in ["? ", "! ", "# ", "- ", "E ", "W ", "N "] where words.hasPrefix(mark) {
    return String(words.dropFirst(2))
  }
  return String(words)
}

extension String {
  /// The last place of a text.
  fileprivate func range(ofLast text: String) -> Range<Index>? {
    let (own, sought) = (Array(utf8), Array(text.utf8))
    guard own.count >= sought.count else { return nil }
    for start in stride(from: own.count - sought.count, through: 0, by: -1)
    where own[start..<start + sought.count].elementsEqual(sought) {
      let lower = utf8.index(startIndex, offsetBy: start)
      return lower..<utf8.index(lower, offsetBy: sought.count)
    }
    return nil
  }
}
