import Foundation
import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StorePublishing
import StoreSQLite
import TestSupport
import Testing

@testable import StoreSalvage

/// Damaged stores, of which all is saved that is left, and nothing else.
@Suite struct SalvageTests {
  /// What of a store is true, read with SQL from the sound one.
  private struct Truth {
    let path: String
    let bytes: [UInt8]
    let rows: PlacedRows
    var values: [String: [Int64: [SQLiteValue]]] = [:]

    init(_ path: String) throws {
      self.path = path
      bytes = try contents(of: path)
      let connection = try Connection(reading: DatabaseFiles(path: path))
      let schema = try connection.schema()
      let tables = schema.filter(\.isOrdinaryTable)
      rows = try PlacedRows(
        bytes, tables: tables.map { ($0.name, UInt32($0.rootPage)) },
        otherRoots: schema.filter { $0.type == .index }.map { UInt32($0.rootPage) })
      for table in tables { values[table.name] = try Self.rows(of: table.name, connection) }
    }

    static func rows(of table: String, _ connection: Connection) throws -> [Int64: [SQLiteValue]] {
      let statement = try connection.prepare("SELECT rowid, * FROM \(identifier(table))")
      var rows: [Int64: [SQLiteValue]] = [:]
      while try statement.step() {
        rows[statement.int64(0)] = (1..<statement.columnCount).map { statement.value($0) }
      }
      return rows
    }
  }

  private struct Score {
    /// Rows whose bytes are all there.
    var whole = 0
    var right = 0
    /// Those of them whose leaf is as it was, too, so that its place in the tree is.
    var placed = 0
    var placedRight = 0
    /// All rows that the sound store had.
    var rows = 0
    var wrong: [String] = []
    /// Rows that are not there, and that nothing in the answer speaks of.
    var silent: [String] = []
  }

  /// At least 99 of 100 rows whose bytes are whole are saved in their table, and no other row, value or link.
  @Test(arguments: SalvageShape.allCases) func savesWhatIsWholeAndNothingElse(_ shape: SalvageShape) throws {
    for seed in LongRuns.seeds(1, whole: 20) {
      let folder = try TemporaryFolder.inMemory()
      try shape.make(at: folder("Sound.sqlite"), seed: seed)
      let truth = try Truth(folder("Sound.sqlite"))
      let older = try olderState(of: truth, in: folder)
      for damage in PlantedDamage.all(truth.bytes, older: older.bytes, truth.rows, seed: seed) {
        let name = "\(shape) \(seed): \(damage)"
        let path = try folder.write(damage.bytes, to: "Damaged.sqlite")
        let output = folder("Saved.sqlite")
        let salvage = try saved(path, to: output, model: truth.path)
        #expect(try contents(of: path) == damage.bytes, "\(name): the store was written")
        let score = try score(output, salvage, truth, damage, others: damage.isOfTwoStates ? older : nil)
        // Of a page that is of another state than those above it no row is sure, also where it is the same in both: a later one may
        // have been on the page that is lost.
        let least = damage.isOfTwoStates ? 96 : 99
        #expect(score.right * 100 >= score.whole * least, "\(name): \(score.right) of \(score.whole)")
        #expect(score.placedRight * 100 >= score.placed * 99, "\(name): \(score.placedRight) of \(score.placed)")
        #expect(score.wrong.isEmpty, "\(name): \(score.wrong.prefix(5))")
        #expect(score.silent.isEmpty, "\(name): lost without a word: \(score.silent.prefix(5))")
        #expect(score.right == score.rows || damage.isOfTwoStates || !salvage.isWhole, "\(name): said to be whole")
        #expect(!salvage.diagnosis.findings.contains { $0.id == "SD102" }, "\(name)")
      }
    }
  }

