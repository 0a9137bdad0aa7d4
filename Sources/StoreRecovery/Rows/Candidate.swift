import SQLitePages
import StoreSQLite

/// A row that was found, and what it is. There may be millions, so it is kept in 48 bytes, and what can be computed or read
/// again is not kept; what few rows have is in an `Extra`.
struct Candidate: Sendable {
  /// Of types and bytes of all values but the first, on its own page.
  let localHash: UInt64
  /// The key; for rows without one the first row of the same object, -1 where it is the only one.
  private var number: Int64 = -1
  /// Where it is. Its check is the lower half of the hash of all values.
  let place: PlaceRef
  private var templateNumber: UInt16
  private let values: UInt16
  /// Bytes of the record that were overwritten; 0 and 0 for none.
  private(set) var lostFrom: UInt16
  private(set) var lostEnd: UInt16
  private let entityNumber: Int16
  /// Which of the extras is its own; -1 for none.
  private(set) var extra: Int32 = -1
  private var flags: Flags
  /// Bytes of the cell before those of the record.
  let recordOffset: UInt8
  /// The type of the first value, where it was lost.
  let firstType: UInt8

  /// What few rows have, and rows in logs.
  struct Extra: Sendable {
    /// The commit of the log whose pages have it in a cell; -1 elsewhere.
    var commit: Int32 = -1
    var furtherCopies: Int32 = 0
    /// The last commit that is known to have exactly this row in the table's tree, and the first one after it that has not; -1
    /// where none are known.
    var present: Int32 = -1
    var absent: Int32 = -1
    /// The hash of a row with overflow pages, those included.
    var wholeHash: UInt64 = 0
    /// The overflow pages of its place, and other copies.
    var otherPlaces: [PlaceRef] = []
  }

  private struct Flags: OptionSet {
    let rawValue: UInt16
    static let firstValueUnknown = Flags(rawValue: 1)
    static let whole = Flags(rawValue: 1 << 1)
    static let overflow = Flags(rawValue: 1 << 2)
    static let onLostPage = Flags(rawValue: 1 << 3)
    static let key = Flags(rawValue: 1 << 4)
    static let gone = Flags(rawValue: 1 << 5)
    static let openVersion = Flags(rawValue: 1 << 15)

    /// Bits of a number among them.
    subscript(_ first: UInt16, _ count: UInt16) -> UInt8 {
      get { UInt8(truncatingIfNeeded: rawValue >> first & (1 << count - 1)) }
      set {
        let mask: UInt16 = (1 << count - 1) << first
        self = Flags(rawValue: rawValue & ~mask | UInt16(newValue) << first & mask)
      }
    }
  }

  /// A row as it was found.
  ///
  /// - Parameter entity: the number of its entity, as far as it is there.
  init(_ cell: CarvedCell, localHash: UInt64, place: PlaceRef, entity: Int64?, fate: FrameFate, isOnLostPage: Bool) {
    self.localHash = localHash
    self.place = place
    templateNumber = UInt16(clamping: cell.template)
    values = UInt16(clamping: cell.record.count)
    (lostFrom, lostEnd) = (UInt16(clamping: cell.lost.lowerBound), UInt16(clamping: cell.lost.upperBound))
    entityNumber = entity.flatMap { Int16(exactly: $0) } ?? Self.unknownEntity
    recordOffset = UInt8(clamping: cell.recordStart - cell.start)
    firstType = UInt8(clamping: cell.record.fields.first?.type.code ?? 0)
    flags = cell.isFirstValueUnknown ? .firstValueUnknown : []
    if cell.overflow != nil { flags.insert(.overflow) }
    if isOnLostPage { flags.insert(.onLostPage) }
    flags[6, 2] = cell.head.rawValue
    self.fate = fate
    self.key = cell.key
  }

  private static let unknownEntity = Int16.min

  /// The template that it fits.
  var template: Int { Int(templateNumber) }
  /// The number of values.
  var valueCount: Int { Int(values) }
  /// The number of its entity; nil where it has to be read.
  var entity: Int64? { entityNumber == Self.unknownEntity ? nil : Int64(entityNumber) }
  /// Whether what the first value is stays open.
  var isFirstValueUnknown: Bool { flags.contains(.firstValueUnknown) }
  /// Whether it was in a cell of a page, not in free space.
  var isInCell: Bool { place.how == .cell }
  /// Whether its cell ends in the number of an overflow page.
  var hasOverflow: Bool { flags.contains(.overflow) }
  /// The part of its header that is left.
  var head: Head { Head(rawValue: flags[6, 2]) ?? .whole }
  /// Whether bytes of it were overwritten.
  var isDamaged: Bool { lostEnd > 0 }

