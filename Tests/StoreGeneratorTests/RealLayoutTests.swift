import StoreDataModel
import StoreCoreData
import StoreSQLite
import StoreGenerator
import TestSupport
import Testing

/// Generated stores equal the real stores that no migration changed: the same tables, columns, indexes, numbers and
/// hashes, and the same SQL.
@Suite struct RealLayoutTests {
  /// Differences in three stores that were migrated, but show no other sign of it: their tables were made at different
  /// times.
  private static let remains = [
    "wire-ios-data-model--store2-45-0-080920": ["index ZADDRESSBOOKENTRY_ZLOCALIDENTIFIER_INDEX"],
    "wire-ios-data-model--store2-66-0-3eebd5": ["index ZADDRESSBOOKENTRY_ZLOCALIDENTIFIER_INDEX"],
    "coredataplus--samplemodel-v2-7d1458": ["Z_PRIMARYKEY"],
  ]

  @Test(.needsSharedData) func generatesWhatCoreDataMade() throws {
    var compared: [String] = []
    var migrated: [String] = []
    for entry in Catalogue.real {
      let real = try RealStore(entry)
      guard let model = real.store.modelCache.model else { continue }
      if let sign = try real.signOfMigration() {
        migrated.append("\(entry.slug): \(sign)")
        continue
      }
      compared.append(entry.slug)
      #expect(try differences(real, model) == Self.remains[entry.slug] ?? [], "\(entry.slug)")
    }
    print("never migrated, generated alike (\(compared.count)):\n  \(compared.joined(separator: "\n  "))")
    print("migrated, not compared (\(migrated.count)):\n  \(migrated.joined(separator: "\n  "))")
    #expect(compared.count == 51)
  }

  /// The names of objects that differ between a real store and one generated from its cached model.
  private func differences(_ real: RealStore, _ model: Model) throws -> [String] {
    let folder = try TemporaryFolder()
    let path = folder("generated.sqlite")
    let writer = try StoreWriter(
      creating: path,
      StoreDescription(
        model: model, framework: Int(real.entry.framework_version),
        keepsHistory: real.objects["table ACHANGE"] != nil, joinTableNames: Set(real.store.shape.tables.keys)))
    try writer.finish()
    let generated = try Store(path: path)
    let objects = try schemaObjects(generated)

    var different = Set(objects.keys).union(real.objects.keys).sorted().filter { name in
      !real.isMadeByTheApp(name) && canonical(objects[name], real) != canonical(real.objects[name], real)
    }
    if entityRows(generated) != entityRows(real.store) { different.append("Z_PRIMARYKEY") }
    if generated.metadata.hashes != real.store.metadata.hashes { different.append("hashes") }
    if generated.modelCache.model != model { different.append("model read back") }
    if !generated.layout.unexplained.isEmpty || !generated.problems.isEmpty { different.append("problems") }
    return different
  }

  private func entityRows(_ store: Store) -> [String] {
    store.entityMap.rows.filter { !$0.id.isInternal }.map { "\($0.id) \($0.name) \($0.parent?.number ?? 0)" }
  }

  /// Several `Z_FOK_` columns of a table have an irregular order below framework 1044, which the model does not show
  /// (`docs/format/store-layout.md`).
  private func canonical(_ sql: String?, _ real: RealStore) -> String? {
    guard let sql, real.entry.framework_version < 1044, sql.contains("Z_FOK_") else { return sql }
    return sql.split(separator: ", ").sorted().joined(separator: ", ")
  }
}

/// A real store with its schema as text.
private struct RealStore {
  var entry: Catalogue.Entry
  var store: Store
  /// "table ZNOTE" to its SQL, in the spelling of sqlite_schema.
  var objects: [String: String]

  init(_ entry: Catalogue.Entry) throws {
    self.entry = entry
    store = try Store(path: entry.path)
    objects = try schemaObjects(store)
  }

  /// Why the store counts as migrated; nil if it has no sign of it.
  func signOfMigration() throws -> String? {
    for (name, sql) in objects.sorted(by: { $0.key < $1.key }) where name.hasPrefix("table ") {
      guard !isMadeBySQLite(name), !Self.ownTables.contains(name), !sql.hasPrefix("CREATE VIRTUAL") else { continue }
      if sql.hasPrefix("CREATE TABLE \"") { return "the name of \(name) is quoted" }
      // Core Data closes with " )", or with "))" after an old constraint; ALTER TABLE appends before that.
      if !sql.hasSuffix(" )"), !sql.hasSuffix("))") { return "\(name) has appended columns" }
    }
    guard objects["table ATRANSACTIONSTRING"] != nil else { return nil }
    return try hasMigratorString() ? "its history names the schema migrator" : nil
  }

  private static let ownTables = ["table Z_PRIMARYKEY", "table Z_METADATA", "table Z_MODELCACHE"]

  private func hasMigratorString() throws -> Bool {
    let statement = try store.connection.prepare(
      "SELECT 1 FROM ATRANSACTIONSTRING WHERE ZNAME LIKE 'com.apple.coredata.schemamigrator%' LIMIT 1")
    return try statement.step()
  }

  private func isMadeBySQLite(_ name: String) -> Bool {
    let isShadow = name.hasPrefix("table Z_RT_") && ["_node", "_parent", "_rowid"].contains(where: name.hasSuffix)
    return isShadow || name.hasPrefix("table sqlite_")
  }

  /// Photos' own indexes and triggers, triggers of derived attributes, and SQLite's own tables.
  func isMadeByTheApp(_ name: String) -> Bool {
    isMadeBySQLite(name) || name.hasPrefix("index RADAR_") || name.hasPrefix("trigger ZT_")
      || name.hasPrefix("trigger Z_DA_")
  }
}

private func schemaObjects(_ store: Store) throws -> [String: String] {
  var objects: [String: String] = [:]
  for object in try store.connection.schema() {
    guard let sql = object.sql else { continue }
    objects["\(object.type) \(object.name)"] = sql
  }
  return objects
}
