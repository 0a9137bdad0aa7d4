import StoreJSON
import StoreRows
import StoreText
import StoreWords

/// Collects what a comparison shows as text: the first changes of each entity.
package struct ComparisonText {
  private var examples: [String: [ObjectChange]] = [:]
  private var left: [String: Int] = [:]
  private let limit: Int

  /// - Parameter limit: the most objects that are shown of an entity.
  package init(limit: Int) { self.limit = limit }

  /// Takes the next object that is different.
  package mutating func add(_ change: ObjectChange) {
    if examples[change.entity, default: []].count < limit {
      examples[change.entity, default: []].append(change)
    } else {
      left[change.entity, default: 0] += 1
    }
  }

  /// The comparison as text: a verdict line, then the entities that are different.
  package func text(_ comparison: StoreComparison, width: Int, isStyled: Bool) -> String {
    var page = Page(width: width, isStyled: isStyled)
    page.paragraph(comparison.verdictLine, indent: 0, first: "", style: .strong)
    page.write(comparison.before.reading, of: "the first store")
    page.write(comparison.after.reading, of: "the second store")
    if let words = comparison.keysGivenAnew { page.paragraph(escapedForTerminal(words), first: "  ") }
    for (entity, reason) in comparison.notCompared {
      page.paragraph(escapedForTerminal("\(entity) is not compared: \(reason)"), first: "  ! ", style: .warning)
    }
    let unpaired = comparison.notCompared.map(\.entity).filter { name in
      !comparison.entities.contains { $0.name == name }
    }
    if let first = unpaired.first, comparison.before.reading.sound != .no, comparison.after.reading.sound != .no {
      page.paragraph(
        escapedForTerminal(
          "name an attribute to pair by, as in --by \(first).ATTRIBUTE, or use --by key if one store is a copy of the"
            + " other"), first: "    ")
    }
    for entity in comparison.entities where !entity.isEqual { write(entity, to: &page) }
    write("Only in the first store", entities: comparison.onlyBefore, to: &page)
    write("Only in the second store", entities: comparison.onlyAfter, to: &page)
    let doubtful = Set(comparison.notCompared.map(\.entity))
    let equal = comparison.entities.filter { $0.isEqual && !doubtful.contains($0.name) }
    if !equal.isEmpty {
      page.section("Equal")
      let names = equal.map { "\(escapedForTerminal($0.name)) \(grouped($0.after))" }
      page.paragraph(names.joined(separator: ", "))
    }
    return page.text
  }

  private func write(_ title: String, entities: [(entity: String, objects: Int64)], to page: inout Page) {
    guard !entities.isEmpty else { return }
    page.section(title)
    for (name, objects) in entities { page.paragraph("\(escapedForTerminal(name)): \(counted(objects, "object"))") }
  }

  private func write(_ entity: EntityComparison, to page: inout Page) {
    page.section(
      escapedForTerminal(entity.name) + (entity.nameBefore.map { " (before: \(escapedForTerminal($0)))" } ?? ""))
    let count =
      entity.before == entity.after
      ? counted(entity.after, "object") : "\(grouped(entity.before)) → \(counted(entity.after, "object"))"
    let by = entity.pairedBy == "key" ? "" : ", paired by \(escapedForTerminal(entity.pairedBy))"
    page.paragraph(count + by + (entity.countWords.isEmpty ? "" : ": \(entity.countWords)"))
    for (before, after) in entity.renamed {
      page.paragraph(escapedForTerminal("property \(before) is \(after) now"))
    }
    for fate in entity.dropped {
      page.paragraph(
        escapedForTerminal("property \(fate.name) is gone, with \(counted(fate.values, "value"))"), indent: 2,
        style: fate.values > 0 ? .warning : nil)
    }
    for fate in entity.new {
      let value =
        fate.constant.map { $0 == .null ? "NULL in all objects" : "\(Self.text($0)) in all objects" }
        ?? counted(fate.values, "value")
      page.paragraph(escapedForTerminal("property \(fate.name) is new: \(value)"))
    }
    for change in examples[entity.name] ?? [] { write(change, to: &page) }
    if let more = left[entity.name] {
      page.line(page.styled("  and \(counted(more, "object")) more: --limit, or --format jsonl for all", as: .faint))
    }
  }

  private func write(_ change: ObjectChange, to page: inout Page) {
    let key = (change.keyBefore ?? change.keyAfter).map { String($0) } ?? "?"
    let title = change.title.map { "  " + escapedForTerminal($0.replacing("\n", with: "↵")).cut(to: 50).text } ?? ""
    switch change.kind {
    case .added: page.line(page.styled("  + \(key)\(title)", as: .heading))
    case .removed: page.line(page.styled("  - \(key)\(title)", as: .error))
    case .moved: page.line("  > \(key) is \(change.keyAfter.map { String($0) } ?? "?") now\(title)")
    case .changed:
      let other = change.keyAfter == change.keyBefore ? "" : " (\(change.keyAfter.map { String($0) } ?? "?"))"
      page.line(page.styled("  ~ \(key)\(other)\(title)", as: .strong))
      for value in change.values { write(value, to: &page) }
    }
  }

  private func write(_ value: ObjectChange.ChangedValue, to page: inout Page) {
    let name = escapedForTerminal(value.property)
    let room = max(12, (page.width - name.displayWidth - 12) / 2)
    let (before, after) = (
      Self.text(value.before ?? .null).cut(to: room).text, Self.text(value.after ?? .null).cut(to: room).text
    )
    let order = value.isOrderOnly ? " (order)" : ""
    page.line("      \(name)\(order)  \(page.styled(before, as: .faint)) → \(after)")
  }

  /// A value on one line.
  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: "NULL"
    case .string(let text):
      text.isEmpty ? "\"\"" : escapedForTerminal(String(text.prefix(400)).replacing("\n", with: "↵"))
    case .object(let members):
      if case .integer(let length)? = members["length"], members.count == 1 {
        counted(length, "byte")
      } else {
        String(value.lineText.dropLast())
      }
    default: String(value.lineText.dropLast())
    }
  }
}

