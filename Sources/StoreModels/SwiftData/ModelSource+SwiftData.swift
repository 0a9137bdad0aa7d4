import StoreWords
import StoreDataModel
import StoreSwiftDataSchemas

// From Swift source to the versions of a model
// --------------------------------------------
//
//   [SourceSchema] ──► versions, oldest first ──► ModelSource.Version: the likeliest reading, with what is in doubt
//   SourcePlan     ──► order, stages, current version
//
// Every `VersionedSchema` is a version, even one in no plan: stores of it may exist. Without any, each set of classes
// given to a container is a version; without containers, the current classes are the only one.

extension ModelSource {
  /// The versions declared by the Swift source at `path`. If there are several plans and no container selects one,
  /// none is chosen.
  ///
  /// - Throws: `ModelSourceError` if it declares none.
  init(_ reading: SourceReading, path: String) throws(ModelSourceError) {
    let plan = reading.plan
    let schemas = reading.versions(plan)
    guard !schemas.isEmpty else {
      let files = reading.fileCount == 1 ? "1 Swift file" : "\(reading.fileCount) Swift files"
      throw ModelSourceError(path, .unsupported, message: "no @Model class and no VersionedSchema in \(files)")
    }
    let names = Set(schemas.map(\.name))
    var versions: [Version] = []
    for schema in schemas { versions.append(try Version(schema)) }
    let current = reading.current(plan, among: schemas)
    self.init(
      path: path, format: .swift, versions: versions, currentVersionName: current?.name,
      missingVersionNames: (plan?.schemaNames ?? []).filter { !names.contains($0) },
      plan: plan.map { Plan($0, versions: names) },
      currentBasis: current?.basis)
    if reading.plans.count > 1 {
      plans = reading.plans.map { Plan($0, versions: names) }.sorted { $0.name < $1.name }
    }
  }
}

extension SourceReading {
  /// The only plan; if there are several, the only one that containers use.
  fileprivate var plan: SourcePlan? {
    let used = Set(containers.compactMap(\.planName))
    let candidates = plans.count > 1 ? plans.filter { used.contains($0.name) } : plans
    return candidates.count == 1 ? candidates.first : nil
  }

  /// Oldest first: versions outside the plan sorted by identifier, then those of the plan in its order.
  fileprivate func versions(_ plan: SourcePlan?) -> [SourceSchema] {
    let versioned = schemas.filter { $0.origin == .versioned }
    guard versioned.isEmpty else {
      let planned = plan.map { schemas(of: $0).compactMap(\.self) } ?? []
      let others = versioned.filter { !planned.contains($0) }
      return others.sorted { $0.precedes($1) } + planned + [besides(plan)].compactMap(\.self)
    }
    let containers = schemas.filter { $0.origin == .container }
    // Of those with a file, that in the app's target is the app's own, and of several the largest; smaller ones are for
    // previews and single views.
    func rank(_ schema: SourceSchema) -> (Int, Int, Int) {
      (keeps(schema) ? 1 : 0, isOfApp(schema) ? 1 : 0, schema.entities.count)
    }
    return containers.isEmpty ? schemas : containers.sorted { rank($0) < rank($1) }
  }

  /// The classes of the containers that use a plan of one version, where they are more than the version's: there is
  /// nothing to migrate yet, and what is opened is the container's.
  private func besides(_ plan: SourcePlan?) -> SourceSchema? {
    guard let plan, plan.schemaNames.count == 1, plan.schemasProblem == nil, plan.stages.isEmpty,
      let version = schemas(of: plan).compactMap(\.self).first
    else { return nil }
    let names = Set(containers.filter { $0.planName == plan.name && !$0.isTemporary }.compactMap(\.schemaName))
    guard names.count == 1, let own = schemas.first(where: { names.contains($0.name) && $0.origin == .container }),
      own.listProblem == nil
    else { return nil }
    let places = Set(version.entities.map(\.place))
    return places.isStrictSubset(of: own.entities.map(\.place)) ? own : nil
  }

  /// Whether the schema is used by a container that writes a file, in the target of an app.
  private func isOfApp(_ schema: SourceSchema) -> Bool {
    containers.contains { $0.schemaName == schema.name && !$0.isTemporary && $0.isOfApp }
  }

