import StoreSwiftDataSchemas

extension SourceProject {
  /// Everything the source says about models, derived.
  package var reading: SourceReading { read().reading }

  /// Everything the source says about models, with the calls that make containers, and who calls their functions.
  package func read() -> (reading: SourceReading, uses: [ContainerUse], sites: CallSites) { read(nil) }

  /// - Parameter derived: what is known of another state, begun with this one's names.
  func read(_ derived: KnownDerivations?) -> (reading: SourceReading, uses: [ContainerUse], sites: CallSites) {
    var maker = ReadingMaker(self, derived)
    maker.readVersions()
    maker.readContainers()
    maker.readLiveClasses()
    let readers = PlanReader(table: names)
    let reading = SourceReading(
      schemas: maker.schemas, plans: plans.map { readers.plan($0).plan }.sorted { $0.place < $1.place },
      containers: maker.containers, problems: problems, fileCount: fileCount, parsedFileCount: files.count)
    return (reading, maker.uses, maker.finder.sites)
  }
}

/// Collects the schemas of a project; each list of classes is derived once.
private struct ReadingMaker {
  let project: SourceProject
  let table: NameTable
  let deriver: SchemaDeriver
  var schemas: [SourceSchema] = []
  /// The calls that make containers, by place.
  private(set) var uses: [ContainerUse] = []
  private(set) var finder: ContainerUses
  private var containerSchemas: [ContainerKey: String] = [:]
  /// The files in which apps begin.
  private let appFiles: Set<Int>

  private struct ContainerKey: Hashable {
    var classes: Set<TypeID>
    var identifier: SourceSchema.Identifier
    var problem: String?
  }

  init(_ project: SourceProject, _ derived: KnownDerivations?) {
    self.project = project
    table = project.names
    deriver = SchemaDeriver(table: project.names, known: derived)
    finder = ContainerUses(project.names)
    appFiles = Set(project.names.types.filter(\.isApp).map(\.file))
  }

  mutating func readVersions() {
    let reader = VersionReader(table: table)
    for id in project.versions {
      let list = reader.models(of: id)
      var schema = SourceSchema(
        name: table[id].qualifiedName, place: table.place(of: id), origin: .versioned,
        identifier: reader.identifier(of: id), listProblem: list.problem, entities: deriver.entities(of: list.ids))
      schema.isListDoubtful = list.isDoubtful
      schemas.append(schema)
    }
    schemas.sort { $0.place < $1.place }
  }

  /// Those of previews come last, so that a schema they share with the app is not named after them.
  mutating func readContainers() {
    let first = schemas.count
    for isInPreview in [false, true] {
      for (file, source) in table.files.enumerated() {
        for call in source.calls where call.isInPreview == isInPreview {
          let scope = Scope(file: file, type: table.innermostType(at: call.span, file: file))
          for scope in finder.scopes(of: call, in: scope) { read(call, at: source.place(call.span), in: scope) }
        }
      }
    }
    uses.sort { ($0.scope.file, $0.call.span.start) < ($1.scope.file, $1.call.span.start) }
    schemas[first...].sort { $0.place < $1.place }
  }

  private mutating func read(_ call: ContainerCall, at place: SourcePlace, in scope: Scope) {
    let reader = ContainerReader(table: table)
    guard let (target, problem) = reader.target(of: call, in: scope) else { return }
    let name = target.map { schemaName(for: $0, at: place, isInPreview: call.isInPreview) }
    guard call.kind != .schema else { return }
    let (plan, planProblem) = reader.plan(of: call, in: scope)
    uses.append(
      ContainerUse(
        call: call, scope: scope,
        container: SourceContainer(
          place: place, schemaName: name, planName: plan,
          isTemporary: call.isInPreview || ContainerConfigurations(names: table, call: call, scope: scope).isInMemory,
          isOfApp: appFiles.contains { table.shareATarget($0, scope.file) }, problem: problem ?? planProblem)))
  }

  /// What the calls make, each once.
  var containers: [SourceContainer] {
    var all: [SourceContainer] = []
    for container in uses.map(\.container) where !all.suffix(ContainerUses.maximumCallers).contains(container) {
      all.append(container)
    }
    return all.sorted { $0.place < $1.place }
  }

  /// The name of a container's schema, which is derived if there is none yet.
  private mutating func schemaName(for target: ContainerTarget, at place: SourcePlace, isInPreview: Bool) -> String {
    switch target.classes {
    case .version(let id): return table[id].qualifiedName
    case .list(let list):
      let key = ContainerKey(classes: Set(list.ids), identifier: target.identifier, problem: list.problem)
      if let name = containerSchemas[key] { return name }
      let name = freeName(place) + (isInPreview ? " (preview)" : "")
      containerSchemas[key] = name
      var schema = SourceSchema(
        name: name, place: place, origin: .container, identifier: target.identifier, listProblem: list.problem,
        entities: deriver.entities(of: list.ids))
      schema.isListDoubtful = list.isDoubtful
      schemas.append(schema)
      return name
    }
  }

  /// A schema's name by its place: "NotesApp.swift:12".
  private func freeName(_ place: SourcePlace) -> String {
    let file = place.file.split(separator: "/").last.map { String($0) } ?? place.file
    let name = "\(file):\(place.line)"
    return schemas.contains { $0.name == name } ? "\(place.file):\(place.line):\(place.column)" : name
  }

  /// Reads live classes that are in no version and no container.
  mutating func readLiveClasses() {
    let live = project.liveModels
    let known = Set(schemas.flatMap { $0.entities.map(\.className) })
    guard let first = live.first(where: { !known.contains(table[$0].qualifiedName) }) else { return }
    schemas.append(
      SourceSchema(
        name: "live", place: table.place(of: first), origin: .liveClasses, identifier: .left,
        entities: deriver.entities(of: live)))
  }
}
