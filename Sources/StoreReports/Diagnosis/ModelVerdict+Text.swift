import StoreWords
import StoreDiagnosis
import StoreFindings
import StoreMigration
import StoreModels
import StoreDataModel

/// The verdict on a model as text: the answer with its error code, the reasons, the other ways of opening, and the
/// other versions.
extension ModelVerdict {
  /// "blocked-by-data: automatic migration to 'Notes 3' fails with 134110".
  package var line: String {
    // If the hashes are equal, nothing is migrated.
    let what = "\(comparison?.isEqual == true ? OpeningWay.none.words : way.words) \(quoted(name))"
    let answer =
      switch verdict {
      case .opens: "\(quoted(name)) opens it as it is"
      case .migrates where mappings.count == 1 && openings[way]?.steps.isEmpty == true:
        "\(way == .manual ? "migration to \(quoted(name))" : what) goes by the mapping model \(quoted(mappings[0].fileName))"
      case .migrates where !mappings.isEmpty:
        "\(quoted(name)) is reached by \(counted(mappings.count, "mapping model")), where the app goes from version to version"
      case .migrates: "\(what) succeeds\(isPartlyUnread ? ", as far as the store could be read" : "")"
      case .blockedByData, .needsCustomStage, .unknownVersion, .damaged:
        failure?.codeWords.map { "\(what) fails with \($0)" } ?? "\(what) fails"
      case .foreignModel: "\(quoted(name)) has none of the store's entities"
      case .healthy, .findings: what
      }
    return "\(verdict.rawValue)\(losing): \(answer)\(basis.mark)"
  }

  /// ", losing Note.body in 18 rows"; nothing where the migration loses nothing.
  private var losing: String {
    verdict == .migrates ? lossesOfRows.lossWords.map { ", losing \($0)" } ?? "" : ""
  }

  /// Why the verdict on the deciding version is what it is.
  ///
  /// - Parameters:
  ///   - stopping: the findings that say what stops it.
  ///   - all: every version given.
  func writeReasons(to page: inout Page, stopping: [Finding], all: [ModelVerdict]) {
    if let reason = failure?.printedReason, verdict.isError { page.paragraph("the app prints \"\(reason)\"") }
    for reading in readings { page.paragraph(escapedForTerminal(reading), first: "  ? ") }
    writeFaults(all, to: &page)
    write(stopping, to: &page)
    writeAssumed(to: &page)
    writeRecipe(to: &page)
  }

  /// Which changes of the model make the verdict an assumption.
  private func writeAssumed(to page: inout Page) {
    guard basis == .assumed, verdict == .migrates, !uncertain.isEmpty else { return }
    let words = uncertain.prefix(Self.shownRisks).map { "\($0.place.words): \($0.words.phrase)" }
    let rest = uncertain.count - words.count
    page.paragraph(
      escapedForTerminal("assumed, since no real store or report shows it: \(words.joined(separator: "; "))")
        + (rest > 0 ? " and \(rest) more" : ""), first: "  ? ")
  }

  /// What else is known of the deciding version, and of the others.
  ///
  /// - Parameters:
  ///   - lost: the findings that say what is lost.
  ///   - all: every version given.
  ///   - isWhole: whether many versions and steps are listed one by one.
  func writeRest(to page: inout Page, lost: [Finding], all: [ModelVerdict], isWhole: Bool) {
    writeLost(lost, isWhole: isWhole || all.count <= Self.mostListed, to: &page)
    writeUnknown(to: &page)
    writeRisks(besides: lost, to: &page)
    if let nearest = all.first(where: \.isNearest) { nearest.writeNearest(isAlone: all.count == 1, to: &page) }
    writeWays(to: &page)
    writeHops(isWhole: isWhole, to: &page)
    writeVersions(all, isWhole: isWhole, to: &page)
  }

  /// What else has to be known of the deciding version at first sight: what is lost, and how far the store's version is away.
  func writeShortRest(to page: inout Page, lost: [Finding], all: [ModelVerdict]) {
    writeLost(lost, isWhole: false, to: &page)
    writeUnknown(to: &page)
    if let nearest = all.first(where: \.isNearest) { nearest.writeNearest(isAlone: all.count == 1, to: &page) }
  }

  /// Faults of this version, and which other ones have some.
  private func writeFaults(_ all: [ModelVerdict], to page: inout Page) {
    if let first = faults.first {
      let more = faults.count > 1 ? ", and \(faults.count - 1) more" : ""
      page.paragraph(
        "\(quoted(name)) contradicts itself: \(escapedForTerminal(first))\(more)",
        first: "  ! ", style: .warning)
    }
    let others = all.filter { !$0.isDeciding && !$0.faults.isEmpty }.map { quoted($0.name) }
    guard !others.isEmpty else { return }
    page.paragraph(
      "\(others.joined(separator: ", ")) \(others.count == 1 ? "contradicts itself" : "contradict themselves"), "
        + "which 'storedoctor model check' explains", first: "  ! ")
  }

