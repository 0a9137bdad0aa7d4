/// `[c]`, `[d]` or both: what a comparison of texts disregards.
struct TextOptions: OptionSet, Sendable, Equatable {
  var rawValue: UInt8

  static let caseInsensitive = TextOptions(rawValue: 1)
  static let diacriticInsensitive = TextOptions(rawValue: 2)

  /// 0 to 3.
  var index: Int { Int(rawValue & 3) }
}
