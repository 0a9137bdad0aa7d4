import Foundation
import TestSupport
import Testing

/// What a person sees on a terminal: a narrow one, one on which progress is shown, and an issue tracker.
@Suite struct ScreenTests {
  /// The lines on a terminal of so many columns when a command has ended, as the terminal shows them.
  private func screen(_ columns: Int, _ arguments: [String]) throws -> [String] {
    let outcome = try Program.launch(
      ["python3", "-c", Self.driver, String(columns), Project.path(""), Program.path] + arguments, limit: 300)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  /// Knows line feeds, carriage returns and "clear to the end of the line"; colours are left out.
  private static let driver = #"""
    import fcntl, os, pty, re, struct, sys, termios
    columns, project, *command = sys.argv[1:]
    process, terminal = pty.fork()
    if process == 0:
      os.chdir(project)
      os.environ["STOREDOCTOR_PAGER"] = ""
      fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, int(columns), 0, 0))
      os.execv(command[0], command)
    got = b""
    while True:
      try: piece = os.read(terminal, 65536)
      except OSError: break
      if not piece: break
      got += piece
    os.waitpid(process, 0)
    lines, at = [""], 0
    for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|[^\x1b]", got.decode()):
      if part == "\n": lines.append(""); at = 0
      elif part == "\r": at = 0
      elif part.startswith("\x1b"): lines[-1] = lines[-1][:at] if part.endswith("K") else lines[-1]
      else: lines[-1] = lines[-1][:at].ljust(at) + part + lines[-1][at + 1:]; at += 1
    print("\n".join(lines))
    """#

  /// The lines that are wider than the terminal and could be broken: a hash or a path cannot.
  private func tooWide(_ lines: [String], _ columns: Int) -> [String] {
    lines.filter { $0.count > columns && $0.split(separator: " ").allSatisfy { word in word.count < 40 } }
  }

  @Test(.needs("python3"), arguments: [60, 80]) func nothingIsWiderThanTheTerminal(columns: Int) throws {
    for arguments in [["--entity", "Note"], [], ["--sizes"]] {
      let lines = try screen(columns, ["inspect", "corpus/Notes.sqlite"] + arguments)
      #expect(tooWide(lines, columns) == [], "\(arguments)")
      #expect(lines.contains { $0.contains("Note") })
    }
  }

  /// Messages too, whoever finds the mistake: the options' parser, a command, or the recipe's reader.
  @Test(.needs("python3"), arguments: [60, 80]) func messagesAreBrokenAtSpaces(columns: Int) throws {
    for arguments in [
      ["inspct", "corpus/Notes.sqlite"], ["diagnose", "corpus/Notes.sqlite", "--opening", "sometimes"],
      ["diagnose", "corpus/Notes.sqlite", "--check", "SD999"], ["inspect", "corpus"],
      ["repair", "corpus/Guests.sqlite", "--backfill-expression", "Guest.note=uppr(name)"],
      ["migrate", "corpus/Notes.sqlite", "--model", "corpus/School.xcdatamodeld", "--dry-run"],
    ] {
      let lines = try screen(columns, arguments)
      #expect(tooWide(lines, columns) == [], "\(arguments)")
      #expect(lines.count > 1)
    }
  }

  /// Each of 53 entities has one line, and what of its links does not fit is counted.
  @Test(.needs("python3"), .needsSharedData, arguments: [60, 80, 120]) func aLargeStoreFitsTheTerminal(columns: Int)
    throws
  {
    let store = SharedData.path("corpus-real/osxphotos--photos-dc6686/Photos.sqlite")
    let lines = try screen(columns, ["inspect", store])
    #expect(tooWide(lines, columns) == [])
    let start = try #require(lines.firstIndex { $0.hasPrefix("Entities") })
    let end = try #require(lines.firstIndex { $0.hasPrefix("  rows of each entity alone") })
    #expect(end - start - 1 >= 53 && end - start - 1 <= 70, "\(end - start)")
    #expect(lines[end + 1] == "  +3: so many links more; --entity NAME shows all")
    #expect(lines[start..<end].contains { $0.contains("+") })
  }

  /// The columns of a rehearsal stay below each other where the terminal is narrow.
  @Test(.needs("python3"), arguments: [60, 80]) func aRehearsalKeepsItsColumns(columns: Int) throws {
    let lines = try screen(
      columns, ["rehearse", "corpus/Notes.sqlite", "--model", "corpus/Notes.xcdatamodeld", "--no-config"])
    #expect(tooWide(lines, columns) == [], "\(lines)")
    let head = try #require(lines.first { $0.contains("verdict") && $0.contains("outcome") })
    let place = try #require(head.range(of: "outcome")?.lowerBound.utf16Offset(in: head))
    let row = try #require(lines.first { $0.contains("blocked-by-data  ") })
    #expect(Array(row)[place - 1] == " " && Array(row)[place] != " ", "\(row)")
    #expect(lines.joined(separator: " ").contains("KiB"))
  }

  /// Progress is gone when the next line is written.
  @Test(.needs("python3")) func progressIsNotMixedIntoOtherLines() throws {
    let lines = try screen(80, ["diagnose", "corpus/Notes.sqlite", "--verbose", "--fail-on", "never"])
    #expect(lines.filter { $0.contains("%") || $0.contains("diagnosing") } == [])
    #expect(lines.contains { $0.hasPrefix("storedoctor: ") } || lines.contains { $0.contains("SD") })
  }

  @Test func markdownIsATableForAnIssueTracker() throws {
    let store = Project.path("examples/repair-a-store/Notes.sqlite")
    let outcome = try Program.run(["diagnose", store, "--format", "markdown", "--fail-on", "never"])
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.first == "**findings: 2 errors, 1 warning, 1 note**")
    #expect(
      lines.contains(
        "| error | SD404 orphaned-join-row | `Note.tags` | 6 rows of Z\\_3TAGS name an object that does not exist | 6 |"
      ))
    #expect(lines.filter { $0.hasPrefix("| ") }.allSatisfy { $0.split(separator: "|").count == 5 })
  }

  /// Commands that are longer than the page go on after backslashes, and run as they stand there.
  @Test func longCommandsRunAsTheyArePrinted() throws {
    let folder = try TemporaryFolder()
    let name = "A customer's copy, and a name as long as some are.sqlite"
    try FileManager.default.copyItem(
      atPath: Project.path("examples/repair-a-store/Notes.sqlite"), toPath: folder(name))
    let outcome = try Program.run(["diagnose", folder(name)], environment: ["COLUMNS": "60"])
    let next = outcome.output.split(separator: "\n").drop { $0 != "Next" }.dropFirst()
    #expect(next.filter { $0.hasSuffix(" \\") }.count > 2)
    let script =
      "storedoctor() { echo run; '\(Program.path)' \"$@\" >/dev/null || test $? -eq 1; }\nset -e\n"
      + next.joined(separator: "\n")
    let run = try Program.launch(["sh", "-c", script])
    #expect(run.status == 0 && run.errors == "", "\(script)\n\(run.errors)")
    #expect(run.output == String(repeating: "run\n", count: next.count { $0.hasPrefix("  storedoctor ") }))
  }

  @Test(.needs("python3")) func datesOfTheAppsOwnMetadataAreShownAsDates() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let program = """
      import datetime, plistlib, sqlite3, sys
      store = sqlite3.connect(sys.argv[1])
      values = plistlib.loads(store.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()[0])
      values["LastSync"] = datetime.datetime(2024, 3, 1, 12, 30)
      store.execute("UPDATE Z_METADATA SET Z_PLIST = ?", [plistlib.dumps(values, fmt=plistlib.FMT_BINARY)])
      store.commit()
      """
    #expect(try Program.launch(["python3", "-c", program, store]).status == 0)
    #expect(try Program.run(["inspect", store]).output.contains("LastSync"))
    #expect(try !Program.run(["inspect", store]).output.contains("2024-03-01"))
    #expect(try Program.run(["inspect", store, "--show-values"]).output.contains("2024-03-01T12:30:00Z"))
  }
}
