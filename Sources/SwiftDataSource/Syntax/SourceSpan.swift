import SwiftSyntax

/// A range of bytes in a file. It is small, because every piece of syntax has one.
package struct SourceSpan: Sendable, Hashable {
  package var start: Int
  package var end: Int

  package init(start: Int, end: Int) {
    self.start = start
    self.end = end
  }

  /// The span of a node, without surrounding white space and comments.
  init(_ node: some SyntaxProtocol) {
    start = node.positionAfterSkippingLeadingTrivia.utf8Offset
    end = max(start, node.endPositionBeforeTrailingTrivia.utf8Offset)
  }

  /// The same for a node whose start is known.
  init(_ node: some SyntaxProtocol, start: Int) {
    self.start = start
    end = max(start, node.endPositionBeforeTrailingTrivia.utf8Offset)
  }

  package func contains(_ other: SourceSpan) -> Bool { start <= other.start && other.end <= end }
}

/// The offsets at which a file's lines begin.
package struct LineTable: Sendable {
  private let starts: [Int]

  init(_ bytes: [UInt8]) {
    var starts = [0]
    for (offset, byte) in bytes.enumerated() {
      // "\r\n" counts once, at its "\n"; a lone "\r" ends a line in Swift too.
      let endsLine = byte == 0x0A || (byte == 0x0D && (offset + 1 >= bytes.count || bytes[offset + 1] != 0x0A))
      if endsLine { starts.append(offset + 1) }
    }
    self.starts = starts
  }

  /// Line and column, both from 1; the column in bytes.
  package func position(of offset: Int) -> (line: Int, column: Int) {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return (low + 1, max(0, offset - starts[low]) + 1)
  }
}
