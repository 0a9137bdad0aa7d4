/// The messages on standard input, each behind a header with its length in bytes.
///
/// https://microsoft.github.io/language-server-protocol (3.17, "Base Protocol")
struct LSPFrames {
  private var input = StandardInput()

  /// A message.
  enum Frame {
    case whole([UInt8])
    /// It was longer than ``longest``, and skipped.
    case tooLong
  }

  /// The most bytes of a message; a file that is opened is sent whole.
  static let longest = 16 << 20
  private static let longestLine = 1 << 10
  private static let mostLines = 32

  /// Thrown where no message begins, so that none after it can be told either.
  struct NoFrame: Error, CustomStringConvertible {
    let what: String
    var description: String {
      "standard input is not as the Language Server Protocol has it: \(what); 'storedoctor lsp' is started by an editor"
    }
  }

  /// Whether more can be taken without waiting.
  var isReady: Bool { input.isReady }

  /// The next message; nil at the end of the input, also within a message.
  ///
  /// - Throws: ``NoFrame``.
  mutating func next() throws(NoFrame) -> Frame? {
    var length: Int?
    for _ in 0..<Self.mostLines {
      guard let line = input.line(limit: Self.longestLine) else { return nil }
      guard case .whole(let bytes) = line else { throw NoFrame(what: "a header of over \(Self.longestLine) bytes") }
      let text = String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes[...], as: UTF8.self)
      if text.isEmpty {
        guard let length else { throw NoFrame(what: "a header without Content-Length") }
        guard length <= Self.longest else { return input.skip(length) ? .tooLong : nil }
        return input.bytes(length).map(Frame.whole)
      }
      let parts = text.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { throw NoFrame(what: "a line that is no header") }
      guard parts[0].lowercased() == "content-length" else { continue }
      guard let number = Int(parts[1].filter { $0 != " " }), number >= 0 else {
        throw NoFrame(what: "a length that is no number")
      }
      length = number
    }
    throw NoFrame(what: "a header of over \(Self.mostLines) lines")
  }
}
