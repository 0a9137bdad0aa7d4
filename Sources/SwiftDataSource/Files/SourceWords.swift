/// The facts that the words of a file tell before it is parsed: whether SwiftData is used, and which types may be
/// declared.
///
/// Parsing takes a thousand times longer, and most files of an app have no models. Words in comments and strings count
/// too; at worst a file is parsed in vain.
struct SourceWords: Sendable {
  /// Whether a model, a version, a plan or a container is mentioned.
  private(set) var usesSwiftData = false
  /// Whether files are removed, which a handler of a container's failure may do by calling what stands here.
  private(set) var removesFiles = false
  /// Names after `struct`, `enum`, `class`, `actor`, `protocol` and `typealias`, and of types to which an extension
  /// adds a conformance.
  private(set) var declaredNames: Set<String> = []

  private static let declaring: Set<String> = ["struct", "enum", "class", "actor", "protocol", "typealias"]
  private static let swiftData: Set<String> = [
    "VersionedSchema", "SchemaMigrationPlan", "MigrationStage", "PersistentModel", "ModelContainer", "modelContainer",
    "ModelConfiguration",
  ]

  private static let removal = "removeItem"

  init(_ bytes: [UInt8]) {
    var previousDeclares = false
    // Whether a word follows `extension`; then the last component of the extended type's name.
    var extends = false
    var extended: String?
    var position = 0
    bytes.withUnsafeBufferPointer { bytes in
      while position < bytes.count {
        guard Self.isWord(bytes[position]) else {
          // Backticks and white space may stand between a keyword and a name.
          if bytes[position] > 0x20, bytes[position] != UInt8(ascii: "`") {
            previousDeclares = false
            if bytes[position] == UInt8(ascii: ":"), let extended { declaredNames.insert(extended) }
            if bytes[position] != UInt8(ascii: ".") { (extends, extended) = (false, nil) }
          }
          position += 1
          continue
        }
        let start = position
        while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
        guard previousDeclares || extends || Self.mayMatter(bytes[start], length: position - start) else { continue }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        if previousDeclares { declaredNames.insert(word) }
        if extends { extended = word } else { extends = word == "extension" }
        previousDeclares = Self.declaring.contains(word)
        if Self.swiftData.contains(word) { usesSwiftData = true }
        if word == Self.removal { removesFiles = true }
        if word == "Model", Self.isAttribute(bytes, before: start) { usesSwiftData = true }
        if word == "Schema", position < bytes.count, bytes[position] == UInt8(ascii: "(") { usesSwiftData = true }
      }
    }
  }

  /// Whether a word may be one of those looked for, by first letter and length; most words need no `String`.
  private static func mayMatter(_ first: UInt8, length: Int) -> Bool {
    guard (4...19).contains(length) else { return false }
    switch first {
    case UInt8(ascii: "r"): return length == removal.utf8.count
    case UInt8(ascii: "s"), UInt8(ascii: "e"), UInt8(ascii: "c"), UInt8(ascii: "a"), UInt8(ascii: "p"),
      UInt8(ascii: "t"), UInt8(ascii: "m"), UInt8(ascii: "V"), UInt8(ascii: "S"), UInt8(ascii: "M"), UInt8(ascii: "P"):
      return true
    default: return false
    }
  }

  /// Whether a word is an attribute: `@Model` or `@SwiftData.Model`.
  private static func isAttribute(_ bytes: UnsafeBufferPointer<UInt8>, before start: Int) -> Bool {
    guard start > 0 else { return false }
    if bytes[start - 1] == UInt8(ascii: "@") { return true }
    return start > 10 && bytes[(start - 11)..<start].elementsEqual("@SwiftData.".utf8)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
      true
    default: false
    }
  }

  /// Whether a file may contain a call that makes a container; only then function bodies are examined.
  static func mentionsContainer(_ bytes: [UInt8]) -> Bool {
    contains(bytes, text: "odelContainer") || contains(bytes, text: "ModelConfiguration")
      || contains(bytes, text: "Schema(") || contains(bytes, text: "Schema.init(")
  }

  /// Whether a file may contain a `#Predicate`.
  static func mentionsPredicate(_ bytes: [UInt8]) -> Bool { contains(bytes, text: "#Predicate") }

  private static func contains(_ bytes: [UInt8], text: StaticString) -> Bool {
    let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    guard let first = wanted.first else { return true }
    return bytes.withUnsafeBufferPointer { bytes in
      var position = 0
      while position + wanted.count <= bytes.count {
        if bytes[position] == first, bytes[position..<(position + wanted.count)].elementsEqual(wanted) { return true }
        position += 1
      }
      return false
    }
  }
}
