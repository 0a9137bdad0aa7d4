import StoreJSON
import StoreExplanation
import ArgumentParser
import StoreCoreData
import StorePlatform
import StoreSQLite
import StoreReports

/// `storedoctor explain CODE... | --log FILE`.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say what an error number, a check or a pasted log means for a store.",
    discussion: """
      Codes are checks (SD401, dangling-reference, or a word of the name), error numbers of Cocoa, Core Data and SQLite (134110, 256, \
      sqlite:11), their symbols (NSMigrationError), or the text an app prints, in quotes. A log may be in any language: \
      domains, numbers, object identifiers and hashes are found in whatever text is around them. With --store what the \
      log names is looked up: the object's row, the attribute's NULLs, the entity's hash, and of the statements that \
      -com.apple.CoreData.SQLDebug 1 and -com.apple.CoreData.MigrationDebug 1 print what their tables and columns are.

      EXAMPLES
        storedoctor explain 134110
        storedoctor explain SD401 sqlite:2067
        storedoctor explain dangling
        storedoctor explain 'Duplicate version checksums across stages detected.'
        storedoctor explain --log crash.txt --store Notes.sqlite
        pbpaste | storedoctor explain --log -
        storedoctor explain --list
      """)

  @Argument(
    help: ArgumentHelp("Checks, error numbers, symbols or texts.", valueName: "code"), completion: .list(explainable))
  var codes: [String] = []

  @Option(help: ArgumentHelp("A log, or - for standard input.", valueName: "file"), completion: .file())
  var log: String?

  @Option(help: ArgumentHelp("Look up in this store what the log names.", valueName: "store"), completion: .file())
  var store: String?

  @OptionGroup(title: HelpGroup.state) var moment: MomentArguments

  @Flag(help: "List all checks and error numbers in a line each.")
  var list = false

  @OptionGroup var output: OutputOptions

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func validate() throws {
    guard list || !codes.isEmpty || log != nil else {
      throw ValidationError("give an error number or a check, or a log with --log FILE (- for standard input)")
    }
    if moment.asOf != nil, store == nil { throw ValidationError("--as-of is about a store; give one with --store") }
    if moment.withoutWAL, store == nil {
      throw ValidationError("--without-wal is about a store; give one with --store")
    }
    if moment.logPath != nil, store == nil { throw ValidationError("--wal is about a store; give one with --store") }
    // A text has spaces, a number or the name of a check has none.
    if store != nil, log == nil, !codes.contains(where: { $0.contains(" ") }) {
      throw ValidationError("--store looks up what a log names; give one with --log, or a text of it in quotes")
    }
  }

  func run() throws {
    try reported {
      var explanation = try explained()
      if list { explanation = .everything }
      if let store, let log = explanation.log {
        explanation.store = try look(log, in: store)
      }
      switch output.format {
      case .json: try standardOutput(explanation.json.text)
      case .text where list: try standardOutput(explanation.list(width: output.width))
      case .text: try standardOutput(explanation.text(width: output.width, isStyled: output.isStyled))
      }
    }
  }

  private func explained() throws -> Explanation {
    var explanation = try explain(codes)
    guard let log else { return explanation }
    explanation.add(explain(log: try LogInput.read(log)))
    return explanation
  }

  private func look(_ log: LogFacts, in path: String) throws -> LogInStore {
    let store = try Store(StoreLocator.locate(PosixPath(argument: path)), options: moment.opening())
    let result = Result { try LogInStore(log, in: store) }
    try store.checkUnchanged()
    return try result.get()
  }
}

/// Reads a log from a file, a pipe or standard input.
private enum LogInput {
  /// One byte more than is used, to notice that there is more.
  private static let limit = (64 << 20) + 1

  struct Unreadable: Error, CustomStringConvertible {
    var path: String
    var cause: Int32
    var description: String { "cannot read the log '\(path)': \(String(cString: strerror(cause)))" }
  }

  static func read(_ path: String) throws -> [UInt8] {
    if path != "-", path.contains("!") {
      let named = PosixPath(argument: path)
      let located = try PlacedFile.located(named)
      if FileSystem.kind(of: located) == .file, MountedFiles.target(of: located) != nil {
        let file = try EvidenceFile(located)
        return try file.read(at: 0, count: Int(clamping: min(file.size, Int64(limit))))
      }
    }
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Unreadable(path: path, cause: errno) }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      let room = min(piece.count, limit - bytes.count)
      let count = piece.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, room) }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw Unreadable(path: path, cause: errno) }
      if count == 0 { break }
      bytes += piece.prefix(count)
    }
    return bytes
  }
}

/// Outside the type, where the system's `read` is not shadowed.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}
