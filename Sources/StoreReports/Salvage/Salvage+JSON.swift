import StoreJSON
import StoreSalvage

extension Salvage {
  /// The salvage for scripts; its JSON Schema is `docs/schemas/salvage.json`.
  package var json: JSONValue {
    .object([
      ("schema", .string("storedoctor.salvage/1")), ("tool", .object(["version": .string(toolVersion)])),
      ("store", .string(store)), ("reading", reading.json),
      ("output", .string(output)), ("saved", .integer(Int64(saved))),
      ("doubtful", .integer(Int64(doubtful))), ("keepsDoubtful", .bool(keepsDoubtful)), ("isWhole", .bool(isWhole)),
      ("tables", .array(tables.map(\.json))), ("notes", .strings(notes)), ("madeAnew", .strings(made)),
      ("notMade", .strings(leftOut)),
      (
        "pages",
        .object([
          ("all", .integer(Int64(pages.all))), ("withRows", .integer(Int64(pages.read))),
          ("unreached", .integer(Int64(pages.unreached))), ("older", .integer(Int64(pages.older))),
          ("unclear", .integer(Int64(pages.unclear))), ("blank", .integer(Int64(pages.blank))),
          ("damaged", .integer(Int64(pages.damaged))),
        ])
      ),
      (
        "damagedPages",
        .array(
          damagedPages.map { page in
            .object([
              ("table", .string(page.table)), ("page", .integer(Int64(page.page))),
              ("found", .integer(Int64(page.found))), ("stated", .optional(page.stated.map(Int64.init))),
              ("first", .integer(page.keys.lowerBound)), ("last", .integer(page.keys.upperBound)),
            ])
          })
      ),
      (
        "rows",
        .array(
          rows.map { row in
            .object([
              ("table", .string(row.table)), ("key", .integer(row.key)), ("page", .integer(Int64(row.page))),
              ("why", .string(row.why.rawValue)),
            ])
          })
      ),
      ("diagnosis", diagnosis.json),
    ])
  }
}
