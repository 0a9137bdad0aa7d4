import StoreWords

/// An entity that was asked for and does not exist.
package struct UnknownEntity: Error, CustomStringConvertible {
  /// The name that was asked for.
  package var name: String
  /// The names that exist.
  package var known: [String]
  /// Where it was looked for: "store" or "model".
  package var place: String

  /// An error for a name that is not among `known`.
  package init(name: String, known: [String], place: String) {
    self.name = name
    self.known = known
    self.place = place
  }

  /// The sentence shown to people, with the names that exist, or those near it where there are many.
  package var description: String {
    let near = didYouMean(name, among: known)
    let names = known.sorted()
    let all =
      names.count > 12 && !near.isEmpty
      ? " (\(names.count) entities)" : "; it has \(names.map(quoted).joined(separator: ", "))"
    return "no entity \(quoted(name)) in this \(place)\(all)\(near)"
  }
}
