import ArgumentParser
import StoreCoreData
import StoreJSON
import StorePlatform
import StoreReports
import StoreRows
import StoreSQLite
import StoreSalvage

/// `storedoctor compare A B`.
struct Compare: ParsableCommand, StyledOutput {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare the objects of two stores, also of different model versions.",
    discussion: """
      Says which objects were added, removed and changed, with old and new values; what was saved only, without a change, \
      counts as equal. Objects are paired by key where the stores have one UUID, as copies, repaired and migrated stores \
      have, and by unique attributes elsewhere. Entities and properties of different models are paired as a migration \
      would pair them. History and metadata are not compared.

      EXAMPLES
        storedoctor compare Notes.sqlite Notes-repaired.sqlite
        storedoctor compare before.sqlite after.sqlite --summary
        storedoctor compare phone.sqlite tablet.sqlite --by Note.uuid --by Tag.name
        storedoctor compare a.sqlite b.sqlite --ignore Note.updatedAt --format jsonl

      EXIT STATUS
        0   equal
        1   different
        2   could not compare everything
      """)

  /// The formats of a comparison.
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, jsonl }

  @Argument(help: "The first store.", completion: .file())
  var before: String

  @Argument(help: "The second store.", completion: .file())
  var after: String

  @Option(
    name: .customLong("by"),
    help: ArgumentHelp(
      "Pair the objects of an entity by this attribute; 'key' pairs all by key. Repeatable.",
      valueName: "entity.attribute"))
  var pairing: [String] = []

  @Option(
    name: .customLong("ignore"),
    help: ArgumentHelp("Leave this property out. Repeatable.", valueName: "entity.property"))
  var ignored: [String] = []

  @Option(
    name: .customLong("entity"), help: ArgumentHelp("Compare this entity only. Repeatable.", valueName: "name"),
    completion: .entities)
  var entities: [String] = []

  @Option(
    name: .customLong("wal"),
    help: ArgumentHelp(
      "Read this file as the first store's write-ahead log, in place of the one beside it.", valueName: "file"),
    completion: .file())
  var firstLog: String?

  @Option(
    name: .customLong("second-wal"),
    help: ArgumentHelp("The same for the second store.", valueName: "file"), completion: .file())
  var secondLog: String?

  @Flag(help: "Show counts, and no objects.")
  var summary = false

  @Option(help: ArgumentHelp("In text, show at most this many objects of an entity.", valueName: "count"))
  var limit = 10

  @Option(help: "How to write the result: text, json, or jsonl (a line for each object).")
  var format: Format = .text

  @Flag(help: "Show no progress while reading large stores.")
  var quiet = false

  @Option(help: colorHelp)
  var color: ColorWish = .auto

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func validate() throws {
    for word in pairing where word != "key" && !word.contains(".") {
      throw ValidationError("--by takes 'key' or an attribute such as Note.uuid; '\(word)' is neither")
    }
    if pairing.contains("key"), pairing.count > 1 {
      throw ValidationError("--by key pairs all objects by key; omit the others")
    }
    for word in ignored where !word.contains(".") {
      throw ValidationError("--ignore takes a property such as Note.updatedAt; '\(word)' is none")
    }
    if limit < 0 { throw ValidationError("--limit is a number of objects, 0 or more") }
  }

  func run() throws {
    let progress = ProgressLine("comparing \(before) and \(after)", isQuiet: quiet)
    try reported {
      defer { progress?.clear() }
      let stores = try [(before, firstLog), (after, secondLog)].map { path, log in
        var options = Store.Options(onProgress: progress?.report).watchingPages.readingPastDamage(of: nil)
        options.log = log.map { PosixPath(argument: $0) }
        return try Store(StoreLocator.locate(PosixPath(argument: path)), options: options)
      }
      let comparison = try compared(stores[0], with: stores[1], progress: progress)
      if comparison.isEqual == false { throw ExitCode(1) }
      if comparison.isEqual == nil { throw ExitCode(2) }
    }
  }

  private func compared(_ one: Store, with other: Store, progress: ProgressLine?) throws -> StoreComparison {
    var options = ComparisonOptions()
    if !entities.isEmpty { options.entities = Set(entities) }
    options.ignored = Set(ignored)
    options.pairing = pairing == ["key"] ? .key : .automatic
    for word in pairing where word != "key" {
      let parts = word.split(separator: ".", maxSplits: 1)
      if parts.count == 2 { options.attributes[String(parts[0])] = String(parts[1]) }
    }
    let output = OutputBytes(to: standardOutput)
    var text = ComparisonText(limit: limit)
    var isFirst = true
    if format == .json, !summary { try output.append("{\n  \"changes\": [") }
    let comparison = try compareStores(one, other, options: options) { change in
      switch format {
      case .text: if !summary { text.add(change) }
      case .jsonl: if !summary { try output.append(change.json.lineText) }
      case .json:
        guard !summary else { return }
        try output.append((isFirst ? "\n    " : ",\n    ") + change.json.lineText.dropLast())
        isFirst = false
      }
    }
    for store in [one, other] { try store.checkUnchanged() }
    progress?.clear()
    switch format {
    case .text:
      try output.append(text.text(comparison, width: width, isStyled: isStyled))
    case .jsonl: try output.append(JSONValue.object(comparison.summary).lineText)
    case .json:
      guard !summary else {
        try output.append(JSONValue.object(comparison.summary).text)
        break
      }
      try output.append(isFirst ? "]" : "\n  ]")
      for case (let name, let value?) in comparison.summary {
        try output.append(",\n  \"\(name)\": " + value.lineText.dropLast())
      }
      try output.append("\n}\n")
    }
    try output.flush()
    return comparison
  }
}
