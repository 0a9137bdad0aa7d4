import StoreMigration
import StoreDataModel

/// What a custom stage has to do so that stores of one version get to another, whatever their rows hold: made from the
/// models, not from the rows of one store.
///
/// ```
/// source ──custom: before, after──► bridge ──lightweight──► destination
/// source ──────custom: before──────────────────────────────► destination       where no version between is needed
/// ```
///
/// The bridge is the destination with both attributes where a type changes, and with what is newly required still
/// optional, so that rows can be filled there.
public struct StageAdvice: Sendable, Equatable {
  /// The name of the store's version.
  public var from: String
  /// The name of the version that is opened.
  public var to: String
  /// The store's model.
  public var source: Model
  /// The version between; nil where none is needed.
  public var bridge: Model?
  /// The version that is opened, with the renaming identifiers it needs; its hashes are those of the version given.
  public var destination: Model
  /// What `willMigrate` does, with the types of the source.
  public var before: [StageTask] = []
  /// What `didMigrate` does, with the types of the bridge.
  public var after: [StageTask] = []
  /// Renaming identifiers the destination needs so that values come over from the bridge.
  public var identifiers: [RenamingIdentifier] = []
  /// Changes that no stage made here treats.
  public var unsolved: [ModelChange] = []

  /// A renaming identifier to be set, or to be removed.
  public struct RenamingIdentifier: Sendable, Equatable {
    /// The entity in the destination.
    public var entity: String
    /// The property in the destination.
    public var property: String
    /// The identifier; nil to remove the one it has.
    public var identifier: String?
  }

  /// The name of the version between.
  public var bridgeName: String { "\(to) Bridge" }

  /// Advice for a pair of versions.
  ///
  /// - Parameter from: the store's version, where it is known.
  public init(_ inference: MigrationInference, from: String?, to: String) {
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

  /// Whether nothing is left that the stages do not treat, and each of their inferences exists.
  public var isComplete: Bool {
    unsolved.isEmpty && steps.allSatisfy { MigrationInference(ModelDifference(from: $0, to: $1)).isInferable }
  }

  /// The inferred migrations that run.
  var steps: [(Model, Model)] { bridge.map { [(source, $0), ($0, destination)] } ?? [(source, destination)] }
}

/// One thing a stage's handler does; names are those of the version the handler sees.
public enum StageTask: Sendable, Equatable {
  /// Gives a value to rows that have none.
  case fill(entity: String, property: String)
  /// Gives rows values of their own, all different.
  case distinguish(entity: String, property: String)
  /// Keeps one of the rows that are equal in these properties, and gives it the links of the others.
  case dedupe(entity: String, properties: [String])
  /// Writes a value of the old type into the attribute of the new one.
  case convert(entity: String, from: String, to: String, isRequired: Bool)
  /// Finds the object that an attribute's value stands for, and links it.
  case link(entity: String, attribute: String, relationship: String)
}

/// A version identifier between the source's and the next.
private func bridgeIdentifiers(_ source: Model) -> [String] {
  let parts = (source.versionIdentifiers.first ?? "1").split(separator: ".").compactMap { UInt16($0) }
  guard let major = parts.first, source.versionIdentifiers.count <= 1 else { return ["1.0.1"] }
  let rest = parts.dropFirst() + [0, 0]
  return ["\(major).\(rest[rest.startIndex]).\(Int(rest[rest.startIndex + 1]) + 1)"]
}