  private func write(_ stopping: [Finding], to page: inout Page) {
    guard !stopping.isEmpty || !unanswered.isEmpty else { return }
    page.section("What stops it")
    for finding in stopping { finding.write(to: &page, withPlace: true) }
    for rule in unanswered {
      page.paragraph("not known from the rows: whether \(rule.condition.words)", first: "  ? ", style: .warning)
    }
  }

  private func writeLost(_ lost: [Finding], isWhole: Bool, to page: inout Page) {
    guard !lost.isEmpty else { return }
    page.section(verdict == .blockedByData ? "What would be lost then" : "What is lost")
    let shown = isWhole || lost.count <= Self.mostLosses ? lost[...] : lost.prefix(Self.mostLosses)
    for finding in shown { finding.write(to: &page, withPlace: true) }
    let places = lost.dropFirst(shown.count).map { [$0.entity, $0.property].compactMap(\.self).joined(separator: ".") }
    guard !places.isEmpty else { return }
    page.paragraph(escapedForTerminal("and \(places.joined(separator: ", ")) (--all)"), indent: 4)
  }

  /// Of many versions the most losses that are written with their rows.
  private static let mostLosses = 3

  private func writeRecipe(to page: inout Page) {
    guard let text = recipe.recipe else { return }
    page.section("Recipe for 'storedoctor repair --recipe', to be looked over")
    for line in text.split(separator: "\n") { page.line("  " + escapedForTerminal(String(line))) }
  }

  private func writeUnknown(to page: inout Page) {
    guard verdict != .damaged, !unknown.isEmpty else { return }
    page.section("Not known whether a mapping is inferred")
    for judged in unknown.prefix(Self.shownRisks) {
      let words = "\(judged.change.words.phrase); rows: \(judged.effect.afterwards)"
      page.paragraph("\(judged.change.place.words): \(escapedForTerminal(words))", first: "  ? ", style: .warning)
    }
    let rest = unknown.count - Self.shownRisks
    if rest > 0 { page.paragraph("and \(rest) more; --format json lists them") }
  }

  /// Writes the rules that pass and are worth a look: rows at risk, and losses where no finding reports them.
  private func writeRisks(besides lost: [Finding], to page: inout Page) {
    let renames = verdict == .opens ? [] : likelyRenames.filter { lost.isEmpty || !isLost($0.place) }
    let atRisk = atRisk.filter { lost.isEmpty || $0.rule.consequence != .loses }
    guard leavesRows, !atRisk.isEmpty || !renames.isEmpty else { return }
    page.section("Passes, but look at")
    for rename in renames {
      let place = rename.place.destinationProperty == nil ? "" : escapedForTerminal(rename.place.entity ?? "") + ": "
      page.paragraph(place + escapedForTerminal(rename.words(inSwift: isSwiftSource)), first: "  ! ", style: .warning)
    }
    for judged in atRisk.prefix(Self.shownRisks) { page.paragraph(judged.words, first: "  - ") }
    let rest = atRisk.count - Self.shownRisks
    if rest > 0 { page.paragraph("and \(rest) more; --format json lists them") }
  }

  private func isLost(_ place: ModelChange.Place) -> Bool {
    lossesOfRows.contains { $0.loss.entity == place.sourceEntity && $0.loss.property == place.sourceProperty }
  }

  /// The rules that are passed but put rows at risk, if anything is migrated.
  var passing: [MigrationOutcome.JudgedRule] { leavesRows ? atRisk : [] }

  private static let shownRisks = 12

  private func writeWays(to page: inout Page) {
    page.section("Ways to open it with \(quoted(name))")
    if verdict == .damaged, let any = openings[way], openings.values.allSatisfy({ $0.words == any.words }) {
      return page.line("  " + "any".padded(to: 11) + any.words)
    }
    for way in OpeningWay.allCases {
      guard let opening = openings[way] else { continue }
      // That it is refused without migration is expected, and no fault of the store.
      let isRefused = way == .none && opening.failure?.code == 134100 && opening.verdict != .foreignModel
      page.line("  " + way.rawValue.padded(to: 11) + (isRefused ? "refused 134100" : opening.words))
    }
  }

  /// The most versions, and steps between them, that are listed one by one.
  private static let mostListed = 12

  /// Of many steps the first that fails, and how the others end.
  private func writeHops(isWhole: Bool, to page: inout Page) {
    guard !hops.isEmpty else { return }
    page.section("Step by step")
    let shown = isWhole || hops.count <= Self.mostListed ? hops : hops.first { !$0.verdict.passes }.map { [$0] } ?? []
    for hop in shown { page.line("  \(quoted(hop.from)) > \(quoted(hop.to))  \(hop.verdict.words)") }
    guard shown.count < hops.count else { return }
    let failing = hops.count { !$0.verdict.passes } - shown.count
    let losing = hops.count { $0.verdict.passes && $0.verdict.isLosing }
    let words = [
      failing > 0 ? "\(failing) \(failing == 1 ? "fails" : "fail") too" : nil,
      losing > 0 ? "\(losing) \(losing == 1 ? "loses" : "lose") data" : nil,
    ].compactMap(\.self)
    let others = shown.isEmpty ? "none of \(hops.count) steps fails" : "\(hops.count - shown.count) others"
    page.line("  " + ([others] + words).joined(separator: ", ") + " (--all)")
  }

