import StoreModels
import StoreText
import StoreWords
import StoreDataModel

/// A match as text: the answer, the differences of every version, misleading facts, what to do next.
extension ModelMatch {
  /// The text for a terminal of `width` columns.
  package func text(width: Int, isStyled: Bool) -> String {
    var page = Page(width: width, isStyled: isStyled)
    page.paragraph(verdict, first: "", style: .strong)
    page.write(store.identity.reading)
    for note in notes { page.paragraph(sentence(note), first: "  ! ", style: .warning) }
    writeCandidates(to: &page)
    writeNearest(to: &page)
    writeMappings(to: &page)
    history?.write(to: &page)
    writeNext(to: &page)
    return page.text
  }

  /// The result in a sentence.
  package var verdict: String {
    let place = escapedForTerminal(store.path)
    let all = counted(Int64(store.hashes.byEntity.count), "entity hash", "entity hashes")
    switch answer {
    case .version(let equal):
      return "\(place) was made with \(names(equal)): all \(all) equal"
    case .union(let parts):
      return "\(place) was made with \(names(parts)) merged into one model: together they have all \(all)"
    case .part(let parts, let unaccounted):
      return "\(place) holds \(names(parts)), merged with a model that was not given: "
        + "\(unaccounted.count) of \(all) are of other entities (\(listed(unaccounted)))"
    case .none:
      if let history, let first = history.matches.first(where: \.comparison.isEqual) {
        return "\(place) was made with \(quoted(first.name)) of the repository's history: all \(all) equal"
      }
      guard !candidates.isEmpty || history != nil else { return "\(place): nothing to match it with" }
      let isOpen = history?.isWhole == false
      return "\(place) was made with none of "
        + (isOpen && candidates.isEmpty
          ? "those of the repository's models that can be read"
          : candidates.isEmpty ? "the repository's models" : counted(Int64(candidates.count), "version") + " given")
        + (history != nil && !candidates.isEmpty ? ", nor with any in the repository's history" : "")
        + (isOpen ? (candidates.isEmpty ? "" : " that can be read") + "; which one made it is not known" : "")
        + (possible.isEmpty ? "" : ", unless with \(names(possible)), which is not known whole")
    }
  }

  private func names(_ positions: [Int]) -> String {
    positions.map { candidates[$0].shownName(among: candidates) }.joined(separator: " and ")
  }

  private func listed(_ names: [String], atMost limit: Int = 6) -> String {
    let shown = names.prefix(limit).map(escapedForTerminal).joined(separator: ", ")
    return names.count > limit ? "\(shown) and \(names.count - limit) more" : shown
  }

  // MARK: Versions

  private func writeCandidates(to page: inout Page) {
    guard !candidates.isEmpty else { return }
    page.section("Versions")
    let width = candidates.map { $0.shownName(among: candidates).displayWidth }.max() ?? 0
    for candidate in candidates {
      let name = candidate.shownName(among: candidates)
      let mark = candidate.comparison.isEqual ? "=" : " "
      if width <= page.width / 3 {
        page.paragraph(candidate.words, first: "  \(mark) \(name.padded(to: width))  ")
      } else {
        page.line("  \(mark) \(name)")
        page.paragraph(candidate.words, indent: 6)
      }
    }
  }

  private func writeNearest(to page: inout Page) {
    guard let nearest else { return }
    guard isNear(nearest) else {
      page.line()
      page.paragraph(wordsOfNoNearest)
      return
    }
    let candidate = candidates[nearest.candidate]
    page.section("Nearest: \(candidate.shownName(among: candidates))")
    let comparison = candidate.comparison
    for (title, names) in [
      ("other hash", comparison.different), ("only in the store", comparison.onlyInStore),
      ("only in the model", comparison.onlyInModel), ("not known", comparison.unknown),
    ] where !names.isEmpty {
      page.field(title, listed(names, atMost: 40), width: 18)
    }
    guard comparison.isWhole else {
      page.paragraph("which properties differ is not said, since the version is not known whole")
      return
    }
    guard let report = report(nearest) else {
      page.paragraph("the store carries no model of its own, so which properties differ cannot be told")
      return
    }
    page.line()
    page.paragraph("from the store's model to it:")
    for phrase in report.hashedPhrases.prefix(Self.shownChanges) { page.paragraph(phrase, first: "  # ") }
    let rest = report.hashedPhrases.count - Self.shownChanges
    if rest > 0 { page.paragraph("and \(rest) more changes that enter the hash; 'model diff' lists them") }
  }

