import ArgumentParser
import StoreDataModel
import StoreDiagnosis
import StoreMigration
import StoreMigrator
import StoreModels
import StoreReports
import StoreSQLite
import StoreSwiftCode
import StoreWords

/// The Swift of `migrate --stage-swift`: of each stage that a recipe performed on the store.
struct StageSwift {
  let candidates: CandidateArguments
  let stages: StageArguments

  /// Writes the code of the stages that were performed.
  ///
  /// - Throws: `StageNotPerformed` where the store did not go through one of them.
  func code(_ options: CandidateOptions, hops: [PerformedMigration.Hop]) throws -> StageCode {
    var made: [RecipeStage] = []
    var app: StageApp?
    var plan: [PlannedStage] = []
    for (stage, path) in zip(try stages.stages, stages.paths) {
      if let entity = stage.entity { throw NoStageOfPolicy(entity: entity) }
      guard hops.contains(where: { $0.from == stage.from && $0.to == stage.to && $0.isPerformedByRecipe }) else {
        throw StageNotPerformed(from: stage.from, to: stage.to)
      }
      guard
        let source = options.models.first(where: { source in
          [stage.from, stage.to].allSatisfy { name in source.versions.contains { $0.name == name } }
        }), let old = source.versions.first(where: { $0.name == stage.from }),
        let new = source.versions.first(where: { $0.name == stage.to })
      else { throw StageNotPerformed(from: stage.from, to: stage.to) }
      made.append(
        RecipeStage(
          from: stage.from, to: stage.to, source: try old.whole().model, destination: try new.whole().model,
          recipe: stage.recipe, path: path))
      if app == nil {
        app = try self.app(source)
        plan = try PlannedStage.all(of: source, notation: options.stages)
      }
    }
    return StageCode(made, for: app ?? .coreData, plan: plan)
  }

  private func app(_ source: ModelSource) throws -> StageApp {
    guard source.format == .swift else { return .coreData }
    let reading = try readSwiftDataSource([source.path], defines: candidates.terms)
    var versions: [String: StageApp.SwiftDataVersion] = [:]
    for schema in reading.schemas {
      versions[schema.name] = StageApp.SwiftDataVersion(
        classes: Dictionary(schema.entities.map { ($0.name, $0.className) }) { first, _ in first },
        enums: Dictionary(schema.entities.map { ($0.name, Set($0.details.enums.keys)) }) { first, _ in first })
    }
    return .swiftData(plan: source.plan?.name, versions: versions)
  }
}

extension PlannedStage {
  /// The stages that were given; none for source, whose plan stands there.
  static func all(of source: ModelSource, notation: [String]) throws -> [PlannedStage] {
    guard source.format != .swift, !notation.isEmpty else { return [] }
    let versions = try source.versions.map { StagePlan.Version(name: $0.name, model: try $0.whole().model) }
    return try StagePlan(notation: notation, versions: versions).stages.map { stage in
      switch stage {
      case .lightweight(let names):
        .lightweight(names.compactMap { name in versions.first { $0.name == name }.map { (name, $0.checksum) } })
      case .custom(let from, let to, _, _): .custom(from: from, to: to)
      }
    }
  }
}

/// A recipe for a policy of a mapping model, for which there is no stage.
private struct NoStageOfPolicy: Error, CustomStringConvertible {
  let entity: String

  var description: String {
    "no Swift is written of the recipe for \(quoted(entity)): it stands in for a policy of a mapping model, and not for a stage"
  }
}

/// A stage that the store does not go through, so that its recipe was not tried.
private struct StageNotPerformed: Error, CustomStringConvertible {
  let from: String
  let to: String

  var description: String {
    "no Swift is written of the stage from \(quoted(from)) to \(quoted(to)): this store does not go through it, so that its "
      + "recipe was not tried; name a store of \(quoted(from)) or an older version"
  }
}
