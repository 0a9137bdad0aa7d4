import StoreSamples
import StoreWords

extension MadeSample {
  /// The sample as text.
  ///
  /// - Parameters:
  ///   - width: columns of the terminal.
  ///   - isStyled: whether escape sequences may be used.
  ///   - next: the commands to go on with.
  package func text(width: Int, isStyled: Bool, next: [String]) -> String {
    var page = Page(width: width, isStyled: isStyled)
    page.paragraph(
      "made \(quoted(output)): \(counted(Int64(objects), "object")) of \(counted(Int64(entities.count), "entity", "entities")), "
        + "\(counted(Int64(links), "link")); opens", indent: 0, first: "", style: .strong)
    page.section("Sample")
    page.field("model", escapedForTerminal(modelPath))
    page.field("version", escapedForTerminal(version))
    if let like = options.like { page.field("like", escapedForTerminal(like.path)) }
    page.field("kind", options.kind.rawValue + (options.rows.map { ", \(grouped(Int64($0))) rows" } ?? ""))
    page.field("seed", String(options.seed))
    page.section("Objects")
    for entity in entities { page.field(escapedForTerminal(entity.name), grouped(Int64(entity.objects))) }
    if !findings.isEmpty {
      page.section("Rules that are not kept")
      for finding in findings { page.paragraph(escapedForTerminal("\(finding.id) \(finding.message)"), first: "- ") }
    }
    if !limits.isEmpty {
      page.section("Not as in the app")
      for limit in limits { page.paragraph(escapedForTerminal(limit), first: "- ") }
    }
    if !next.isEmpty {
      page.section("Next")
      for command in next { page.command(command) }
    }
    return page.text
  }
}
