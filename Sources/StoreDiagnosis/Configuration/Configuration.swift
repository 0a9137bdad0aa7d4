import StoreFindings
import StoreScanning
import StoreSQLite

/// What a project wants of storedoctor, from its `.storedoctor.yaml` (`docs/configuration.md`).
///
/// It moves what commands do by default, and mutes findings with a reason; it never hides that it did.
public struct Configuration: Sendable, Equatable {
  /// The file, as given or as seen from the working directory.
  public var path: PosixPath
  /// How bad the findings of a check are, by the check's id.
  public var severities: [String: Severity]
  /// What is muted, in the file's order.
  public var mutes: [Mute]
  /// Models the app may open a store with, in the order of versions; relative to the working directory as `path` is.
  public var models: [PosixPath]
  /// What options are where the command line is silent.
  public var defaults: Defaults

  /// A file that says nothing.
  public init(
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
  public struct Mute: Sendable, Equatable {
    /// The check's id.
    public var check: String
    /// The entity they stand at; nil for all, and for those of the store as a whole.
    public var entity: String?
    /// The property they stand at; nil for all of the entity's.
    public var property: String?
    /// Why they are accepted.
    public var reason: String

    /// A check's findings, everywhere unless said otherwise.
    public init(check: String, entity: String? = nil, property: String? = nil, reason: String) {
      self.check = check
      self.entity = entity
      self.property = property
      self.reason = reason
    }
  }

  /// Options by the names they have on the command line; nil where the file is silent.
  public struct Defaults: Sendable, Equatable {
    /// `--fail-on`
    public var failOn: Gate?
    /// `--examples`
    public var examples: Int?
    /// `--opening`
    public var opening: OpeningQuestion?
    /// `--integrity`
    public var integrity: Bool?
    /// `--unique`
    public var unique: [UniqueKey]?
    /// `--cloudkit`
    public var cloudKit: Bool?
    /// `--entity`
    public var entities: [String]?

    /// No default moved.
    public init() {}
  }
}

/// For which way of opening a verdict is asked.
public enum OpeningQuestion: String, Sendable, CaseIterable {
  case automatic, staged, manual
  /// All of them; the verdict is that of the automatic one.
  case all

  /// The one way, if it is one.
  public var way: OpeningWay? {
    switch self {
    case .automatic: .automatic
    case .staged: .staged
    case .manual: .manual
    case .all: nil
    }
  }
}
