import StoreDataModel
import StoreFindings
import StoreWords

/// What is wrong with the versions of a model, whatever store there is: what `storedoctor model check` says without pins.
///
/// Xcode's model compiler warns of relationships without inverse, with a one-sided one, and without destination, and apps
/// are shipped with such models.
public struct ModelProblems: Sendable, Equatable {
  /// The source, as its path was given.
  public var path: String
  /// Every version, in the source's order.
  public var versions: [Version]

  /// One version with what is wrong with it.
  public struct Version: Sendable, Equatable {
    /// The version's name.
    public var name: String
    /// In the order of entities and properties.
    public var problems: [Problem]
  }

  /// One thing that is wrong.
  public struct Problem: Sendable, Equatable {
    /// What kind of thing.
    public var kind: Kind
    /// The entity; nil for the version as a whole.
    public var entity: String?
    /// The property.
    public var property: String?
    /// What is wrong, in words; lower case, no full stop.
    public var message: String
  }

  /// The kinds of problems, by their names in JSON.
  public enum Kind: String, Sendable, CaseIterable {
    /// Nothing of the version can be read.
    case unreadableVersion = "unreadable-version"
    /// A version that the bundle or a plan names, and that is not there.
    case missingVersion = "missing-version"
    /// What Swift source does not tell of it.
    case notKnownWhole = "not-known-whole"
    /// A relationship whose destination is not stated, or not in the model.
    case missingDestination = "missing-destination"
    /// A relationship whose inverse is not in the model.
    case missingInverse = "missing-inverse"
    /// A relationship whose inverse has another inverse, or none.
    case oneSidedInverse = "one-sided-inverse"
    /// A relationship without inverse.
    case noInverse = "no-inverse"
    /// A default that is no value of its type.
    case unreadableDefault = "unreadable-default"
    /// A model without entities.
    case noEntities = "no-entities"
    /// Something in Xcode's XML that is not known here.
    case unknownSource = "unknown-source"

    /// How bad it is: with an error nothing can be said of the version, a warning is what Xcode's compiler warns of, or
    /// what a verdict may rest on.
    public var severity: Severity {
      switch self {
      case .unreadableVersion, .notKnownWhole: .error
      case .missingVersion, .missingDestination, .missingInverse, .oneSidedInverse, .noInverse, .unreadableDefault,
        .noEntities:
        .warning
      case .unknownSource: .note
      }
    }

    /// Whether Xcode's model compiler warns of it.
    public var isOfCompiler: Bool {
      switch self {
      case .missingDestination, .missingInverse, .oneSidedInverse, .noInverse: true
      case .unreadableVersion, .missingVersion, .notKnownWhole, .unreadableDefault, .noEntities, .unknownSource: false
      }
    }
  }

  /// All problems.
  public var all: [Problem] { versions.flatMap(\.problems) }

  /// Looks at every version of a source.
  public init(_ source: ModelSource) {
    path = source.path
    versions = source.versions.map { Version(name: $0.name, problems: Self.problems(of: $0)) }
    versions += source.missingVersionNames.map { name in
      Version(name: name, problems: [Problem(kind: .missingVersion, message: "the version is named and not there")])
    }
  }

  private static func problems(of version: ModelSource.Version) -> [Problem] {
    if let failure = version.failure { return [Problem(kind: .unreadableVersion, message: failure.message)] }
    let model = version.model
    let gaps = (version.doubt?.gaps ?? []).map {
      Problem(kind: .notKnownWhole, entity: $0.entity, message: $0.message)
    }
    let isEmpty = model.entities.isEmpty && gaps.isEmpty
    let faults = Dictionary(model.faults.map { ([$0.entity, $0.property ?? ""], $0) }) { one, _ in one }
    let inEntities = model.entities.flatMap { entity in
      entity.properties.compactMap { problem(of: $0, in: entity.name, faults[[entity.name, $0.name]]) }
    }
    // A default that cannot be read is told of the attribute.
    let unknown = version.unknown.filter { !$0.isDefault }.map {
      Problem(kind: .unknownSource, message: $0.description)
    }
    return gaps + (isEmpty ? [Problem(kind: .noEntities, message: "the model has no entities")] : []) + inEntities
      + unknown
  }

  private static func problem(of property: Property, in entity: String, _ fault: ModelError?) -> Problem? {
    let place = "'\(entity).\(property.name)'"
    switch property.kind {
    case .attribute(let attribute):
      guard case .unreadable(let text)? = attribute.defaultValue else { return nil }
      return Problem(
        kind: .unreadableDefault, entity: entity, property: property.name,
        message: "\(place) has a default that is no \(attribute.type.name) that can be read: \(quoted(text))")
    case .relationship(let relationship):
      if let fault {
        return Problem(
          kind: Kind(fault.problem), entity: entity, property: property.name, message: fault.description)
      }
      guard relationship.inverse == nil else { return nil }
      return Problem(
        kind: .noInverse, entity: entity, property: property.name, message: "\(place) has no inverse")
    case .fetched: return nil
    }
  }
}

extension ModelProblems.Problem {
  fileprivate init(kind: ModelProblems.Kind, entity: String? = nil, message: String) {
    self.init(kind: kind, entity: entity, property: nil, message: message)
  }
}

extension ModelProblems.Kind {
  fileprivate init(_ problem: ModelError.Problem) {
    switch problem {
    case .unknownInverse: self = .missingInverse
    case .inverseMismatch: self = .oneSidedInverse
    default: self = .missingDestination
    }
  }
}