  /// Whether the schema is used by a container that writes a file.
  private func keeps(_ schema: SourceSchema) -> Bool {
    let uses = containers.filter { $0.schemaName == schema.name }
    return uses.isEmpty || uses.contains { !$0.isTemporary }
  }

  /// The version that the app as it is now would use, and why that one.
  fileprivate func current(_ plan: SourcePlan?, among versions: [SourceSchema]) -> (name: String, basis: String)? {
    if let own = besides(plan) { return (own.name, "the container's classes, more than those of its plan") }
    if let plan, let name = plan.schemaNames.last { return (name, "the last version of \(quoted(plan.name))") }
    if let name = versionOfContainer { return (name, "the version that containers are made for") }
    guard let last = versions.last, plans.count < 2 else { return nil }
    return switch last.origin {
    case .versioned: (last.name, "the last version, since no plan and no container says which")
    case .container:
      switch versions.filter(keeps).count {
      case _ where versions.count == 1: (last.name, "the only container")
      case 1: (last.name, "the only container that is not in memory or a preview")
      case _ where versions.count(where: isOfApp) == 1: (last.name, "the only container of the app's target")
      default: (last.name, "of several containers the one with the most classes")
      }
    case .liveClasses: (last.name, "the classes as they are, since no container for them was found")
    }
  }

  /// The version that all containers use, if they agree.
  fileprivate var versionOfContainer: String? {
    let kept = containers.filter { !$0.isTemporary }
    let names = Set((kept.isEmpty ? containers : kept).compactMap(\.schemaName)).filter { name in
      schemas.contains { $0.name == name && $0.origin == .versioned }
    }
    return names.count == 1 ? names.first : nil
  }
}

extension SourceSchema {
  fileprivate func precedes(_ other: SourceSchema) -> Bool {
    let (own, others) = (identifier.text ?? "", other.identifier.text ?? "")
    return own == others ? versionNamesPrecede(name, other.name) : versionNamesPrecede(own, others)
  }
}

extension ModelSource.Plan {
  /// - Parameter versions: the names of the versions that the source declares.
  fileprivate init(_ plan: SourcePlan, versions: Set<String>) {
    let listed = plan.stages.filter(\.isListed)
    self.init(
      name: plan.name, versions: plan.schemaNames, stages: listed.map(\.notation),
      prepared: listed.filter(\.willMigrate).map(\.notation),
      problem: plan.schemasProblem ?? plan.stagesProblem
        ?? listed.lazy.compactMap { $0.problem(versions) }.first)
  }
}

extension SourcePlan.Stage {
  /// Says that the stage names a version the source does not declare; nil if it declares both.
  fileprivate func problem(_ versions: Set<String>) -> String? {
    [fromVersion, toVersion].first { !versions.contains($0) }.map { name in
      "\(place.file):\(place.line):\(place.column): a stage names \(quoted(name)), which is no version of the sources"
    }
  }
}

extension ModelSource.Version {
  /// - Throws: `ModelSourceError` if the classes contradict each other.
  fileprivate init(_ schema: SourceSchema) throws(ModelSourceError) {
    let path = "\(schema.place.file):\(schema.place.line)"
    let model: Model
    do {
      model = try schema.model().from(path, version: schema.name)
    } catch {
      throw ModelSourceError(path, .damaged, message: "\(schema.name) is no model: \(error)")
    }
    self.init(name: schema.name, path: path, model: model)
    isContainer = schema.origin == .container
    details = Dictionary(schema.entities.map { ($0.name, $0.details) }) { first, _ in first }
    systems = schema.systems.map { system in
      var system = system
      system.model = system.model.from(path, version: schema.name)
      return system
    }
    let gaps = schema.gaps
    let assumed = schema.entities.flatMap { entity in entity.assumed.map { "\(entity.className).\($0) (--assume)" } }
    guard !gaps.isEmpty || schema.hasReadings || !assumed.isEmpty else { return }
    var doubt = ModelSource.Doubt(gaps: gaps, open: schema.open) { hashes, framework, isReader in
      let (choices, decided) = schema.choices(
        hashes, framework: framework.flatMap { Int(exactly: $0) }, isReader: isReader)
      return ((try? schema.model(choosing: choices).from(path, version: schema.name)) ?? model, decided)
    } choose: { choices in
      try? schema.model(choosing: choices).from(path, version: schema.name)
    }
    let doubtful = schema.entities.filter { $0.certainty != .derived || $0.variants.count > 1 }
    doubt.assumed = assumed
    doubt.assumedEntities = Set(schema.entities.filter { !$0.assumed.isEmpty }.map(\.name))
    doubt.entities = Dictionary(doubtful.map { ($0.name, DoubtfulEntity($0)) }) { first, _ in first }
    self.doubt = doubt
  }
}

