import StoreInspection
import StoreText
import StoreWords

/// The inspection as text: a verdict line, problems, the entities as a tree, then the rest.
extension Inspection {
  /// - Parameters:
  ///   - width: columns of the terminal.
  ///   - isStyled: whether escape sequences may be used.
  ///   - isClose: whether to show entities with their columns, as when asked for by name, and not as a tree.
  ///   - leavesOutEmpty: whether entities without rows (of their own or of a subentity) and empty join tables are only
  ///     counted. Those whose rows cannot be counted are shown.
  package func text(width: Int, isStyled: Bool, isClose: Bool = false, leavesOutEmpty: Bool = false) -> String {
    var page = Page(width: width, isStyled: isStyled)
    page.paragraph(verdict, indent: 0, first: "", style: .strong)
    // A log of another store is in the verdict, with the reasons.
    if store.identity.reading.log != .foreign {
      page.write(store.identity.reading, saysJournal: false, saysUnread: false)
    }
    for problem in problems { page.paragraph(escapedForTerminal(problem), first: "  ! ", style: .warning) }
    if let commits {
      writeCommits(commits, to: &page)
      return page.text
    }
    if isClose {
      for entity in entities { entity.writeClosely(to: &page) }
      cloudKit.write(to: &page)
      return page.text
    }
    writeEntities(to: &page, leavesOutEmpty: leavesOutEmpty)
    writeJoinTables(to: &page, leavesOutEmpty: leavesOutEmpty)
    writeMetadata(to: &page)
    writeHashes(to: &page)
    writeFiles(to: &page)
    writeHistory(to: &page)
    cloudKit.write(to: &page)
    writeDeleted(to: &page)
    writeUnexplained(to: &page)
    writeNext(to: &page)
    return page.text
  }

  /// "Core Data store, framework 1251, model version '2', 14 entities, 5,010 objects; 4 frames of its WAL ..."
  package var verdict: String {
    var parts = ["Core Data store"]
    parts.append(metadata.frameworkVersion.map { "framework \($0)" } ?? "framework unknown")
    let identifiers = metadata.versionIdentifiers.filter { !$0.isEmpty }
    if !identifiers.isEmpty { parts.append("model version \(identifiers.map(quoted).joined(separator: ", "))") }
    parts.append(counted(Int64(entityCount), "entity", "entities"))
    parts.append(objectCount.map { counted($0, "object") } ?? "objects not all countable")
    return ([parts.joined(separator: ", ")] + walClauses).joined(separator: "; ")
  }

  private var walClauses: [String] {
    var clauses: [String] = []
    if let moment = store.identity.asOf { clauses.append("as of \(moment.words) in its WAL") }
    if let journal = store.hotJournal {
      clauses.append("\(counted(journal.pagesRestored, "page")) put back in memory from a hot rollback journal")
    }
    guard let wal = store.wal, wal.committedFrames > 0 else { return clauses }
    if wal.belongsToStore == "no" {
      clauses.append("its WAL belongs to another store and was not read")
    } else if !wal.isRead, store.identity.asOf == nil {
      clauses.append("main file alone, \(counted(wal.framesNotInMain, "page")) of its WAL left out")
    } else if wal.framesNotInMain > 0, store.identity.asOf == nil {
      let frames = counted(wal.framesNotInMain, "frame")
      clauses.append("\(frames) of its WAL \(wal.framesNotInMain == 1 ? "is" : "are") not in the main file")
    }
    return clauses
  }

  // MARK: Entities

