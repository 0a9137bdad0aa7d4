/// The models, plans and containers of SwiftData source.
package struct SourceReading: Sendable, Equatable {
  /// Every `VersionedSchema`, every container that states its classes, and the live classes; in this order, then by place.
  package var schemas: [SourceSchema]
  /// Every `SchemaMigrationPlan`, by place.
  package var plans: [SourcePlan]
  /// Every call that makes a container, by place.
  package var containers: [SourceContainer]
  /// Parts that could not be read, and ambiguities; by place.
  package var problems: [SourceProblem]
  /// The Swift files that were looked at.
  package var fileCount: Int
  /// Those of them that had to be parsed.
  package var parsedFileCount: Int

  /// A reading; empty unless said otherwise.
  package init(
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
  package func schema(named name: String) -> SourceSchema? {
    if let exact = only(schemas.filter { $0.name == name }) { return exact }
    return only(schemas.filter { $0.name.hasSuffix("." + name) })
  }

  /// The schemas of a plan in its order; those that were not found are nil.
  package func schemas(of plan: SourcePlan) -> [SourceSchema?] {
    plan.schemaNames.map { name in only(schemas.filter { $0.name == name && $0.origin == .versioned }) }
  }

  private func only(_ found: [SourceSchema]) -> SourceSchema? { found.count == 1 ? found[0] : nil }
}

/// A problem of the source that users have to be told.
package struct SourceProblem: Sendable, Hashable {
  /// The problem; lower case, no full stop.
  package var message: String
  /// Where, if it is about a place.
  package var place: SourcePlace?

  /// A problem.
  package init(_ message: String, at place: SourcePlace? = nil) {
    self.message = message
    self.place = place
  }
}