  /// The words if no entity is known to be the store's. An entity that is not known may be one of the store's.
  private var wordsOfNoNearest: String {
    let unknown = candidates.filter { !$0.comparison.isWhole }
    guard let first = unknown.first else {
      return "no version has any entity of the store: these are models of something else"
    }
    let comparison = first.comparison
    let name = first.shownName(among: candidates)
    let known = comparison.onlyInModel.count
    let others =
      switch unknown.count {
      case 1: ""
      case 2: ", and another version is not known whole either"
      default: ", and \(unknown.count - 1) other versions are not known whole either"
      }
    guard !comparison.mayHaveMore else {
      let names = comparison.unknown.isEmpty ? "" : " (\(listed(comparison.unknown)))"
      return "0 of the \(known) known entities of \(name) are the store's; it may have more\(names)\(others)"
    }
    return "0 of the \(known) known entities of \(name) are the store's; "
      + "\(listed(comparison.unknown)) \(comparison.unknown.count == 1 ? "is" : "are") not known\(others)"
  }

  private static let shownChanges = 20

  /// Whether the store and the nearest version have an entity in common, changed or not.
  private func isNear(_ nearest: Nearest) -> Bool {
    let comparison = candidates[nearest.candidate].comparison
    return !comparison.equal.isEmpty || !comparison.different.isEmpty
  }

  /// The difference from the store's own model to the nearest candidate.
  func report(_ nearest: Nearest) -> ModelDiffReport? {
    nearest.inference.map { inference in
      let candidate = candidates[nearest.candidate]
      return ModelDiffReport(
        source: .init(path: store.path), destination: .init(path: candidate.source, version: candidate.name),
        inference: inference)
    }
  }

  // MARK: Mapping models

  private func writeMappings(to page: inout Page) {
    guard !mappings.isEmpty else { return }
    page.section("Mapping models")
    for mapping in mappings {
      let doubt = mapping.unread.first.map { " (assumed: \(escapedForTerminal($0)))" } ?? ""
      page.paragraph("\(quoted(mapping.path)) \(words(mapping))\(doubt)")
    }
  }

  private func words(_ mapping: Mapping) -> String {
    if mapping.fitsNeither { return "fits neither side" }
    return "leads from \(words(mapping.source)) to \(words(mapping.destination))"
  }

  private func words(_ side: Mapping.Side) -> String {
    if side.recorded == 0 { return "a version whose hashes it does not record" }
    guard side.fits else { return "a version that is not given" }
    guard !side.candidates.isEmpty else { return "the store's version" }
    return names(side.candidates) + (side.isStore ? " (the store's version)" : "")
  }

  private func sentence(_ note: Note) -> String {
    switch note {
    case .sameIdentifier(let position):
      let same = Set(store.identifiers).intersection(candidates[position].identifiers).filter { !$0.isEmpty }.sorted()
      return "\(candidates[position].shownName(among: candidates)) has the store's version identifier "
        + "\(same.map(quoted).joined(separator: ", ")) and another shape: "
        + (same == ["1.0.0"]
          ? "SwiftData gives '1.0.0' to every schema without a version"
          : "it was changed after this store was made, or the identifier was never raised")
    case .equalVersions(let positions):
      return "\(names(positions)) have the same checksum: a staged migration with both is refused"
    case .sameSchema(let positions):
      return "\(names(positions)) are the same schema, used by \(positions.count) containers"
    case .recordedHashesDiffer(let position, let entities):
      return "VersionInfo.plist records other hashes for \(listed(entities)) of "
        + candidates[position].shownName(among: candidates)
    case .cacheDiffers(let entities):
      return "the model in the store and the hashes in its metadata differ for \(listed(entities)); the hashes decide"
    case .checksumInconsistent: return "the checksum in the store's metadata does not follow from its hashes"
    case .mappingFitsNeither(let position):
      return "\(quoted(mappings[position].path)) fits neither side: the hashes it records are not the store's and not "
        + "those of a version given. An app that needs it fails with 134140"
    case .notDerived(let position, let message):
      return "\(candidates[position].shownName(among: candidates)) is not known whole: \(escapedForTerminal(message))"
    case .faults(let position, let faults):
      let more = faults.count > 1 ? ", and \(faults.count - 1) more" : ""
      return "\(candidates[position].shownName(among: candidates)) contradicts itself: "
        + "\(escapedForTerminal(faults.first ?? ""))\(more)"
    case .openRule(_, let message): return escapedForTerminal(message)
    case .madeBySystem(let positions, let message):
      return "\(names(positions)) \(positions.count == 1 ? "is" : "are") not one model on all systems: "
        + escapedForTerminal(message)
    case .decidedByStore(let position, let message):
      return "the store decided how \(candidates[position].shownName(among: candidates)) is to be read: "
        + escapedForTerminal(message)
    case .missingVersion(let source, let name):
      return "\(escapedForTerminal(source)) names the version \(quoted(name)), which is not in it"
    }
  }

