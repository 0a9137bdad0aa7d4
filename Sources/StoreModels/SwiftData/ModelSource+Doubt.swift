import StoreWords
import StoreDataModel
import StoreCoreData

extension ModelSource {
  /// The same source in the reading that agrees best with a store's hashes. Only Swift source has more than one
  /// reading.
  ///
  /// Of several containers, that which lists the store's entities is taken for the one that opens it.
  ///
  /// - Parameter framework: that of the system that reads the source; the store's unless said otherwise.
  package func settled(by metadata: StoreMetadata, framework: Int? = nil) -> ModelSource {
    guard let hashes = metadata.hashes else { return self }
    let isReader = framework != nil
    let framework = framework.map(Int64.init) ?? metadata.frameworkVersion
    var source = self
    for (position, version) in versions.enumerated() {
      guard let doubt = version.doubt else { continue }
      let (model, decided) = doubt.settle(hashes, framework, isReader)
      source.versions[position].model = model
      source.versions[position].doubt?.decided = decided
    }
    source.settleAgain(by: hashes, framework, isReader: isReader)
    return source.withContainer(of: hashes)
  }

  /// Reads versions again that are not the store's own. Its hashes prove how a class is read in that version which has all
  /// of them, and in others only where they declare the class alike: a new type of a property may have a reading by which
  /// nothing has changed, and that the store has the old hash says nothing of it. Where several versions could have them
  /// all, those with the fewest readings are the store's own.
  private mutating func settleAgain(by hashes: VersionHashes, _ framework: Int64?, isReader: Bool) {
    let equal = versions.filter { $0.model.versionHashes == hashes }
    guard let fewest = equal.map(\.readingCount).min() else { return }
    let own = equal.filter { $0.readingCount == fewest }
    for (position, version) in versions.enumerated() where !own.contains(where: { $0.name == version.name }) {
      guard let doubt = version.doubt else { continue }
      let borrowed = doubt.entities.filter { name, entity in
        !own.contains { $0.doubt?.entities[name]?.isSame(as: entity) ?? false }
      }
      guard borrowed.keys.contains(where: { hashes.byEntity[$0] != nil }) else { continue }
      let proving = VersionHashes(hashes.byEntity.filter { borrowed[$0.key] == nil })
      let (model, decided) = doubt.settle(proving, framework, isReader)
      versions[position].model = model
      versions[position].doubt?.decided = decided
    }
  }

  private func withContainer(of hashes: VersionHashes) -> ModelSource {
    guard plan == nil, plans.isEmpty, versions.count > 1, versions.allSatisfy(\.isContainer),
      let current = versions.first(where: { $0.name == currentVersionName })
    else { return self }
    let best = versions.reduce(current) { $0.fit(to: hashes) < $1.fit(to: hashes) ? $1 : $0 }
    guard best.name != current.name else { return self }
    return ModelSource(
      path: path, format: format, versions: versions, currentVersionName: best.name,
      missingVersionNames: missingVersionNames, plan: nil,
      currentBasis: "of several containers the one that lists the store's entities")
  }

  /// A sentence for each version that cannot be read.
  package var unreadable: [String] { versions.filter { $0.failure != nil }.map(\.leftOut) }

  /// The source with only its completely known versions, and for each omitted version a sentence saying why.
  ///
  /// - Throws: `ModelSourceError` if no version is known.
  package func whole() throws(ModelSourceError) -> (source: ModelSource, leftOut: [String]) {
    let (versions, leftOut) = try wholeVersions()
    var source = self
    source.versions = versions
    return (source, leftOut)
  }

  /// - Throws: `ModelSourceError` if there are several plans and none is chosen, if the plan is not completely known,
  ///   or if the current version is missing or unreadable; the message says what to do.
  package func checkPlan() throws(ModelSourceError) {
    if hasUnchosenPlans { throw unchosenPlans }
    if let plan, let problem = plan.problem {
      throw ModelSourceError(
        path, .unsupported,
        message: "the plan \(quoted(plan.name)) is not known whole: \(problem); give the sources it needs too, "
          + "name one version as '\(path)#VERSION', or the stages with --stages")
    }
    // Otherwise the last of the other versions would be judged instead.
    if currentVersionName != nil { _ = try decidingVersion() }
  }

  /// The completely known versions, and for each omitted version a sentence saying why.
  ///
  /// - Throws: `ModelSourceError` if no version is known.
  package func wholeVersions() throws(ModelSourceError) -> (versions: [Version], leftOut: [String]) {
    let whole = versions.filter { $0.doubts.isEmpty }
    if whole.isEmpty { for version in versions { _ = try version.whole() } }
    let others = versions.filter { !$0.doubts.isEmpty }
    return (whole, others.map { $0.incomplete($0.doubts).message })
  }

