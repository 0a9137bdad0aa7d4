import StoreJSON

/// A message of JSON-RPC 2.0, which both the Model Context Protocol and the Language Server Protocol speak.
///
/// https://www.jsonrpc.org/specification
struct RPCMessage {
  /// The method.
  let method: String
  /// A text or a whole number; nil where no answer is wanted.
  let id: JSONValue?
  /// The parameters, an object unless the message gives something else.
  let parameters: JSONValue

  /// An answer that is an error of the protocol.
  struct Fault: Error, CustomStringConvertible {
    let code: Int64
    let description: String

    static func parse(_ message: String) -> Self { Self(code: -32700, description: message) }
    static func request(_ message: String) -> Self { Self(code: -32600, description: message) }
    static func method(_ message: String) -> Self { Self(code: -32601, description: message) }
    static func parameters(_ message: String) -> Self { Self(code: -32602, description: message) }
    /// Of the Language Server Protocol: a request before `initialize`.
    static func notInitialized(_ message: String) -> Self { Self(code: -32002, description: message) }
  }

  /// What some bytes are.
  enum Reading {
    case message(RPCMessage)
    /// The answer to a request of ours.
    case answer
    /// No message; the answer that says so.
    case refused(JSONValue)
  }

  private init(method: String, id: JSONValue?, parameters: JSONValue) {
    (self.method, self.id, self.parameters) = (method, id, parameters)
  }

  /// Reads the JSON of a message.
  static func reading(_ bytes: [UInt8], mostValues: Int) -> Reading {
    var limits = JSONValue.Limits()
    limits.depth = 32
    limits.values = mostValues
    let message: JSONValue
    do throws(JSONError) {
      message = try JSONValue(bytes, limits: limits)
    } catch {
      return .refused(response(to: .null, .parse("no JSON: \(error.description)")))
    }
    guard case .object(let members) = message else {
      return .refused(response(to: .null, .request("a message is one object")))
    }
    let id: JSONValue?
    switch members["id"] {
    case nil: id = nil
    case .string?, .integer?: id = members["id"]
    default: return .refused(response(to: .null, .request("'id' is a text or a whole number")))
    }
    guard members["jsonrpc"] == .string("2.0") else {
      return .refused(response(to: id ?? .null, .request("'jsonrpc' is \"2.0\"")))
    }
    guard case .string(let method)? = members["method"] else {
      if members["result"] != nil || members["error"] != nil { return .answer }
      return .refused(response(to: id ?? .null, .request("'method' is missing, or no text")))
    }
    return .message(RPCMessage(method: method, id: id, parameters: members["params"] ?? .object([:])))
  }

  /// The answer to the request with this id.
  static func response(to id: JSONValue, result: JSONValue) -> JSONValue {
    .object([("jsonrpc", .string("2.0")), ("id", id), ("result", result)])
  }

  /// The answer that a request cannot be answered.
  static func response(to id: JSONValue, _ fault: Fault) -> JSONValue {
    .object([
      ("jsonrpc", .string("2.0")), ("id", id),
      ("error", .object([("code", .integer(fault.code)), ("message", .string(fault.description))])),
    ])
  }
}
