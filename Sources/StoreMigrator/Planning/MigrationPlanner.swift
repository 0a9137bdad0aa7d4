import StoreCoreData
import StoreDataModel
import StoreSQLite
import StoreWords

// How the statements of one lightweight step are found
// ----------------------------------------------------
//
//   Store ──► SourceTables ─┐
//                           ├─► MigrationPlanner ──► MigrationPlan ──► perform
//   Model ──► TablePlan ────┘   tables, joins, indexes,
//                               entity map, metadata, history
//
// Tables of the source and of the target are put together where an entity of one becomes an entity of the other. One with
// one: the table is kept, or made anew. None with one: it is new. One with none: it goes. Anything else (an entity that
// moves to another hierarchy): all of them are made anew. The rules are those of `docs/format/migration-on-disk.md`; what
// is not known is refused, and nothing is written.

/// The statements of one lightweight step, and what is assumed.
package struct MigrationPlan: Sendable {
  /// In the order in which they run.
  package var statements: [MigrationStatement] = []
  /// Assumptions known by inference only, one sentence each; lower case, no full stop.
  package var assumptions: [String] = []
  /// What else is worth knowing of it, one sentence each; lower case, no full stop.
  package var remarks: [String] = []
  /// For a step by a mapping model: which objects became which.
  var mapped: MappedKeys?
  /// For a step by a mapping model: what that says, found in both models.
  var mappedModel: MappedModel?
  /// For a step by a mapping model: which names became which; nil where those of a lightweight step do.
  var pairs: NamePairs?
  /// Fetch indexes that are not made, because their statement is not known, as "Note.byDate".
  package var indexesLeftOut: [String] = []
  /// The defaults that are written into rows for new attributes, by entity and attribute of the target.
  package var defaults: [String: [String: SQLiteValue]] = [:]
  /// The attributes that become required and whose default rows without a value are given, as "Note.rating".
  package var filled: Set<String> = []
  /// For a step by a mapping model: what is looked for once the recipes that stand in for policies are done.
  var lastChecks: [MigrationStatement] = []
  /// Counts of the changes to tables.
  package var tables = TableCounts()

  /// How many tables are treated in which way; join tables count.
  package struct TableCounts: Sendable, Equatable {
    /// Columns are added or renamed, or the table gets another name.
    package var altered = 0
    /// Made anew, with their rows copied.
    package var remade = 0
    /// New ones.
    package var made = 0
    /// Dropped ones.
    package var dropped = 0
  }

  /// How many statements raise the schema cookie.
  package var schemaChanges: Int { statements.count(where: \.changesSchema) }

  init(statements: [MigrationStatement]) { self.statements = statements }

  /// The statements of a step from the store's model to `target`.
  ///
  /// - Parameters:
  ///   - cache: the model cache to write, where the target is a store's model; nil to make it of the model.
  ///   - now: the time of the transaction in history, in seconds since 2001-01-01 UTC.
  /// - Throws: `MigrationRefused` with all reasons; `SQLiteError` when the store cannot be read.
  package init(from store: Store, to target: Model, cache: [UInt8]? = nil, now: Double) throws {
    var planner = try MigrationPlanner(SourceTables(store), target: target, now: now)
    planner.targetCache = cache
    self = try planner.planned()
  }
}

struct MigrationPlanner {
  let source: SourceTables
  let map: PropertyMap
  /// The target's numbers.
  let numbers: [String: Int64]
  /// The target's tables.
  let plan: TablePlan
  /// The target's statements.
  let schema: SchemaStatements
  /// The statement that makes each table of the target.
  private let creations: [String: String]
  let framework: Int
  let now: Double
  /// The model cache of the store whose model the target is.
  var targetCache: [UInt8]?

