import StoreInspection
import StoreWords

// What takes the room.

extension StorePage {
  var sizes: ReportPage.Section {
    let (parts, all) = (sizeParts, sizeRows)
    let external = externalBytes
    guard !parts.isEmpty || external != nil else { return ReportPage.Section(id: "sizes", title: "Sizes", content: "") }
    let files: HTML =
      external.map { "<p>\(grouped($0)) bytes more lie in the folder of external files.</p>\n" } ?? ""
    return ReportPage.Section(
      id: "sizes", title: "Sizes",
      remark: "Bytes of the main file, with what its log changes: first by what they are for, then each table.",
      content: (parts.isEmpty ? "" : whole(parts)) + files + (all.isEmpty ? "" : tables(all)))
  }

  /// One bar for all, with its parts in a table.
  private func whole(_ parts: [Part]) -> HTML {
    let sum = max(parts.reduce(Int64(0)) { $0 &+ $1.bytes }, 1)
    var (start, bars): (Int, HTML) = (0, "")
    for part in parts {
      let width = Self.share(part.bytes, of: sum)
      bars += "<rect class=\"\(part.style)\" x=\"\(start)\" width=\"\(max(width - 2, 1))\" height=\"24\"/>"
      start += width
    }
    let rows = HTML.each(parts) { part in
      """
      <tr><th scope="row"><svg class="key" viewBox="0 0 10 10" aria-hidden="true"><rect class="\(part.style)" width="10" height="10"/></svg>\(part.name)</th><td class="r">\(grouped(part.bytes))</td><td class="r">\(Self.percent(part.bytes, of: sum))</td></tr>

      """
    }
    return """
      <svg class="whole" viewBox="0 0 1000 24" preserveAspectRatio="none" aria-hidden="true">\(bars)</svg>
      <table class="parts"><thead><tr><th scope="col">part</th><th scope="col" class="r">bytes</th><th scope="col" class="r">share</th></tr></thead><tbody>
      \(rows)</tbody></table>

      """
  }

  private func tables(_ all: [TableRow]) -> HTML {
    let most = max(all.map(\.bytes).max() ?? 0, 1)
    let rows = HTML.each(all) { row in
      let (whole, indexes) = (Self.share(row.bytes, of: most), Self.share(row.indexes, of: most))
      let own = max(whole - indexes, 0)
      let words = row.indexes > 0 ? grouped(row.indexes) : ""
      return """
        <tr><th scope="row">\(row.name)</th><td class="bars"><svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true"><rect class="objects" width="\(own)" height="10"/><rect class="indexes" x="\(own)" width="\(indexes)" height="10"/></svg></td><td class="r">\(grouped(row.bytes))</td><td class="r">\(words)</td></tr>

        """
    }
    return """
      <h3 class="sub">Tables, with their indexes</h3>
      <table class="sizes"><thead><tr><th scope="col">table of</th><th scope="col"><span class="vh">share</span></th><th scope="col" class="r">bytes</th><th scope="col" class="r">of indexes</th></tr></thead><tbody>
      \(rows)</tbody></table>

      """
  }

  /// A part of the file.
  private struct Part {
    var name: String
    var style: HTML
    var bytes: Int64
  }

  /// A table with its indexes.
  private struct TableRow {
    var name: String
    var bytes: Int64
    var indexes: Int64
  }

  private var sizeParts: [Part] {
    guard !inspection.parts.isEmpty else { return [] }
    let free = inspection.store.freePages.multipliedReportingOverflow(by: Int64(inspection.store.pageSize))
    var parts = SizePart.allCases.compactMap { part in
      inspection.parts[part].map { Part(name: part.name, style: part.style, bytes: $0) }
    }
    parts.append(Part(name: "free pages", style: "free", bytes: free.overflow ? 0 : max(free.partialValue, 0)))
    let known = parts.reduce(Int64(0)) { $0 &+ $1.bytes }
    if inspection.store.wal == nil, let file = inspection.store.files.first?.bytes, file > known {
      parts.append(Part(name: "pointer map, or in no tree", style: "rest", bytes: file - known))
    }
    return parts.filter { $0.bytes > 0 }
  }

  /// What takes room, the largest first.
  private var sizeRows: [TableRow] {
    let entities = inspection.entities.compactMap { entity in
      entity.bytes.map {
        TableRow(
          name: entity.isInternal ? "\(entity.name) (history or mirroring)" : entity.name, bytes: $0,
          indexes: entity.indexBytes ?? 0)
      }
    }
    let links = inspection.joinTables.compactMap { table in
      table.bytes.map { TableRow(name: table.name, bytes: $0, indexes: table.indexBytes ?? 0) }
    }
    return (entities + links).filter { $0.bytes > 0 }.sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
  }

  private var externalBytes: Int64? {
    inspection.store.files.first { $0.role == "support" && $0.bytes > 0 }?.bytes
  }

  /// Thousandths of a whole.
  private static func share(_ bytes: Int64, of whole: Int64) -> Int {
    let (product, overflow) = bytes.multipliedReportingOverflow(by: 1000)
    return overflow || whole <= 0 ? 0 : Int(max(0, min(product / whole, 1000)))
  }

  /// "12.5%", rounded and not cut.
  private static func percent(_ bytes: Int64, of whole: Int64) -> String {
    let (product, overflow) = bytes.multipliedReportingOverflow(by: 2000)
    guard !overflow, whole > 0 else { return "?" }
    let tenths = (product / whole + 1) / 2
    return bytes > 0 && tenths == 0 ? "< 0.1%" : "\(tenths / 10).\(tenths % 10)%"
  }
}

extension SizePart {
  fileprivate var name: String {
    switch self {
    case .objects: "objects"
    case .links: "many-to-many links"
    case .indexes: "indexes"
    case .history: "history, with its indexes"
    case .mirroring: "CloudKit mirroring, with its indexes"
    case .modelCache: "model cache"
    case .schema: "schema and metadata"
    case .other: "other tables, with their indexes"
    }
  }

  fileprivate var style: HTML {
    switch self {
    case .objects: "objects"
    case .links: "links"
    case .indexes: "indexes"
    case .history: "history"
    case .mirroring: "mirroring"
    case .modelCache: "cache"
    case .schema: "schema"
    case .other: "other"
    }
  }
}
