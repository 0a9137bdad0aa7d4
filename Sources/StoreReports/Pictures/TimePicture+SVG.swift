import StoreRecovery
import StoreWords

extension TimePicture {
  /// The most lanes that are drawn; the table has all.
  static let mostLanes = 30

  /// The picture, for a page that has the style of its classes.
  ///
  /// - Parameter label: what it shows, for those who do not see it.
  func svg(label: String) -> HTML {
    let layout = TimeLayout(self)
    let details = Self.distinct(lanes.prefix(Self.mostLanes).map(\.detail), upTo: 27, tail: 7)
    let names = HTML.each(lanes.indices.prefix(Self.mostLanes)) { name(of: $0, detail: details[$0], layout) }
    let drawn = HTML.each(marks.filter { $0.lane < Self.mostLanes }) { draw($0, layout) }
    return """
      <svg class="tl" role="img" aria-label="\(label)" width="\(TimeLayout.width)" height="\(layout.height)" viewBox="0 0 \(TimeLayout.width) \(layout.height)">
      \(names)\(drawn)\(axis(layout))</svg>

      """
  }

  /// The look of the classes.
  static let style: HTML = """
    .tl { display: block; max-width: none; } .tl text { font-size: 12px; fill: var(--ink); } .tl .d, .tl .ax { font-size: 11px; fill: var(--soft); }
    .tl .line { stroke: var(--line); fill: none; } .tl .axis { stroke: var(--mid); fill: none; }
    .tl .ins { fill: var(--accent); stroke: var(--accent); } .tl .upd { fill: var(--bg); stroke: var(--ink); stroke-width: 1.2; }
    .tl .com { fill: var(--bar); } .tl .bound { fill: var(--bg); stroke: var(--bar); stroke-width: 1.5; stroke-dasharray: 2 1.5; }
    .tl .dat { fill: var(--bar); } .tl .rep { fill: none; stroke: var(--ink); }
    .tl .gone { fill: none; stroke: var(--error); stroke-width: 1.8; } .tl .ring { fill: none; stroke: var(--error); }
    .tl .maybe { stroke-dasharray: 2 2; } .tl text.x { font-size: 11px; fill: var(--error); font-weight: 600; }
    .legend { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; font-size: .875rem; color: var(--soft); }
    .legend svg { display: inline-block; width: 1rem; height: 1rem; vertical-align: -.2em; margin-right: .35em; }
    """

  private func name(of lane: Int, detail words: String, _ layout: TimeLayout) -> HTML {
    let (y, right) = (layout.middle(of: lane), TimeLayout.width)
    let one = lanes[lane]
    let shift = one.detail.isEmpty ? 4 : -2
    let detail: HTML =
      one.detail.isEmpty
      ? "" : "<text class=\"d\" x=\"0\" y=\"\(y + 12)\">\(words)</text>"
    return """
      <g><title>\([one.name, one.detail].filter { !$0.isEmpty }.joined(separator: ", "))</title><text x="0" y="\(y + shift)">\(Self.cut(one.name, to: 22, tail: 12))</text>\(detail)<path class="line" d="M\(TimeLayout.left - 8) \(y)H\(right)"/></g>

      """
  }

  private func draw(_ mark: Mark, _ layout: TimeLayout) -> HTML {
    let (x, y) = (layout.x(of: mark.column), layout.middle(of: mark.lane))
    let deleted = mark.counts.filter { $0.key.isDeletion }
    let gone = deleted.values.reduce(0, +)
    let strongest = RecoveredRow.Grade.allCases.last { deleted[.deleted($0)] != nil } ?? .implied
    let below: HTML =
      gone == 0
      ? ""
      : Self.cross(x, y + 16, strongest)
        + "<text class=\"x\" x=\"\(x + 7)\" y=\"\(y + 20)\">\(grouped(Int64(gone)))</text>"
    return """
      <g><title>\(columns[mark.column].title), \(lanes[mark.lane].name): \(mark.counts.words)</title>\(body(of: mark, x, y, layout.most))\(below)</g>

      """
  }

