import CoreDataModel
import CoreDataStore
import SQLite
import SwiftDataSchemas

/// What was shipped: stores of users and pinned hashes, which the versions of the source are held against.
struct ShippedVersions {
  private var stores: [(path: String, identifiers: [String], hashes: VersionHashes)] = []
  private let pins: ModelPins?

  /// - Throws: what opening a store throws, or `MatchError` for one without hashes.
  init(stores paths: [PosixPath], pins: ModelPins?) throws {
    self.pins = pins
    for path in paths {
      let store = try Store(StoreLocator.locate(path))
      try store.checkUnchanged()
      guard let hashes = store.metadata.hashes else { throw MatchError(path: store.path) }
      stores.append((store.path, store.metadata.versionIdentifiers, hashes))
    }
  }

  /// SD908, SD909 and SD904, as far as they need what was shipped.
  func lint(of reading: SourceReading) -> SourceLint {
    var lint = SourceLint()
    if stores.isEmpty, pins == nil {
      for check in SourceCheck.ofShippedVersions {
        lint.skipped.append(
          .init(check: check.id, reason: "no store and no pins are given: --store STORE, --pins FILE"))
      }
      return lint
    }
    let versions = reading.schemas.filter { $0.origin == .versioned }
    for store in stores { judge(store, versions, reading, &lint) }
    for pin in pins?.versions ?? [] {
      guard let version = versions.first(where: { $0.name == pin.name }) else { continue }
      report(pin.entities.mapValues(\.hash), version, "its pin", pin: pin, &lint)
    }
    return lint
  }

  private func judge(
    _ store: (path: String, identifiers: [String], hashes: VersionHashes), _ versions: [SourceSchema],
    _ reading: SourceReading, _ lint: inout SourceLint
  ) {
    let hashes = store.hashes.byEntity
    if versions.contains(where: { $0.differences(from: hashes) == .none }) { return }
    // An identifier of the developer's own says which version the store claims to be.
    let claimed = versions.filter { version in
      guard case .stated(let text) = version.identifier else { return false }
      return text != "1.0.0" && store.identifiers.contains(text)
    }
    if claimed.count == 1 {
      return report(hashes, claimed[0], "the store '\(store.path)', which has its identifier", pin: nil, &lint)
    }
    let check = SourceCheck.unknownShippedVersion.id
    for version in versions {
      if case .unknown(let reason) = version.differences(from: hashes) {
        lint.skipped.append(
          .init(
            check: check, reason: "whether '\(store.path)' is of \(version.name) is not known: \(reason)",
            place: version.place))
        return
      }
    }
    guard let plan = reading.plans.first,
      let nearest = versions.min(by: { $0.distance(to: hashes) < $1.distance(to: hashes) })
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
            "\(nearest.name) is the nearest: \(nearest.differences(from: hashes).words)", at: nearest.place)
        ]))
  }

  /// SD909: a version that is no longer what was shipped.
  private func report(
    _ hashes: [String: VersionHash], _ version: SourceSchema, _ what: String, pin: ModelPins.Version?,
    _ lint: inout SourceLint
  ) {
    let check = SourceCheck.editedShippedVersion.id
    switch version.differences(from: hashes) {
    case .none: return
    case .unknown(let reason):
      lint.skipped.append(
        .init(
          check: check, reason: "whether \(version.name) is as shipped is not known: \(reason)", place: version.place))
    case .some(let entities):
      let first = version.entities.first { entities.contains($0.name) }
      lint.findings.append(
        SourceFinding(
          check: check, severity: .error, place: first?.place ?? version.place, schema: version.name,
          entity: entities.count == 1 ? entities[0] : nil,
          message:
            "\(version.name) is no longer as it was shipped: \(Differences.some(entities).words), against \(what)",
          notes: pin.map { movedProperties($0, version, entities) } ?? []))
    }
  }

  /// Which properties moved, where the pin says what each was.
  private func movedProperties(
    _ pin: ModelPins.Version, _ version: SourceSchema, _ entities: [String]
  ) -> [SourceFinding.Note] {
    guard let model = try? version.model() else { return [] }
    return entities.flatMap { name -> [SourceFinding.Note] in
      guard let before = pin.entities[name]?.text.properties, let now = model.hashedText(of: name)?.properties else {
        return []
      }
      let entity = version.entities.first { $0.name == name }
      return Set(before.keys).union(now.keys).sorted(by: codeUnitsPrecede).filter { before[$0] != now[$0] }.prefix(10)
        .map { property in
          let words =
            before[property] == nil
            ? "is new" : now[property] == nil ? "is gone" : "is another: it was \(before[property] ?? "")"
          return .init("\(name).\(property) \(words)", at: entity?.propertyPlaces[property] ?? entity?.place)
        }
    }
  }
}

/// What a version and a list of hashes have not in common.
private enum Differences: Equatable {
  case none
  /// The entities that differ, sorted.
  case some([String])
  /// Something is not derived, so equal cannot be told from different.
  case unknown(String)

  var words: String {
    switch self {
    case .none: "equal"
    case .unknown(let reason): reason
    case .some(let names):
      names.count == 1 ? "\(names[0]) differs" : "\(names.prefix(5).joined(separator: ", ")) differ"
    }
  }
}

extension SourceSchema {
  /// An open rule is decided by a hash that one of its readings has; a hash that none has proves nothing then.
  fileprivate func differences(from hashes: [String: VersionHash]) -> Differences {
    var different: [String] = []
    let own = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    for name in Set(own.keys).union(hashes.keys).sorted(by: codeUnitsPrecede) {
      guard let entity = own[name] else {
        if let listProblem { return .unknown(listProblem) }
        different.append(name)
        continue
      }
      guard let hash = hashes[name] else {
        different.append(name)
        continue
      }
      if entity.variants.contains(where: { $0.hash == hash }) { continue }
      if let reason = entity.reasons.first {
        return .unknown("\(name): \([reason.property, reason.message].compactMap(\.self).joined(separator: ": "))")
      }
      if let rule = entity.openRules.first { return .unknown("\(name) rests on an open rule (\(rule.rawValue))") }
      different.append(name)
    }
    return different.isEmpty ? .none : .some(different)
  }

  fileprivate func distance(to hashes: [String: VersionHash]) -> Int {
    switch differences(from: hashes) {
    case .none: 0
    case .some(let names): names.count
    case .unknown: Int.max
    }
  }
}
