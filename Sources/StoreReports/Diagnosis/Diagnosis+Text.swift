import StoreWords
import StoreDiagnosis
import StoreFindings
import StoreModels

/// How much of its findings a diagnosis as text shows.
package enum FindingDetail: Sendable {
  /// Each finding by itself.
  case each
  /// Of checks with more than ten findings, one line for each entity.
  case folded
  /// One line for each check.
  case statistics
}

/// The diagnosis as text: a verdict line, the findings by entity, what was skipped, the next command.
extension Diagnosis {
  /// - Parameters:
  ///   - width: columns of the terminal.
  ///   - isStyled: whether escape sequences may be used.
  ///   - detail: how much of the findings is shown.
  ///   - showsAllVersions: whether each version, each step between versions and each note on a version that does not
  ///     decide is listed, however many there are.
  package func text(
    width: Int, isStyled: Bool, detail: FindingDetail = .folded, showsAllVersions: Bool = false
  ) -> String {
    let folded = showsAllVersions || detail != .folded || models.count <= Self.mostVersions ? [] : notesOnOtherVersions
    guard !folded.isEmpty else {
      return text(width, isStyled: isStyled, detail: detail, showsAllVersions: showsAllVersions)
    }
    var shorter = self
    let left = Set(folded.map(\.exactly))
    shorter.findings.removeAll { left.contains($0.exactly) }
    return shorter.text(width, isStyled: isStyled, detail: detail, showsAllVersions: false, folded: folded.count)
  }

  /// With more versions, notes on those that do not decide are counted.
  private static let mostVersions = 20

  /// What would happen with versions that the app does not open the store with.
  private var notesOnOtherVersions: [Finding] {
    let checks: [CheckID] = [.notLightweight, .dataBlocksMigration, .unknownToPlan, .migrationLosesData, .foreignModel]
    return deciding == nil ? [] : findings.filter { $0.severity == .note && $0.check.map(checks.contains) == true }
  }

  private func text(
    _ width: Int, isStyled: Bool, detail: FindingDetail, showsAllVersions: Bool, folded: Int = 0
  ) -> String {
    var page = Page(width: width, isStyled: isStyled)
    page.paragraph(verdictLine, indent: 0, first: "", style: .strong)
    page.write(store.reading, saysJournal: false, saysUnread: false)
    if let deciding {
      deciding.writeReasons(to: &page, stopping: stopping, all: models)
      // What to do about it comes before all that is only to be known.
      if !stopping.isEmpty { writeNext(to: &page) }
      deciding.writeRest(to: &page, lost: lost, all: models, isWhole: showsAllVersions)
    }
    if deciding != nil, !rest.isEmpty || !leftOutWords.isEmpty || folded > 0 {
      let others = folded > 0 ? "; \(counted(Int64(folded), "note")) on other versions (--all)" : ""
      page.line()
      page.line(page.styled("Other findings: \(countLine)\(others)", as: .strong))
    }
    switch detail {
    case .each: writeFindings(to: &page, folding: [])
    case .folded: writeFindings(to: &page, folding: frequent)
    case .statistics: writeStatistics(to: &page)
    }
    writeSavable(to: &page)
    writeScope(to: &page)
    writeConfiguration(to: &page)
    writeSkipped(to: &page)
    if deciding == nil || stopping.isEmpty { writeNext(to: &page) }
    return page.text
  }

  /// The answer about the only store among things that a person named: one screen.
  ///
  /// - Parameters:
  ///   - facts: what the store is, and what it was judged by; a name and words each.
  ///   - writeOthers: writes what else is to be said of the things, such as what a log says.
  func shortText(
    width: Int, isStyled: Bool, facts: [(String, String)], writeOthers: (inout Page) -> Void
  ) -> String {
    var page = Page(width: width, isStyled: isStyled)
    page.paragraph(verdictLine, indent: 0, first: "", style: .strong)
    page.write(store.reading, saysJournal: false, saysUnread: false)
    for (name, words) in facts { page.field(name, escapedForTerminal(words), width: 6) }
    if var deciding {
      // It is one of the facts.
      deciding.readings.removeAll { $0.hasPrefix("the model is ") }
      deciding.writeReasons(to: &page, stopping: stopping, all: models)
      deciding.writeShortRest(to: &page, lost: lost, all: models)
    }
    writeOthers(&page)
    writeGravest(to: &page)
    writeSavable(to: &page)
    writeSkipped(to: &page)
    writeNext(to: &page, isShort: true)
    return page.text
  }

  /// The most findings that the short answer shows.
  private static let mostShown = 5

