import StoreText

/// Extracts the facts from a log. Accepts any bytes; the time grows linearly with their number.
struct LogReader {
  /// The most bytes of a log that are read; a system log of a whole day is larger, but what people paste is not.
  static let mostBytes = 64 << 20
  /// The most facts of one kind that are kept.
  static let mostFacts = 1000

  var facts = LogFacts()
  let bytes: [UInt8]
  /// The line breaks within entries that are no longer in it.
  private let breaks: [UnwrappedText.Break]
  /// The same in lower case, of the same length.
  private let lower: [UInt8]
  /// Where the migration debug log starts the hash lists of the source and of the destination model.
  private var sourceLists: [Int] = []
  private var destinationLists: [Int] = []

  /// Reads a text.
  static func facts(in bytes: [UInt8]) -> LogFacts {
    var reader = LogReader(bytes)
    reader.readCodes()
    reader.readReasons()
    reader.readPlaces()
    reader.readObjects()
    reader.readHashes()
    reader.readSchemaNames()
    reader.readRelationships()
    reader.readStatements()
    reader.readFramework()
    return reader.facts
  }

  private init(_ raw: [UInt8]) {
    facts.isCutOff = raw.count > Self.mostBytes
    let text = UnwrappedText(crashReport(raw.prefix(Self.mostBytes)))
    (bytes, breaks) = plain(text)
    facts.joinedLines = breaks.count
    lower = bytes.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
  }

  // MARK: Codes

  private mutating func readCodes() {
    var found: [(offset: Int, domain: KnownError.Domain, number: Int)] = []
    for (words, domain, gap) in [
      ("nscocoaerrordomain", KnownError.Domain.cocoa, 24), ("cocoa error", .cocoa, 4), ("cocoa ", .cocoa, 24),
      ("cocoa-", .cocoa, 24), ("nssqliteerrordomain", .sqlite, 12), ("sqlite error", .sqlite, 12),
      ("sqlite3 error", .sqlite, 12),
    ] as [(String, KnownError.Domain, Int)] {
      for end in occurrences(of: words) {
        guard let number = number(within: gap, after: end) else { continue }
        found.append((end, domain, number))
      }
    }
    // "Code=1570" of a domain that is not in the text; numbers of validation are Core Data's alone.
    for end in occurrences(of: "code=") {
      guard let number = number(within: 2, after: end), (1550...1690).contains(number), !hasDomain(before: end),
        KnownError.numbered(number, in: .cocoa) != nil
      else { continue }
      found.append((end, .cocoa, number))
    }
    // Core Data's own numbers identify the error even without a domain.
    for (offset, number) in numbersAlone() where KnownError.numbered(number, in: .cocoa) != nil {
      found.append((offset, .cocoa, number))
    }
    var lines = lineCounter()
    for (offset, domain, number) in found.sorted(by: { $0.offset < $1.offset }) {
      guard !facts.codes.contains(where: { $0.domain == domain && $0.number == number }),
        facts.codes.count < Self.mostFacts
      else { continue }
      facts.codes.append(.init(domain: domain, number: number, line: lines.line(of: offset)))
    }
  }

  /// The first number within `gap` bytes after a place, on the same line.
  private func number(within gap: Int, after start: Int) -> Int? {
    let end = min(start + gap, bytes.count)
    guard let first = bytes[start..<end].firstIndex(where: { isDigit($0) || $0 == newline }), isDigit(bytes[first])
    else { return nil }
    let digits = bytes[first...].prefix(8).prefix(while: isDigit)
    return digits.count < 8 ? Int(String(decoding: digits, as: UTF8.self)) : nil
  }

  /// Whether a domain stands closely before a place, on the same line.
  private func hasDomain(before place: Int) -> Bool {
    let line = lower[max(0, place - 80)..<place]
    let start = line.lastIndex(of: newline) ?? line.startIndex
    return line[start...].firstRange(ofBytes: Array("domain".utf8)) != nil
  }

  /// Six-digit numbers beginning with 13 that are words of their own.
  private func numbersAlone() -> [(Int, Int)] {
    occurrences(of: "13").compactMap { end in
      let start = end - 2
      guard start == 0 || !isWord(bytes[start - 1]) else { return nil }
      let digits = bytes[start...].prefix(7).prefix(while: isDigit)
      guard digits.count == 6, digits.endIndex == bytes.count || !isWord(bytes[digits.endIndex]),
        let number = Int(String(decoding: digits, as: UTF8.self))
      else { return nil }
      return (start, number)
    }
  }

