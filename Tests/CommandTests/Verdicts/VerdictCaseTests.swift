import Foundation
import StoreGenerator
import TestSupport
import Testing

/// Verdicts that were wrong in the field, as the built program says them. Each stands for a kind.
@Suite struct VerdictCaseTests {
  // MARK: No consequence is swallowed

  private static let item = ["Item: name String?"]

  private func items(_ writer: StoreWriter) throws {
    for number in 1...10 { try writer.insert("Item", ["name": .text("Item \(number)")]) }
  }

  /// A new required attribute beside a change that passes or is not known; the name of that change does not matter.
  static let hidden: [(name: String, model: [String])] = [
    ("an empty to-many first", ["Item: made Date; all ->>Tag~item", "Tag: item ->Item?~all"]),
    ("an empty to-many last", ["Item: made Date; tags ->>Tag~item", "Tag: item ->Item?~tags"]),
    ("a derived attribute", ["Item: made Date; count I64? derived(tags.@count)"]),
    ("a parent", ["Base: x String?", "Item<Base: made Date"]),
    ("an abstract entity", ["Item abstract: made Date", "Part<Item"]),
  ]

  @Test(arguments: hidden)
  func aChangeThatPassesHidesNoneThatFails(_ name: String, _ model: [String]) throws {
    let new = model.map { $0.replacing("made Date", with: "name String?; made Date") }
    let subject = try VerdictCase([("V1", Self.item), ("V2", new)], fill: items)
    let diagnosis = try subject.run("diagnose")
    #expect(
      diagnosis.output.hasPrefix("blocked-by-data: automatic migration to 'V2' fails with 134110\n"),
      "\(name): \(diagnosis.output)")
    #expect(diagnosis.output.contains("SD806 Item.made: 10 rows: no value for a required property"))
    #expect(diagnosis.status == 1)
    let migration = try subject.run("migrate", ["--output", subject.folder("new.sqlite"), "--allow-assumed"])
    #expect(migration.status == 1 && migration.output.contains("134110"), "\(name): \(migration.output)")
    #expect(try subject.run("rehearse").output.hasPrefix("failed: 0 of 1 store"))
  }

  @Test func allNewRequiredPropertiesAreNamed() throws {
    let subject = try VerdictCase(
      [
        ("V1", Self.item),
        ("V2", ["Item: name String?; made Date; code String; owner ->Owner~items", "Owner: items ->>Item?~owner"]),
      ], fill: items)
    let diagnosis = try subject.run("diagnose")
    let repair = try subject.run("repair")
    for property in ["code", "made", "owner"] {
      #expect(diagnosis.output.contains("SD806 Item.\(property): 10 rows"), "\(diagnosis.output)")
      #expect(repair.output.contains("Item.\(property): 10 rows"), "\(repair.output)")
    }
    #expect(diagnosis.output.hasPrefix("blocked-by-data: automatic migration to 'V2' fails with 134110\n"))
  }

  // MARK: Renaming identifiers

  private static let chain: [(name: String, model: [String])] = [
    ("S1", ["Item: a String?"]), ("S2", ["Item: b String? was(a)"]), ("S3", ["Item: c String? was(b)"]),
    ("S4", ["Item: c String? was(a)"]),
  ]

  /// Measured on devices: only the step whose identifiers meet keeps the value.
  @Test func anIdentifierThatNamesTheVersionBetweenKeepsNothing() throws {
    let subject = try VerdictCase(Self.chain, storeAt: "S2") { writer in
      for number in 1...10 { try writer.insert("Item", ["b": .text("\(number)")]) }
    }
    #expect(
      try subject.verdict(["--to-version", "S3"])
        == "migrates, losing Item.b in 10 rows: automatic migration to 'S3' succeeds")
    #expect(try subject.verdict() == "migrates: automatic migration to 'S4' succeeds")
    let plan = try subject.run("migrate", ["--to-version", "S3", "--dry-run"])
    #expect(plan.output.contains("Item.b: values, 10 objects") && !plan.output.contains("RENAME COLUMN"))
    #expect(try subject.run("migrate", ["--dry-run"]).output.contains("RENAME COLUMN ZB TO ZC"))
    let rehearsal = try subject.run("rehearse", ["--to-version", "S3"])
    #expect(rehearsal.output.hasPrefix("passed: 1 of 1 store opens or was migrated as judged; 1 store loses data"))
    func difference(_ new: String) throws -> String {
      try Program.run(["model", "diff", subject.version("S2"), subject.version(new)], environment: ["COLUMNS": "400"])
        .output
    }
    #expect(try difference("S3").contains("lightweight migration: yes, losing the values of Item.b\n"))
    #expect(try difference("S3").contains("only the renaming identifier 'a' keeps what is stored"))
    #expect(try difference("S4").contains("c: renamed from b"))
  }

  @Test func anIdentifierThatNamesNothingMayLose() throws {
    let subject = try VerdictCase(
      [("S1", Self.item), ("S2", ["Item was(ItemV2): name String? was(nameV2); x String?"])], fill: items)
    #expect(
      try subject.verdict()
        == "migrates, losing perhaps 10 rows of Item and perhaps Item.name in 10 rows: automatic migration to 'S2' "
        + "succeeds (assumed)")
    let migration = try subject.run("migrate", ["--dry-run", "--allow-assumed"])
    #expect(migration.status == 2 && migration.errors.contains("Item: 10 rows: lost, if an equal name is not enough"))
  }

  // MARK: Where links stand

  private static let boxes: [(name: String, model: [String])] = [
    ("S1", ["Box: n String?; items ->>Item~box", "Item: n String?; box ->Box?~items"]),
    ("S2", ["Box: n String?; things ->>Item~box", "Item: n String?; box ->Box?~things"]),
  ]

  @Test func aRenamedToManyKeepsLinksThatStandInTheKeyOfItsInverse() throws {
    let subject = try VerdictCase(Self.boxes) { writer in
      for number in 1...17 { try writer.insert("Box", ["n": .text("\(number)")]) }
      for number in 1...15 {
        let item = try writer.insert("Item", ["n": .text("\(number)")])
        try writer.link(item, "box", to: ObjectKey(entity: "Box", key: Int64(number % 10 + 1)))
      }
    }
    let diagnosis = try subject.run("diagnose")
    #expect(diagnosis.output.hasPrefix("migrates: automatic migration to 'S2' succeeds\n"))
    #expect(!diagnosis.output.contains("1580") && !diagnosis.output.contains("renaming identifier"))
    let new = subject.folder("new.sqlite")
    let migration = try subject.run("migrate", ["--output", new])
    #expect(migration.output.contains("17 objects kept; 'items' is 'things'\n"), "\(migration.output)")
    let rows = try Program.run(["rows", new, "Box", "--columns", "_key,things", "--format", "jsonl"]).output
    #expect(rows.filter { !$0.isWhitespace }.contains("[1,11]"), "\(rows)")
    let difference = try Program.run(["model", "diff", subject.version("S1"), subject.version("S2")]).output
    #expect(difference.contains("rows: links are kept: they stand in 'Item.box'"))
  }

  /// One-to-many becomes many-to-many: what is said to be kept is kept.
  @Test func keysBecomeRowsOfAJoinTable() throws {
    let subject = try VerdictCase([
      ("V1", ["Folder: notes ->>Note?~folder", "Note: title String?; folder ->Folder?~notes"]),
      ("V2", ["Folder: notes ->>Note?~folders", "Note: title String?; folders ->>Folder?~notes was(folder)"]),
    ]) { writer in
      for _ in 1...3 { try writer.insert("Folder", [:]) }
      for number in 1...5 {
        let note = try writer.insert("Note", ["title": .text("Note \(number)")])
        guard number < 5 else { continue }
        try writer.link(note, "folder", to: ObjectKey(entity: "Folder", key: Int64(number % 2 + 1)))
      }
    }
    #expect(try subject.verdict() == "migrates: automatic migration to 'V2' succeeds")
    let new = subject.folder("new.sqlite")
    let migration = try subject.run("migrate", ["--output", new])
    #expect(migration.status == 0, "\(migration.output)\(migration.errors)")
    func rows(_ entity: String, _ property: String) throws -> String {
      try Program.run(["rows", new, entity, "--columns", "_key,\(property)", "--format", "jsonl"]).output
        .filter { !$0.isWhitespace }
    }
    let notes = try rows("Note", "folders")
    #expect(notes.contains("[2]") && notes.contains("[1]") && notes.contains("[]"), "\(notes)")
    let folders = try rows("Folder", "notes")
    #expect(folders.contains("[1,3]"), "\(folders)")
  }

  // MARK: Whose rows

  @Test func aFindingNamesTheEntityThatTheRowsHave() throws {
    let subject = try VerdictCase([
      ("Old", ["Base: name String?", "Kid<Base: k String?"]), ("Up", ["Base: name String?; k String", "Kid<Base"]),
    ]) { writer in
      for number in 1...12 { try writer.insert("Base", ["name": .text("Name \(number)")]) }
      for number in 1...12 { try writer.insert("Kid", ["name": .text("Name \(number)"), "k": .text("K")]) }
    }
    let diagnosis = try subject.run("diagnose")
    #expect(diagnosis.output.contains("SD806 Base.k: 12 rows: no value for a required property"))
    let command = try #require(diagnosis.output.split(separator: "\n").first { $0.contains("storedoctor rows ") })
    #expect(command.contains(" Base --key 1,2,3,4,5 "))
    #expect(try Program.run(["rows", subject.store, "Base", "--key", "1,2"]).output.contains("2 objects of Base"))
    #expect(try subject.run("repair").output.contains("Base.k: 12 rows"))
  }

  // MARK: What the store knows

  /// A value that stands elsewhere is taken from there, and nothing is made up.
  @Test func aRecipeTakesTheValueThatTheStoreHas() throws {
    let order = "kind String; shop ->Shop?~orders"
    let subject = try VerdictCase([
      ("S1", ["Shop: code String; orders ->>Order?~shop", "Order: shopCode String?; \(order)"]),
      ("S2", ["Shop: code String; orders ->>Order?~shop", "Order unique(shopCode,kind): shopCode String; \(order)"]),
    ]) { writer in
      for number in 1...3 { try writer.insert("Shop", ["code": .text("C\(number)")]) }
      for number in 1...12 {
        let shop = Int64(number % 3 + 1)
        let code: StoredValue = number % 4 == 0 ? .null : .text("C\(shop)")
        let order = try writer.insert("Order", ["shopCode": code, "kind": .text("kind \(number)")])
        try writer.link(order, "shop", to: ObjectKey(entity: "Shop", key: shop))
      }
    }
    let diagnosis = try subject.run("diagnose")
    #expect(diagnosis.output.contains("- {entity: Order, attribute: shopCode, from: shop.code}\n"))
    let repair = try subject.run("repair")
    #expect(repair.output.contains("--backfill-from Order.shopCode=shop.code"), "\(repair.output)")
    let new = subject.folder("repaired.sqlite")
    let repaired = try subject.run("repair", ["--backfill-from", "Order.shopCode=shop.code", "--output", new])
    #expect(repaired.status == 0, "\(repaired.errors)")
    let opened = try Program.run(["diagnose", new, "--model", subject.bundle])
    #expect(opened.output.hasPrefix("migrates: automatic migration to 'S2' succeeds"), "\(opened.output)")
  }

  /// Where a filled row disagrees, the name alone is a coincidence.
  @Test func aValueThatDisagreesIsNotTaken() throws {
    let subject = try VerdictCase([
      ("S1", ["Shop: code String", "Order: shopCode String?; shop ->Shop?"]),
      ("S2", ["Shop: code String", "Order unique(shopCode): shopCode String; shop ->Shop?"]),
    ]) { writer in
      let shop = try writer.insert("Shop", ["code": .text("C")])
      for code in [nil, "other"] as [String?] {
        let order = try writer.insert("Order", ["shopCode": code.map { .text($0) } ?? .null])
        try writer.link(order, "shop", to: shop)
      }
    }
    let diagnosis = try subject.run("diagnose")
    #expect(!diagnosis.output.contains("from: shop.code"), "\(diagnosis.output)")
    #expect(diagnosis.output.contains("# made up: nothing in the store says what belongs there"))
  }

  @Test func aFormerNameLeadsToThePresentOne() throws {
    let subject = try VerdictCase([
      ("V1", ["Photo: fileName String?; editorBundle String?; importerBundle String? was(creatorBundle)"])
    ]) { try $0.insert("Photo", ["fileName": "a"]) }
    let rows = try Program.run(["rows", subject.store, "Photo", "--columns", "fileName,creatorBundle"])
    #expect(rows.status == 2)
    #expect(rows.errors.contains("did you mean 'importerBundle', which was 'creatorBundle'?"), "\(rows.errors)")
  }

  /// A store that was renamed has its files in the folder of its former name.
  @Test func externalFilesAreLookedForUnderAFormerName() throws {
    let files = ["0308CA1C-D76C-4F97-8631-28E8EFF6F510", "1308CA1C-D76C-4F97-8631-28E8EFF6F511"]
    let subject = try VerdictCase([("V1", ["Scan: title String?; page Binary? ext"])]) { writer in
      for file in files { try writer.insert("Scan", ["page": .blob([2] + Array(file.utf8) + [0])]) }
    }
    let folder = subject.folder(".Model_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "a page".write(toFile: folder + "/" + files[0], atomically: true, encoding: .utf8)
    let diagnosis = try Program.run(["diagnose", subject.store], environment: ["COLUMNS": "400"])
    #expect(
      diagnosis.output.contains("1 of the 2 is in '.Model_SUPPORT/_EXTERNAL_DATA' beside the store"),
      "\(diagnosis.output)")
  }
}
