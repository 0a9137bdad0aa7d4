/// The models, plans and containers of SwiftData source.
public struct SourceReading: Sendable, Equatable {
  /// Every `VersionedSchema`, every container that states its classes, and the live classes; in this order, then by place.
  public var schemas: [SourceSchema]
  /// Every `SchemaMigrationPlan`, by place.
  public var plans: [SourcePlan]
  /// Every call that makes a container, by place.
  public var containers: [SourceContainer]
  /// Parts that could not be read, and ambiguities; by place.
  public var problems: [SourceProblem]
  /// The Swift files that were looked at.
  public var fileCount: Int
  /// Those of them that had to be parsed.
  public var parsedFileCount: Int

  /// A reading; empty unless said otherwise.
  public init(
    schemas: [SourceSchema] = [], plans: [SourcePlan] = [], containers: [SourceContainer] = [],
    problems: [SourceProblem] = [], fileCount: Int = 0, parsedFileCount: Int = 0
  ) {
    self.schemas = schemas
    self.plans = plans
    self.containers = containers
    self.problems = problems
    self.fileCount = fileCount
    self.parsedFileCount = parsedFileCount
  }

  /// The schema of a name: `SchemaV2`, or the whole `NotesModel.SchemaV2` where the short one is not enough; nil where
  /// there is none or several.
  public func schema(named name: String) -> SourceSchema? {
    if let exact = only(schemas.filter { $0.name == name }) { return exact }
    return only(schemas.filter { $0.name.hasSuffix("." + name) })
  }

  /// The schemas of a plan in its order; those that were not found are nil.
  public func schemas(of plan: SourcePlan) -> [SourceSchema?] {
    plan.schemaNames.map { name in only(schemas.filter { $0.name == name && $0.origin == .versioned }) }
  }

  private func only(_ found: [SourceSchema]) -> SourceSchema? { found.count == 1 ? found[0] : nil }
}

/// A problem of the source that users have to be told.
public struct SourceProblem: Sendable, Hashable {
  /// The problem; lower case, no full stop.
  public var message: String
  /// Where, if it is about a place.
  public var place: SourcePlace?

  /// A problem.
  public init(_ message: String, at place: SourcePlace? = nil) {
    self.message = message
    self.place = place
  }
}