  // MARK: Sentences

  /// Looks for the sentences without any space or end of a line, since both move where lines are broken.
  private mutating func readReasons() {
    let letters = lower.filter { $0 != UInt8(ascii: " ") && $0 != newline }
    let found = KnownReason.all.compactMap { reason in
      firstOccurrence(of: reason.words.utf8.filter { $0 != UInt8(ascii: " ") }, in: letters).map {
        (offset: $0, reason: reason)
      }
    }
    facts.reasons = found.sorted { $0.offset < $1.offset }.map(\.reason)
  }

  // MARK: Places

  /// `entity=Note, attribute=title` in any order, and with spaces, quotes or `:` in place of `=`.
  private mutating func readPlaces() {
    for end in occurrences(of: "entity") where facts.places.count < Self.mostFacts {
      guard let name = assignedName(after: end) else { continue }
      var place = LogFacts.Place(entity: name.text, property: property(besides: end, name.end))
      place.brokenEntity = name.broken
      keep(place)
    }
    // "on entity 'Note' with sql text" of the SQL debug log.
    for end in occurrences(of: "on entity '") {
      let name = bytes[end...].prefix(200).prefix(while: isWord)
      if !name.isEmpty { keep(LogFacts.Place(entity: String(decoding: name, as: UTF8.self))) }
    }
  }

  private mutating func keep(_ place: LogFacts.Place) {
    if let known = facts.places.firstIndex(where: { $0.entity == place.entity && $0.property == place.property }) {
      // Where one text has the name whole, it is known.
      if place.brokenEntity == nil { facts.places[known].brokenEntity = nil }
    } else if facts.places.count < Self.mostFacts {
      facts.places.append(place)
    }
  }

  /// Keys of an error's user information that name a property.
  private static let propertyKeys = ["attribute", "relationship", "property", "nsvalidationerrorkey"].map {
    Array($0.utf8)
  }
  /// The most bytes of a dictionary that are looked at before and behind a key.
  private static let mostBytesOfDictionary = 1000

  /// The property that the dictionary around a key names, wherever in it: the order of user information is arbitrary.
  ///
  /// - Parameters:
  ///   - end: where the key ends.
  ///   - next: where its value ends.
  private func property(besides end: Int, _ next: Int) -> String? {
    let region = dictionary(around: end)
    for key in Self.propertyKeys {
      // The one behind the entity, of several.
      let ends = region.flatMap { places(of: key, in: $0) }
      let ordered = ends.filter { $0 >= next } + ends.filter { $0 < next }.reversed()
      for place in ordered { if let name = assignedName(after: place) { return name.text } }
    }
    return nil
  }

  /// Where a key ends as a word of its own in part of the text.
  private func places(of key: [UInt8], in range: Range<Int>) -> [Int] {
    var ends: [Int] = []
    var rest = lower[range]
    while let found = rest.firstRange(ofBytes: key) {
      if found.lowerBound == 0 || !isWord(lower[found.lowerBound - 1]) { ends.append(found.upperBound) }
      rest = rest[found.upperBound...]
    }
    return ends
  }

  /// The parts of the innermost `{…}` around a place that are in no braces of their own; without braces, its line and
  /// what follows closely.
  private func dictionary(around place: Int) -> [Range<Int>] {
    let first = max(0, place - Self.mostBytesOfDictionary)
    let last = min(bytes.count, place + Self.mostBytesOfDictionary)
    var (before, start, depth) = ([Range<Int>](), place, 0)
    var opening: Int?
    var next = place
    while next > first {
      next -= 1
      switch bytes[next] {
      case UInt8(ascii: "}"):
        if depth == 0 { before.append(next..<start) }
        depth += 1
      case UInt8(ascii: "{") where depth == 0: opening = next
      case UInt8(ascii: "{"):
        depth -= 1
        if depth == 0 { start = next }
      default: break
      }
      if opening != nil { break }
    }
    guard let opening else { return [line(around: place)] }
    before.append(opening..<start)
    var after: [Range<Int>] = []
    (start, depth, next) = (place, 0, place)
    while next < last {
      if bytes[next] == UInt8(ascii: "{") {
        if depth == 0 { after.append(start..<next) }
        depth += 1
      } else if bytes[next] == UInt8(ascii: "}") {
        if depth == 0 { break }
        depth -= 1
        if depth == 0 { start = next }
      }
      next += 1
    }
    if depth == 0 { after.append(start..<next) }
    return before + after
  }

