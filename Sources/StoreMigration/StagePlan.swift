import StoreDataModel
import StoreText
import StoreWords

/// The versions and stages of a staged migration (`SchemaMigrationPlan`, `NSStagedMigrationManager`).
package struct StagePlan: Sendable {
  /// The stages in their order.
  package let stages: [Stage]
  /// The versions the stages name.
  package let versions: [String: Version]
  /// All versions once, in the order in which the stages name them.
  package let order: [String]
  /// Pairs of version names with equal checksums, in the order of the stages.
  package let duplicateVersions: [[String]]
  /// For each checksum, the first version that has it.
  private let firstOfChecksum: [[UInt8]: String]
  /// Whether the order of the versions was read from their names alone.
  package var isOrderAssumed = false

  /// One version.
  package struct Version: Sendable {
    /// Its name, as the stages use it.
    package var name: String
    /// Its model.
    package var model: Model
    /// The checksum that staged migration compares.
    package var checksum: [UInt8]

    /// A version with the checksum of its model.
    package init(name: String, model: Model) {
      self.init(name: name, model: model, checksum: model.versionHashes.checksum)
    }

    package init(name: String, model: Model, checksum: [UInt8]) {
      self.name = name
      self.model = model
      self.checksum = checksum
    }
  }

  /// One stage.
  package enum Stage: Sendable, Equatable {
    /// The versions of a lightweight stage.
    case lightweight([String])
    /// A custom stage, with the properties its `willMigrate` fills where they are NULL, and whether any code runs in it.
    case custom(from: String, to: String, fills: [Fill], hasCode: Bool)

    /// The versions it names.
    package var versions: [String] {
      switch self {
      case .lightweight(let names): names
      case .custom(let from, let to, _, _): [from, to]
      }
    }
  }

  /// A property that the code of a custom stage fills, by its names in the version the stage starts at.
  package struct Fill: Sendable, Equatable {
    /// The entity.
    package var entity: String
    /// The property.
    package var property: String

    /// A property of an entity.
    package init(entity: String, property: String) {
      self.entity = entity
      self.property = property
    }
  }

  /// One lightweight stage through all versions: the plan of an app that has no stages.
  package init(lightweight versions: [Version]) {
    self.init(
      stages: [.lightweight(versions.map(\.name))],
      versions: Dictionary(versions.map { ($0.name, $0) }) { first, _ in first })
  }

  private init(stages: [Stage], versions: [String: Version]) {
    self.stages = stages
    self.versions = versions
    var seen: Set<String> = []
    let order = stages.flatMap(\.versions).filter { seen.insert($0).inserted }
    self.order = order
    let checksums = order.map { versions[$0]?.checksum ?? [] }
    firstOfChecksum = Dictionary(zip(checksums, order)) { first, _ in first }
    let isDouble = firstOfChecksum.count < order.count
    duplicateVersions =
      !isDouble
      ? []
      : order.indices.flatMap { first in
        order.indices[(first + 1)...].filter { checksums[$0] == checksums[first] }.map { [order[first], order[$0]] }
      }
  }

  /// Stages in the notation `light:V1,V2,V3`, `custom:V3>V4`, `custom:V3>V4 fills Note.title,Note.date`, and
  /// `custom:V3>V4 without code` where both closures are nil.
  package init(notation: [String], versions: [Version]) throws(StagePlanError) {
    let byName = Dictionary(versions.map { ($0.name, $0) }) { first, _ in first }
    var stages: [Stage] = []
    for text in notation {
      let stage = try Self.stage(text)
      for name in stage.versions where byName[name] == nil {
        throw StagePlanError(
          stage: text,
          problem: "no version '\(name)' among the models (\(versions.map(\.name).joined(separator: ", ")))")
      }
      stages.append(stage)
    }
    self.init(stages: stages, versions: byName)
  }

  /// The version with that checksum.
  package func version(withChecksum checksum: [UInt8]) -> Version? {
    firstOfChecksum[checksum].flatMap { versions[$0] }
  }

  package static func stage(_ text: String) throws(StagePlanError) -> Stage {
    let form = "write 'light:V1,V2' or 'custom:V1>V2'"
    if text.hasPrefix("light:") {
      let names = text.dropFirst("light:".count).split(separator: ",").map(withoutSpacesAround)
      guard !names.isEmpty, !names.contains("") else { throw StagePlanError(stage: text, problem: form) }
      return .lightweight(names)
    }
    guard text.hasPrefix("custom:") else { throw StagePlanError(stage: text, problem: form) }
    let hasCode = !text.hasSuffix(" without code")
    let stated = hasCode ? text : String(text.dropLast(" without code".count))
    let parts = stated.dropFirst("custom:".count).split(by: " fills ", most: 2).map(String.init)
    let ends = (parts.first ?? "").split(separator: ">", omittingEmptySubsequences: false).map(withoutSpacesAround)
    guard ends.count == 2, !ends.contains("") else { throw StagePlanError(stage: text, problem: form) }
    let fills = (parts.count > 1 ? parts[1] : "").split(separator: ",").map(withoutSpacesAround)
    return .custom(
      from: ends[0], to: ends[1],
      fills: try fills.map { name throws(StagePlanError) in
        let place = name.split(separator: ".", maxSplits: 1).map(String.init)
        guard place.count == 2 else { throw StagePlanError(stage: text, problem: "write 'fills Entity.property'") }
        return Fill(entity: place[0], property: place[1])
      }, hasCode: hasCode)
  }
}

/// A stage that cannot be read.
package struct StagePlanError: Error, Equatable, CustomStringConvertible {
  /// The stage as it was given.
  package var stage: String
  /// The problem and the code to write.
  package var problem: String

  /// The sentence shown to people, lower case and without full stop.
  package var description: String { "stage '\(stage)': \(problem)" }

  package init(stage: String, problem: String) {
    self.stage = stage
    self.problem = problem
  }
}
