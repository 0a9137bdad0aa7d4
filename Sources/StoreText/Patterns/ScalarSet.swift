/// A set of characters, as between brackets.
struct ScalarSet: Sendable {
  private let expression: SetExpression
  /// The members below 128, a bit each.
  private let (low, high): (UInt64, UInt64)

  init(_ expression: SetExpression) {
    self.expression = expression
    func bits(from start: UInt32) -> UInt64 {
      (0..<64).reduce(0) { expression.contains(start + $1) ? $0 | 1 << UInt64($1) : $0 }
    }
    low = bits(from: 0)
    high = bits(from: 64)
  }

  /// Whether a character is in the set.
  @inline(__always)
  func contains(_ value: UInt32) -> Bool {
    if value < 64 { return low >> UInt64(value) & 1 == 1 }
    if value < 128 { return high >> UInt64(value - 64) & 1 == 1 }
    return expression.contains(value)
  }

  /// The ranges that are written in it, to find an example.
  var ranges: [ClosedRange<UInt32>] { expression.ranges }

  /// Line terminators: U+000A to U+000D, U+0085, U+2028 and U+2029.
  static let lineTerminators = SetExpression.ranges([0x0a...0x0d, 0x85...0x85, 0x2028...0x2029])
  /// `.`: all but line terminators.
  static let dot = ScalarSet(.complement(lineTerminators))
  /// `.` with the flag `s`.
  static let all = ScalarSet(.ranges([0...0x10ffff]))
  /// `\R`
  static let lineEnd = ScalarSet(lineTerminators)
}

/// What is written between brackets.
indirect enum SetExpression: Sendable {
  case ranges([ClosedRange<UInt32>])
  case property(ScalarProperty)
  case complement(SetExpression)
  case union(SetExpression, SetExpression)
  case intersection(SetExpression, SetExpression)
  case difference(SetExpression, SetExpression)
  /// All that differ in case only from a member.
  case caseClosure(SetExpression)

  func contains(_ value: UInt32) -> Bool {
    switch self {
    case .ranges(let ranges): ranges.contains { $0.contains(value) }
    case .property(let property): property.holds(value)
    case .complement(let set): !set.contains(value)
    case .union(let left, let right): left.contains(value) || right.contains(value)
    case .intersection(let left, let right): left.contains(value) && right.contains(value)
    case .difference(let left, let right): left.contains(value) && !right.contains(value)
    case .caseClosure(let set): set.contains(value) || CaseFolding.equivalents(of: value).contains(where: set.contains)
    }
  }

  var ranges: [ClosedRange<UInt32>] {
    switch self {
    case .ranges(let ranges): ranges
    case .property: []
    case .complement(let set), .caseClosure(let set): set.ranges
    case .union(let left, let right), .intersection(let left, let right), .difference(let left, let right):
      left.ranges + right.ranges
    }
  }
}

/// A property of characters that a pattern can ask for.
enum ScalarProperty: Sendable {
  /// `\w`: letters, marks, decimal digits, connecting punctuation and the joiners.
  case word
  /// `\d`: decimal digits of any script.
  case digit
  /// `\s`
  case space
  /// `\h`: space separators and tab.
  case horizontalSpace
  /// `\p{Lu}`, or `\p{L}` for all categories that begin with L.
  case category(String)
  case alphabetic, uppercase, lowercase
  /// Names of POSIX, as in `[[:graph:]]`.
  case alphanumeric, graphic, printable, blank, hexDigit

  func holds(_ value: UInt32) -> Bool {
    if case .word = self, value < 0x80 { return Self.isWord(ascii: value) }
    // A surrogate is no scalar, and in no text.
    guard let scalar = Unicode.Scalar(value) else { return false }
    let properties = scalar.properties
    let category = properties.generalCategory
    return switch self {
    case .word:
      properties.isAlphabetic || [.nonspacingMark, .spacingMark, .enclosingMark].contains(category)
        || category == .decimalNumber || category == .connectorPunctuation || properties.isJoinControl
    case .digit: category == .decimalNumber
    case .space: properties.isWhitespace
    case .horizontalSpace: value == 0x09 || category == .spaceSeparator
    case .category(let letters): category.letters.hasPrefix(letters)
    case .alphabetic: properties.isAlphabetic
    case .uppercase: properties.isUppercase
    case .lowercase: properties.isLowercase
    case .alphanumeric: properties.isAlphabetic || category == .decimalNumber
    case .graphic: Self.isGraphic(scalar, category)
    case .printable: category != .control && (Self.isGraphic(scalar, category) || category == .spaceSeparator)
    case .blank: value == 0x09 || category == .spaceSeparator
    case .hexDigit: category == .decimalNumber || properties.isHexDigit
    }
  }

  private static func isWord(ascii value: UInt32) -> Bool {
    value &- 0x30 < 10 || value | 0x20 &- 0x61 < 26 || value == 0x5f
  }

  private static func isGraphic(_ scalar: Unicode.Scalar, _ category: Unicode.GeneralCategory) -> Bool {
    !scalar.properties.isWhitespace && ![.control, .surrogate, .unassigned].contains(category)
  }

  /// The property with that name: a general category, or one that POSIX names. Case, spaces, `-` and `_` are disregarded,
  /// as in ICU.
  init?(named name: String) {
    let plain = String(name.lowercased().filter { !" _-".contains($0) })
    switch plain {
    case "alphabetic", "alpha": self = .alphabetic
    case "uppercase", "upper": self = .uppercase
    case "lowercase", "lower": self = .lowercase
    case "whitespace", "space": self = .space
    case "digit": self = .digit
    case "punct": self = .category("P")
    case "cntrl": self = .category("Cc")
    case "alnum": self = .alphanumeric
    case "graph": self = .graphic
    case "print": self = .printable
    case "blank": self = .blank
    case "xdigit": self = .hexDigit
    case "word": self = .word
    default:
      let letters = plain.prefix(1).uppercased() + plain.dropFirst()
      guard Unicode.GeneralCategory.knownLetters.contains(letters) else { return nil }
      self = .category(letters)
    }
  }
}

extension Unicode.GeneralCategory {
  /// As in `\p{Lu}`.
  fileprivate var letters: String {
    switch self {
    case .uppercaseLetter: "Lu"
    case .lowercaseLetter: "Ll"
    case .titlecaseLetter: "Lt"
    case .modifierLetter: "Lm"
    case .otherLetter: "Lo"
    case .nonspacingMark: "Mn"
    case .spacingMark: "Mc"
    case .enclosingMark: "Me"
    case .decimalNumber: "Nd"
    case .letterNumber: "Nl"
    case .otherNumber: "No"
    case .connectorPunctuation: "Pc"
    case .dashPunctuation: "Pd"
    case .openPunctuation: "Ps"
    case .closePunctuation: "Pe"
    case .initialPunctuation: "Pi"
    case .finalPunctuation: "Pf"
    case .otherPunctuation: "Po"
    case .mathSymbol: "Sm"
    case .currencySymbol: "Sc"
    case .modifierSymbol: "Sk"
    case .otherSymbol: "So"
    case .spaceSeparator: "Zs"
    case .lineSeparator: "Zl"
    case .paragraphSeparator: "Zp"
    case .control: "Cc"
    case .format: "Cf"
    case .surrogate: "Cs"
    case .privateUse: "Co"
    case .unassigned: "Cn"
    @unknown default: ""
    }
  }

  fileprivate static let knownLetters: Set<String> = [
    "L", "M", "N", "P", "S", "Z", "C", "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd",
    "Ps", "Pe", "Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn",
  ]
}
