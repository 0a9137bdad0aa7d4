import ArgumentParser
import StoreCoreData
import StoreSQLite

/// With which log, and as of when, a store is read; shared by the commands that read one.
struct MomentArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read the store as of this commit of its write-ahead log, counted from 1; 0 is before the first. STORE@N says the "
        + "same. 'inspect --commits' lists them.", valueName: "commit"))
  var asOf: Int?

  @Option(name: .customLong("wal"), help: logHelp, completion: .file())
  var logPath: String?

  @Flag(name: .customLong("without-wal"), help: "Read the main file alone, without its write-ahead log.")
  var withoutWAL = false

  func validate() throws {
    guard (asOf ?? 0) >= 0 else { throw ValidationError("--as-of is a number from 0 on") }
    guard withoutWAL else { return }
    if asOf != nil { throw ValidationError("--as-of reads the write-ahead log; omit --without-wal") }
    if logPath != nil { throw ValidationError("--wal names the write-ahead log to read; omit --without-wal") }
  }

  /// The log that is read in place of the one beside the store.
  var log: PosixPath? { logPath.map { PosixPath(argument: $0) } }

  /// How a store is opened so.
  func opening(progress: ProgressLine? = nil) -> Store.Options {
    var options = Store.Options(ignoresWAL: withoutWAL, asOfCommit: asOf, onProgress: progress?.report)
    options.log = log
    return options
  }
}

/// The help text of `--wal`.
var logHelp: ArgumentHelp {
  ArgumentHelp(
    "Read this file as the store's write-ahead log, in place of the one beside it. Nothing is renamed or written.",
    valueName: "file")
}
