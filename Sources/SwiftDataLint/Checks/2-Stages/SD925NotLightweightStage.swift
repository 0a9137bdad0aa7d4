import SwiftDataSource
import StoreMigration
import StoreSourceChecks
import StoreDataModel
import StoreSwiftDataSchemas

extension LintCheck {
  static let notLightweightStage = LintCheck(.notLightweightStage) { subject, say in
    for plan in subject.plans {
      var stops: [Stop] = []
      for run in plan.runs where !run.obstacles.isEmpty {
        // What stops one stage of the way is told there.
        let part = run.customStage == nil ? run.way.first { !$0.obstacles.isEmpty } : nil
        let stop = Stop(
          pair: part ?? run.pair, obstacles: part?.obstacles ?? run.obstacles, isOfCustomStage: run.customStage != nil,
          stores: run.stores)
        if let known = stops.firstIndex(where: {
          $0.pair.from.id == stop.pair.from.id && $0.pair.to.id == stop.pair.to.id
        }) {
          stops[known].stores += run.stores
        } else {
          stops.append(stop)
        }
      }
      for stop in stops {
        guard let rest = stop.withoutAdditions(in: plan, of: subject) else { continue }
        subject.say(rest, in: plan, say: &say)
      }
    }
  }

  static let lostByRenaming = LintCheck(.lostByRenaming) { subject, say in
    for plan in subject.plans {
      var found: [LostByRenaming] = []
      for store in plan.versions.dropLast().compactMap(\.self) {
        for lost in plan.lostByRenaming(from: store) {
          if let position = found.firstIndex(where: { $0.isInOnePlace(lost) }) {
            found[position].sources += lost.sources
          } else {
            found.append(lost)
          }
        }
      }
      for lost in found { subject.say(lost, say: &say) }
    }
  }
}

/// A migration that cannot be inferred, with the versions whose stores it stops.
private struct Stop {
  let pair: Neighbours
  let obstacles: [Neighbours.Obstacle]
  let isOfCustomStage: Bool
  var stores: [LintVersion]

  /// Without the additions that SD941 and SD942 report by themselves, where no stage leads from one version to the next:
  /// then there is nothing about a stage to say. Nil if nothing is left.
  func withoutAdditions(in plan: LintPlan, of subject: LintSubject) -> Stop? {
    guard !isOfCustomStage, plan.stage(from: pair.from, to: pair.to) == nil,
      plan.neighbours.contains(where: { $0.from.id == pair.from.id && $0.to.id == pair.to.id })
    else { return self }
    let rest = obstacles.filter { obstacle in
      guard case .added = obstacle.change.kind, obstacle.change.place.sourceEntity != nil else { return true }
      let place = obstacle.change.place
      return subject.member(place.destinationProperty, of: place.destinationEntity, in: pair.to) == nil
    }
    return rest.isEmpty ? nil : Stop(pair: pair, obstacles: rest, isOfCustomStage: false, stores: stores)
  }

  /// Names the versions that it stops, where they are not just the one it starts at.
  var otherStores: [SourceFinding.Note] {
    let names = stores.map(\.name)
    return names == [pair.from.name] ? [] : [.init("it stops stores of \(listed(names))")]
  }
}

extension LintSubject {
  fileprivate func say(_ stop: Stop, in plan: LintPlan, say: inout LintFindings) {
    let (pair, obstacles) = (stop.pair, stop.obstacles)
    let (from, to) = (pair.from.name, pair.to.name)
    let stage = plan.stage(from: pair.from, to: pair.to)?.stage
    let isOfSeveral = stage == nil && plan.plan.stages.contains(where: \.isListed)
    let what =
      if stop.isOfCustomStage {
        "between the two closures of the custom stage a mapping is inferred, which cannot lead from \(from) to \(to)"
      } else if isOfSeveral {
        "the lightweight stages from \(from) to \(to) are taken as one, which cannot lead there"
      } else if stage == nil {
        "no stage leads from \(from) to \(to)"
      } else {
        "a lightweight stage cannot lead from \(from) to \(to)"
      }
    let last = plan.stages.last { $0.stage.isListed && $0.toVersion == pair.to.id }?.stage
    say.add(
      at: stage?.place ?? last?.place ?? pair.to.schema.place, schema: to,
      message: "\(what): \(obstacles.words)",
      notes: obstacles.map { obstacle in
        let property = obstacle.change.place.destinationProperty ?? obstacle.change.constraint?.first
        let member = member(property, of: obstacle.change.place.destinationEntity, in: pair.to)
        return .init(obstacle.words, at: member?.stored.place)
      } + stop.otherStores)
  }

