import StoreWords

/// Why no anonymous copy was made; nothing is left of it.
package struct AnonymizingError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The reason, and what to do; lower case, no full stop.
  package var reason: String

  /// An error with its sentence.
  package init(_ reason: String) { self.reason = reason }

  /// One line.
  package var description: String { "nothing was written: \(reason)" }
}
