import Foundation
import TestSupport
import Testing

/// What the three shells offer after a tab, in a terminal.
struct CompletionTests {
  /// Lines, and what is offered that does not stand in the line itself.
  private static let lines: [(line: String, offered: [String])] = [
    ("storedoctor inspect corpus/No", ["Notes.sqlite", "Notes.xcdatamodeld"]),
    ("storedoctor diagnose corpus/Notes.sqlite --model corpus/No", ["Notes.xcdatamodeld"]),
    ("storedoctor diagnose corpus/Notes.sqlite --check dangl", ["dangling-reference", "dangling-history"]),
    ("storedoctor inspect corpus/Notes.sqlite --entity ", ["Attachment", "Checklist", "Folder", "Tag"]),
    ("storedoctor model show corpus/Notes.xcdatamodeld --entity ", ["Attachment", "Checklist"]),
    ("storedoctor explain 1341", ["134100", "134110"]),
  ]

  @Test(.needs("python3"), .needs("bash")) func bash() throws { try expectOffers("bash") }
  @Test(.needs("python3"), .needs("zsh")) func zsh() throws { try expectOffers("zsh") }
  @Test(.needs("python3"), .needs("fish")) func fish() throws { try expectOffers("fish") }

  private func expectOffers(_ shell: String) throws {
    let folder = try TemporaryFolder()
    let script = try Program.run(["--generate-completion-script", shell])
    #expect(script.status == 0)
    try folder.write(Array(script.output.utf8), to: shell == "zsh" ? "_storedoctor" : "completion")
    try folder.write(Array(Self.driver.utf8), to: "driver.py")
    let binaries = (Program.path as NSString).deletingLastPathComponent
    let outcome = try Program.launch(
      ["python3", folder("driver.py"), shell, folder.path, Project.path(""), binaries]
        + Self.lines.map { ([$0.line] + $0.offered).joined(separator: "|") }, limit: 900)
    let screens = outcome.output.components(separatedBy: "\u{0C}")
    #expect(screens.count == Self.lines.count + 1, "\(outcome.errors)")
    for ((line, offered), screen) in zip(Self.lines, screens) {
      for word in offered { #expect(screen.contains(word), "\(shell): \(line): \(screen)") }
    }
  }

  /// Types each line and two tabs into a shell of its own, and prints what the terminal got until all words were offered, or for a
  /// minute, with a form feed behind.
  private static let driver = #"""
    import os, pty, select, sys, time
    shell, folder, project, binaries, lines = *sys.argv[1:5], sys.argv[5:]
    start = {
      "bash": (["bash", "--norc", "-i"], f"bind 'set show-all-if-ambiguous on'; source {folder}/completion"),
      "zsh": (["zsh", "-f", "-i"], f"fpath=({folder} $fpath); autoload -U compinit; compinit -u -D"),
      "fish": (["fish", "--no-config", "-i"], f"source {folder}/completion"),
    }

    def read(terminal, words):
      got, end = b"", time.time() + 60
      while time.time() < end and not all(word.encode() in got for word in words):
        if select.select([terminal], [], [], 0.1)[0]:
          try: got += os.read(terminal, 65536)
          except OSError: break
      return got

    for line in lines:
      line, *offered = line.split("|")
      command, setting = start[shell]
      process, terminal = pty.fork()
      if process == 0:
        os.chdir(project)
        os.environ.update(TERM="dumb", COLUMNS="200", HOME=folder, PATH=binaries + ":" + os.environ["PATH"])
        os.execvp(command[0], command)
      os.write(terminal, setting.encode() + b"; echo re''ady\n")
      read(terminal, ["\nready"])
      if shell == "fish":
        # A completion's list is drawn over the whole screen; this prints it.
        os.write(terminal, f"complete -C '{line}'\n".encode())
      else:
        os.write(terminal, line.encode() + b"\t\t")
      print(read(terminal, offered).decode(errors="replace"), end="\f", flush=True)
      os.kill(process, 9)
      os.close(terminal)
      os.waitpid(process, 0)
    """#
}