  /// Entities with rows come first, each in the model's order: in a large store most are empty.
  private func writeEntities(to page: inout Page, leavesOutEmpty: Bool) {
    let all = entities.filter { !$0.isInternal }
    guard !all.isEmpty else { return }
    let filled = Self.namesWithRows(all)
    let empty = all.filter { !filled.contains($0.name) }
    let shown = all.filter { filled.contains($0.name) } + (leavesOutEmpty ? [] : empty)
    let children = Dictionary(grouping: shown, by: { $0.parent ?? "" })
    let names = Set(shown.map(\.name))
    var lines: [(name: String, entity: Entity)] = []
    var pending = shown.filter { $0.parent.map { !names.contains($0) } ?? true }.reversed().map { ($0, 0) }
    var seen: Set<Int64> = []
    while let (entity, level) = pending.popLast() {
      guard seen.insert(entity.number).inserted else { continue }
      lines.append((String(repeating: "  ", count: level) + entity.title, entity))
      pending += (children[entity.name] ?? []).reversed().map { ($0, min(level + 1, 12)) }
    }
    page.section("Entities" + model.remark)
    let nameWidth = min(lines.map(\.name.displayWidth).max() ?? 0, page.width / 2)
    let countWidth = lines.map { $0.entity.rowsText.displayWidth }.max() ?? 0
    let sizeWidth = lines.compactMap { $0.entity.bytes.map { bytesText($0).displayWidth } }.max()
    let links = lines.map { $0.entity.relationships.filter { $0.declaredBy == nil } }
    let arrows = links.map { $0.map(\.arrow) }
    let leadWidth = 2 + nameWidth + 2 + countWidth + (sizeWidth.map { $0 + 2 } ?? 0)
    // Of many entities each has one line, so that all of them can be seen at once.
    let isCompact = all.count > Self.mostInFull
    // Below the entity where the longest does not fit beside it.
    let isBelow = !isCompact && (arrows.joined().map(\.displayWidth).max() ?? 0) > page.width - leadWidth - 3
    for ((name, entity), own) in zip(lines, links) {
      var lead = "  " + name.padded(to: nameWidth) + "  " + entity.rowsText.rightAligned(to: countWidth)
      if let sizeWidth {
        lead += "  " + (entity.bytes.map(bytesText) ?? "").rightAligned(to: sizeWidth)
      }
      let indent = isBelow ? 6 : lead.displayWidth + 2
      let links =
        isCompact
        ? [Self.fitting(own, width: page.width - indent)].filter { !$0.isEmpty }
        : wrapped(own.map(\.arrow), separator: ", ", width: page.width - indent - 1)
      if isBelow || links.isEmpty { page.line(lead) }
      for (position, link) in links.enumerated() {
        let start = position == 0 && !isBelow ? lead + "  " : String(repeating: " ", count: indent)
        let words = position + 1 < links.count ? link + "," : link
        // One that is too long by itself goes on below.
        if words.displayWidth > page.width - indent, isBelow {
          page.paragraph(words, first: start, style: .faint)
        } else {
          page.line(start + page.styled(words, as: .faint))
        }
      }
    }
    page.line(page.styled("  rows of each entity alone; → to one, ⇉ to many", as: .faint))
    if isCompact {
      page.line(page.styled("  +3: so many links more; --entity NAME shows all", as: .faint))
    }
    if leavesOutEmpty, !empty.isEmpty {
      page.line(
        page.styled("  left out: " + counted(Int64(empty.count), "entity", "entities") + " without rows", as: .faint))
    }
  }

  /// The most entities that are shown with all their links.
  private static let mostInFull = 25

  /// "moment → Moment, +12": as many links as a line has room for, and how many others there are. Where not even one has, its
  /// destination alone.
  private static func fitting(_ links: [Relationship], width: Int) -> String {
    let line = fitting(links.map(\.arrow), width: width)
    return line.hasPrefix("+") ? fitting(links.map(\.end), width: width) : line
  }

  private static func fitting(_ words: [String], width: Int) -> String {
    var line = ""
    for (number, word) in words.enumerated() {
      let longer = line.isEmpty ? word : line + ", " + word
      let others = words.count - number - 1
      guard (longer + (others > 0 ? ", +\(others)" : "")).displayWidth <= width else {
        return line + (line.isEmpty ? "+" : ", +") + "\(words.count - number)"
      }
      line = longer
    }
    return line
  }