  fileprivate func say(_ lost: LostByRenaming, say: inout LintFindings) {
    let member = member(lost.property, of: lost.entity, in: lost.version)
    let versions = lost.sources.map(\.version.name)
    let known = lost.sources.map(\.identifier).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let own = member?.options.originalName.map { "its originalName: is '\($0)'" } ?? "it has no originalName:"
    let isDoubtful = lost.sources.allSatisfy(\.isDoubtful)
    say.add(
      isDoubtful ? .warning : .error,
      at: member?.stored.place ?? lost.version.entity(named: lost.entity)?.place ?? lost.version.schema.place,
      schema: lost.version.name, entity: lost.entity, property: lost.property,
      message:
        "rows of \(listed(versions)) \(isDoubtful ? "may lose" : "lose") what \(lost.entity).\(lost.property) of "
        + "\(lost.version.name) holds: \(own), and "
        + "they have it as \(listed(known.map { "'\($0)'" }))",
      notes: lost.sources.map { source in
        .init(
          "\(source.property) of \(source.version.name)"
            + (known.count == 1 ? ", which originalName: \"\(source.identifier)\" would keep" : ""),
          at: self.member(source.property, of: source.entity, in: source.version)?.stored.place)
      })
  }
}

/// A property whose values are dropped for the stores of some versions although a property of the last one is meant to
/// hold them.
struct LostByRenaming {
  struct Source {
    let version: LintVersion
    let entity: String
    let property: String
    /// What the version knows it as: its own `originalName:`, or its name.
    let identifier: String
    /// Whether an equal name may be enough.
    let isDoubtful: Bool
  }

  let version: LintVersion
  let entity: String
  let property: String
  var sources: [Source]

  fileprivate func isInOnePlace(_ other: Self) -> Bool {
    version.id == other.version.id && entity == other.entity && property == other.property
  }
}

extension LintPlan {
  /// The properties that a store of a version loses on its way, by the names of that version.
  fileprivate func lostByRenaming(from store: LintVersion) -> [LostByRenaming] {
    var passed: [PlannedRun] = []
    var found: [LostByRenaming] = []
    for run in runs(from: store) {
      if run.customStage?.willMigrate != true {
        found += run.lostByRenaming.compactMap { lost in
          var lost = lost
          lost.sources = lost.sources.compactMap { $0.traced(back: passed, to: store) }
          return lost.sources.isEmpty ? nil : lost
        }
      }
      passed.append(run)
    }
    return found
  }

  /// The runs that a store of a version goes through, one after the other.
  private func runs(from store: LintVersion) -> [PlannedRun] {
    func position(_ run: PlannedRun) -> Int { versions.firstIndex { $0?.id == run.pair.from.id } ?? 0 }
    return runs.filter { run in run.stores.contains { $0.id == store.id } }.sorted { position($0) < position($1) }
  }
}

extension LostByRenaming.Source {
  /// The property by its name in the version that the runs start at; nil where that has none.
  fileprivate func traced(back runs: [PlannedRun], to store: LintVersion) -> Self? {
    var (entity, property) = (entity, property)
    for run in runs.reversed() {
      let difference = run.pair.difference
      guard let old = difference.sourceEntity(of: entity), let name = difference.sourceProperties(of: entity)[property]
      else { return nil }
      (entity, property) = (old, name)
    }
    return Self(
      version: store, entity: entity, property: property, identifier: identifier, isDoubtful: isDoubtful)
  }
}

