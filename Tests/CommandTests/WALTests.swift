import Foundation
import StoreSQLite
import StoreGenerator
import TestSupport
import Testing

/// What is reported about a WAL: whose it is, and how many rows there are with it.
///
/// `yes` must never be said of another store's WAL, and `no` never of the store's own; it is often "unknown".
@Suite struct WALTests {
  private let own = "11111111-1111-4111-8111-111111111111"
  private let other = "22222222-2222-4222-8222-222222222222"

  // MARK: A store's own WAL

  @Test func rowsInTheWALAreRead() throws {
    let folder = try TemporaryFolder()
    let store = try LivingStore(in: folder, committed: 4, inWAL: 5000).mainPath
    let answer = try Answer(store)
    #expect(answer.rows["Note"] == 5004)
    #expect(answer.store.wal?.belongsToStore != "no")
    #expect(answer.store.wal?.read == true)
    #expect(try Answer(store, ["--without-wal"]).rows["Note"] == 4)
  }

  @Test func aWALWithTheMetadataPageThatContinuesTheMainFileIsItsOwn() throws {
    let folder = try TemporaryFolder()
    let store = try LivingStore(in: folder, committed: 4, inWAL: 100, uuid: own)
    try store.writeMetadata()
    let answer = try Answer(store.mainPath)
    #expect(answer.store.wal?.belongsToStore == "yes")
    #expect(answer.rows["Note"] == 104)
    #expect(
      answer.store.wal?.reasons == [
        "its page 1 continues the main file's change counter (3 to 3)", "its metadata page has the main file's UUID",
      ])
  }

  /// All of a store is in the first transaction of its log, which breaks off, and the main file has nothing.
  @Test(arguments: [0, 4_096]) func anEmptyMainFileWhoseLogBreaksOffIsSaid(_ bytes: Int) throws {
    let folder = try TemporaryFolder()
    let writer = try StoreWriter(creating: folder("Live.sqlite"), StoreDescription(model: .notes, usesWAL: true))
    try writer.save(intoMain: false)
    let store = try folder.write(Array(contents(of: folder("Live.sqlite")).prefix(bytes)), to: "Notes.sqlite")
    _ = try folder.write(
      Array(contents(of: folder("Live.sqlite-wal")).prefix(32 + 3 * 4_120 + 900)), to: "Notes.sqlite-wal")
    for command in [["inspect"], ["diagnose"], ["rows"], ["rows", "Note"], ["timeline"], ["recover"]] {
      let outcome = try Program.run([command[0], store] + command.dropFirst())
      let words = (outcome.output + outcome.errors).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(
        words.contains("and its -wal, in which everything may be, cannot be read to its end"), "\(command): \(words)")
    }
    let any = try Program.run(["recover", store, "--any-sqlite"])
    #expect(any.status == (bytes == 0 ? 2 : 0))
    #expect(
      (any.output + any.errors).contains(bytes == 0 ? "cannot be read to its end" : "it ends within a transaction"))
  }

  /// SQLite refuses a main file that asks for more pages than the last commit of its log leaves, and so does the app.
  @Test(.enabled(if: Python.isPresent, "needs python3")) func aHeaderThatAsksForMorePagesThanTheLogLeavesIsSaid() throws
  {
    let folder = try TemporaryFolder()
    let script = """
      import shutil, sqlite3, sys
      store, out = sys.argv[1:]
      shutil.copy(store, out + "/live.sqlite"); db = sqlite3.connect(out + "/live.sqlite")
      db.execute("pragma journal_mode=wal"); db.execute("pragma wal_autocheckpoint=0")
      db.execute("update ZNOTE set ZTITLE = 'a' where Z_PK = 1"); db.commit(); db.execute("pragma wal_checkpoint(truncate)")
      # The same connection does not write page 1 again.
      db.execute("update ZNOTE set ZTITLE = 'b' where Z_PK = 1"); db.commit()
      for side in "", "-wal": shutil.copy(out + "/live.sqlite" + side, out + "/x.sqlite" + side)
      db.close()
      for name in "x", "more":
        data = bytearray(open(out + "/x.sqlite", "rb").read()); data[31] += 8 if name == "more" else 0
        open(f"{out}/{name}.sqlite", "wb").write(data)
        if name == "more": shutil.copy(out + "/x.sqlite-wal", out + "/more.sqlite-wal")
      for name in "x", "more":
        try: print(sqlite3.connect(f"file:{out}/{name}.sqlite?mode=ro", uri=True).execute("pragma quick_check").fetchone()[0])
        except sqlite3.DatabaseError as error: print(error)
      """
    let made = try Program.launch(["python3", "-c", script, Project.path("corpus/Notes.sqlite"), folder.path])
    #expect(made.output == "ok\ndatabase disk image is malformed\n", "\(made.errors)")
    #expect(try Program.run(["diagnose", folder("x.sqlite"), "--no-config"]).output.hasPrefix("healthy"))
    let outcome = try Program.run(["diagnose", folder("more.sqlite"), "--no-config"])
    #expect(outcome.status != 0 && !outcome.output.hasPrefix("healthy"), "\(outcome.output)")
    #expect((outcome.output + outcome.errors).contains("155648"), "\(outcome)")
  }

  @Test func aMainFileWithoutAStoreIsReadFromItsWAL() throws {
    let folder = try TemporaryFolder()
    let origin = try TemporaryFolder()
    let writer = try StoreWriter(creating: origin("Notes.sqlite"), StoreDescription(model: .notes))
    try writer.insert("Note")
    try writer.save(intoMain: false)
    let store = try folder.copyStore(origin("Notes.sqlite"))
    let answer = try Answer(store)
    #expect(answer.rows["Note"] == 1)
    // The WAL is the store's own, but an empty main file cannot prove it.
    #expect(answer.store.wal?.belongsToStore == "unknown")
    #expect(answer.store.wal?.reasons.contains("without it the main file holds no store to compare with") == true)
    let alone = try Program.run(["inspect", store, "--without-wal"])
    #expect(alone.status == 2)
    #expect(alone.errors.hasSuffix("it has no tables; its WAL was left out, and the store may be in there\n"))
  }

  @Test(arguments: ["PASSIVE", "FULL"])
  func aCheckpointedWALThatWasLeftChangesNothing(_ kind: String) throws {
    let folder = try TemporaryFolder()
    let store = try LivingStore(in: folder, committed: 4, inWAL: 100)
    try store.outsideTransaction("PRAGMA wal_checkpoint(\(kind))")
    try store.copy()
    let wal = try #require(try Answer(store.mainPath).store.wal)
    #expect(wal.belongsToStore == "yes")
    #expect(wal.framesNotInMain == 0 && wal.committedFrames > 0)
    #expect(wal.reasons.first == "every page in it is in the main file already, byte for byte")
    for options in [[], ["--without-wal"]] { #expect(try Answer(store.mainPath, options).rows["Note"] == 104) }
  }

  @Test func framesFromBeforeARestartAreNotRead() throws {
    let folder = try TemporaryFolder()
    let store = try LivingStore(in: folder, committed: 4, inWAL: 1000)
    // After a checkpoint the next transaction writes over the beginning; the rest stays with old salts.
    try store.outsideTransaction("PRAGMA wal_checkpoint(RESTART)")
    try store.insert(2)
    try store.writer.save(intoMain: false)
    try store.copy()
    let answer = try Answer(store.mainPath)
    #expect(answer.rows["Note"] == 1006)
    let wal = try #require(answer.store.wal)
    #expect(wal.committedFrames < wal.frames)
    #expect(
      wal.reasons.contains { $0.hasSuffix("left over from before the last checkpoint: not read, as SQLite does") })
    #expect(wal.belongsToStore != "no")
  }

  /// Cuts the WAL within its header, between frames, and within frames.
  @Test func aTornTailIsReadUpToTheLastCommit() throws {
    let folder = try TemporaryFolder()
    let store = try LivingStore(in: folder, committed: 4, inWAL: 3)
    try store.insert(5)
    try store.writer.save(intoMain: false)
    try store.copy()
    let whole = try contents(of: store.mainPath + "-wal")
    let frame = 4096 + 24
    let frames = (whole.count - 32) / frame
    var last: Int64 = 0
    var cuts = [0, 31, 32]
    for start in stride(from: 32, to: 32 + frames * frame, by: frame) {
      cuts += [start + 12, start + 2000, start + frame]
    }
    for length in cuts {
      let isTorn = length > 32 && (length - 32) % frame != 0
      try folder.write(Array(whole[..<length]), to: "Notes.sqlite-wal")
      let answer = try Answer(store.mainPath)
      let rows = try #require(answer.rows["Note"])
      #expect([4, 7, 12].contains(rows) && rows >= last, "\(length) bytes")
      last = rows
      let wal = try #require(answer.store.wal)
      #expect(wal.belongsToStore != "no")
      #expect(wal.reasons.contains { $0.contains("incomplete frame") } == isTorn, "\(length) bytes: \(wal.reasons)")
      #expect(wal.read == (wal.committedFrames > 0))
    }
    #expect(last == 12)
  }

  @Test(arguments: [
    (0, "it is empty (0 bytes), so it changes nothing"),
    (20, "it ends after 20 bytes, within its header, so it changes nothing"),
    (32, "it holds no committed transaction, so it changes nothing"),
  ])
  func aWALWithoutFramesChangesNothing(_ length: Int, _ reason: String) throws {
    let folder = try TemporaryFolder()
    let store = try LivingStore(in: folder)
    let whole = try contents(of: store.mainPath + "-wal")
    try folder.write(Array(whole[..<length]), to: "Notes.sqlite-wal")
    let answer = try Answer(store.mainPath)
    #expect(answer.rows["Note"] == 4)
    #expect(answer.store.wal?.belongsToStore == "unknown")
    #expect(answer.store.wal?.reasons == [reason])
  }

  /// Main file and WAL were copied one after the other while the app went on.
  @Test func filesCopiedAtDifferentTimesAreNeverCalledForeign() throws {
    for seed in 0..<(Program.isLong ? 60 : 6) as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let folder = try TemporaryFolder()
      let store = try LivingStore(in: folder, committed: 20, inWAL: 0, uuid: own)
      for step in 0..<12 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<3: try store.insert(Int.random(in: 1...60, using: &random))
        case 3: try store.writer.database.execute("DELETE FROM ZNOTE WHERE Z_PK % 3 = 0")
        case 4: try store.writeMetadata()
        case 5:
          try store.outsideTransaction(
            "PRAGMA wal_checkpoint(\(["PASSIVE", "RESTART", "TRUNCATE"].randomElement(using: &random) ?? ""))")
        case 6: try store.outsideTransaction("VACUUM")
        default: try store.writer.database.execute("CREATE TABLE ZEXTRA\(step) (a)")
        }
        try store.writer.save(intoMain: false)
        // Copies both files, or only one of them.
        let isConsistent = Int.random(in: 0..<3, using: &random) == 0
        try store.copy(isConsistent ? ["", "-wal"] : (Bool.random(using: &random) ? [""] : ["-wal"]))
        let outcome = try Program.run(["inspect", store.mainPath, "--format", "json"])
        guard outcome.status == 0 else {
          #expect(outcome.status == 2 && !isConsistent, "seed \(seed), step \(step): \(outcome.errors)")
          continue
        }
        let answer = try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8))
        #expect(
          answer.store.wal?.belongsToStore != "no", "seed \(seed), step \(step): \(answer.store.wal?.reasons ?? [])")
        if isConsistent {
          let count = try store.writer.database.prepare("SELECT count(*) FROM ZNOTE")
          _ = try count.step()
          #expect(answer.rows["Note"] == count.int64(0), "seed \(seed), step \(step)")
          #expect(answer.store.wal.map { $0.read || $0.committedFrames == 0 } != false, "seed \(seed), step \(step)")
        }
      }
    }
  }

  @Test func aStoreThatWasTurnedToWALModeKeepsItsWAL() throws {
    let folder = try TemporaryFolder()
    let origin = try makeStore(folder("Origin.sqlite"), usesWAL: false)
    let writer = try Connection(writing: origin, create: false)
    try writer.execute("PRAGMA journal_mode=WAL; UPDATE Z_METADATA SET Z_VERSION = 1; CREATE TABLE ZEXTRA (a)")
    try writer.execute("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) VALUES (50, 2, 1)")
    let answer = try Answer(folder.copyStore(origin, as: "Notes.sqlite"))
    #expect(answer.store.wal?.belongsToStore == "yes")
    #expect(answer.rows["Note"] == 5)
  }

  @Test(.needsSharedData, arguments: Catalogue.realWithLogs.filter { $0.features.contains("wal") })
  func noRealWALIsCalledForeign(_ entry: Catalogue.Entry) throws {
    let wal = try Answer(entry.path).store.wal
    #expect(wal?.belongsToStore != "no")
    #expect(wal?.read == true)
  }

  // MARK: Another store's WAL

  @Test func anotherStoresWALWithItsMetadataPageIsNotRead() throws {
    let pair = try Pair(own, other, writesMetadata: true)
    let answer = try Answer(pair.swapped)
    #expect(answer.store.wal?.belongsToStore == "no")
    #expect(answer.store.wal?.reasons.contains("its metadata page has another UUID than the main file") == true)
    #expect(answer.rows["Note"] == 4)
    #expect(answer.metadata.uuid == own)
    let text = try Program.run(["inspect", pair.swapped]).output
    #expect(
      text.split(whereSeparator: \.isWhitespace).joined(separator: " ").hasPrefix(
        "Core Data store, framework 1344, 3 entities, 5 objects; its WAL belongs to another store and was not read ! "))
  }

  @Test func anotherStoresWALWithoutItsMetadataPageIsUnknown() throws {
    let pair = try Pair(own, other, writesMetadata: false)
    let answer = try Answer(pair.swapped)
    #expect(answer.store.wal?.belongsToStore == "unknown")
    #expect(
      answer.store.wal?.reasons.contains("it does not hold the metadata page, whose UUID would tell more") == true)
  }

  /// Two copies of a store, with the same UUID, were both used further.
  @Test func theWALOfACopyThatWentOnByItselfIsNotItsOwn() throws {
    let pair = try Pair(own, own, writesMetadata: true)
    #expect(try Answer(pair.swapped).store.wal?.belongsToStore != "no")
  }

  @Test func aWALOfAnotherShapeIsNeverItsOwn() throws {
    let (folder, workshop) = (try TemporaryFolder(), try TemporaryFolder())
    let store = try LivingStore(in: folder, committed: 4, inWAL: 0, uuid: own).mainPath
    for (number, rows) in [1, 40, 4000].enumerated() {
      let origin = workshop("Trips\(number).sqlite")
      let writer = try StoreWriter(creating: origin, StoreDescription(model: .trips, uuid: other))
      try writer.insert("Trip", ["code": "first"])
      try writer.save(intoMain: true)
      for row in 0..<rows {
        try writer.insert("Trip", ["code": .text("row \(row)"), "memo": .text(String(repeating: "m", count: 300))])
      }
      try writer.save(intoMain: false)
      try folder.write(contents(of: origin + "-wal"), to: "Notes.sqlite-wal")
      let answer = try Answer(store)
      let wal = try #require(answer.store.wal)
      #expect(wal.belongsToStore != "yes")
      #expect(answer.metadata.uuid == own)
      // Pages that cannot be combined with those of the main file are not read.
      #expect(wal.read == false || wal.belongsToStore == "unknown", "\(rows) rows")
      if !wal.read { #expect(answer.rows["Note"] == 4, "\(rows) rows: \(wal.reasons)") }
    }
  }

  @Test func aWALOfAnotherPageSizeIsNotRead() throws {
    let folder = try TemporaryFolder()
    let store = try LivingStore(in: folder, committed: 4, inWAL: 0, uuid: own).mainPath
    let other = try Connection(writing: folder("other.db"), create: true)
    try other.execute("PRAGMA page_size=1024; PRAGMA journal_mode=WAL; CREATE TABLE t (a)")
    try folder.write(contents(of: folder("other.db-wal")), to: "Notes.sqlite-wal")
    let answer = try Answer(store)
    #expect(answer.store.wal?.belongsToStore == "no")
    #expect(answer.store.wal?.reasons == ["its pages have 1024 bytes, the main file's 4096"])
    #expect(answer.rows["Note"] == 4)
  }

  /// Every real WAL beside every real main file but its own.
  @Test(.needsSharedData) func noRealWALIsTakenForAnotherStores() throws {
    let stores = Catalogue.realWithLogs.filter { $0.features.contains("wal") }
    let folder = try TemporaryFolder()
    for main in stores {
      for wal in Program.isLong ? stores[...] : stores.prefix(4)
      where wal.slug != main.slug && wal.store_uuid != main.store_uuid {
        try folder.write(contents(of: main.path), to: "Main.sqlite")
        try folder.write(contents(of: wal.path + "-wal"), to: "Main.sqlite-wal")
        let outcome = try Program.run(["inspect", folder("Main.sqlite"), "--format", "json"])
        #expect([0, 2].contains(outcome.status))
        guard outcome.status == 0 else { continue }
        let answer = try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8))
        #expect(answer.store.wal?.belongsToStore != "yes", "\(main.slug) with the WAL of \(wal.slug)")
        // If the WAL is not read, the answer is that of the main file.
        if answer.store.wal?.read == false { #expect(answer.metadata.uuid == main.store_uuid) }
      }
    }
  }
}