  /// The mark on the lane itself.
  private func body(of mark: Mark, _ x: Int, _ y: Int, _ most: Int) -> HTML {
    let counts = mark.counts
    let (inserted, updated) = (counts[.inserted] ?? 0, (counts[.updated] ?? 0) + (counts[.changed] ?? 0))
    switch lanes[mark.lane].kind {
    case .history:
      let radius = Self.radius(max(inserted + updated, counts[.saved] ?? 1), most)
      return
        "<circle class=\"\(counts.isMostlyInserted ? "ins" : "upd")\" cx=\"\(x)\" cy=\"\(y)\" r=\"\(radius)\"/>"
    case .log:
      let radius = Self.radius(counts.values.reduce(0, +), most)
      let style: HTML = counts[.commit] == nil ? "bound" : "com"
      return
        "<path class=\"\(style)\" d=\"M\(x - radius) \(y)L\(x) \(y - radius)L\(x + radius) \(y)L\(x) \(y + radius)Z\"/>"
    case .pages:
      let hasReplaced = counts.keys.contains { !$0.isDeletion }
      return hasReplaced ? "<path class=\"rep\" d=\"M\(x - 4) \(y - 4)h8v8h-8z\"/>" : ""
    case .dates:
      let height = Self.radius(counts.values.reduce(0, +), most) * 2
      return
        "<rect class=\"dat\" x=\"\(x - min(most, 5))\" y=\"\(y + 8 - height)\" width=\"\(min(most, 5) * 2)\" height=\"\(height)\"/>"
    }
  }

  /// A deletion by its grade: a cross; in a ring where only bytes were found; in a broken ring where the row may never have
  /// been saved.
  private static func cross(_ x: Int, _ y: Int, _ grade: RecoveredRow.Grade) -> HTML {
    let ring: HTML =
      switch grade {
      case .proved: ""
      case .shown: "<circle class=\"ring\" cx=\"\(x)\" cy=\"\(y)\" r=\"6\"/>"
      case .implied: "<circle class=\"ring maybe\" cx=\"\(x)\" cy=\"\(y)\" r=\"6\"/>"
      }
    return "<path class=\"gone\" d=\"M\(x - 3) \(y - 3)l6 6m0 -6l-6 6\"/>\(ring)"
  }

  /// Names without their middles where they are too long; those that would look alike, at the place where they differ.
  static func distinct(_ names: [String], upTo length: Int, tail: Int) -> [String] {
    let short = names.map { cut($0, to: length, tail: tail) }
    return names.indices.map { place in
      let own = Array(escapedForTerminal(names[place]).unicodeScalars)
      let twins = names.indices.filter { short[$0] == short[place] && names[$0] != names[place] }
      let common = twins.map { twin in
        zip(own, escapedForTerminal(names[twin]).unicodeScalars).prefix { $0 == $1 }.count
      }
      guard let most = common.max(), own.count > length else { return short[place] }
      let head = length / 2
      let start = max(head, min(most - 4, own.count - (length - head - 1)))
      return String(String.UnicodeScalarView(own.prefix(head))) + "…"
        + String(String.UnicodeScalarView(own.dropFirst(start).prefix(length - head - 1)))
    }
  }

  /// A name without its middle where it is too long.
  private static func cut(_ name: String, to length: Int, tail: Int) -> String {
    let text = Array(escapedForTerminal(name).unicodeScalars)
    guard text.count > length else { return escapedForTerminal(name) }
    var result = String.UnicodeScalarView(text.prefix(length - 1 - tail))
    result.append("…")
    result.append(contentsOf: text.suffix(tail))
    return String(result)
  }

  /// By the logarithm of the number.
  private static func radius(_ count: Int, _ most: Int) -> Int {
    var (radius, bound) = (3, 2)
    while bound <= count, radius < most { (radius, bound) = (radius + 1, bound * 4) }
    return radius
  }

  private func axis(_ layout: TimeLayout) -> HTML {
    guard let first = columns.indices.first, let last = columns.indices.last else { return "" }
    let y = layout.axis
    var (labels, end): (HTML, Int) = ("", Int.min)
    for column in columns.indices {
      let width = columns[column].title.unicodeScalars.count * 7
      // From the right edge the last ones are written leftwards.
      let start = min(layout.x(of: column) - 5, TimeLayout.width - width)
      guard start > end + 10 else { continue }
      labels += "<text class=\"ax\" x=\"\(start)\" y=\"\(y + 22)\">\(columns[column].title)</text>"
      end = start + width
    }
    let ticks = HTML.each(columns.indices) { "<path class=\"axis\" d=\"M\(layout.x(of: $0)) \(y)v5\"/>" }
    let gaps = HTML.each(columns.indices.filter { columns[$0].isAfterGap }) { column in
      let x = (layout.x(of: column - 1) + layout.x(of: column)) / 2
      return "<path class=\"axis\" d=\"M\(x - 4) \(y + 4)l4 -8m0 8l4 -8\"/>"
    }
    return """
      <path class="axis" d="M\(layout.x(of: first) - 8) \(y)H\(layout.x(of: last) + 8)"/>\(ticks)\(gaps)\(labels)

      """
  }

