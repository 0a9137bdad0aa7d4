import StoreDataModel
import Foundation
import StorePropertyLists
import StoreSQLite
import TestSupport
import Testing

/// Stores made to crash the program, to make it hang, or to use up all memory.
@Suite struct HostileStoreTests {
  /// A small store that would take endless work.
  struct Trap: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// Changes the sample store.
    var injure: @Sendable (Connection) throws -> Void
    /// How the expected problem begins; empty if no problem can be seen.
    var problem: String

    init(_ name: String, _ problem: String = "", _ injure: @escaping @Sendable (Connection) throws -> Void) {
      testDescription = name
      self.injure = injure
      self.problem = problem
    }

    /// Replaces the model cache by this archive.
    init(_ name: String, _ problem: String = "", cache archive: @escaping @Sendable () throws -> [UInt8]) {
      self.init(name, problem) { database in
        let statement = try database.prepare("UPDATE Z_MODELCACHE SET Z_CONTENT = ?")
        try statement.bind(RawDeflate.deflate(archive()), at: 1)
        _ = try statement.step()
      }
    }
  }

  static let traps: [Trap] = [
    // Caches.
    .init("10,000 entities that share one dictionary of properties") {
      Archive.model { archive in
        let properties = archive.properties(["title": archive.attribute("title", .string)])
        return (0..<10_000).map { archive.entity("Entity\($0)", properties: properties) }
      }
    },
    .init("10,000 entities that share 1,000 properties", "the model cache cannot be decoded") {
      Archive.model { archive in
        let names = (0..<1000).map { "attribute\($0)" }
        let attributes = Dictionary(uniqueKeysWithValues: names.map { ($0, archive.attribute($0, .string)) })
        let properties = archive.properties(attributes)
        return (0..<10_000).map { archive.entity("Entity\($0)", properties: properties) }
      }
    },
    .init("60 levels of inheritance with 500 properties each", "the model cache cannot be decoded") {
      Archive.model { archive in
        var parent: KeyedArchiveBuilder.ID?
        return (0..<60).map { level in
          let names = (0..<500).map { "attribute\(level)x\($0)" }
          let attributes = Dictionary(uniqueKeysWithValues: names.map { ($0, archive.attribute($0, .string)) })
          let entity = archive.entity("Entity\(level)", parent: parent, properties: archive.properties(attributes))
          parent = entity
          return entity
        }
      }
    },
    .init("1,000 levels of inheritance", "the model cache cannot be decoded") {
      Archive.model { archive in
        var parent: KeyedArchiveBuilder.ID?
        return (0..<1000).map { level in
          let entity = archive.entity("Entity\(level)", parent: parent, properties: archive.properties([:]))
          parent = entity
          return entity
        }
      }
    },
    .init("an entity that inherits from itself", "the model cache cannot be decoded") {
      Archive.model { archive in
        let id = archive.builder.reserve()
        archive.fillEntity(id, "Note", parent: id, properties: archive.properties([:]))
        return [id]
      }
    },
    .init("a predicate that stands for 2^60 others", "the model cache cannot be decoded") {
      Archive.model { archive in
        var predicate = archive.builder.object(["NSTruePredicate", "NSPredicate", "NSObject"], fields: [])
        for _ in 0..<60 {
          let parts = archive.builder.array([predicate, predicate])
          predicate = archive.builder.object(
            ["NSCompoundPredicate", "NSPredicate", "NSObject"],
            fields: [("NSCompoundPredicateType", .integer(1)), ("NSSubpredicates", .reference(parts))])
        }
        let rules = archive.builder.array([predicate])
        let attribute = archive.attribute("title", .string, [("NSValidationPredicates", .reference(rules))])
        return [archive.entity("Note", properties: archive.properties(["title": attribute]))]
      }
    },
    .init("a predicate that contains itself", "the model cache cannot be decoded") {
      Archive.model { archive in
        let predicate = archive.builder.reserve()
        archive.builder.fill(
          predicate, classes: ["NSCompoundPredicate", "NSPredicate", "NSObject"],
          fields: [("NSSubpredicates", .reference(archive.builder.array([predicate])))])
        let rules = archive.builder.array([predicate])
        let attribute = archive.attribute("title", .string, [("NSValidationPredicates", .reference(rules))])
        return [archive.entity("Note", properties: archive.properties(["title": attribute]))]
      }
    },
    .init("one string of 10 MB in 10,000 places", "the model cache cannot be decoded") {
      Archive.model { archive in
        let text = archive.builder.string(String(repeating: "x", count: 10 << 20))
        return (0..<10_000).map { number in
          archive.entity(
            "Entity\(number)", properties: archive.properties([:]), [("NSVersionHashModifier", .reference(text))])
        }
      }
    },
    .init("names of a megabyte") {
      Archive.model { archive in
        let name = String(repeating: "x", count: 1 << 20)
        return [archive.entity(name, properties: archive.properties([name: archive.attribute(name, .string)]))]
      }
    },
    .init("2,000 relationships of each of 10 entities to one another") {
      Archive.model { archive in
        (0..<10).map { number in
          var properties: [String: KeyedArchiveBuilder.ID] = [:]
          for position in 0..<2000 {
            let name = "r\(position)"
            properties[name] = archive.relationship(name, to: "Entity\(9 - number)", inverse: name)
          }
          return archive.entity("Entity\(number)", properties: archive.properties(properties))
        }
      }
    },
    .init("2,000 attributes of one name in upper case") {
      Archive.model { archive in
        // Eleven letters in every mixture of cases are 2,048 names and one column name.
        var properties: [String: KeyedArchiveBuilder.ID] = [:]
        for number in 0..<2000 {
          let name = String("abcdefghijk".enumerated().map { number >> $0 & 1 == 1 ? Character($1.uppercased()) : $1 })
          properties[name] = archive.attribute(name, .string)
        }
        return [archive.entity("Note", properties: archive.properties(properties))]
      }
    },
    // Databases.
    .init("3,000 tables of 100 columns") { database in
      let columns = (0..<100).map { "c\($0)" }.joined(separator: ", ")
      try database.execute("BEGIN")
      for number in 0..<3000 { try database.execute("CREATE TABLE Z\(number) (\(columns))") }
      try database.execute("COMMIT")
    },
    .init("a table of 2,000 columns, each indexed, without a model", "the model cache is missing") { database in
      let columns = (0..<1900).map { "ZC\($0) INTEGER" }.joined(separator: ", ")
      try database.execute("BEGIN; DROP TABLE Z_MODELCACHE; DROP TABLE ZNOTE")
      try database.execute("CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(columns))")
      for number in 0..<1900 { try database.execute("CREATE INDEX i\(number) ON ZNOTE (ZC\(number))") }
      try database.execute("INSERT INTO ZNOTE (Z_PK, Z_ENT, ZC0, ZC1) VALUES (1, 2, 1, 1), (2, 2, 2, 2); COMMIT")
    },
    .init("2,000 entities without a model, each with a table", "the model cache is missing") { database in
      try database.execute("BEGIN; DROP TABLE Z_MODELCACHE")
      for number in 100..<2100 {
        try database.execute("INSERT INTO Z_PRIMARYKEY VALUES (\(number), 'E\(number)', 0, 1)")
        try database.execute(
          "CREATE TABLE ZE\(number) (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZNEXT INTEGER, ZLAST INTEGER)")
        try database.execute(
          "CREATE INDEX in\(number) ON ZE\(number) (ZNEXT); CREATE INDEX il\(number) ON ZE\(number) (ZLAST)")
        try database.execute("INSERT INTO ZE\(number) VALUES (1, \(number), 1, 1)")
      }
      try database.execute("COMMIT")
    },
    .init("an entity number in every row") { database in
      try database.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
        INSERT INTO ZNOTE (Z_PK, Z_ENT) SELECT i, i FROM n
        """)
    },
    .init("a table with a name of 900 KB") { database in
      let name = String(repeating: "x", count: 900_000)
      try database.execute("CREATE TABLE Z\(name) (a)")
    },
    .init("metadata of 50 MB", "the metadata property list cannot be decoded") { database in
      try database.execute("UPDATE Z_METADATA SET Z_PLIST = zeroblob(50000000)")
    },
  ]

  @Test(arguments: traps)
  func noTrapHolds(_ trap: Trap) throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder("Notes.sqlite"), injury: trap.injure)
    for format in Program.isLong ? ["text", "json"] : ["json"] {
      let outcome = try Program.run(["inspect", store, "--format", format], work: Program.patience)
      #expect(outcome.status == 0, "\(outcome.errors.prefix(300))")
      #expect(!outcome.wasKilled)
      #expect(outcome.memory < 512 << 20, "\(outcome.memory >> 20) MiB")
      let words = outcome.output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
      #expect(trap.problem.isEmpty || words.contains(trap.problem), "\(words.prefix(600))")
    }
    for command in [
      ["rows", store, "--format", "sqlite", "--output", folder("readable.sqlite")], ["rows", store, "Note"],
      ["migrate", store, "--model", Project.path("corpus/Notes.xcdatamodeld"), "--output", folder("Migrated.sqlite")],
      ["rehearse", store, "--model", Project.path("corpus/Notes.xcdatamodeld")], ["recover", store, "--models"],
    ] {
      let outcome = try Program.run(command, work: Program.patience)
      #expect((0...2).contains(outcome.status ?? -1), "\(command.dropFirst(2)) \(outcome.errors.prefix(300))")
      #expect(!outcome.wasKilled, "\(command.dropFirst(2))")
      #expect(outcome.memory < 512 << 20, "\(outcome.memory >> 20) MiB")
    }
  }

  /// 20,000 entities, or 20,000 tables without a B-tree: the work for each must not grow with their number.
  @Test(arguments: [
    "INSERT INTO Z_PRIMARYKEY SELECT 20000 + i, 'E' || i, 0, 0 FROM n",
    """
    INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql)
      SELECT 'table', 'ZT' || i, 'ZT' || i, 0, 'CREATE TABLE ZT' || i || ' (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER)' FROM n
    """,
  ]) func manyEntitiesOrTablesTakeTimeInProportion(_ rows: String) throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    try Connection(writing: store, create: false).execute(
      """
      PRAGMA writable_schema=ON; CREATE TEMP TABLE n AS
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i FROM n;
      \(rows)
      """)
    let model = Project.path("corpus/Notes.xcdatamodeld")
    for command in [
      ["diagnose", store], ["repair", store, "--safe"], ["rows", store], ["compare", store, store],
      ["migrate", store, "--model", model, "--dry-run"], ["rehearse", store, "--model", model], ["recover", store],
    ] {
      let outcome = try Program.run(command, work: Program.patience)
      #expect(
        (0...1).contains(outcome.status ?? -1) || command[0] == "migrate" && outcome.status == 2, "\(outcome.errors)")
      #expect(!outcome.wasKilled, "\(command)")
    }
  }

  /// Seven pages, each 400 times a child of the one above: 400⁶ rows in 28 KB.
  @Test(arguments: [
    ("ZNOTE", []), ("Z_2TAGS", []), ("Z_PRIMARYKEY", []), ("Z_METADATA", []), ("Z_MODELCACHE", []),
    ("ZNOTE", ["--entity", "Note"]), ("ZNOTE", ["--sizes"]),
  ])
  func aTreeThatHoldsAPageManyTimesEnds(_ table: String, _ options: [String]) throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder("Notes.sqlite"))
    let database = try Connection(writing: store, create: false)
    let statement = try database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?")
    try statement.bind(table, at: 1)
    try #require(try statement.step())
    let root = Int(statement.int64(0))
    database.close()
    var bytes = try contents(of: store)
    bytes.multiply(page: root, times: 400, levels: 6)
    try folder.write(bytes, to: "Notes.sqlite")
    let outcome = try Program.run(["inspect", store] + options, work: Program.patience)
    #expect(outcome.status == 0 || outcome.status == 2)
    #expect(!outcome.wasKilled)
    #expect(outcome.output.contains("more work than") || !["ZNOTE", "Z_2TAGS"].contains(table))
    #expect(
      outcome.output.contains("the sizes of the tables cannot be told") || options != ["--sizes"] || outcome.status == 2
    )
  }
}

extension [UInt8] {
  /// Puts interior pages above the content of page `root`, each with the one below as every child.
  fileprivate mutating func multiply(page root: Int, times: Int, levels: Int) {
    let size = 4096
    let place = (root - 1) * size..<root * size
    self += self[place]
    var child = count / size
    for _ in 0..<levels {
      // Table interior page (5), no free blocks, `times` cells of child and key 1, beginning where the last one ends.
      let key: [UInt8] = [1]
      let pointer = Swift.withUnsafeBytes(of: UInt32(child).bigEndian, Array.init)
      let start = size - 5 * times
      var page: [UInt8] = [5, 0, 0]
      page += Swift.withUnsafeBytes(of: UInt16(times).bigEndian, Array.init)
      page += Swift.withUnsafeBytes(of: UInt16(start).bigEndian, Array.init) + [0] + pointer
      for cell in 0..<times { page += Swift.withUnsafeBytes(of: UInt16(start + 5 * cell).bigEndian, Array.init) }
      page += [UInt8](repeating: 0, count: start - page.count)
      for _ in 0..<times { page += pointer + key }
      self += page
      child += 1
    }
    replaceSubrange(place, with: Array(self[(child - 1) * size..<child * size]))
    replaceSubrange(28..<32, with: Swift.withUnsafeBytes(of: UInt32(count / size).bigEndian, Array.init))
  }
}

/// A model archive made by hand, object by object.
private final class Archive {
  var builder = KeyedArchiveBuilder()

  static func model(_ entities: (Archive) -> [KeyedArchiveBuilder.ID]) -> [UInt8] {
    let archive = Archive()
    let made = entities(archive)
    let pairs = made.enumerated().map { (archive.builder.string("key\($0)"), $1) }
    let dictionary = archive.builder.dictionary(pairs)
    let root = archive.builder.object(
      ["NSManagedObjectModel", "NSObject"], fields: [("NSEntities", .reference(dictionary))])
    return archive.builder.binary(root: root)
  }

  func entity(
    _ name: String, parent: KeyedArchiveBuilder.ID? = nil, properties: KeyedArchiveBuilder.ID,
    _ more: [(String, KeyedArchiveBuilder.Field)] = []
  ) -> KeyedArchiveBuilder.ID {
    let id = builder.reserve()
    fillEntity(id, name, parent: parent, properties: properties, more)
    return id
  }

  func fillEntity(
    _ id: KeyedArchiveBuilder.ID, _ name: String, parent: KeyedArchiveBuilder.ID?, properties: KeyedArchiveBuilder.ID,
    _ more: [(String, KeyedArchiveBuilder.Field)] = []
  ) {
    var fields: [(String, KeyedArchiveBuilder.Field)] = [
      ("NSEntityName", .reference(builder.string(name))), ("NSProperties", .reference(properties)),
    ]
    if let parent { fields.append(("NSSuperentity", .reference(parent))) }
    builder.fill(id, classes: ["NSEntityDescription", "NSObject"], fields: fields + more)
  }

  func properties(_ properties: [String: KeyedArchiveBuilder.ID]) -> KeyedArchiveBuilder.ID {
    builder.dictionary(properties.map { (builder.string($0), $1) })
  }

  func attribute(
    _ name: String, _ type: AttributeType, _ more: [(String, KeyedArchiveBuilder.Field)] = []
  ) -> KeyedArchiveBuilder.ID {
    builder.object(
      ["NSAttributeDescription", "NSPropertyDescription", "NSObject"],
      fields: [
        ("NSPropertyName", .reference(builder.string(name))), ("NSAttributeType", .integer(Int64(type.rawValue))),
        ("NSIsOptional", .boolean(true)),
      ] + more)
  }

  func relationship(_ name: String, to destination: String, inverse: String) -> KeyedArchiveBuilder.ID {
    builder.object(
      ["NSRelationshipDescription", "NSPropertyDescription", "NSObject"],
      fields: [
        ("NSPropertyName", .reference(builder.string(name))),
        ("_NSDestinationEntityName", .reference(builder.string(destination))),
        ("_NSInverseRelationshipName", .reference(builder.string(inverse))),
        ("NSMinCount", .integer(0)), ("NSMaxCount", .integer(0)), ("NSIsOptional", .boolean(true)),
      ])
  }
}