  /// Names of the entities that have rows, whose rows cannot be counted, or that have such a subentity.
  private static func namesWithRows(_ entities: [Entity]) -> Set<String> {
    let parents = Dictionary(entities.map { ($0.name, $0.parent) }, uniquingKeysWith: { first, _ in first })
    var names: Set<String> = []
    for entity in entities where entity.rows != 0 {
      var name: String? = entity.name
      // Ends at a name seen before, so at a loop of parents too.
      while let current = name, names.insert(current).inserted { name = parents[current] ?? nil }
    }
    return names
  }

  private func writeJoinTables(to page: inout Page, leavesOutEmpty: Bool) {
    let emptyCount = leavesOutEmpty ? self.joinTables.count { $0.rows == 0 } : 0
    let joinTables = leavesOutEmpty ? self.joinTables.filter { $0.rows != 0 } : self.joinTables
    guard !joinTables.isEmpty || emptyCount > 0 else { return }
    page.section("Many-to-many tables")
    let width = joinTables.map { escapedForTerminal($0.name).displayWidth }.max() ?? 0
    let countWidth = joinTables.map { $0.rowsText.displayWidth }.max() ?? 0
    let longest = joinTables.flatMap { [$0.source.text, $0.destination.text] }.map(\.displayWidth).max() ?? 0
    // Below the table where they do not fit beside it.
    let isBelow = longest + 2 > page.width - width - countWidth - 6
    for table in joinTables {
      var words = "\(table.source.text) ⇉ \(table.destination.text)"
      if let bytes = table.bytes { words += ", \(bytesText(bytes))" }
      let lead =
        "  " + escapedForTerminal(table.name).padded(to: width) + "  " + table.rowsText.rightAligned(to: countWidth)
      if isBelow { page.line(lead) }
      page.paragraph(words, indent: 6, first: isBelow ? "      " : lead + "  ", style: .faint)
    }
    if emptyCount > 0 {
      page.line(page.styled("  left out: " + counted(Int64(emptyCount), "table") + " without rows", as: .faint))
    }
  }

  // MARK: The rest

  private func writeMetadata(to page: inout Page) {
    page.section("Metadata")
    page.field("UUID", metadata.uuid.map(escapedForTerminal) ?? "none")
    page.field("framework", metadata.frameworkVersion.map { String($0) } ?? "unknown")
    page.field(
      "identifiers",
      metadata.versionIdentifiers.isEmpty ? "none" : metadata.versionIdentifiers.map(quoted).joined(separator: ", "))
    if let consistent = metadata.digestConsistent {
      page.field("digest", consistent ? "follows from the hashes" : "does NOT follow from the hashes")
    }
    if let consistent = metadata.checksumConsistent {
      page.field(
        "checksum",
        "\(escapedForTerminal(metadata.checksum ?? "")) "
          + (consistent ? "(follows from the hashes)" : "(does NOT follow from the hashes)"))
    }
    guard !metadata.otherKeys.isEmpty else { return }
    guard let values = metadata.otherValues else {
      page.field(
        "app's keys",
        metadata.otherKeys.map(escapedForTerminal).joined(separator: ", ") + " (values hidden; --show-values)")
      return
    }
    for key in metadata.otherKeys { page.field(escapedForTerminal(key), escapedForTerminal(values[key] ?? "")) }
  }

  private func writeHashes(to page: inout Page) {
    let described = entities.filter { $0.versionHash != nil }
    guard !described.isEmpty else { return }
    page.section("Version hashes")
    let differing = described.filter { $0.versionHash?.isEqual == false }
    let uncompared = described.filter { $0.versionHash?.isEqual == nil }
    if differing.isEmpty && uncompared.isEmpty {
      page.paragraph("stored = computed from the \(model.name), all \(described.count)")
    }
    if !uncompared.isEmpty {
      let why =
        model.source == "inferred" ? "there is no model cache" : "not in both the metadata and the \(model.name)"
      page.paragraph("\(uncompared.count) of \(described.count) not compared: \(why)")
    }
    for entity in differing {
      page.paragraph("\(escapedForTerminal(entity.name)): stored and computed differ", style: .warning)
      page.line("    stored    " + (entity.versionHash?.stored ?? "none"))
      page.line("    computed  " + (entity.versionHash?.computed ?? "none"))
    }
    let unproven = Set(described.flatMap { $0.versionHash?.unproven ?? [] }).sorted()
    if !unproven.isEmpty {
      page.paragraph("computed by rules no real store has confirmed: \(unproven.joined(separator: "; "))")
    }
  }

