import StoreAnonymizing
import StoreWords

extension Anonymization {
  /// The first line.
  package var headline: String {
    guard let sample else {
      return "wrote \(quoted(output)): \(counted(rows, "row")), the same findings and links, and "
        + "\(counted(proof.replacedValues, "value")) replaced"
    }
    let (objects, all) = sample.entities.reduce((0, 0)) { ($0.0 + $1.objects, $0.1 + $1.of) }
    return
      "wrote \(quoted(output)): a sample of \(grouped(objects)) of \(counted(all, "object")), no finding that the store has "
      + "not, and \(counted(proof.replacedValues, "value")) replaced"
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
    page.paragraph("It is \(caution).", indent: 2)
    if let sample { write(sample, to: &page) }
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
    writeProof(to: &page)
    if !next.isEmpty {
      page.section("Next")
      for command in next { page.command(command) }
    }
    return page.text
  }

  private func writeProof(to page: inout Page) {
    page.section("Proof")
    page.field(
      "findings",
      sample == nil
        ? "the same, by check, entity, property and count: \(grouped(Int64(proof.findings)))"
        : "none that the store has not, by check, entity and property: \(grouped(Int64(proof.findings))); the counts are not the same"
    )
    if !proof.notCompared.isEmpty {
      page.field(
        "not compared", "\(proof.notCompared.joined(separator: ", ")): about other files, free pages or dropped values")
    }
    for verdict in proof.verdicts {
      let other = verdict.ofStore.map { "not the same: \(verdict.verdict), of the store \($0)" }
      page.field(
        "verdict", "with \(escapedForTerminal(verdict.version)) \(other ?? "the same: \(verdict.verdict)")")
    }
    page.field(
      "keys and links",
      "the same\(sample == nil ? "" : " in the rows of the sample"): \(counted(proof.keptValues, "value")) compared one by one"
    )
    let other = proof.otherLengths
    page.field("lengths", lengths(other))
    page.field(
      "search",
      "no run of 6 bytes of a replaced value in \(counted(proof.searchedBytes, "byte")) (of texts also no 6 units of UTF-16), but "
        + "what kept names have, too; \(counted(proof.runs, "run")) looked for")
    if proof.runsByChance > 0 {
      page.field(
        "by chance",
        "\(counted(proof.runsByChance, "run")) that \(proof.runsByChance == 1 ? "is" : "are") in no text and no data of the copy: "
          + "\(grouped(Int64(proof.runsAcrossValues))) across values or what separates them, "
          + "\(grouped(Int64(proof.runsInNumbers))) within a number")
    }
  }

  private func lengths(_ others: Int64) -> String {
    switch sizes {
    case .exact:
      others == 0 ? "the same" : "the same but of \(counted(others, "value")): archives that were written anew"
    case .rough:
      "classes: \(others == 0 ? "no value has" : others == 1 ? "1 value has" : "\(grouped(others)) values have") another length, "
        + "at the end of its class (1, 2, 3, 4, 6, 8, 12, 16, 24 and so on)"
        + (proof.keptLengths.map { kept in
          kept == 0
            ? ""
            : "; \(counted(kept, "value")) kept a length between: UUIDs, what has no letters, what a rule of the model decides"
        } ?? "")
    }
  }

  private func write(_ sample: Sample, to page: inout Page) {
    page.section("Sample: at most \(grouped(Int64(sample.limit))) of each entity, and what these cannot be without")
    for entity in sample.entities {
      page.field(
        escapedForTerminal(entity.name), "\(grouped(entity.objects)) of \(counted(entity.of, "object"))", width: 24)
    }
    if sample.cutLinks > 0 {
      page.paragraph("\(counted(sample.cutLinks, "link")) to objects that were left out: NULL", first: "- ")
    }
    page.paragraph(
      sample.missing.isEmpty
        ? "every finding of the store is in it, by check, entity and property"
        : escapedForTerminal("findings of the store that are not in it: \(sample.missing.joined(separator: ", "))"),
      first: "- ")
  }
}
