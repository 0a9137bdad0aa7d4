import StoreFindings
import StoreWords
import StoreDiagnosis
import StoreExplanation

/// An explanation as text: what to do first, the meaning, what the store has of it, what to do next.
extension Explanation {
  /// - Parameters:
  ///   - width: columns of the terminal.
  ///   - isStyled: whether escape sequences may be used.
  package func text(width: Int, isStyled: Bool) -> String {
    var page = Page(width: width, isStyled: isStyled)
    for check in checks { check.write(to: &page) }
    if !choices.isEmpty {
      page.line()
      page.line(page.styled("Checks with that word in their name", as: .strong))
      writeList(of: choices, to: &page)
      page.section("Next")
      page.command("storedoctor explain \(choices[0].id)")
    }
    if let log { writeHead(log, to: &page) }
    for error in errors { error.write(line: line(of: error), to: &page) }
    for code in unknown {
      page.line()
      page.paragraph(
        "\(code.number) of \(code.domain.rawValue), in line \(code.line): nothing is known of it", indent: 0)
    }
    if let log { writeReasons(log, to: &page) }
    if !claims.isEmpty {
      page.section("What is known")
      for claim in claims { write(claim, to: &page) }
    }
    if let store { writeStore(store, to: &page) } else if let log { writeNames(log, to: &page) }
    writeNext(to: &page)
    return page.text.hasPrefix("\n") ? String(page.text.dropFirst()) : page.text
  }

  /// What a log says and what the store has of it, among other things: a section.
  func writeShort(named name: String, to page: inout Page) {
    page.section(log == nil ? "What \(escapedForTerminal(name)) means" : "What \(escapedForTerminal(name)) says")
    if log?.leadsToDeletion == true {
      page.paragraph(
        "Do not relaunch the app. Copy the files first: apps that meet this text are known to delete the store.",
        style: .warning)
    }
    for error in errors.prefix(3) {
      let place = line(of: error).map { " in line \($0)" } ?? ""
      page.paragraph("\(error.code) \(error.symbol ?? "")\(place): \(error.cause)", first: "  - ")
    }
    for code in unknown.prefix(3) {
      page.paragraph(
        "\(code.number) of \(code.domain.rawValue) in line \(code.line): nothing is known of it", first: "  - ")
    }
    guard let log else { return }
    let telling = log.reasons.filter { !$0.isWrapper }
    for reason in (telling.isEmpty && errors.isEmpty ? log.reasons : telling).prefix(3) { write(reason, to: &page) }
    if log.isCutOff { page.paragraph("only the first 64 MiB of the log were read") }
    if let store {
      for statement in store.statements.prefix(8) { write(statement, to: &page) }
      if store.statements.count > 8 { page.paragraph("and \(store.statements.count - 8) more that the log names") }
    } else {
      let names = log.places.map(\.text) + log.objects.map(\.text)
      if !names.isEmpty { page.paragraph(escapedForTerminal("it names \(names.prefix(5).joined(separator: ", "))")) }
    }
  }

  private func write(_ statement: LogInStore.Statement, to page: inout Page) {
    page.paragraph(
      escapedForTerminal("\(statement.subject): \(statement.words)"),
      first: statement.holds == false ? "  ! " : "  - ", style: statement.holds == false ? .warning : nil)
  }

  /// One line for each check and each error.
  package func list(width: Int) -> String {
    var page = Page(width: width, isStyled: false)
    writeList(of: checks, to: &page)
    for error in errors {
      let prefix = error.domain == .sqlite ? "sqlite:" : ""
      page.paragraph(
        error.symbol.map { "\($0): \(error.cause)" } ?? error.cause,
        first: "\(prefix)\(error.code)".padded(to: 13) + "  ")
    }
    return page.text
  }

  private func writeList(of checks: [CheckWords], to page: inout Page) {
    for check in checks {
      page.paragraph(
        "\(check.name): \(check.summary)", first: "\(check.id)  \(check.severity.rawValue.padded(to: 7))  ")
    }
  }

  private func line(of error: KnownError) -> Int? {
    log?.codes.first { $0.domain == error.domain && $0.number == error.code }?.line
  }

  private func writeHead(_ log: LogFacts, to page: inout Page) {
    if log.isEmpty {
      page.line(page.styled("Nothing in the log is known: no error number, no reason, no object.", as: .strong))
      page.paragraph(
        "Paste the whole error, with its user information (reason, entity, attribute, metadata).", indent: 0)
      return
    }
    guard log.leadsToDeletion else { return }
    page.paragraph("Do not relaunch the app. Copy the files first.", indent: 0, style: .warning)
    page.paragraph(
      "Apps that meet this text are known to delete the store and begin anew. The store is three files: the main file, "
        + "-wal and -shm; copy them together.", indent: 0)
  }

  private func writeReasons(_ log: LogFacts, to page: inout Page) {
    let telling = log.reasons.filter { !$0.isWrapper }
    let reasons = telling.isEmpty && errors.isEmpty ? log.reasons : telling
    guard !reasons.isEmpty || log.joinedLines > 0 else { return }
    page.section("What the log says")
    for reason in reasons { write(reason, to: &page) }
    writeReading(of: log, to: &page)
  }

