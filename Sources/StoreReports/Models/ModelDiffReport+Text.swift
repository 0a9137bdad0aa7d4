import StoreFindings
import StoreWords
import StoreMigration
import StoreModels
import StoreDataModel

/// The difference as text: the answer in one line, then the changes by entity.
extension ModelDiffReport {
  /// - Parameters:
  ///   - width: columns of the terminal.
  ///   - isStyled: whether escape sequences may be used.
  package func text(width: Int, isStyled: Bool) -> String {
    var page = Page(width: width, isStyled: isStyled)
    page.paragraph(verdict, indent: 0, first: "", style: .strong)
    page.field("from", source.words, width: 4)
    page.field("to", destination.words, width: 4)
    if let mapping { page.paragraph(mapping.words, first: "  ? ") }
    for entity in doubtful { page.paragraph(entity.words, first: "  ? ", style: .warning) }
    writeChanges(to: &page)
    writeRenames(to: &page)
    if !unproven.isEmpty {
      page.section("Unproven")
      page.paragraph(
        "hashes computed by rules no real store has confirmed: "
          + unproven.map(\.rawValue).joined(separator: "; "))
    }
    return page.text
  }

  /// "3 changes enter the hash; lightweight migration: yes, if no Note has NULL in title".
  package var verdict: String {
    decided + (doubtful.isEmpty || isUndecided ? "" : ", as far as the source tells")
  }

  private var decided: String {
    let forms = formCount == 0 ? "" : ", but for \(counted(Int64(formCount), "thing")) kept in another form"
    let count = inference.difference.changes.count - formCount
    if isUndecided { return partlyDecided }
    if count == 0 { return "equal" + forms }
    if inference.difference.hashesAreEqual {
      let none = count == 1 ? "the one change does not enter the hash" : "none of \(count) changes enters the hash"
      return "\(none): a store of the one opens with the other" + (grade.basis == .assumed ? " (assumed)" : "")
    }
    let entering = "\(counted(Int64(hashedCount), "change")) \(hashedCount == 1 ? "enters" : "enter") the hash"
    return "\(entering); lightweight migration: \(answer)" + (grade.basis == .assumed ? " (assumed)" : "")
  }

  /// The line where more may change than what is known.
  private var partlyDecided: String {
    let names = doubtful.filter(\.isUndecided).map { escapedForTerminal($0.entity) }
    let open = "what changed in \(names.joined(separator: ", ")) depends on what the source does not tell"
    let known =
      hashedCount > 0
      ? "\(counted(Int64(hashedCount), "change")) \(hashedCount == 1 ? "enters" : "enter") the hash, and " : ""
    return switch isInferable {
    case nil: "\(known)\(open); lightweight migration: not known"
    case true?: "\(known)\(open); lightweight migration: yes, however it is read"
    case false?:
      "\(known)\(open); lightweight migration: no"
        + (obstacles.isEmpty ? ", however it is read" : answer.dropFirst(2))
    }
  }

  private var answer: String {
    if let first = obstacles.first {
      let more = obstacles.count > 1 ? ", and \(obstacles.count - 1) more" : ""
      return "no, \(first.change.place.words): \(escapedForTerminal(first.change.words.phrase))\(more)"
    }
    let conditions = Array(Set(inference.blockingRules.map(\.condition.words)))
    let condition =
      switch conditions.count {
      case 0: ""
      case 1: ", if \(conditions[0])"
      default: ", if \(conditions.count) conditions hold"
      }
    return "yes" + condition + (lossWords.map { ", losing \($0)" } ?? "")
  }

  // MARK: Changes

  /// The changes that enter the hash, as "Note.title: required now".
  var hashedPhrases: [String] {
    shown.filter(\.change.entersHash).map { change, _ in
      "\(change.place.words): \(escapedForTerminal(words(of: change).phrase))"
    }
  }

