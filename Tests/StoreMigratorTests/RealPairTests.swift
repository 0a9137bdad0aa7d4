import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreModels
import StorePublishing
import StoreSQLite
import TestSupport
import Testing

@testable import StoreMigrator

/// Steps that Core Data performed: our result has to be its file, given the file before and the model of the one after.
@Suite(.needsSharedData)
struct RealPairTests {
  static let steps = [
    ("2.80", "2.82", 54), ("2.82", "2.83", 1), ("2.83", "2.85", 7), ("2.85", "2.86", 7), ("2.86", "2.87", 7),
    ("2.87", "2.88", 54), ("2.88", "2.89", 2), ("2.89", "2.90", 7), ("2.92", "2.93", 9),
  ]

  @Test(arguments: steps)
  func step(_ before: String, _ after: String, _ statements: Int) throws {
    let folder = try TemporaryFolder()
    let expected = try Store(path: wire(after))
    let plan = try migrate(Store(path: wire(before)), to: #require(expected.model), at: folder("migrated.sqlite"))
    let result = try Store(path: folder("migrated.sqlite"))
    #expect(plan.schemaChanges == statements)
    #expect(plan.assumptions.allSatisfy { $0.hasPrefix("UserClient: the join table of") })
    #expect(try different(schema(result), schema(expected)) == [])
    #expect(try cookie(result) == cookie(expected))
    #expect(try differentTables(result, expected) == [])
    try expectMetadata(of: result, as: expected)
  }

  /// Core Data renamed one join table between two relationships of `UserClient` when that entity got an attribute; which
  /// of the two it names such a table after is not known. All else is equal.
  @Test
  func ambiguousJoinTable() throws {
    let folder = try TemporaryFolder()
    let expected = try Store(path: wire("2.96"))
    let plan = try migrate(Store(path: wire("2.95")), to: #require(expected.model), at: folder("migrated.sqlite"))
    let result = try Store(path: folder("migrated.sqlite"))
    #expect(plan.assumptions.count == 2)
    #expect(
      plan.statements.filter(\.changesSchema).map(\.sql) == [
        "ALTER TABLE ZUSERCLIENT ADD COLUMN ZNEEDSSESSIONMIGRATION INTEGER"
      ])
    let names = try Set(different(schema(result), schema(expected)).map { $0.split(separator: "|")[2] })
    #expect(
      names.allSatisfy { $0.contains("TRUSTEDCLIENTS") || $0.contains("TRUSTEDBYCLIENTS") || $0 == "ZUSERCLIENT" })
    #expect(try differentTables(result, expected) == ["Z_25TRUSTEDBYCLIENTS"])
    #expect(
      try rows(of: "Z_25TRUSTEDCLIENTS", in: result) == rows(of: "Z_25TRUSTEDBYCLIENTS", in: expected))
    try expectMetadata(of: result, as: expected)
  }

  /// Where the target is a store, its model cache is taken as it is there; where it is the same model from elsewhere, one is
  /// made that says the same.
  @Test func theCacheOfAStoreIsCopied() throws {
    let expected = try Store(path: wire("2.82"))
    let cache = try #require(try expected.storedModelCache())
    let model = try #require(expected.model)
    for (source, isSame) in [(try readModel(PosixPath(wire("2.82"))), true), (try modelSource(("2.82", model)), false)]
    {
      let run = MigrationRun(CandidateOptions(models: [source]), allowsAssumed: true, now: 0)
      var found: [UInt8]?
      _ = try rehearse(Store(path: wire("2.80")), run: run) { found = try $0.storedModelCache() }
      #expect((found == cache) == isSame)
    }
  }

  /// Eight models in order.
  @Test
  func chain() throws {
    let folder = try TemporaryFolder()
    var store = try Store(path: wire("2.80"))
    for version in ["2.82", "2.83", "2.85", "2.86", "2.87", "2.88", "2.89", "2.90"] {
      try migrate(store, to: #require(Store(path: wire(version)).model), at: folder("\(version.dropFirst(2)).sqlite"))
      store = try Store(path: folder("\(version.dropFirst(2)).sqlite"))
    }
    let expected = try Store(path: wire("2.90"))
    #expect(try different(schema(store), schema(expected)) == [])
    #expect(try cookie(store) == cookie(expected))
    #expect(try differentTables(store, expected) == [])
  }

  /// From the first to the last at once: the same content, without the indexes that only a hop between makes.
  @Test
  func atOnce() throws {
    let folder = try TemporaryFolder()
    let expected = try Store(path: wire("2.90"))
    try migrate(Store(path: wire("2.80")), to: #require(expected.model), at: folder("migrated.sqlite"))
    let result = try Store(path: folder("migrated.sqlite"))
    #expect(try differentTables(result, expected) == [])
    let own = try Set(schema(result).map { $0.split(separator: "|")[2] })
    let others = try Set(schema(expected).map { $0.split(separator: "|")[2] })
    #expect(own.subtracting(others) == [])
    #expect(
      others.subtracting(own).sorted() == [
        "Z_15ADDEDUSERS_Z_23ADDEDUSERS_INDEX", "Z_15CLIENTS_Z_24CLIENTS_INDEX",
        "Z_15REMOVEDUSERS_Z_23REMOVEDUSERS_INDEX",
        "Z_15USERS_Z_23USERS1_INDEX", "Z_19USERS_Z_23USERS_INDEX", "Z_1ROLE_Z_20ROLE_INDEX",
        "Z_24IGNOREDCLIENTS_Z_24IGNOREDCLIENTS_INDEX", "Z_24TRUSTEDCLIENTS_Z_24TRUSTEDCLIENTS_INDEX",
        "Z_5LABELS_Z_8LABELS_INDEX",
        "Z_5LASTSERVERSYNCEDACTIVEPARTICIPANTS_Z_23LASTSERVERSYNCEDACTIVEPARTICIPANTS_INDEX",
      ])
  }

  private func expectMetadata(of result: Store, as expected: Store) throws {
    // The digest came with framework 973; the metadata say which framework wrote the store before.
    let isOld = try #require(result.metadata.frameworkVersion) < 973
    #expect(
      Set(expected.metadata.keys).subtracting(result.metadata.keys)
        == (isOld ? ["NSStoreModelVersionHashesDigest"] : []))
    #expect(Set(result.metadata.keys).subtracting(expected.metadata.keys) == [])
    #expect(result.metadata.hashes == expected.metadata.hashes)
    if !isOld { #expect(result.metadata.digest == expected.metadata.digest) }
    #expect(result.metadata.versionIdentifiers == expected.metadata.versionIdentifiers)
    #expect(result.metadata.uuid == expected.metadata.uuid)
    #expect(result.model == expected.model)
  }
}

