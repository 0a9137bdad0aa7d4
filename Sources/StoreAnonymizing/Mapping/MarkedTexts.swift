/// For texts, by the hash of what they are without case and marks: which of their letters occur with marks, and with which.
///
/// A store may have millions of them: each takes some 16 bytes. Copies share what is held.
struct MarkedTexts {
  /// A letter with marks: its place in the text, and a number for the marks (`Composition`).
  struct Mark: Hashable, Comparable {
    var place: Int
    var marks: UInt16

    static func < (first: Mark, second: Mark) -> Bool {
      (first.place, first.marks) < (second.place, second.marks)
    }
  }

  private var records: MarkRecords
  /// Whether all that were added are held.
  private(set) var areWhole = true
  /// So many bytes of records are held, and a third of that of their places. Of further texts those that differ in case and marks alone
  /// may become others.
  private let mostBytes: Int

  init(mostBytes: Int = 48 << 20) {
    self.mostBytes = mostBytes
    records = MarkRecords(mostBytes: mostBytes)
  }

  /// The largest record: of a text with more marks only the first count.
  private static let mostMarks = 1 << 16

  /// The marks of a text, in order; empty for one that is not known.
  subscript(hash: UInt64) -> [Mark] { records[hash] }

  /// The marks of a text, with those that were held of others which are equal to it but for case and marks.
  func with(_ marks: [Mark], of hash: UInt64) -> [Mark] {
    marks.isEmpty ? self[hash] : Set(marks).union(self[hash]).sorted()
  }

  /// Adds the marks of a text, unless there is no room for more.
  mutating func add(_ marks: some Collection<Mark>, to hash: UInt64) {
    let known = self[hash]
    guard !known.elementsEqual(marks) else { return }
    let isInOrder = known.isEmpty && zip(marks, marks.dropFirst()).allSatisfy(<)
    let all = isInOrder ? Array(marks) : Set(marks).union(known).sorted()
    guard all.count > known.count else { return }
    guard records.bytes < mostBytes else { return areWhole = false }
    records.write(all.prefix(Self.mostMarks), of: hash)
  }

  /// Lets go of all that is held, when nothing is replaced any more.
  mutating func forget() { records = MarkRecords(mostBytes: 0) }
}

/// The records of texts with marks. One thread writes them; when all were written, any may look, without counting who does.
private final class MarkRecords: @unchecked Sendable {
  /// Where the record of a hash begins, and one more, with six bits of the hash above it; 0 for a free place. Of most others that
  /// are in its way a record is told by these bits, without looking at the memory where they are.
  private var slots = MarkRecords.emptySlots(1 << 10)
  private var count = 0
  /// The records: the hash, the number of marks, and each by how far it is from the one before, as numbers of seven bits a byte.
  /// In parts, so that none is moved when there are more.
  private let parts: UnsafeMutableBufferPointer<UnsafeMutablePointer<UInt8>>
  private var partCount = 0
  /// Where the next record begins.
  private var end = 0
  /// The one that is being written.
  private var record: [UInt8] = []

  private static let partBits = 20
  private static let partLength = 1 << partBits

  init(mostBytes: Int) {
    // The last record may go over the end of the last part.
    parts = .allocate(capacity: mostBytes / Self.partLength + 2)
  }

  deinit {
    for part in parts.prefix(partCount) { part.deallocate() }
    parts.deallocate()
    slots.deallocate()
  }

