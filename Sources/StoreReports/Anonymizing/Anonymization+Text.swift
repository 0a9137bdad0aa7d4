import StoreAnonymizing
import StoreWords

extension Anonymization {
  /// The first line.
  package var headline: String {
    "wrote \(quoted(output)): \(counted(rows, "row")), the same findings and links, and "
      + "\(counted(proof.replacedValues, "value")) replaced"
  }

  /// The copy and its proof as text.
  ///
  /// - Parameters:
  ///   - width: columns of the terminal.
  ///   - isStyled: whether escape sequences may be used.
  ///   - next: the commands to go on with.
  package func text(width: Int, isStyled: Bool, next: [String]) -> String {
    var page = Page(width: width, isStyled: isStyled)
    page.paragraph(headline, indent: 0, first: "", style: .strong)
    page.section("Caution")
    page.paragraph("It is \(Self.caution).", indent: 2)
    let kept = attributes.filter { $0.decision == .keep && $0.values > 0 }
    page.section("Kept: look whether these may be seen")
    if kept.isEmpty { page.paragraph("no values of attributes", indent: 2) }
    for attribute in kept {
      let distinct = attribute.distinct ?? 0
      let different = distinct > 1000 ? "over 1,000 different" : "\(grouped(Int64(distinct))) different"
      page.field(
        escapedForTerminal(attribute.name), "\(counted(attribute.values, "value")), \(different): \(attribute.why)",
        width: 24)
    }
    let dropped = attributes.filter { $0.decision == .drop }
    if !dropped.isEmpty {
      page.section("Dropped")
      for attribute in dropped {
        page.field(escapedForTerminal(attribute.name), counted(attribute.values, "value"), width: 24)
      }
    }
    page.section("Replaced")
    for attribute in attributes where attribute.decision == .replace && attribute.values > 0 {
      page.field(
        escapedForTerminal(attribute.name), "\(counted(attribute.values, "value")): \(attribute.why)", width: 24)
    }
    if externalFiles > 0 { page.field("external files", grouped(Int64(externalFiles)), width: 24) }
    for note in notes { page.paragraph(escapedForTerminal(note), first: "- ") }
    write(proof, to: &page)
    if !next.isEmpty {
      page.section("Next")
      for command in next { page.command(command) }
    }
    return page.text
  }

  private func write(_ proof: Proof, to page: inout Page) {
    page.section("Proof")
    page.field("findings", "the same, by check, entity, property and count: \(grouped(Int64(proof.findings)))")
    if !proof.notCompared.isEmpty {
      page.field(
        "not compared", "\(proof.notCompared.joined(separator: ", ")): about other files, free pages or dropped values")
    }
    for verdict in proof.verdicts {
      page.field("verdict", "with \(escapedForTerminal(verdict.version)) the same: \(verdict.verdict)")
    }
    page.field("keys and links", "the same: \(counted(proof.keptValues, "value")) compared one by one")
    let other = proof.otherLengths
    page.field(
      "lengths",
      other == 0
        ? "the same" : "the same but of \(counted(other, "value")): archives that were written anew")
    page.field(
      "search",
      "no run of 6 bytes of a replaced value in \(counted(proof.searchedBytes, "byte")) (of texts also no 6 units of UTF-16), but "
        + "what kept names have, too; \(counted(proof.runs, "run")) looked for")
  }
}
