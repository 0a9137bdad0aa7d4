import StoreJSON
import StorePlatform
import StoreReports
import StoreSQLite
import StoreSourceLint
import StoreWords

/// A language server that shows the findings of `lint` where they stand, when it starts and after each save.
///
/// https://microsoft.github.io/language-server-protocol (3.17)
struct LSPServer {
  /// Lints the paths of one project.
  let lint: (_ paths: [String]) throws -> SourceReport

  private var frames = LSPFrames()
  private var state = State.started
  private var unit = SourceReport.ColumnUnit.utf16
  /// Absolute paths of the folders that the editor has open.
  private var folders: [String] = []
  /// Swift files outside of them that it has open.
  private var files: [String] = []
  /// The files that have findings in the editor.
  private var marked: Set<String> = []
  /// Whether something was saved since the last reading.
  private var isStale = false

  private enum State { case started, initialized, shutDown }
  private typealias Fault = RPCMessage.Fault

  /// The most values in a message.
  private static let mostValues = 200_000

  init(lint: @escaping (_ paths: [String]) throws -> SourceReport) { self.lint = lint }

  /// Answers until the editor says `exit`, or the input ends.
  ///
  /// - Returns: whether it ended as the protocol asks for, after a request to shut down.
  /// - Throws: `OutputFileError` where answers cannot be written, and `LSPFrames.NoFrame`.
  mutating func serve() throws -> Bool {
    while true {
      // Of several saves at once the last one counts.
      if isStale, !frames.isReady { try publish() }
      guard let frame = try frames.next() else {
        if isStale { try publish() }
        return state == .shutDown
      }
      guard case .whole(let bytes) = frame else {
        try send(RPCMessage.response(to: .null, .request("a message has at most \(LSPFrames.longest) bytes")))
        continue
      }
      switch RPCMessage.reading(bytes, mostValues: Self.mostValues) {
      case .answer: continue
      case .refused(let answer): try send(answer)
      case .message(let message):
        if message.method == "exit" { return state == .shutDown }
        guard let id = message.id else {
          try heed(message)
          continue
        }
        try send(answer(to: message, id))
      }
    }
  }

  private func send(_ message: JSONValue) throws {
    let text = message.lineText.dropLast()
    try standardOutput("Content-Length: \(text.utf8.count)\r\n\r\n\(text)")
  }

  private func notify(_ method: String, _ parameters: JSONValue) throws {
    try send(.object([("jsonrpc", .string("2.0")), ("method", .string(method)), ("params", parameters)]))
  }

  // MARK: Requests

  private mutating func answer(to message: RPCMessage, _ id: JSONValue) -> JSONValue {
    do throws(Fault) {
      return RPCMessage.response(to: id, result: try result(of: message))
    } catch {
      return RPCMessage.response(to: id, error)
    }
  }

  private mutating func result(of message: RPCMessage) throws(Fault) -> JSONValue {
    switch (state, message.method) {
    case (.started, "initialize"):
      try begin(message.parameters)
      return greeting
    case (.started, _): throw .notInitialized("'initialize' comes first")
    case (.shutDown, _): throw .request("it was shut down")
    case (.initialized, "shutdown"):
      state = .shutDown
      return .null
    case (.initialized, "initialize"): throw .request("it is initialized")
    case (.initialized, let method): throw .method("there is no method \(quoted(method))")
    }
  }

  private mutating func begin(_ parameters: JSONValue) throws(Fault) {
    guard case .object = parameters else { throw .parameters("'params' is an object") }
    let offered = parameters["capabilities"]?["general"]?["positionEncodings"]
    if case .array(let units)? = offered, units.contains(.string(SourceReport.ColumnUnit.utf8.rawValue)) {
      unit = .utf8
    }
    if let given = parameters["workspaceFolders"], given != .null {
      folders = Self.paths(given)
    } else if let root = parameters["rootUri"].flatMap(path(ofFileURI:)) {
      folders = [root]
    } else if case .string(let root)? = parameters["rootPath"] {
      folders = [root]
    }
    // As `lint` in that folder: the nearest configuration, and relative paths of options.
    if let first = folders.first { _ = chdir(first) }
    state = .initialized
    isStale = true
  }

  private var greeting: JSONValue {
    .object([
      (
        "capabilities",
        .object([
          ("positionEncoding", .string(unit.rawValue)),
          (
            "textDocumentSync",
            .object([("openClose", .bool(true)), ("change", .integer(0)), ("save", .bool(true))])
          ),
          (
            "workspace",
            .object([
              "workspaceFolders": .object([("supported", .bool(true)), ("changeNotifications", .bool(true))])
            ])
          ),
        ])
      ), ("serverInfo", .object([("name", .string("storedoctor")), ("version", .string(toolVersion))])),
    ])
  }

