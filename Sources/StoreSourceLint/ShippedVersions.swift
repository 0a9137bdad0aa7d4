import StoreWords
import StoreModels
import StoreSourceChecks
import StoreDataModel
import StoreCoreData
import StoreSQLite
import StoreSwiftDataSchemas

// Comparing the versions of the source with shipped ones
// ------------------------------------------------------
//
//   stores (--store), pins (--pins), releases in a repository (--git) ──► ShippedVersion ──► compared with the versions
//
//   SD908  a store that no version made        SD904  a store with one version's identifier and another's hashes
//   SD909  a version that was edited           SD944  rows that violate a new constraint (`+Rows`)
//   SD948  a struct edited in a version        SD949  indexes that a store lacks (`+Rows`)

/// The shipped versions (stores of users, pinned hashes, source of releases), compared with those of the source.
struct ShippedVersions {
  /// A store that was shipped.
  struct ShippedStore {
    var store: Store
    var hashes: [String: VersionHash]

    var path: String { store.path }
    var identifiers: [String] { store.metadata.versionIdentifiers }
    /// The store's own model, if its hashes are those in the metadata.
    var model: Model? { store.computedHashes?.byEntity == hashes ? store.modelCache.model : nil }
  }

  let stores: [ShippedStore]
  private let pins: ModelPins?
  private let releases: ReleasedVersions?

  /// - Parameter log: the write-ahead log that the stores are read with, in place of the one beside each.
  /// - Throws: what opening a store throws, or `MatchError` for one without hashes.
  init(stores paths: [PosixPath], log: PosixPath? = nil, pins: ModelPins?, releases: ReleasedVersions? = nil) throws {
    self.pins = pins
    self.releases = releases
    var opening = Store.Options()
    opening.log = log
    stores = try paths.map { path in
      let store = try Store(StoreLocator.locate(path), options: opening)
      try store.checkUnchanged()
      guard let hashes = store.metadata.hashes else { throw MatchError(path: store.path) }
      return ShippedStore(store: store, hashes: hashes.byEntity)
    }
  }

  /// Findings of the checks that compare with shipped versions.
  func lint(of reading: SourceReading) -> SourceLint {
    var lint = SourceLint()
    if stores.isEmpty, pins == nil, releases == nil {
      for check in SourceCheck.ofShippedVersions {
        lint.skipped.append(
          .init(check: check.id, reason: "nothing that was shipped is given: --store, --pins, --git"))
      }
      return lint
    }
    let all = reading.schemas.filter { $0.origin == .versioned }
    // A decision of an open rule by a pin or a store holds for the releases too.
    let versions = all.map(decided)
    for store in stores { judge(store, versions: versions, reading: reading, lint: &lint) }
    for pin in pins?.versions ?? [] {
      guard let version = all.first(where: { $0.name == pin.name }) else { continue }
      var shipped = ShippedVersion(
        "its pin", hashes: pin.entities.mapValues(\.hash), texts: pin.entities.mapValues(\.text))
      for unknown in pin.unknown where unknown.entity != nil { shipped.unpinned[unknown.entity ?? ""] = unknown.reason }
      shipped.mayHaveMore = pin.mayHaveMore
      report(shipped, as: version, isDecision: true, lint: &lint)
    }
    for (version, asWritten) in zip(versions, all) {
      if let shipped = releases?.shipped(version, asWritten: asWritten, skipped: &lint.skipped) {
        report(shipped, as: version, lint: &lint)
      }
    }
    lint.skipped += releases?.skipped ?? []
    return lint
  }

  /// What the files of the stores leave open, for the checks that rest on them.
  var leftOpen: [SourceLint.Skipped] {
    stores.flatMap { shipped in
      Reading(shipped.store).clauses.flatMap { clause in
        (SourceCheck.ofShippedVersions + [.newUniqueness]).map { check in
          SourceLint.Skipped(check: check.id, reason: "all of the store '\(shipped.path)': \(clause)")
        }
      }
    }
  }