  /// The line a place is in, and what follows closely; only up to another entity, whose property it would be.
  private func line(around place: Int) -> Range<Int> {
    let key = Array("entity".utf8)
    let before = lower[max(0, place - 200)..<max(0, place - key.count)]
    let start = before.lastIndex(of: newline).map { $0 + 1 } ?? before.startIndex
    let rest = lower[place..<min(bytes.count, place + 200)]
    let end = max(rest.firstIndex(of: newline) ?? rest.endIndex, min(bytes.count, place + 80))
    let next = lower[place..<end].firstRange(ofBytes: key)?.lowerBound ?? end
    let isAlone = before[min(start, before.endIndex)...].firstRange(ofBytes: key) == nil
    return (isAlone ? start : place)..<next
  }

  /// A name as it is assigned.
  private struct AssignedName {
    var text: String
    /// Where it ends.
    var end: Int
    /// Its first part, if it was cut.
    var broken: String?
  }

  /// The name in ` = Name`, `="Name"` or `: Name`, and where it ends.
  private func assignedName(after start: Int) -> AssignedName? {
    var place = start
    var isAssigned = false
    while place < bytes.count, place < start + 8 {
      switch bytes[place] {
      case UInt8(ascii: "="), UInt8(ascii: ":"): isAssigned = true
      case UInt8(ascii: " "), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"): break
      default:
        let name = word(at: place)
        guard isAssigned, !name.isEmpty, !isDigit(name[name.startIndex]) else { return nil }
        return whole(name)
      }
      place += 1
    }
    return nil
  }

  /// The letters, digits and underscores at a place; an ellipsis is none of them.
  private func word(at place: Int) -> ArraySlice<UInt8> {
    let name = bytes[place...].prefix(200).prefix(while: isWord)
    return name.firstRange(ofBytes: Self.ellipsis).map { name[..<$0.lowerBound] } ?? name
  }

