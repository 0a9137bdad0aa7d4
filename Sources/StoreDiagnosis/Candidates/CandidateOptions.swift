import StoreMigration
import StoreModels
import StoreDataModel

/// The models an app may open the store with, and how it opens it.
package struct CandidateOptions: Sendable {
  /// In the order of versions; a bundle contributes all its versions.
  package var models: [ModelSource]
  /// The way of opening whose verdict is the overall one. If nil, all are judged, and the overall one is the staged
  /// opening if the models have a plan with stages, else the automatic one.
  package var opening: OpeningWay?
  /// The stages of the plan, in the notation of `StagePlan`; if empty, one lightweight stage.
  package var stages: [String]
  /// The order of the versions of a bundle in the plan; if empty, by name, which is assumed.
  package var planOrder: [String]
  /// The mapping models in the app, in the order they are searched.
  package var mappings: MappingSources
  /// The git history of the app's models, which tells when versions came and were changed; nil for none.
  package var history: VersionHistory?
  /// The version that was chosen by ``deciding(on:)``; nil where the models' own current one decides.
  package private(set) var chosenVersion: String?

  /// Whether each step between the versions of the plan is judged by itself; who shows none saves the time.
  package var judgesSteps = true

  /// By default no model is given.
  package init(
    models: [ModelSource] = [], opening: OpeningWay? = nil, stages: [String] = [], planOrder: [String] = [],
    mappings: MappingSources = MappingSources()
  ) {
    self.models = models
    self.opening = opening
    self.stages = stages
    self.planOrder = planOrder
    self.mappings = mappings
  }

  /// A unique label for every version of all models: its name, or source and name if several have that name.
  package var versionNames: [String] { ((try? CandidateList(self))?.versions ?? []).map(\.label) }

  /// The same options where a version of that name decides in place of the current one; models after it are left out.
  ///
  /// - Returns: nil where no model has such a version.
  package func deciding(on version: String) -> CandidateOptions? {
    guard let last = models.lastIndex(where: { $0.versions.contains { $0.name == version } }) else { return nil }
    var options = self
    options.models = models[..<last] + [models[last].using(version)]
    options.chosenVersion = version
    return options
  }

  /// - Throws: `StagePlanError` for a stage or an order that names an unknown version.
  package func check() throws(StagePlanError) { _ = try CandidateList(self).plan(self, known: JudgedModels()) }
}

extension ModelSource {
  /// Whether its versions are given as `PATH#VERSION`, even if it has only one left.
  fileprivate var holdsVersionsByName: Bool {
    switch format {
    case .compiledBundle, .xcodeBundle, .swift: true
    case .json: versions.count > 1
    case .compiled, .xcode, .store: false
    }
  }
}

/// The versions of all given models, in order.
struct CandidateList {
  var versions: [Version]
  /// The position of the deciding version.
  var deciding: Int

  /// A version and where it comes from.
  struct Version {
    var source: ModelSource
    var name: String
    /// The name if no other version has it, else source and name.
    var label: String
    var argument: String
    var original: ModelSource.Version

    var model: Model { original.model }
  }

  /// The deciding version is the current one of a bundle, or else its last; of several models, that of the last
  /// model.
  init(_ options: CandidateOptions) throws(StagePlanError) {
    versions = []
    deciding = 0
    var names: [String: Int] = [:]
    for name in options.models.flatMap(\.versions).map(\.name) { names[name, default: 0] += 1 }
    for source in options.models {
      let ordered = try Self.ordered(source, by: options.planOrder)
      deciding = versions.count + (ordered.firstIndex { $0.name == source.currentVersionName } ?? ordered.count - 1)
      versions += ordered.map { version in
        let isAlone = names[version.name] == 1
        let argument = source.holdsVersionsByName ? "\(source.path)#\(version.name)" : source.path
        return Version(
          source: source, name: version.name, label: isAlone ? version.name : argument, argument: argument,
          original: version)
      }
    }
  }

  /// The versions of a source: first those not named in `planOrder`, then the named ones in that order.
  private static func ordered(
    _ source: ModelSource, by order: [String]
  ) throws(StagePlanError) -> [ModelSource.Version] {
    guard !order.isEmpty, source.versions.count > 1 else { return source.versions }
    for name in order where !source.versions.contains(where: { $0.name == name }) {
      let known = source.versions.map(\.name).joined(separator: ", ")
      throw StagePlanError(
        stage: order.joined(separator: ","), problem: "no version '\(name)' among those of \(source.path) (\(known))")
    }
    let named = order.compactMap { name in source.versions.first { $0.name == name } }
    return source.versions.filter { !order.contains($0.name) } + named
  }

  /// The given stages as a plan. Without stages, one lightweight stage: through the versions of the deciding bundle,
  /// or through all versions if each was given separately.
  func plan(_ options: CandidateOptions, known: JudgedModels) throws(StagePlanError) -> StagePlan {
    func planned(_ version: Version, named name: String) -> StagePlan.Version {
      StagePlan.Version(name: name, model: version.model, checksum: known.hashes(of: version.model).checksum)
    }
    let all = versions.map { planned($0, named: $0.label) }
    let bundle = versions.indices.contains(deciding) ? versions[deciding].source : nil
    let stages = options.stages.isEmpty && options.planOrder.isEmpty ? bundle?.plan?.stages ?? [] : options.stages
    guard stages.isEmpty else {
      // Stages are written with the plain names of the versions, even if further models are given.
      let own = versions.filter { $0.source.path == bundle?.path }
      return try StagePlan(notation: stages, versions: own.map { planned($0, named: $0.name) } + all)
    }
    guard let bundle else { return StagePlan(lightweight: []) }
    guard bundle.versions.count > 1 else { return StagePlan(lightweight: all) }
    guard !versions[deciding].original.isContainer else { return StagePlan(lightweight: [all[deciding]]) }
    let order = options.planOrder.isEmpty ? bundle.plan?.versions ?? [] : options.planOrder
    let inPlan = zip(versions, all).filter { version, _ in
      version.source.path == bundle.path && (order.isEmpty || order.contains(version.name))
    }
    guard order.isEmpty else { return StagePlan(lightweight: inPlan.map(\.1)) }
    let byLabel = Dictionary(inPlan.map { ($0.name, $1) }) { first, _ in first }
    var assumed = StagePlan(lightweight: bundle.versionsByAge(inPlan.map(\.0.name)).compactMap { byLabel[$0] })
    assumed.isOrderAssumed = true
    return assumed
  }

  /// Whether the app opens its store with a plan with stages; then it always uses staged migration.
  var opensStaged: Bool {
    versions.indices.contains(deciding) && versions[deciding].source.plan?.stages.isEmpty == false
  }

  /// Whether there is a plan: stages or an order were given, staged opening was asked for, the source has a plan with
  /// stages, or the model is a bundle of several versions.
  func hasPlan(_ options: CandidateOptions) -> Bool {
    !options.stages.isEmpty || !options.planOrder.isEmpty || options.opening == .staged || opensStaged
      || versions.indices.contains(deciding) && versions[deciding].source.versions.count > 1
        && !versions[deciding].original.isContainer
  }
}
