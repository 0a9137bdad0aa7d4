import ArgumentParser
import StoreSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How wide terminals are.
enum TerminalWidth {
  /// Columns of the terminal behind a descriptor; nil where it is none.
  static func of(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Columns of the terminal messages go to; 80 where it does not say.
  static var ofStandardError: Int { of(STDERR_FILENO) ?? 80 }
}

/// Writes text to standard output whole; a closed pipe ends the program quietly, as it does for `head`.
///
/// - Parameter done: what is done all the same where the text cannot be written.
/// - Throws: `OutputFileError`: on a full disk or a closed descriptor nobody has read the answer.
func standardOutput(_ text: String, done: String? = nil) throws {
  guard !writeWhole(text, to: STDOUT_FILENO) else { return }
  var error = OutputFileError(path: PosixPath("standard output"), code: errno)
  if let done { error.message += "; \(done)" }
  throw error
}

/// Writes a line to standard error.
func standardError(_ line: String) { writeWhole(line + "\n", to: STDERR_FILENO) }

/// Writes text as it is to the terminal behind standard error.
func terminalText(_ text: String) { writeWhole(text, to: STDERR_FILENO) }

/// Writes all of a text; false, with the cause in `errno`, when not all could be written.
@discardableResult
func writeWhole(_ text: String, to descriptor: Int32) -> Bool {
  var text = text
  return text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)
    while !rest.isEmpty {
      let written = write(descriptor, rest.baseAddress, rest.count)
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
    }
    return true
  }
}
