import StoreCoreData
import StoreJSON
import StoreRows
import StoreWords

/// The entities of a store with their objects, as `rows STORE` lists them.
package struct EntityList {
  private let store: StoreIdentity
  private let entries: [EntityOverview]
  private let problems: [String]

  package init(_ overview: StoreOverview) {
    store = overview.store
    entries = overview.entities
    problems = overview.problems
  }

  /// The list as text.
  package func text(width: Int, isStyled: Bool) -> String {
    var page = Page(width: width, isStyled: isStyled)
    page.write(store.reading)
    for problem in problems { page.paragraph(escapedForTerminal(problem), first: "  ! ", style: .warning) }
    let shown = entries.filter { $0.rows != 0 }
    page.table(
      ["entity", "objects", "title", "inherits from"],
      rows: shown.map { entry in
        [
          escapedForTerminal(entry.name), entry.rows.map(grouped) ?? "?",
          entry.title.map(escapedForTerminal) ?? "", entry.parent.map(escapedForTerminal) ?? "",
        ]
      }, rightAligned: [1])
    let empty = entries.filter { $0.rows == 0 }
    if !empty.isEmpty {
      page.line()
      let names = empty.map { escapedForTerminal($0.name) }
      page.paragraph(
        "without objects: \(names.prefix(12).joined(separator: ", "))"
          + (names.count > 12 ? " and \(names.count - 12) more" : ""), indent: 2, style: .faint)
    }
    let path = shellQuoted(pathWord(store.path))
    if let largest = shown.max(by: { ($0.rows ?? 0) < ($1.rows ?? 0) }) {
      page.section("Next")
      page.command("storedoctor rows \(path) \(shellQuoted(largest.name))")
      page.command("storedoctor rows \(path) --format sqlite --output readable.sqlite")
    }
    // A table begins with an empty line, which the first thing on a screen does without.
    return String(page.text.drop { $0 == "\n" })
  }

  /// The list as JSON, `storedoctor.row-entities/1`.
  package var json: JSONValue {
    .object([
      ("schema", .string("storedoctor.row-entities/1")), ("tool", .object(["version": .string(toolVersion)])),
      ("store", store.json),
      (
        "entities",
        .array(
          entries.map { entry in
            .object([
              ("name", .string(entry.name)), ("rows", .optional(entry.rows)), ("title", .optional(entry.title)),
              ("parent", .optional(entry.parent)), ("columns", .array(entry.columns.map(\.json))),
            ])
          })
      ), ("problems", .strings(problems)),
    ])
  }
}

extension RowColumn {
  /// Name and type.
  package var json: JSONValue { .object([("name", .string(name)), ("type", .string(typeName))]) }
}
