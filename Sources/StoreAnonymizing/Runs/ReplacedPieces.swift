/// Some parts of values that are replaced, with where each is: "Note.title".
struct ReplacedPieces: Sendable {
  private(set) var pieces: [(piece: ValuePiece, place: String)] = []
  /// About how many bytes they take.
  private(set) var weight = 0

  /// They are handed over when they take so much.
  static let usualWeight = 128 << 10
  /// So much is on its way at most, but for a single value that is larger.
  static let mostWeight = 2 << 20

  mutating func add(_ piece: ValuePiece, at place: String) {
    pieces.append((piece, place))
    switch piece {
    case .text(let bytes), .bytes(let bytes): weight += bytes.count + 64
    }
  }

  /// Those of the wanted runs that they have, with where the first of each is.
  func found(_ wanted: WantedRuns) -> [UInt64: String] {
    var found: [UInt64: String] = [:]
    for (piece, place) in pieces {
      piece.forEachRun(where: wanted.contains) { run, _ in if found[run] == nil { found[run] = place } }
    }
    return found
  }
}
