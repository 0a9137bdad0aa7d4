/// Texts as scalars without what a comparison disregards.
///
/// `[c]` is Unicode's case folding (``CaseFolding``). `[d]` leaves out every scalar with a combining
/// class after canonical decomposition; letters that have no decomposition (`ø`, `ł`) stay themselves.
package enum TextFolding {
  /// For searching and for order: canonical equivalents are equal if there is any option.
  static func folded(_ text: String, options: TextOptions) -> [UInt32] {
    guard options == .caseInsensitive, !isASCII(text) else { return folded(text, options: options, staysOne: false) }
    var result: [UInt32] = []
    result.reserveCapacity(text.utf8.count)
    for scalar in Decomposition.scalars(of: text) { appendCaseFolded(scalar, staysOne: false, to: &result) }
    return result
  }

  /// For patterns in which a sign stands for one scalar: none becomes two, so that `ß` is not like `ss`.
  static func foldedScalars(_ text: String, options: TextOptions) -> [UInt32] {
    folded(text, options: options, staysOne: true)
  }

  private static func folded(_ text: String, options: TextOptions, staysOne: Bool) -> [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        result.append(UInt32(options.contains(.caseInsensitive) ? lowercased(byte) : byte))
      } else if scalar.value < shortcutEnd, shortcuts[options.index][Int(scalar.value)] != noShortcut {
        result.append(shortcuts[options.index][Int(scalar.value)])
      } else if options.contains(.diacriticInsensitive) {
        appendWithoutDiacritics(scalar, options: options, staysOne: staysOne, to: &result)
      } else if options.contains(.caseInsensitive) {
        appendCaseFolded(scalar, staysOne: staysOne, to: &result)
      } else {
        result.append(scalar.value)
      }
    }
    return result
  }

  /// Whether a scalar belongs to the letter before it.
  static func isCombining(_ value: UInt32) -> Bool {
    value >= 0x300 && Unicode.Scalar(value).map { $0.properties.canonicalCombiningClass != .notReordered } == true
  }

  /// Whether all bytes are below 128.
  package static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

  /// An ASCII letter in lower case; any other byte itself.
  @inline(__always) static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }

  // The scalars of Latin, Greek, Cyrillic, Hebrew and Arabic that become one other: looked up, they are five times as
  // fast as decomposed.
  private static let shortcutEnd: UInt32 = 0x700
  private static let noShortcut = UInt32.max
  private static let shortcuts: [[UInt32]] = (0...3).map { (rawValue: UInt8) in
    let options = TextOptions(rawValue: rawValue)
    return (0..<shortcutEnd).map { value in
      var result: [UInt32] = []
      guard let scalar = Unicode.Scalar(value), !scalar.isASCII, !options.isEmpty else { return noShortcut }
      if options.contains(.diacriticInsensitive) {
        appendWithoutDiacritics(scalar, options: options, staysOne: false, to: &result)
      } else {
        appendCaseFolded(scalar, staysOne: false, to: &result)
      }
      return result.count == 1 ? result[0] : noShortcut
    }
  }

  private static func appendWithoutDiacritics(
    _ scalar: Unicode.Scalar, options: TextOptions, staysOne: Bool, to result: inout [UInt32]
  ) {
    // Hangul syllables would fall apart into letters, and have no diacritics.
    let staysWhole = (0xAC00...0xD7A3).contains(scalar.value)
    var parts: [Unicode.Scalar] = []
    if staysWhole { parts = [scalar] } else { Decomposition.append(scalar, to: &parts) }
    for part in parts where part.properties.canonicalCombiningClass == .notReordered {
      if options.contains(.caseInsensitive) {
        appendCaseFolded(part, staysOne: staysOne, to: &result)
      } else {
        result.append(part.value)
      }
    }
  }

  /// - Parameter staysOne: whether a scalar that folds to several becomes its own lower case instead.
  private static func appendCaseFolded(_ scalar: Unicode.Scalar, staysOne: Bool, to result: inout [UInt32]) {
    let folded = CaseFolding.folded(scalar.value)
    guard staysOne, folded.count > 1 else { return folded.append(to: &result) }
    let lower = scalar.properties.lowercaseMapping.unicodeScalars
    result.append(lower.count == 1 ? lower.first?.value ?? scalar.value : scalar.value)
  }
}

extension String {
  /// With all letters of one case, as Unicode's full case folding makes equal what differs in case only.
  package var casefolded: String {
    guard !TextFolding.isASCII(self) else { return lowercased() }
    var folded = ""
    for scalar in unicodeScalars {
      for part in CaseFolding.folded(scalar.value).scalars.compactMap(Unicode.Scalar.init) {
        folded.unicodeScalars.append(part)
      }
    }
    return folded
  }
}
