import ArgumentParser
import StorePlatform
import StoreReports
import StoreSQLite

/// The width of terminals.
enum TerminalWidth {
  /// The columns of the terminal behind a descriptor; nil where it is not a terminal.
  static func of(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// The columns of the terminal for messages; 80 where that is not known.
  static var ofStandardError: Int { of(STDERR_FILENO) ?? 80 }
}

/// Writes text to standard output completely; a closed pipe ends the program quietly, as with `head`.
///
/// On a terminal that it does not fit, it is shown by a pager.
///
/// - Parameter done: what has been done even if the text cannot be written, for the message.
/// - Throws: `OutputFileError`, as for a full disk or a closed descriptor.
func standardOutput(_ text: String, done: String? = nil) throws {
  guard !Pager.show(text), !writeWhole(text, to: STDOUT_FILENO) else { return }
  var error = OutputFileError(path: PosixPath("standard output"), code: errno)
  if let done { error.message += "; \(done)" }
  throw error
}

/// Writes bytes to standard output completely.
///
/// - Throws: `OutputFileError`.
func standardOutput(_ bytes: UnsafeRawBufferPointer) throws {
  guard writeWhole(bytes, to: STDOUT_FILENO) else {
    throw OutputFileError(path: PosixPath("standard output"), code: errno)
  }
}

/// Writes a line to standard error, in the place of a progress line that stands there. On a terminal it is broken at spaces.
func standardError(_ line: String) {
  let text = TerminalWidth.of(STDERR_FILENO).map { broken(line, width: $0) } ?? line
  ProgressLine.erasing { writeWhole(text + "\n", to: STDERR_FILENO) }
}

/// Writes text unchanged to the terminal behind standard error.
func terminalText(_ text: String) { writeWhole(text, to: STDERR_FILENO) }

/// Writes a whole text; false, with the cause in `errno`, when not all could be written.
@discardableResult
func writeWhole(_ text: String, to descriptor: Int32) -> Bool {
  var text = text
  return text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)
    while !rest.isEmpty {
      let written = write(descriptor, rest.baseAddress, rest.count)
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { return false }
      if descriptor == STDOUT_FILENO {
        StandardOutputDigest.note(UnsafeRawBufferPointer(rebasing: rest.prefix(written)))
      }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
    }
    return true
  }
}
