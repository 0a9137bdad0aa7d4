import StoreFindings
import StoreScanning
import StoreDataModel
import StoreSQLite

/// A project's settings for storedoctor, from its `.storedoctor.yaml` (`docs/configuration.md`).
///
/// It changes the defaults of commands and mutes findings with a reason; output always says what was muted.
package struct Configuration: Sendable, Equatable {
  /// The file, as given or as seen from the working directory.
  package var path: PosixPath
  /// The severities given to checks, by the check's id.
  package var severities: [String: Severity]
  /// The mutes, in the file's order.
  package var mutes: [Mute]
  /// Models the app may open a store with, in the order of versions; relative to the working directory as `path` is.
  package var models: [PosixPath]
  /// Values of options that the command line does not give.
  package var defaults: Defaults

  /// An empty configuration.
  package init(
    path: PosixPath, severities: [String: Severity] = [:], mutes: [Mute] = [], models: [PosixPath] = [],
    defaults: Defaults = Defaults()
  ) {
    self.path = path
    self.severities = severities
    self.mutes = mutes
    self.models = models
    self.defaults = defaults
  }

  /// Findings that are known and accepted.
  package struct Mute: Sendable, Equatable {
    /// The check's id.
    package var check: String
    /// The entity of the findings; nil for all, including findings of the whole store.
    package var entity: String?
    /// The property of the findings; nil for all of the entity.
    package var property: String?
    /// Why they are accepted.
    package var reason: String

    /// Mutes all findings of a check, unless an entity or property is given.
    package init(check: String, entity: String? = nil, property: String? = nil, reason: String) {
      self.check = check
      self.entity = entity
      self.property = property
      self.reason = reason
    }
  }

  /// Options by their names on the command line; nil if the file does not set them.
  package struct Defaults: Sendable, Equatable {
    /// `--fail-on`
    package var failOn: Gate?
    /// `--examples`
    package var examples: Int?
    /// `--opening`
    package var opening: OpeningQuestion?
    /// `--integrity`
    package var integrity: Bool?
    /// `--unique`
    package var unique: [UniqueKey]?
    /// `--cloudkit`
    package var cloudKit: Bool?
    /// `--entity`
    package var entities: [String]?
    /// `--assume`
    package var assume: [AssumedType]?
    /// `--allow-class`
    package var allowedClasses: AllowedClasses?

    /// No option set.
    package init() {}
  }
}

/// The way of opening a verdict is wanted for.
package enum OpeningQuestion: String, Sendable, CaseIterable {
  case automatic, staged, manual
  /// All of them; the overall verdict is that of the staged opening if the models have a plan with stages, else of
  /// the automatic one.
  case all

  /// The single way; nil for `all`.
  package var way: OpeningWay? {
    switch self {
    case .automatic: .automatic
    case .staged: .staged
    case .manual: .manual
    case .all: nil
    }
  }
}