  /// Of many versions the store's own, the current one and the nearest.
  private func writeVersions(_ all: [ModelVerdict], isWhole: Bool, to page: inout Page) {
    guard all.count > 1 else { return }
    let shown =
      isWhole || all.count <= Self.mostListed
      ? all : all.filter { $0.isDeciding || $0.isNearest || $0.comparison?.isEqual == true }
    page.section(shown.count == all.count ? "All versions" : "Versions")
    let names = shown.map { escapedForTerminal($0.name) }
    let (nameWidth, hashWidth) = (widest(names), widest(shown.map { $0.comparison?.short ?? "" }))
    for (name, verdict) in zip(names, shown) {
      let hashes = (verdict.comparison?.short ?? "").padded(to: hashWidth)
      let mark = verdict.isDeciding ? "*" : " "
      page.line("  \(mark) \(name.padded(to: nameWidth))  \(hashes)  \(verdict.openings[verdict.way]?.words ?? "")")
    }
    if shown.count < all.count { page.line("    and \(counted(all.count - shown.count, "other")) (--all)") }
  }

  private func widest(_ words: [String]) -> Int { words.map(\.displayWidth).max() ?? 0 }

  /// The differences from the most similar version, where no version is the store's.
  private func writeNearest(isAlone: Bool, to page: inout Page) {
    guard let comparison else { return }
    guard !isForeign, !comparison.equal.isEmpty || !comparison.different.isEmpty else { return }
    page.section(
      "No version has the store's hashes; \(isAlone ? "this one" : "the nearest, \(quoted(name)),") differs in")
    for judged in changes.prefix(Self.shownChanges) {
      page.paragraph(
        "\(judged.change.place.words): \(escapedForTerminal(judged.change.words.phrase))", first: "  # ")
    }
    let rest = changes.count - Self.shownChanges
    if rest > 0 { page.paragraph("and \(rest) more; 'storedoctor model diff' lists them") }
    if changes.isEmpty { page.paragraph(comparison.summary) }
  }

  private static let shownChanges = 12
}

extension OpeningWay {
  fileprivate var words: String {
    switch self {
    case .none: "opening with"
    case .automatic: "automatic migration to"
    case .staged: "staged migration to"
    case .manual: "a mapping model to"
    }
  }
}

extension OpeningVerdict {
  /// Whether the store opens or is migrated.
  fileprivate var passes: Bool { verdict == .opens || verdict == .migrates }

  /// "blocked-by-data 134110 (assumed)".
  var words: String {
    let steps = self.steps.count > 1 ? " by " + self.steps.map(\.description).joined(separator: ", ") : ""
    let mapping = mappings.count == 1 && self.steps.isEmpty ? " by \(quoted(mappings[0].fileName))" : ""
    return verdict.rawValue + (isLosing ? ", losing data" : "") + (failure?.codeWords.map { " \($0)" } ?? "")
      + escapedForTerminal(steps) + mapping + basis.mark
  }
}

extension MappingUse {
  /// The last part of its path.
  fileprivate var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }
}

extension Basis {
  fileprivate var mark: String { self == .assumed ? " (assumed)" : "" }
}

extension HashComparison {
  /// "all equal", "3 of 5 equal".
  var short: String {
    isEqual
      ? "all equal" : "\(equal.count) of \(equal.count + different.count + onlyInStore.count + onlyInModel.count) equal"
  }
}

extension MigrationOutcome.JudgedRule {
  /// "Note.body: 12 rows: its values are lost".
  fileprivate var words: String {
    let count = violations.reduce(0) { $0 + $1.count }
    let (entities, properties) = rule.condition.subject
    let named =
      (owner.map { [$0] } ?? Array(entities.prefix(1))) + (change?.place.destinationProperty.map { [$0] } ?? properties)
    let isOfPlace = owner == nil || owner == change?.place.sourceEntity
    let place = isOfPlace ? change?.place.words : nil
    let keys = violations.count == 1 ? violations[0].keys.prefix(5).map(String.init) : []
    let shown = keys.isEmpty ? "" : " (keys \(keys.joined(separator: ", "))\(count > Int64(keys.count) ? ", ..." : ""))"
    let code = if case .atRisk(let code?) = rule.consequence { ", \(code) at the next save" } else { "" }
    return "\(place ?? named.map(escapedForTerminal).joined(separator: ".")): \(counted(count, "row"))\(shown): "
      + "\(escapedForTerminal(rule.words))\(code)"
      + rule.gradeWhenViolated.basis.mark
  }
}
