import StoreDataModel
import StoreSwiftDataSchemas
import SwiftDataSource

/// Everything that checks examine: the source as read and derived, and results that several checks need.
struct LintSubject {
  let project: SourceProject
  let names: NameTable
  let reading: SourceReading
  /// The types that conform to `VersionedSchema`, by place.
  let versions: [LintVersion]
  /// The plans: first those that containers are made with, by place, then the others.
  private(set) var plans: [LintPlan]
  /// The containers of the source, by place.
  let containers: [LintContainer]
  /// The plans that no container is made with.
  let unused: UnusedPlans
  let entitlements: Entitlements
  /// Code that checks examine.
  let code: LintCode
  /// The `@Model` classes as declared.
  let shapes: [TypeID: ClassShape]
  /// Code of tests; nil where there is no plan to migrate with.
  let testCode: TestCode?
  /// The `@Model` classes by the place of their names.
  private let classes: [SourcePlace: TypeID]

  init(_ project: SourceProject, codeBytes: Int = LintCode.maximumBytes) {
    self.project = project
    names = project.names
    let (reading, uses, foundSites) = project.read()
    var sites = foundSites
    self.reading = reading
    let reader = ClassShapeReader(table: project.names)
    shapes = Dictionary(project.models.map { ($0, reader.shape(of: $0)) }) { first, _ in first }
    classes = Dictionary(project.models.map { (project.names.place(of: $0), $0) }) { first, _ in first }
    versions = Self.versions(project, reading: reading)
    plans = Self.plans(of: project, reading: reading, versions: versions)
    testCode = plans.isEmpty ? nil : project.testCode
    var code = LintCode(project.names, bytes: codeBytes)
    StageBodies(names: project.names).read(plans.flatMap(\.stages), into: &code)
    entitlements = Entitlements(project.surroundings)
    containers = LintContainers(names: project.names, entitlements: entitlements).all(uses, &code, &sites)
    self.code = code
    unused = UnusedPlans(
      plans, containers: containers, schemas: reading.schemas, names: project.names, versions: versions)
    let idle = Set(unused.plans.map(\.id))
    plans = plans.filter { !idle.contains($0.id) } + unused.plans
  }

  /// The same without the plans that no container is made with; nil where there are none.
  var withoutUnusedPlans: LintSubject? {
    guard !unused.plans.isEmpty else { return nil }
    var rest = self
    rest.plans.removeLast(unused.plans.count)
    return rest
  }

  private static func versions(_ project: SourceProject, reading: SourceReading) -> [LintVersion] {
    let reader = VersionReader(table: project.names)
    let byPlace = Dictionary(reading.schemas.filter { $0.origin == .versioned }.map { ($0.place, $0) }) { first, _ in
      first
    }
    return project.versions.compactMap { id -> LintVersion? in
      guard let schema = byPlace[project.names.place(of: id)] else { return nil }
      let list = reader.models(of: id)
      let own = project.names[id].staticVariable("models")
      return LintVersion(
        id: id, schema: schema,
        entries: list.entries.compactMap { entry in
          let isOwn = own.map { $0.file == entry.file && $0.variable.span.contains(entry.span) } ?? false
          let place = project.files[entry.file].place(entry.span)
          return entry.id.map { LintVersion.Entry(text: entry.text, id: $0, place: isOwn ? place : nil) }
        })
    }.sorted { $0.schema.place < $1.schema.place }
  }

  private static func plans(
    of project: SourceProject, reading: SourceReading, versions: [LintVersion]
  ) -> [LintPlan] {
    let byPlace = Dictionary(reading.plans.map { ($0.place, $0) }) { first, _ in first }
    let byName = Dictionary(grouping: versions, by: \.name)
    return project.plans.compactMap { id -> LintPlan? in
      guard let plan = byPlace[project.names.place(of: id)] else { return nil }
      let versions = plan.schemaNames.map { name -> LintVersion? in
        let found = byName[name] ?? []
        return found.count == 1 ? found[0] : nil
      }
      let neighbours = zip(versions, versions.dropFirst()).compactMap { from, to -> Neighbours? in
        guard let from, let to else { return nil }
        return Neighbours(from: from, to: to)
      }
      return LintPlan(
        id: id, plan: plan, versions: versions, stages: project.stages(of: id), neighbours: neighbours,
        runs: PlannedRun.all(of: plan, versions: versions, neighbours: neighbours))
    }.sorted { $0.plan.place < $1.plan.place }
  }

  // MARK: Looking up

  /// The class an entity was derived from.
  func classID(of entity: SourceEntity) -> TypeID? { classes[entity.place] }

  /// The declaration of an entity's class.
  func shape(of entity: SourceEntity) -> ClassShape? { classID(of: entity).flatMap { shapes[$0] } }

  /// The version that contains a class, directly or in an extension; nil for a live one.
  func version(containing id: TypeID) -> LintVersion? {
    var current = names[id].parent
    while let parent = current {
      if let version = versions.first(where: { $0.id == parent }) { return version }
      current = names[parent].parent
    }
    return nil
  }

  func place(_ span: SourceSpan, in file: Int) -> SourcePlace { names.files[file].place(span) }

  /// A property that the class itself declares.
  func member(_ name: String, of shape: ClassShape?) -> ModelMember? {
    shape?.members.first { $0.stored.name == name }
  }
}

/// A version with the entries of its list.
struct LintVersion {
  struct Entry {
    /// The text as written.
    var text: String
    var id: TypeID
    /// Nil if the entry is in another list that the version's refers to.
    var place: SourcePlace?
  }

  let id: TypeID
  let schema: SourceSchema
  let entries: [Entry]
  /// Nil where the classes contradict one another, and make no model.
  let model: Model?
  private let entities: [String: SourceEntity]

  init(id: TypeID, schema: SourceSchema, entries: [Entry]) {
    self.id = id
    self.schema = schema
    self.entries = entries
    model = try? schema.model()
    entities = Dictionary(schema.entities.map { ($0.name, $0) }) { first, _ in first }
  }

  var name: String { schema.name }
  func entity(named name: String) -> SourceEntity? { entities[name] }
}

/// A plan with its versions and the syntax of its stages.
struct LintPlan {
  let id: TypeID
  let plan: SourcePlan
  /// In the order of `schemas`; nil for one that is not a version in the sources.
  let versions: [LintVersion?]
  /// First those in `stages`, then unlisted ones.
  let stages: [StageDeclaration]
  /// Consecutive versions, where both are known.
  let neighbours: [Neighbours]
  /// The migrations that are inferred on the way to the last version, from wherever a store starts.
  let runs: [PlannedRun]

  /// Whether it has one version and no stage, so that there is nothing to migrate.
  var isSole: Bool { versions.count == 1 && stages.isEmpty }

  /// The stage between two versions, if it is listed.
  func stage(from: LintVersion, to: LintVersion) -> StageDeclaration? {
    stages.first { $0.stage.isListed && $0.fromVersion == from.id && $0.toVersion == to.id }
  }
}