/// Two stores of one model, the WAL of the second beside the main file of the first.
private struct Pair {
  let folder: TemporaryFolder
  let swapped: String

  init(_ first: String, _ second: String, writesMetadata: Bool) throws {
    folder = try TemporaryFolder()
    let own = try LivingStore(in: folder, as: "Own.sqlite", committed: 4, inWAL: 0, uuid: first, label: "Own")
    let other = try LivingStore(in: folder, as: "Other.sqlite", committed: 7, inWAL: 9, uuid: second, label: "Other")
    if writesMetadata { try other.writeMetadata() }
    try folder.write(contents(of: own.mainPath), to: "Swapped.sqlite")
    try folder.write(contents(of: other.mainPath + "-wal"), to: "Swapped.sqlite-wal")
    swapped = folder("Swapped.sqlite")
  }
}

extension LivingStore {
  /// Writes the metadata page into the WAL, as Core Data does when an app sets metadata, and copies the files.
  fileprivate func writeMetadata() throws {
    // SQLite does not write a row that stays as it is.
    try writer.database.execute("UPDATE Z_METADATA SET Z_UUID = Z_UUID || '0'")
    try writer.database.execute("UPDATE Z_METADATA SET Z_UUID = substr(Z_UUID, 1, 36)")
    try writer.save(intoMain: false)
    try copy()
  }
}