  /// The first place within a range, and not at its start, where the parts of a line were joined.
  private func joint(in range: Range<Int>) -> Int? {
    var (low, high) = (0, breaks.count)
    while low < high {
      let middle = (low + high) / 2
      if breaks[middle].offset <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return breaks[low...].prefix { $0.offset < range.upperBound }.first(where: \.isWithinWord)?.offset
  }

  private static let ellipsis: [UInt8] = [0xe2, 0x80, 0xa6]

  /// A name with its second part, where the end of a line broke it, with a hyphen or without; marked where dots end it.
  private func whole(_ name: ArraySlice<UInt8>) -> AssignedName {
    let text = String(decoding: name, as: UTF8.self)
    if let joint = joint(in: name.indices) {
      return AssignedName(text: text, end: name.endIndex, broken: String(decoding: name[..<joint], as: UTF8.self))
    }
    let rest = bytes[name.endIndex...].prefix(8)
    if rest.starts(with: Self.ellipsis) || rest.starts(with: "...".utf8) {
      return AssignedName(text: text, end: name.endIndex, broken: text)
    }
    let gap = rest.dropFirst().prefix { $0 == UInt8(ascii: " ") || $0 == newline || $0 == 0x0d }
    guard rest.first == UInt8(ascii: "-"), !gap.isEmpty else { return AssignedName(text: text, end: name.endIndex) }
    let more = word(at: gap.endIndex)
    guard !more.isEmpty else { return AssignedName(text: text, end: name.endIndex, broken: text) }
    return AssignedName(
      text: text + String(decoding: more, as: UTF8.self), end: more.endIndex, broken: text)
  }

  // MARK: Objects

  private mutating func readObjects() {
    var seen: Set<LogFacts.ObjectURI> = []
    for end in occurrences(of: "x-coredata://") {
      let text = bytes[end...].prefix(400).prefix { isWord($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "/") }
      let parts = text.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
      guard parts.count >= 3, parts[2].hasPrefix("p"), let key = Int64(parts[2].dropFirst()) else { continue }
      let object = LogFacts.ObjectURI(store: parts[0], entity: parts[1], primaryKey: key)
      guard seen.insert(object).inserted, facts.objects.count < Self.mostFacts else { continue }
      facts.objects.append(object)
    }
  }

  // MARK: Hashes

  /// `Note = <b5261a9e a9c9e52e …>` up to iOS 12, `Note = {length = 32, bytes = 0xeb984ccb … 45c11cfa }` since.
  private mutating func readHashes() {
    sourceLists = occurrences(of: "source hashes")
    destinationLists = occurrences(of: "destination hashes")
    for end in occurrences(of: "{length = 32, bytes = 0x") {
      keepHash(named: nameBefore(end - "{length = 32, bytes = 0x".utf8.count), end, upTo: UInt8(ascii: "}"))
    }
    for end in occurrences(of: "<") where end < bytes.count && hexValue(bytes[end]) != nil {
      keepHash(named: nameBefore(end - 1), end, upTo: UInt8(ascii: ">"))
    }
  }

  private mutating func keepHash(named name: String?, _ start: Int, upTo close: UInt8) {
    guard let name, facts.hashes.count + facts.destinationHashes.count < Self.mostFacts else { return }
    let text = bytes[start...].prefix(120)
    guard let end = text.firstIndex(of: close) else { return }
    var parts: [[UInt8]] = [[]]
    var nibbles: [UInt8] = []
    for byte in text[..<end] {
      if let value = hexValue(byte) {
        nibbles.append(value)
        guard nibbles.count == 2 else { continue }
        parts[parts.count - 1].append(nibbles[0] << 4 | nibbles[1])
        nibbles = []
      } else if byte == UInt8(ascii: ".") {
        if parts.count == 1 { parts.append([]) }
      } else if byte != UInt8(ascii: " ") {
        return
      }
    }
    let hash = LogFacts.PartialHash(first: parts[0], last: parts.count > 1 ? parts[1] : [])
    // Anything shorter is an address in memory.
    guard nibbles.isEmpty, hash.first.count + hash.last.count >= 8, hash.last.isEmpty ? hash.first.count == 32 : true
    else { return }
    if isOfDestination(start) { facts.destinationHashes[name] = hash } else { facts.hashes[name] = hash }
  }

  /// Whether the last hash list announced before a place is that of the destination model.
  private func isOfDestination(_ place: Int) -> Bool {
    guard let destination = lastBefore(place, among: destinationLists) else { return false }
    return destination > lastBefore(place, among: sourceLists) ?? -1
  }

  private func lastBefore(_ place: Int, among places: [Int]) -> Int? {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? places[low - 1] : nil
  }

  /// The name in `Name = ` before a hash.
  private func nameBefore(_ end: Int) -> String? {
    var place = end
    func skip(_ isSkipped: (UInt8) -> Bool) { while place > 0, isSkipped(bytes[place - 1]) { place -= 1 } }
    skip { $0 == UInt8(ascii: " ") }
    guard place > 0, bytes[place - 1] == UInt8(ascii: "=") || bytes[place - 1] == UInt8(ascii: ":") else { return nil }
    place -= 1
    skip { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\"") }
    let last = place
    while place > 0, last - place < 200, isWord(bytes[place - 1]) { place -= 1 }
    return place < last ? String(decoding: bytes[place..<last], as: UTF8.self) : nil
  }

  // MARK: SQLite's names

  private mutating func readSchemaNames() {
    for words in ["no such table: ", "no such column: ", "constraint failed: ", "duplicate column name: "] {
      for end in occurrences(of: words) {
        let text = bytes[end...].prefix(200).prefix { isWord($0) || $0 == UInt8(ascii: ".") }
        let name = String(decoding: text.starts(with: "main.".utf8) ? text.dropFirst(5) : text, as: UTF8.self)
        guard !name.isEmpty, !facts.schemaNames.contains(name), facts.schemaNames.count < Self.mostFacts else {
          continue
        }
        facts.schemaNames.append(name)
      }
    }
  }

  // MARK: The framework

  /// Looks for words of SwiftData's own errors and types, which logs of Core Data apps do not contain.
  private mutating func readFramework() {
    let words = ["swiftdata", "modelcontainer", "schemamigrationplan", "versionedschema"]
    facts.isFromSwiftData = words.contains { !occurrences(of: $0).isEmpty }
  }

  // MARK: Looking

  /// Where a pattern ends for the first time in a text.
  private func firstOccurrence(of pattern: [UInt8], in text: [UInt8]) -> Int? {
    ends(of: pattern, in: text, most: 1).first
  }

  /// Counts lines of the text as it was given.
  func lineCounter() -> LineCounter { LineCounter(bytes, breaks) }

