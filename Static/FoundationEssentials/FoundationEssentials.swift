// What swift-argument-parser asks of Foundation: one protocol, and the encoder behind `--experimental-dump-help`.
//
// `make static` compiles swift-argument-parser against this module in place of the toolchain's of the same name, which
// would make each program 5 MB larger and slower to start (docs/dependencies.md). No other build has it.

/// An error that has a text for people.
public protocol LocalizedError: Error {
  /// The text; nil for none.
  var errorDescription: String? { get }
}

/// The bytes of a text in UTF-8.
public struct Data: Sendable {
  fileprivate let text: String
}

extension String {
  /// How a text is written in bytes.
  public enum Encoding: Sendable {
    case utf8
  }

  /// The text of `data`.
  public init?(data: Data, encoding: Encoding) { self = data.text }
}

/// Writes values as JSON, keys sorted, one to a line, in the layout of Foundation's encoder.
public final class JSONEncoder {
  /// How the JSON is laid out; there is one layout.
  public struct OutputFormatting: OptionSet, Sendable {
    /// One bit for each.
    public let rawValue: Int
    /// The layout with these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// One key to a line.
    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    /// Keys in the order of their letters.
    public static let sortedKeys = OutputFormatting(rawValue: 2)
  }

  /// Ignored: the layout is always that of `prettyPrinted` and `sortedKeys`.
  public var outputFormatting: OutputFormatting = []

  /// An encoder.
  public init() {}

  /// `value` as JSON; an error is one that the value throws.
  public func encode(_ value: some Encodable) throws -> Data {
    let node = Node()
    try value.encode(to: NodeEncoder(node: node))
    return Data(text: node.text(indent: ""))
  }
}
