import ArgumentParser
import StoreSQLite

/// Which write-ahead log is read with a store; shared by the commands that write another store.
struct LogArguments: ParsableArguments {
  @Option(name: .customLong("wal"), help: logHelp, completion: .file())
  var path: String?

  @Flag(name: .customLong("without-wal"), help: "Read the main file alone, without its write-ahead log.")
  var isLeftOut = false

  func validate() throws {
    if path != nil, isLeftOut {
      throw ValidationError("--wal names the write-ahead log to read; omit --without-wal")
    }
  }

  /// The log that is read in place of the one beside the store.
  var file: PosixPath? { path.map { PosixPath(argument: $0) } }
}
