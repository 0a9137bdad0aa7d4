import StoreDataModel
import StoreWords

/// A mapping model that a migration uses. Core Data looks it up "by the entity version hashes of source and
/// destination" before it infers a mapping (`docs/format/mapping-models.md`).
public struct MappingUse: Sendable, Equatable {
  /// Where the mapping model is.
  public var path: String
  /// Classes whose code migrates objects; its effect is not known.
  public var policyClassNames: [String]
  /// Parts of its models that could not be read, so that its real source or destination may differ; one sentence
  /// each.
  public var unread: [String]
  /// How certain it is that it maps between these two versions.
  public var grade: Grade
  /// The objects it takes, where it does not take all of an entity.
  package var conditions: [Condition] = []
  /// What it asks of the rows; empty where only hashes of the versions were compared.
  package var rules: [RowRule] = []

  /// What an object of an entity must fulfil to be taken along.
  package struct Condition: Sendable, Equatable {
    /// The entity of the source.
    package var entity: String
    /// The condition, in Apple's predicate format.
    package var text: String
  }
}

extension MappingUse {
  /// What is not known of it, as a clause: "what its expressions make of the rows is not known". Where it does not take all
  /// objects along, the clause begins with that.
  package var unknownWords: String {
    let code = policyClassNames.map(quoted).joined(separator: ", ")
    let rest = "what its \(code.isEmpty ? "" : "code (\(code)) and its ")expressions make of the rows is not known"
    guard !conditions.isEmpty else { return rest }
    // Objects of one entity may be taken by one condition or another.
    let entities = Set(conditions.map(\.entity)).sorted()
    let shown = entities.prefix(3).map { entity in
      let texts = conditions.filter { $0.entity == entity }.map { quoted($0.text) }
      return "of \(entity) only those with \(texts.joined(separator: " or "))"
    }
    let more = entities.count > shown.count ? ", of \(entities.count - shown.count) more not all" : ""
    return
      "it takes along \(shown.joined(separator: ", "))\(more): the other objects are lost, and what they are needed for "
      + "may fail; " + rest
  }

  /// The first mapping model between the two models of a difference; nil if there is none, or if the hashes are equal
  /// and none is needed.
  package init?(_ inference: MigrationInference, among mappings: [MappingModel]) {
    guard !mappings.isEmpty, !inference.difference.hashesAreEqual else { return nil }
    self.init(
      among: mappings, from: inference.difference.source.versionHashes,
      to: inference.difference.destination.versionHashes)
  }

  /// The first mapping model between two versions; nil if there is none.
  ///
  /// - Parameter models: those of the two versions, where the rows are to be judged too.
  package init?(
    among mappings: [MappingModel], from source: VersionHashes, to destination: VersionHashes,
    judging models: (source: Model, target: Model)? = nil
  ) {
    for mapping in mappings {
      guard let use = MappingUse(mapping, from: source, to: destination) else { continue }
      self = use
      if let models { rules = MappingRules(mapping: mapping, source: models.source, target: models.target).all }
      return
    }
    return nil
  }

  /// The use of one mapping model; nil if it is for other versions. A compiled one records only the hashes of the
  /// entities it maps; it is certain only if all others are equal in both versions.
  package init?(_ mapping: MappingModel, from source: VersionHashes, to destination: VersionHashes) {
    guard mapping.leads(known: \.sourceHashes, whole: \.source, version: source),
      mapping.leads(known: \.destinationHashes, whole: \.destination, version: destination)
    else { return nil }
    let recorded = Set(mapping.sourceHashes.byEntity.keys).union(mapping.destinationHashes.byEntity.keys)
    let isWhole = source.byEntity.merging(destination.byEntity) { first, _ in first }.keys.allSatisfy { entity in
      recorded.contains(entity) || source.byEntity[entity] == destination.byEntity[entity]
    }
    let unread = mapping.models?.unread ?? []
    self.init(
      path: mapping.path, policyClassNames: mapping.policyClassNames, unread: unread,
      grade: isWhole && unread.isEmpty ? .a : .c)
    let taken = mapping.entityMappings.filter { $0.destination != nil }
    conditions = taken.compactMap { entity in
      guard let text = entity.filter, let source = entity.source?.entity,
        !taken.contains(where: { $0.source?.entity == source && $0.filter == nil })
      else { return nil }
      return Condition(entity: source, text: text)
    }
  }
}

extension MappingModel {
  /// Whether a version is its source, whatever its destination.
  package func leads(from version: VersionHashes) -> Bool {
    leads(known: \.sourceHashes, whole: \.source, version: version)
  }

  /// Whether the hashes of one side equal those of a version. If the mapping model contains the whole model, all must
  /// be equal; otherwise those of the mapped entities, of which there must be one.
  fileprivate func leads(
    known: KeyPath<MappingModel, VersionHashes>, whole: KeyPath<Models, VersionHashes>, version: VersionHashes
  ) -> Bool {
    if let models { return models[keyPath: whole] == version }
    let recorded = self[keyPath: known].byEntity
    return !recorded.isEmpty && recorded.allSatisfy { version.byEntity[$0.key] == $0.value }
  }
}

extension MigrationOutcome {
  /// A migration with a mapping model. Whether the rows pass depends on its code and expressions, of which only
  /// ``MappingUse/rules`` are judged.
  ///
  /// - Parameter rows: the rows that it starts with, where they are known.
  package init(by mapping: MappingUse, rows: (any RowFacts)? = nil) {
    self.init(verdict: .migrates, grade: mapping.grade, mappings: [mapping])
    judge(mapping.rules, rows: rows)
  }

  /// Says what stops a mapping model.
  package mutating func judge(_ rules: [RowRule], rows: (any RowFacts)?) {
    guard let rows else { return }
    for rule in rules {
      guard let violations = rows.violations(of: rule.condition) else {
        unanswered.append(rule)
        continue
      }
      guard !violations.isEmpty, case .blocks(let failure) = rule.consequence else { continue }
      blocking.append(JudgedRule(rule: rule, violations: violations, owner: rule.condition.subject.entities.first))
      (verdict, self.failure, grade) = (.blockedByData, failure, max(grade, rule.gradeWhenViolated))
    }
  }
}
