import StoreDigests
import StorePropertyLists
import StoreText

/// Replaces bytes by others of the same length and kind: an archive by one of the same classes, text by text, and of anything
/// else only the sign by which its kind is told.
final class BytesMapping {
  private let facts: MappingFacts
  private let texts: TextMapping
  private let identifiers: IdentifierMapping
  private let numbers: NumberMapping
  private let dates: DateMapping
  /// Names of classes and keys in archives that were written, which stay.
  private var keptNames: Set<String> = []
  /// Runs in archives that were written, outside of what was replaced, that replaced values may have, too.
  private(set) var runsOfStructure: Set<UInt64> = []

  /// So many of them are held.
  private static let mostRunsOfStructure = 1 << 18
  /// Archives in archives, at most.
  private static let mostLevels = 8
  /// The largest value that is taken apart; a larger one is replaced as plain bytes.
  static let largestStructure = 64 << 20

  init(_ facts: MappingFacts, _ texts: TextMapping, _ identifiers: IdentifierMapping) {
    (self.facts, self.texts, self.identifiers) = (facts, texts, identifiers)
    (numbers, dates) = (NumberMapping(key: facts.key), DateMapping(facts.key))
  }

  /// What kind of bytes a value is.
  enum Kind {
    case list(PropertyListValue, isBinary: Bool)
    case text(isJSON: Bool)
    case plain
  }

