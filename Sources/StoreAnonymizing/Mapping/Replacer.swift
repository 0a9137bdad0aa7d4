import StoreDigests
import StoreCoreData
import StorePropertyLists
import StoreScanning
import StoreSQLite
import StoreText
import StoreWords

/// Replaces the values of a store, by what their columns are.
final class Replacer {
  private let key: MappingKey
  private let texts: TextMapping
  private let bytes: BytesMapping
  private let identifiers: IdentifierMapping
  private let numbers: NumberMapping
  private let dates: DateMapping
  /// Texts that a rule allowed or forbade, by what they became, so that no two become one.
  private var ruled: [RuledText: [UInt8]] = [:]
  private var taken: [String: Set<[UInt8]>] = [:]

  private struct RuledText: Hashable {
    let attribute: String
    let text: [UInt8]
  }

  init(_ key: MappingKey, _ filter: RunFilter, _ sizes: AnonymizingSizes) {
    self.key = key
    let facts = MappingFacts(key: key, filter: filter, sizes: sizes)
    identifiers = IdentifierMapping(key, filter.table)
    texts = TextMapping(facts, identifiers)
    (numbers, dates) = (NumberMapping(key: key), DateMapping(key))
    bytes = BytesMapping(facts, texts, identifiers)
  }

  /// Runs of names, classes and keys in archives that were written; they stay.
  var runsOfStructure: Set<UInt64> { bytes.runsOfStructure }

  /// What is known when all texts were seen.
  var facts: MappingFacts { texts.facts }

  /// Notes what texts have besides plain letters; to be called with all before the first is replaced.
  func note(_ seen: ValueSurvey.Seen) { seen.forEachText(texts.note) }

  /// Lets go of what is known of texts, when none is replaced any more.
  func forgetMarks() { texts.forgetMarks() }

  // MARK: What is replaced

  /// Calls `body` with the parts of a value that are replaced.
  static func pieces(
    of value: SQLiteValue, _ treatment: AnonymizingPlan.Treatment, _ body: (ValuePiece) -> Void
  ) {
    switch (value, treatment) {
    case (.null, _), (.integer, _), (.real, _), (_, .keep): return
    case (.text(let text), .signature) where isSystemText(text): return
    case (_, .attribute(let use)) where use.decision == .keep || use.named.contains(value): return
    case (.text(let text), .attribute) where isNotANumber(text): return
    case (.blob(let bytes), .modelCache) where ModelCache(content: bytes).model != nil: return
    case (.blob(let bytes), .metadata):
      guard let list = try? PropertyList(bytes).value() else { return BytesMapping.pieces(of: bytes, body) }
      BytesMapping.pieces(of: list, isKept: isCoreDatas, level: 0, body)
    case (.blob(let bytes), .attribute(let use)) where use.isUUID && bytes.count == 16:
      if !IdentifierMapping.isUniform(bytes) { body(.bytes(bytes)) }
    case (.blob(let bytes), .attribute(let use)) where use.attribute.allowsExternalStorage && !bytes.isEmpty:
      if bytes[0] == 1 {
        BytesMapping.pieces(of: Array(bytes.dropFirst()), body)
      } else {
        body(.bytes(Array(bytes.dropFirst())))
      }
    case (.blob(let bytes), _): BytesMapping.pieces(of: bytes, body)
    case (.text(let text), _): body(.text(text))
    }
  }

  /// Whether a key of the metadata is Core Data's own, which stays with its value.
  static func isCoreDatas(_ key: String) -> Bool {
    var metadata = StoreMetadata()
    metadata.keys = [key]
    return metadata.otherKeys.isEmpty && key != "NSStoreUUID"
  }

  /// Texts that Apple's frameworks write into the history and CloudKit's tables.
  static func isSystemText(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    let constants = [
      MirrorTable.importAuthor, "NSCloudKitMirroringDelegate.export", "NSCloudKitMirroringDelegate.event",
      "com.apple.coredata.cloudkit.zone", "__defaultOwner__", "_defaultZone", "_defaultOwner_",
    ]
    let migration = "com.apple.coredata.schemamigrator: lightweight migration from model with digest {"
    guard !constants.contains(text) else { return true }
    return text.hasPrefix(migration) && text.utf8.count < migration.utf8.count + 100
  }

  /// Whether a text stands for a number that is none: it stays.
  static func isNotANumber(_ text: some Collection<UInt8>) -> Bool { text.count == 3 && text.elementsEqual("NaN".utf8) }

  /// Whether all texts but "NaN" are replaced as they are.
  static func isPlain(_ treatment: AnonymizingPlan.Treatment) -> Bool {
    if case .attribute(let use) = treatment { use.decision != .keep && use.named.isEmpty } else { false }
  }

