import StoreMigration
import StoreDataModel

/// The tasks for the code of a custom stage that migrates stores of one version to another, whatever their rows hold.
/// They are derived from the models alone, not from the rows of a store.
///
/// ```
/// source ──custom: before, after──► bridge ──lightweight──► destination
/// source ──────custom: before──────────────────────────────► destination       if no bridge is needed
/// ```
///
/// The bridge is an additional version: the destination, but with both the old and the new attribute where a type
/// changes, and with newly required properties still optional, so that rows can be filled there.
package struct StageAdvice: Sendable, Equatable {
  /// The name of the store's version.
  package var from: String
  /// The name of the version that is opened.
  package var to: String
  /// The store's model.
  package var source: Model
  /// The bridge version; nil if none is needed.
  package var bridge: Model?
  /// The opened version with the renaming identifiers it needs; its hashes are those of the given version.
  package var destination: Model
  /// The tasks of `willMigrate`, with the types of the source.
  package var before: [StageTask] = []
  /// The tasks of `didMigrate`, with the types of the bridge.
  package var after: [StageTask] = []
  /// Renaming identifiers the destination needs to take over values from the bridge.
  package var identifiers: [RenamingIdentifier] = []
  /// Changes that these stages do not solve.
  package var unsolved: [ModelChange] = []

  /// A renaming identifier to be set, or to be removed.
  package struct RenamingIdentifier: Sendable, Equatable {
    /// The entity in the destination.
    package var entity: String
    /// The property in the destination.
    package var property: String
    /// The identifier; nil to remove the one it has.
    package var identifier: String?
  }

  /// The name of the bridge version.
  package var bridgeName: String { "\(to) Bridge" }

  /// Creates the advice for a pair of versions.
  ///
  /// - Parameter from: the name of the store's version, if known.
  package init(_ inference: MigrationInference, from: String?, to: String) {
    var maker = StageAdviceMaker(inference)
    maker.make()
    self.from = from ?? "Shipped"
    self.to = to
    source = inference.difference.source
    destination = maker.destination.model(like: inference.difference.destination) ?? inference.difference.destination
    unsolved = maker.unsolved
    guard maker.needsBridge else {
      before = maker.before + maker.after
      return
    }
    let identifiers = bridgeIdentifiers(source)
    bridge = maker.bridge.model(like: inference.difference.destination, versionIdentifiers: identifiers)
    guard bridge != nil else {
      unsolved = inference.difference.changes.filter(\.entersHash)
      return
    }
    (before, after, self.identifiers) = (maker.before, maker.after, maker.identifiers)
  }

  /// Whether the stages solve all changes and every migration between them can be inferred.
  package var isComplete: Bool {
    unsolved.isEmpty && steps.allSatisfy { MigrationInference(ModelDifference(from: $0, to: $1)).isInferable }
  }

  /// The inferred migrations that run.
  var steps: [(Model, Model)] { bridge.map { [(source, $0), ($0, destination)] } ?? [(source, destination)] }
}

/// One thing a stage's code does; names are those of the version it sees.
package enum StageTask: Sendable, Equatable {
  /// Gives rows without a value one.
  case fill(entity: String, property: String)
  /// Gives every row a different value.
  case distinguish(entity: String, property: String)
  /// Of rows that are equal in these properties, keeps one and gives it the links of the others.
  case dedupe(entity: String, properties: [String])
  /// Converts the value of the old attribute and writes it to the new one.
  case convert(entity: String, from: String, to: String, isRequired: Bool)
  /// Finds the object that the value of an attribute identifies, and links to it.
  case link(entity: String, attribute: String, relationship: String)
}

/// A version identifier for the bridge: the source's with the patch number increased.
private func bridgeIdentifiers(_ source: Model) -> [String] {
  let parts = (source.versionIdentifiers.first ?? "1").split(separator: ".").compactMap { UInt16($0) }
  guard let major = parts.first, source.versionIdentifiers.count <= 1 else { return ["1.0.1"] }
  let rest = parts.dropFirst() + [0, 0]
  return ["\(major).\(rest[rest.startIndex]).\(Int(rest[rest.startIndex + 1]) + 1)"]
}
