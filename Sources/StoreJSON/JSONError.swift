/// Why bytes are not valid JSON, or not the JSON that is expected, and where.
package struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  /// "line 3, column 7" for invalid JSON; "versions[0].name" for an unexpected value; empty for the whole document.
  package var place: String
  /// The problem; lower case, no full stop.
  package var message: String

  /// An error at a place.
  package init(place: String, message: String) {
    self.place = place
    self.message = message
  }

  /// Place and message, for the user.
  package var description: String { place.isEmpty ? message : "\(place): \(message)" }
}
