@testable import StoreRepair
import StoreDataModel
import StoreGenerator
import StoreSQLite
import TestSupport
import Testing

/// What "safe" promises, and "named" too, over all repairs: every object of before is there, itself or as one of its
/// entity that it was merged into, with all its values and all its links; ordered lists keep their order; no object
/// becomes its own ancestor, no required relationship gets empty, and no key comes to lead to nothing.
///
/// Stores are filled at random and damaged by SQL. The judge reads them by SQL before and after each repair, and knows
/// the names of tables and columns, but nothing of plans.
@Suite struct SafeRepairLawTests {
  @Test func whatIsSafeLosesNothing() throws {
    var judged: [String: Int] = [:]
    var lossy: [String: Int] = [:]
    for seed in LongRuns.seeds(40, whole: 400) {
      var random = SeededGenerator(seed: seed &+ 31_000)
      let injury = Self.injuries[Int(seed) % Self.injuries.count]
      let store = try RepairBench(Self.model(), injury: injury) { try Self.fill($0, &random) }
      for recipe in Self.recipes(&random) {
        for step in try Recipe(reading: Array("version: 1\n\(recipe)\n".utf8)).steps {
          let decision = try Promise(store.bench).graded(step.decide(store.bench))
          let name = step.repair.rawValue
          guard decision.refusals.isEmpty, !decision.operations.isEmpty else { continue }
          guard decision.operations.allSatisfy({ [.safe, .named].contains($0.grade) }) else {
            lossy[name, default: 0] += 1
            continue
          }
          let before = try Contents(store)
          try store.perform(decision)
          let faults = before.faults(in: try Contents(store))
          #expect(faults.isEmpty, "seed \(seed), \(recipe): \(faults)\n\(decision.summaries)")
          judged[name, default: 0] += 1
        }
      }
    }
    let least = [
      "join-orphans": 10, "self-link-mirrors": 10, "companions": 10, "order-keys": 10, "high-water": 10, "dangling": 10,
      "inverses": 10, "backfill": 10, "relink": 10, "dedupe": 10, "entity-names": 10, "unique-indexes": 10,
    ]
    for (name, count) in least { #expect(judged[name, default: 0] >= count, "\(name): \(judged) \(lossy)") }
    // These take the link to an object that exists, or the place that a person saw.
    #expect(judged["wrong-entity", default: 0] == 0)
    for name in ["wrong-entity", "inverses", "dedupe", "order-keys"] {
      #expect(lossy[name, default: 0] >= 3, "\(name): \(judged) \(lossy)")
    }
  }

  /// The judge sees what it is there for.
  @Test(arguments: [
    ("DELETE FROM ZTAG WHERE Z_PK = 1", "ZTAG 1 is gone"),
    ("UPDATE ZNOTE SET ZTITLE = 'x' WHERE Z_PK = 1", "ZNOTE 1 loses ZTITLE"),
    ("UPDATE ZNOTE SET ZFOLDER = NULL, Z_FOK_FOLDER = NULL WHERE Z_PK = 1", "ZNOTE 1 loses its ZFOLDER 1"),
    ("UPDATE ZFOLDER SET ZPARENT = 1 WHERE Z_PK = 1", "ZFOLDER.ZPARENT loops at 1"),
    ("UPDATE ZNOTE SET Z_FOK_FOLDER = 10000 - Z_FOK_FOLDER", "order of ZNOTE.ZFOLDER 1"),
    ("UPDATE ZNOTE SET ZBOX = NULL WHERE Z_PK = 1", "ZNOTE.ZBOX of 1 is empty"),
    ("UPDATE ZNOTE SET ZPET = 77 WHERE Z_PK = 1", "ZNOTE.ZPET of 1 leads to nothing"),
  ]) func theJudgeSeesLosses(sql: String, fault: String) throws {
    let store = try RepairBench(Self.model()) { store in
      let folder = try store.insert("Folder", ["name": "f"])
      let box = try store.insert("Box")
      let tag = try store.insert("Tag", ["name": "t"])
      for title in ["a", "b"] {
        let note = try store.insert("Note", ["title": .text(title)])
        try store.link(note, "folder", to: folder)
        try store.link(note, "box", to: box)
        try store.link(note, "tags", to: tag)
      }
    }
    let before = try Contents(store)
    #expect(before.faults(in: before) == [])
    try store.bench.connection.execute(sql)
    let faults = before.faults(in: try Contents(store))
    #expect(faults.contains { $0.hasPrefix(fault) }, "\(faults)")
  }
}

// MARK: Stores

extension SafeRepairLawTests {
  /// Nested folders in order, a one-to-one (cover), links of an entity to itself (friends), many-to-many in order on one
  /// side (tags), subentities (Animal), a required relationship (box).
  private static func model() throws -> Model {
    try ModelNotation.model([
      "Animal abstract: name String?; noteList ->>Note?~pet", "Bird<Animal: span I32?", "Cat<Animal: lives I32?",
      "Badge unique(code): code String?", "Box: notes ->>Note?~box; star ->Cat?",
      "Folder: name String?; rank I32?; parent ->Folder?~children; children ->>Folder?~parent ordered; "
        + "cover ->Note?~coverOf; friends ->>Folder?~friends; noteList ->>Note?~folder ordered",
      "Note: title String?; body String?; folderName String?; stamp I32?; folder ->Folder?~noteList; "
        + "coverOf ->Folder?~cover; tags ->>Tag?~notes ordered; pet ->Animal?~noteList; box ->Box~notes",
      "Tag was(Label): name String?; color String?; notes ->>Note?~tags",
    ])
  }

