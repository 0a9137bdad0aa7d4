/// Why bytes are no JSON, or JSON is not what was expected, and where.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  /// "line 3, column 7" of text that is no JSON; "versions[0].name" of a value that is not the one expected; empty for
  /// the whole document.
  public var place: String
  /// What was found; lower case, no full stop.
  public var message: String

  /// An error at a place.
  public init(place: String, message: String) {
    self.place = place
    self.message = message
  }

  /// Place and message in one line.
  public var description: String { place.isEmpty ? message : "\(place): \(message)" }
}
