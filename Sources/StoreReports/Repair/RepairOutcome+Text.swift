import StoreSQLite
import StoreWords
import StoreRepair
import StoreJSON

extension RepairOutcome {
  /// "repaired: 3 operations, 14 changes, verified".
  package var verdictLine: String {
    let changes = plan.operations.map(\.expectedChanges).reduce(0, +)
    guard !plan.isEmpty else {
      let words = plan.obstacles.isEmpty ? "nothing to do" : "nothing can be done of what was asked for"
      return store == plan.store.path ? words : words + ": written as it was"
    }
    return "repaired: \(counted(Int64(plan.operations.count), "operation")), \(counted(Int64(changes), "change")); "
      + "verified"
  }

  /// The outcome as text.
  ///
  /// - Parameters:
  ///   - width: columns of the terminal.
  ///   - isStyled: whether escape sequences may be used.
  package func text(width: Int, isStyled: Bool) -> String {
    var page = Page(width: width, isStyled: isStyled)
    page.paragraph(verdictLine, indent: 0, first: "", style: .strong)
    plan.writeOperations(to: &page)
    plan.writeObstacles(to: &page)
    plan.writeModel(after: condition.opening, to: &page)
    plan.writeChanges(to: &page)
    plan.writeNotices(to: &page)
    page.section("Written")
    if let journal {
      page.field("store", escapedForTerminal(store))
      page.field("journal", escapedForTerminal(journal) + " (holds the store as it was; only you can read it)")
    } else if store != plan.store.path {
      page.field("store", escapedForTerminal(store))
      page.field("untouched", escapedForTerminal(plan.store.path))
    } else {
      page.paragraph("nothing")
    }
    page.section("Next")
    let model = plan.aim.map { " --model \(shellQuoted($0.path))" } ?? ""
    page.command("storedoctor diagnose \(shellQuoted(store))\(model)")
    if let journal { page.command("storedoctor undo \(shellQuoted(journal))") }
    return page.text
  }

  /// The outcome for scripts; its JSON Schema is `docs/schemas/outcome.json`.
  package var json: JSONValue {
    .object([
      ("schema", .string("storedoctor.outcome/2")), ("tool", .object(["version": .string(toolVersion)])),
      ("action", .string("repair")),
      ("store", .object([("path", .string(store)), ("uuid", .optional(plan.store.uuid))])),
      ("source", .string(plan.store.path)), ("model", plan.aim?.json),
      ("journal", .optional(journal)),
      (
        "operations",
        .array(
          plan.operations.map {
            .object([
              ("repair", .string($0.repair.rawValue)), ("summary", .string($0.summary)),
              ("entity", .optional($0.entity)), ("property", .optional($0.property)),
              ("grade", .string($0.grade.rawValue)), ("changes", .integer(Int64($0.expectedChanges))),
            ])
          })
      ),
      ("obstacles", .array(plan.obstacles.map(\.json))), ("notices", .strings(plan.notices)),
      ("before", plan.before.json), ("after", condition.json),
    ])
  }
}

extension UndoOutcome {
  /// A summary of the work done, in a sentence.
  package var verdictLine: String {
    switch way {
    case .nothing: "nothing had been changed: the repair stopped before its commit"
    case .bytes: "taken back: the store's files are as they were, byte for byte"
    case .rows: "taken back: the repair's changes, row by row; what changed since is kept"
    }
  }

  /// The outcome as text.
  package func text(of journal: String, width: Int, isStyled: Bool) -> String {
    var page = Page(width: width, isStyled: isStyled)
    page.paragraph(verdictLine, indent: 0, first: "", style: .strong)
    guard let paths else { return page.text }
    page.section("Next")
    page.command("storedoctor diagnose \(shellQuoted(paths.store.description))")
    page.command("storedoctor undo \(shellQuoted(paths.journal.description))")
    return page.text
  }

  /// The outcome for scripts; its JSON Schema is `docs/schemas/outcome.json`.
  package func json(of journal: String) -> JSONValue {
    .object([
      ("schema", .string("storedoctor.outcome/2")), ("tool", .object(["version": .string(toolVersion)])),
      ("action", .string("undo")), ("undid", .string(journal)), ("way", .string(way.rawValue)),
      ("store", paths.map { .object(["path": .string($0.store.description)]) }),
      ("journal", .optional(paths?.journal.description)),
    ])
  }
}
