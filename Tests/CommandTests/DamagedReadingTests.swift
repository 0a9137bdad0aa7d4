import Foundation
import StoreSQLite
import TestSupport
import Testing

/// What is only unreachable, because a table is damaged, is not said to be missing; what can be read on both sides is shown.
@Suite struct DamagedReadingTests {
  private static let tags = 2_000

  /// The bundled store with 2,000 tags, on some ten pages.
  private static func manyTags(in folder: TemporaryFolder) throws -> String {
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let connection = try Connection(writing: store, create: false)
    try connection.execute(
      """
      PRAGMA journal_mode = delete;
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME)
        WITH RECURSIVE n(i) AS (SELECT 7 UNION ALL SELECT i + 1 FROM n WHERE i < \(tags))
        SELECT i, (SELECT Z_ENT FROM ZTAG), 1, 'tag number ' || i FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = \(tags) WHERE Z_NAME = 'Tag';
      """)
    connection.close()
    return store
  }

  /// The pages of the table's leaves but the first, in order of keys, by its root page.
  private static func leaves(_ bytes: [UInt8], of store: String) throws -> (root: Int, leaves: [Int]) {
    let connection = try Connection(writing: store, create: false)
    let query = try connection.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'ZTAG'")
    try #require(try query.step())
    let root = Int(query.int64(0) - 1) * 4096
    try #require(bytes[root] == 5)
    let leaves = (1..<Int(bytes[root + 4])).map { index in
      let cell = root + Int(bytes[root + 12 + 2 * index]) << 8 + Int(bytes[root + 13 + 2 * index])
      return (Int(bytes[cell + 2]) << 8 + Int(bytes[cell + 3]) - 1) * 4096
    }
    return (root, leaves)
  }

  private enum Damage: String, CaseIterable {
    /// A leaf is no page of a tree.
    case leaf
    /// A leaf says that it has fewer rows, so that all that it shows can be read.
    case fewerRows
    /// The root says that it has fewer children.
    case fewerChildren
    /// A child is named twice, and the one behind it not at all.
    case twice
  }

  private static func damaged(_ damage: Damage, in folder: TemporaryFolder) throws -> (store: String, whole: String) {
    let whole = try manyTags(in: folder)
    var bytes = try contents(of: whole)
    let (root, leaves) = try leaves(bytes, of: whole)
    switch damage {
    case .leaf: bytes[leaves[2]] = 77
    case .fewerRows: bytes[leaves[2] + 4] -= 3
    case .fewerChildren: bytes[root + 4] -= 2
    case .twice:
      let pointers = (2...3).map { root + Int(bytes[root + 12 + 2 * $0]) << 8 + Int(bytes[root + 13 + 2 * $0]) }
      for place in 0..<4 { bytes[pointers[1] + place] = bytes[pointers[0] + place] }
    }
    return (try folder.write(bytes, to: "\(damage).sqlite"), whole)
  }

  private static func words(_ outcome: Program.Outcome) -> String {
    (outcome.output + outcome.errors).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test(arguments: Damage.allCases)
  private func everyCommandSaysIt(_ damage: Damage) throws {
    let folder = try TemporaryFolder()
    let (store, whole) = try Self.damaged(damage, in: folder)
    #expect(try Program.run(["diagnose", store]).output.hasPrefix("damaged"))
    for words in [
      ["rows"], ["rows", "Tag"], ["rows", "Tag", "--format", "csv"], ["rows", "Tag", "--format", "jsonl"],
    ] {
      let outcome = try Program.run([words[0], store] + words.dropFirst())
      #expect(Self.words(outcome).contains("ZTAG is damaged"), "\(words): \(outcome.errors)")
      #expect(outcome.status == 2, "\(words)")
    }
    let json = try Program.run(["rows", store, "Tag", "--format", "json"])
    #expect(json.output.contains(#""sound": "no""#) && json.status == 2, "\(json.output.suffix(600))")
    let recovered = try Program.run(["recover", store])
    #expect(recovered.output.hasPrefix("0 deleted"), "\(recovered.output)")
    #expect(recovered.output.contains("; a table is damaged, so counts are bounds"))
    #expect(try Program.run(["recover", store, "--format", "json"]).output.contains(#""sound": "no""#))
    let compared = try Program.run(["compare", whole, store])
    #expect(compared.output.hasPrefix("not known whether equal") && compared.status == 2, "\(compared.output)")
    #expect(
      Self.words(compared).contains("Tag is not compared: not all of it, since ZTAG is damaged in the second store"))
  }