  /// With doubtful rows no key is missing whose row is whole, and what is sure is the same.
  @Test(arguments: SalvageShape.allCases) func doubtfulRowsAreThoseOfTheOlderStateToo(_ shape: SalvageShape) throws {
    for seed in LongRuns.seeds(1, whole: 20, kept: [17]) {
      let folder = try TemporaryFolder.inMemory()
      try shape.make(at: folder("Sound.sqlite"), seed: seed)
      let truth = try Truth(folder("Sound.sqlite"))
      let older = try olderState(of: truth, in: folder, changing: truth.values.keys.filter(Self.isOfObjectsOrLinks))
      for damage in PlantedDamage.all(truth.bytes, older: older.bytes, truth.rows, seed: seed)
      where damage.isOfTwoStates {
        let path = try folder.write(damage.bytes, to: "Damaged.sqlite")
        func rows(_ options: SalvageOptions) throws -> [String: [Int64: [SQLiteValue]]] {
          _ = try salvage(PosixPath(path), to: OutputTarget(PosixPath(folder("Saved.sqlite")), replaces: true), options)
          let connection = try Connection(reading: DatabaseFiles(path: folder("Saved.sqlite")))
          return try Dictionary(
            uniqueKeysWithValues: truth.rows.places.keys.map { ($0, try Truth.rows(of: $0, connection)) })
        }
        let (sure, all) = (try rows(SalvageOptions()), try rows(SalvageOptions(keepsDoubtful: true)))
        for (table, places) in truth.rows.places {
          let whole = places.filter { row in row.value.allSatisfy { damage.has($0, of: truth.bytes) } }.keys
          let missing = whole.filter { all[table]?[$0] == nil }
          #expect(missing.isEmpty, "\(shape) \(seed): \(damage): \(table) \(missing.sorted().prefix(5))")
          let changed = (sure[table] ?? [:]).filter { all[table]?[$0.key] != $0.value }.keys
          #expect(changed.isEmpty, "\(shape) \(seed): \(damage): \(table) \(changed.sorted().prefix(5))")
        }
      }
    }
  }