  /// Whether all overflow pages are there.
  var isWhole: Bool {
    get { flags.contains(.whole) }
    set { set(.whole, newValue) }
  }

  /// Whether a cell of a page that nothing leads to has it, and which so may be live.
  var isOnLostPage: Bool {
    get { flags.contains(.onLostPage) }
    set { set(.onLostPage, newValue) }
  }

  /// Whether it may be of more than one version of its table, which have other columns for some of its values.
  var isOfOpenVersion: Bool {
    get { flags.contains(.openVersion) }
    set { set(.openVersion, newValue) }
  }

  /// Whether it is no result: a copy of what is there, or of another one.
  var isDropped: Bool {
    get { flags.contains(.gone) }
    set { set(.gone, newValue) }
  }

  /// What became of the pages that have it; where one of several was saved, that.
  var fate: FrameFate {
    get { FrameFate(rawValue: flags[8, 2]) ?? .saved }
    set { flags[8, 2] = newValue.rawValue }
  }

  /// What it is, once it was judged.
  var kind: RecoveredRow.Kind {
    get { RecoveredRow.Kind(code: flags[12, 3]) }
    set { flags[12, 3] = newValue.code }
  }

  /// What its key follows from; nil where that stands in the row, or is not known.
  var keySource: RecoveredRow.KeySource? {
    RecoveredRow.KeySource(code: flags[10, 2])
  }

  /// The key; nil where it is lost.
  private(set) var key: Int64? {
    get { flags.contains(.key) ? number : nil }
    set {
      set(.key, newValue != nil)
      number = newValue ?? -1
    }
  }

  /// For a row without a key the first row of the same object; -1 where it is the only one, and for rows with a key.
  var object: Int32 { flags.contains(.key) ? -1 : Int32(clamping: number) }

  /// The key that stands in the row.
  var ownKey: Int64? { keySource == nil ? key : nil }

  /// Gives the key of a copy that has it.
  mutating func take(key: Int64?) { if self.key == nil { self.key = key } }

  /// Gives the key that follows from something else.
  mutating func take(key: Int64, from source: RecoveredRow.KeySource) {
    guard ownKey == nil else { return }
    self.key = key
    flags[10, 2] = source.code
  }

  /// Says which row without a key is the first of the same object.
  mutating func take(object: Int32) { if key == nil { number = Int64(object) } }

  /// Takes none of its bytes for overwritten: a copy elsewhere has the same.
  mutating func takeForSound() { (lostFrom, lostEnd) = (0, 0) }

  mutating func take(extra: Int32) { self.extra = extra }

  /// Takes it for a row of another template.
  mutating func take(template: Int) { templateNumber = UInt16(clamping: template) }

  /// Tells apart what was never in the database, or may be in it for all that can be read.
  mutating func takeFate() {
    switch fate {
    case .saved: return
    case .unfinished: kind = .neverCommitted
    // Beside a row that is there it may be the newer one.
    case .unreadable: kind = .unreachable
    }
  }

  /// Takes nothing for deleted that only cannot be reached.
  mutating func loseSight() { if kind == .deleted { kind = .unreachable } }

  private mutating func set(_ flag: Flags, _ isSet: Bool) {
    if isSet { flags.insert(flag) } else { flags.remove(flag) }
  }

  /// Whether the value of a field of its record is lost: its type, or some of its bytes.
  func isLost(_ column: Int, field: Record.Field) -> Bool {
    if column == 0, isFirstValueUnknown { return true }
    guard isDamaged, let size = field.type.size else { return false }
    return field.offset < Int(lostEnd) && field.offset + size > Int(lostFrom)
  }

  /// The parts of a record's header that can be left.
  enum Head: UInt8, Sendable {
    /// All of it.
    case whole
    /// The types without the header's length.
    case lengthLost
    /// The types but the first, which had to be found again.
    case typeLost
  }

  /// The most copies of one row that are listed.
  static let listedCopies = 4
}

/// Where bytes are: a part of one version of a page, in 14 bytes.
struct PlaceRef: Sendable, Equatable {
  /// The number of the page in the main file, of the frame in the log, of the record in the journal.
  let version: UInt32
  private let offset: UInt16
  private let lastByte: UInt16
  /// A hash of the bytes, or of what they say.
  let check: UInt32
  let source: PageOrigin.File
  let how: RecoveredRow.Place.Method