  /// The gravest findings, with their rows, and how many there are besides.
  private func writeGravest(to page: inout Page) {
    let all = byEntity.flatMap(\.findings)
    let shown = Severity.allCases.reversed().flatMap { severity in all.filter { $0.severity == severity } }
      .prefix(Self.mostShown)
    guard !shown.isEmpty else { return }
    page.section(deciding == nil ? "What is wrong, or to be known" : "Other findings: \(countLine)")
    for finding in shown { finding.write(to: &page, withPlace: true) }
    if all.count > shown.count {
      page.paragraph(
        "and \(counted(Int64(all.count - shown.count), "more finding", "more findings")); diagnose shows each")
    }
  }

  /// "findings: 2 errors, 1 warning, 3 notes", or the verdict of the deciding model.
  package var verdictLine: String {
    let line = deciding?.line ?? "\(verdict.rawValue): \(countLine)"
    return store.asOf.map { "as of \($0.words): \(line)" } ?? line
  }

  /// The losses of a migration to the model that decides; of others they are a note.
  var lost: [Finding] { findings.filter { $0.check == .migrationLosesData && $0.severity >= .warning } }

  /// All other findings; that the model differs is part of the verdict.
  var rest: [Finding] {
    guard deciding != nil else { return findings }
    // Asked once: both go over all findings.
    let shown = Set((stopping + lost).map(\.exactly))
    return findings.filter { $0.check != .incompatibleModel && !shown.contains($0.exactly) }
  }

  private var countLine: String {
    let counts = severityCounts(rest)
    let skippedChecks = Set(skipped.map(\.check)).count
    let skippedWords =
      skippedChecks > 0 ? "; \(counted(Int64(skippedChecks), "check")) could not look at everything" : ""
    return (counts.isEmpty ? "nothing found" : counts) + leftOutWords + skippedWords
  }

  /// Findings by entity, the entities with the gravest first; of equal ones the store as a whole comes first.
  var byEntity: [(entity: String, findings: [Finding])] {
    let groups = Dictionary(grouping: rest) { $0.entity }
      .map { (name: $0.key, findings: $0.value.sorted { $0.severity > $1.severity }) }
    let sorted = groups.sorted { left, right in
      let (one, other) = (left.findings.first?.severity ?? .note, right.findings.first?.severity ?? .note)
      return one != other ? one > other : codeUnitsPrecede(left.name ?? "", right.name ?? "")
    }
    return sorted.map { ($0.name ?? "The store", $0.findings) }
  }

  /// Checks with more than ten findings.
  var frequent: Set<String> { Set(Dictionary(grouping: rest, by: \.id).filter { $0.value.count > 10 }.keys) }

  /// - Parameter ids: the checks whose findings of one entity become one line.
  private func writeFindings(to page: inout Page, folding ids: Set<String>) {
    var folded = 0
    for (entity, findings) in byEntity {
      page.section(escapedForTerminal(entity))
      var alike = Dictionary(grouping: findings.filter { ids.contains($0.id) }, by: \.kind)
      for finding in findings {
        guard ids.contains(finding.id) else {
          finding.write(to: &page)
          continue
        }
        // Written where the first of them would stand.
        guard let group = alike.removeValue(forKey: finding.kind) else { continue }
        if group.count > 1 { folded += group.count }
        group.count > 1 ? group.writeFolded(to: &page) : finding.write(to: &page)
      }
    }
    guard folded > 0 else { return }
    page.line()
    page.paragraph(
      "\(counted(Int64(folded), "finding")) of checks that found more than ten are one line an entity here; --unfold shows each"
    )
  }

  private func writeStatistics(to page: inout Page) {
    page.section("Findings by check")
    let groups = Dictionary(grouping: rest, by: \.id).values.sorted { left, right in
      let (one, other) = (left.map(\.severity).max() ?? .note, right.map(\.severity).max() ?? .note)
      return one != other ? one > other : (left.first?.id ?? "") < (right.first?.id ?? "")
    }
    for findings in groups {
      guard let gravest = findings.max(by: { $0.severity < $1.severity }) else { continue }
      let entities = Set(findings.compactMap(\.entity)).count
      let places = entities > 0 ? " in \(counted(Int64(entities), "entity", "entities"))" : ""
      page.paragraph(
        "\(gravest.id) \(gravest.name): \(counted(Int64(findings.count), "finding"))\(places)\(findings.total)",
        first: "  \(gravest.severity.mark) ", style: gravest.severity.style)
    }
  }

  /// What `salvage` would save of a store with damaged pages.
  func writeSavable(to page: inout Page) {
    guard let savable else { return }
    page.section("What 'storedoctor salvage' would save")
    for table in savable.tables { table.write(to: &page) }
    if savable.damagedPages > 0 {
      page.paragraph("\(counted(savable.damagedPages, "damaged page")) may have had more rows than can be found")
    }
  }

