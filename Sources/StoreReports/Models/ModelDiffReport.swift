import StoreFindings
import StoreMigration
import StoreModels
import StoreDataModel

/// The difference of two models for display: the changes, which of them enter the hash, and what lightweight migration
/// does.
package struct ModelDiffReport: Sendable {
  /// Where the older model comes from.
  package var source: Side
  /// Where the newer model comes from.
  package var destination: Side
  /// The difference, judged.
  package var inference: MigrationInference
  /// The entities to show; all if empty. The answer is always about the whole model.
  package var entities: [String]
  /// Entities that are not completely known on one of the sides.
  package var doubtful: [ModelComparison.Doubtful]
  /// Whether a mapping can be inferred; nil where that depends on how they are read.
  package var isInferable: Bool?
  /// Whether changes of form only are shown too (``ModelChange/isOfForm``).
  package var showsForms: Bool
  /// The mapping model that leads from the older to the newer, which Core Data takes before it infers one.
  package var mapping: MappingUse?

  /// One side of a comparison.
  package struct Side: Sendable, Equatable {
    /// The path as it was given.
    package var path: String
    /// The version within a bundle.
    package var version: String?
    /// Whether it is Swift source.
    package var isSwiftSource: Bool

    /// A model by its path, and its version where the path holds several.
    package init(path: String, version: String? = nil, isSwiftSource: Bool = false) {
      self.path = path
      self.version = version
      self.isSwiftSource = isSwiftSource
    }
  }

  /// A report of two models.
  package init(
    source: Side, destination: Side, inference: MigrationInference, entities: [String] = [],
    doubtful: [ModelComparison.Doubtful] = [], isInferable: Bool?? = nil, showsForms: Bool = false,
    mapping: MappingUse? = nil
  ) {
    self.source = source
    self.destination = destination
    self.inference = inference
    self.entities = entities
    self.doubtful = doubtful
    self.isInferable = isInferable ?? inference.isInferable
    self.showsForms = showsForms
    self.mapping = mapping
  }

  /// Whether more changes than those that are said, depending on how open entities are read.
  var isUndecided: Bool { doubtful.contains(where: \.isUndecided) }

  /// - Throws: `UnknownEntity` for an entity that neither model has.
  package func checkEntities() throws {
    let difference = inference.difference
    let known = Set((difference.source.entities + difference.destination.entities).map(\.name))
    if let unknown = entities.first(where: { !known.contains($0) }) {
      throw UnknownEntity(name: unknown, known: Array(known), place: "model")
    }
  }

  /// The changes to show, with their effects.
  var shown: [(change: ModelChange, effect: Effect)] {
    let judged = inference.judged.filter { showsForms || !$0.change.isOfForm }
    guard !entities.isEmpty else { return judged }
    return judged.filter { change, _ in
      [change.place.sourceEntity, change.place.destinationEntity].contains { $0.map(entities.contains) ?? false }
    }
  }

  /// How many changes are of form only.
  var formCount: Int { inference.difference.changes.count(where: \.isOfForm) }

  /// How many changes enter the hash.
  var hashedCount: Int { inference.difference.changes.count(where: \.entersHash) }

  /// The changes that prevent inferring a mapping, the most certain first.
  var obstacles: [(change: ModelChange, effect: Effect)] {
    inference.judged.filter { change, effect in
      if case .impossible = effect.inference { change.entersHash } else { false }
    }.sorted { $0.effect.grade < $1.effect.grade }
  }

  /// How certain the answer is, apart from rows.
  var grade: Grade {
    if let surest = obstacles.first { return surest.effect.grade }
    return inference.judged.filter {
      $0.change.takesEffect || inference.difference.hashesAreEqual && !$0.change.isOfForm
    }
    .map(\.effect.grade)
    .max() ?? .a
  }

  /// Unproven rules of the version hash that hashes on either side depend on.
  var unproven: [UnprovenRule] {
    let models = [inference.difference.source, inference.difference.destination]
    return Set(models.flatMap { model in model.entities.flatMap { model.unprovenRules(of: $0.name) } }).sorted()
  }
}
