import StoreCoreData
import StoreDiagnosis
import StoreExplanation
import StoreFindings
import StorePlaces
import StoreTriage
import StoreWords

/// The answer as text: one screen with what it is, what is wrong, which rows, and what to do next.
extension Triage {
  /// - Parameters:
  ///   - width: columns of the terminal.
  ///   - isStyled: whether escape sequences may be used.
  package func text(width: Int, isStyled: Bool) -> String {
    switch answer {
    case .store(let diagnosis, let entities):
      return diagnosis.shortText(width: width, isStyled: isStyled, facts: facts(diagnosis, entities: entities)) {
        page in
        writeNotes(to: &page)
        writeLogs(to: &page)
      }
    case .stores(let stores):
      var page = Page(width: width, isStyled: isStyled)
      write(stores, to: &page)
      return page.text
    case .unreadable(let sentence):
      var page = Page(width: width, isStyled: isStyled)
      page.paragraph(escapedForTerminal(sentence), indent: 0, first: "", style: .strong)
      writeRest(to: &page)
      return page.text
    case .none:
      var page = Page(width: width, isStyled: isStyled)
      page.paragraph(withoutStore, indent: 0, first: "", style: .strong)
      writeRest(to: &page)
      return page.text
    }
  }

  // MARK: One store

  /// What the store is, with which model it was judged, and where the log is.
  private func facts(_ diagnosis: Diagnosis, entities: Int) -> [(String, String)] {
    var store = ["Core Data store"]
    store.append(diagnosis.store.frameworkVersion.map { "framework \($0)" } ?? "framework unknown")
    let identifiers = diagnosis.store.versionIdentifiers.filter { !$0.isEmpty }
    if !identifiers.isEmpty { store.append("model version \(identifiers.map(quoted).joined(separator: ", "))") }
    store.append(counted(Int64(entities), "entity", "entities"))
    if let rows = diagnosis.population.map({ $0.reduce(Int64(0)) { $0.addingReportingOverflow($1.rows).partialValue } })
    {
      store.append(counted(rows, "object"))
    }
    return [("store", "\(diagnosis.store.path): \(store.joined(separator: ", "))")]
      + models.map { ("model", $0.words) } + logs.map { ("log", $0.words) }
  }

  private func writeLogs(to page: inout Page) {
    for log in logs { log.explanation.writeShort(named: log.name, to: &page) }
  }

  /// Notes, and what could not be made anything of.
  private func writeNotes(to page: inout Page) {
    for note in notes { page.paragraph(escapedForTerminal(note), first: "  ? ") }
    if !isOneProblem {
      for problem in things.compactMap(\.problem) {
        page.paragraph(escapedForTerminal(problem.sentence), first: "  ! ")
      }
    }
    for thing in things where thing.leavesOutStores {
      page.paragraph(
        escapedForTerminal(
          "\(quoted(thing.name)) has a model, and was named with a store: its own stores were not looked at"),
        first: "  ? ")
    }
  }

  // MARK: No store

  /// Whether nothing was named but one thing, of which nothing could be made.
  private var isOneProblem: Bool {
    if case .none = answer { return logs.isEmpty && models.isEmpty && things.count == 1 && things[0].problem != nil }
    return false
  }

  private var withoutStore: String {
    if let log = logs.first {
      let codes = log.explanation.errors.prefix(3).map { "\($0.code)" }
      return codes.isEmpty ? "a log and no store" : "a log and no store: \(codes.joined(separator: ", "))"
    }
    if !models.isEmpty { return "a model and no store" }
    if things.allSatisfy(\.isMapping) {
      return "a mapping model and no store: name the store and the app's model with it"
    }
    if let log = things.compactMap(\.writeAheadLog).first {
      return escapedForTerminal(
        "\(quoted(log.description)) is a write-ahead log, in which the newest rows are, and its store is not among what was "
          + "named; name it too")
    }
    if things.count == 1, let problem = things[0].problem { return escapedForTerminal(problem.sentence) }
    let gaps = things.compactMap(\.incomplete)
    let names = things.map { quoted($0.name) }.joined(separator: ", ")
    return escapedForTerminal(
      "found no Core Data store in \(names)" + (gaps.first.map { ", and not all could be looked at: \($0)" } ?? ""))
  }

  private func writeRest(to page: inout Page) {
    for model in models { page.field("model", escapedForTerminal(model.words), width: 6) }
    writeNotes(to: &page)
    for log in logs { log.explanation.writeShort(named: log.name, to: &page) }
    if case .unreadable = answer, logs.isEmpty, models.isEmpty { return }
    if isOneProblem { return }
    page.section("Next")
    for log in logs.prefix(1) where log.explanation.log != nil {
      page.command("storedoctor explain --log \(shellQuoted(pathWord(log.name)))", note: "all that the log says")
    }
    if let model = models.first(where: { $0.source != nil }) {
      let path = shellQuoted(pathWord(model.name))
      page.command("storedoctor model show \(path)", note: "what is in it")
      if model.source?.format == .swift {
        page.command("storedoctor lint \(path)", note: "what is wrong in the source")
      }
      page.command("storedoctor STORE \(path)", note: "what would happen to a store")
    } else {
      let names = things.map { shellQuoted(pathWord($0.name)) }.joined(separator: " ")
      page.command("storedoctor STORE \(names)", note: "with the store, or the folder or archive it lies in")
    }
  }