  private func writeFiles(to page: inout Page) {
    page.section("Files")
    let names = ["main": "main file", "wal": "WAL", "shm": "WAL index", "journal": "journal", "support": "support"]
    for file in store.files {
      var words = bytesText(file.bytes)
      if file.role == "main" {
        words += ", pages of \(grouped(Int64(store.pageSize))), \(grouped(store.freePages)) free"
        words += ", journal mode \(store.journalMode)"
      }
      if file.role == "wal", let wal = store.wal { words += ", " + wal.summary }
      page.field(names[file.role] ?? file.role, words)
      if file.role == "wal" {
        for reason in store.wal?.reasons ?? [] {
          page.paragraph(escapedForTerminal(reason), first: "                  - ")
        }
      }
      if let digest = file.sha256 { page.field("", "SHA-256 " + digest) }
    }
    guard externalData.references > 0 else { return }
    var words = counted(externalData.references, "reference")
    if let found = externalData.found, let missing = externalData.missing {
      words += ", \(grouped(found)) found, \(grouped(missing)) missing"
    }
    page.field("external data", words)
  }

  private func writeHistory(to page: inout Page) {
    guard history.isPresent || cloudKit.isMirrored else { return }
    page.section("History")
    if history.isPresent {
      var words = [counted(history.transactions ?? 0, "transaction"), counted(history.changes ?? 0, "change")]
      if let oldest = history.oldest, let newest = history.newest {
        words.append("\(timestamp(oldest)) to \(timestamp(newest))")
      }
      if let bytes = history.bytes { words.append(bytesText(bytes)) }
      page.paragraph(words.joined(separator: ", "))
      if let gone = history.goneWords { page.paragraph(gone) }
    }
    if cloudKit.isMirrored { page.paragraph("mirrored to CloudKit") }
  }

  /// Writes the facts that are known without searching the file, and the others.
  private func writeDeleted(to page: inout Page) {
    guard !deleted.isEmpty else { return }
    page.section("Deleted")
    for entity in deleted {
      let name = escapedForTerminal(entity.entity)
      if let proved = entity.proved, proved > 0 {
        page.paragraph(
          "\(entity.isAtLeast ? "at least " : "")\(grouped(proved)) deleted \(name) \(proved == 1 ? "object" : "objects") can be "
            + "proved by the history")
      }
      if let unused = entity.unusedKeys, unused > 0 {
        page.paragraph(
          "\(counted(unused, "key")) of \(name) \(unused == 1 ? "was" : "were") handed out and \(unused == 1 ? "is" : "are") "
            + "not in use\(entity.proved ?? 0 > 0 ? ", proved ones among them" : ""): deleted, or never saved")
      }
    }
    page.paragraph("What is left of them is not looked for here: recover reads the whole file", style: .faint)
  }

  private func writeUnexplained(to page: inout Page) {
    guard !unexplained.isEmpty else { return }
    page.section("Not understood")
    for item in unexplained {
      let name = [item.table, item.column ?? item.index].compactMap(\.self).joined(separator: ".")
      page.paragraph("\(escapedForTerminal(name)): \(item.why)")
    }
  }

  private func writeNext(to page: inout Page) {
    let path = shellQuoted(pathWord(store.path))
    page.section("Next")
    if let wal = store.wal, wal.isRead, wal.framesNotInMain > 0 {
      page.command("storedoctor inspect \(path) --without-wal")
    }
    let largest = entities.filter { !$0.isInternal && !$0.isAbstract }.max { ($0.rows ?? 0) < ($1.rows ?? 0) }
    if let largest {
      page.command("storedoctor rows \(path) \(shellQuoted(largest.name))")
      page.command("storedoctor inspect \(path) --entity \(shellQuoted(largest.name))")
    }
    if !deleted.isEmpty, store.identity.asOf == nil { page.command("storedoctor recover \(path)") }
    page.command("storedoctor inspect \(path) --format json")
  }
}