extension DoubtfulEntity {
  fileprivate init(_ entity: SourceEntity) {
    let readings = entity.variants.enumerated().map { position, variant in
      Reading(choices: variant.choices, entity: variant.entity, hash: variant.hash, position: position)
    }
    let isCurrent = entity.variants.map(\.frameworks.isCurrent)
    let unknown = entity.reasons.map { $0.words(in: entity) }
    let properties = entity.reasons.map { $0.type == nil ? nil : $0.property }
    self.init(
      readings: readings.filter { isCurrent[$0.position] }, olderReadings: readings.filter { !isCurrent[$0.position] },
      unknown: unknown.contains(nil) ? nil : unknown.compactMap(\.self),
      unknownProperties: properties.contains(nil) ? nil : Set(properties.compactMap(\.self)),
      declaration: "\(entity.place.file):\(entity.place.offset)")
  }
}

extension SourceEntity.Reason {
  /// The gap and the spelling of the type; nil if equal text does not mean equal types: for a type declared
  /// in the sources, or for something that may add members.
  fileprivate func words(in entity: SourceEntity) -> String? {
    guard let property, let type, let place, entity.propertyPlaces[property] == place,
      let annotation = typeAnnotation(of: property, at: place)
    else { return nil }
    return "\(property): \(annotation), \(type): \(message)"
  }
}

extension SourceSchema {
  /// Whether some entity has several readings.
  fileprivate var hasReadings: Bool { entities.contains { $0.variants.count > 1 } }

  fileprivate var gaps: [ModelSource.Doubt.Gap] {
    let list = listProblem.map { ModelSource.Doubt.Gap(entity: nil, "the classes of \(name) (\(place)): \($0)") }
    return (list.map { [$0] } ?? [])
      + entities.flatMap { entity in
        entity.reasons.map { reason in
          let property = ([entity.className] + [reason.property].compactMap(\.self)).joined(separator: ".")
          let remedy = reason.remedy.map { "; \($0)" } ?? ""
          return .init(entity: entity.name, "\(property) (\(reason.place ?? entity.place)): \(reason.message)\(remedy)")
        }
      }
  }

  fileprivate var open: [ModelSource.Doubt.Gap] {
    entities.filter { $0.certainty == .open }.map { entity in
      let rules = entity.openWords.joined(separator: "; ")
      let readings = "\(entity.variants.count) ways, between which a store would decide"
      return .init(entity: entity.name, "\(entity.className) can be read in \(readings): \(rules)")
    }
  }

  /// For each entity, the position of the reading that has the store's hash; if none has, of the likeliest one that
  /// this framework version could have made. Where that is of a system that is to read the source, other readings than its
  /// own do not count.
  fileprivate func choices(
    _ hashes: VersionHashes, framework: Int?, isReader: Bool
  ) -> (choices: [String: Int], decided: [String]) {
    var (choices, decided): ([String: Int], [String]) = ([:], [])
    for entity in entities where entity.variants.count > 1 {
      var possible = entity.variants(framework: framework)
      if isReader, let framework { possible = possible.filter { $0.frameworks.contains(framework) } }
      let stored = hashes.byEntity[entity.name]
      let proved = stored.flatMap { stored in possible.first { $0.hash == stored } }
      guard let chosen = proved ?? possible.first, let position = entity.variants.firstIndex(of: chosen) else {
        continue
      }
      choices[entity.name] = position
      if proved != nil, !chosen.choices.isEmpty {
        decided.append("\(entity.className): \(chosen.choices.joined(separator: "; "))")
      }
    }
    return (choices, decided)
  }
}
