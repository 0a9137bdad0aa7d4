/// A set of characters, by ranges and Unicode properties.
struct ScalarSet: Sendable {
  /// Ranges of scalar values.
  var ranges: [ClosedRange<UInt32>] = []
  /// Properties; a character with one of them is in the set.
  var properties: [Property] = []
  /// Whether the set is inverted.
  var isNegated = false
  /// Whether a character is in the set if its other case is.
  var ignoresCase = false

  /// A Unicode property of a character.
  indirect enum Property: Sendable {
    /// `\w`: letters, marks, decimal digits and connecting punctuation.
    case word
    /// `\d`: decimal digits of any script.
    case digit
    /// `\s`: tab, line feed, form feed, carriage return, and separators.
    case space
    /// `\p{Lu}`, or `\p{L}` for all categories that begin with L.
    case category(String)
    case not(Property)
  }

  /// The set of one character.
  init(_ scalar: UInt32, ignoresCase: Bool) {
    ranges = [scalar...scalar]
    self.ignoresCase = ignoresCase
  }

  /// An empty set.
  init(ignoresCase: Bool) { self.ignoresCase = ignoresCase }

  /// The set of characters with a property.
  init(_ property: Property) { properties = [property] }

  /// `.`: all but line terminators.
  static let dot: ScalarSet = {
    var set = ScalarSet(ignoresCase: false)
    set.ranges = [0x0a...0x0d, 0x85...0x85, 0x2028...0x2029]
    set.isNegated = true
    return set
  }()

  /// Whether a character is in the set.
  func contains(_ value: UInt32) -> Bool {
    if holds(value) { return !isNegated }
    guard ignoresCase, let scalar = Unicode.Scalar(value) else { return isNegated }
    let others = [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping]
    let isOther = others.contains { other in
      let scalars = other.unicodeScalars
      return scalars.count == 1 && scalars.first.map { holds($0.value) } == true
    }
    return isOther != isNegated
  }

  private func holds(_ value: UInt32) -> Bool {
    for range in ranges where range.contains(value) { return true }
    guard !properties.isEmpty, let scalar = Unicode.Scalar(value) else { return false }
    return properties.contains { $0.holds(scalar) }
  }
}

extension ScalarSet.Property {
  fileprivate func holds(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .not(let property): return !property.holds(scalar)
    case .digit: return scalar.properties.generalCategory == .decimalNumber
    case .space:
      return [0x09, 0x0a, 0x0c, 0x0d].contains(scalar.value) || scalar.properties.generalCategory.code.hasPrefix("Z")
    case .word:
      // UTS #18, Annex C: \\p{alpha}\\p{gc=Mark}\\p{digit}\\p{gc=Connector_Punctuation}\\p{Join_Control}
      if scalar.isASCII { return scalar.isASCIIWord }
      let category = scalar.properties.generalCategory
      return scalar.properties.isAlphabetic || category.code.hasPrefix("M") || category == .decimalNumber
        || category == .connectorPunctuation || scalar.properties.isJoinControl
    case .category(let name): return scalar.properties.generalCategory.code.hasPrefix(name)
    }
  }

  /// Whether a name of one or two letters is a general category.
  static func isCategory(_ name: String) -> Bool {
    ["L", "M", "N", "P", "S", "Z", "C"].contains(name) || codes.values.contains(name)
  }
}

extension Unicode.Scalar {
  fileprivate var isASCIIWord: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default: false
    }
  }
}

extension Unicode.GeneralCategory {
  /// Its name in patterns.
  fileprivate var code: String { codes[self] ?? "" }
}

private let codes: [Unicode.GeneralCategory: String] = [
  .uppercaseLetter: "Lu", .lowercaseLetter: "Ll", .titlecaseLetter: "Lt", .modifierLetter: "Lm", .otherLetter: "Lo",
  .nonspacingMark: "Mn", .spacingMark: "Mc", .enclosingMark: "Me", .decimalNumber: "Nd", .letterNumber: "Nl",
  .otherNumber: "No", .connectorPunctuation: "Pc", .dashPunctuation: "Pd", .openPunctuation: "Ps",
  .closePunctuation: "Pe", .initialPunctuation: "Pi", .finalPunctuation: "Pf", .otherPunctuation: "Po",
  .mathSymbol: "Sm", .currencySymbol: "Sc", .modifierSymbol: "Sk", .otherSymbol: "So", .spaceSeparator: "Zs",
  .lineSeparator: "Zl", .paragraphSeparator: "Zp", .control: "Cc", .format: "Cf", .surrogate: "Cs",
  .privateUse: "Co", .unassigned: "Cn",
]
