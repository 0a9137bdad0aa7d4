import StoreCoreData
import StoreInspection
import StoreRows
import StoreSQLite
import StoreWords

/// The rows of a store for its page: a table for each entity, with titles in place of keys, and links that lead to the row.
package struct PageRows {
  /// An entity with its rows.
  struct Table {
    var number: Int64
    var name: String
    var columns: [String]
    /// Whether it has more columns than paper has room for: then each cell has the name of its own.
    var isWide = false
    /// Which of the columns hold numbers.
    var numbers: Set<Int> = []
    /// Each with its key, by which they are ordered.
    var rows: [(key: Int64, row: HTML)] = []
    /// Rows that were left out, since the page would be too large.
    var leftOut: Int64 = 0
    var gone = 0
    var remarks: [String] = []
    /// Its pages, in a folder.
    var files: [String] = []
    /// Rows that are on pages already.
    var written = 0

    /// All its rows, gone ones included.
    var count: Int { written + rows.count }
  }

  /// The most bytes of rows on a page.
  package static let mostBytes = 50_000_000
  /// The most titles that are kept.
  private static let mostTitles = 500_000
  /// The longest text of a cell, and the most links.
  private static let longest = 400
  /// The most columns of a table that has its usual form on paper.
  private static let mostOnPaper = 10
  /// The longest text that is not broken into lines.
  private static let longestLine = 48
  /// The longest that has a block of the usual width.
  private static let longestBlock = 160
  private static let mostLinks = 30
  /// The rows of an entity that are there without a script.
  static let plain = 200

  private(set) var tables: [Table] = []
  private var bytes = 0
  private var titleCount = 0
  /// The number of the table of each entity.
  private let places: [String: Int]
  private var titles: [Int: [Int64: String]] = [:]
  /// The rows that a link can lead to.
  private var taken: Set<[Int64]> = []
  /// Where rows are in a folder of pages; nil where all are on one page.
  private var folder: RowPlaces?

  /// Whether each entity has pages of its own.
  var isFolder: Bool { folder != nil }

  /// - Parameters:
  ///   - inspection: of the store whose rows they are.
  ///   - inFolder: whether each entity has pages of its own, of which `add` makes each when it is whole.
  package init(of inspection: Inspection, inFolder: Bool = false) {
    folder = inFolder ? RowPlaces() : nil
    let numbers = Dictionary(
      Set(inspection.entities.map(\.table)).sorted().enumerated().map { ($1, $0) },
      uniquingKeysWith: { first, _ in first })
    places = Dictionary(
      inspection.entities.flatMap { entity in
        [entity.name, entity.modelName].compactMap(\.self).map { ($0, numbers[entity.table] ?? 0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Keeps the titles of objects.
  ///
  /// - Parameter rows: the objects of an entity, with the title as the last column.
  package mutating func noteTitles(_ rows: Rows) throws {
    guard let place = places[rows.entity.name] else { return }
    let last = rows.columns.count - 1
    guard last >= 0 else { return }
    try rows.forEach { row in
      guard titleCount < Self.mostTitles else { return }
      let title = RowText(row.value(last), upTo: 60)
      guard !title.isNull, !title.text.isEmpty, title.text != "\"\"" else { return }
      titleCount += 1
      titles[place, default: [:]][row.key] = cut(title.text, to: 60)
    }
  }

  /// Keeps the keys of objects, so that links lead to the page they are on. To be done for all before rows are added.
  ///
  /// - Parameters:
  ///   - rows: the objects of an entity, those that are gone included where they are shown.
  ///   - columns: how many columns are shown of it.
  package mutating func noteKeys(_ rows: Rows, number: Int64, columns: Int) throws {
    var keys: [Int64] = []
    let place = places[rows.entity.name] ?? 0
    // Those before a damaged page count too.
    defer { folder?.note(keys, of: number, in: place, columns: columns) }
    try rows.forEach { keys.append($0.key) }
  }

  /// Adds the rows of an entity.
  ///
  /// - Parameter body: called with each page of a folder, when it is whole.
  package mutating func add(_ rows: Rows, number: Int64, body: (RowPage) throws -> Void = { _ in }) throws {
    let columns = rows.columns
    let place = places[rows.entity.name] ?? 0
    let stateColumn = columns.firstIndex { $0.content == .state }
    let shown = columns.indices.filter { column in
      columns[column].content != .state && columns[column].content != .entity && columns[column].content != .version
    }
    var table = Table(
      number: number, name: rows.entity.name,
      columns: shown.map { columns[$0].content == .key ? "key" : columns[$0].name })
    table.isWide = shown.count > Self.mostOnPaper
    table.files = folder?.files(of: number, in: place) ?? []
    // Those that are gone come last, and belong among the others.
    let isOrdered = stateColumn == nil
    var page = 0
    var damage: String?
    do {
      try rows.forEach { row in
        guard isFolder || bytes < Self.mostBytes else {
          table.leftOut += 1
          return
        }
        let state = stateColumn.flatMap { column -> String? in
          let words = RowText(row.value(column)).text
          return words == "live" ? nil : words
        }
        var cells: HTML = ""
        for (place, column) in shown.enumerated() {
          let value = row.value(column)
          if Self.isNumber(value) { table.numbers.insert(place) }
          cells += cell(value, columns[column], isLabelled: table.isWide)
        }
        let isFirst = taken.insert([Int64(place), row.key]).inserted
        let id: HTML = isFirst ? " id=\"r-\(place)-\(row.key)\"" : ""
        let mark: HTML =
          state.map { "<td class=\"state\"><b>\($0)</b></td>" } ?? (stateColumn == nil ? "" : "<td></td>")
        if state != nil { table.gone += 1 }
        let style: HTML = state == nil ? "" : " class=\"gone\""
        let line: HTML = "<tr\(id)\(style)>\(mark)\(cells)</tr>\n"
        bytes += line.text.utf8.count
        if isOrdered, let own = folder?.page(of: row.key, number: number, in: place), own > page {
          try flush(&table, through: own, &page, body)
        }
        table.rows.append((row.key, line))
      }
    } catch let error as SQLiteError {
      damage = "not all could be read: \(error)"
    }
    table.remarks = rows.remarks + [damage].compactMap(\.self)
    if stateColumn != nil {
      table.columns.insert("state", at: 0)
      table.numbers = Set(table.numbers.map { $0 + 1 })
    }
    // Deleted objects and earlier versions stand where they were.
    let order = table.rows.indices.sorted { (table.rows[$0].key, $0) < (table.rows[$1].key, $1) }
    table.rows = order.map { table.rows[$0] }
    if let folder {
      let whole = table.rows
      table.rows = []
      for row in whole {
        let own = folder.page(of: row.key, number: number, in: place)
        if own > page { try flush(&table, through: own, &page, body) }
        table.rows.append(row)
      }
      try flush(&table, through: table.files.count, &page, body)
    }
    tables.append(table)
  }

  /// Makes the pages before one, of the rows that are there.
  private func flush(
    _ table: inout Table, through next: Int, _ page: inout Int, _ body: (RowPage) throws -> Void
  ) throws {
    while page < min(next, table.files.count) {
      try body(RowPage(table: table, page: page))
      table.written += table.rows.count
      table.rows = []
      page += 1
    }
  }

  /// Whether it has a word that paper has to break.
  private static func hasLongWord(_ text: String) -> Bool {
    var length = 0
    for byte in text.utf8 {
      length = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-") ? 0 : length + 1
      if length > 24 { return true }
    }
    return false
  }

  private static func isNumber(_ value: RowValue) -> Bool {
    switch value {
    case .integer, .real, .decimal: true
    case _: false
    }
  }

  private func cell(_ value: RowValue, _ column: RowColumn, isLabelled: Bool) -> HTML {
    let label: HTML = isLabelled ? " data-label=\"\(column.content == .key ? "key" : column.name)\"" : ""
    switch (value, column.content) {
    case (.key(let key), .toOne(let destination)): return "<td\(label)>\(link(key, destination))</td>"
    case (.keys(let keys), .toMany(let destination, _)):
      let links = keys.prefix(Self.mostLinks).map { link($0, destination) }
      let more: HTML = keys.count > links.count ? " and \(keys.count - links.count) more" : ""
      let style: HTML = links.count > 2 ? " class=\"l\"" : ""
      return "<td\(label)\(style)>\(links, separator: ", ")\(more)</td>"
    case (.null, _): return "<td\(label) class=\"null\">NULL</td>"
    case (.absent, _): return "<td\(label)></td>"
    case (.integer, _), (.real, _), (.decimal, _), (.key, _):
      return "<td\(label) class=\"r\">\(RowText(value).text)</td>"
    default:
      let text = cut(RowText(value, upTo: Self.longest).text, to: Self.longest)
      let style: HTML =
        text.utf8.count > Self.longestBlock
        ? " class=\"w\""
        : text.utf8.count > Self.longestLine ? " class=\"l\"" : Self.hasLongWord(text) ? " class=\"b\"" : ""
      return "<td\(label)\(style)>\(text)</td>"
    }
  }

  private func link(_ key: Int64, _ destination: String?) -> HTML {
    guard let place = destination.flatMap({ places[$0] }) else { return "\(key)" }
    let words = titles[place]?[key] ?? "\(key)"
    guard let folder else { return "<a href=\"#r-\(place)-\(key)\">\(words)</a>" }
    // What is on no page, no link leads to.
    guard let file = folder.file(of: key, in: place) else { return "\(words)" }
    return "<a href=\"\(file)#r-\(place)-\(key)\">\(words)</a>"
  }

  private func cut(_ text: String, to length: Int) -> String {
    guard text.unicodeScalars.count > length else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(length))) + "…"
  }
}
