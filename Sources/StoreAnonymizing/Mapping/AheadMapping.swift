import StoreSQLite

/// What a mapping has to know before it replaces the first value; the same for each thread that does.
struct MappingFacts: Sendable {
  let key: MappingKey
  let table: RunFilter.Table
  let sizes: AnonymizingSizes
  /// Which letters of texts occur with marks, of all texts of the store.
  var marks = MarkedTexts()
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

  /// What stands in the place of a value; nil where that depends on others.
  func replaced(_ value: SQLiteValue, _ kind: Kind) -> [UInt8]? {
    switch (value, kind) {
    case (.text(let text), .text): texts.replacedAlone(text)
    case (.blob(let content), .identifier): identifiers.replaced(content)
    case (.blob(let content), .bytes(let start)):
      bytes.replacedAlone(start == 0 ? content : Array(content.dropFirst(start)))
    default: nil
    }
  }
}
