import StoreWords
/// A part of a model that the output format cannot express.
package struct ConversionLoss: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Where in the model: "Note.title", "Note", or empty for the model itself.
  package var place: String
  /// The part that is left out or changed; lower case, no full stop.
  package var what: String

  /// Creates a loss at a place.
  package init(place: String, what: String) {
    self.place = place
    self.what = what
  }

  /// By place, then by text.
  package static func < (left: Self, right: Self) -> Bool {
    left.place == right.place ? codeUnitsPrecede(left.what, right.what) : codeUnitsPrecede(left.place, right.place)
  }

  /// Place and loss in one line.
  package var description: String { place.isEmpty ? what : "\(place): \(what)" }
}