  private static func fill(_ store: StoreWriter, _ random: inout SeededGenerator) throws {
    func some(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    func values(_ names: [(String, [String?])]) -> [String: StoredValue] {
      var values: [String: StoredValue] = [:]
      for (name, words) in names { values[name] = words[some(0...words.count - 1)].map { .text($0) } }
      return values
    }
    let folders = try (0..<some(3...7)).map { _ in
      var given = values([("name", ["a", "b", "c", nil])])
      if some(0...1) == 0 { given["rank"] = .integer(Int64(some(1...2))) }
      return try store.insert("Folder", given)
    }
    let boxes = try (0..<2).map { _ in try store.insert("Box") }
    for code in ["m", "n"] { try store.insert("Badge", ["code": .text(code)]) }
    let animals = try (0..<some(2...4)).map { _ in
      try store.insert(some(0...1) == 0 ? "Bird" : "Cat", values([("name", ["x", "y", nil])]))
    }
    let tags = try (0..<some(3...5)).map { _ in
      try store.insert("Tag", values([("name", ["red", "blue", nil]), ("color", ["1", nil, nil])]))
    }
    let notes = try (0..<some(4...9)).map { _ in
      try store.insert(
        "Note",
        values([("title", ["p", "q", "r", nil]), ("body", ["long", nil, nil]), ("folderName", ["a", "b", nil])]))
    }
    for (index, note) in notes.enumerated() {
      if some(0...2) > 0 { try store.link(note, "folder", to: folders[some(0...folders.count - 1)]) }
      if some(0...1) == 0 { try store.link(note, "pet", to: animals[some(0...animals.count - 1)]) }
      try store.link(note, "box", to: boxes[some(0...1)])
      for tag in tags where some(0...2) == 0 { try store.link(note, "tags", to: tag) }
      if index < folders.count, some(0...1) == 0 { try store.link(folders[index], "cover", to: note) }
    }
    for index in folders.indices.dropFirst() where some(0...2) > 0 {
      try store.link(folders[index], "parent", to: folders[some(0...index - 1)])
    }
    for index in folders.indices.dropFirst() where some(0...1) == 0 {
      try store.link(folders[index], "friends", to: folders[index - 1])
    }
    try damage(store, &random)
  }

  /// What is wrong with `Z_PRIMARYKEY`, which is written last.
  private static let injuries: [String?] = [
    nil, "UPDATE Z_PRIMARYKEY SET Z_MAX = 0", "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Label' WHERE Z_NAME = 'Tag'",
  ]

  /// Each kind of fault, in two of three stores.
  private static func damage(_ store: StoreWriter, _ random: inout SeededGenerator) throws {
    let names = try Contents.Names(store.database)
    let faults = [
      "INSERT INTO \(names.tags) (\(names.tagNotes), \(names.tagTags)) VALUES (1, 999), (998, 1)",
      "DELETE FROM \(names.friends) WHERE rowid = (SELECT min(rowid) FROM \(names.friends))",
      "UPDATE ZNOTE SET Z\(names.animal)_PET = 99 WHERE ZPET IS NOT NULL",
      "UPDATE ZNOTE SET Z_FOK_FOLDER = 2048 WHERE ZFOLDER IS NOT NULL AND Z_PK % 2 = 0",
      "UPDATE ZNOTE SET Z_FOK_FOLDER = NULL WHERE ZFOLDER IS NOT NULL AND Z_PK IN (4, 6, 8)",
      "UPDATE ZFOLDER SET Z_FOK_PARENT = 3072 WHERE ZPARENT IS NOT NULL",
      "UPDATE \(names.tags) SET \(names.tagOrder ?? names.tagTags) = 2048 WHERE \(names.tagTags) < 3",
      "UPDATE ZBOX SET ZSTAR = (SELECT min(Z_PK) FROM ZANIMAL)",
      "DROP INDEX Z_Badge_UNIQUE_code",
      "UPDATE ZNOTE SET ZFOLDER = 500, Z_FOK_FOLDER = 2048 WHERE Z_PK IN (2, 3)",
      "UPDATE ZNOTE SET ZPET = 500 WHERE Z_PK = 4",
      "UPDATE ZFOLDER SET ZCOVER = NULL WHERE ZCOVER IS NOT NULL AND Z_PK % 2 = 1",
      "UPDATE ZNOTE SET ZCOVEROF = NULL WHERE ZCOVEROF IS NOT NULL AND Z_PK % 2 = 0",
      "UPDATE ZFOLDER SET ZCOVER = (SELECT max(Z_PK) FROM ZNOTE) WHERE Z_PK = 1",
      "UPDATE ZNOTE SET ZFOLDER = NULL, Z_FOK_FOLDER = NULL WHERE Z_PK % 2 = 1",
    ]
    for fault in faults where Int.random(in: 0..<3, using: &random) > 0 { try store.database.execute(fault) }
  }

  /// Every repair, those that lose something too.
  private static func recipes(_ random: inout SeededGenerator) -> [String] {
    let keep = ["first", "last", "most-complete", "most-linked", "{newest: stamp}"]
    func any(_ words: [String]) -> String { words[Int.random(in: 0..<words.count, using: &random)] }
    let first = any(["this", "other"])
    let folderKeep = any(Array(keep.dropLast()) + ["{oldest: rank}"])
    return [
      "structure: [join-orphans]", "structure: [self-link-mirrors]", "structure: [companions]",
      "structure: [repeated-order-keys]", "structure: [order-keys]", "structure: [high-water]",
      "dangling: nullify-optional", "wrongEntity: nullify",
      "inverses: [{entity: Folder, relationship: cover, from: \(first)}]",
      "inverses: [{entity: Folder, relationship: cover, from: \(first == "this" ? "other" : "this")}]",
      "backfill: [{entity: Note, attribute: body, from: title, value: none}]",
      "backfill: [{entity: Note, attribute: stamp, generate: sequence}]",
      "relink: [{entity: Note, relationship: folder, match: {folderName: name}}]",
      "relink: [{entity: Folder, relationship: parent, match: {name: name}}]",
      "relink: [{entity: Folder, relationship: cover, from: inverse}]",
      "dedupe: [{entity: Tag, by: [name], keep: \(any(Array(keep.dropLast())))}]",
      "dedupe: [{entity: Note, by: [title], keep: \(any(keep))}]",
      "dedupe: [{entity: Folder, by: [name], keep: \(folderKeep), nulls: \(any(["distinct", "equal"]))}]",
      "dedupe: [{entity: Animal, by: [name]}]",
      "structure: [entity-names]", "structure: [unique-indexes]",
    ]
  }
}

// MARK: The judge

/// What a store holds, read by SQL.
private struct Contents {
  /// Names that depend on the numbers of entities.
  struct Names {
    var tags = "", tagNotes = "", tagTags = "", friends = "", friendColumns: [String] = [], tagOrder: String?
    var animal = ""

