import Foundation
import StoreSQLite
import TestSupport
import Testing

/// Rare inputs of audits, of resumed ones and of merges.
@Suite struct AuditRareCaseTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(_ name: String) throws -> String {
    let path = folder(name)
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    return try folder.copyStore(Project.path("corpus/Notes.sqlite"), as: name)
  }

  /// A store with dangling references.
  private func damagedStore(_ name: String) throws -> String {
    let path = try store(name)
    try Connection(writing: path, create: false).execute("UPDATE ZNOTE SET ZFOLDER = 99")
    return path
  }

  /// A tar archive of these files.
  private func archive(_ name: String, _ stores: [String]) throws -> String {
    _ = try Program.launch(["tar", "-C", folder.path, "-cf", folder(name)] + stores)
    return folder(name)
  }

  @Test(.needs("bsdtar")) func anArchiveThatIsNamedTwiceIsGoneOnFrom() throws {
    _ = try [store("x.sqlite"), store("y.sqlite"), store("D/a.tar!z.sqlite")]
    let tar = try archive("D/a.tar", ["x.sqlite", "y.sqlite"])
    for input in [[tar, tar, folder("y.sqlite")], [folder("D")]] {
      let whole = try AuditRun(input).outcome.output
      let lines = whole.split(separator: "\n").map { $0 + "\n" }
      for count in 0...lines.count {
        try folder.write(Array(lines.prefix(count).joined().utf8), to: "lines")
        #expect(try AuditRun(input + ["--resume", folder("lines")]).status == 0, "after \(count) of \(input)")
        #expect(try String(contentsOfFile: folder("lines"), encoding: .utf8) == whole, "after \(count) of \(input)")
      }
    }
  }

  @Test(.needs("bsdtar")) func aNameThatIsTwiceInAnArchiveHasLinesOfItsOwn() throws {
    _ = try store("x.sqlite")
    let tar = try archive("a.tar", ["x.sqlite"])
    _ = try Program.launch(["tar", "-C", folder.path, "-rf", tar, "x.sqlite", "x.sqlite"])
    let lines = try AuditRun([tar])
    #expect(try lines.lines.map { $0.path.split(separator: "!").last } == ["x.sqlite", "x.sqlite (2)", "x.sqlite (3)"])
    let file = try folder.write(Array(lines.outcome.output.utf8), to: "lines")
    #expect(try AuditRun(["--merge", file]).lines.count == 3)
  }

  /// An entry of a list may be a folder or an archive with several stores, which then share its id.
  @Test(.needs("bsdtar")) func storesOfOneIdAreToldApart() throws {
    _ = try [damagedStore("d/one.sqlite"), store("d/two.sqlite")]
    _ = try archive("a.tar", ["d/one.sqlite", "d/two.sqlite"])
    let list = try folder.write(
      Array("{\"id\": 7, \"path\": \"\(folder("d"))\"}\n{\"id\": 8, \"path\": \"\(folder("a.tar"))\"}\n".utf8),
      to: "list")
    let lines = try AuditRun(["--from", list])
    #expect(try lines.lines.map(\.id) == ["7", "7", "8", "8"])
    let file = try folder.write(Array(lines.outcome.output.utf8), to: "lines")
    let merged = try AuditRun(["--merge", file, "--write-baseline", folder("known")])
    #expect(merged.status == 0 && merged.outcome.output == lines.outcome.output, "\(merged.outcome.errors)")
    // The finding is known for `one` only, so it is new for `two`.
    _ = try damagedStore("e/two.sqlite")
    try FileManager.default.removeItem(atPath: folder("d/two.sqlite"))
    try FileManager.default.moveItem(atPath: folder("e/two.sqlite"), toPath: folder("d/two.sqlite"))
    let later = try AuditRun(["--from", list, "--baseline", folder("known")])
    #expect(try later.lines.map { $0.findings?.contains { $0.id == "SD401" } ?? false } == [false, true, false, false])
  }

  @Test(arguments: [["--jobs", "1"], ["--jobs", "4"], ["--resume", "lines"]])
  func aStoreThatIsNamedInTwoWaysHasOneCopy(options: [String]) throws {
    let path = try damagedStore("x.sqlite")
    try folder.write(Array("version: 1\ndangling: nullify\n".utf8), to: "recipe.yaml")
    let run = try AuditRun(
      (0..<6).map { String(repeating: "/", count: $0) + path } + [path] + [
        "--recipe", folder("recipe.yaml"), "--apply", "--output-dir", folder("out"), "--fail-on", "never",
      ] + options.map { $0 == "lines" ? folder($0) : $0 })
    var ledger = run
    ledger.outcome.output = try String(contentsOfFile: folder("out/ledger.jsonl"), encoding: .utf8)
    #expect(try ledger.lines.compactMap(\.output?.outcome) == ["written"] + Array(repeating: "failed", count: 5))
    #expect(run.status == 1 && run.outcome.errors.contains("--apply: failed, 5 of 6 copies could not be written"))
  }

  @Test func aListLeadsNoCopiesAmongItsStores() throws {
    _ = try damagedStore("in/x.sqlite")
    try folder.write(Array("version: 1\ndangling: nullify\n".utf8), to: "recipe.yaml")
    let list = try folder.write(Array(folder("in").utf8), to: "list")
    let run = try AuditRun([
      "--from", list, "--recipe", folder("recipe.yaml"), "--apply", "--output-dir", folder("in/out"),
    ])
    #expect(run.status == 64 && run.outcome.errors.contains("--output-dir lies in"), "\(run.outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder("in")).sorted() == ["out", "x.sqlite"])
  }

  @Test func partsShareAnOutputFolder() throws {
    _ = try (1...6).map { try damagedStore("in/\($0).sqlite") }
    try folder.write(Array("version: 1\ndangling: nullify\n".utf8), to: "recipe.yaml")
    let parts = try ["1/2", "2/2"].map { part in
      let run = try AuditRun([
        folder("in"), "--recipe", folder("recipe.yaml"), "--apply", "--output-dir", folder("out"), "--shard", part,
        "--fail-on", "never",
      ])
      #expect(run.status == 0, "\(run.outcome.errors)")
      return try folder.write(Array(run.outcome.output.utf8), to: "lines-" + part.prefix(1))
    }
    #expect(try AuditRun(["--merge"] + parts + ["--fail-on", "never"]).lines.count == 6)
  }

  /// A model's default value may decide the verdict but enters no version hash. A change of it still makes the run a
  /// different one.
  @Test func linesByAnotherDefaultAreOfAnotherRun() throws {
    let path = try store("x.sqlite")
    try FileManager.default.copyItem(
      atPath: Project.path("corpus/Notes.xcdatamodeld"), toPath: folder("Notes.xcdatamodeld"))
    let command = [path, "--model", folder("Notes.xcdatamodeld"), "--resume", folder("lines"), "--fail-on", "never"]
    #expect(try AuditRun(command).status == 0)
    let contents = folder("Notes.xcdatamodeld/Notes 3.xcdatamodel/contents")
    let model = try String(contentsOfFile: contents, encoding: .utf8)
    let other = model.replacing(
      #"name="modifiedAt" attributeType="Date""#,
      with: #"name="modifiedAt" attributeType="Date" defaultDateTimeInterval="0""#
    )
    #expect(other != model)
    try Data(other.utf8).write(to: URL(fileURLWithPath: contents))
    let again = try AuditRun(command)
    #expect(again.status == 2 && again.outcome.errors.contains("cannot resume"), "\(again.outcome.errors)")
  }

  @Test(arguments: [
    ["--model", "Notes.momd"], ["--check", "SD401"], ["--entity", "Note"], ["--recipe", "r"], ["--timings"],
  ])
  func mergingTakesNoOptionThatItCannotFollow(options: [String]) throws {
    let lines = try folder.write(Array(AuditRun([store("x.sqlite")]).outcome.output.utf8), to: "lines")
    let run = try AuditRun(["--merge", lines] + options)
    #expect(run.status == 64 && run.outcome.errors.contains(options[0]), "\(run.outcome.errors)")
  }

  @Test func aRunThatFailsLeavesNoEmptyFile() throws {
    let path = try store("x.sqlite")
    let outputs = ["--report", folder("report"), "--write-baseline", folder("known")]
    #expect(try AuditRun([path, "--baseline", folder("none")] + outputs).status == 2)
    #expect(try AuditRun([path, "--model", folder("none")] + outputs).status == 2)
    #expect(try AuditRun([path] + outputs).status == 0)
  }

  @Test func aRateNeedsAModel() throws {
    let path = try store("x.sqlite")
    #expect(try AuditRun([path, "--min-migrates", "50%"]).status == 64)
  }

  @Test func aGateThatFailsIsAFailingCase() throws {
    let path = try store("x.sqlite")
    let run = try AuditRun([
      path, "--model", Project.path("corpus/Notes.xcdatamodeld"), "--min-migrates", "100%", "--format", "junit",
    ])
    #expect(run.status == 1 && run.outcome.output.contains(#"<testsuite name="gate" tests="1" failures="1""#))
  }

  /// A folder whose entries can be listed but not looked at is reported.
  @Test func whatCannotBeSeenHasALine() throws {
    _ = try [store("in/top.sqlite"), store("in/closed/Notes.db"), store("in/closed/x/a.sqlite")]
    for (path, mode) in [("in", 0o755), ("in/closed", 0o744), ("", 0o755)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder(path))
    }
    let run = try AuditRun([folder("in")], as: .ordinary)
    #expect(
      try run.table(below: folder.path) == """
        in/closed  unreadable  not-permitted
        in/top.sqlite  audited  healthy
        """)
    #expect(run.status == 1)
  }

  @Test func whatLiesTooDeepHasALine() throws {
    _ = try store("deep/a.sqlite")
    let deepen = "cd \"$0\"; for i in $(seq 18); do mkdir \"$1\"; cd \"$1\"; done; cp \"$2\" store.sqlite"
    let made = try Program.launch([
      "bash", "-c", deepen, folder("deep"), String(repeating: "d", count: 250), Project.path("corpus/Notes.sqlite"),
    ])
    #expect(made.status == 0, "\(made.errors)")
    let run = try AuditRun([folder("deep")])
    #expect(try run.lines.map(\.status) == ["audited", "unreadable"])
    #expect(try run.lines.last?.problem?.kind == "too-deep")
    _ = try Program.launch(["rm", "-rf", folder("deep")])
  }

  /// While the audit waits for a slow writer of its list, finished lines are printed, and a signal ends it.
  @Test func aListThatIsWaitedForHoldsNothingUp() throws {
    let path = try store("x.sqlite")
    let script = """
      mkfifo list; (echo "$1"; exec sleep 60) > list & writer=$!
      "$2" audit --no-config --quiet --from list > lines & audit=$!
      for i in $(seq 300); do [ -s lines ] && break; sleep 0.1; done
      wc -l < lines; kill -TERM $audit; wait $audit; echo $?; kill $writer
      """
    let run = try Program.launch(["bash", "-c", "cd \"$0\"; " + script, folder.path, path, Program.path])
    #expect(run.output.split(whereSeparator: \.isWhitespace) == ["1", "2"], "\(run.output) \(run.errors)")
  }

  @Test func whatAMigrationTakesAwayIsSaid() throws {
    let path = try store("x.sqlite")
    let command = [path, "--model", Project.path("corpus/Notes.xcdatamodeld#Notes"), "--fail-on", "never"]
    let run = try AuditRun(command)
    #expect(try run.lines.map(\.verdict) == ["migrates"])
    #expect(run.outcome.output.contains(#""consequence": "loses","entity": "Attachment","message": "lost","rows": 4"#))
    let summary = try AuditRun(command + ["--summary"]).outcome.output
    #expect(summary.hasPrefix("1 of 1 store opens or migrates (100%)\n1 of them loses rows or values by it\n"))
    #expect(summary.contains("\n  migrates, losing data       1   100%"))
    #expect(summary.contains("\n  Attachment: lost, 1 store, 4 rows\n"))
    #expect(!summary.contains("SD809"), "what is lost is told once")
  }

  /// As in a merge. An entry with an id counts as a store of its own.
  @Test func whatIsNamedTwiceIsOneStore() throws {
    let path = try store("a.sqlite")
    let list = try folder.write(Array("\(path)\n{\"path\": \"\(path)\", \"id\": \"7\"}\n".utf8), to: "list")
    let run = try AuditRun([path, folder.path, path, "--from", list])
    #expect(try run.lines.map(\.id) == [nil, "7"])
    #expect(run.outcome.errors.contains("named more than once, and looked at once: '\(path)'"))
  }

  /// The unfinished copies that a killed repair leaves behind are skipped.
  @Test func draftsAreNoStores() throws {
    _ = try store("a.sqlite")
    _ = try store(".storedoctor-4f2a.sqlite")
    try folder.write(Array("anything".utf8), to: ".storedoctor-4f2a.sqlite-wal")
    #expect(try AuditRun([folder.path]).table(below: folder.path) == "a.sqlite  audited  healthy")
  }

  /// These are recognized by their names, since their contents are compressed in ways that are not read.
  @Test func archivesOfOtherKindsHaveALine() throws {
    for name in ["a.tar.bz2", "b.tar.xz", "c.sqlite.gz", "d.7z", "log.gz", "photo.xz"] {
      try folder.write(Array("anything".utf8), to: name)
    }
    _ = try store("e.sqlite")
    let run = try AuditRun([folder.path])
    #expect(run.status == 0)
    #expect(
      try run.table(below: folder.path) == """
        a.tar.bz2  not-followed  unsupported-archive
        b.tar.xz  not-followed  unsupported-archive
        c.sqlite.gz  not-followed  unsupported-archive
        d.7z  not-followed  unsupported-archive
        e.sqlite  audited  healthy
        """)
    // An archive that is named on the command line is an error, and not only noted.
    let named = try AuditRun([folder("d.7z")])
    #expect(named.status == 1)
    #expect(try named.table(below: folder.path) == "d.7z  unreadable  cannot-unpack")
  }

  @Test func anEntityThatAStoreLacksShowsNothingOfOthers() throws {
    let path = try damagedStore("x.sqlite")
    let run = try AuditRun([path, "--entity", "Other"])
    #expect(try run.lines.flatMap { $0.findings ?? [] }.map(\.id) == [])
    #expect(run.outcome.output.contains(#""reason": "the store has no such entity""#))
  }

  /// The end of a pipe that is left unread until nothing more comes: as much as it holds was written, and the audit waits.
  private static let fullPipe = """
    import fcntl, os, signal, struct, subprocess, sys, termios, time
    output, given = os.pipe()
    audit = subprocess.Popen(sys.argv[2:], stdout=given, preexec_fn=lambda: os.close(output))
    os.close(given)
    def waiting(): return struct.unpack("i", fcntl.ioctl(output, termios.FIONREAD, struct.pack("i", 0)))[0]
    # Lines are written by and by: a pipe that is full has as much after half a second as before.
    before = -1
    while waiting() == 0 or waiting() > before:
      before = waiting()
      time.sleep(0.5)

    """

  /// The time limit of a store counts the work on it, not the time in which its line waits for a slow reader.
  ///
  /// The limit is short, so that the reader is slower. On a busy machine a store may need more than that for itself; then a
  /// longer one is tried. Time that is counted wrongly is beyond each of them.
  @Test(.needs("python3")) func timeThatNobodyReadsLinesInIsNoStoresTime() throws {
    _ = try (1...120).map { try damagedStore("in/\($0).sqlite") }
    let script =
      Self.fullPipe + """
        time.sleep(float(sys.argv[1]))
        with os.fdopen(output, "rb") as lines: sys.stdout.buffer.write(lines.read())
        sys.exit(audit.wait())
        """
    var others: [AuditRun.Line] = []
    for limit in ["0.8", "3", "12"] {
      let command = [Program.path, "audit", "--no-config", "--quiet", "--timeout", limit, "--jobs", "2", folder("in")]
      let run = AuditRun(try Program.launch(["python3", "-c", script, limit] + command))
      let lines = try run.lines
      #expect(lines.count == 120, "\(run.outcome.errors)")
      #expect(run.outcome.output.utf8.count > 2 << 16, "a pipe holds them all, and nobody had to wait")
      others = lines.filter { $0.status != "audited" }
      if others.isEmpty { return }
    }
    Issue.record("time in which nobody reads counts: \(others)")
  }

  /// An audit that blocks because nobody reads its output still ends by a second signal.
  @Test(.needs("python3")) func aSecondSignalEndsAtOnce() throws {
    _ = try (1...120).map { try damagedStore("in/\($0).sqlite") }
    let script =
      Self.fullPipe + """
        while audit.poll() is None:
          audit.send_signal(signal.SIGTERM)
          time.sleep(0.05)
        print(audit.returncode)
        """
    let command = [Program.path, "audit", "--no-config", "--quiet", "--jobs", "2", folder("in")]
    let run = try Program.launch(["python3", "-c", script, ""] + command)
    // 2 if the first signal was handled before the pipe was full.
    #expect(["-15\n", "2\n"].contains(run.output), "\(run.output) \(run.errors)")
    #expect(!run.wasKilled)
  }

  @Test(.needs("bsdtar")) func whereNothingCanBeUnpackedIsSaid() throws {
    _ = try store("x.sqlite")
    let run = try AuditRun([archive("a.tar", ["x.sqlite"])], environment: ["TMPDIR": folder("x.sqlite")])
    #expect(run.status == 2 && run.outcome.errors.contains("set TMPDIR to one that can be written"))
  }

  /// A folder of the user's that is named like an audit's temporary one, but has no marker file, is not removed.
  @Test func evidenceInAFolderOfOurNameStays() throws {
    let path = try store("storedoctor-audit-Ab12Cd/x.sqlite")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: folder("storedoctor-audit-Ab12Cd"))
    let run = try AuditRun([path], environment: ["TMPDIR": folder.path])
    #expect(run.status == 0)
    #expect(FileManager.default.fileExists(atPath: path))
  }
}
