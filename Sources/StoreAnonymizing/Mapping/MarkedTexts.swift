/// For texts, by the hash of what they are without case and marks: which of their letters occur with marks, and with which.
///
/// A store may have millions of them: each takes some 16 bytes.
struct MarkedTexts {
  /// A letter with marks: its place in the text, and a number for the marks (`Composition`).
  struct Mark: Hashable, Comparable {
    var place: Int
    var marks: UInt16

    static func < (first: Mark, second: Mark) -> Bool {
      (first.place, first.marks) < (second.place, second.marks)
    }
  }

  /// Where the record of a hash begins, and one more; 0 for a free place.
  private var slots: [UInt32] = Array(repeating: 0, count: 1 << 10)
  private var count = 0
  /// The records: the hash, the number of marks, and each by how far it is from the one before, as numbers of seven bits a byte.
  /// In parts, so that none is moved when there are more.
  private var parts: [[UInt8]] = []

  /// Whether all that were added are held.
  private(set) var areWhole = true
  /// So many bytes of records are held, and a third of that of their places. Of further texts those that differ in case and marks alone
  /// may become others.
  private let mostBytes: Int

  init(mostBytes: Int = 48 << 20) { self.mostBytes = mostBytes }

  private static let partLength = 1 << 20
  /// The largest record: of a text with more marks only the first count.
  private static let mostMarks = 1 << 16

  /// The marks of a text, in order; empty for one that is not known.
  subscript(hash: UInt64) -> [Mark] {
    guard count > 0, let start = record(of: hash) else { return [] }
    return marks(at: start)
  }

  /// The marks of a text, with those that were held of others which are equal to it but for case and marks.
  func with(_ marks: [Mark], of hash: UInt64) -> [Mark] {
    marks.isEmpty ? self[hash] : Set(marks).union(self[hash]).sorted()
  }

  /// Adds the marks of a text, unless there is no room for more.
  mutating func add(_ marks: [Mark], to hash: UInt64) {
    let known = self[hash]
    let all = known.isEmpty ? Set(marks) : Set(marks).union(known)
    guard all.count > known.count else { return }
    guard parts.count * Self.partLength < mostBytes else { return areWhole = false }
    write(all.sorted().prefix(Self.mostMarks), of: hash)
  }

  /// Lets go of all that is held, when nothing is replaced any more.
  mutating func forget() { (slots, count, parts) = (Array(repeating: 0, count: 1 << 10), 0, []) }

  private func slot(_ hash: UInt64, in slots: [UInt32]) -> Int {
    Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(slots.count)).high)
  }

  private func record(of hash: UInt64) -> Int? {
    let hash = hash & Self.hashMask
    var slot = slot(hash, in: slots)
    while slots[slot] != 0 {
      let start = Int(slots[slot] - 1)
      if self.hash(at: start) == hash { return start }
      slot = slot + 1 == slots.count ? 0 : slot + 1
    }
    return nil
  }

  private func byte(_ place: Int) -> UInt8 { parts[place / Self.partLength][place % Self.partLength] }

  /// The high bits of a hash, by which its slot is found. That two have the same, and places near each other, is rare, and then the one
  /// text has fewer letters to choose from.
  private static let hashLength = 5
  private static let hashMask: UInt64 = ~0 << 24

  private func hash(at start: Int) -> UInt64 {
    (0..<Self.hashLength).reduce(0) { $0 | UInt64(byte(start + $1)) << UInt64(56 - $1 * 8) }
  }

  private func marks(at start: Int) -> [Mark] {
    var place = start + Self.hashLength
    func next() -> Int {
      var (value, shift) = (0, 0)
      while true {
        let part = byte(place)
        place += 1
        value |= Int(part & 0x7f) << shift
        if part < 0x80 { return value }
        shift += 7
      }
    }
    var last = 0
    return (0..<next()).map { _ in
      last += next()
      return Mark(place: last, marks: UInt16(truncatingIfNeeded: next()))
    }
  }

  private mutating func write(_ marks: ArraySlice<Mark>, of hash: UInt64) {
    var record = (0..<Self.hashLength).map { UInt8(truncatingIfNeeded: hash >> UInt64(56 - $0 * 8)) }
    func add(_ number: Int) {
      var rest = number
      while rest >= 0x80 {
        record.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      record.append(UInt8(truncatingIfNeeded: rest))
    }
    add(marks.count)
    var last = 0
    for mark in marks {
      add(mark.place - last)
      add(Int(mark.marks))
      last = mark.place
    }
    // A record may go over the end of a part, and begins in the next one where little is left.
    let start = (parts.count - 1) * Self.partLength + (parts.last?.count ?? 0)
    guard let place = UInt32(exactly: max(start, 0) + 1) else { return }
    for byte in record {
      if parts.last.map({ $0.count == Self.partLength }) ?? true {
        var part: [UInt8] = []
        part.reserveCapacity(parts.isEmpty ? 1 << 10 : Self.partLength)
        parts.append(part)
      }
      parts[parts.count - 1].append(byte)
    }
    insert(place, hash)
  }

  private mutating func insert(_ place: UInt32, _ hash: UInt64) {
    let hash = hash & Self.hashMask
    if count * 6 >= slots.count * 5 { grow() }
    var slot = slot(hash, in: slots)
    while slots[slot] != 0 {
      if self.hash(at: Int(slots[slot] - 1)) == hash {
        slots[slot] = place
        return
      }
      slot = slot + 1 == slots.count ? 0 : slot + 1
    }
    slots[slot] = place
    count += 1
  }

  private mutating func grow() {
    var larger: [UInt32] = Array(repeating: 0, count: slots.count + slots.count / 4)
    for place in slots where place != 0 {
      var slot = slot(hash(at: Int(place - 1)), in: larger)
      while larger[slot] != 0 { slot = slot + 1 == larger.count ? 0 : slot + 1 }
      larger[slot] = place
    }
    slots = larger
  }
}