  /// Whether a value is a UUID of 16 bytes that is replaced as it is.
  static func isPlainUUID(_ value: ColumnValue, _ treatment: AnonymizingPlan.Treatment) -> Bool {
    guard case .attribute(let use) = treatment, use.isUUID, isPlain(treatment), value.kind == .blob else {
      return false
    }
    return value.withBytes { $0.count == 16 }
  }

  // MARK: Replacing

  /// As what a value can be replaced before it is its turn; nil where it cannot, or stays.
  static func ahead(_ value: ColumnValue, _ treatment: AnonymizingPlan.Treatment) -> AheadMapping.Kind? {
    switch (value.kind, treatment) {
    case (.null, _), (.integer, _), (.real, _): nil
    case (_, .keep), (_, .metadata), (_, .modelCache): nil
    case (_, .attribute(let use)) where use.decision == .keep || use.decision == .drop: nil
    case (.text, _): .text
    case (.blob, .attribute(let use)) where use.isUUID && value.withBytes({ $0.count == 16 }): .identifier
    case (.blob, .attribute(let use)) where use.attribute.allowsExternalStorage:
      value.withBytes { $0.first == 1 } ? .bytes(behind: 1) : nil
    case (.blob, _): .bytes(behind: 0)
    }
  }

  /// Whether what was made ahead of a text or data stands in its place as it is.
  static func takesMade(_ treatment: AnonymizingPlan.Treatment) -> Bool {
    switch treatment {
    case .structure, .replace: true
    case .attribute(let use): use.rules == nil && use.named.isEmpty && !use.attribute.allowsExternalStorage
    case .keep, .metadata, .modelCache, .signature: false
    }
  }

  /// What stands in the place of a value.
  ///
  /// - Parameter made: what was made of it ahead.
  /// - Throws: `AnonymizingError` where no value was found that the model's rules allow, or forbid, as they do this one.
  func replaced(
    _ value: SQLiteValue, _ treatment: AnonymizingPlan.Treatment, made: [UInt8]?
  ) throws(AnonymizingError) -> SQLiteValue {
    switch (value, treatment) {
    case (.null, _), (_, .keep), (.integer, .structure): return value
    case (.text(let text), .signature) where Self.isSystemText(text): return value
    case (.blob(let content), .modelCache) where ModelCache(content: content).model != nil: return value
    case (.blob(let content), .metadata):
      guard let list = try? PropertyList(content).value() else { return .blob(bytes.replaced(content)) }
      return .blob(bytes.metadata(list, isKept: Self.isCoreDatas))
    case (_, .replace(isDate: true)): return moved(value) ?? plain(value, made)
    case (_, .attribute(let use)): return try replaced(value, use, made)
    default: return plain(value, made)
    }
  }

  private func plain(_ value: SQLiteValue, _ made: [UInt8]?) -> SQLiteValue {
    switch value {
    case .null: .null
    case .integer(let number): .integer(numbers.integer(number) ?? number)
    case .real(let number): .real(numbers.real(number) ?? number)
    case .text(let text): .text(made ?? texts.replaced(text))
    case .blob(let content): .blob(made ?? bytes.replaced(content))
    }
  }

  private func moved(_ value: SQLiteValue) -> SQLiteValue? {
    switch value {
    case .integer(let seconds): .integer(dates.moved(seconds))
    case .real(let seconds): .real(dates.moved(seconds))
    default: nil
    }
  }

  private func replaced(
    _ value: SQLiteValue, _ use: AttributeUse, _ made: [UInt8]?
  ) throws(AnonymizingError) -> SQLiteValue {
    switch use.decision {
    case .keep: return value
    case .drop: return .null
    case .replace, nil: break
    }
    if use.named.contains(value) { return value }
    switch value {
    case .null: return value
    case .integer(let number):
      if use.isDate { return try replacedDate(value, use) }
      if use.keepsIntegers { return value }
      guard let rules = use.rules else { return plain(value, nil) }
      let isAllowed = rules.accept(.integer(number))
      guard let new = numbers.integer(number, where: { rules.accept(.integer($0)) == isAllowed }) else {
        throw unlike(use)
      }
      return .integer(new)
    case .real(let number):
      if use.isDate { return try replacedDate(value, use) }
      guard let rules = use.rules else { return plain(value, nil) }
      let isAllowed = rules.accept(.real(number))
      guard let new = numbers.real(number, where: { rules.accept(.real($0)) == isAllowed }) else { throw unlike(use) }
      return .real(new)
    case .text(let text):
      if Self.isNotANumber(text) { return value }
      return .text(try replaced(text, use, made))
    case .blob(let content):
      if use.isUUID, content.count == 16 { return .blob(made ?? identifiers.replaced(content)) }
      guard use.attribute.allowsExternalStorage, let first = content.first else {
        return .blob(made ?? bytes.replaced(content))
      }
      let rest = Array(content.dropFirst())
      switch first {
      case 1: return .blob([1] + (made ?? bytes.replaced(rest)))
      case 2:
        guard content.count == 38, content[37] == 0, ExternalFileName(content[1..<37]) != nil else {
          return .blob([2] + malformed(rest))
        }
        return .blob([2] + fileName(Array(content[1..<37])) + [0])
      default: return .blob([first] + malformed(rest))
      }
    }
  }

