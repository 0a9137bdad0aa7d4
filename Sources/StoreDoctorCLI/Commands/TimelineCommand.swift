import ArgumentParser
import StoreCoreData
import StoreInspection
import StoreRecovery
import StoreReports
import StoreSQLite
import StoreSalvage
import StoreSystem
import StoreText
import StoreWords

/// `storedoctor timeline STORE`.
struct TimelineCommand: ParsableCommand, StyledOutput {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Show everything in a store that has a time: history, commits, dates of objects.",
    discussion: """
      History transactions with app, process, author and context; each change with entity and key, the properties that an \
      update changed, and what is kept of a deleted object; the commits of the write-ahead log with the rows they \
      changed; date attributes of objects; dates in the metadata. All in one order: by time, and of one moment by what they \
      are and by key.

      A commit has no time of its own. One that wrote history has that of its transaction; others say between which times \
      they were (≥ not before, ≤ not after).

      With --deleted the pages are searched as by 'recover', and what one commit of the log has and a later one has not, or \
      what a change says that was trimmed from the history, is shown where the history does not tell of it already: \
      deletions, and versions that were replaced.

      jsonl and csv are in the form that Timesketch imports: message, datetime, timestamp_desc, and further fields.

      With --all STORE is a folder, an archive, a backup or a device's file system, and every store in it has its events in \
      one timeline, each with the store it is of. What could not be read is said, and makes the exit status 2.

      EXAMPLES
        storedoctor timeline Notes.sqlite
        storedoctor timeline Notes.sqlite --entity Note --key 12
        storedoctor timeline Notes.sqlite --since 2024-03-01 --until 2024-03-04
        storedoctor timeline Notes.sqlite --date Note.created
        storedoctor timeline Notes.sqlite --deleted
        storedoctor timeline Notes.sqlite --format jsonl > notes.jsonl
        storedoctor timeline Extraction.zip --all --format csv > all.csv
      """)

  @Argument(help: "The store: a file of any name, or a folder or bundle with exactly one store.", completion: .file())
  var store: String

  @OptionGroup(title: HelpGroup.period) var period: PeriodArguments

  @Option(
    name: .customLong("entity"),
    help: ArgumentHelp("Show what is about this entity and its subentities. Repeatable.", valueName: "name"),
    completion: .entities)
  var entities: [String] = []

  @Option(
    name: .customLong("key"),
    help: ArgumentHelp("Show what is about objects with these keys (Z_PK): 12, or 3,8.", valueName: "n[,n]"))
  var keys: [String] = []

  @Option(
    name: .customLong("date"),
    help: ArgumentHelp(
      "Of the dates of objects, show this attribute. Repeatable; all by default.", valueName: "entity.attribute"))
  var dates: [String] = []

  @Flag(
    help: """
      Show as well what the commits of the log, and changes trimmed from the history, prove to be gone. The whole file is \
      searched, as by 'recover'.
      """)
  var deleted = false

  @Flag(name: .customLong("all"), help: "Put every store of a folder, an archive or a backup into one timeline.")
  var takesAll = false

  @OptionGroup(title: HelpGroup.state) var moment: MomentArguments

  @Flag(help: "Show no progress while reading a large store.")
  var quiet = false

  @Option(help: "How to write the result: text, jsonl or csv.")
  var format: Timeline.Format = .text

  @Option(help: colorHelp)
  var color: ColorWish = .auto

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func validate() throws {
    if deleted, moment.withoutWAL || moment.asOf != nil {
      throw ValidationError("--deleted reads the whole write-ahead log; omit --as-of and --without-wal")
    }
    if takesAll, moment.asOf != nil || moment.logPath != nil {
      throw ValidationError("--as-of and --wal are about one store; omit --all")
    }
    if takesAll, !entities.isEmpty || !keys.isEmpty || !dates.isEmpty {
      throw ValidationError("--entity, --key and --date are about one store; omit --all, or name the store")
    }
    _ = try options
  }

  private var options: TimelineOptions {
    get throws {
      TimelineOptions(
        since: try period.start, until: try period.end, entities: entities,
        keys: try keys.flatMap { list in
          try list.split(separator: ",", omittingEmptySubsequences: false).map { word in
            guard let key = Int64(word) else { throw ValidationError("--key is a number, or several with commas: 3,8") }
            return key
          }
        }, dates: dates)
    }
  }

  func run() throws {
    let progress = ProgressLine("reading \(store)", isQuiet: quiet)
    var options = try options
    if takesAll {
      return try reported {
        defer { progress?.clear() }
        let all = try EveryStore(PosixPath(argument: store))
        try writeAll(all, options: options, progress: progress)
        try all.finish()
      }
    }
    try reported {
      defer { progress?.clear() }
      let recovery = deleted ? try recoverPastDamage(PosixPath(argument: store), log: moment.log) : nil
      if let recovery { options.proved = recovery.provedByPages }
      let timeline = try makeTimeline(
        PosixPath(argument: store),
        opening: moment.opening(progress: progress).readingPastDamage,
        options: options)
      progress?.clear()
      var pending = ""
      try timeline.forEachLine(format, isStyled: isStyled) { line in
        pending += line
        guard pending.utf8.count > 1 << 16 else { return }
        try standardOutput(pending)
        pending = ""
      }
      try standardOutput(pending)
      tell(timeline)
      try recovery?.checkUnchanged()
    }
  }

  /// One timeline over all stores of a place.
  private func writeAll(_ all: EveryStore, options: TimelineOptions, progress: ProgressLine?) throws {
    let lines = try SortedRuns(in: .forTemporaryFiles)
    var legend: [String] = []
    var (events, undated, undatedLeftOut) = (0, 0, 0)
    try all.forEach(progress) { path, shown in
      var options = options
      let recovery = deleted ? try recoverPastDamage(path, log: nil) : nil
      if let recovery { options.proved = recovery.provedByPages }
      let timeline = try makeTimeline(
        path, opening: moment.opening().readingPastDamage, options: options)
      try recovery?.checkUnchanged()
      lines.beginRun()
      let label = format == .text ? "[\(legend.count + 1)]" : shown
      try timeline.forEachEvent(format, of: label) { line, time in try lines.append(line, key: time) }
      legend.append(
        "  [\(legend.count + 1)] \(escapedForTerminal(shown)): \(counted(Int64(timeline.events.count), "event"))")
      events += timeline.events.count
      undatedLeftOut += timeline.undatedLeftOut
      if format != .text { undated += timeline.undated }
      for words in timeline.store.reading.clauses + timeline.problems { all.tell("\(shown): \(words)") }
    }
    progress?.clear()
    switch format {
    case .text:
      try standardOutput("\(counted(Int64(events), "event")) of \(counted(Int64(legend.count), "store"))\n")
      try standardOutput(legend.joined(separator: "\n") + "\n\n")
    case .csv: try standardOutput(Timeline.headerForSeveral)
    case .jsonl: break
    }
    var pending = ""
    try lines.forEach { line in
      pending += line
      guard pending.utf8.count > 1 << 16 else { return }
      try standardOutput(pending)
      pending = ""
    }
    try standardOutput(pending)
    if undated > 0 { all.tell("left out \(undated) events of which no time is known; the text shows them") }
    if undatedLeftOut > 0 {
      all.tell("left out \(undatedLeftOut) events of which no time is known, because of --since or --until")
    }
  }

  private func tell(_ timeline: Timeline) {
    if format != .text {
      timeline.store.reading.tell()
      for problem in timeline.problems { standardError("storedoctor: \(escapedForTerminal(problem))") }
      if timeline.undated > 0 {
        standardError("storedoctor: left out \(timeline.undated) events of which no time is known; the text shows them")
      }
    }
    if timeline.undatedLeftOut > 0 {
      standardError(
        "storedoctor: left out \(timeline.undatedLeftOut) events of which no time is known, because of --since or --until"
      )
    }
  }
}

extension Timeline.Format: ExpressibleByArgument {}
extension TimelineCommand: RecordedCommand {}
