import StoreCoreData
import StoreInspection
import StoreText
import StoreWords

// What the store is, where its bytes are, and how the page was made.

extension StorePage {
  var whatThisIs: ReportPage.Section {
    ReportPage.Section(
      id: "what", title: "What this is", remark: "The files as they were found. They were read, and not changed.",
      content: """
        <dl class="figures">\(HTML.each(figures, as: HTML.fact))</dl>
        \(HTML.facts(facts))        \(HTML.plain(Self.folded(inspection.problems)))
        \(files)\(note)
        """)
  }

  private var figures: [PageFact] {
    [
      .init("objects", inspection.objectCount.map(grouped) ?? "not all countable"),
      .init("entities", grouped(Int64(inspection.entityCount))),
      inspection.history.isPresent
        ? .init("transactions in the history", inspection.history.transactions.map(grouped) ?? "unknown") : nil,
      .init("bytes of the main file", inspection.store.files.first.map { grouped($0.bytes) } ?? "unknown"),
      .init("pages that are free", grouped(inspection.store.freePages)),
    ].compactMap(\.self)
  }

  private var facts: [PageFact] {
    let metadata = inspection.metadata
    let identifiers = metadata.versionIdentifiers.filter { !$0.isEmpty }
    let names = inspection.model.path ?? (inspection.model.source == "cache" ? "its model cache" : "its tables")
    var facts: [PageFact] = [
      .init("Path", inspection.store.path), .init("Store UUID", metadata.uuid ?? "none"),
      .init("Core Data framework", metadata.frameworkVersion.map { String($0) } ?? "unknown"),
      .init("Model version", identifiers.isEmpty ? "none" : identifiers.map(quoted).joined(separator: ", ")),
      .init("Names come from", names), .init("Journal mode", inspection.store.journalMode),
    ]
    func add(_ name: String, _ words: String?) {
      if let words { facts.append(.init(name, words)) }
    }
    add("Made with", made)
    add("The app opens it with", diagnosis.deciding?.name)
    add("History", historyWords)
    add("External files", externalWords)
    add("CloudKit", inspection.cloudKit.isMirrored ? "mirrored" : nil)
    return facts + otherKeys
  }

  private var otherKeys: [PageFact] {
    guard let values = inspection.metadata.otherValues, run.showsValues else {
      let keys = inspection.metadata.otherKeys
      return keys.isEmpty ? [] : [.init("The app's own keys", keys.joined(separator: ", ") + " (values hidden)")]
    }
    return inspection.metadata.otherKeys.map { .init("The app's \(quoted($0))", values[$0] ?? "") }
  }

  /// The version among those given that has the store's hashes.
  private var made: String? { diagnosis.models.first { $0.comparison?.isEqual == true }?.name }

  private var historyWords: String? {
    guard let oldest = inspection.history.oldest, let newest = inspection.history.newest else { return nil }
    return oldest == newest ? timestamp(oldest) : "\(timestamp(oldest)) to \(timestamp(newest))"
  }

  /// Problems that have the same reason, which stands behind the first colon, as one.
  private static func folded(_ problems: [String]) -> [String] {
    var (order, heads): ([String], [String: [String]]) = ([], [:])
    for problem in problems {
      let colon = problem.firstRange(of: ": ")
      let reason = colon.map { String(problem[$0.upperBound...]) } ?? ""
      if heads[reason] == nil { order.append(reason) }
      heads[reason, default: []].append(colon.map { String(problem[..<$0.lowerBound]) } ?? problem)
    }
    return order.flatMap { reason -> [String] in
      let heads = heads[reason] ?? []
      return reason.isEmpty ? heads : [heads.joined(separator: "; ") + ": " + reason]
    }
  }

  private var externalWords: String? {
    let external = inspection.externalData
    guard external.references > 0 else { return nil }
    guard let found = external.found, let missing = external.missing else {
      return counted(external.references, "reference")
    }
    return "\(counted(external.references, "reference")), \(grouped(found)) found, \(grouped(missing)) missing"
  }

  private var files: HTML {
    let rows = HTML.each(inspection.store.files) { file in
      """
      <tr><th scope="row">\(fileNames[file.role] ?? file.role)</th><td class="r" data-label="bytes">\(grouped(file.bytes))</td><td data-label="SHA-256"><code>\(file.sha256 ?? "not taken")</code></td></tr>

      """
    }
    return """
      <table class="stack"><caption>Files</caption><thead><tr><th scope="col">file</th><th scope="col" class="r">bytes</th><th scope="col">SHA-256</th></tr></thead><tbody>
      \(rows)</tbody></table>

      """
  }

  private var fileNames: [String: String] {
    ["main": "main file", "wal": "write-ahead log", "shm": "index of the log", "support": "folder of external files"]
  }

  private var note: HTML {
    guard !run.note.isEmpty else { return "" }
    return "<h3 class=\"sub\">Case</h3>\n\(HTML.facts(run.note))"
  }

  var method: ReportPage.Section {
    let path = shellQuoted(inspection.store.path)
    let digests = inspection.store.files.compactMap { file in file.sha256.map { _ in file.role } }
    let check = digests.contains("main") ? "shasum -a 256 \(path)" : nil
    let commands = [run.command, check].compactMap(\.self)
    return ReportPage.Section(
      id: "method", title: "Limits and method", remark: "How to get the same answer again.",
      content: """
        <ul class="plain">
        <li>Each file was opened for reading alone. Nothing was created beside it, and no lock was taken.</li>
        <li>Numbers of different values end at 1,000. Values that are bytes are counted, and not compared.</li>
        <li>What stands here is what the commands 'diagnose' and 'inspect' say of the same files; a file that changed since has \
        another digest.</li>
        <li>\(inspection.store.accessTimesKept ? "Access times of the files were kept." : "Access times of the files may have changed.")</li>
        </ul>
        <h3 class="sub">To repeat it</h3>
        \(HTML.each(commands, as: HTML.command))<p class="small soft">storedoctor \(toolVersion), \(run.moment)</p>
        <p class="signature"><span>examined by</span><span>date</span></p>

        """)
  }
}
