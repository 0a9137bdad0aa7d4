import StoreDiagnosis
import StoreInspection
import StoreCoreData
import StoreDataModel
import StoreGenerator
import StoreSQLite
import TestSupport
import Testing

/// Join tables with columns whose numbers differ from the planned ones: in some stores Core Data numbered them in
/// another order than the model's (`docs/format/store-layout.md` §4).
@Suite struct JoinColumnNumberTests {
  private static let lists = [
    "AList: items ->>?Item~aLists", "BList: items ->>?Item~bLists ordered", "CList: items ->>?Item~cLists",
    "Item: aLists ->>?AList~items; bLists ->>?BList~items; cLists ->>?CList~items ordered",
  ]
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder("Store.sqlite")
  }

  /// The planned columns are `Z_4ITEMS`, `Z_4ITEMS1` and `Z_4ITEMS2`, the keys of items in the join tables of A, B and
  /// C.
  @Test(arguments: [
    ["Z_4ITEMS1", "Z_4ITEMS2", "Z_4ITEMS"], ["Z_4ITEMS2", "Z_4ITEMS1", "Z_4ITEMS"],
    ["Z_4ITEMS", "Z_4ITEMS", "Z_4ITEMS"], ["Z_4ITEMS7", "Z_4ITEMS12", "Z_4ITEMS3"],
  ])
  func findsBothEndsByTheColumnsThatAreThere(_ columns: [String]) throws {
    try write(Self.lists) { store in
      let item = try store.insert("Item")
      for list in ["AList", "BList", "CList"] { try store.link(try store.insert(list), "items", to: item) }
    }
    try change { database in
      for (list, column) in columns.enumerated() {
        let planned = ["Z_4ITEMS", "Z_4ITEMS1", "Z_4ITEMS2"][list]
        let table = ["Z_1ITEMS", "Z_2ITEMS", "Z_3ITEMS"][list]
        try database.execute("ALTER TABLE \(table) RENAME COLUMN \(planned) TO \(column)")
        // As Core Data names it.
        let order = "Z_FOK_" + planned.dropFirst(2)
        if list == 1 {
          try database.execute("ALTER TABLE \(table) RENAME COLUMN \(order) TO Z_FOK_\(column.dropFirst(2))")
        }
      }
    }
    let store = try Store(path: path)
    #expect(store.layout.problems == [])
    #expect(store.layout.joinTables.map(\.destination.column) == columns)
    #expect(store.layout.joinTables.map(\.source.column) == ["Z_1ALISTS", "Z_2BLISTS", "Z_3CLISTS"])
    #expect(
      store.layout.joinTables.map(\.orderColumns) == [
        [], ["Z_FOK_\(columns[1].dropFirst(2))"], ["Z_FOK_3CLISTS"],
      ])
    #expect(try findings() == [])

    // Their rows are counted and checked like others.
    try change { try $0.execute("INSERT INTO Z_1ITEMS VALUES (1, 99)") }
    #expect(try inspect(path: path).joinTables.map(\.rows) == [2, 1, 1])
    #expect(try findings() == ["SD404 AList.items 1"])
  }

  /// If either column may be either end, that is unknown; nothing is reported as missing or unexplained.
  @Test func callsColumnsThatFitInTwoWaysUnknown() throws {
    let friends = ["Person: friends ->>?Person~friends1; friends1 ->>?Person~friends", "Pet: name String?"]
    try write(friends) { store in
      try store.link(try store.insert("Person"), "friends", to: try store.insert("Person"))
    }
    try change { database in
      try database.execute(
        """
        ALTER TABLE Z_1FRIENDS1 RENAME COLUMN Z_1FRIENDS TO Z_1FRIENDS11;
        ALTER TABLE Z_1FRIENDS1 RENAME COLUMN Z_1FRIENDS1 TO Z_1FRIENDS12;
        """)
    }
    let layout = try Store(path: path).layout
    #expect(layout.undecidedJoinTables.map(\.table) == ["Z_1FRIENDS1"])
    #expect(layout.joinTables == [])
    #expect(layout.lacking == [])
    #expect(layout.unexplained == [])
    let words =
      "its columns fit the two ends in more than one way, so it is not known which holds which"
    #expect(layout.problems == ["table Z_1FRIENDS1: \(words)"])
    let diagnosis = try diagnose(path: path)
    #expect(diagnosis.findings == [])
    let skipped = diagnosis.skipped.filter { $0.reason == "table 'Z_1FRIENDS1': \(words)" }.map(\.check)
    #expect(Set(skipped).isSuperset(of: ["SD304", "SD404", "SD405"]))

    // A column that ends in a digit of its own matches in one way as long as the other does not.
    try change { try $0.execute("ALTER TABLE Z_1FRIENDS1 RENAME COLUMN Z_1FRIENDS11 TO Z_1FRIENDS2") }
    let join = try #require(try Store(path: path).layout.joinTables.first)
    #expect(join.source.column == "Z_1FRIENDS2" && join.destination.column == "Z_1FRIENDS12")
  }

  @Test func saysThatAnEndIsMissing() throws {
    try write(Self.lists) { _ in }
    try change { try $0.execute("ALTER TABLE Z_1ITEMS RENAME COLUMN Z_4ITEMS TO Z_4THINGS") }
    #expect(try findings() == ["SD304 AList.items 1"])
  }

  // MARK: Many stores

  /// Models with many repeated names whose columns were renumbered by plain SQL: every table is mapped, and a planted
  /// dangling link is found in the right table at the right end.
  @Test(arguments: 0..<10) func mapsWhateverNumbersAreDealt(_ part: UInt64) throws {
    for seed in part * 20..<part * 20 + 20 {
      let store = try RenumberedStore(at: folder("\(seed).sqlite"), seed)
      let layout = try Store(path: store.path).layout
      let found = layout.joinTables.map { join in
        "\(join.name) \(join.source.entity).\(join.source.relationship)=\(join.source.column) "
          + "\(join.destination.entity).\(join.destination.relationship)=\(join.destination.column) "
          + join.orderColumns.sorted().joined(separator: " ")
      }
      #expect(found == store.expected.sorted(), "seed \(seed)")
      #expect(layout.unexplained == [] && layout.lacking == [] && layout.undecidedJoinTables == [], "seed \(seed)")
      let findings = try diagnose(path: store.path).findings
      let lines = findings.map { "\($0.id) \($0.table ?? "") \($0.count) \($0.examples.compactMap(\.primaryKey))" }
      #expect(lines == ["SD404 \(store.injured) 1 [1]"], "seed \(seed)")
    }
  }

  // MARK: Support

  private func write(_ model: [String], _ fill: (StoreWriter) throws -> Void) throws {
    let store = try StoreWriter(
      creating: path, StoreDescription(model: try ModelNotation.model(model), framework: 1526, usesWAL: false))
    try fill(store)
    try store.finish()
  }

  private func change(_ body: (Connection) throws -> Void) throws {
    let database = try Connection(writing: path, create: false)
    try body(database)
    database.close()
  }

  private func findings() throws -> [String] {
    try diagnose(path: path).findings.map { "\($0.id) \($0.entity ?? "").\($0.property ?? "") \($0.count)" }
  }
}

