/// Sees values on one thread, before the first is replaced: which runs they have, and what texts have besides plain letters.
final class ValueSurvey {
  private let texts: TextMapping
  private let adder: RunFilter.Adder

  /// What was seen of some values.
  struct Seen: Sendable {
    /// Runs that were added to the filter.
    fileprivate(set) var runs = RunFilter.Counts()
    private var marks: [MarkedTexts.Mark] = []
    /// Of each text what it is equal to without marks, and where its marks end.
    private var texts: [(hash: UInt64, end: Int)] = []

    fileprivate mutating func add(_ own: [MarkedTexts.Mark], of hash: UInt64) {
      marks += own
      texts.append((hash, marks.count))
    }

    /// Calls `body` with the marks of each text that has some.
    func forEachText(_ body: (ArraySlice<MarkedTexts.Mark>, _ hash: UInt64) -> Void) {
      var start = 0
      for (hash, end) in texts {
        body(marks[start..<end], hash)
        start = end
      }
    }
  }

  init(_ facts: MappingFacts, addingTo filter: RunFilter) {
    texts = TextMapping(facts, IdentifierMapping(facts.key, facts.table))
    adder = RunFilter.Adder(to: filter)
  }

  /// Adds the runs of values to the filter.
  func see(_ pieces: ReplacedPieces) -> Seen {
    var seen = Seen()
    pieces.forEach { bytes, isText, _ in
      guard isText else { return adder.insert(bytes: bytes) }
      let isWide = UTF8Bytes.areWide(bytes)
      adder.insert(text: bytes, isWide: isWide)
      if isWide { texts.survey(wide: bytes, counted: adder.insert) { seen.add($1, of: $0) } }
    }
    seen.runs = adder.takeCounts()
    return seen
  }
}
