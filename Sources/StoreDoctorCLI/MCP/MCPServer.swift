import StoreJSON
import StorePlatform
import StoreReports
import StoreSQLite
import StoreSystem
import StoreWords

/// The Model Context Protocol over standard input and output: JSON-RPC 2.0, a message a line.
///
/// https://modelcontextprotocol.io/specification
struct MCPServer {
  let tools: MCPTools
  private var lines = InputLines(limit: 1 << 20)

  /// The versions that are spoken, the newest first.
  private static let versions = ["2025-06-18", "2025-03-26", "2024-11-05"]

  init(tools: MCPTools) { self.tools = tools }

  /// An answer that is an error of the protocol.
  private struct Fault: Error, CustomStringConvertible {
    let code: Int64
    let description: String

    static func parse(_ message: String) -> Self { Self(code: -32700, description: message) }
    static func request(_ message: String) -> Self { Self(code: -32600, description: message) }
    static func method(_ message: String) -> Self { Self(code: -32601, description: message) }
    static func parameters(_ message: String) -> Self { Self(code: -32602, description: message) }
  }

  /// Answers until the input ends.
  ///
  /// - Throws: `OutputFileError` where answers cannot be written.
  mutating func serve() throws {
    while let line = lines.next() {
      switch line {
      case .tooLong: try send(Self.response(.null, fault: .request("a message has at most \(lines.limit) bytes")))
      case .whole(let bytes):
        guard !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { continue }
        if let answer = answer(bytes) { try send(answer) }
      }
    }
  }

  private func send(_ message: JSONValue) throws { try standardOutput(message.lineText) }

  /// The answer to a message; nil for one that wants none.
  private func answer(_ bytes: [UInt8]) -> JSONValue? {
    var limits = JSONValue.Limits()
    limits.depth = 32
    limits.values = 10_000
    let message: JSONValue
    do throws(JSONError) {
      message = try JSONValue(bytes, limits: limits)
    } catch {
      return Self.response(.null, fault: .parse("no JSON: \(error.description)"))
    }
    guard case .object(let members) = message else {
      return Self.response(.null, fault: .request("a message is one object"))
    }
    let id: JSONValue?
    switch members["id"] {
    case nil: id = nil
    case .string?, .integer?: id = members["id"]
    default: return Self.response(.null, fault: .request("'id' is a text or a whole number"))
    }
    guard members["jsonrpc"] == .string("2.0") else {
      return Self.response(id ?? .null, fault: .request("'jsonrpc' is \"2.0\""))
    }
    guard case .string(let method)? = members["method"] else {
      // The answer to a request of ours; there are none.
      if members["result"] != nil || members["error"] != nil { return nil }
      return Self.response(id ?? .null, fault: .request("'method' is missing, or no text"))
    }
    guard let id else { return nil }
    do throws(Fault) {
      return .object([
        ("jsonrpc", .string("2.0")), ("id", id), ("result", try result(of: method, members["params"] ?? .object([:]))),
      ])
    } catch {
      return Self.response(id, fault: error)
    }
  }

  private static func response(_ id: JSONValue, fault: Fault) -> JSONValue {
    .object([
      ("jsonrpc", .string("2.0")), ("id", id),
      ("error", .object([("code", .integer(fault.code)), ("message", .string(fault.description))])),
    ])
  }

  private func result(of method: String, _ parameters: JSONValue) throws(Fault) -> JSONValue {
    guard case .object(let members) = parameters else { throw .parameters("'params' is an object") }
    switch method {
    case "initialize": return Self.greeting(members)
    case "ping": return .object([:])
    case "tools/list": return .object([("tools", tools.list)])
    case "tools/call":
      guard case .string(let name)? = members["name"] else { throw .parameters("'name' is missing, or no text") }
      guard tools.has(name) else { throw .parameters("there is no tool \(quoted(name))") }
      return try call(name, JSONPlace(members["arguments"] ?? .object([:])))
    default: throw .method("there is no method \(quoted(method))")
    }
  }

  private static func greeting(_ members: [String: JSONValue]) -> JSONValue {
    var version = versions[0]
    if case .string(let wanted)? = members["protocolVersion"], versions.contains(wanted) { version = wanted }
    return .object([
      ("protocolVersion", .string(version)),
      ("capabilities", .object([("tools", .object([:]))])),
      ("serverInfo", .object([("name", .string("storedoctor")), ("version", .string(toolVersion))])),
      (
        "instructions",
        .string(
          "Reads Core Data and SwiftData stores and models; writes nothing. Each answer is the JSON of a storedoctor "
            + "command. What was not checked is listed in it: absence of a finding proves only what was looked at.")
      ),
    ])
  }

  /// What a tool answers. What it refuses or cannot do is a result too, so that the assistant reads why.
  private func call(_ name: String, _ arguments: JSONPlace) throws(Fault) -> JSONValue {
    let run: MCPRun
    do {
      guard let words = try tools.words(of: name, arguments) else { throw Fault.parameters("no such tool") }
      run = try MCPRun(words)
    } catch let error as JSONError {
      throw .parameters("'arguments': \(error.description)")
    } catch {
      return Self.content("\(error)", isError: true)
    }
    return Self.content(run.text, isError: run.isError)
  }

  private static func content(_ text: String, isError: Bool) -> JSONValue {
    .object([
      ("content", .array([.object([("type", .string("text")), ("text", .string(text))])])), ("isError", .bool(isError)),
    ])
  }
}

/// The lines of standard input.
private struct InputLines {
  enum Line {
    case whole([UInt8])
    /// It was skipped.
    case tooLong
  }

  let limit: Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var hasEnded = false

  init(limit: Int) { self.limit = limit }

  /// The next line; nil at the end.
  mutating func next() -> Line? {
    var isTooLong = false
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = buffer[start..<end]
        start = end + 1
        return isTooLong || line.count > limit ? .tooLong : .whole(Array(line))
      }
      if buffer.count - start > limit {
        isTooLong = true
        start = buffer.count
      }
      buffer.removeFirst(start)
      start = 0
      searched = buffer.count
      guard fill() else {
        guard isTooLong || !buffer.isEmpty else { return nil }
        defer { buffer = [] }
        return isTooLong ? .tooLong : .whole(buffer)
      }
    }
  }

  private mutating func fill() -> Bool {
    guard !hasEnded else { return false }
    var part = [UInt8](repeating: 0, count: 1 << 16)
    var count: Int
    repeat { count = StorePlatform.read(STDIN_FILENO, &part, part.count) } while count < 0 && errno == EINTR
    hasEnded = count <= 0
    if count > 0 { buffer += part[..<count] }
    return count > 0
  }
}