  /// The ends of all places where the words occur, in any case.
  func occurrences(of words: String) -> [Int] { ends(of: Array(words.utf8), in: lower, most: 100_000) }

  private func ends(of pattern: [UInt8], in text: [UInt8], most: Int) -> [Int] {
    guard let first = pattern.first, text.count >= pattern.count else { return [] }
    var ends: [Int] = []
    var place = 0
    while place <= text.count - pattern.count, ends.count < most {
      guard let next = text[place...].firstIndex(of: first), next <= text.count - pattern.count else { break }
      place = next + 1
      if text[next..<next + pattern.count].elementsEqual(pattern) { ends.append(next + pattern.count) }
    }
    return ends
  }
}

/// Counts lines while going forward through a text.
struct LineCounter {
  private let bytes: [UInt8]
  private var breaks: ArraySlice<UnwrappedText.Break>
  private var place = 0
  private var line = 1

  fileprivate init(_ bytes: [UInt8], _ breaks: [UnwrappedText.Break]) {
    self.bytes = bytes
    self.breaks = breaks[...]
  }

  /// The line of an offset, which must not be before the previous one asked for.
  mutating func line(of offset: Int) -> Int {
    while place < min(offset, bytes.count) {
      if bytes[place] == newline { line += 1 }
      place += 1
    }
    let passed = breaks.prefix { $0.offset <= offset }
    breaks = breaks[passed.endIndex...]
    line += passed.count
    return line
  }
}

private let newline = UInt8(ascii: "\n")

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

/// Letters, digits, underscores, and whatever is not ASCII: names may be in any script.
private func isWord(_ byte: UInt8) -> Bool {
  isDigit(byte) || (0x41...0x5a).contains(byte & 0xdf) || byte == UInt8(ascii: "_") || byte >= 0x80
}

private func hexValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}

/// The text with curly apostrophes and quotes, as made by chats and web pages, replaced by plain ones, and where its
/// breaks are then.
private func plain(_ unwrapped: UnwrappedText) -> ([UInt8], [UnwrappedText.Break]) {
  let text = unwrapped.bytes
  var breaks = unwrapped.breaks
  var next = 0
  var result: [UInt8] = []
  result.reserveCapacity(text.count)
  var place = 0
  while place < text.count {
    while next < breaks.count, breaks[next].offset <= place {
      breaks[next].offset = result.count
      next += 1
    }
    if text[place] == 0xe2, place + 2 < text.count, text[place + 1] == 0x80 {
      switch text[place + 2] {
      case 0x98, 0x99:
        result.append(UInt8(ascii: "'"))
        place += 3
        continue
      case 0x9c, 0x9d:
        result.append(UInt8(ascii: "\""))
        place += 3
        continue
      default: break
      }
    }
    result.append(text[place])
    place += 1
  }
  return (result, breaks)
}

/// The text of a crash report of Apple's (`.ips`: a line of JSON, then JSON), without the escapes of its texts; any other
/// text as it is.
private func crashReport(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  let head = text.prefix(4096)
  guard head.first == UInt8(ascii: "{"), head.firstRange(ofBytes: Array("\"bug_type\"".utf8)) != nil else {
    return text
  }
  var result: [UInt8] = []
  result.reserveCapacity(text.count)
  var place = text.startIndex
  while place < text.endIndex {
    guard text[place] == UInt8(ascii: "\\"), place + 1 < text.endIndex else {
      result.append(text[place])
      place += 1
      continue
    }
    let escaped = text[place + 1]
    place += 2
    switch escaped {
    case UInt8(ascii: "n"), UInt8(ascii: "r"): result.append(newline)
    case UInt8(ascii: "t"): result.append(UInt8(ascii: " "))
    case UInt8(ascii: "u"):
      result += scalar(text[place...].prefix(4))
      place = min(place + 4, text.endIndex)
    default: result.append(escaped)
    }
  }
  return result[...]
}

/// The UTF-8 of four hex digits; a question mark where they are none, or half of a pair.
private func scalar(_ digits: ArraySlice<UInt8>) -> [UInt8] {
  var number: UInt32 = 0
  for digit in digits {
    guard let value = hexValue(digit) else { return [UInt8(ascii: "?")] }
    number = number << 4 | UInt32(value)
  }
  guard digits.count == 4, let scalar = Unicode.Scalar(number) else { return [UInt8(ascii: "?")] }
  return Array(String(Character(scalar)).utf8)
}