  /// What the marks are, of those that are drawn.
  var legend: HTML {
    func item(_ shape: HTML, _ words: String) -> HTML {
      "<li><svg class=\"tl\" viewBox=\"0 0 16 16\" aria-hidden=\"true\">\(shape)</svg>\(words)</li>"
    }
    let has = Set(marks.flatMap(\.counts.keys))
    let kinds = Set(marks.map { lanes[$0.lane].kind })
    var items: HTML = ""
    let saves = marks.filter { lanes[$0.lane].kind == .history }
    if saves.contains(where: \.counts.isMostlyInserted) {
      items += item("<circle class=\"ins\" cx=\"8\" cy=\"8\" r=\"5\"/>", "mostly inserted")
    }
    if saves.contains(where: { !$0.counts.isMostlyInserted }) {
      items += item("<circle class=\"upd\" cx=\"8\" cy=\"8\" r=\"5\"/>", "mostly updated, or saved without changes")
    }
    if has.contains(.deleted(.proved)) { items += item(Self.cross(8, 8, .proved), "deleted, proved") }
    if has.contains(.deleted(.shown)) { items += item(Self.cross(8, 8, .shown), "deleted, shown by its bytes") }
    if has.contains(.deleted(.implied)) { items += item(Self.cross(8, 8, .implied), "deleted, implied") }
    if has.contains(where: { if case .replaced = $0 { true } else { false } }) {
      items += item("<path class=\"rep\" d=\"M4 4h8v8h-8z\"/>", "an earlier version, replaced")
    }
    if has.contains(.commit) { items += item("<path class=\"com\" d=\"M3 8L8 3L13 8L8 13Z\"/>", "commit of the log") }
    if has.contains(.boundedCommit) {
      items += item("<path class=\"bound\" d=\"M3 8L8 3L13 8L8 13Z\"/>", "commit, placed at a bound of its time")
    }
    if kinds.contains(.dates) {
      items += item("<rect class=\"dat\" x=\"4\" y=\"3\" width=\"8\" height=\"10\"/>", "dates")
    }
    if columns.contains(where: \.isAfterGap) {
      items += item("<path class=\"axis\" d=\"M3 12l4 -8m0 8l4 -8\"/>", "time without events, left out")
    }
    return "<ul class=\"legend\">\(items)</ul>\n"
  }
}

/// Where everything of a picture of times is, in pixels.
struct TimeLayout: Equatable {
  /// All of it, which a desk has room for.
  static let width = 864
  /// Where the lanes begin.
  static let left = 184

  /// The middle of each lane that is drawn.
  private var middles: [Int] = []
  private var places: [Int] = []
  /// Where the axis is.
  private(set) var axis = 0
  private(set) var height = 0
  /// The largest radius of a mark.
  private(set) var most = 8

  init(_ picture: TimePicture) {
    var y = 4
    let gone = Set(picture.marks.filter { $0.counts.keys.contains(where: \.isDeletion) }.map(\.lane))
    for (lane, one) in picture.lanes.prefix(TimePicture.mostLanes).enumerated() {
      middles.append(y + 14)
      y += gone.contains(lane) ? 46 : one.detail.isEmpty ? 26 : 34
    }
    axis = y + 8
    height = axis + 30
    // A gap takes half a column more.
    let halves = picture.columns.dropFirst().reduce(0) { $0 + ($1.isAfterGap ? 3 : 2) }
    let room = Self.width - Self.left - 28
    let half = halves == 0 ? 0 : min(18, room / halves)
    var x = Self.left + 4
    for (number, column) in picture.columns.enumerated() {
      if number > 0 { x += half * (column.isAfterGap ? 3 : 2) }
      places.append(x)
    }
    if halves > 0 { most = max(3, min(8, half)) }
  }

  func middle(of lane: Int) -> Int { middles.indices.contains(lane) ? middles[lane] : 0 }

  func x(of column: Int) -> Int { places.indices.contains(column) ? places[column] : Self.left }
}