  /// A version with those open rules decided of which its pin, or a store of it, has one reading.
  private func decided(_ version: SourceSchema) -> SourceSchema {
    let pinned = (pins?.versions ?? []).filter { $0.name == version.name }.map { $0.entities.mapValues(\.hash) }
    // A store of another version may have the hash of what stood there before.
    let all = pinned + stores.map(\.hashes).filter { version.differences(from: $0).areNone }
    var version = version
    for position in version.entities.indices where version.entities[position].certainty == .open {
      let hashes = Set(all.compactMap { $0[version.entities[position].name] })
      let proved = version.entities[position].variants.filter { $0.hash.map(hashes.contains) ?? false }
      guard proved.count == 1 else { continue }
      version.entities[position].variants = proved
      version.entities[position].openRules = []
    }
    return version
  }

  // MARK: Stores

  private func judge(
    _ store: ShippedStore, versions: [SourceSchema], reading: SourceReading, lint: inout SourceLint
  ) {
    let equal = versions.filter { $0.differences(from: store.hashes).areNone }
    // If the developer gave an identifier, it says which version the store claims to be.
    let claimed = versions.filter { version in
      guard case .stated(let text) = version.identifier else { return false }
      return text != "1.0.0" && store.identifiers.contains(text)
        && version.entities.contains { store.hashes[$0.name] != nil }
    }
    guard equal.isEmpty else { return judge(store, equal: equal, claimed: claimed, lint: &lint) }
    if claimed.count == 1 {
      let shipped = ShippedVersion(
        "the store '\(store.path)', which has its identifier", hashes: store.hashes, model: store.model)
      return report(shipped, as: claimed[0], lint: &lint)
    }
    let check = SourceCheck.unknownShippedVersion.id
    if let plan = reading.plans.first, isStrange(store, to: versions) {
      let message =
        "no version has any entity of '\(store.path)': it is the store of another app or configuration, or the version that "
        + "made it is gone"
      return lint.findings.append(
        SourceFinding(check: check, severity: .error, place: plan.place, message: message))
    }
    // One entity that surely differs is enough to tell that it is another version.
    for version in versions {
      let differences = version.differences(from: store.hashes)
      guard differences.entities.isEmpty, let reason = differences.unknownWords else { continue }
      lint.skipped.append(
        .init(
          check: check, reason: "whether '\(store.path)' is of \(version.name) is not known: \(reason)",
          place: version.place, isUndecided: true))
      return
    }
    guard let plan = reading.plans.first,
      let nearest = versions.min(by: { $0.distance(to: store.hashes) < $1.distance(to: store.hashes) })
    else { return }
    let isUnversioned = store.identifiers == ["1.0.0"]
    lint.findings.append(
      SourceFinding(
        check: check, severity: .error, place: plan.place,
        message: "no version has the hashes of '\(store.path)'"
          + (isUnversioned
            ? "; its identifier is 1.0.0, so the release before the plan probably had no version, and has to become the first"
            : ""),
        notes: [
          .init(
            "\(nearest.name) is the nearest: \(nearest.differences(from: store.hashes).words)", at: nearest.place)
        ]))
  }

  /// Whether the store has no entity name in common with versions that are known completely.
  private func isStrange(_ store: ShippedStore, to versions: [SourceSchema]) -> Bool {
    !versions.isEmpty && versions.allSatisfy { $0.listProblem == nil }
      && Set(versions.flatMap(\.entities).map(\.name)).isDisjoint(with: store.hashes.keys)
  }

  /// SD904: the hashes are those of some versions, and the identifier is that of others.
  private func judge(
    _ store: ShippedStore, equal: [SourceSchema], claimed: [SourceSchema], lint: inout SourceLint
  ) {
    let isClear = equal.allSatisfy { version in
      switch version.identifier {
      case .stated(let text): !store.identifiers.contains(text)
      case .left: true
      case .unknown: false
      }
    }
    guard isClear, let version = claimed.first else { return }
    lint.findings.append(
      SourceFinding(
        check: SourceCheck.identifiers.id, severity: .error, place: version.place, schema: version.name,
        message: "the store '\(store.path)' has the identifier \(store.identifiers.joined(separator: ", ")) of "
          + "\(version.name), and the hashes of \(equal[0].name): one identifier was given to two shapes",
        notes: [.init("\(equal[0].name) is declared here", at: equal[0].place)]))
  }

  // MARK: Edited versions

