/// A `SchemaMigrationPlan`.
public struct SourcePlan: Sendable, Equatable {
  /// One stage.
  public struct Stage: Sendable, Equatable {
    /// SwiftData's two kinds.
    public enum Kind: String, Sendable { case lightweight, custom }

    /// The variable that holds it; nil where it stands in the list itself.
    public var name: String?
    /// The call that makes it.
    public var place: SourcePlace
    /// Lightweight or custom.
    public var kind: Kind
    /// The version it leads from: the name of a schema, or the text where there is no such version.
    public var fromVersion: String
    /// The version it leads to, likewise.
    public var toVersion: String
    /// Whether something is run before the migration; `nil` as argument is nothing.
    public var willMigrate: Bool
    /// Whether something is run after it.
    public var didMigrate: Bool
    /// Whether `stages` names it.
    public var isListed: Bool

    /// A stage.
    public init(
      name: String? = nil, place: SourcePlace, kind: Kind, fromVersion: String, toVersion: String,
      willMigrate: Bool = false, didMigrate: Bool = false, isListed: Bool = true
    ) {
      self.name = name
      self.place = place
      self.kind = kind
      self.fromVersion = fromVersion
      self.toVersion = toVersion
      self.willMigrate = willMigrate
      self.didMigrate = didMigrate
      self.isListed = isListed
    }
  }

  /// The type's name with those it is nested in.
  public var name: String
  /// The name in its declaration.
  public var place: SourcePlace
  /// The versions in order: names of schemas, or the text where there is no such version.
  public var schemaNames: [String]
  /// Why `schemas` could not be read whole; nil when it was.
  public var schemasProblem: String?
  /// The stages in the order of `stages`; behind them those that are declared and not listed.
  public var stages: [Stage]
  /// Why `stages` could not be read whole; nil when it was.
  public var stagesProblem: String?

  /// A plan.
  public init(
    name: String, place: SourcePlace, schemaNames: [String] = [], schemasProblem: String? = nil, stages: [Stage] = [],
    stagesProblem: String? = nil
  ) {
    self.name = name
    self.place = place
    self.schemaNames = schemaNames
    self.schemasProblem = schemasProblem
    self.stages = stages
    self.stagesProblem = stagesProblem
  }
}

/// A call that makes a container.
public struct SourceContainer: Sendable, Equatable {
  /// The call.
  public var place: SourcePlace
  /// The name of the schema it is made for, among the reading's; nil where that is not known.
  public var schemaName: String?
  /// The name of the plan it is given.
  public var planName: String?
  /// Whether what it holds is gone with it: it is in memory, or in a preview.
  public var isTemporary: Bool
  /// Whether it is built into the target of an app: that with a `@main` type that is an `App`, or with an application's
  /// delegate.
  public var isOfApp: Bool
  /// Why one of them is not known.
  public var problem: String?

  /// A container.
  public init(
    place: SourcePlace, schemaName: String? = nil, planName: String? = nil, isTemporary: Bool = false,
    isOfApp: Bool = false, problem: String? = nil
  ) {
    self.place = place
    self.isTemporary = isTemporary
    self.isOfApp = isOfApp
    self.schemaName = schemaName
    self.planName = planName
    self.problem = problem
  }
}
