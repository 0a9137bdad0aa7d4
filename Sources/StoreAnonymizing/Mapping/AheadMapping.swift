/// What a mapping has to know before it replaces the first value; the same for each thread that does.
struct MappingFacts: Sendable {
  let key: MappingKey
  let filter: RunFilter
  let sizes: AnonymizingSizes
  /// Which letters of texts occur with marks, of all texts of the store.
  var marks = MarkedTexts()

  var table: RunFilter.Table { filter.table }
}

/// Replaces values before it is their turn, on a thread of its own: those that depend on nothing but themselves.
///
/// Short texts and bytes are none of these, because no two become one, nor are archives, whose names are noted: what is nil here is
/// made when it is its turn.
final class AheadMapping {
  private let texts: TextMapping
  private let bytes: BytesMapping
  private let identifiers: IdentifierMapping

  /// What becomes of a value: a text, a UUID of 16 bytes, or bytes behind the first few, which stay.
  enum Kind: Sendable {
    case text
    case identifier
    case bytes(behind: Int)
  }

  init(_ facts: MappingFacts) {
    identifiers = IdentifierMapping(facts.key, facts.table)
    texts = TextMapping(facts, identifiers)
    bytes = BytesMapping(facts, texts, identifiers)
  }

  /// Adds to `result` what stands in the place of a value.
  ///
  /// - Returns: false where that depends on others; then nothing was added.
  func replace(_ value: UnsafeBufferPointer<UInt8>, _ kind: Kind, to result: inout [UInt8]) -> Bool {
    switch kind {
    case .text: return texts.replaceAlone(value, to: &result)
    case .identifier: result += identifiers.replaced(Array(value))
    case .bytes(let start):
      guard let made = bytes.replacedAlone(Array(value.dropFirst(start))) else { return false }
      result += made
    }
    return true
  }
}