  /// - Parameter index: that of the frame or record; nothing in the main file.
  init(
    _ range: Range<Int>, page: UInt32, file: PageOrigin.File, index: Int?, check: UInt32, how: RecoveredRow.Place.Method
  ) {
    version = index.map { UInt32(clamping: $0) } ?? page
    offset = UInt16(clamping: range.lowerBound)
    lastByte = UInt16(clamping: range.count - 1)
    self.check = check
    source = file
    self.how = how
  }

  /// How many bytes there are.
  var count: Int { Int(lastByte) + 1 }

  /// The number of the page; 0 where its file has no such version.
  func page(in files: PageFiles) -> UInt32 {
    switch source {
    case .main: version
    case .wal:
      files.frames.flatMap { frames in
        frames.frames.indices.contains(Int(version)) ? frames.frames[Int(version)].page : nil
      } ?? 0
    case .journal: record(in: files)?.page ?? 0
    }
  }

  /// Offset of the first byte in the file.
  func start(in files: PageFiles) -> Int64 {
    let page =
      switch source {
      case .main: files.offset(ofMainPage: version)
      case .wal: files.frames?.offset(of: Int(version)) ?? 0
      case .journal: record(in: files)?.offset ?? 0
      }
    return page + Int64(offset)
  }

  private func record(in files: PageFiles) -> JournalPages.Entry? {
    files.journal.flatMap { journal in
      journal.records.indices.contains(Int(version)) ? journal.records[Int(version)] : nil
    }
  }

  /// In the order of files and bytes.
  static func isBefore(_ left: Self, _ right: Self, in files: PageFiles) -> Bool {
    left.source == right.source
      ? left.start(in: files) < right.start(in: files) : left.source.rawValue < right.source.rawValue
  }
}

/// FNV-1a with 64 bits.
package struct ByteHash {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  /// The same eight bytes at a time: faster, and with another result.
  mutating func addWords(_ bytes: UnsafeRawBufferPointer) {
    var index = 0
    while index + 8 <= bytes.count {
      add(bytes.loadUnaligned(fromByteOffset: index, as: Int64.self))
      index += 8
    }
    while index < bytes.count {
      value = (value ^ UInt64(bytes[index])) &* 0x100_0000_01b3
      index += 1
    }
  }

  mutating func add(_ number: Int64) {
    value = (value ^ UInt64(bitPattern: number)) &* 0x100_0000_01b3
    value ^= value >> 29
  }

  /// The hash of a record's values but the first, whose type may be lost: of its types, and of the bytes up to `end`. Of an
  /// only value it is the hash of that.
  static func body(_ record: Record, in bytes: UnsafeRawBufferPointer, at start: Int, upTo end: Int)
    -> UInt64
  {
    var hash = ByteHash()
    let fields = record.fields.dropFirst(record.count > 1 ? 1 : 0)
    for field in fields { hash.add(field.type.code) }
    let first = fields.first.map { start + $0.offset } ?? end
    if first < end, end <= bytes.count { hash.addWords(UnsafeRawBufferPointer(rebasing: bytes[first..<end])) }
    return hash.value
  }

  /// The hash of all values of a row on its own page: two links from different objects to one are two rows. Where the first
  /// value is not known, or is the key, it is that of the others.
  ///
  /// - Parameter end: where what of the record is on its page ends.
  static func row(
    _ record: Record, isFirstUnknown: Bool, localHash: UInt64, in bytes: UnsafeRawBufferPointer, at start: Int,
    upTo end: Int
  ) -> UInt64 {
    guard record.count > 1, !isFirstUnknown, let first = record.fields.first, first.type.kind != .null
    else { return localHash }
    var hash = ByteHash()
    hash.add(Int64(bitPattern: localHash))
    hash.add(first.type.code)
    let from = start + first.offset
    let to = min(from + (first.type.size ?? 0), end, bytes.count)
    if from < to { hash.addWords(UnsafeRawBufferPointer(rebasing: bytes[from..<to])) }
    return hash.value
  }

  /// The hash of a row by its key and its bytes.
  static func row(_ key: Int64, _ payload: UnsafeRawBufferPointer) -> UInt64 {
    var hash = ByteHash()
    hash.add(key)
    hash.addWords(payload)
    return hash.value
  }

  /// The hash of some bytes.
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = ByteHash()
    hash.add(bytes)
    return hash.value
  }

  /// A short hash of some bytes, eight at a time.
  static func check(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var hash = ByteHash()
    hash.addWords(bytes)
    return UInt32(truncatingIfNeeded: hash.value)
  }

  /// The check of bytes that reports carry.
  package static func checksum(_ bytes: UnsafeRawBufferPointer) -> String {
    hexadecimal(of(bytes))
  }

  /// Sixteen digits.
  static func hexadecimal(_ hash: UInt64) -> String {
    let text = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