  func writeSkipped(to page: inout Page) {
    guard !skipped.isEmpty else { return }
    page.section("Not looked at")
    let groups = Dictionary(grouping: skipped, by: \.reason).mapValues { $0.map(\.check) }
    for (reason, checks) in groups.sorted(by: { ($0.value.first ?? "", $0.key) < ($1.value.first ?? "", $1.key) }) {
      page.paragraph(escapedForTerminal("\(checks.joined(separator: ", ")): \(reason)"))
    }
  }

  /// - Parameter isShort: whether the command for scripts at the end is replaced by those that show more to a person.
  func writeNext(to page: inout Page, isShort: Bool = false) {
    let path = shellQuoted(pathWord(store.path))
    page.section("Next")
    let stops = (deciding?.decisions ?? []).filter(\.stops)
    for decision in stops where decision.choices.isEmpty {
      guard let remedy = decision.elsewhere, let name = deciding?.name else { continue }
      let place = [decision.entity, decision.property].compactMap(\.self).joined(separator: ".")
      page.paragraph(
        escapedForTerminal("in the model \(quoted(name)), \(place): \(remedy)"), indent: 4, first: "  # ")
    }
    if savable != nil || findings.contains(where: { $0.traits.contains(.pages) && $0.severity == .error }) {
      page.command("storedoctor salvage \(path) --output Saved.sqlite", note: "a new store with all that can be read")
    }
    if deciding?.recipe.isEmpty == false {
      page.command(
        "storedoctor diagnose \(path) \(modelArguments) --recipe-out recipe.yaml", note: "writes the recipe")
      page.command("storedoctor repair \(path) --recipe recipe.yaml", note: "shows a plan")
    }
    if (stopping + rest).contains(where: { $0.remedies.contains(where: \.isSafe) }) {
      page.command("storedoctor repair \(path) --safe", note: "what is safe to mend; shows a plan")
    }
    if let deciding, deciding.advice != nil, stops.contains(where: \.choices.isEmpty) {
      page.command("storedoctor diagnose \(path) \(modelArguments) --stage-skeleton swiftdata", note: "the stage")
    }
    if stops.contains(where: { !$0.choices.isEmpty }) {
      page.command("storedoctor repair \(path) \(modelArguments)", note: "each row in the way, with what mends it")
    }
    if let deciding, deciding.advice != nil, !stops.contains(where: \.choices.isEmpty) {
      page.command("storedoctor diagnose \(path) \(modelArguments) --stage-skeleton swiftdata", note: "or staged")
    }
    let hasEqualVersions = findings.contains { $0.check == .duplicateVersionChecksum && $0.severity == .error }
    if hasEqualVersions {
      page.command(
        "storedoctor explain \(CheckID.duplicateVersionChecksum.rawValue)",
        note: "what the app prints then, and what to do")
    }
    if let deciding, deciding.isSwiftSource, hasEqualVersions {
      page.command("storedoctor lint \(shellQuoted(deciding.path))", note: "which classes the equal versions share")
    }
    if deciding?.verdict == .unknownVersion {
      if let nearest = models.first(where: \.isNearest), nearest.comparison?.equal.isEmpty == false {
        page.command("storedoctor model diff \(path) \(shellQuoted(nearest.argument))")
      }
      page.command("storedoctor model match \(path) --git path/to/the/apps/repository")
    }
    if deciding?.verdict == .foreignModel {
      page.command("storedoctor model match \(path) MODEL...", note: "which model made it")
    }
    if !lost.isEmpty {
      page.command(
        "storedoctor explain \(CheckID.migrationLosesData.rawValue)",
        note: "also: how to accept what is removed on purpose")
    }
    if let gravest = (stopping + lost + rest).max(by: { $0.severity < $1.severity }) {
      // Suggested stages say more than the check's explanation.
      if gravest.severity == .error, deciding?.advice == nil,
        !hasEqualVersions || gravest.check != .duplicateVersionChecksum
      {
        page.command("storedoctor explain \(gravest.id)")
      }
      if let command = gravest.rowsCommand(of: path) {
        page.command(command, note: "the rows of \(gravest.id)")
      } else if let entity = gravest.entity {
        page.command("storedoctor inspect \(path) --entity \(shellQuoted(entity))")
      }
    }
    guard isShort else {
      return page.command(
        "storedoctor diagnose \(path) \(modelArguments.isEmpty ? "" : modelArguments + " ")--format json")
    }
    if !store.reading.isOfStandIn {
      page.command(
        "storedoctor diagnose \(path)\(modelArguments.isEmpty ? "" : " " + modelArguments)", note: "all that was found")
    }
    if deciding == nil {
      page.command("storedoctor \(path) MyApp.ipa", note: "whether the app, or its project, opens it")
    }
    page.command("storedoctor inspect \(path)", note: "what is in it")
  }