  static func kind(_ bytes: [UInt8]) -> Kind {
    guard !bytes.isEmpty, bytes.count <= largestStructure else { return .plain }
    let isBinary = bytes.starts(with: "bplist0".utf8)
    if isBinary || bytes.starts(with: "<?xml".utf8) || bytes.starts(with: "<!DOCTYPE plist".utf8) {
      if let value = try? PropertyList(bytes).value() { return .list(value, isBinary: isBinary) }
      if isBinary { return .plain }
    }
    let isReadable = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }
    if isReadable, String(validating: bytes, as: UTF8.self) != nil {
      let first = bytes.first { $0 > 0x20 }
      return .text(isJSON: first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || first == UInt8(ascii: "\""))
    }
    return .plain
  }

  // MARK: What is replaced

  /// Calls `body` with the texts and bytes of the metadata that stay.
  static func keptPieces(ofMetadata bytes: [UInt8], _ body: (ValuePiece) -> Void) {
    guard case .dictionary(let entries)? = try? PropertyList(bytes).value() else { return }
    for (key, value) in entries where isSystemKey(key) {
      body(.text(Array(key.utf8)))
      if Replacer.isCoreDatas(key) { everyPiece(of: value, body) }
    }
  }

  static func everyPiece(of value: PropertyListValue, _ body: (ValuePiece) -> Void) {
    switch value {
    case .string(let text): body(.text(Array(text.utf8)))
    case .data(let bytes): body(.bytes(bytes))
    case .array(let elements), .set(let elements): for element in elements { everyPiece(of: element, body) }
    case .dictionary(let entries):
      for (key, value) in entries {
        body(.text(Array(key.utf8)))
        everyPiece(of: value, body)
      }
    default: break
    }
  }

  /// Calls `body` with the parts of a value that are replaced.
  static func pieces(of bytes: [UInt8], level: Int = 0, _ body: (ValuePiece) -> Void) {
    switch kind(bytes) {
    case .text: body(.text(bytes))
    case .plain: body(.bytes(Array(bytes.dropFirst(signature(bytes)))))
    case .list(let value, _):
      guard level < mostLevels else { return body(.bytes(bytes)) }
      pieces(of: value, isKept: { _ in false }, level: level, body)
    }
  }

  /// - Parameter isKept: keys of the outermost dictionary whose values stay.
  static func pieces(
    of value: PropertyListValue, isKept: (String) -> Bool, level: Int, _ body: (ValuePiece) -> Void
  ) {
    switch value {
    case .null, .boolean, .integer, .unsigned, .real, .date, .uid: break
    case .string(let text): if text != "$null" { body(.text(Array(text.utf8))) }
    case .data(let bytes): pieces(of: bytes, level: level + 1, body)
    case .array(let elements), .set(let elements):
      for element in elements { pieces(of: element, isKept: { _ in false }, level: level, body) }
    case .dictionary(let entries):
      if isArchive(entries) {
        if case .array(let objects)? = entries["$objects"] {
          for object in objects { archivePieces(of: object, level: level, body) }
        }
        if let top = entries["$top"] { archivePieces(of: top, level: level, body) }
        return
      }
      for (key, value) in entries where !isKept(key) {
        if !Self.isSystemKey(key) { body(.text(Array(key.utf8))) }
        pieces(of: value, isKept: { _ in false }, level: level, body)
      }
    }
  }

  private static func archivePieces(of value: PropertyListValue, level: Int, _ body: (ValuePiece) -> Void) {
    guard case .dictionary(let entries) = value else {
      return pieces(of: value, isKept: { _ in false }, level: level, body)
    }
    if entries["$classname"] != nil { return }
    for (_, value) in entries { archivePieces(of: value, level: level, body) }
  }

  private static func isArchive(_ entries: [String: PropertyListValue]) -> Bool {
    if case .string? = entries["$archiver"], case .array? = entries["$objects"] { true } else { false }
  }

  /// Keys that Apple's frameworks write.
  static func isSystemKey(_ key: String) -> Bool {
    ["NS", "_NS", "com.apple.", "PF", "$"].contains { key.hasPrefix($0) }
  }

  // MARK: Replacing

  /// What stands in the place of bytes.
  func replaced(_ bytes: [UInt8], level: Int = 0) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    switch Self.kind(bytes) {
    case .text(let isJSON): return texts.replaced(bytes, isJSON: isJSON)
    case .list(let value, let isBinary) where level < Self.mostLevels:
      let new = replaced(value, isKept: { _ in false }, level: level)
      let result = isBinary ? new.binaryPropertyList() : new.xmlPropertyList()
      // Written again, a list may have other properties than the one that was read: only what can be read counts.
      guard let written = try? PropertyList(result), (try? written.value()) != nil else { return plain(bytes) }
      if isBinary { noteStructure(written, result, keptNames) }
      return result
    case .plain, .list: return plain(bytes)
    }
  }

  /// What stands in the place of bytes; nil where that depends on others: few bytes, and archives, whose names are noted.
  func replacedAlone(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= Self.many else { return nil }
    return switch Self.kind(bytes) {
    case .text(let isJSON): replacedText(bytes, isJSON)
    case .plain: plain(bytes)
    case .list: nil
    }
  }

  private func replacedText(_ bytes: [UInt8], _ isJSON: Bool) -> [UInt8]? {
    var result: [UInt8] = []
    let isMade = bytes.withUnsafeBufferPointer { texts.replaceAlone($0, isJSON: isJSON, to: &result) }
    return isMade ? result : nil
  }

  /// The metadata in the place of others.
  func metadata(_ list: PropertyListValue, isKept: (String) -> Bool) -> [UInt8] {
    let result = replaced(list, isKept: isKept, level: 0).binaryPropertyList()
    if let written = try? PropertyList(result), case .dictionary(let entries)? = try? written.value() {
      var names = keptNames
      for (key, value) in entries where isKept(key) {
        names.insert(key)
        Self.everyPiece(of: value) {
          if case .text(let text) = $0 { names.insert(String(decoding: text, as: UTF8.self)) }
        }
      }
      noteStructure(written, result, names)
    }
    return result
  }

  /// Notes the runs of a written list that touch none of its replaced texts and data.
  private func noteStructure(_ list: PropertyList, _ bytes: [UInt8], _ names: Set<String>) {
    var isReplaced = Array(repeating: false, count: bytes.count)
    var pending = [list.root]
    var seen: Set<Int> = []
    while let node = pending.popLast() {
      guard seen.insert(node.index).inserted else { continue }
      if let entries = node.entries {
        pending += entries.map(\.value)
        for (key, _) in entries where !names.contains(key) { Self.mark(Self.written(key), in: bytes, &isReplaced) }
      } else if let elements = node.elements {
        pending += elements
      } else if let data = node.data {
        let start = node.offset + 1 + Self.lengthOfLength(data.count)
        for place in start..<min(start + data.count, max(bytes.count, start)) { isReplaced[place] = true }
      } else if let text = node.string, !names.contains(text) {
        let written = Self.written(text)
        let isASCII = text.utf8.count == written.count
        let start = node.offset + 1 + Self.lengthOfLength(isASCII ? written.count : written.count / 2)
        for place in start..<min(start + written.count, max(bytes.count, start)) { isReplaced[place] = true }
      }
    }
    var clean = 0
    Runs.forEach(in: bytes) { run, end in
      clean =
        end == Runs.length ? (0..<end).reversed().prefix { !isReplaced[$0] }.count : isReplaced[end - 1] ? 0 : clean + 1
      // One that is not held is found as one of a replaced value: then there is no copy.
      if clean >= Runs.length, facts.table.contains(run), runsOfStructure.count < Self.mostRunsOfStructure {
        runsOfStructure.insert(run)
      }
    }
  }

  /// A text as a binary list has it.
  private static func written(_ text: String) -> [UInt8] {
    text.utf8.allSatisfy { $0 < 0x80 } ? Array(text.utf8) : text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
  }

  /// Marks every place where a text stands.
  private static func mark(_ text: [UInt8], in bytes: [UInt8], _ isMarked: inout [Bool]) {
    guard !text.isEmpty, text.count <= bytes.count else { return }
    for start in 0...bytes.count - text.count where bytes[start] == text[0] {
      if bytes[start..<start + text.count].elementsEqual(text) {
        for place in start..<start + text.count { isMarked[place] = true }
      }
    }
  }

  /// Bytes of the length behind a marker: none up to 14, else its own marker and one, two or four bytes.
  private static func lengthOfLength(_ length: Int) -> Int {
    length < 15 ? 0 : length < 256 ? 2 : length < 65536 ? 3 : 5
  }

  /// A property list in the place of another.
  func replaced(_ value: PropertyListValue, isKept: (String) -> Bool, level: Int) -> PropertyListValue {
    switch value {
    case .null, .boolean, .uid: return value
    case .integer(let number): return .integer(numbers.integer(number) ?? number)
    case .unsigned(let number):
      // Only numbers above those with a sign: the highest bit stays.
      let low = Int64(truncatingIfNeeded: number & UInt64(Int64.max))
      return .unsigned(UInt64(bitPattern: numbers.integer(low) ?? low) | 1 << 63)
    case .real(let number): return .real(numbers.real(number) ?? number)
    case .date(let seconds): return .date(dates.moved(seconds))
    case .string(let text): return text == "$null" ? value : .string(replaced(text))
    case .data(let bytes):
      return .data(bytes.count == 16 ? identifiers.replaced(bytes) : replaced(bytes, level: level + 1))
    case .array(let elements):
      return .array(elements.map { replaced($0, isKept: { _ in false }, level: level) })
    case .set(let elements): return .set(elements.map { replaced($0, isKept: { _ in false }, level: level) })
    case .dictionary(var entries):
      if Self.isArchive(entries) {
        if case .array(let objects)? = entries["$objects"] {
          entries["$objects"] = .array(objects.map { archived($0, level: level) })
        }
        if let top = entries["$top"] { entries["$top"] = archived(top, level: level) }
        keptNames.formUnion(entries.keys)
        if case .string(let name)? = entries["$archiver"] { keptNames.insert(name) }
        keptNames.insert("$null")
        return .dictionary(entries)
      }
      var result: [String: PropertyListValue] = [:]
      for (key, value) in entries {
        if isKept(key) {
          result[key] = value
          continue
        }
        let isSystem = Self.isSystemKey(key)
        if isSystem { keptNames.insert(key) }
        result[isSystem ? key : replaced(key)] = replaced(value, isKept: { _ in false }, level: level)
      }
      return .dictionary(result)
    }
  }

  private func replaced(_ text: String) -> String {
    String(decoding: texts.replaced(Array(text.utf8)), as: UTF8.self)
  }

  /// An object of a keyed archive: names of classes and of keys stay, and numbers that may be codes.
  private func archived(_ value: PropertyListValue, key: String = "", level: Int) -> PropertyListValue {
    switch value {
    case .dictionary(var entries):
      if entries["$classname"] != nil {
        noteNames(value)
        return value
      }
      for (key, value) in entries {
        keptNames.insert(key)
        if key != "$class" { entries[key] = archived(value, key: key, level: level) }
      }
      return .dictionary(entries)
    case .integer(let number) where number.magnitude < 256: return value
    case .real(let seconds) where key == "NS.time": return .real(dates.moved(seconds))
    case .integer(let seconds) where key == "NS.time": return .integer(dates.moved(seconds))
    case .array(let elements): return .array(elements.map { archived($0, level: level) })
    default: return replaced(value, isKept: { _ in false }, level: level)
    }
  }

  private func noteNames(_ value: PropertyListValue) {
    switch value {
    case .string(let text): keptNames.insert(text)
    case .array(let elements), .set(let elements): for element in elements { noteNames(element) }
    case .dictionary(let entries):
      for (key, value) in entries {
        keptNames.insert(key)
        noteNames(value)
      }
    default: break
    }
  }

  /// Bytes without meaning behind the sign of their kind; not a property list where they were none.
  ///
  /// - Parameter isExact: whether its length stays, whatever becomes of others.
  func plain(_ bytes: [UInt8], isExact: Bool = false) -> [UInt8] {
    let length = Self.signature(bytes)
    let more = isExact ? 0 : facts.sizes.length(for: bytes.count) - bytes.count
    var hash = KeyedHash(facts.key, 0x6279_7465)
    bytes.withUnsafeBytes { hash.combine($0) }
    let template = more > 0 ? bytes + Array(repeating: 0, count: more) : bytes
    var result = template
    for attempt in 0..<64 as Range<UInt64> {
      var turn = hash
      turn.combine(attempt)
      result = Self.filled(template, from: length, seed: turn.finish(), facts.table)
      let isSame = result == bytes && length < bytes.count
      if !isSame, isNew(result, for: bytes), case .plain = Self.kind(result) { break }
    }
    return result
  }

  /// Few bytes have few forms: what was made once is not made of other bytes.
  private var shortForms: [[UInt8]: [UInt8]] = [:]

  /// So many bytes have so many forms that two do not become one by chance.
  private static let many = 8
  /// Of those with fewer so many are held.
  static let mostShort = 1 << 16
  /// Whether there were more of them.
  var hasForgotten: Bool { shortForms.count >= Self.mostShort }

  private func isNew(_ made: [UInt8], for bytes: [UInt8]) -> Bool {
    guard bytes.count < Self.many else { return true }
    guard shortForms[made] == nil || shortForms[made] == bytes else { return false }
    if shortForms.count < Self.mostShort { shortForms[made] = bytes }
    return true
  }

  static func filled(_ bytes: [UInt8], from start: Int, seed: UInt64, _ table: RunFilter.Table) -> [UInt8] {
    var stream = SplitMix64(seed: seed)
    var window = RunWindow(table)
    var result = bytes
    result.withUnsafeMutableBufferPointer { result in
      for place in 0..<min(start, result.count) { _ = window.take(byte: result[place]) }
      for place in min(start, result.count)..<result.count { result[place] = window.chooseByte(&stream) }
    }
    return result
  }

  // MARK: Kinds

  /// Bytes at the beginning by which the kind of a value is told.
  static func signature(_ bytes: [UInt8]) -> Int {
    for known in signatures where bytes.count > known.count && bytes.starts(with: known) { return known.count }
    // ISO base media: the size of the first box, then "ftyp" and the brand.
    if bytes.count > 12, bytes[4..<8].elementsEqual("ftyp".utf8) { return 12 }
    return 0
  }

  /// All signs of kinds.
  static let signatures: [[UInt8]] = [
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], [0xff, 0xd8, 0xff], Array("GIF89a".utf8), Array("GIF87a".utf8),
    Array("%PDF-".utf8), [0x50, 0x4b, 3, 4], [0x1f, 0x8b, 8], Array("SQLite format 3\0".utf8), Array("bplist00".utf8),
    Array("RIFF".utf8), [0x49, 0x49, 0x2a, 0], [0x4d, 0x4d, 0, 0x2a], [0x78, 0x9c], [0x78, 0x01], [0x78, 0xda],
    [0x04, 0x0b] + Array("streamtyped".utf8), Array("BM".utf8), Array("OggS".utf8), Array("ID3".utf8),
  ]
}
