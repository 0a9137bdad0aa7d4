/// What becomes of the lengths of texts and bytes.
package enum AnonymizingSizes: String, Sendable, CaseIterable {
  /// They stay.
  case exact
  /// They become the end of their class: 1, 2, 3, 4, 6, 8, 12, 16, 24, and so on, two for each power of two.
  case rough

  /// The length in the place of another.
  ///
  ///     AnonymizingSizes.rough.length(for: 13)  // 16
  package func length(for length: Int) -> Int {
    guard self == .rough, length > 2, length <= 1 << 40 else { return length }
    let power = 1 << (Int.bitWidth - 1 - length.leadingZeroBitCount)
    if length == power { return length }
    let middle = power + power / 2
    return length <= middle ? middle : 2 * power
  }
}
