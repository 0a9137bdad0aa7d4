import StoreDigests
import StoreInspection
import StoreJSON
import StoreWords

extension CustodyVerification: JSONRepresentable {
  /// The whole document, `storedoctor.custody-check/1`; its schema is `docs/schemas/custody-check.json`.
  package var json: JSONValue {
    .object([
      ("schema", .string("storedoctor.custody-check/1")), ("tool", .object(["version": .string(toolVersion)])),
      ("record", .string(record)), ("recordSHA256", .string(hexadecimal(recordSHA256))), ("equal", .bool(isEqual)),
      (
        "files",
        .array(
          files.map {
            .object([
              ("path", .string($0.path)), ("equal", .bool($0.difference == nil)),
              ("difference", .optional($0.difference)),
            ])
          })
      ), ("notCompared", .nonEmpty(notCompared)),
    ])
  }

  /// A verdict line, the files that differ, and what was not compared.
  package func text(width: Int, isStyled: Bool) -> String {
    var page = Page(width: width, isStyled: isStyled)
    let differing = files.filter { $0.difference != nil }
    page.line(
      page.styled(
        differing.isEmpty
          ? "as recorded: \(counted(Int64(files.count), "file"))"
          : "differs: \(differing.count) of \(counted(Int64(files.count), "file"))", as: .strong))
    for file in differing {
      page.paragraph(
        "\(quoted(file.path)): \(escapedForTerminal(file.difference ?? ""))", first: "  ! ", style: .warning)
    }
    for gap in notCompared { page.paragraph("not compared: \(escapedForTerminal(gap))") }
    page.paragraph("the record itself: SHA-256 \(hexadecimal(recordSHA256))")
    return page.text
  }
}
