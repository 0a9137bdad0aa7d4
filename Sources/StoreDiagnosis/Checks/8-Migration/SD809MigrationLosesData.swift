import StoreFindings
import StoreMigration
import StoreWords

extension Check {
  static let migrationLosesData = Check(
    .migrationLosesData, "migration-loses-data", .warning, traits: [.rows, .candidates, .losses],
    summary: "A migration that is not stopped drops what rows hold.",
    explanation: """
      ## What it looks for
      What the version given has no place for, one finding for each entity or property: rows of an entity that is removed
      or renamed without a renaming identifier; values of a property that is removed, renamed without identifier, moved
      away from, or no longer stored; links of a relationship both of whose sides go, links beyond the first where there is
      room for one, and the order of links. It counts the rows that hold something; where none does, it is a note. It is
      a note too for versions that do not decide; those of the store's own bundle that come before its version are left
      out.

      ## Why it matters
      Nothing stops, nothing is printed, and nothing brings the values back: the column or the table is gone when the app
      has opened the store. Most often somebody renamed a property and set no renaming identifier.

      ## Example
      `Note.body` became `Note.bodyText`, and 18 notes have a body.

      ## What can be done
      Renamed: give the new property the renaming identifier of the old one (`elementID` in Xcode's XML, `originalName`
      in SwiftData). Still needed: keep the property for one more version, and copy its values in a custom stage. Removed
      on purpose: a skip with the reason in `.storedoctor.yaml`, as `docs/guides/what-a-migration-loses.md` shows; the
      verdict goes on saying what is lost.
      """,
    ofCandidates: { view in
      view.findings({ view.losses($0) }, at: { "\($0.loss.entity).\($0.loss.property ?? "")" }) { loss, verdict in
        view.finding(loss, in: verdict)
      }
    })
}

extension CandidateView {
  /// The losses to report: for the deciding version all, for others only those that affect rows.
  fileprivate func losses(_ verdict: ModelVerdict) -> [MigrationOutcome.JudgedLoss] {
    guard verdict.leavesRows else { return [] }
    if verdict.isDeciding { return verdict.losses }
    if isBeforeTheStore(verdict) { return [] }
    return verdict.lossesOfRows
  }

  /// Whether it precedes the store's own version in the same bundle; apps do not migrate back.
  private func isBeforeTheStore(_ verdict: ModelVerdict) -> Bool {
    let verdicts = candidates.verdicts
    guard let own = verdicts.lastIndex(where: { $0.comparison?.isEqual == true }),
      let place = verdicts.firstIndex(where: { $0.argument == verdict.argument })
    else { return false }
    return place < own && verdicts[own].path == verdict.path
  }

  fileprivate func finding(_ judged: MigrationOutcome.JudgedLoss, in verdict: ModelVerdict) -> Finding {
    let loss = judged.loss
    let name = storeName(loss.entity)
    let examples = (judged.violations ?? []).flatMap { violation in
      let own = storeName(violation.entity)
      return violation.keys.map { Finding.Example($0, ["entity": own == name ? nil : own.map(Finding.Fact.text)]) }
    }.sorted { ($0.primaryKey ?? 0) < ($1.primaryKey ?? 0) }
    let finding = check.finding(
      name, table: table(of: loss.entity), property: loss.property, count: max(judged.rows ?? 1, 1),
      examples: Array(examples.prefix(scan.exampleLimit)), message: message(judged, in: verdict),
      basis: judged.violations == nil ? .assumed : loss.grade.basis)
    return finding.asNote(unless: judged.mayConcernRows)
  }

  private func message(_ judged: MigrationOutcome.JudgedLoss, in verdict: ModelVerdict) -> String {
    let what = judged.loss.kind.words
    let drops = judged.loss.doubt == nil ? verdict.drops : verdict.mayDrop
    let held =
      switch judged.rows {
      case nil: "how many rows \(what.many) could not be counted, and \(drops)"
      case 0: "no row \(what.one); \(drops)"
      case let rows?: "\(counted(rows, "row")) \(rows == 1 ? what.one : what.many): \(drops)"
      }
    let stages = judged.stages.map { "\(quoted($0.from)) > \(quoted($0.to))" }
    let carried =
      stages.isEmpty
      ? ""
      : "; \(stages.count == 1 ? "the custom stage" : "the custom stages") \(stages.joined(separator: ", ")), whose code is "
        + "not run here, may carry it over"
    let rename = verdict.likelyRenames.first { rename in
      rename.place.sourceEntity == judged.loss.entity && rename.place.sourceProperty == judged.loss.property
    }
    let doubt = judged.loss.doubt.map { ": \($0)" } ?? ""
    return held + " \(what.dropped)" + doubt + carried
      + (rename.map { "; \($0.words(inSwift: verdict.isSwiftSource))" } ?? "")
  }
}

extension ModelVerdict {
  /// "automatic migration to 'Notes 3' may drop", as its subject and verb.
  fileprivate var mayDrop: String { "\(migration) \(quoted(name)) may drop" }

  /// "automatic migration to 'Notes 3' drops", as its subject and verb.
  fileprivate var drops: String {
    "\(migration) \(quoted(name)) \(verdict == .blockedByData ? "would drop" : "drops")"
  }
}

extension Loss.Kind {
  /// Words for the content of rows, in singular and plural, and for the dropped data.
  fileprivate var words: (one: String, many: String, dropped: String) {
    switch self {
    case .rows: ("is there", "are there", "the entity")
    case .values: ("has a value", "have values", "the property")
    case .links: ("has links", "have links", "the links")
    case .someValues: ("has a value", "have values", "the property there")
    case .someLinks: ("has several links", "have several links", "all but one")
    case .order: ("has several links", "have several links", "their order")
    }
  }
}