  /// What is no reference to a file stays none.
  private func malformed(_ rest: [UInt8]) -> [UInt8] { bytes.plain(rest, isExact: true) }

  /// The name of an external file.
  func fileName(_ name: [UInt8]) -> [UInt8] {
    guard let identifier = UUIDText.bytes(String(decoding: name, as: UTF8.self)) else {
      return texts.replaced(name, isExact: true)
    }
    let new = Array(UUIDText.text(identifiers.replaced(identifier)).utf8)
    return name.contains(where: { (0x61...0x66).contains($0) }) ? new.map(Runs.lowercased) : new
  }

  /// The content of an external file.
  func content(_ content: [UInt8]) -> [UInt8] { bytes.replaced(content) }

  /// A part of a file that is too large to be taken apart; its length stays.
  func part(_ part: [UInt8], isFirst: Bool) -> [UInt8] {
    isFirst ? bytes.plain(part, isExact: true) : bytes.plain([0] + part, isExact: true).dropFirst().map(\.self)
  }

  private func replacedDate(_ value: SQLiteValue, _ use: AttributeUse) throws(AnonymizingError) -> SQLiteValue {
    guard let new = moved(value) else { return plain(value, nil) }
    guard let rules = use.rules else { return new }
    func isAllowed(_ value: SQLiteValue) -> Bool {
      switch value {
      case .integer(let seconds): rules.accept(.integer(seconds))
      case .real(let seconds): rules.accept(.real(seconds))
      default: true
      }
    }
    if isAllowed(value) == isAllowed(new) { return new }
    // Near a bound of the model a date moves less far, or the other way.
    for part in 1...11 {
      for days in [dates.shift / 86_400 >> Int64(part), -(dates.shift / 86_400 >> Int64(part))] {
        let other: SQLiteValue? =
          switch value {
          case .integer(let seconds): .integer(seconds &+ days &* 86_400)
          case .real(let seconds): .real(DateMapping.moved(seconds, by: days &* 86_400))
          default: nil
          }
        if let other, isAllowed(other) == isAllowed(value) { return other }
      }
    }
    throw unlike(use)
  }

  /// A text that the model's rules allow if they allow the one in whose place it stands, and forbid otherwise.
  private func replaced(
    _ text: [UInt8], _ use: AttributeUse, _ made: [UInt8]?
  ) throws(AnonymizingError) -> [UInt8] {
    let first = made ?? texts.replaced(text)
    guard let rules = use.rules, let old = String(validating: text, as: UTF8.self) else { return first }
    let known = RuledText(attribute: use.name, text: text)
    if let new = ruled[known] { return new }
    let isAllowed = rules.accept(.text(old))
    func isLike(_ bytes: [UInt8]) -> Bool {
      String(validating: bytes, as: UTF8.self).map { rules.accept(.text($0)) == isAllowed } ?? false
    }
    // Found without another attempt, it is the same in every attribute.
    if isLike(first) { return first }
    let parts = use.parts
    // Other lengths may be what a rule forbids: they are the first thing that is given up.
    for variation in 1...60 {
      let new = texts.replaced(
        text, variation: variation, parts: isAllowed && variation % 4 != 0 ? parts : [], isExact: true)
      if isLike(new), take(new, known) { return new }
    }
    if isAllowed {
      var hash = KeyedHash(key, 0x7061_7474)
      text.withUnsafeBytes { hash.combine($0) }
      var stream = SplitMix64(seed: hash.finish())
      for _ in 0..<400 {
        guard let example = rules.matchingText(choosing: { stream.next(below: $0) }) else { break }
        let new = Array(example.utf8)
        if isLike(new), new != text, take(new, known) { return new }
      }
    }
    throw unlike(use)
  }

  /// So many texts that a rule allowed or forbade are held, so that no two become one.
  static let mostRuled = 1 << 16
  /// Whether there were more of what is held than has room.
  var hasForgotten: Bool { texts.hasForgotten || bytes.hasForgotten || ruled.count >= Self.mostRuled }

  private func take(_ new: [UInt8], _ known: RuledText) -> Bool {
    guard ruled.count < Self.mostRuled else { return true }
    guard taken[known.attribute, default: []].insert(new).inserted else { return false }
    ruled[known] = new
    return true
  }

  private func unlike(_ use: AttributeUse) -> AnonymizingError {
    AnonymizingError(
      "for a value of \(quoted(use.name)) no other was found that the model's rules allow, or forbid, as they do that one; "
        + "decide with --keep \(use.name) or --drop \(use.name)")
  }
}