  // MARK: Notifications

  /// Notes what was opened, closed and saved. A notification has no answer, so one that says nothing is passed over.
  private mutating func heed(_ message: RPCMessage) throws {
    guard state == .initialized else { return }
    let document = message.parameters["textDocument"]?["uri"].flatMap(path(ofFileURI:))
    switch message.method {
    case "textDocument/didSave": isStale = true
    case "textDocument/didOpen":
      guard let document, document.hasSuffix(".swift"), !Self.isCovered(document, by: folders + files) else { return }
      files.append(document)
      isStale = true
    case "textDocument/didClose":
      guard let document, let position = files.firstIndex(of: document) else { return }
      files.remove(at: position)
      isStale = true
    case "workspace/didChangeWorkspaceFolders":
      let event = message.parameters["event"]
      let (gone, new) = (Self.paths(event?["removed"]), Self.paths(event?["added"]))
      folders = folders.filter { !gone.contains($0) && !new.contains($0) } + new
      isStale = true
    default: break
    }
  }

  /// Of a list of folders, as `WorkspaceFolder` has them.
  private static func paths(_ list: JSONValue?) -> [String] {
    guard case .array(let folders)? = list else { return [] }
    return folders.compactMap { $0["uri"].flatMap(path(ofFileURI:)) }
  }

  /// Whether a file is one of these paths or lies below one.
  private static func isCovered(_ file: String, by paths: [String]) -> Bool {
    paths.contains { file == $0 || file.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
  }

  // MARK: Findings

  /// Lints each folder, and the files outside of them, and shows what is found.
  private mutating func publish() throws {
    isStale = false
    var found: [String: [JSONValue]] = [:]
    var unread: [String] = []
    for paths in folders.map({ [$0] }) + (files.isEmpty ? [] : [files]) {
      do {
        let report = try lint(paths)
        for (file, diagnostics) in report.diagnostics(columns: unit, textOf: sourceBytes) {
          found[file, default: []] += diagnostics
        }
        try log(report, of: paths)
      } catch let error as OutputFileError {
        throw error
      } catch {
        unread += paths
        try notify("window/showMessage", Self.text("storedoctor: \(message(of: error))", kind: 1))
      }
    }
    // Of what could not be read this time the findings of before stay: without them it would look sound.
    let kept = marked.filter { found[$0] == nil && Self.isCovered($0, by: unread) }
    for file in marked.union(found.keys).subtracting(kept).sorted() {
      try notify(
        "textDocument/publishDiagnostics",
        .object([
          ("uri", .string(percentEncoded(pathBytes: Array(file.utf8)))), ("diagnostics", .array(found[file] ?? [])),
        ]))
    }
    marked = kept.union(found.keys)
  }

  /// What was read, and what was not checked, in the editor's log.
  private func log(_ report: SourceReport, of paths: [String]) throws {
    let what = paths.count == 1 ? quoted(paths[0]) : "\(paths.count) files"
    let silent = report.silenced.count + (report.config?.muted.map(\.findings.count).reduce(0, +) ?? 0)
    let lines = [
      "\(what): \(report.reading.fileCount) Swift files, \(report.findings.count) findings"
        + (silent > 0 ? ", \(silent) accepted" : "")
    ]
    for line in lines + report.editorLog { try notify("window/logMessage", Self.text(line, kind: 3)) }
  }

  private static func text(_ text: String, kind: Int64) -> JSONValue {
    .object([("type", .integer(kind)), ("message", .string(text))])
  }
}

extension JSONValue {
  /// A member of an object; nil where it is absent, or this is no object.
  fileprivate subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }
}

/// The path of a `file:` URI without a host; nil for any other, and for one with a NUL.
private func path(ofFileURI value: JSONValue) -> String? {
  guard case .string(let uri) = value else { return nil }
  for prefix in ["file:///", "file://localhost/"] where uri.lowercased().hasPrefix(prefix) {
    var bytes = [UInt8(ascii: "/")]
    var rest = uri.utf8.dropFirst(prefix.utf8.count)
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      guard digits.count == 2 else { return nil }
      bytes.append(UInt8(digits[0] << 4 | digits[1]))
      rest = rest.dropFirst(2)
    }
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return bytes.contains(0) ? nil : String(decoding: bytes, as: UTF8.self)
  }
  return nil
}
