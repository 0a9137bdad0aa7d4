import StoreWords

/// A removal and an addition that are probably one rename with its renaming identifier forgotten.
///
/// Without the identifier a migration treats them separately: it drops the old data and starts with a default or NULL.
package struct LikelyRename: Sendable, Equatable {
  /// The entity or property before and after.
  package var place: ModelChange.Place
  /// The renaming identifier that would keep the values: after several renames, the oldest name.
  package var renamingIdentifier: String
  /// Why it looks like a rename.
  package var reason: Reason
  /// The evidence for a rename.
  package enum Reason: String, Sendable {
    /// Same kind and options, and similar names.
    case similarName
    /// Same kind and options, and nothing else of that kind was removed from the entity or added to it.
    case onlyFit
    /// An entity with the same or nearly the same properties.
    case sameProperties
    /// The renaming identifier is the name in the version between, which has a renaming identifier of its own.
    case namesTheVersionBetween
  }

  /// A sentence, lower case and without full stop, for Core Data or for SwiftData.
  package func words(inSwift isSwift: Bool) -> String { isSwift ? explanationForSwift : explanation }

  /// A sentence, lower case and without full stop.
  package var explanation: String {
    "\(likeness); only the renaming identifier '\(renamingIdentifier)' keeps what is stored"
  }

  /// The same in terms of SwiftData, which can rename properties but not classes.
  package var explanationForSwift: String {
    guard place.sourceProperty != nil, place.destinationProperty != nil else {
      let (old, new) = (place.sourceEntity ?? "", place.destinationEntity ?? "")
      return "\(likeness); SwiftData cannot rename a class, since originalName: is for properties only, and all rows "
        + "of '\(old)' are dropped: keep the class name '\(old)' in the schema and call it '\(new)' by a typealias "
        + "(SD951)"
    }
    return "\(likeness); only 'originalName: \"\(renamingIdentifier)\"' in its @Attribute or @Relationship keeps "
      + "what is stored"
  }

  private var likeness: String {
    let old = place.sourceProperty ?? place.sourceEntity ?? ""
    let new = place.destinationProperty ?? place.destinationEntity ?? ""
    let likeness =
      switch reason {
      case .similarName: "have the same type and options and similar names"
      case .onlyFit: "have the same type and options, and no other such property was removed or added here"
      case .sameProperties: "have the same properties"
      case .namesTheVersionBetween:
        "are not the same to Core Data: '\(new)' has the renaming identifier '\(old)', which has "
          + "'\(renamingIdentifier)', and identifiers are compared with each other"
      }
    return "'\(old)' and '\(new)' \(likeness)"
  }
}

extension ChangeFinder {
  /// With more removals or additions at one place, similar pairs are coincidences, and comparing them would take long.
  private static var mostCandidates: Int { 100 }
  /// The most pairs that are compared in a model; two versions of Photos eight years apart have a tenth of that.
  private static var mostPairs: Int { 50_000 }

  func findLikelyRenames(
    added: [String: [Property]], removed: [String: [Property]],
    between: [ModelChange.Place]
  ) -> [LikelyRename] {
    var found = versionsBetween(between) + likelyEntityRenames()
    var pairs = 0
    for entity in destination.entities {
      guard let old = entities.sources[entity.name], var gone = removed[old], var new = added[entity.name] else {
        continue
      }
      gone.removeAll { property in
        between.contains { $0.sourceEntity == old && $0.sourceProperty == property.name }
      }
      new.removeAll { property in
        between.contains { $0.destinationEntity == entity.name && $0.destinationProperty == property.name }
      }
      pairs += gone.count * new.count
      guard pairs <= Self.mostPairs else { break }
      for (before, after, reason) in likelyPropertyRenames(gone, added: new) {
        found.append(
          LikelyRename(
            place: .init(
              sourceEntity: old, sourceProperty: before.name, destinationEntity: entity.name,
              destinationProperty: after.name),
            renamingIdentifier: before.matchableName.canonical, reason: reason))
      }
    }
    return found
  }

  /// Entities and properties that are not paired because the renaming identifier names the version between.
  private func versionsBetween(_ properties: [ModelChange.Place]) -> [LikelyRename] {
    let names = entities.versionsBetween.map { ModelChange.Place(sourceEntity: $1, destinationEntity: $0) }
    let found = (names + properties).compactMap { place -> LikelyRename? in
      guard let old = place.sourceEntity, let name = matchableName(of: place.sourceProperty, in: old, source) else {
        return nil
      }
      return LikelyRename(place: place, renamingIdentifier: name.canonical, reason: .namesTheVersionBetween)
    }
    return found.sorted { $0.place.sortKey.lexicographicallyPrecedes($1.place.sortKey, by: codeUnitsPrecede) }
  }

