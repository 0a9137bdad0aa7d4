import StoreMigration
import StoreModels
import StoreDataModel

/// The models an app may open the store with, and how it opens it.
public struct CandidateOptions: Sendable {
  /// In the order of versions; a bundle stands for all of its versions.
  public var models: [ModelSource]
  /// The way of opening whose verdict is the top-level one; nil for all, and then it is the staged one where the models
  /// come with a plan of stages, else the automatic one.
  public var opening: OpeningWay?
  /// The stages of a plan, in the notation of `StagePlan`; one lightweight run where there are none.
  public var stages: [String]
  /// The order of the versions of a plan inside one bundle; by name where nothing is said.
  public var planOrder: [String]
  /// The mapping models in the app, in the order they are looked through.
  public var mappings: MappingSources

  /// No model unless said otherwise.
  public init(
    models: [ModelSource] = [], opening: OpeningWay? = nil, stages: [String] = [], planOrder: [String] = [],
    mappings: MappingSources = MappingSources()
  ) {
    self.models = models
    self.opening = opening
    self.stages = stages
    self.planOrder = planOrder
    self.mappings = mappings
  }

  /// What tells the versions of all models apart: names, or source and name where two have one.
  public var versionNames: [String] { ((try? CandidateList(self))?.versions ?? []).map(\.label) }

  /// - Throws: `StagePlanError` for a stage or an order that names no version of the models.
  public func check() throws(StagePlanError) { _ = try CandidateList(self).plan(self, JudgedModels()) }
}

extension ModelSource {
  /// Whether one version of it is asked for as `PATH#VERSION`; one that was asked for so may be the only one left.
  fileprivate var holdsVersionsByName: Bool {
    switch format {
    case .compiledBundle, .xcodeBundle, .swift: true
    case .json: versions.count > 1
    case .compiled, .xcode, .store: false
    }
  }
}

/// The versions of all models given, in order.
struct CandidateList {
  var versions: [Version]
  /// The position of the deciding one.
  var deciding: Int

  /// A version and where it comes from.
  struct Version {
    var source: ModelSource
    var name: String
    /// The name where no other version has it, else with its source.
    var label: String
    var argument: String
    var original: ModelSource.Version

    var model: Model { original.model }
  }

  /// The version that decides is a bundle's current one, else the last in order; of several models, that of the last.
  init(_ options: CandidateOptions) throws(StagePlanError) {
    versions = []
    deciding = 0
    var names: [String: Int] = [:]
    for name in options.models.flatMap(\.versions).map(\.name) { names[name, default: 0] += 1 }
    for source in options.models {
      let ordered = try Self.ordered(source, options.planOrder)
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
    _ source: ModelSource, _ order: [String]
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

  /// The plan of the stages that are given. Without stages it is one lightweight run: through the versions of the bundle
  /// the app carries, or through all versions where each came by itself.
  func plan(_ options: CandidateOptions, _ known: JudgedModels) throws(StagePlanError) -> StagePlan {
    func planned(_ version: Version, _ name: String) -> StagePlan.Version {
      StagePlan.Version(name: name, model: version.model, checksum: known.hashes(of: version.model).checksum)
    }
    let all = versions.map { planned($0, $0.label) }
    let bundle = versions.indices.contains(deciding) ? versions[deciding].source : nil
    let stages = options.stages.isEmpty && options.planOrder.isEmpty ? bundle?.plan?.stages ?? [] : options.stages
    guard stages.isEmpty else {
      // Whoever writes stages uses the names of the versions, whatever else was given.
      let own = versions.filter { $0.source.path == bundle?.path }
      return try StagePlan(notation: stages, versions: own.map { planned($0, $0.name) } + all)
    }
    guard let bundle else { return StagePlan(lightweight: []) }
    guard bundle.versions.count > 1 else { return StagePlan(lightweight: all) }
    guard !versions[deciding].original.isContainer else { return StagePlan(lightweight: [all[deciding]]) }
    let order = options.planOrder.isEmpty ? bundle.plan?.versions ?? [] : options.planOrder
    let inPlan = zip(versions, all).filter { version, _ in
      version.source.path == bundle.path && (order.isEmpty || order.contains(version.name))
    }
    return StagePlan(lightweight: inPlan.map(\.1))
  }

  /// Whether the app opens with a plan that says so itself: then staged migration runs always.
  var opensStaged: Bool {
    versions.indices.contains(deciding) && versions[deciding].source.plan?.stages.isEmpty == false
  }

  /// Whether there is a plan to speak of: stages that were given, an order, or a bundle of several versions.
  func hasPlan(_ options: CandidateOptions) -> Bool {
    !options.stages.isEmpty || !options.planOrder.isEmpty || options.opening == .staged || opensStaged
      || versions.indices.contains(deciding) && versions[deciding].source.versions.count > 1
        && !versions[deciding].original.isContainer
  }
}