  /// What was not read as it stands.
  private func writeReading(of log: LogFacts, to page: inout Page) {
    if log.joinedLines > 0 {
      page.paragraph(
        "lines that a mail or a terminal had broken were read as one (line breaks left out: \(log.joinedLines))")
    }
    if log.isCutOff { page.paragraph("only the first 64 MiB of the log were read") }
  }

  private func write(_ reason: KnownReason, to page: inout Page) {
    let assumed = reason.basis == .assumed ? " (assumed: common knowledge, not checked)" : ""
    page.paragraph("\"\(reason.words)\": \(reason.meaning)\(assumed)", first: "  - ")
  }

  /// The checks of source that find the cause, where all that the log says is in the source.
  private var sourceChecks: [String] {
    let telling = (log?.reasons ?? []).filter { !$0.isWrapper }
    let checks = telling.compactMap(\.sourceCheck)
    return errors.isEmpty && checks.count == telling.count ? checks : []
  }

  /// Names in the log, where no store was given to look them up in.
  private func writeNames(_ log: LogFacts, to page: inout Page) {
    let names =
      log.places.map(\.text) + log.objects.map(\.text) + log.relationships.map { "relationship \($0)" }
      + log.schemaNames
      + log.statements.map(\.subject) + log.hashes.keys.sorted(by: codeUnitsPrecede).map { "hash of \($0)" }
    guard !names.isEmpty else { return }
    page.section("What the log names")
    for name in names.prefix(20) { page.paragraph(escapedForTerminal(name)) }
    if names.count > 20 { page.paragraph("and \(names.count - 20) more; --format json lists all") }
  }

  private func writeStore(_ store: LogInStore, to page: inout Page) {
    page.section("In \(escapedForTerminal(store.path))")
    page.write(store.store.reading)
    guard !store.statements.isEmpty else {
      page.paragraph("the log names no object, entity, table or hash that could be looked up")
      return
    }
    for statement in store.statements { write(statement, to: &page) }
  }

  private func writeNext(to page: inout Page) {
    let store = store.map { shellQuoted($0.path) } ?? "STORE"
    let wantsModel = suggestedChecks.contains { Check.traits(of: $0).contains(.candidates) }
    // These checks need a migration plan.
    let isStaged = suggestedChecks.compactMap(CheckID.init).contains {
      [.newerThanKnown, .duplicateVersionChecksum, .unknownToPlan].contains($0)
    }
    guard log != nil || !errors.isEmpty else { return }
    // Swift source itself says that it is opened with a plan.
    let isSource = log?.isFromSwiftData == true
    let model = isSource ? "Sources/" : "MODEL"
    page.section("Next")
    if let check = sourceChecks.first {
      page.command("storedoctor lint Sources/")
      return page.command("storedoctor explain \(check)")
    }
    if let log, self.store == nil, !log.statements.isEmpty || !log.relationships.isEmpty {
      page.command("storedoctor explain --log LOG --store STORE", note: "what the tables and columns are")
    }
    let arguments = (wantsModel ? " --model \(model)" : "") + (isStaged && !isSource ? " --opening staged" : "")
    page.command("storedoctor diagnose \(store)" + arguments)
    if suggestedChecks.contains(CheckID.incompatibleModel.rawValue) {
      page.command("storedoctor model match \(store) \(model)")
    }
    if isSource, wantsModel { page.command("storedoctor lint \(model) --store \(store)") }
    if let check = suggestedChecks.first { page.command("storedoctor explain \(check)") }
  }
}

extension CheckWords {
  fileprivate func write(to page: inout Page) {
    page.line()
    page.line(page.styled("\(id) \(name), \(severity.rawValue)", as: .strong))
    page.paragraph(summary, indent: 0)
    var paragraph: [String] = []
    func flush(_ page: inout Page) {
      if !paragraph.isEmpty { page.paragraph(paragraph.joined(separator: " ")) }
      paragraph = []
    }
    var isCode = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        flush(&page)
        isCode.toggle()
      } else if isCode {
        page.line(line.isEmpty ? "" : "    \(line)")
      } else if line.hasPrefix("## ") {
        flush(&page)
        page.section(String(line.dropFirst(3)))
      } else if line.isEmpty {
        flush(&page)
      } else {
        paragraph.append(String(line))
      }
    }
    flush(&page)
  }
}

extension KnownError {
  fileprivate func write(line: Int?, to page: inout Page) {
    page.line()
    let place = line.map { ", in line \($0)" } ?? ""
    page.line(page.styled("\(code) \(symbol ?? "(no public name)") of \(domain.rawValue)\(place)", as: .strong))
    page.paragraph(cause + (basis == .assumed ? " (assumed: common knowledge, not checked)" : ""))
    if let inFile { page.paragraph("The store can tell: \(inFile).") }
    if !checks.isEmpty { page.paragraph("Checks: \(checks.joined(separator: ", "))") }
  }
}
