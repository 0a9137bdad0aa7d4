/// An example of something a report counts, for the reader to look up.
package struct AuditExample: Sendable, Equatable {
  /// The path as in the line.
  package var path: String
  /// The path's own bytes, where it is not UTF-8.
  package var pathBytes: [UInt8]?
  /// Its name in a list.
  package var id: String?
}

/// The first few paths in byte order, independent of the order in which they are added.
struct AuditExamples: Countable {
  private(set) var first: [AuditExample] = []
  private static let limit = 5

  mutating func add(_ line: AuditLine) {
    // Most lines of a long run come after the few that are kept, and are dropped quickly here.
    if first.count == Self.limit, let last = first.last, last.pathBytes == nil, line.pathBytes == nil,
      !ExactText.precedesOrEquals(line.path, last.path)
    {
      return
    }
    add(AuditExample(path: line.path, pathBytes: line.pathBytes, id: line.id))
  }

  mutating func add(_ other: Self) { for example in other.first { add(example) } }

  private mutating func add(_ example: AuditExample) {
    let place = first.firstIndex { !$0.precedes(example) } ?? first.count
    if place < first.count, !example.precedes(first[place]) { return }
    first.insert(example, at: place)
    if first.count > Self.limit { first.removeLast() }
  }
}

extension ExactText {
  static func precedesOrEquals(_ left: String, _ right: String) -> Bool { !(ExactText(right) < ExactText(left)) }
}

extension AuditExample {
  /// By path, then by id, since one path may be listed under several ids, then by what is only displayed.
  func precedes(_ other: Self) -> Bool {
    for (own, others) in zip(order, other.order) where own != others { return own.lexicographicallyPrecedes(others) }
    return false
  }

  private var order: [[UInt8]] {
    [pathBytes ?? Array(path.utf8), Array((id ?? "").utf8), Array(path.utf8), pathBytes ?? []]
  }
}
