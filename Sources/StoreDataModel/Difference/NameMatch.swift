/// A name, and the renaming identifier that gives its former name.
struct MatchableName: Equatable {
  var name: String
  var renamingIdentifier: String?

  /// The renaming identifier if it is set, else the name. Apple calls it the "canonical name"; both sides are matched
  /// by it.
  var canonical: String { renamingIdentifier ?? name }
}

/// Pairs the entities of two models, or the properties of two entities, by their names.
///
/// Names match if their canonical names are equal. Real models show two more cases: an identifier that is removed again
/// in the version after the rename (same name, wibosco revised 2 to 3), and one that names the version between.
struct NameMatch {
  /// Destination name to source name.
  private(set) var sources: [String: String] = [:]
  /// Source name to destination name.
  private(set) var destinations: [String: String] = [:]

  init(_ source: [MatchableName], _ destination: [MatchableName]) {
    // First the unchanged names with their identifier, then explicit identifiers, which take precedence over a new
    // property or entity that has taken the old name.
    pairUnchanged(source, with: destination)
    let explicitFirst =
      destination.filter { $0.renamingIdentifier != nil && $0.renamingIdentifier != $0.name }
      + destination.filter { $0.renamingIdentifier == nil || $0.renamingIdentifier == $0.name }
    pair(explicitFirst, with: source, by: \.canonical, offeredAs: \.canonical)
    pair(explicitFirst, with: source, by: \.canonical, offeredAs: \.name)
    pair(explicitFirst, with: source, by: \.name, offeredAs: \.name)
  }

  /// Pairs each of the same names with itself, whatever their identifiers.
  init(same names: [MatchableName]) {
    sources = Dictionary(names.map { ($0.name, $0.name) }) { first, _ in first }
    destinations = sources
  }

  private mutating func pairUnchanged(_ source: [MatchableName], with destination: [MatchableName]) {
    let identifiers = Dictionary(source.map { ($0.name, $0.renamingIdentifier) }) { first, _ in first }
    for candidate in destination {
      guard let identifier = candidate.renamingIdentifier, identifiers[candidate.name] == identifier else { continue }
      sources[candidate.name] = candidate.name
      destinations[candidate.name] = candidate.name
    }
  }

  private mutating func pair(
    _ destination: [MatchableName], with source: [MatchableName], by wanted: (MatchableName) -> String,
    offeredAs offered: (MatchableName) -> String
  ) {
    var free: [String: String] = [:]
    for candidate in source.reversed() where destinations[candidate.name] == nil {
      free[offered(candidate)] = candidate.name
    }
    for candidate in destination where sources[candidate.name] == nil {
      guard let found = free.removeValue(forKey: wanted(candidate)) else { continue }
      sources[candidate.name] = found
      destinations[found] = candidate.name
    }
  }
}

extension Entity {
  var matchableName: MatchableName { MatchableName(name: name, renamingIdentifier: renamingIdentifier) }
}

extension Property {
  var matchableName: MatchableName { MatchableName(name: name, renamingIdentifier: renamingIdentifier) }
}
