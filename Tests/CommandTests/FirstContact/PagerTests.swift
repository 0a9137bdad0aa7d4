import TestSupport
import Testing

/// Long output on a terminal is shown by a pager, and nowhere else.
@Suite struct PagerTests {
  @Test(
    .needs("python3"),
    arguments: [
      // Rows of the terminal, environment, arguments, whether a pager shows the output.
      (10, "STOREDOCTOR_PAGER=sed s/^/paged:/ PAGER=cat", "inspect corpus/Notes.sqlite", true),
      (10, "PAGER=sed s/^/paged:/", "inspect corpus/Notes.sqlite", true),
      (10, "PAGER=sed s/^/paged:/", "--no-pager inspect corpus/Notes.sqlite", false),
      (10, "PAGER=sed s/^/paged:/", "inspect corpus/Notes.sqlite --no-pager", false),
      (10, "STOREDOCTOR_PAGER= PAGER=sed s/^/paged:/", "inspect corpus/Notes.sqlite", false),
      (10, "PAGER=/nowhere/pager", "inspect corpus/Notes.sqlite", false),
      (200, "PAGER=sed s/^/paged:/", "inspect corpus/Notes.sqlite", false),
    ]) func pages(rows: Int, environment: String, arguments: String, isPaged: Bool) throws
  {
    let screen = try onTerminal(rows, environment, arguments)
    #expect(screen.contains("paged:Core Data store") == isPaged, "\(screen)")
    #expect(screen.contains("Core Data store"), "\(screen)")
    #expect(screen.hasSuffix("status 0"), "\(screen)")
  }

  /// Help is longer than a terminal, too: of a command, by either name, and of the program.
  @Test(.needs("python3"), arguments: ["diagnose --help", "help diagnose", "--help"])
  func helpIsPaged(_ arguments: String) throws {
    let screen = try onTerminal(24, "PAGER=sed s/^/paged:/", arguments)
    #expect(screen.contains("paged:OVERVIEW: ") && screen.hasSuffix("status 0"), "\(screen)")
    #expect(try !onTerminal(24, "PAGER=sed s/^/paged:/", "--no-pager " + arguments).contains("paged:"))
    #expect(try onTerminal(24, "PAGER=sed s/^/paged:/", "--version").contains("paged:") == false)
  }

  @Test(.needs("python3")) func noShellReadsThePager() throws {
    #expect(try onTerminal(10, "PAGER=echo $HOME;id", "inspect corpus/Notes.sqlite").contains("$HOME;id"))
  }

  /// The status is the command's, also where the pager is left early.
  @Test(.needs("python3")) func statusStays() throws {
    let model = "diagnose corpus/Notes.sqlite --model corpus/Notes.xcdatamodeld"
    #expect(try onTerminal(10, "PAGER=head -1", model).hasSuffix("status 1"))
    #expect(try onTerminal(10, "PAGER=true", model).hasSuffix("status 1"))
  }

  @Test func redirectedOutputIsNotPaged() throws {
    let outcome = try Program.run(
      ["inspect", Project.path("corpus/Notes.sqlite")], environment: ["PAGER": "sed s/^/paged:/"])
    #expect(outcome.output.hasPrefix("Core Data store"))
  }

  private func onTerminal(_ rows: Int, _ environment: String, _ arguments: String) throws -> String {
    try Program.launch(
      ["python3", "-c", Self.driver, String(rows), environment, Project.path(""), Program.path]
        + arguments.split(separator: " ").map(String.init), limit: 300
    ).output
  }

  /// Runs a program on a terminal of some rows, and prints what it shows and the status.
  private static let driver = #"""
    import fcntl, os, pty, re, struct, sys, termios
    rows, environment, project, *command = sys.argv[1:]
    process, terminal = pty.fork()
    if process == 0:
      os.chdir(project)
      for name in "PAGER", "STOREDOCTOR_PAGER": os.environ.pop(name, None)
      for name, value in re.findall(r"(\w+)=(.*?)(?= \w+=|$)", environment): os.environ[name] = value
      fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), 80, 0, 0))
      os.execv(command[0], command)
    got = b""
    while True:
      try: part = os.read(terminal, 65536)
      except OSError: break
      if not part: break
      got += part
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", got.decode())
    print(text + f"status {status}", end="")
    """#
}
