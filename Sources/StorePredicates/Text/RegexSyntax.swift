/// A regular expression as read: the part of ICU's syntax that a machine without memory can decide.
indirect enum RegexSyntax: Sendable {
  case empty
  case scalar(UInt32)
  /// `.`; every scalar with the flag `s`, else none that ends a line.
  case any(includingLineEnds: Bool)
  case set(ScalarSet)
  case start
  case end
  /// `\b`, or `\B` if it is false.
  case wordBoundary(Bool)
  case sequence([RegexSyntax])
  case alternatives([RegexSyntax])
  case repeated(RegexSyntax, least: Int, most: Int?)
}

/// What stands between brackets, or a class such as `\d`.
struct ScalarSet: Sendable {
  enum Class: Sendable {
    case digit, word, space
    /// A general category by its letters, or the first of them: "Lu", "L".
    case category(String)
  }

  var ranges: [ClosedRange<UInt32>] = []
  var classes: [(class: Class, isNegated: Bool)] = []
  var isNegated = false

  func contains(_ value: UInt32) -> Bool {
    if ranges.contains(where: { $0.contains(value) }) { return !isNegated }
    guard !classes.isEmpty, let scalar = Unicode.Scalar(value) else { return isNegated }
    return classes.contains { Self.contains(scalar, $0.class) != $0.isNegated } != isNegated
  }

  /// ICU's definitions of `\d`, `\w` and `\s`.
  static func contains(_ scalar: Unicode.Scalar, _ class: Class) -> Bool {
    let properties = scalar.properties
    return switch `class` {
    case .digit: properties.generalCategory == .decimalNumber
    case .space: ["\t", "\n", "\u{C}", "\r"].contains(scalar) || properties.generalCategory.letters.hasPrefix("Z")
    case .category(let letters): properties.generalCategory.letters.hasPrefix(letters)
    case .word:
      properties.isAlphabetic || properties.generalCategory.letters.hasPrefix("M")
        || ["Nd", "Pc"].contains(properties.generalCategory.letters) || ["\u{200C}", "\u{200D}"].contains(scalar)
    }
  }
}

extension Unicode.GeneralCategory {
  /// As in `\p{Lu}`.
  var letters: String {
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

  static let knownLetters: Set<String> = [
    "L", "M", "N", "P", "S", "Z", "C", "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd",
    "Ps", "Pe", "Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn",
  ]
}
