/// Which of some runs kept texts and names have, too.
struct KeptRuns {
  private let wanted: WantedRuns
  private var found: Set<UInt64> = []
  /// The last two to five bytes of what is kept within a value, and their first: what stands beside them is not kept.
  private var ends: Set<UInt64> = []
  private var beginnings: Set<UInt64> = []

  init(_ wanted: some Sequence<UInt64>) { self.wanted = WantedRuns(wanted) }

  /// Takes a whole value that stays. A run that needs a byte of what stands beside it lies across values (`PagePlaces`).
  mutating func take(_ piece: ValuePiece) {
    piece.forEachRun(where: { wanted.contains($0) }) { found.insert($0) }
  }

  /// Takes what stays within values.
  ///
  /// - Parameter shortest: how many bytes at its end or beginning explain a run.
  mutating func take(part piece: ValuePiece, shortest: Int = 4) {
    take(piece)
    switch piece {
    case .text(let bytes), .bytes(let bytes):
      for length in shortest...5 where bytes.count >= length {
        ends.insert(Self.number(bytes.suffix(length)))
        beginnings.insert(Self.number(bytes.prefix(length)))
      }
    }
  }

  /// Bytes as a number, with ASCII letters in lower case; no four are the same number as five.
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(1) { $0 << 8 | UInt64(Runs.lowercased($1)) }
  }

  /// Whether something kept has the run, or what is kept within values four of its bytes or more at its end or beginning.
  func explains(_ run: UInt64) -> Bool {
    if found.contains(run) { return true }
    guard run >> 48 == 0 else { return false }
    return (2...5 as ClosedRange<UInt64>).contains { length in
      let mark: UInt64 = 1 << (length * 8)
      return ends.contains(mark | run >> (48 - length * 8)) || beginnings.contains(mark | run & (mark - 1))
    }
  }
}
