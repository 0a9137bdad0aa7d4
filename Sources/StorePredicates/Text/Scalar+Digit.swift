extension Unicode.Scalar {
  /// Whether it is one of 0 to 9.
  var isDigit: Bool { ("0"..."9").contains(self) }
}
