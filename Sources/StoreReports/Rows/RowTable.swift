import StoreDataModel
import StoreRows
import StoreWords

/// Objects as a table for a terminal, or one below the other.
///
/// Widths come from the first objects; those after them are cut to these widths, so that a table of any length is
/// written as it is read.
package struct RowTable: RowWriter {
  package let remarks: [String] = []
  private let width: Int
  private let isStyled: Bool
  private let isLong: Bool
  /// Whether the columns were chosen by name, so that none is left out for another.
  private let isChosen: Bool
  private let noun: String
  private var columns: [RowColumn] = []
  private var waiting: [[RowText]] = []
  /// The columns that are shown, with their widths; nil until they are chosen.
  private var layout: [(column: Int, width: Int)]?
  private var leftOut: [Int] = []
  private var isCut = false
  private var hasDates = false

  /// How many objects the widths come from.
  private static let sampled = 200
  /// The widest a column may be while others wait for room.
  private static let widest = 36

  /// - Parameter noun: what the objects are called: the entity's name.
  package init(width: Int, isStyled: Bool, isLong: Bool, isChosen: Bool, noun: String) {
    self.width = max(width, 40)
    self.isStyled = isStyled
    self.isLong = isLong
    self.isChosen = isChosen
    self.noun = noun
  }

  package mutating func begin(_ columns: [RowColumn], to output: OutputBytes) throws { self.columns = columns }

  package mutating func write(_ row: Rows.Row, to output: OutputBytes) throws {
    let cells = columns.indices.map { RowText(row.value($0), upTo: isLong ? .max : max(width, 100)) }
    if isLong { return try writeLong(cells, to: output) }
    guard let layout else {
      waiting.append(cells)
      if waiting.count >= Self.sampled { try start(output) }
      return
    }
    try output.append(line(cells, layout: layout))
  }

  package mutating func end(_ rows: Rows, to output: OutputBytes) throws {
    if layout == nil, !isLong, !waiting.isEmpty { try start(output) }
    var page = Page(width: width, isStyled: isStyled)
    if rows.count > 0, !isLong { page.line() }
    for sentence in footer(rows) { page.paragraph(sentence, indent: 0, style: .faint) }
    try output.append(page.text)
  }

  private func footer(_ rows: Rows) -> [String] {
    var words = "\(counted(rows.count, "object")) of \(escapedForTerminal(noun))"
    if let total = rows.total, total > rows.count { words += ", of \(grouped(total))" }
    if rows.goneCount > 0 { words += ", \(grouped(rows.goneCount)) of them gone or earlier versions" }
    if rows.total == nil { words += "; there are more" }
    var sentences = [words + (hasDates ? "; dates are UTC, to the second" : "")]
    if isCut { sentences.append("… marks what was cut: --long shows it, or --columns with fewer columns") }
    if !leftOut.isEmpty {
      let names = leftOut.map { escapedForTerminal(columns[$0].name) }
      sentences.append(
        "no room for \(names.prefix(8).joined(separator: ", "))"
          + (names.count > 8 ? " and \(names.count - 8) more" : "") + ": --long shows all, --columns some")
    }
    return sentences
  }

  // MARK: Table

  private mutating func start(_ output: OutputBytes) throws {
    let chosen = chooseLayout()
    layout = chosen
    var page = Page(width: width, isStyled: isStyled)
    let head = chosen.map { title(columns[$0.column]).cut(to: $0.width).text.padded(to: $0.width) }
    page.line(page.styled(head.joined(separator: "  ").withoutTrailingSpaces, as: .heading))
    try output.append(page.text)
    for cells in waiting { try output.append(line(cells, layout: chosen)) }
    waiting = []
  }

  private func title(_ column: RowColumn) -> String {
    if column.content == .key { return "key" }
    if column.content == .entity { return "entity" }
    if column.content == .state { return "state" }
    if column.content == .cloudKit { return "CloudKit" }
    if column.content == .recordName { return "record" }
    if column.content == .origin { return "origin" }
    return escapedForTerminal(column.name)
  }

  /// Which columns fit, and how wide they are: first those with values, in their order.
  private mutating func chooseLayout() -> [(column: Int, width: Int)] {
    let natural = columns.indices.map { column in
      max(title(columns[column]).displayWidth, waiting.map { $0[column].text.displayWidth }.max() ?? 0)
    }
    hasDates = columns.contains { if case .attribute(.date) = $0.content { true } else { false } }
    let hasValues = columns.indices.map { column in
      isChosen || waiting.contains { !$0[column].isNull && !$0[column].text.isEmpty }
    }
    var chosen: [(column: Int, width: Int)] = []
    var room = width
    let order = isChosen ? Array(columns.indices) : columns.indices.sorted { (rank($0), $0) < (rank($1), $1) }
    for column in order.filter({ hasValues[$0] }) + order.filter({ !hasValues[$0] }) {
      let gap = chosen.isEmpty ? 0 : 2
      let wanted = min(natural[column], isChosen && columns.count == 1 ? width : Self.widest)
      // A narrow rest is enough for a cut text, not for half a number.
      let least = isText(columns[column]) ? min(wanted, max(8, title(columns[column]).displayWidth)) : wanted
      guard room >= least + gap else { continue }
      chosen.append((column, min(wanted, room - gap)))
      room -= chosen[chosen.count - 1].width + gap
    }
    // The remaining width goes to the texts that were cut, the first one first.
    for position in chosen.indices where room > 0 && natural[chosen[position].column] > chosen[position].width {
      let more = min(room, natural[chosen[position].column] - chosen[position].width)
      chosen[position].width += more
      room -= more
    }
    leftOut = columns.indices.filter { column in !chosen.contains { $0.column == column } }
    return chosen.sorted { $0.column < $1.column }
  }

  /// Which columns are wanted first where there is no room for all: the title and what the object is, then what is
  /// short and tells most.
  private func rank(_ column: Int) -> Int {
    guard column > 0 else { return 0 }
    return switch columns[column].content {
    case .key, .entity, .state, .cloudKit, .origin: 1
    case .toOne: 2
    case .attribute(.date): 3
    case .attribute(.boolean), .attribute(.integer16), .attribute(.integer32), .attribute(.integer64),
      .attribute(.double), .attribute(.float), .attribute(.decimal):
      4
    case .attribute(.string), .attribute(.uri), .recordName: 5
    case .toMany: 6
    case .attribute(.undefined), .attribute(.binary), .attribute(.uuid), .attribute(.transformable),
      .attribute(.objectID), .attribute(.composite), .attribute(.unknown), .version, .stored:
      7
    }
  }

  private func isText(_ column: RowColumn) -> Bool {
    switch column.content {
    case .attribute(let type): ![.date, .boolean, .integer16, .integer32, .integer64, .uuid].contains(type)
    case .toMany, .stored, .entity, .state, .cloudKit, .recordName, .origin: true
    case .key, .version, .toOne: false
    }
  }

  private func isNumber(_ column: RowColumn) -> Bool {
    switch column.content {
    case .attribute(let type): [.integer16, .integer32, .integer64, .double, .float, .decimal].contains(type)
    case .key, .version, .toOne: true
    case .entity, .state, .cloudKit, .recordName, .origin, .toMany, .stored: false
    }
  }

  private mutating func line(_ cells: [RowText], layout: [(column: Int, width: Int)]) -> String {
    let page = Page(width: width, isStyled: isStyled)
    var line = ""
    for (position, (column, width)) in layout.enumerated() {
      let cell = cells[column]
      let (text, wasCut) = cell.text.cut(to: width)
      if wasCut { isCut = true }
      let isThin = cell.isNull || columns[column].content == .key
      let spaces = String(repeating: " ", count: max(0, width - text.displayWidth))
      let shown = isThin ? page.styled(text, as: .faint) : text
      if position > 0 { line += "  " }
      let isRight = isNumber(columns[column]) && !cell.isNull
      line += isRight ? spaces + shown : shown + (position + 1 < layout.count ? spaces : "")
    }
    return line.withoutTrailingSpaces + "\n"
  }

  // MARK: Long form

  private mutating func writeLong(_ cells: [RowText], to output: OutputBytes) throws {
    var page = Page(width: width, isStyled: isStyled)
    let key = columns.firstIndex { $0.content == .key }
    let entity = columns.firstIndex { $0.content == .entity }
    let heading = [entity.map { cells[$0].text } ?? escapedForTerminal(noun), key.map { cells[$0].text }]
      .compactMap(\.self).joined(separator: " ")
    page.line(page.styled(heading, as: .heading))
    let nameWidth = min(columns.map { title($0).displayWidth }.max() ?? 0, 28)
    for (position, column) in columns.enumerated() where position != key && position != entity {
      if case .attribute(.date) = column.content { hasDates = true }
      let cell = cells[position]
      if cell.text.isEmpty { continue }
      page.paragraph(
        cell.text, first: "  " + title(column).padded(to: nameWidth) + "  ", style: cell.isNull ? .faint : nil)
    }
    page.line()
    try output.append(page.text)
  }
}

extension String {
  /// The text within a number of columns, with "…" at its end where something was cut.
  func cut(to width: Int) -> (text: String, wasCut: Bool) {
    guard displayWidth > width else { return (self, false) }
    var kept = ""
    var taken = 0
    for character in self {
      let next = String(character).displayWidth
      guard taken + next < width else { break }
      kept.append(character)
      taken += next
    }
    return (kept + "…", true)
  }

  fileprivate var withoutTrailingSpaces: String {
    var text = self
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }
}
