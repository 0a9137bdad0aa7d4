import StorePlatform
import StoreWords

/// Text compared by its bytes. Two spellings of "é" are equal as strings but are different names of files and entities,
/// and results must not depend on which one was met first.
struct ExactText: Hashable, Comparable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: Self, right: Self) -> Bool {
    let (own, others) = (left.text.utf8, right.text.utf8)
    guard own.count == others.count else { return false }
    let fast = own.withContiguousStorageIfAvailable { own in
      others.withContiguousStorageIfAvailable { others in
        guard let start = own.baseAddress, let other = others.baseAddress else { return own.count == others.count }
        return memcmp(start, other, own.count) == 0
      }
    }
    return fast.flatMap(\.self) ?? own.elementsEqual(others)
  }

  static func < (left: Self, right: Self) -> Bool { codeUnitsPrecede(left.text, right.text) }

  func hash(into hasher: inout Hasher) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    if isDone == nil { for byte in text.utf8 { hasher.combine(byte) } }
    hasher.combine(0xFF as UInt8)
  }
}