  /// The source for many stores, each of which is judged by itself: only the deciding version has to be known, and of the
  /// others a sentence for each that is not. Stores whose verdict depends on one of those are not judged.
  ///
  /// - Parameters:
  ///   - ignoresPlan: set if the stages are known from elsewhere.
  ///   - deciding: the version the app uses; the current one unless said otherwise.
  /// - Throws: `ModelSourceError` if the deciding version is not known, or no version, or the plan itself.
  package func judgeableForEach(
    ignoresPlan: Bool, deciding: String?
  ) throws(ModelSourceError) -> (source: ModelSource, leftOut: [String]) {
    if !ignoresPlan {
      if let deciding, versions.contains(where: { $0.name == deciding }) {
        try using(deciding).checkPlan()
      } else {
        try checkPlan()
      }
    }
    let unknown = versions.filter { $0.doubt?.gaps.isEmpty == false }
    let needed = deciding ?? currentVersionName ?? versions.last?.name
    for version in unknown where version.name == needed || unknown.count == versions.count {
      throw version.incomplete(version.doubt?.gaps ?? [])
    }
    let planned = ignoresPlan ? [] : Set(plan?.versions ?? [])
    var source = self
    source.versions = versions.filter { $0.doubt?.gaps.isEmpty != false || planned.contains($0.name) }
    return (
      source,
      unknown.map { version in
        planned.contains(version.name)
          ? "\(version.leftOut); a store whose way leads through it is not judged" : version.leftOut
      }
    )
  }

  /// The source with only the versions known well enough to judge how any store opens, and why the others are
  /// omitted; for one store see ``judgeable(for:ignoresPlan:)``.
  ///
  /// A verdict on an incompletely known model would be a guess. So would one on a plan that contains such a version,
  /// because the store may be of that version.
  ///
  /// - Parameter ignoresPlan: set if the stages are known from elsewhere.
  /// - Throws: `ModelSourceError` if the deciding version or one of the plan would be omitted, or if the plan itself is
  ///   not completely known.
  package func judgeable(ignoresPlan: Bool = false) throws(ModelSourceError) -> (source: ModelSource, leftOut: [String])
  {
    let plan = ignoresPlan ? nil : plan
    if !ignoresPlan { try checkPlan() }
    let unknown = versions.filter { $0.doubt?.gaps.isEmpty == false }
    guard !unknown.isEmpty else { return (self, []) }
    let needed = Set((plan?.versions ?? []) + [currentVersionName ?? versions.last?.name].compactMap(\.self))
    for version in unknown where needed.contains(version.name) || unknown.count == versions.count {
      throw version.incomplete(version.doubt?.gaps ?? [])
    }
    var source = self
    source.versions = versions.filter { $0.doubt?.gaps.isEmpty != false }
    source.plan = plan
    return (
      source,
      unknown.map { version in
        version.leftOut
      }
    )
  }
}

extension ModelSource.Version {
  /// How many readings its doubtful entities have, together.
  fileprivate var readingCount: Int { doubt?.entities.values.reduce(0) { $0 + $1.readings.count } ?? 0 }

  /// How well it fits a store: how many entities have the store's hash, how many have its names, and how few it has
  /// besides.
  fileprivate func fit(to hashes: VersionHashes) -> (Int, Int, Int) {
    let own = model.versionHashes.byEntity
    let common = own.filter { hashes.byEntity[$0.key] != nil }
    return (common.count { hashes.byEntity[$0.key] == $0.value }, common.count, -own.count)
  }

  /// The same version, if nothing in it is in doubt.
  ///
  /// - Throws: `ModelSourceError` naming what is.
  package func whole() throws(ModelSourceError) -> ModelSource.Version {
    guard doubts.isEmpty else { throw incomplete(doubts) }
    return self
  }

  /// Whether something of these entities, or of all, is not known.
  package func hasGaps(entities: [String]) -> Bool {
    (doubt?.gaps ?? []).contains { gap in
      entities.isEmpty || gap.entity.map(entities.contains) ?? entities.contains { model.entity(named: $0) == nil }
    }
  }

  /// A sentence saying that the version is left out, and why.
  var leftOut: String {
    if let failure { return "\(name) is left out, since it cannot be read: \(failure.message)" }
    return "\(name) is left out, since it is not known whole: \(doubt?.gaps.first?.message ?? "")"
  }

  /// Everything that is not known of it: gaps and open rules.
  var doubts: [ModelSource.Doubt.Gap] { (doubt?.gaps ?? []) + (doubt?.open ?? []) }

  func incomplete(_ doubts: [ModelSource.Doubt.Gap]) -> ModelSourceError {
    if let failure {
      return ModelSourceError(failure.path, failure.kind, message: "\(name) cannot be read: \(failure.message)")
    }
    let shown = doubts.prefix(5).map(\.message) + (doubts.count > 5 ? ["and \(doubts.count - 5) more"] : [])
    let isOpen = doubts.contains { doubt?.open.contains($0) ?? false }
    let hint = isOpen ? "; a store it wrote, given with --store, decides" : ""
    return ModelSourceError(
      path, .unsupported, message: "\(name) cannot be derived whole: " + shown.joined(separator: "; ") + hint)
  }
}
