/// Some parts of values that are replaced, with where each is: "Note.title".
struct ReplacedPieces: Sendable {
  /// The bytes of all, one behind the other.
  private var bytes: [UInt8] = []
  private var pieces: [(end: Int, isText: Bool, place: Int)] = []
  /// Where they are, each once where many follow each other.
  private var places: [String] = []

  /// They are handed over when they take so much.
  static let usualWeight = 128 << 10
  /// So much is on its way at most, but for a single value that is larger.
  static let mostWeight = 2 << 20

  /// About how many bytes they take.
  var weight: Int { bytes.count + 64 * pieces.count }

  mutating func add(_ piece: ValuePiece, at place: String) {
    switch piece {
    case .text(let own): own.withUnsafeBytes { add($0, isText: true, at: place) }
    case .bytes(let own): own.withUnsafeBytes { add($0, isText: false, at: place) }
    }
  }

  mutating func add(_ own: UnsafeRawBufferPointer, isText: Bool, at place: String) {
    if bytes.isEmpty { bytes.reserveCapacity(max(Self.usualWeight, own.count)) }
    bytes.append(contentsOf: own)
    if places.last != place {
      // A row has few values.
      if let known = places.suffix(16).lastIndex(of: place) {
        return pieces.append((bytes.count, isText, known))
      }
      places.append(place)
    }
    pieces.append((bytes.count, isText, places.count - 1))
  }

  /// Calls `body` with the bytes of each.
  @inline(__always) func forEach(_ body: (UnsafeBufferPointer<UInt8>, _ isText: Bool, _ place: Int) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      for (end, isText, place) in pieces {
        body(UnsafeBufferPointer(rebasing: bytes[start..<end]), isText, place)
        start = end
      }
    }
  }

  /// Those of the wanted runs that they have, with where the first of each is.
  func found(_ wanted: WantedRuns) -> [UInt64: String] {
    var found: [UInt64: String] = [:]
    let bits = wanted.bits
    forEach { bytes, isText, place in
      func note(_ run: UInt64) { if found[run] == nil { found[run] = places[place] } }
      // Few are wanted, so what else there is to know of a run is asked then.
      wanted.forEach(in: bytes) { run, _, _ in if Runs.tells(run) { note(run) } }
      guard isText else {
        return ValuePiece.forEachPair(in: bytes) { if bits.mayHave($0), wanted.contains($0) { note($0) } }
      }
      UnitRuns.forEach(in: bytes) { units in
        if bits.mayHave(units.run), wanted.contains(units.run) { note(units.run) }
        if bits.mayHave(units.swapped), wanted.contains(units.swapped) { note(units.swapped) }
      }
    }
    return found
  }
}