/// Lines of one only.
func different(_ one: [String], _ other: [String]) -> [String] {
  other.difference(from: one).map {
    switch $0 {
    case .insert(_, let line, _): "+" + line
    case .remove(_, let line, _): "-" + line
    }
  }
}

/// Tables of `expected`, but metadata and cache, that have other rows in `result`.
func differentTables(_ result: Store, _ expected: Store) throws -> [String] {
  try expected.shape.tables.keys.sorted().filter { table in
    guard !["Z_METADATA", "Z_MODELCACHE"].contains(table) else { return false }
    guard result.shape.tables[table] != nil else { return true }
    return try rows(of: table, in: result) != rows(of: table, in: expected)
  }
}

func wire(_ version: String) -> String { SharedData.path("migration-pairs/wire-\(version).sqlite") }

/// Performs one step into a new file.
@discardableResult
func migrate(_ store: Store, to model: Model, at path: String) throws -> MigrationPlan {
  let plan = try MigrationPlan(from: store, to: model, now: 0)
  try publish(store, to: OutputTarget(PosixPath(path))) { connection in
    try plan.perform(on: connection)
    return []
  } verify: { _ in
  }
  return plan
}

/// The rows of `sqlite_master`: "rowid|type|name|table|sql".
func schema(_ store: Store) throws -> [String] {
  try lines("SELECT rowid, type, name, tbl_name, ifnull(sql, '') FROM sqlite_master ORDER BY rowid", store)
}

func cookie(_ store: Store) throws -> [String] { try lines("PRAGMA schema_version", store) }

/// Every cell of every row, by the columns' names.
func rows(of table: String, in store: Store) throws -> [String] {
  let columns = try store.connection.columns(of: table).map(\.name).sorted()
  let list = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ',' || ")
  return try lines("SELECT \(list) FROM \"\(table)\" ORDER BY 1", store)
}

func lines(_ sql: String, _ store: Store) throws -> [String] {
  let statement = try store.connection.prepare(sql)
  var lines: [String] = []
  while try statement.step() {
    lines.append((0..<statement.columnCount).map { statement.string($0) ?? "NULL" }.joined(separator: "|"))
  }
  return lines
}