  private static func emptySlots(_ count: Int) -> UnsafeMutableBufferPointer<UInt32> {
    let slots = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: count)
    slots.initialize(repeating: 0)
    return slots
  }

  /// How many bytes the parts have.
  var bytes: Int { partCount * Self.partLength }

  // MARK: Looking

  subscript(hash: UInt64) -> [MarkedTexts.Mark] { count == 0 ? [] : record(of: hash).map(marks) ?? [] }

  private static func slot(_ hash: UInt64, of count: Int) -> Int {
    Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(count)).high)
  }

  private func record(of hash: UInt64) -> Int? {
    let hash = hash & Self.hashMask
    var slot = Self.slot(hash, of: slots.count)
    while slots[slot] != 0 {
      if holds(slot, hash) { return start(slots[slot]) }
      slot = slot + 1 == slots.count ? 0 : slot + 1
    }
    return nil
  }

  /// Whether a slot has the record of a hash.
  @inline(__always) private func holds(_ slot: Int, _ hash: UInt64) -> Bool {
    slots[slot] & ~Self.placeMask == Self.tag(hash) && self.hash(at: start(slots[slot])) == hash
  }

  @inline(__always) private func start(_ slot: UInt32) -> Int { Int(slot & Self.placeMask) - 1 }

  /// The lowest six of the bits that a record has of its hash, where a slot has them.
  @inline(__always) private static func tag(_ hash: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: hash >> 24) << placeBits
  }

  private static let placeBits: UInt32 = 26
  private static let placeMask: UInt32 = 1 << placeBits - 1

  private func byte(_ place: Int) -> UInt8 { parts[place >> Self.partBits][place & (Self.partLength - 1)] }

  /// The high bits of a hash, by which its slot is found. That two have the same, and places near each other, is rare, and then the one
  /// text has fewer letters to choose from.
  private static let hashLength = 5
  private static let hashMask: UInt64 = ~0 << 24

  private func hash(at start: Int) -> UInt64 {
    let place = start & (Self.partLength - 1)
    if place + 8 <= Self.partLength {
      let record = UnsafeRawPointer(parts[start >> Self.partBits] + place)
      return UInt64(bigEndian: record.loadUnaligned(as: UInt64.self)) & Self.hashMask
    }
    var hash: UInt64 = 0
    for place in 0..<Self.hashLength { hash |= UInt64(byte(start + place)) << UInt64(56 - place * 8) }
    return hash
  }

  private func marks(at start: Int) -> [MarkedTexts.Mark] {
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
      return MarkedTexts.Mark(place: last, marks: UInt16(truncatingIfNeeded: next()))
    }
  }

  // MARK: Writing

  /// Writes the record of a text; in the place of the one that it had.
  func write(_ marks: ArraySlice<MarkedTexts.Mark>, of hash: UInt64) {
    record.removeAll(keepingCapacity: true)
    for place in 0..<Self.hashLength { record.append(UInt8(truncatingIfNeeded: hash >> UInt64(56 - place * 8))) }
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
    guard end < Int(Self.placeMask), end + record.count <= parts.count * Self.partLength else { return }
    let place = UInt32(end + 1) | Self.tag(hash)
    for byte in record {
      if end == bytes {
        parts.initializeElement(at: partCount, to: .allocate(capacity: Self.partLength))
        partCount += 1
      }
      (parts[end / Self.partLength] + end % Self.partLength).initialize(to: byte)
      end += 1
    }
    insert(place, hash)
  }

  private func insert(_ place: UInt32, _ hash: UInt64) {
    let hash = hash & Self.hashMask
    if count * 6 >= slots.count * 5 { grow() }
    var slot = Self.slot(hash, of: slots.count)
    while slots[slot] != 0 {
      if holds(slot, hash) {
        slots[slot] = place
        return
      }
      slot = slot + 1 == slots.count ? 0 : slot + 1
    }
    slots[slot] = place
    count += 1
  }

  private func grow() {
    let larger = Self.emptySlots(slots.count < 1 << 20 ? 2 * slots.count : slots.count + slots.count / 4)
    for place in slots where place != 0 {
      var slot = Self.slot(hash(at: start(place)), of: larger.count)
      while larger[slot] != 0 { slot = slot + 1 == larger.count ? 0 : slot + 1 }
      larger[slot] = place
    }
    slots.deallocate()
    slots = larger
  }
}