  var steps: [MigrationStatement.Purpose: [MigrationStatement]] = [:]
  var refusals: [MigrationRefusal] = []
  var result = MigrationPlan(statements: [])
  /// Tables of the source whose indexes go with them.
  var goneTables: Set<String> = []
  /// New tables of entities and new join tables, by name.
  var newTables: Set<String> = []
  /// For each kept table with another name, that name.
  var renamedTables: [String: String] = [:]
  /// Keys of to-ones that go to the other end of their links.
  var movedKeys: [MovedKeys] = []
  /// For each kept table, by its old name, its renamed columns.
  var renamedColumns: [String: [String: String]] = [:]

  init(_ source: SourceTables, target: Model, now: Double) {
    self.source = source
    self.now = now
    let target = target.compiled
    map = PropertyMap(ModelDifference(from: source.model, to: target))
    numbers = TablePlan.entityNumbers(of: target)
    framework = Int(clamping: source.store.metadata.frameworkVersion ?? 0)
    plan = TablePlan(target, numbers: numbers, knownTables: Self.knownJoinNames(source, map: map, numbers: numbers))
    schema = SchemaStatements(model: target, plan: plan, framework: framework, keepsHistory: false)
    creations = Dictionary(schema.all.filter { $0.kind == "table" }.map { ($0.name, $0.sql) }) { first, _ in first }
  }

  /// Where a model does not decide after which end a join table is named, it keeps the end it was named after.
  private static func knownJoinNames(
    _ source: SourceTables, map: PropertyMap, numbers: [String: Int64]
  ) -> Set<String> {
    var names: Set<String> = []
    for entity in map.target.entities {
      for property in entity.properties where property.relationship?.isToMany == true {
        let id = TablePlan.PropertyID(entity.name, property.name)
        guard let relationship = property.relationship, let inverse = relationship.inverse,
          map.target.topmostDeclarer(of: inverse, in: relationship.destination) == entity.name,
          let past = map.past(id), let number = numbers[entity.name],
          source.joins.contains(where: {
            $0.source.entity == past.entity && $0.source.relationship == past.property
          })
        else { continue }
        names.insert(TablePlan.linkName(of: property.name, ofEntity: number))
      }
    }
    return names
  }

  mutating func planned() throws -> MigrationPlan {
    try refuseWhatIsNotKnown()
    try planTables()
    planJoins()
    planMovedKeys()
    planRenumbering()
    planIndexes()
    try planEntityMap()
    try planMetadata()
    try planChangeRecords()
    planHistory()
    guard refusals.isEmpty else { throw MigrationRefused(refusals) }
    result.statements = MigrationStatement.Purpose.allCases.flatMap { steps[$0] ?? [] }
    result.indexesLeftOut = schema.leftOut
    return result
  }

  /// The statement that makes a table of the target.
  func creation(of table: String) -> String? { creations[table] }

  mutating func add(_ purpose: MigrationStatement.Purpose, sql: String, values: [SQLiteValue] = []) {
    steps[purpose, default: []].append(MigrationStatement(purpose, sql, values))
  }

  mutating func add(_ purpose: MigrationStatement.Purpose, _ edit: SchemaEdit) {
    steps[purpose, default: []].append(MigrationStatement(purpose, edit))
  }

  mutating func assume(_ sentence: String) {
    if !result.assumptions.contains(sentence) { result.assumptions.append(sentence) }
  }

  mutating func refuse(_ id: TablePlan.PropertyID, reason: String) {
    refusals.append(MigrationRefusal(id.entity, id.property, reason))
  }

  /// "1, 2, 3": the numbers of entities of the source.
  func oldNumbers(_ entities: [String]) -> String {
    entities.compactMap { source.numbers[$0] }.sorted().map(String.init).joined(separator: ", ")
  }

  /// Whether any row has something in a column.
  func hasValues(_ column: String, in table: String) throws -> Bool {
    try source.store.connection.prepare(
      "SELECT 1 FROM \(quotedIdentifier(table)) WHERE \(quotedIdentifier(column)) IS NOT NULL LIMIT 1"
    ).step()
  }
}
