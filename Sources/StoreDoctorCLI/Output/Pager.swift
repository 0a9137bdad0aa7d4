import StorePlatform

/// The program that shows long texts page by page, as git's does.
///
/// It is started only where standard output is a terminal and the text is longer than it. `STOREDOCTOR_PAGER` names it, or
/// `PAGER`, or else it is `less`; no shell reads these. An empty value, `cat` and `--no-pager` mean none.
enum Pager {
  /// Whether one may be started; false after `--no-pager`.
  nonisolated(unsafe) static var isWanted = true

  /// The option, which may stand anywhere before `--`, since it is about the terminal and not about a command.
  static let option = "--no-pager"

  /// The arguments without `--no-pager`; notes whether it was there.
  static func noting(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    let before = arguments[..<end].filter { $0 != option }
    isWanted = before.count == end
    return before + arguments[end...]
  }

  /// Shows a text; false where it is to be written as it is.
  static func show(_ text: String) -> Bool {
    guard isWanted, isatty(STDOUT_FILENO) == 1, let screen = TerminalSize.of(STDOUT_FILENO),
      lineCount(text, columns: screen.columns) >= screen.rows, let program = words
    else { return false }
    return run(program, text: text)
  }

  /// The program and its arguments.
  private static var words: [String]? {
    let value = (getenv("STOREDOCTOR_PAGER") ?? getenv("PAGER")).map { String(cString: $0) } ?? "less"
    let words = value.split(separator: " ").map(String.init)
    return words.isEmpty || words == ["cat"] ? nil : words
  }

  /// The lines a text takes on a terminal; escape sequences take no room.
  static func lineCount(_ text: String, columns: Int) -> Int {
    var (lines, column, isEscape) = (0, 0, false)
    for scalar in text.unicodeScalars {
      if isEscape {
        isEscape = !("A"..."Z" ~= scalar || "a"..."z" ~= scalar)
      } else if scalar == "\u{1B}" {
        isEscape = true
      } else if scalar == "\n" {
        (lines, column) = (lines + 1, 0)
      } else {
        column += 1
        if column > columns { (lines, column) = (lines + 1, 1) }
      }
    }
    return column > 0 ? lines + 1 : lines
  }

  /// Runs the program with the text as its input, until its user leaves it; false where it cannot be started.
  private static func run(_ words: [String], text: String) -> Bool {
    // As git does: `less` ends by itself where the text fits, keeps colours, and leaves the text on the screen.
    if getenv("LESS") == nil { setenv("LESS", "FRX", 1) }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    guard let child = try? Platform.startProgram(words, descriptors: [ends[0], STDOUT_FILENO, STDERR_FILENO]) else {
      for end in ends { close(end) }
      return false
    }
    close(ends[0])
    // The pager's user may leave before its end, and may press ^C in it, which is for the pager.
    let closed = signal(SIGPIPE, SIG_IGN)
    let interrupted = signal(SIGINT, SIG_IGN)
    Array(text.utf8).withUnsafeBytes { StandardOutputDigest.note($0) }
    writeWhole(text, to: ends[1])
    close(ends[1])
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    signal(SIGPIPE, closed)
    signal(SIGINT, interrupted)
    return true
  }
}

/// The size of a terminal.
struct TerminalSize {
  var columns: Int
  var rows: Int

  /// That of the terminal behind a descriptor; nil where it is none or has no size.
  static func of(_ descriptor: Int32) -> TerminalSize? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}