  // MARK: Several stores

  private func write(_ stores: TriagedStores, to page: inout Page) {
    page.paragraph(stores.headline, indent: 0, first: "", style: .strong)
    for device in stores.devices {
      page.field("place", escapedForTerminal("\(quoted(device.place)) is \(device.words)"), width: 6)
    }
    for model in models { page.field("model", escapedForTerminal(model.words), width: 6) }
    for log in logs { page.field("log", escapedForTerminal(log.words), width: 6) }
    if stores.notWhole > 0 {
      page.paragraph(
        "\(counted(Int64(stores.notWhole), "store")) may hold more than was read: in WAL mode with no -wal beside, or with "
          + "one that was not read", first: "  ? ")
    }
    if stores.touched > 0 {
      let those = counted(Int64(stores.touched), "store")
      page.paragraph("of \(those) the \(Reading.accessTimesClause)", first: "  ? ")
    }
    writeNotes(to: &page)
    page.section("Stores, the gravest first")
    for store in stores.gravest { store.write(to: &page) }
    if stores.count > stores.gravest.count {
      page.paragraph("and \(counted(Int64(stores.count - stores.gravest.count), "more store", "more stores"))")
    }
    if !stores.others.isEmpty {
      page.section("Not read, or no store")
      for other in stores.others.prefix(5) { other.write(to: &page) }
      let rest = stores.others.count + stores.othersLeft - min(5, stores.others.count)
      if rest > 0 { page.paragraph("and \(rest) more") }
    }
    for log in logs { log.explanation.writeShort(named: log.name, to: &page) }
    page.section("Next")
    let places = things.filter { !$0.stores.isEmpty || $0.incomplete != nil }
    if let first = stores.gravest.first {
      let model =
        models.first { $0.source != nil && $0.problem == nil }
        .map { " --model \(shellQuoted(pathWord($0.name)))" } ?? ""
      page.command("storedoctor diagnose \(shellQuoted(pathWord(first.path)))\(model)", note: "the first of them")
    }
    let files = things.filter { !$0.isPlace && !$0.stores.isEmpty }.map { shellQuoted(pathWord($0.name)) }
    if stores.count == 2, files.count == 2 {
      page.command(
        "storedoctor compare \(files.joined(separator: " "))", note: "what the one has and the other has not")
    }
    page.command(
      "storedoctor audit \(places.map { shellQuoted(pathWord($0.name)) }.joined(separator: " ")) --summary",
      note: "all of them, by cause")
  }
}

extension TriagedStores {
  /// "12 stores: 2 with errors, 3 with warnings, 7 healthy".
  fileprivate var headline: String {
    let parts: [(Severity?, String)] = [
      (.error, "with errors"), (.warning, "with warnings"), (.note, "with notes"), (nil, "of which nothing was found"),
    ]
    let words = parts.compactMap { severity, words in
      counts[severity].map { count in "\(grouped(Int64(count))) \(severity == nil ? "with nothing found" : words)" }
    }
    return "\(counted(Int64(count), "store")): \(words.joined(separator: ", "))"
  }
}

extension TriagedStore {
  fileprivate func write(to page: inout Page) {
    var facts: [String] = [verdict]
    if let container { facts.append("of \(container)") }
    if let population {
      facts.append(
        "\(counted(population.rows, "object")) of \(counted(Int64(population.entities), "entity", "entities"))")
    }
    if let bytes { facts.append(bytesText(bytes)) }
    let mark = severity.map(\.letter) ?? " "
    page.paragraph(
      escapedForTerminal("\(path): \(facts.joined(separator: ", "))"), first: "  \(mark) ", style: severity?.look)
    if let words {
      let rest = more > 0 ? "; and \(more) more" : ""
      page.paragraph(escapedForTerminal(words + rest), indent: 4)
    }
    for remark in remarks.prefix(2) { page.paragraph(escapedForTerminal(remark), indent: 4, first: "    ? ") }
  }
}

extension Severity {
  fileprivate var letter: String {
    switch self {
    case .error: "E"
    case .warning: "W"
    case .note: "N"
    }
  }

  fileprivate var look: Page.Style? {
    switch self {
    case .error: .error
    case .warning: .warning
    case .note: nil
    }
  }
}

extension Triage.FoundModel {
  /// "'App.ipa!Notes.momd', 3 versions, 'Notes 3' is current".
  var words: String {
    guard let source else { return "\(quoted(name)) \(problem ?? "cannot be read")" }
    let names = source.versions.map(\.name)
    let place = source.path == name ? quoted(name) : "\(quoted(source.path))"
    let versions = names.count == 1 ? "one version" : "\(names.count) versions"
    let current = (try? source.decidingVersion())?.name
    let which = names.count > 1 ? current.map { ", \(quoted($0)) is current" } ?? "" : ""
    return "\(place), \(versions)\(which)" + (problem.map { "; \($0)" } ?? "")
  }
}

extension GivenThing.ReadLog {
  /// "crash.ips: 134110 in line 12".
  var words: String {
    guard let log = explanation.log else { return name }
    let codes = log.codes.prefix(3).map { "\($0.number) in line \($0.line)" }
    return codes.isEmpty ? name : "\(name): \(codes.joined(separator: ", "))"
  }
}
