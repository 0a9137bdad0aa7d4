import StoreJSON
import StoreReports
import StoreSystem
import StoreWords

/// The Model Context Protocol over standard input and output: JSON-RPC 2.0, a message a line.
///
/// https://modelcontextprotocol.io/specification
struct MCPServer {
  let tools: MCPTools
  private var input = StandardInput()

  /// The most bytes of a message, and the most values in it.
  private static let longestMessage = 1 << 20
  private static let mostValues = 10_000
  /// The versions that are spoken, the newest first.
  private static let versions = ["2025-06-18", "2025-03-26", "2024-11-05"]

  init(tools: MCPTools) { self.tools = tools }

  private typealias Fault = RPCMessage.Fault

  /// Answers until the input ends.
  ///
  /// - Throws: `OutputFileError` where answers cannot be written.
  mutating func serve() throws {
    while let line = input.line(limit: Self.longestMessage) {
      switch line {
      case .tooLong:
        try send(RPCMessage.response(to: .null, .request("a message has at most \(Self.longestMessage) bytes")))
      case .whole(let bytes):
        guard !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { continue }
        if let answer = answer(bytes) { try send(answer) }
      }
    }
  }

  private func send(_ message: JSONValue) throws { try standardOutput(message.lineText) }

  /// The answer to a message; nil for one that wants none.
  private func answer(_ bytes: [UInt8]) -> JSONValue? {
    switch RPCMessage.reading(bytes, mostValues: Self.mostValues) {
    case .answer: return nil
    case .refused(let answer): return answer
    case .message(let message):
      guard let id = message.id else { return nil }
      do throws(Fault) {
        return RPCMessage.response(to: id, result: try result(of: message.method, message.parameters))
      } catch {
        return RPCMessage.response(to: id, error)
      }
    }
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
