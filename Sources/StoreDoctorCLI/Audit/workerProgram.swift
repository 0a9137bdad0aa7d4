import StorePlatform
import StoreSQLite

/// The path of this program, to start it as a worker.
var programPath: String {
  let path = Platform.programFile.flatMap { try? PosixPath(bytes: $0).resolved() }
  return path?.description ?? CommandLine.arguments[0]
}

/// This process's environment, with backtraces off (they take minutes) and memory allocation tuned for many small stores.
var workerEnvironment: [String: String] {
  var environment: [String: String] = [:]
  var next = environ
  while let entry = next.pointee {
    let words = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if words.count == 2 { environment[String(words[0])] = String(words[1]) }
    next += 1
  }
  environment["SWIFT_BACKTRACE"] = "enable=no"
  if let (name, value) = Platform.allocatorSettings, environment[name] == nil { environment[name] = value }
  return environment
}