  @Test func whatLiesOnBothSidesOfABrokenLeafIsShown() throws {
    let folder = try TemporaryFolder()
    let (store, _) = try Self.damaged(.leaf, in: folder)
    let outcome = try Program.run(["rows", store, "Tag", "--format", "csv", "--columns", "_key,name"])
    let keys = outcome.output.split(whereSeparator: \.isNewline).dropFirst().compactMap {
      Int($0.split(separator: ",")[0])
    }
    let missing = Set(1...Self.tags).subtracting(keys)
    let (first, last) = try (#require(missing.min()), #require(missing.max()))
    #expect(keys.count > 1_500 && missing.count == last - first + 1 && keys.contains(last + 1), "\(missing.count)")
    #expect(
      outcome.errors.contains("because they cannot be read, are the keys \(first) to \(last)\n"), "\(outcome.errors)")
    let one = try Program.run([
      "rows", store, "Tag", "--key", "3,\(first)", "--format", "csv", "--columns", "_key,name",
    ])
    #expect(one.output.split(whereSeparator: \.isNewline) == ["_key,name", "3,urgent"], "\(one.output)")
    #expect(one.errors.contains("are the keys \(first)\n") && one.status == 2, "\(one.errors)")
  }

  @Test func aRowOutOfOrderIsSaidByEveryCommandAndMovesNothing() throws {
    let folder = try TemporaryFolder()
    let origin = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let connection = try Connection(writing: origin, create: false)
    let root = try connection.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'ZNOTE'")
    try #require(try root.step())
    let page = Int(root.int64(0) - 1) * 4096
    var bytes = try contents(of: origin)
    var cell = page + Int(bytes[page + 16]) << 8 + Int(bytes[page + 17])
    while bytes[cell] & 0x80 != 0 { cell += 1 }
    bytes[cell + 1] = 120
    let store = try folder.write(bytes, to: "rowid.sqlite")
    for words in [["rows", "Note"], ["timeline"], ["timeline", "--format", "csv"], ["recover"]] {
      let outcome = try Program.run([words[0], store] + words.dropFirst())
      #expect(Self.words(outcome).contains("ZNOTE is damaged"), "\(words): \(outcome.errors)")
    }
    let compared = try Program.run(["compare", Project.path("corpus/Notes.sqlite"), store])
    #expect(compared.status == 2 && !compared.output.contains("under another key"), "\(compared.output)")
    #expect(!compared.output.contains("changed"), "\(compared.output)")
  }