  /// The options for models, their version and the way of opening, as given.
  private var modelArguments: String {
    var seen: Set<String> = []
    let sources = models.filter { seen.insert($0.path).inserted }
    let given = sources.map { source in
      let isOne = models.count { $0.path == source.path } == 1
      return "--model \(shellQuoted(isOne ? source.argument : source.path))"
    }
    let opening = deciding.map { $0.way == .automatic ? [] : ["--opening \($0.way.rawValue)"] } ?? []
    let chosen = chosenVersion.map { ["--to-version \(shellQuoted($0))"] } ?? []
    return (given + opening + chosen).joined(separator: " ")
  }
}

extension Finding {
  /// - Parameter withPlace: whether to name the entity, where there is no heading.
  func write(to page: inout Page, withPlace: Bool = false) {
    page.paragraph(words(withPlace: withPlace), first: "  \(severity.mark) ", style: severity.style)
    for line in furtherLines { page.paragraph(line, indent: 4) }
  }

  /// "SD401 folder: 3 rows lead to no object".
  func words(withPlace: Bool) -> String {
    let parts = [withPlace ? entity : nil, property].compactMap(\.self)
    let place = parts.isEmpty ? "" : "\(parts.joined(separator: ".")): "
    let assumed = basis == .assumed ? " (assumed)" : ""
    return escapedForTerminal("\(id) \(place)\(message)\(assumed)")
  }

  /// Its keys, and what repairs it.
  var furtherLines: [String] {
    var lines: [String] = []
    let keys = keyWords
    if !keys.isEmpty, count > 1 || keys.count == 1 {
      let more = count > Int64(examples.count) ? ", ..." : ""
      lines.append(escapedForTerminal("keys \(keys.joined(separator: ", "))\(more)"))
    }
    for remedy in remedies {
      lines.append(escapedForTerminal("repair: \(remedy.recipe)\(remedy.isSafe ? " (safe)" : "")"))
    }
    return lines
  }
}

extension Finding {
  /// The command that shows the objects of the examples; nil where they are no objects of an entity.
  ///
  /// - Parameter store: the store as a word of the command.
  func rowsCommand(of store: String) -> String? {
    let keys = examples.compactMap(\.primaryKey).prefix(20).map { String($0) }
    guard let entity, !keys.isEmpty, table?.hasPrefix("A") != true else { return nil }
    return "storedoctor rows \(store) \(shellQuoted(entity)) --key \(keys.joined(separator: ","))"
  }

  /// The keys of the examples, with the entity of each where the finding is about several.
  private var keyWords: [String] {
    examples.compactMap { example in
      guard let key = example.primaryKey else { return nil }
      guard entities.count > 1, case .text(let entity)? = example.facts["entity"] else { return "\(key)" }
      return "\(entity) \(key)"
    }
  }
}

extension Finding {
  /// The features that findings in one line have in common.
  struct Kind: Hashable {
    var id: String
    var severity: Severity
    var basis: Basis
  }

  var kind: Kind { Kind(id: id, severity: severity, basis: basis) }
}

extension [Finding] {
  /// ", 12 in all", the places of all; nothing where each finding is about one.
  fileprivate var total: String {
    let sum = reduce(Int64(0)) { sum, finding in
      let (next, overflows) = sum.addingReportingOverflow(finding.count)
      return overflows ? .max : next
    }
    return sum > Int64(count) ? ", \(grouped(sum)) in all" : ""
  }

  /// Findings of one check at one entity, in one paragraph.
  fileprivate func writeFolded(to page: inout Page) {
    guard let first else { return }
    page.paragraph(foldedWords, first: "  \(first.severity.mark) ", style: first.severity.style)
  }

  /// "SD401 dangling-reference: 12 findings, 40 in all: folder; tags".
  var foldedWords: String {
    guard let first else { return "" }
    let properties = compactMap(\.property).joined(separator: "; ")
    let places = properties.isEmpty ? "" : ": \(properties)"
    let assumed = first.basis == .assumed ? " (assumed)" : ""
    return escapedForTerminal(
      "\(first.id) \(first.name): \(counted(Int64(count), "finding"))\(total)\(assumed)\(places)")
  }
}

extension Severity {
  fileprivate var mark: String {
    switch self {
    case .error: "E"
    case .warning: "W"
    case .note: "N"
    }
  }

  fileprivate var style: Page.Style? {
    switch self {
    case .error: .error
    case .warning: .warning
    case .note: nil
    }
  }
}

extension Finding {
  /// The key that tells it from all others of a diagnosis: another version of the models may have the same check at the
  /// same place.
  fileprivate var exactly: [String] { [fingerprint, severity.rawValue, message] }
}
