import ArgumentParser
import StoreCoreData
import StoreDigests
import StoreInspection
import StorePlatform
import StoreReports
import StoreSQLite
import StoreWords
import Synchronization

/// Runs a command, and writes the record that `--custody` asks for, however the run ends.
///
/// - Parameter status: the exit status that an error of the command ends with.
/// - Throws: what the command throws; `ExitCode` 2 where the record cannot be written.
func runRecorded(
  _ command: inout ParsableCommand, arguments: [String], status: (any Error) -> Int32
) throws {
  guard let recorded = command as? RecordedCommand, let file = recorded.custody.custody else {
    return try command.run()
  }
  let path = PosixPath(argument: file)
  try reported {
    // Known before anything is read.
    guard FileSystem.kind(of: path, followingLinks: false) == nil else {
      throw OutputFileError(path: path, message: "it exists; name another file for the record")
    }
    try refuseSideFile(path)
  }
  let words = pathWords(arguments).filter { $0 != path }
  let started = now()
  var run = CustodyRun(words: words)
  StandardOutputDigest.begin()
  let result = Result { try command.run() }
  var record = CustodyRecord(
    arguments: arguments, note: recorded.custody.custodyNote, program: programContent, started: started)
  record.status = result.status(status)
  if let content = StandardOutputDigest.end() { record.outputs.append(.init(path: nil, content: content)) }
  run.finish(into: &record)
  record.gaps += lists(arguments).map { "the stores that the list '\($0)' names, other than those in the arguments" }
  record.ended = now()
  try reported {
    let text = record.json.text
    try write(text, to: path)
    let digest = hexadecimal(Digests.sha256(Array(text.utf8)))
    standardError("storedoctor: custody record \(quoted(file)), SHA-256 \(digest)")
    let changed = record.files.count { !$0.isUnchanged }
    if changed > 0 { standardError("storedoctor: \(counted(Int64(changed), "file")) changed during the run") }
  }
  try result.get()
}

/// The words of a command line that may name files: arguments, the values of options written with `=`, and what follows
/// the `=` of a value, as in `--perform 'V2>V3=recipe.yaml'`.
private func pathWords(_ arguments: [String]) -> [PosixPath] {
  var paths: [PosixPath] = []
  for word in arguments {
    let value = word.lastIndex(of: "=").map { String(word[word.index(after: $0)...]) }
    let whole = word.hasPrefix("-") ? word.firstIndex(of: "=").map { String(word[word.index(after: $0)...]) } : word
    for case let path? in whole == value ? [whole] : [whole, value] where !path.isEmpty {
      paths.append(PosixPath(argument: path))
    }
  }
  return paths
}

/// The lists of stores that a command line names with `--from`; which files these name is not in its words.
private func lists(_ arguments: [String]) -> [String] {
  let following = zip(arguments, arguments.dropFirst()).filter { $0.0 == "--from" }.map(\.1)
  return following + arguments.filter { $0.hasPrefix("--from=") }.map { String($0.dropFirst("--from=".count)) }
}

extension Result where Failure == any Error {
  /// The exit status that the program will end with.
  fileprivate func status(_ ofFailure: (any Error) -> Int32) -> Int32 {
    switch self {
    case .success: 0
    case .failure(let error): ofFailure(error)
    }
  }
}

/// The program's own file.
private var programContent: CustodyRecord.Content? {
  let path = Platform.programFile.map { PosixPath(bytes: $0) }
  return path.flatMap { try? EvidenceFile($0) }.flatMap { try? CustodyRecord.Content(of: $0) }
}

private func now() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}
