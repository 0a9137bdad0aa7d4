import StoreDataModel
import StoreFindings
import StoreWords

/// The problems of each version of a model, independent of any store: the result of `storedoctor model check` without
/// pins.
///
/// Xcode's model compiler warns of relationships without an inverse, with a one-sided inverse, and without a
/// destination, but apps are shipped with such models.
package struct ModelProblems: Sendable, Equatable {
  /// The source, as its path was given.
  package var path: String
  /// Every version, in the source's order.
  package var versions: [Version]

  /// One version with its problems.
  package struct Version: Sendable, Equatable {
    /// The version's name.
    package var name: String
    /// In the order of entities and properties.
    package var problems: [Problem]
  }

  /// One problem.
  package struct Problem: Sendable, Equatable {
    /// The kind of thing.
    package var kind: Kind
    /// The entity; nil for the version as a whole.
    package var entity: String?
    /// The property; nil if it concerns the entity or version.
    package var property: String?
    /// The problem; lower case, no full stop.
    package var message: String
    /// For a problem of several properties, each with its entity, and what is wrong there where that differs; otherwise
    /// empty.
    package var places: [Place] = []
  }

  /// One property of several that have the same problem.
  package struct Place: Sendable, Equatable, Hashable {
    /// The entity that declares it.
    package var entity: String
    /// The property.
    package var property: String
    /// The transformer, or the class of its values; nil where none is named.
    package var name: String?
  }

  /// The kinds of problems, by their names in JSON.
  package enum Kind: String, Sendable, CaseIterable {
    /// Nothing of the version can be read.
    case unreadableVersion = "unreadable-version"
    /// The bundle or a migration plan names a version that does not exist.
    case missingVersion = "missing-version"
    /// The Swift source does not determine something about the version.
    case notKnownWhole = "not-known-whole"
    /// A mapping model of the app whose source or destination is no version any more.
    case outdatedMapping = "outdated-mapping-model"
    /// A mapping model that cannot be read, or was not looked for.
    case unreadableMapping = "unreadable-mapping-model"
    /// A relationship whose destination is not stated or not in the model.
    case missingDestination = "missing-destination"
    /// A relationship whose inverse is not in the model.
    case missingInverse = "missing-inverse"
    /// A relationship whose inverse has another inverse, or none.
    case oneSidedInverse = "one-sided-inverse"
    /// A relationship without inverse.
    case noInverse = "no-inverse"
    /// A default value that cannot be read as a value of its attribute's type.
    case unreadableDefault = "unreadable-default"
    /// A model without entities.
    case noEntities = "no-entities"
    /// Transformable attributes whose transformer lets any class through, one problem of a version for all of them.
    case insecureTransformer = "insecure-transformer"
    /// Transformable attributes whose own class their secure transformer does not let through, likewise.
    case refusedClass = "refused-class"
    /// Something in Xcode's XML that storedoctor does not know.
    case unknownSource = "unknown-source"

    /// How bad it is. Error: the version cannot be judged at all. Warning: Xcode's compiler warns of it too, or a
    /// verdict may depend on it.
    package var severity: Severity {
      switch self {
      case .unreadableVersion, .notKnownWhole: .error
      case .missingVersion, .missingDestination, .missingInverse, .oneSidedInverse, .noInverse, .unreadableDefault,
        .noEntities, .outdatedMapping, .insecureTransformer, .refusedClass:
        .warning
      case .unknownSource, .unreadableMapping: .note
      }
    }

    /// Whether Xcode's model compiler warns of it.
    package var isOfCompiler: Bool {
      switch self {
      case .missingDestination, .missingInverse, .oneSidedInverse, .noInverse, .insecureTransformer: true
      case .unreadableVersion, .missingVersion, .notKnownWhole, .unreadableDefault, .noEntities, .refusedClass,
        .unknownSource, .outdatedMapping, .unreadableMapping:
        false
      }
    }
  }

  /// The problems of all versions.
  package var all: [Problem] { versions.flatMap(\.problems) }

  /// Examines every version of a source, and holds mapping models against them.
  ///
  /// - Parameters:
  ///   - history: the git history that says when a version moved; nil for none.
  ///   - allowed: the classes that secure transformers let through.
  package init(
    _ source: ModelSource, mappings: MappingSources, history: VersionHistory? = nil,
    allowing allowed: AllowedClasses = AllowedClasses()
  ) {
    self.init(source, allowing: allowed)
    let known = source.versions.filter { $0.failure == nil && $0.doubt?.gaps.isEmpty != false }
    guard let last = versions.indices.last, !known.isEmpty else { return }
    let compared = known.map { MappingFit.Version(name: $0.name, hashes: $0.model.versionHashes) }
    for mapping in mappings.mappings {
      let fit = MappingFit(mapping, versions: compared)
      guard !fit.isCurrent, fit.concernsModel || mappings.given.contains(mapping.path) else { continue }
      let (place, problem) = Self.problem(fit, history)
      versions[versions.firstIndex { $0.name == place } ?? last].problems.append(problem)
    }
    versions[last].problems += mappings.problems.map { Problem(kind: .unreadableMapping, message: $0) }
  }

  /// The problem of a mapping model that is out of date, and the version that moved.
  private static func problem(_ fit: MappingFit, _ history: VersionHistory?) -> (version: String?, Problem) {
    let sides = [fit.source, fit.destination].filter { $0.moved != nil }
    let moved = sides.first?.moved
    let commits = fit.unread.isEmpty ? sides.compactMap { history?.words($0.hashes) } : []
    let words = (fit.reasons + commits).joined(separator: "; ")
    let problem = Problem(
      kind: .outdatedMapping, entity: moved?.entities.count == 1 ? moved?.entities.first : nil,
      message: "the mapping model \(quoted(fit.path)) is out of date, so that Core Data does not find it: \(words)")
    return (moved?.version, problem)
  }

  /// Examines every version of a source.
  ///
  /// - Parameter allowed: the classes that secure transformers let through.
  package init(_ source: ModelSource, allowing allowed: AllowedClasses = AllowedClasses()) {
    path = source.path
    versions = source.versions.map { version in
      let ofTransformers = version.failure == nil ? TransformerProblems(version.model, allowing: allowed).all : []
      return Version(name: version.name, problems: Self.problems(of: version) + ofTransformers)
    }
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
    let ambiguous = (version.doubt?.entities ?? [:]).filter { $0.value.isOfSeveralShapes }.keys
    let doubts = version.doubts.filter { doubt in
      doubt.entity.map(ambiguous.contains) ?? false && !gaps.contains { $0.entity == doubt.entity }
    }.map { Problem(kind: .notKnownWhole, entity: $0.entity, message: $0.message) }
    let isEmpty = model.entities.isEmpty && gaps.isEmpty
    let faults = Dictionary(model.faults.map { ([$0.entity, $0.property ?? ""], $0) }) { one, _ in one }
    let inEntities = model.entities.flatMap { entity in
      entity.properties.compactMap { problem(of: $0, in: entity.name, faults[[entity.name, $0.name]]) }
    }
    // An unreadable default is reported with its attribute.
    let unknown = version.unknown.filter { !$0.isDefault }.map {
      Problem(kind: .unknownSource, message: $0.description)
    }
    return gaps + doubts + (isEmpty ? [Problem(kind: .noEntities, message: "the model has no entities")] : [])
      + inEntities
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

extension DoubtfulEntity {
  /// Whether its readings differ in more than how a value is stored: two classes of one name have other properties.
  fileprivate var isOfSeveralShapes: Bool {
    guard let first = readings.first else { return false }
    return readings.contains { $0.entity.shape != first.entity.shape }
  }
}

extension Entity {
  /// Its properties by name, with where relationships lead.
  fileprivate var shape: [String: [String?]] {
    Dictionary(
      properties.map { property in
        guard case .relationship(let relationship) = property.kind else { return (property.name, []) }
        return (property.name, [relationship.destination, relationship.inverse])
      }, uniquingKeysWith: { one, _ in one })
  }
}