  private func writeChanges(to page: inout Page) {
    if formCount > 0, !showsForms {
      page.paragraph(
        "\(counted(Int64(formCount), "thing")) that a store does not tell apart (indexes by another name or form, classes "
          + "that one side does not name): --all", first: "  ")
    }
    guard !shown.isEmpty else { return }
    var entity: String?
    for (change, effect) in shown {
      let title = change.place.entity ?? "The model as a whole"
      if entity != title {
        page.section(escapedForTerminal(title))
        entity = title
      }
      write(change, effect: effect, to: &page)
    }
    page.line()
    page.line(page.styled("  # enters the hash, - does not", as: .faint))
  }

  private func write(_ change: ModelChange, effect: Effect, to page: inout Page) {
    let property = change.place.property.map { escapedForTerminal($0) + ": " } ?? ""
    page.paragraph(
      property + escapedForTerminal(words(of: change).phrase), first: change.entersHash ? "  # " : "  - ")
    guard effect.inference != .notNeeded || !effect.rules.isEmpty || effect.basis == .assumed else { return }
    if effect.afterwards != "unchanged" || effect.basis == .assumed {
      page.paragraph(
        effect.words + (effect.basis == .assumed ? " (assumed)" : ""), first: "      ",
        style: effect.isImpossible ? .warning : .faint)
    }
    for rule in effect.rules { write(rule, to: &page) }
  }

  private func write(_ rule: RowRule, to page: inout Page) {
    let assumed = rule.gradeWhenViolated.basis == .assumed ? " (assumed)" : ""
    switch rule.consequence {
    case .blocks(let failure):
      let code = failure.code.map { " with \($0)" } ?? ""
      page.paragraph("passes if \(rule.condition.words); else fails\(code)\(assumed)", first: "      ", style: .warning)
    case .atRisk(let code):
      let code = code.map { " (\($0) at the next save)" } ?? ""
      page.paragraph("worth a look unless \(rule.condition.words)\(code)\(assumed)", first: "      ", style: .faint)
    case .loses: break
    }
  }

  private func writeRenames(to page: inout Page) {
    guard !inference.difference.likelyRenames.isEmpty else { return }
    page.section("Likely renames without \(destination.isSwiftSource ? "originalName" : "renaming identifier")")
    for rename in inference.difference.likelyRenames {
      let place = rename.place.destinationProperty == nil ? "" : escapedForTerminal(rename.place.entity ?? "") + ": "
      let words = rename.words(inSwift: destination.isSwiftSource)
      page.paragraph(place + escapedForTerminal(words), first: "  ! ", style: .warning)
    }
  }
}

extension ModelComparison.Doubtful {
  /// "Note is open and did not change, as far as the source tells: ...".
  fileprivate var words: String {
    let answer =
      isUndecided
      ? "what changed in it depends on how it is read; a store that such a version wrote, given in its place or with "
        + "--store, settles it"
      : isChanged
        ? "changed; what is said of it holds however it is read, and types are the likeliest"
        : "did not change, as far as the source tells"
    // If the entity is the same in both, both messages are the same.
    let shown = isChanged ? messages : Array(messages.prefix(1))
    return escapedForTerminal(
      "\(entity) is open\(isUndecided ? ", and" : " and") \(answer): \(shown.joined(separator: "; "))")
  }
}

extension ModelDiffReport.Side {
  fileprivate var words: String {
    escapedForTerminal(path) + (version.map { ", version \(quoted($0))" } ?? "")
  }
}

extension ModelChange.Place {
  /// "Note.title", escaped.
  var words: String { [entity, property].compactMap { $0 }.map(escapedForTerminal).joined(separator: ".") }
}

extension Effect {
  fileprivate var isImpossible: Bool { if case .impossible = inference { true } else { false } }

  /// The fate of the rows, or why migration is impossible.
  fileprivate var words: String {
    switch inference {
    case .notNeeded, .possible: "rows: \(escapedForTerminal(afterwards))"
    case .impossible(let failure):
      "not inferable" + (failure.code.map { " (\($0))" } ?? "") + ": "
        + escapedForTerminal(afterwards)
    case .unknown: "whether it is inferable is not known; rows: \(escapedForTerminal(afterwards))"
    }
  }
}
