/// Unicode's full case folding, in no language's rules: `ß` and `ẞ` are `ss`, the three sigmas one letter.
enum CaseFolding {
  /// What a scalar folds to.
  ///
  /// The standard library has no folding, but mappings of single scalars. Lower case of upper case of lower case joins what
  /// folding joins: "ẞ" becomes "ß", "SS", "ss". The dotless "ı" stays: its upper case is "I", and folding keeps it apart.
  @inline(__always)
  static func folded(_ value: UInt32) -> FoldedScalar {
    if value < 0x80 { return FoldedScalar(value &- 0x41 < 26 ? value | 0x20 : value) }
    return foldedBeyondASCII(value)
  }

  private static func foldedBeyondASCII(_ value: UInt32) -> FoldedScalar {
    if value < shortcutEnd { return shortcuts[Int(value)] }
    // Ideographs and syllables, most of the scalars above, have no case.
    guard let scalar = Unicode.Scalar(value), scalar.properties.isCased || scalar.properties.changesWhenCaseMapped
    else {
      return FoldedScalar(value)
    }
    return computed(scalar)
  }

  // Latin, Greek, Cyrillic, Armenian, Hebrew and Arabic are looked up.
  private static let shortcutEnd: UInt32 = 0x700
  private static let shortcuts: [FoldedScalar] = (0..<shortcutEnd).map { value in
    Unicode.Scalar(value).map(computed) ?? FoldedScalar(value)
  }

  private static func computed(_ scalar: Unicode.Scalar) -> FoldedScalar {
    guard scalar.value != 0x131 else { return FoldedScalar(scalar.value) }
    var result = FoldedScalar()
    for lower in scalar.properties.lowercaseMapping.unicodeScalars {
      for upper in lower.properties.uppercaseMapping.unicodeScalars {
        for folded in upper.properties.lowercaseMapping.unicodeScalars { result.append(folded.value) }
      }
    }
    return result
  }

  /// The scalars that fold to the same as this one, itself included.
  static func equivalents(of value: UInt32) -> [UInt32] {
    if value < 0x80, value &- 0x41 >= 26, value &- 0x61 >= 26 { return [value] }
    return classes[folded(value)] ?? [value]
  }

  /// By what they fold to, the scalars of which several fold to the same.
  private static let classes: [FoldedScalar: [UInt32]] = {
    var classes: [FoldedScalar: [UInt32]] = [:]
    for value in cased.joined() {
      guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenCaseMapped else { continue }
      classes[folded(value), default: []].append(value)
    }
    return classes.filter { $0.value.count > 1 }
  }()

  /// Where scalars with case are; what lies between are scripts without it.
  private static let cased: [Range<UInt32>] = [
    0x41..<0x590, 0x10A0..<0x1400, 0x1C80..<0x2200, 0x2400..<0x2E00, 0xA640..<0xA800, 0xAB30..<0xABC0, 0xFB00..<0xFB20,
    0xFF20..<0xFF60, 0x10400..<0x10600, 0x10C80..<0x10D90, 0x118A0..<0x118E0, 0x16E40..<0x16F00, 0x1E900..<0x1E950,
  ]
}

/// One to three scalars: what a scalar folds to.
struct FoldedScalar: Hashable, Sendable {
  private(set) var first: UInt32
  private var second: UInt32 = 0
  private var third: UInt32 = 0
  private(set) var count: Int

  /// No scalars.
  init() { (first, count) = (0, 0) }

  @inline(__always) init(_ scalar: UInt32) { (first, count) = (scalar, 1) }

  subscript(position: Int) -> UInt32 { position == 0 ? first : position == 1 ? second : third }

  var scalars: [UInt32] { Array([first, second, third].prefix(count)) }

  func append(to scalars: inout [UInt32]) {
    for position in 0..<count { scalars.append(self[position]) }
  }

  mutating func append(_ scalar: UInt32) {
    switch count {
    case 0: first = scalar
    case 1: second = scalar
    default: third = scalar
    }
    count = min(count + 1, 3)
  }
}
