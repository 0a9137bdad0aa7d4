// Stands in for the YAML reader while fuzzing stores, which do not use it: building its package with a sanitizer would
// take minutes.

extension YAMLNode {
  /// As the real one.
  package struct Limits: Sendable {
    /// As the real one.
    package var bytes = 1 << 18
    /// As the real one.
    package var depth = 16
    /// As the real one.
    package init() {}
  }

  /// Reads nothing.
  package static func reading(_ bytes: [UInt8], limits: Limits = Limits()) throws(YAMLError) -> YAMLNode? {
    throw YAMLError(line: nil, "not read while fuzzing")
  }
}