// MARK: CloudKit

extension Inspection.CloudKit {
  /// The table of what CloudKit knows, if it was asked for.
  fileprivate func write(to page: inout Page) {
    guard let entities else { return }
    page.section("CloudKit")
    let known = entities.filter { $0.objects > 0 || $0.toBeDeleted > 0 || $0.ghosts > 0 }
    if known.isEmpty { page.paragraph("no objects and no records") }
    page.table(
      ["entity", "objects", "uploaded", "waiting", "to be deleted", "ghosts", "without record"],
      rows: known.map(\.cells), rightAligned: [1, 2, 3, 4, 5, 6])
    if let unknownRecords, unknownRecords > 0 {
      page.paragraph("\(counted(unknownRecords, "record")) of entities that the store does not know", style: .warning)
    }
    page.paragraph(
      "as the store believes; ghosts are records without object; what has no record is sent as new", style: .faint)
  }
}

extension Inspection.MirroredEntity {
  fileprivate var cells: [String] {
    [escapedForTerminal(entity)]
      + [objects, uploaded, waiting, toBeDeleted, ghosts, withoutRecord].map { $0 == 0 ? "-" : grouped($0) }
  }
}

// MARK: Pieces

extension Inspection.ModelFacts {
  fileprivate var name: String { source == "given" ? "given model" : "model cache" }

  fileprivate var remark: String {
    switch source {
    case "given": " (as described by \(escapedForTerminal(path ?? "the given model")))"
    case "inferred": " (inferred from the tables: there is no model)"
    default: ""
    }
  }
}

extension Inspection.Entity {
  fileprivate var title: String {
    var text = escapedForTerminal(name)
    if let modelName { text += " (in the model: \(escapedForTerminal(modelName)))" }
    return text + (isAbstract ? " (abstract)" : "")
  }

  fileprivate var rowsText: String { rows.map(grouped) ?? "?" }

  fileprivate func writeClosely(to page: inout Page) {
    page.section("\(title), number \(number)")
    var facts = ["table \(escapedForTerminal(table))", rows.map { counted($0, "row") } ?? "rows not countable"]
    if let parent { facts.append("inherits from \(escapedForTerminal(parent))") }
    if let highWater, parent == nil { facts.append("highest key handed out \(grouped(highWater))") }
    if let bytes { facts.append(bytesText(bytes)) }
    page.paragraph(facts.joined(separator: ", "))
    page.table(
      ["attribute", "column", "type", "nulls", ""], rows: attributes.map(\.cells), rightAligned: [3], wrapping: 4)
    page.table(
      ["relationship", "", "kept in", "nulls", ""], rows: relationships.map { $0.cells(in: table) }, rightAligned: [3],
      wrapping: 4)
    for constraint in uniquenessConstraints {
      page.paragraph("unique: \(constraint.map(escapedForTerminal).joined(separator: " + "))")
    }
    for index in indexes ?? [] {
      let columns = index.columns.map(escapedForTerminal).joined(separator: ", ")
      page.paragraph("\(index.isUnique ? "unique index" : "index") \(escapedForTerminal(index.name)) (\(columns))")
    }
    if let hash = versionHash {
      page.paragraph(
        "version hash \(hash.stored ?? "not stored")"
          + (hash.isEqual.map { $0 ? " = computed" : ", computed \(hash.computed ?? "")" } ?? ""))
    }
  }
}

extension Inspection.Attribute {
  fileprivate var cells: [String] {
    var marks: [String] = []
    if isTransient { marks.append("transient") }
    if isDerived { marks.append("derived") }
    if allowsExternalStorage { marks.append("external storage") }
    if let declaredBy { marks.append("from \(escapedForTerminal(declaredBy))") }
    if let certainty { marks.append(certainty) }
    if !missing.isEmpty { marks.append("no column for \(missing.map(escapedForTerminal).joined(separator: ", "))") }
    let nullText = columns.compactMap { nulls?[$0].map(grouped) }.joined(separator: "/")
    return [
      escapedForTerminal(name), columns.map(escapedForTerminal).joined(separator: " "),
      type + (isOptional ? ", optional" : ""), nullText, marks.joined(separator: ", "),
    ]
  }
}

