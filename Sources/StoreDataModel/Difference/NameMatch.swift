import StoreWords

/// A name, and the renaming identifier that gives its former name.
struct MatchableName: Equatable {
  var name: String
  var renamingIdentifier: String?

  /// The renaming identifier if it is set, else the name. Apple calls it the "canonical name"; both sides are matched
  /// by it.
  var canonical: String { renamingIdentifier ?? name }

  /// Whether it has a renaming identifier other than its own name.
  var isRenamed: Bool { renamingIdentifier.map { $0 != name } ?? false }
}

extension MatchableName {
  /// The names of the second list that the first lacks, both sorted by name (code units).
  ///
  /// - Returns: nil where names alone do not decide: where one was renamed, or where equal ones may have other code units.
  static func added(to old: [MatchableName], in new: [MatchableName]) -> [String]? {
    guard !old.contains(where: \.isRenamed), !new.contains(where: \.isRenamed) else { return nil }
    var added: [String] = []
    var isPlain = true
    var (left, right) = (old[...], new[...])
    func note(_ name: String) { isPlain = isPlain && name.utf8.allSatisfy { $0 < 128 } }
    while let after = right.first {
      if let before = left.first, before.name == after.name {
        left.removeFirst()
        right.removeFirst()
      } else if let before = left.first, codeUnitsPrecede(before.name, after.name) {
        note(before.name)
        left.removeFirst()
      } else {
        note(after.name)
        added.append(after.name)
        right.removeFirst()
      }
    }
    return isPlain ? added : nil
  }
}

/// Pairs the entities of two models, or the properties of two entities, by their names.
///
/// Names match if their canonical names are equal. A rename whose identifier names the version between does not: it was
/// measured on devices to lose its values. Whether an equal name is enough where an identifier on one side leads
/// elsewhere is not known; such names are paired, and the change of the identifier says so (`ModelChange.unpairs`).
struct NameMatch {
  /// Destination name to source name.
  private(set) var sources: [String: String] = [:]
  /// Source name to destination name.
  private(set) var destinations: [String: String] = [:]
  /// Destination name to the source name that its renaming identifier is, although that one has an identifier of its
  /// own; they are not paired.
  private(set) var versionsBetween: [String: String] = [:]

  init(_ source: [MatchableName], _ destination: [MatchableName]) {
    guard source.contains(where: \.isRenamed) || destination.contains(where: \.isRenamed) else {
      pairEqual(source, with: destination)
      return
    }
    // First the unchanged names with their identifier, then explicit identifiers, which take precedence over a new
    // property or entity that has taken the old name. Nothing depends on the order in which names are given.
    let source = source.sorted { codeUnitsPrecede($0.name, $1.name) }
    let destination = destination.sorted { codeUnitsPrecede($0.name, $1.name) }
    pairUnchanged(source, with: destination)
    pair(destination.filter(\.isRenamed), with: source.filter(\.isRenamed))
    pair(destination.filter(\.isRenamed), with: source)
    pair(destination, with: source)
    findVersionsBetween(source, destination)
    pairByNameAlone(source, destination)
  }

  /// Pairs two names for another reason than their names.
  mutating func pair(_ source: String, with destination: String) {
    sources[destination] = source
    destinations[source] = destination
  }

  /// Pairs each of the same names with itself, whatever their identifiers.
  init(same names: [MatchableName]) {
    sources = Dictionary(names.map { ($0.name, $0.name) }) { first, _ in first }
    destinations = sources
  }

  /// The same without some names of the destination; for a pairing of names with themselves.
  func without(_ names: [String]) -> NameMatch {
    var left = self
    for name in names { left.sources[name] = nil }
    left.destinations = left.sources
    return left
  }

  /// Pairs equal names, where none is of a rename.
  private mutating func pairEqual(_ source: [MatchableName], with destination: [MatchableName]) {
    let names = Set(source.map(\.name))
    sources.reserveCapacity(destination.count)
    for candidate in destination where names.contains(candidate.name) { sources[candidate.name] = candidate.name }
    destinations = sources
  }

  private mutating func pairUnchanged(_ source: [MatchableName], with destination: [MatchableName]) {
    let identifiers = Dictionary(source.map { ($0.name, $0.renamingIdentifier) }) { first, _ in first }
    for candidate in destination {
      guard let identifier = candidate.renamingIdentifier, identifiers[candidate.name] == identifier else { continue }
      pair(candidate.name, with: candidate.name)
    }
  }

  private mutating func pair(_ destination: [MatchableName], with source: [MatchableName]) {
    guard !destination.isEmpty, !source.isEmpty else { return }
    var free: [String: String] = [:]
    // Of a few names, only what may be theirs is kept.
    let wanted = destination.count * 4 < source.count ? Set(destination.map(\.canonical)) : nil
    for candidate in source.reversed() where destinations[candidate.name] == nil {
      if let wanted, !wanted.contains(candidate.canonical) { continue }
      free[candidate.canonical] = candidate.name
    }
    for candidate in destination where sources[candidate.name] == nil {
      if let found = free.removeValue(forKey: candidate.canonical) { pair(found, with: candidate.name) }
    }
  }

  private mutating func findVersionsBetween(_ source: [MatchableName], _ destination: [MatchableName]) {
    var free = Set(source.map(\.name).filter { destinations[$0] == nil })
    for candidate in destination where candidate.isRenamed && sources[candidate.name] == nil {
      if free.remove(candidate.canonical) != nil { versionsBetween[candidate.name] = candidate.canonical }
    }
  }

  private mutating func pairByNameAlone(_ source: [MatchableName], _ destination: [MatchableName]) {
    let taken = Set(versionsBetween.values)
    let free = Set(source.map(\.name).filter { destinations[$0] == nil && !taken.contains($0) })
    for candidate in destination where sources[candidate.name] == nil && versionsBetween[candidate.name] == nil {
      guard free.contains(candidate.name) else { continue }
      pair(candidate.name, with: candidate.name)
    }
  }
}

extension Entity {
  var matchableName: MatchableName { MatchableName(name: name, renamingIdentifier: renamingIdentifier) }
}

extension Property {
  var matchableName: MatchableName { MatchableName(name: name, renamingIdentifier: renamingIdentifier) }
}