extension EntityComparison {
  /// "2 removed, 1 changed".
  fileprivate var countWords: String {
    [(removed, "removed"), (added, "added"), (changed, "changed"), (moved, "under another key")]
      .filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }.joined(separator: ", ")
  }
}

extension StoreComparison {
  /// "equal: 32 objects of 5 entities", or what is different.
  package var verdictLine: String {
    let total = entities.reduce(0) { $0 + $1.after }
    if isEqual == true {
      return "equal: \(counted(total, "object")) of \(counted(Int64(entities.count), "entity", "entities"))"
    }
    let removed = entities.reduce(0) { $0 + $1.removed } + onlyBefore.reduce(0) { $0 + $1.objects }
    let added = entities.reduce(0) { $0 + $1.added } + onlyAfter.reduce(0) { $0 + $1.objects }
    let changed = entities.reduce(0) { $0 + $1.changed }
    let moved = entities.reduce(0) { $0 + $1.moved }
    var words = [(removed, "removed"), (added, "added"), (changed, "changed"), (moved, "under another key")]
      .filter { $0.0 > 0 }.map { "\(counted($0.0, "object")) \($0.1)" }
    let models =
      entities.reduce(0) {
        $0 + $1.dropped.count + $1.new.count + $1.renamed.count + ($1.nameBefore == nil ? 0 : 1)
      } + onlyBefore.count + onlyAfter.count
    if models > 0 { words.append("the models differ") }
    if isOfStandIn, isEqual == nil {
      let found = "what was found is " + (words.isEmpty ? "equal" : "different: " + words.joined(separator: ", "))
      return "not known whether equal, since a store is too damaged to be read as it is; \(found)"
    }
    guard !words.isEmpty else {
      let entities = Set(notCompared.map(\.entity)).count
      return "not known whether equal: \(counted(Int64(entities), "entity", "entities")) not compared"
    }
    return "different: " + words.joined(separator: ", ")
  }
}
