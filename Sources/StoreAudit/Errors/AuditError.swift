import StoreWords

/// Why an audit as a whole cannot continue.
package enum AuditError: Error, CustomStringConvertible {
  /// Workers end before they can start to work.
  case noWorker(String)
  /// It was interrupted.
  case interrupted
  /// The lines of an earlier run do not belong to this input.
  case otherInput(line: Int, found: String, expected: String?)
  /// A worker may open too few files to read a store safely.
  case fewDescriptors(free: Int, needed: Int)
  /// The temporary folder cannot be written.
  case noTemporaryFolder(String)

  /// The message for the user.
  package var description: String {
    switch self {
    case .noWorker(let message): "cannot start a worker: \(message)"
    case .interrupted: "interrupted; what was written is whole, and --resume goes on from there"
    case .otherInput(let line, let found, let expected):
      "cannot resume: line \(line) is about \(quoted(found)), and the input has "
        + (expected.map { "\(quoted($0)) there" } ?? "nothing there")
        + "; give the input of the first run, or a new file"
    case .fewDescriptors(let free, let needed):
      "a worker can open \(free) more files, and a store may take \(needed); raise the limit ('ulimit -n')"
    case .noTemporaryFolder(let path):
      "cannot make a private folder in \(quoted(path)); set TMPDIR to one that can be written"
    }
  }
}