    init(_ connection: Connection) throws {
      for row in try Contents.rows(
        "SELECT m.name, p.name FROM sqlite_master AS m, pragma_table_info(m.name) AS p "
          + "WHERE m.type = 'table' AND m.name GLOB 'Z_[0-9]*'", connection)
      {
        guard case .text(let first) = row[0], case .text(let second) = row[1] else { continue }
        let (table, column) = (String(decoding: first, as: UTF8.self), String(decoding: second, as: UTF8.self))
        switch (table.hasSuffix("TAGS"), column) {
        case (true, let name) where name.hasPrefix("Z_FOK"): tagOrder = name
        case (true, let name):
          tags = table
          if name.hasSuffix("NOTES") { tagNotes = name } else { tagTags = name }
        case (false, let name) where table.hasSuffix("FRIENDS"):
          friends = table
          friendColumns.append(name)
        case (false, _): break
        }
      }
      for row in try Contents.rows("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Animal'", connection) {
        if case .integer(let number) = row[0] { animal = String(number) }
      }
    }
  }

  struct Row: Hashable {
    var table: String
    var key: Int64
    var text: String { "\(table) \(key)" }
  }

  struct Object {
    var entity: SQLiteValue
    var values: [String: SQLiteValue] = [:]
    var keys: [String: Int64] = [:]
    var orders: [String: Int64] = [:]
  }