  /// The name of a property; of the entity itself if there is no property.
  private func matchableName(of property: String?, in entity: String, _ model: Model) -> MatchableName? {
    guard let property else { return model.entity(named: entity)?.matchableName }
    return model.property(property, of: entity)?.matchableName
  }

  // MARK: Properties

  private func likelyPropertyRenames(
    _ removed: [Property], added: [Property]
  ) -> [(Property, Property, LikelyRename.Reason)] {
    guard removed.count <= Self.mostCandidates, added.count <= Self.mostCandidates else { return [] }
    var found: [(Property, Property, LikelyRename.Reason)] = []
    for after in added {
      let fitting = removed.filter { isAlike($0, after) }
      let similar = fitting.filter { areSimilar($0.name, after.name) }
      if let before = similar.first, similar.count == 1 {
        let rivals = added.filter { isAlike(before, $0) && areSimilar(before.name, $0.name) }
        if rivals.count == 1 { found.append((before, after, .similarName)) }
      } else if let before = fitting.first, similar.isEmpty {
        // In real histories, a single match among several changes is usually a coincidence.
        let changed = (removed + added).count { $0.kindName == after.kindName }
        if changed == 2 { found.append((before, after, .onlyFit)) }
      }
    }
    return found
  }

  private func isAlike(_ old: Property, _ new: Property) -> Bool { entities.isAlike(old, new) }

  // MARK: Entities

  private func likelyEntityRenames() -> [LikelyRename] {
    let known = Set(entities.versionsBetween.values)
    let removed = source.entities.filter { entities.destinations[$0.name] == nil && !known.contains($0.name) }
    let added = destination.entities.filter {
      entities.sources[$0.name] == nil && entities.versionsBetween[$0.name] == nil
    }
    guard removed.count <= Self.mostCandidates, added.count <= Self.mostCandidates else { return [] }
    return added.compactMap { after in
      let fitting = removed.filter { shareMostProperties($0, after) }
      guard fitting.count == 1, let before = fitting.first,
        added.filter({ shareMostProperties(before, $0) }).count == 1
      else { return nil }
      return LikelyRename(
        place: .init(sourceEntity: before.name, destinationEntity: after.name),
        renamingIdentifier: before.matchableName.canonical, reason: .sameProperties)
    }
  }

  /// Whether at least three of four properties are equal by name and type.
  private func shareMostProperties(_ old: Entity, _ new: Entity) -> Bool {
    let before = Dictionary(old.properties.map { ($0.name, $0) }) { first, _ in first }
    let shared = new.properties.filter { property in
      before[property.name].map { $0.kindName == property.kindName && $0.attribute?.type == property.attribute?.type }
        ?? false
    }
    let most = max(old.properties.count, new.properties.count)
    return !shared.isEmpty && shared.count * 4 >= most * 3
  }
}

extension ModelChange.Place {
  fileprivate var sortKey: [String] { [entity ?? "", property ?? ""] }
}

extension NameMatch {
  /// Whether kind, type and options are equal, as after a rename. Destinations are compared by the paired entities.
  func isAlike(_ old: Property, _ new: Property) -> Bool {
    guard old.isOptional == new.isOptional, old.isTransient == new.isTransient else { return false }
    switch (old.kind, new.kind) {
    case (.attribute(let old), .attribute(let new)):
      return old.type == new.type && old.derivation == new.derivation && old.elements == new.elements
        && old.allowsExternalStorage == new.allowsExternalStorage
    case (.relationship(let old), .relationship(let new)):
      return destinations[old.destination] == new.destination && old.isToMany == new.isToMany
        && old.isOrdered == new.isOrdered
    case (_, .attribute), (_, .relationship), (_, .fetched): return false
    }
  }
}

/// Whether two names are similar: one is the beginning or end of the other, or at most a third of the letters differ.
func areSimilar(_ left: String, _ right: String) -> Bool {
  let (left, right) = (Array(left.lowercased().unicodeScalars), Array(right.lowercased().unicodeScalars))
  let (short, long) = left.count <= right.count ? (left, right) : (right, left)
  guard long.count <= 128, !short.isEmpty else { return false }
  if short.count >= 3, long.starts(with: short) || long.reversed().starts(with: short.reversed()) { return true }
  // The distance is at least the difference of the lengths.
  guard (long.count - short.count) * 3 <= long.count else { return false }
  return editDistance(short, long) * 3 <= long.count
}

/// The Levenshtein distance, computed row by row.
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
  var row = Array(0...right.count)
  for (line, scalar) in left.enumerated() {
    var diagonal = row[0]
    row[0] = line + 1
    for (column, other) in right.enumerated() {
      let above = row[column + 1]
      row[column + 1] = min(above + 1, row[column] + 1, diagonal + (scalar == other ? 0 : 1))
      diagonal = above
    }
  }
  return row.last ?? 0
}