  /// A sound page of another table in a page's place, so that nothing on any page is out of order: the root is one without
  /// rows, or a leaf is.
  @Test(arguments: [true, false]) func whatNoPageLeadsToIsNotTakenForDeleted(isRoot: Bool) throws {
    let folder = try TemporaryFolder()
    let whole = try Self.manyTags(in: folder)
    var bytes = try contents(of: whole)
    let (root, leaves) = try Self.leaves(bytes, of: whole)
    let page = isRoot ? root : leaves[2]
    bytes.replaceSubrange(page..<page + 8, with: [13, 0, 0, 0, 0, 16, 0, 0])
    let store = try folder.write(bytes, to: "empty.sqlite")
    let outcome = try Program.run(["recover", store])
    let said = Self.words(outcome)
    #expect(said.hasPrefix("0 deleted") && said.contains("so counts are bounds"), "\(said.prefix(600))")
    #expect(
      said.contains(isRoot ? "are in no tree and not in the list of free pages" : "ZTAG is damaged"),
      "\(said.prefix(600))")
    for line in try Program.run(["recover", store, "--format", "jsonl"]).output.split(separator: "\n") {
      #expect(!line.contains(#""kind": "deleted""#), "\(line.prefix(300))")
    }
    #expect(try Program.run(["recover", store, "--format", "json"]).output.contains(#""sound": "no""#))
  }

  /// The same for the commands that read tables: with an index, which lists more rows, and without one, where pages are left
  /// that nothing leads to.
  @Test(arguments: [true, false], [true, false])
  func rowsOnPagesThatNothingLeadsToAreSaid(isRoot: Bool, hasIndex: Bool) throws {
    let folder = try TemporaryFolder()
    let whole = try Self.manyTags(in: folder)
    let connection = try Connection(writing: whole, create: false)
    for name in try connection.indexes(of: "ZTAG").map(\.name) { try connection.execute("DROP INDEX \(name)") }
    if hasIndex { try connection.execute("CREATE INDEX Z_Tag_byName ON ZTAG (ZNAME)") }
    connection.close()
    var bytes = try contents(of: whole)
    let (root, leaves) = try Self.leaves(bytes, of: whole)
    let page = isRoot ? root : leaves[2]
    bytes.replaceSubrange(page..<page + 8, with: [13, 0, 0, 0, 0, 16, 0, 0])
    let store = try folder.write(bytes, to: "empty.sqlite")
    for command in [
      ["rows"], ["rows", "Tag"], ["rows", "Tag", "--format", "csv"], ["rows", "Tag", "--key", "1999,3000"],
      ["compare", whole],
    ] {
      // The overview counts, and looks for no pages.
      if command == ["rows"], !hasIndex { continue }
      let outcome = try Program.run([command[0], store] + command.dropFirst())
      #expect(Self.words(outcome).contains("counts are bounds"), "\(command): \(Self.words(outcome).prefix(400))")
      #expect(outcome.status == 2, "\(command)")
    }
    let one = try Program.run(["rows", store, "Tag", "--key", "3000", "--format", "csv"])
    #expect(one.errors.contains("no object of Tag with the key 3000 could be read"), "\(one.errors)")
    // A table whose last keys were deleted is not called damaged.
    let sound = try Connection(writing: whole, create: false)
    try sound.execute("DELETE FROM ZTAG WHERE Z_PK > 900")
    sound.close()
    let outcome = try Program.run(["rows", whole, "Tag", "--key", "3000", "--format", "csv"])
    #expect(outcome.errors.contains("no object of Tag has the key 3000") && outcome.status == 0, "\(outcome.errors)")
  }

  /// A page that leads to its rows by wrong keys: who reads all rows finds them, and who looks for one does not.
  @Test func aRowToWhichItsKeyDoesNotLeadIsShownAndSaid() throws {
    let folder = try TemporaryFolder()
    let whole = try Self.manyTags(in: folder)
    var bytes = try contents(of: whole)
    let (root, _) = try Self.leaves(bytes, of: whole)
    let cell = root + Int(bytes[root + 16]) << 8 + Int(bytes[root + 17])
    let key = Int(bytes[cell + 4] & 0x7F) << 7 + Int(bytes[cell + 5])
    let lower = key - 20
    (bytes[cell + 4], bytes[cell + 5]) = (UInt8(lower >> 7) | 0x80, UInt8(lower & 0x7F))
    let store = try folder.write(bytes, to: "interior.sqlite")
    let outcome = try Program.run([
      "rows", store, "Tag", "--key", "3,\(key - 1)", "--format", "csv", "--columns", "_key",
    ])
    #expect(outcome.output.split(whereSeparator: \.isNewline) == ["_key", "3", "\(key - 1)"], "\(outcome.output)")
    #expect(Self.words(outcome).contains("ZTAG"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("no object of Tag has") && outcome.status == 2, "\(outcome.errors)")
  }

  /// A key that Core Data gives to none, and one of which an index knows nothing: neither is a key to which an object moved.
  @Test(arguments: [(1, 0), (2_000, 1_995)]) func aKeyThatAnIndexDoesNotListMovesNothing(from: Int, to: Int) throws {
    let folder = try TemporaryFolder()
    let whole = try Self.manyTags(in: folder)
    let connection = try Connection(writing: whole, create: false)
    try connection.execute("DELETE FROM ZTAG WHERE Z_PK BETWEEN 1990 AND 1999")
    if try connection.indexes(of: "ZTAG").isEmpty {
      try connection.execute("CREATE INDEX Z_Tag_byName ON ZTAG (ZNAME)")
    }
    connection.close()
    var bytes = try contents(of: whole)
    func varint(_ key: Int) -> [UInt8] { key < 128 ? [UInt8(key)] : [UInt8(key >> 7) | 0x80, UInt8(key & 0x7F)] }
    let (root, _) = try Self.leaves(bytes, of: whole)
    let child = { (at: Int) in (Int(bytes[at + 2]) << 8 + Int(bytes[at + 3]) - 1) * 4096 }
    let first = root + Int(bytes[root + 12]) << 8 + Int(bytes[root + 13])
    let leaf = from == 1 ? child(first) : child(root + 8)
    var isChanged = false
    for index in 0..<(Int(bytes[leaf + 3]) << 8 + Int(bytes[leaf + 4])) {
      let cell = leaf + Int(bytes[leaf + 8 + 2 * index]) << 8 + Int(bytes[leaf + 9 + 2 * index])
      let key = varint(from)
      guard Array(bytes[cell + 1..<cell + 1 + key.count]) == key else { continue }
      bytes.replaceSubrange(cell + 1..<cell + 1 + key.count, with: varint(to))
      isChanged = true
    }
    try #require(isChanged)
    let store = try folder.write(bytes, to: "key.sqlite")
    for pair in [[whole, store], [store, whole]] {
      let compared = try Program.run(["compare"] + pair)
      let said = Self.words(compared)
      #expect(!said.contains("under another key") && compared.status == 2, "\(said.prefix(600))")
      #expect(said.contains("ZTAG has rows with other keys than its index"), "\(said.prefix(600))")
    }
    if to == 0 {
      #expect(
        Self.words(try Program.run(["rows", store, "Tag"])).contains(
          "ZTAG has a row with the key 0, which Core Data gives to none"))
    }
  }

  /// The roots of a table and of one without rows in each other's place: nothing on any page is out of order.
  @Test func rowsInAnotherTablesPagesAreNotTakenForDeleted() throws {
    let folder = try TemporaryFolder()
    let whole = try Self.manyTags(in: folder)
    let connection = try Connection(writing: whole, create: false)
    try connection.execute("DELETE FROM ZATTACHMENT")
    let query = try connection.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'ZATTACHMENT'")
    try #require(try query.step())
    let empty = Int(query.int64(0) - 1) * 4096
    connection.close()
    var bytes = try contents(of: whole)
    let (root, _) = try Self.leaves(bytes, of: whole)
    let page = Array(bytes[root..<root + 4096])
    bytes.replaceSubrange(root..<root + 4096, with: Array(bytes[empty..<empty + 4096]))
    bytes.replaceSubrange(empty..<empty + 4096, with: page)
    let store = try folder.write(bytes, to: "swapped.sqlite")
    let outcome = try Program.run(["recover", store])
    #expect(
      Self.words(outcome).contains("ZTAG is damaged: what it does not show may be there all the same"),
      "\(outcome.output.prefix(900))")
    for line in try Program.run(["recover", store, "--format", "jsonl"]).output.split(separator: "\n") {
      #expect(!(line.contains(#""kind": "deleted""#) && line.contains("ZTAG")), "\(line.prefix(300))")
    }
  }

  /// A file that is too short, of which the pages that are there are sound, and a table that nobody finds.
  @Test func aShortFileAndATableThatIsNotThereAreSaid() throws {
    let folder = try TemporaryFolder()
    let whole = try Self.manyTags(in: folder)
    let connection = try Connection(writing: whole, create: false)
    try connection.execute(
      "CREATE TABLE ZZZ (a); INSERT INTO ZZZ VALUES (zeroblob(9000)); DROP TABLE ZATTACHMENT; "
        + "UPDATE Z_PRIMARYKEY SET Z_MAX = 1234 WHERE Z_NAME = 'Attachment'")
    connection.close()
    var bytes = try contents(of: whole)
    bytes.removeLast(4096)
    let store = try folder.write(bytes, to: "short.sqlite")
    for command in [["rows"], ["rows", "Note", "--format", "csv"], ["timeline"], ["recover"], ["compare", whole]] {
      let outcome = try Program.run([command[0], store] + command.dropFirst())
      let said = Self.words(outcome)
      #expect(said.contains("bytes its header asks for: what lay behind is missing"), "\(command): \(said.prefix(900))")
      #expect(
        said.contains("there is no table ZATTACHMENT, of which 1,234 keys were handed out"),
        "\(command): \(said.prefix(900))")
    }
    let inspected = try Program.run(["inspect", store]).output
    #expect(inspected.components(separatedBy: "its header asks for").count == 2, "\(inspected.prefix(600))")
  }

  /// One bit of the last key, in a table without an index: nothing on the page is out of order.
  @Test func aKeyThatWasNeverHandedOutMovesNothing() throws {
    let folder = try TemporaryFolder()
    let whole = try Self.manyTags(in: folder)
    let connection = try Connection(writing: whole, create: false)
    try connection.execute("DELETE FROM ZTAG WHERE Z_PK > 60; UPDATE Z_PRIMARYKEY SET Z_MAX = 60 WHERE Z_NAME = 'Tag'")
    connection.close()
    let store = try folder.copyStore(whole, as: "key.sqlite")
    let writer = try Connection(writing: store, create: false)
    try writer.execute("UPDATE ZTAG SET Z_PK = 124 WHERE Z_PK = 60")
    writer.close()
    let compared = try Program.run(["compare", whole, store])
    #expect(
      compared.output.hasPrefix("not known whether equal: 1 entity not compared\n") && compared.status == 2,
      "\(compared.output)")
    #expect(
      Self.words(compared).contains(
        "1 object with equal values has keys of which one was never handed out (60 in the first store and 124 in the "
          + "second)"), "\(compared.output)")
    #expect(try !Program.run(["compare", store, whole]).output.contains("under another key"))
    let recovered = try Program.run(["recover", store])
    #expect(
      Self.words(recovered).contains("Tag: it has the key 124, and Z_MAX is 60: a row may have another's key"),
      "\(recovered.output)")
    #expect(!recovered.output.contains("60: deleted"), "\(recovered.output)")
  }

  /// The only difference is a name.
  @Test func anotherNameOfAnEntityIsADifferenceOfTheModels() throws {
    let folder = try TemporaryFolder()
    let whole = Project.path("corpus/Notes.sqlite")
    let store = try folder.copyStore(whole)
    let connection = try Connection(writing: store, create: false)
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Tage' WHERE Z_NAME = 'Tag'")
    connection.close()
    let compared = try Program.run(["compare", whole, store])
    #expect(compared.output.hasPrefix("different: the models differ\n") && compared.status == 1, "\(compared.output)")
  }

  @Test func aSoundStoreIsSaidToBeSound() throws {
    let store = Project.path("corpus/Notes.sqlite")
    #expect(try Program.run(["rows", store, "Note", "--format", "json"]).output.contains(#""sound": "yes""#))
    #expect(try Program.run(["compare", store, store, "--format", "json"]).output.contains(#""sound": "yes""#))
    #expect(try Program.run(["recover", store, "--format", "json"]).output.contains(#""sound": "yes""#))
    #expect(try Program.run(["diagnose", store, "--format", "json"]).output.contains(#""sound": "yes""#))
    #expect(try Program.run(["inspect", store, "--format", "json"]).output.contains(#""sound": "unknown""#))
  }
}