  private(set) var objects: [Row: Object] = [:]
  /// Links of join tables, with the order key that the first has for the second.
  private(set) var links: [[Row]: Int64?] = [:]

  /// Table, attributes, keys with the table they lead to and their order key.
  private static let tables: [(name: String, values: [String], keys: [(column: String, to: String, order: String?)])] =
    [
      ("ZFOLDER", ["ZNAME", "ZRANK"], [("ZPARENT", "ZFOLDER", "Z_FOK_PARENT"), ("ZCOVER", "ZNOTE", nil)]),
      (
        "ZNOTE", ["ZTITLE", "ZBODY", "ZFOLDERNAME", "ZSTAMP"],
        [
          ("ZFOLDER", "ZFOLDER", "Z_FOK_FOLDER"), ("ZCOVEROF", "ZFOLDER", nil), ("ZPET", "ZANIMAL", nil),
          ("ZBOX", "ZBOX", nil),
        ]
      ),
      ("ZTAG", ["ZNAME", "ZCOLOR"], []), ("ZANIMAL", ["ZNAME", "ZSPAN", "ZLIVES"], []),
      ("ZBOX", [], [("ZSTAR", "ZANIMAL", nil)]),
    ]

  init(_ store: RepairBench) throws {
    let connection = store.bench.connection
    for table in Self.tables {
      let columns =
        ["Z_PK", "Z_ENT"] + table.values + table.keys.flatMap { [$0.column] + ($0.order.map { [$0] } ?? []) }
      for row in try Self.rows("SELECT \(columns.joined(separator: ", ")) FROM \(table.name)", connection) {
        let named = Dictionary(uniqueKeysWithValues: zip(columns, row))
        guard case .integer(let key)? = named["Z_PK"] else { continue }
        var object = Object(entity: row[1])
        for name in table.values { if let value = named[name], value != .null { object.values[name] = value } }
        for place in table.keys {
          if case .integer(let target)? = named[place.column] { object.keys[place.column] = target }
          if let order = place.order, case .integer(let number)? = named[order] { object.orders[place.column] = number }
        }
        objects[Row(table: table.name, key: key)] = object
      }
    }
    let names = try Names(connection)
    for (table, columns, ends) in [
      (names.tags, [names.tagNotes, names.tagTags, names.tagOrder ?? "NULL"], ["ZNOTE", "ZTAG"]),
      (names.friends, names.friendColumns + ["NULL"], ["ZFOLDER", "ZFOLDER"]),
    ] {
      for row in try Self.rows("SELECT \(columns.joined(separator: ", ")) FROM \(table)", connection) {
        guard case .integer(let one) = row[0], case .integer(let other) = row[1] else { continue }
        let order: Int64? = if case .integer(let order) = row[2] { order } else { nil }
        links[[Row(table: ends[0], key: one), Row(table: ends[1], key: other)]] = .some(order)
      }
    }
  }

  private static func rows(_ sql: String, _ connection: Connection) throws -> [[SQLiteValue]] {
    let statement = try connection.prepare(sql)
    var rows: [[SQLiteValue]] = []
    while try statement.step() { rows.append((0..<statement.columnCount).map { statement.value($0) }) }
    return rows
  }