  private func writeNext(to page: inout Page) {
    var commands: [String] = []
    switch answer {
    case .version(let equal):
      guard let position = equal.first,
        let current = candidates.first(where: { $0.isCurrent && $0.source == candidates[position].source }),
        !current.comparison.isEqual
      else { break }
      commands.append(
        "storedoctor model diff \(candidates[position].argument(among: candidates)) "
          + current.argument(among: candidates))
    case .none:
      if let nearest, store.hasModel, isNear(nearest) {
        commands.append(
          "storedoctor model diff \(shellQuoted(store.path)) \(candidates[nearest.candidate].argument(among: candidates))"
        )
      }
      if history == nil {
        commands.append("storedoctor model match \(shellQuoted(store.path)) --git path/to/the/apps/repository")
      }
    case .union, .part: break
    }
    guard !commands.isEmpty else { return }
    page.section("Next")
    for command in commands { page.command(command) }
  }
}

extension ModelMatch.Candidate {
  fileprivate var words: String {
    let words = comparison.isEqual ? "all \(comparison.equal.count) equal" : comparison.summary
    // A source with a single version needs no mark for the current one.
    return isCurrent && path != source ? words + "; current version" : words
  }

  /// 'Notes 2', with its source if several were given.
  func shownName(among candidates: [Self]) -> String {
    let isAlone = candidates.allSatisfy { $0.source == source }
    return isAlone || path == source
      ? quoted(isAlone ? name : path) : "\(quoted(name)) of \(escapedForTerminal(source))"
  }

  /// The model as a command-line argument.
  func argument(among candidates: [Self]) -> String {
    path == source ? shellQuoted(path) : shellQuoted("\(source)#\(name)")
  }
}

extension HashComparison {
  /// "12 of 14 equal, 1 differs (Note), 1 only in the store (Tag)".
  var summary: String {
    let total = equal.count + different.count + onlyInStore.count + onlyInModel.count + unknown.count
    var parts = ["\(equal.count) of \(total) equal"]
    for (names, words) in [
      (different, different.count == 1 ? "differs" : "differ"), (onlyInStore, "only in the store"),
      (onlyInModel, "only in the model"), (unknown, "not known"),
    ] where !names.isEmpty {
      let shown = names.prefix(3).map(escapedForTerminal).joined(separator: ", ")
      parts.append("\(names.count) \(words) (\(shown)\(names.count > 3 ? ", ..." : ""))")
    }
    return parts.joined(separator: ", ")
  }
}

extension HistoryMatch {
  fileprivate func write(to page: inout Page) {
    page.section("History of \(escapedForTerminal(repository))")
    page.paragraph(
      "\(counted(Int64(models), "different model")) in \(counted(Int64(commits), "commit")) that changed one"
        + (unreadable.isEmpty ? "" : ", \(grouped(Int64(unreadable.count))) of them not readable"))
    for match in matches.prefix(10) { match.write(to: &page) }
    if matches.count > 10 { page.paragraph("and \(matches.count - 10) more; --format json lists them") }
    if let nearest, matches.isEmpty {
      page.paragraph("none has the store's hashes; the most similar:")
      nearest.write(to: &page)
    }
    if isShallow {
      page.paragraph(
        "the clone is shallow: commits before its oldest are not there ('git fetch --unshallow' gets them)",
        first: "  ! ",
        style: .warning)
    }
    if let sourceProblem { page.paragraph(escapedForTerminal(sourceProblem), first: "  ! ", style: .warning) }
    for failure in unreadable.prefix(5) {
      page.paragraph(
        "\(escapedForTerminal(failure.path)) (\(failure.object.prefix(12))): \(escapedForTerminal(failure.reason))",
        first: "  ! ", style: .warning)
    }
  }
}

extension HistoryMatch.Match {
  fileprivate func write(to page: inout Page) {
    page.line()
    page.line("  " + page.styled(escapedForTerminal(path), as: .strong))
    page.paragraph(comparison.isEqual ? "all \(comparison.equal.count) equal" : comparison.summary, indent: 4)
    for commit in introduced { page.paragraph(commit.words, first: "    made      ") }
    for commit in ended { page.paragraph(commit.words, first: "    replaced  ") }
    if ended.isEmpty { page.line("    still there on some branch or tag") }
    if !tags.isEmpty {
      let shown = tags.prefix(12).map(escapedForTerminal).joined(separator: ", ")
      page.paragraph(shown + (tags.count > 12 ? " and \(tags.count - 12) more" : ""), first: "    tags      ")
    }
  }
}

extension HistoryMatch.Commit {
  fileprivate var words: String {
    let date = time.flatMap { DateText.day(secondsSince2001: Double($0 - secondsFrom1970To2001)) } ?? "date unknown"
    return "\(id.prefix(12)) \(date) \(escapedForTerminal(subject))"
  }
}