  /// SD909: a version that differs from what was shipped; SD948 if the difference is in the members of a struct.
  ///
  /// - Parameter isDecision: whether a reading that has the hashes is taken, as for a pin: then it is said on which
  ///   reading the answer rests, and the version has passed.
  private func report(
    _ shipped: ShippedVersion, as version: SourceSchema, isDecision: Bool = false, lint: inout SourceLint
  ) {
    let check = SourceCheck.editedShippedVersion.id
    let differences = version.differences(from: shipped)
    if let first = differences.unpinned.first {
      let more = differences.unpinned.count > 1 ? "; and \(differences.unpinned.count - 1) more" : ""
      lint.skipped.append(
        .init(
          check: check, reason: "\(shipped.witness) leaves out what was not known of \(version.name): \(first)\(more)",
          place: version.place))
    }
    if isDecision, differences.unknown.isEmpty, let reason = differences.readingWords {
      lint.skipped.append(
        .init(
          check: check, reason: "\(version.name) is as in \(shipped.witness) on one condition: \(reason)",
          place: version.place))
    } else if let reason = differences.unknownWords ?? differences.readingWords {
      let rest = differences.entities.isEmpty ? "" : "the rest of "
      lint.skipped.append(
        .init(
          check: check,
          reason: "whether \(rest)\(version.name) is as shipped, by \(shipped.witness), is not known: \(reason)",
          place: version.place, isUndecided: true))
    }
    let entities = differences.entities
    guard !entities.isEmpty else { return }
    let first = version.entities.first { entities.contains($0.name) }
    let moved = shipped.moved(to: version, of: entities)
    let notes =
      shipped.movedEntities(to: version, of: entities).map { changed in
        SourceFinding.Note(changed.words, at: version.entities.first { $0.name == changed.entity }?.place)
      } + moved.map { .init($0.words, at: version.place(of: $0)) }
    let message =
      shipped.asInUse.map { release in
        "\(version.name) is not as at \(shipped.witness), where a later version was in use (\(differences.words)); its "
          + "stores were made as at \(release), and it is as there"
      } ?? "\(version.name) is no longer as it was shipped: \(differences.words), against \(shipped.witness)"
    lint.findings.append(
      SourceFinding(
        check: check, severity: shipped.asInUse == nil ? .error : .note, place: first?.place ?? version.place,
        schema: version.name, entity: entities.count == 1 ? entities[0] : nil, message: message,
        notes: notes.prefix(10) + (notes.count > 10 ? [.init("and \(notes.count - 10) more")] : [])))
    guard shipped.asInUse == nil else { return }
    lint.findings += moved.compactMap { property in
      EditedStruct(property).map { version.finding($0, property: property, witness: shipped.witness) }
    }
  }
}

extension SourceSchema {
  fileprivate func place(of property: MovedProperty) -> SourcePlace? {
    let entity = entities.first { $0.name == property.entity }
    return entity?.propertyPlaces[property.name] ?? entity?.place
  }

  fileprivate func finding(_ edited: EditedStruct, property: MovedProperty, witness: String) -> SourceFinding {
    SourceFinding(
      check: SourceCheck.editedStruct.id, severity: edited.required.isEmpty ? .warning : .error,
      place: place(of: property) ?? place, schema: name, entity: property.entity, property: property.name,
      message: "the members of what \(property.entity).\(property.name) holds were edited in \(name): \(edited.words), "
        + "against \(witness)")
  }
}

/// How the members of a composite differ.
struct EditedStruct {
  private(set) var added: [String] = []
  private(set) var removed: [String] = []
  private(set) var changed: [String] = []
  /// The new members for which every row needs a value.
  private(set) var required: [String] = []

  /// Nil if the members of one of the two are not known, or it is no composite.
  init?(_ property: MovedProperty) {
    guard let before = property.before?.members, let now = property.now?.members else {
      return nil
    }
    added = now.keys.filter { before[$0] == nil }.sorted(by: codeUnitsPrecede)
    removed = before.keys.filter { now[$0] == nil }.sorted(by: codeUnitsPrecede)
    changed = now.keys.filter { name in before[name].map { $0 != now[name] } ?? false }.sorted(by: codeUnitsPrecede)
    required = added.filter { now[$0]?.isRequired ?? false }
  }

  /// "zip is new and required"
  var words: String {
    let optional = added.filter { !required.contains($0) }
    let parts = [(required, "new and required"), (optional, "new"), (removed, "gone"), (changed, "another")]
    return parts.filter { !$0.0.isEmpty }.map { names, what in
      "\(names.joined(separator: ", ")) \(names.count == 1 ? "is" : "are") \(what)"
    }.joined(separator: "; ")
  }
}