  /// What a later state lacks of this one.
  func faults(in after: Contents) -> [String] {
    var faults: [String] = []
    var images: [Row: Row] = [:]
    for row in objects.keys { images[row] = image(of: row, in: after) }
    for (row, object) in objects {
      guard let image = images[row], let other = after.objects[image] else {
        faults.append("\(row.text) is gone")
        continue
      }
      if object.entity != other.entity { faults.append("\(row.text) is of another entity") }
      for (name, value) in object.values where other.values[name] != value {
        faults.append("\(row.text) loses \(name)")
      }
      for place in places(row.table) {
        guard let key = object.keys[place.column] else { continue }
        let target = Row(table: place.to, key: key)
        guard objects[target] != nil, let wanted = images[target] else { continue }
        if other.keys[place.column] != wanted.key { faults.append("\(row.text) loses its \(place.column) \(key)") }
      }
    }
    for link in links.keys where link.allSatisfy({ objects[$0] != nil }) {
      let wanted = link.compactMap { images[$0] }
      if after.links[wanted] == nil { faults.append("the link of \(link[0].text) and \(link[1].text) is gone") }
    }
    // Where nothing was merged.
    if objects.count == after.objects.count { faults += flipped(in: after) }
    return faults + brokenRules(in: after)
  }

  private func places(_ table: String) -> [(column: String, to: String, order: String?)] {
    Self.tables.first { $0.name == table }?.keys ?? []
  }

  /// The object that stands for one afterwards: itself, or the only one of its entity with the same name or title, by
  /// which all recipes of this test merge.
  private func image(of row: Row, in after: Contents) -> Row? {
    guard let object = objects[row], after.objects[row] == nil else { return row }
    guard let name = Self.tables.first(where: { $0.name == row.table })?.values.first else { return nil }
    let fitting = after.objects.filter { other, now in
      other.table == row.table && now.entity == object.entity && now.values[name] == object.values[name]
    }
    return fitting.count == 1 ? fitting.keys.first : nil
  }

  /// Members of ordered lists with different keys that changed places.
  private func flipped(in after: Contents) -> [String] {
    var faults: [String] = []
    for table in Self.tables {
      for place in table.keys where place.order != nil {
        let members = objects.filter { $0.key.table == table.name && $0.value.orders[place.column] != nil }
        for (one, first) in members {
          for (other, second) in members where first.keys[place.column] == second.keys[place.column] {
            guard let a = first.orders[place.column], let b = second.orders[place.column], a < b,
              let c = after.objects[one]?.orders[place.column], let d = after.objects[other]?.orders[place.column],
              c >= d
            else { continue }
            faults.append("order of \(table.name).\(place.column) \(first.keys[place.column] ?? 0)")
          }
        }
      }
    }
    for (one, first) in links {
      for (other, second) in links where one[0] == other[0] {
        guard let a = first, let b = second, a < b, let c = after.links[one] ?? nil, let d = after.links[other] ?? nil,
          c >= d
        else { continue }
        faults.append("order of \(one[0].text)")
      }
    }
    return faults
  }

  /// Loops, empty required keys and keys that lead to nothing, where there were none.
  private func brokenRules(in after: Contents) -> [String] {
    var faults = after.looping.subtracting(looping).map { "ZFOLDER.ZPARENT loops at \($0)" }
    for (row, object) in after.objects {
      if row.table == "ZNOTE", object.keys["ZBOX"] == nil, objects[row]?.keys["ZBOX"] != nil {
        faults.append("ZNOTE.ZBOX of \(row.key) is empty")
      }
      for place in places(row.table) {
        guard let key = object.keys[place.column], after.objects[Row(table: place.to, key: key)] == nil,
          objects[row]?.keys[place.column] != key
        else { continue }
        faults.append("\(row.table).\(place.column) of \(row.key) leads to nothing")
      }
    }
    return faults
  }

  /// Folders that are their own ancestors.
  private var looping: Set<Int64> {
    Set(
      objects.keys.filter { $0.table == "ZFOLDER" }.map(\.key).filter { start in
        var key = objects[Row(table: "ZFOLDER", key: start)]?.keys["ZPARENT"]
        for _ in objects {
          guard let now = key, now != start else { break }
          key = objects[Row(table: "ZFOLDER", key: now)]?.keys["ZPARENT"]
        }
        return key == start
      })
  }
}
