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
      \(each(lead) { "<p class=\"lead\">\($0)</p>\n" })\(self.facts(facts))\(command.map(self.command) ?? "")<div class="two">\(first)<div class="quiet"><h2>\(right.title)</h2>\(right.content)</div></div></header>

      """
  }

  /// Names with what belongs to them, side by side.
  static func facts(_ facts: [PageFact]) -> HTML {
    guard !facts.isEmpty else { return "" }
    return "<dl class=\"facts\">\(each(facts, as: fact))</dl>\n"
  }

  /// One of them.
  static func fact(_ fact: PageFact) -> HTML { "<div><dt>\(fact.name)</dt><dd>\(fact.words)</dd></div>" }

  /// A command for a shell. A browser would break a line between the hyphens of an option.
  static func command(_ words: String) -> HTML {
    let pieces = words.split(separator: " ", omittingEmptySubsequences: false).map { word -> HTML in
      word.hasPrefix("--") ? "<span class=\"opt\">\(word)</span>" : "\(word)"
    }
    return "<code class=\"cmd\">\(pieces, separator: " ")</code>\n"
  }

  /// Commands with their notes, one after the other; nothing where there are none.
  static func steps(_ lines: [String]) -> HTML {
    lines.isEmpty ? "" : "<ol class=\"steps\">\(each(lines, as: step))</ol>"
  }

  private static func step(_ line: String) -> HTML {
    guard line.hasPrefix("storedoctor ") else { return "<li><p>\(withoutMark(line))</p></li>" }
    guard let note = line.range(ofLast: "   # ") else { return "<li>\(command(line))</li>" }
    return """
      <li>\(command(String(line[..<note.lowerBound]))) <p class="soft"># \(String(line[note.upperBound...]))</p></li>
      """
  }

  /// A section of a text that says what limits the answer.
  static func remarks(_ section: Page.Section) -> HTML {
    "<h3 class=\"sub\">\(section.title)</h3>\(plain(section.lines.map(withoutMark)))"
  }

  /// Sentences, one below the other; nothing where there are none.
  static func plain(_ lines: [String]) -> HTML {
    lines.isEmpty ? "" : "<ul class=\"plain small\">\(each(lines) { "<li>\($0)</li>" })</ul>\n"
  }

  /// A section of a text; a line that is indented further belongs to the one before.
  static func lines(_ section: Page.Section) -> HTML {
    let title: HTML = "<h3 class=\"sub\">\(section.title)</h3>\n"
    guard !section.title.hasPrefix("Recipe") else {
      return title + "<pre class=\"code\">\(each(section.lines) { "\($0)\n" })</pre>\n"
    }
    let items = each(section.lines) { line in
      let (mark, words) = marked(line)
      let style: HTML = line.hasPrefix("  ") ? " class=\"in\"" : ""
      return "<li\(style)>\(mark.map { $0.labelled("") } ?? "")\(words)</li>\n"
    }
    return title + "<ul class=\"lines\">\n\(items)</ul>\n"
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