extension Inspection.Relationship {
  /// "moment → Moment".
  fileprivate var arrow: String { "\(escapedForTerminal(name)) \(end)" }

  /// "→ Moment".
  fileprivate var end: String { "\(isToMany ? "⇉" : "→") \(destination.map(escapedForTerminal) ?? "?")" }

  fileprivate func cells(in entityTable: String) -> [String] {
    var place = joinTable ?? column ?? (isTransient ? "" : isToMany ? "no table" : "no column")
    if let table, let column, table != entityTable { place = "\(table).\(column)" }
    if let companionColumn { place += " " + companionColumn }
    if let orderColumn { place += " " + orderColumn }
    var marks: [String] = []
    if isTransient { marks.append("transient") }
    if isOrdered { marks.append("ordered") }
    if !isOptional { marks.append("required") }
    if let inverse { marks.append("inverse \(escapedForTerminal(inverse))") }
    if let declaredBy { marks.append("from \(escapedForTerminal(declaredBy))") }
    if let certainty { marks.append(certainty) }
    return [
      escapedForTerminal(name), "\(isToMany ? "⇉" : "→") \(destination.map(escapedForTerminal) ?? "?")",
      escapedForTerminal(place), nulls.map(grouped) ?? "", marks.joined(separator: ", "),
    ]
  }
}

extension Inspection.JoinTable {
  fileprivate var rowsText: String { rows.map(grouped) ?? "?" }
}

extension Inspection.JoinTable.End {
  fileprivate var text: String { "\(escapedForTerminal(entity)).\(escapedForTerminal(relationship))" }
}

extension Inspection.WAL {
  fileprivate var summary: String {
    guard frames > 0 else { return "no frames" }
    var words = "\(counted(committedFrames, "committed frame")) of \(grouped(frames))"
    if committedFrames > 0 {
      words += framesNotInMain == 0 ? ", all in the main file already" : ""
      words += ", belongs to the store: \(belongsToStore)"
      if !isRead { words += ", not read" }
    }
    return words
  }
}

/// "32,768 bytes".
func bytesText(_ bytes: Int64) -> String { counted(bytes, "byte") }

/// A path that no command takes for an option.
func pathWord(_ path: String) -> String { path.hasPrefix("-") ? "./" + path : path }

/// A word quoted for a POSIX shell, with control characters escaped in `$'...'`.
package func shellQuoted(_ word: String) -> String {
  let plain = word.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "/._-+@%=:,".utf8.contains(byte)
    }
  }
  if plain && !word.isEmpty { return word }
  return "'" + escapedForTerminal(word).replacing("'", with: "'\\''") + "'"
}

extension Inspection.History {
  /// "24 transactions (1 to 24) and 660 changes (1 to 660) are not there any more: ..."; nil where none is gone.
  var goneWords: String? {
    func words(_ gone: [Inspection.GoneNumbers], of noun: String) -> String? {
      guard !gone.isEmpty else { return nil }
      let ranges = gone.map { range in
        let isWhole = range.count == range.last - range.first + 1
        let ends =
          range.first == range.last ? "\(grouped(range.first))" : "\(grouped(range.first)) to \(grouped(range.last))"
        return isWhole ? ends : "\(grouped(range.count)) of \(ends)"
      }
      return "\(counted(gone.reduce(0) { $0 + $1.count }, noun)) (\(ranges.joined(separator: ", ")))"
    }
    let parts = [words(goneTransactions, of: "transaction"), words(goneChanges, of: "change")].compactMap(\.self)
    guard !parts.isEmpty else { return nil }
    let count = (goneTransactions + goneChanges).reduce(0) { $0 + $1.count }
    return
      "\(parts.joined(separator: " and ")) \(count == 1 ? "was" : "were") handed out and \(count == 1 ? "is" : "are") not "
      + "there: trimmed, or never saved; recover and timeline --deleted look for what is left of them"
  }
}
