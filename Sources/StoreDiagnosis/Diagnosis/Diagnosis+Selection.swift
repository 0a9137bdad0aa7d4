import StoreDataModel
import StoreFindings
import StoreCoreData
import StoreSQLite

// The way of the findings of all checks:
//
//   moved    to the severity that the configuration gives their check
//   muted    by the configuration, with its reason: counted and named, but neither shown nor part of the exit status
//   left out because only some entities were asked for: counted, but neither shown nor part of the exit status

extension Diagnosis {
  /// The configuration used for a diagnosis, and its effect.
  public struct ConfigurationUse: Sendable, Equatable {
    /// The file, as given or as seen from the working directory.
    public var path: PosixPath
    /// Its mutes for the checks that were run, in its order, including those without findings.
    public var muted: [Muted] = []
    /// The severities it sets, by check.
    public var severities: [MovedSeverity] = []

    /// A mute with the findings it muted.
    public struct Muted: Sendable, Equatable {
      /// Which findings are muted, and why.
      package var mute: Configuration.Mute
      /// The muted findings.
      public var findings: [Finding]
    }

    /// A severity that replaces the check's own.
    public struct MovedSeverity: Sendable, Equatable {
      /// The check's id.
      public var check: String
      /// The new severity.
      public var severity: Severity
      /// How many findings have another severity because of it.
      public var findings: Int
    }
  }

  /// The entities that were asked for, and the findings left out because of that.
  public struct Scope: Sendable, Equatable {
    /// The names as given.
    public var entities: [String]
    /// Findings of other entities.
    public var leftOut: [Finding]
  }
}

extension Finding {
  /// The finding with its check's severity changed from `own` to `severity`. If the check itself gave it a lower
  /// severity than its own, it is never raised.
  fileprivate func moved(to severity: Severity, from own: Severity) -> Finding {
    var moved = self
    moved.severity = self.severity < own ? min(self.severity, severity) : severity
    return moved
  }
}

extension Examination {
  /// Removes findings that are muted or were not asked for. Mutes for checks that were not run are not listed, since
  /// that would say they found nothing.
  func selected(_ findings: [Finding], of checks: [Check]) -> (
    shown: [Finding], use: Diagnosis.ConfigurationUse?, scope: Diagnosis.Scope?
  ) {
    var use = options.configuration.map { Diagnosis.ConfigurationUse(path: $0.path) }
    var shown = findings
    if let configuration = options.configuration {
      use?.severities = move(&shown, by: configuration, of: checks)
      let run = Set(checks.map(\.id))
      use?.muted = configuration.mutes.filter { run.contains($0.check) }.map { mute in
        .init(mute: mute, findings: take(from: &shown) { covers(mute, finding: $0) })
      }
    }
    guard !options.entities.isEmpty else { return (shown, use, nil) }
    let wanted = options.entities.reduce(into: Set<String>()) { $0.formUnion(namesWithAncestors($1)) }
    let leftOut = take(from: &shown) { finding in finding.entity.map { !wanted.contains($0) } ?? false }
    return (shown, use, .init(entities: options.entities, leftOut: leftOut))
  }

  private func move(
    _ findings: inout [Finding], by configuration: Configuration, of checks: [Check]
  ) -> [Diagnosis.ConfigurationUse.MovedSeverity] {
    checks.compactMap { check in
      guard let severity = configuration.severities[check.id] else { return nil }
      var count = 0
      for position in findings.indices where findings[position].id == check.id {
        let moved = findings[position].moved(to: severity, from: check.severity)
        if moved.severity != findings[position].severity { count += 1 }
        findings[position] = moved
      }
      return .init(check: check.id, severity: severity, findings: count)
    }
  }

  private func take(from findings: inout [Finding], where isTaken: (Finding) -> Bool) -> [Finding] {
    let taken = findings.filter(isTaken)
    findings.removeAll(where: isTaken)
    return taken
  }

  private func covers(_ mute: Configuration.Mute, finding: Finding) -> Bool {
    guard mute.check == finding.id else { return false }
    guard let entity = mute.entity else { return true }
    guard let place = finding.entity, names(entity).contains(place) else { return false }
    return mute.property.map { $0 == finding.property } ?? true
  }

  /// A renamed entity has two names.
  private func names(_ entity: String) -> Set<String> {
    let layout = store.layout.entity(named: entity)
    return Set([entity, layout?.name, layout?.modelName].compactMap(\.self))
  }

  /// The entity and its ancestors; findings of inherited properties are at the ancestor that declares them.
  private func namesWithAncestors(_ entity: String) -> Set<String> {
    var names = names(entity)
    var next = store.layout.entity(named: entity)?.parent
    // A parent seen before means a cycle, which only a damaged entity map has.
    while let parent = next, names.insert(parent).inserted {
      let layout = store.layout.entity(named: parent)
      if let name = layout?.modelName { names.insert(name) }
      next = layout?.parent
    }
    return names
  }

  /// Throws if an entity was asked for that neither the store nor a model has.
  func checkEntityNames() throws {
    guard options.expectsEntities else { return }
    let models = options.candidates.models.flatMap(\.versions).flatMap(\.model.entities).map(\.name)
    for name in options.entities where store.layout.entity(named: name) == nil && !models.contains(name) {
      let own = store.layout.entities.filter { !$0.id.isInternal }.map(\.name)
      throw UnknownEntity(name: name, known: Array(Set(own + models)), place: "store")
    }
  }
}
