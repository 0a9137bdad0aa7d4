/// `[c]`, `[d]` or both: what a comparison of texts disregards.
package struct TextOptions: OptionSet, Sendable, Equatable {
  package var rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let caseInsensitive = TextOptions(rawValue: 1)
  package static let diacriticInsensitive = TextOptions(rawValue: 2)

  /// 0 to 3.
  var index: Int { Int(rawValue & 3) }
}