/// A store whose entities `L0`, `L1`... have many-to-many relationships with `Item` that share a few names; the columns
/// of equal names have the numbers they would have, but in a random order.
private struct RenumberedStore {
  let path: String
  /// A line for each table: its ends with their columns, and its order columns.
  private(set) var expected: [String] = []
  /// The table with a dangling link at object 1 of its first end.
  let injured: String

  init(at path: String, _ seed: UInt64) throws {
    self.path = path
    var random = SeededGenerator(seed: seed)
    let names = ["items", "keys", "items1", "keys"]
    let lists = (0..<Int.random(in: 3...6, using: &random)).map { number in
      (entity: "L\(number)", name: names.randomElement(using: &random) ?? "items", inverse: "in\(number)")
    }
    func ordered() -> String { Bool.random(using: &random) ? " ordered" : "" }
    let lines =
      lists.map { "\($0.entity): \($0.name) ->>?Item~\($0.inverse)\(ordered())" }
      + ["Item: " + lists.map { "\($0.inverse) ->>?\($0.entity)~\($0.name)\(ordered())" }.joined(separator: "; ")]
    let writer = try StoreWriter(
      creating: path, StoreDescription(model: try ModelNotation.model(lines), framework: 1526, usesWAL: false))
    let item = try writer.insert("Item")
    for list in lists { try writer.link(try writer.insert(list.entity), list.name, to: item) }
    try writer.finish()

    // `Item` is the first entity by name and `L0` the second, so every table is named after a relationship of `Item`.
    let database = try Connection(writing: path, create: false)
    let columns = try Self.itemColumns(database, lists.map { "Z_1" + $0.inverse.uppercased() })
    var dealt: [String: [String]] = [:]
    for (list, column) in zip(lists, columns) { dealt["Z_1" + list.name.uppercased(), default: []].append(column) }
    for name in dealt.keys.sorted() { dealt[name]?.shuffle(using: &random) }
    for (position, (list, column)) in zip(lists, columns).enumerated() {
      let table = "Z_1" + list.inverse.uppercased()
      let name = dealt["Z_1" + list.name.uppercased()]?.popLast() ?? column
      let (other, order) = ("Z_\(position + 2)" + list.inverse.uppercased(), "Z_FOK_" + column.dropFirst(2))
      try database.execute("ALTER TABLE \(table) RENAME COLUMN \(column) TO \(name)")
      let all = try database.columnNames(of: table)
      if all.contains(order) {
        try database.execute("ALTER TABLE \(table) RENAME COLUMN \(order) TO Z_FOK_\(name.dropFirst(2))")
      }
      let orders = try database.columnNames(of: table).filter { $0.hasPrefix("Z_FOK_") }.sorted()
      expected.append(
        "\(table) Item.\(list.inverse)=\(name) \(list.entity).\(list.name)=\(other) " + orders.joined(separator: " "))
    }
    let list = Int.random(in: lists.indices, using: &random)
    injured = "Z_1" + lists[list].inverse.uppercased()
    let all = try database.columnNames(of: injured)
    let values = all.map { column in
      column.hasPrefix("Z_FOK_") ? "9999" : column == "Z_\(list + 2)IN\(list)" ? "77" : "1"
    }
    try database.execute("INSERT INTO \(injured) VALUES (\(values.joined(separator: ", ")))")
    database.close()
  }

  /// The first column of each of these tables, found by SQL.
  private static func itemColumns(_ database: Connection, _ tables: [String]) throws -> [String] {
    try tables.map { try database.columnNames(of: $0).first ?? "" }
  }
}

extension Connection {
  fileprivate func columnNames(of table: String) throws -> [String] {
    let rows = try prepare("SELECT name FROM pragma_table_info('\(table)') ORDER BY cid")
    var names: [String] = []
    while try rows.step() { names.append(rows.string(0) ?? "") }
    return names
  }
}