  /// Of a page of an older state a row that cannot be read is counted where no other page has its key, and the page where it
  /// may have had more rows.
  @Test func whatCannotBeReadOfAnOlderStateIsCounted() throws {
    let folder = try TemporaryFolder.inMemory()
    try SalvageShape.notes.make(at: folder("Sound.sqlite"), seed: 1)
    let older = try Truth(folder("Sound.sqlite"))
    let places = older.rows.places["ZNOTE", default: [:]]
    let leaves = Dictionary(grouping: places.keys.sorted()) { older.rows.leaf(of: $0, in: "ZNOTE") }
    let (page, keys) = try #require(leaves.first { $0.value.count > 17 && $0.value.contains(1) == false })
    let lost = older.rows.leaf(of: 1, in: "ZNOTE")
    let (other, gone) = (keys[keys.count - 2], keys[keys.count - 1])
    // Today a row of the page is deleted, another page is zeroed, and the page as it was lies behind all others.
    let connection = try Connection(writing: folder("Sound.sqlite"), create: false)
    try connection.execute("DELETE FROM ZNOTE WHERE Z_PK = \(gone)")
    connection.close()
    var bytes = try contents(of: folder("Sound.sqlite"))
    bytes.replaceSubrange(lost, with: repeatElement(0, count: lost.count))
    let copy = bytes.count
    bytes += older.bytes[page]
    let count = bytes.count / page.count
    bytes.replaceSubrange(28..<32, with: [0, 0, UInt8(count >> 8), UInt8(count & 0xff)])
    func saved(unreadable: [Int64], fragments: UInt8 = 0) throws -> Salvage {
      var damaged = bytes
      for key in unreadable {
        // Behind the length of the payload and the key: a header of no bytes.
        var place = copy + (places[key]?.first?.lowerBound ?? 0) - page.lowerBound
        for _ in 0..<2 { place = (damaged[place...].firstIndex { $0 < 0x80 } ?? place) + 1 }
        damaged[place] = 0
      }
      damaged[copy + 7] += fragments
      let path = try folder.write(damaged, to: "Damaged.sqlite")
      let options = SalvageOptions(keepsDoubtful: true)
      let target = OutputTarget(PosixPath(folder("Saved.sqlite")), replaces: true)
      let salvage = try salvage(PosixPath(path), to: target, options)
      #expect(
        try savable(PosixPath(path), options) == Savable(tables: salvage.tables, damagedPages: salvage.pages.damaged))
      return salvage
    }
    let row = Salvage.LeftOut(table: "ZNOTE", key: gone, page: UInt32(count), why: .contested)
    let whole = try saved(unreadable: [])
    #expect(whole.rows == [row] && whole.pages.damaged == 0, "\(whole.rows)")
    for unreadable in [[gone], [gone, other]] {
      let salvage = try saved(unreadable: unreadable)
      let (rows, sure) = (
        salvage.rows.map { [$0.key: $0.why] },
        try Truth.rows(
          of: "ZNOTE",
          Connection(
            reading: DatabaseFiles(path: folder("Saved.sqlite"))))
      )
      #expect(rows == [[gone: .damaged]] && salvage.doubtful == 1 && sure[gone] == nil, "\(rows)")
    }
    let gapped = try saved(unreadable: [], fragments: 3)
    #expect(gapped.rows.map(\.key) == [gone] && gapped.pages.damaged == 1, "\(gapped.rows)")
    #expect(gapped.damagedPages.map(\.page) == [UInt32(count)] && gapped.damagedPages.map(\.table) == ["ZNOTE"])
  }

  /// As it was, and without its model where that is lost.
  private func saved(_ path: String, to output: String, model: String) throws -> Salvage {
    let target = OutputTarget(PosixPath(output), replaces: true)
    func saved(_ options: SalvageOptions) throws -> Salvage {
      let salvage = try salvage(PosixPath(path), to: target, options)
      let counted = try savable(PosixPath(path), options)
      #expect(counted == Savable(tables: salvage.tables, damagedPages: salvage.pages.damaged), "other counts are said")
      return salvage
    }
    do {
      return try saved(SalvageOptions())
    } catch is SalvageError {
      return try saved(SalvageOptions(model: Store(path: model).model))
    }
  }

  /// Whether a table has no rows of Core Data's own, of which a store cannot lack one.
  private static func isOfObjectsOrLinks(_ table: String) -> Bool {
    !["Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"].contains(table) && !table.hasPrefix("sqlite_")
  }

  /// The same store some saves earlier: other rows, and other values in some.
  ///
  /// - Parameter tables: further tables that have other rows.
  private func olderState(of truth: Truth, in folder: TemporaryFolder, changing tables: [String] = []) throws -> Truth {
    let path = try folder.write(truth.bytes, to: "Older.sqlite")
    let connection = try Connection(writing: path, create: false)
    try connection.execute(
      "UPDATE ZNOTE SET ZTITLE = 'older', Z_OPT = Z_OPT + 1 WHERE Z_PK % 5 = 0; DELETE FROM ZNOTE WHERE Z_PK % 11 = 0")
    for table in tables.sorted() where table != "ZNOTE" {
      try connection.execute("DELETE FROM \(identifier(table)) WHERE rowid % 13 = 0")
    }
    connection.close()
    return try Truth(path)
  }

  private func score(
    _ output: String, _ salvage: Salvage, _ truth: Truth, _ damage: PlantedDamage, others: Truth?
  ) throws -> Score {
    var score = Score()
    let connection = try Connection(reading: DatabaseFiles(path: output))
    let check = try connection.prepare("PRAGMA integrity_check")
    while try check.step() {
      if check.string(0) != "ok" { score.wrong.append(check.string(0) ?? "") }
    }
    let made = salvage.made.joined()
    for (table, rows) in truth.values {
      let have = try Truth.rows(of: table, connection)
      for (key, values) in rows {
        let isWhole = truth.rows.places[table]?[key]?.allSatisfy { damage.has($0, of: truth.bytes) } ?? false
        score.whole += isWhole ? 1 : 0
        let isPlaced = isWhole && damage.has(truth.rows.leaf(of: key, in: table), of: truth.bytes)
        score.placed += isPlaced ? 1 : 0
        score.placedRight += isPlaced && have[key] == values ? 1 : 0
        score.rows += 1
        if have[key] == values {
          score.right += 1
        } else if let found = have[key], !made.contains(table), others?.values[table]?[key] != found {
          score.wrong.append("\(table) \(key)")
        } else if have[key] == nil, !damage.isOfTwoStates, !salvage.speaks(of: key, in: table) {
          score.silent.append("\(table) \(key)")
        }
      }
      for key in have.keys where rows[key] == nil && others?.values[table]?[key] == nil {
        score.wrong.append("\(table) \(key) more")
      }
    }
    return score
  }

  @Test func aSoundStoreIsSavedAsItIs() throws {
    for name in ["Notes", "Club", "Shapes", "Shop", "School", "SchoolBridge", "Guests"] {
      let folder = try TemporaryFolder()
      let path = Project.path("corpus/\(name).sqlite")
      let salvage = try salvage(PosixPath(path), to: OutputTarget(PosixPath(folder("Saved.sqlite"))), SalvageOptions())
      #expect(salvage.doubtful == 0 && salvage.leftOut.isEmpty && salvage.made.isEmpty, "\(name): \(salvage)")
      let (old, new) = try (Store(path: path), Store(path: folder("Saved.sqlite")))
      #expect(new.metadata == old.metadata && new.entityMap == old.entityMap && new.model == old.model, "\(name)")
      for table in old.shape.tables.keys {
        let (before, after) = try (Truth.rows(of: table, old.connection), Truth.rows(of: table, new.connection))
        #expect(before == after, "\(name) \(table)")
      }
      let (schema, saved) = try (old.connection.schema(), new.connection.schema())
      #expect(Set(schema.map(\.name)) == Set(saved.map(\.name)), "\(name)")
    }
  }

  /// Nothing of a table that has its pages is taken from a page that nothing leads to.
  @Test func deletedRowsStayDeleted() throws {
    let folder = try TemporaryFolder()
    try SalvageShape.notes.make(at: folder("Sound.sqlite"), seed: 3)
    var bytes = try contents(of: folder("Sound.sqlite"))
    bytes.replaceSubrange(0..<100, with: repeatElement(0, count: 100))
    let path = try folder.write(bytes, to: "Damaged.sqlite")
    _ = try salvage(PosixPath(path), to: OutputTarget(PosixPath(folder("Saved.sqlite"))), SalvageOptions())
    let connection = try Connection(reading: DatabaseFiles(path: folder("Saved.sqlite")))
    let deleted = try connection.prepare("SELECT count(*) FROM ZNOTE WHERE Z_PK BETWEEN 100 AND 160 OR Z_PK % 17 = 0")
    #expect(try deleted.step() && deleted.int64(0) == 0)
  }

  @Test func aModelOfAnotherVersionIsRefused() throws {
    let folder = try TemporaryFolder()
    let other = try Store(path: Project.path("corpus/Club.sqlite")).model
    #expect {
      try salvage(
        PosixPath(Project.path("corpus/Notes.sqlite")), to: OutputTarget(PosixPath(folder("Saved.sqlite"))),
        SalvageOptions(model: other))
    } throws: { "\($0)".contains("is not the store's: the version hashes of") }
    #expect(!FileManager.default.fileExists(atPath: folder("Saved.sqlite")))
  }

  @Test func aFileWithoutPagesIsRefused() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](repeating: 0, count: 1 << 16), to: "Zeros.sqlite")
    #expect {
      try salvage(PosixPath(path), to: OutputTarget(PosixPath(folder("Saved.sqlite"))), SalvageOptions())
    } throws: { "\($0)".contains("no page of a table is in it") }
  }
}

extension Salvage {
  /// Whether the answer says that a row with this key may be lost: by its key, a range of keys, or pages that are of no table.
  fileprivate func speaks(of key: Int64, in table: String) -> Bool {
    pages.unclear > 0 || made.contains { $0.contains("(\(table))") }
      || rows.contains { $0.table == table && $0.key == key }
      || tables.contains { $0.name == table && $0.lost.contains { $0.contains(key) } }
      || damagedPages.contains { $0.table == table && $0.keys.contains(key) }
  }
}