extension PlannedRun {
  /// The properties that are dropped though the newer version has one that is meant to hold their values.
  fileprivate var lostByRenaming: [LostByRenaming] {
    pair.inference.losses.compactMap { loss in
      guard let property = loss.property, pair.isKnown(loss.entity, property: property, in: pair.from),
        let old = pair.difference.source.property(property, of: loss.entity)
      else { return nil }
      var heir = (entity: loss.entity, property: property)
      for step in way.isEmpty ? [pair] : way {
        guard let next = step.heir(of: heir.property, in: heir.entity) else { return nil }
        heir = next
      }
      guard pair.isKnown(heir.entity, property: heir.property, in: pair.to) else { return nil }
      let source = LostByRenaming.Source(
        version: pair.from, entity: loss.entity, property: property, identifier: old.renamingIdentifier ?? property,
        isDoubtful: loss.doubt != nil)
      return LostByRenaming(version: pair.to, entity: heir.entity, property: heir.property, sources: [source])
    }
  }

  /// What stops it; before a custom stage's own code has run that may fill what is missing.
  fileprivate var obstacles: [Neighbours.Obstacle] {
    let isPrepared = customStage?.willMigrate ?? false
    return pair.obstacles.filter { $0.isOfModels || !isPrepared }
  }
}

extension Neighbours {
  struct Obstacle {
    var change: ModelChange
    /// The entity, or the property with it.
    var name: String
    /// What is said of it, behind a space or a colon.
    var reason: String
    var words: String { name + reason }
    /// Whether no mapping can be inferred, whatever the rows.
    var isOfModels: Bool
  }

  /// Changes that prevent a mapping from being inferred, or allow it only without rows, by the same rules as
  /// `diagnose`.
  var obstacles: [Obstacle] {
    inference.judged.compactMap { change, effect in
      guard change.entersHash, isKnown(change) else { return nil }
      let name = [change.place.entity, change.place.property].compactMap(\.self).joined(separator: ".")
      if case .impossible = effect.inference {
        return Obstacle(change: change, name: name, reason: ": \(effect.afterwards)", isOfModels: true)
      }
      // Only a store has rows to check; a shipped app is assumed to have some.
      let isBlocked = effect.rules.contains { rule in
        guard case .blocks = rule.consequence else { return false }
        switch rule.condition {
        case .noRows, .noNulls, .atMostOneRow: return true
        case .noValues, .noDuplicates, .numericFits, .atMostOneLink, .linksWithin, .linkCount, .valid, .noDanglingKeys,
          .noOrphanedLinks:
          return false
        }
      }
      return isBlocked
        ? Obstacle(change: change, name: name, reason: " \(change.requirement)", isOfModels: false) : nil
    }
  }
}

extension [Neighbours.Obstacle] {
  /// The first, with all of its entity that are like it, and how many others there are.
  fileprivate var words: String {
    guard let first else { return "" }
    let alike = filter { $0.change.place.entity == first.change.place.entity && $0.reason == first.reason }
    let names = listed(alike.map(\.name))
    let words =
      if alike.count > 1, first.reason.hasPrefix(" is ") {
        "\(names) are " + first.reason.dropFirst(" is ".count)
      } else {
        names + first.reason
      }
    return words + (count > alike.count ? ", and \(count - alike.count) more" : "")
  }
}

extension ModelChange {
  fileprivate var requirement: String {
    switch kind {
    case .optional(false): "is required now, and rows may have no value"
    case .added: "is new and required, and rows have no value"
    case .constraintAdded(let names):
      "is unique by \(names.joined(separator: ", ")) now, and all rows get the same value"
    default: "needs rows that are not like this"
    }
  }

  fileprivate var constraint: [String]? { if case .constraintAdded(let names) = kind { names } else { nil } }
}

extension LintCheck {
  static let emptyCustomStage = LintCheck(.emptyCustomStage) { subject, say in
    for stage in subject.plans.flatMap(\.stages)
    where stage.stage.kind == .custom && stage.willMigrate == nil && stage.didMigrate == nil {
      say.add(
        at: stage.stage.place, schema: stage.stage.toVersion,
        message:
          "the custom stage from \(stage.stage.fromVersion) to \(stage.stage.toVersion) does nothing: it is a lightweight one"
      )
    }
  }
}
