/// A `SchemaMigrationPlan`.
package struct SourcePlan: Sendable, Equatable {
  /// One stage.
  package struct Stage: Sendable, Equatable {
    /// SwiftData's two kinds.
    package enum Kind: String, Sendable { case lightweight, custom }

    /// The variable that holds it; nil where it stands in the list itself.
    package var name: String?
    /// The call that makes it.
    package var place: SourcePlace
    /// Lightweight or custom.
    package var kind: Kind
    /// The version it leads from: the name of a schema, or the text where there is no such version.
    package var fromVersion: String
    /// The version it leads to, likewise.
    package var toVersion: String
    /// Whether something is run before the migration; `nil` as argument is nothing.
    package var willMigrate: Bool
    /// Whether something is run after it.
    package var didMigrate: Bool
    /// Whether `stages` names it.
    package var isListed: Bool

    /// A stage.
    package init(
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

    /// In the notation `StagePlan` reads.
    package var notation: String {
      switch kind {
      case .lightweight: "light:\(fromVersion),\(toVersion)"
      case .custom:
        "custom:\(fromVersion)>\(toVersion)\(willMigrate || didMigrate ? "" : " without code")"
      }
    }
  }

  /// The type's name with those it is nested in.
  package var name: String
  /// The name in its declaration.
  package var place: SourcePlace
  /// The versions in order: names of schemas, or the text where there is no such version.
  package var schemaNames: [String]
  /// Why `schemas` could not be read whole; nil when it was.
  package var schemasProblem: String?
  /// The stages in the order of `stages`; behind them those that are declared and not listed.
  package var stages: [Stage]
  /// Why `stages` could not be read whole; nil when it was.
  package var stagesProblem: String?

  /// A plan.
  package init(
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
package struct SourceContainer: Sendable, Equatable {
  /// The call.
  package var place: SourcePlace
  /// The name of the schema it is made for, among the reading's; nil where that is not known.
  package var schemaName: String?
  /// The name of the plan it is given.
  package var planName: String?
  /// Whether what it holds is gone with it: it is in memory, or in a preview.
  package var isTemporary: Bool
  /// Whether it is built into the target of an app: that with a `@main` type that is an `App`, or with an application's
  /// delegate.
  package var isOfApp: Bool
  /// Why one of them is not known.
  package var problem: String?

  /// A container.
  package init(
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
