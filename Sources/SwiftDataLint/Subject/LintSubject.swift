import StoreSwiftDataSchemas
import SwiftDataSource

/// Everything the checks look at: source as it was read and derived, with what several checks ask for found once.
struct LintSubject {
  let project: SourceProject
  let names: NameTable
  let reading: SourceReading
  /// The types that conform to `VersionedSchema`, by place.
  let versions: [LintVersion]
  /// The plans, by place.
  let plans: [LintPlan]
  /// The containers of the source, by place.
  let containers: [LintContainer]
  /// Code that was looked into.
  let code: LintCode
  /// What the `@Model` classes say of themselves.
  let shapes: [TypeID: ClassShape]
  /// Code of tests; nil where there is no plan that they could migrate with.
  let testCode: TestCode?
  /// The `@Model` classes by where their names stand.
  private let classes: [SourcePlace: TypeID]

  init(_ project: SourceProject, codeBytes: Int = LintCode.maximumBytes) {
    self.project = project
    names = project.names
    reading = project.reading
    let reader = ClassShapeReader(table: project.names)
    shapes = Dictionary(project.models.map { ($0, reader.shape(of: $0)) }) { first, _ in first }
    classes = Dictionary(project.models.map { (project.names.place(of: $0), $0) }) { first, _ in first }
    versions = Self.versions(project, reading)
    plans = Self.plans(project, reading, versions)
    testCode = plans.isEmpty ? nil : project.testCode
    var code = LintCode(project.names, bytes: codeBytes)
    StageBodies(names: project.names).read(plans.flatMap(\.stages), into: &code)
    containers = LintContainers(
      names: project.names, reading: reading, entitlements: Entitlements(project.surroundings.entitlements)
    ).all(&code)
    self.code = code
  }

  private static func versions(_ project: SourceProject, _ reading: SourceReading) -> [LintVersion] {
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
    _ project: SourceProject, _ reading: SourceReading, _ versions: [LintVersion]
  ) -> [LintPlan] {
    let byPlace = Dictionary(reading.plans.map { ($0.place, $0) }) { first, _ in first }
    let byName = Dictionary(grouping: versions, by: \.name)
    return project.plans.compactMap { id -> LintPlan? in
      guard let plan = byPlace[project.names.place(of: id)] else { return nil }
      let versions = plan.schemaNames.map { name -> LintVersion? in
        let found = byName[name] ?? []
        return found.count == 1 ? found[0] : nil
      }
      return LintPlan(
        id: id, plan: plan, versions: versions, stages: project.stages(of: id),
        neighbours: zip(versions, versions.dropFirst()).compactMap { from, to in
          guard let from, let to else { return nil }
          return Neighbours(from: from, to: to)
        })
    }.sorted { $0.plan.place < $1.plan.place }
  }

  // MARK: Looking up

  /// The class an entity was derived from.
  func classID(of entity: SourceEntity) -> TypeID? { classes[entity.place] }

  /// What a class of a version says of itself.
  func shape(of entity: SourceEntity) -> ClassShape? { classID(of: entity).flatMap { shapes[$0] } }

  /// The version a class stands in, itself or in an extension; nil for a live one.
  func version(containing id: TypeID) -> LintVersion? {
    var current = names[id].parent
    while let parent = current {
      if let version = versions.first(where: { $0.id == parent }) { return version }
      current = names[parent].parent
    }
    return nil
  }

  func place(_ span: SourceSpan, in file: Int) -> SourcePlace { names.files[file].place(span) }

  /// The name of a stored property in its declaration.
  func place(of member: ModelMember) -> SourcePlace { member.stored.place }

  /// The property of a class, if it declares it.
  func member(_ name: String, of shape: ClassShape?) -> ModelMember? {
    shape?.members.first { $0.stored.name == name }
  }
}

/// A version with what its list names.
struct LintVersion {
  struct Entry {
    /// As it is written.
    var text: String
    var id: TypeID
    /// Nil where another list has it, which the version's refers to.
    var place: SourcePlace?
  }

  let id: TypeID
  let schema: SourceSchema
  let entries: [Entry]
  private let entities: [String: SourceEntity]

  init(id: TypeID, schema: SourceSchema, entries: [Entry]) {
    self.id = id
    self.schema = schema
    self.entries = entries
    entities = Dictionary(schema.entities.map { ($0.name, $0) }) { first, _ in first }
  }

  var name: String { schema.name }
  func entity(named name: String) -> SourceEntity? { entities[name] }
}

/// A plan with its versions and the syntax of its stages.
struct LintPlan {
  let id: TypeID
  let plan: SourcePlan
  /// In the order of `schemas`; nil for what is no version of the sources.
  let versions: [LintVersion?]
  /// Those of `stages` first, then those that are not listed.
  let stages: [StageDeclaration]
  /// Versions that follow each other, where both are known.
  let neighbours: [Neighbours]

  /// The stage between two versions, if it is listed.
  func stage(from: LintVersion, to: LintVersion) -> StageDeclaration? {
    stages.first { $0.stage.isListed && $0.fromVersion == from.id && $0.toVersion == to.id }
  }
}
