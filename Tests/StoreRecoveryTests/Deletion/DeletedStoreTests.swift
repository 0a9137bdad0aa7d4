import Foundation
import StoreDataModel
import StoreSQLite
import TestSupport
import Testing

@testable import StoreRecovery

/// Stores made for deletion: what is still in the files, by looking for its bytes, against what is found.
@Suite struct DeletedStoreTests {
  /// What became of the deleted rows of some stores.
  struct Tally {
    var deleted = 0
    /// The cell is in the files in one piece, but for the four bytes that freeing overwrites.
    var present = 0
    var found = 0
    var withKey = 0
    /// Results that are like no row that ever was: the rest of one, with bytes of another written over its end, of which
    /// nothing in the page tells.
    var mixed = 0
    /// Results whose entity is not known, since numbers of two versions fit.
    var unknown = 0
    /// Long rows whose overflow pages are in the files too.
    var presentWhole = 0
    var foundWhole = 0
    /// Results that a transaction which was taken back has inserted, and nothing else.
    var takenBack = 0
    /// Results with a value that their row never had in that column.
    var wrong = 0

    static func += (sum: inout Self, part: Self) {
      sum.deleted += part.deleted
      sum.present += part.present
      sum.found += part.found
      sum.mixed += part.mixed
      sum.unknown += part.unknown
      sum.withKey += part.withKey
      sum.presentWhole += part.presentWhole
      sum.foundWhole += part.foundWhole
      sum.takenBack += part.takenBack
      sum.wrong += part.wrong
    }

    var text: String {
      "\(deleted)  \(present)  \(found)  \(withKey)  \(presentWhole)  \(foundWhole)  \(mixed)  \(unknown)  \(takenBack)  \(wrong)"
    }
  }

  @Test func findsWhatIsStillThereAndNothingThatIsLive() throws {
    var byPattern: [String: Tally] = [:]
    var (all, unaided) = (Tally(), Tally())
    let kept: [UInt64] = [
      15, 16, 17, 18, 19, 60, 63, 99, 102, 114, 153, 159, 224, 231, 258, 282, 429, 444, 462, 561, 633,
    ]
    for seed in LongRuns.seeds(15, whole: 900, kept: kept) {
      let store = try DeletedStore(DeletionPlan(seed: seed))
      let tally = try check(store, knowing: store.plan.migrates ? [("before", DeletedStore.model())] : [])
      // Without the model of before only what is left of it tells of it.
      if store.plan.migrates { unaided += try check(store, knowing: []) }
      byPattern["\(store.plan.pattern), \(store.plan.wiping)", default: Tally()] += tally
      all += tally
    }
    print(
      "deleted rows  all  in one piece  found  with key  with overflow  found whole  mixed  entity unknown  taken back  wrong"
    )
    for (name, tally) in byPattern.sorted(by: { $0.key < $1.key }) { print("\(name)  \(tally.text)") }
    print("all  \(all.text)")
    print("after a migration, without the model of before  \(unaided.text)")
    #expect(Double(unaided.found) >= 0.7 * Double(unaided.present))
    #expect(unaided.mixed == 0)
    // A photo's data that holds what looks like other rows may be read as one: one in 2,000 at most, and none by default.
    #expect((all.wrong + unaided.wrong) * 2_000 <= all.found + unaided.found)
    #expect(Double(all.found) >= 0.99 * Double(all.present))
    #expect(Double(all.foundWhole) >= 0.99 * Double(all.presentWhole))
    #expect(all.present > all.deleted / 4)
    #expect(all.takenBack > 0)
    // One in 1,000 at most, and none in as few as are found by default.
    #expect(all.mixed * 1_000 <= all.found)
  }

  private func check(_ store: DeletedStore, knowing models: [(name: String, model: Model)]) throws -> Tally {
    let recovery = try recover(PosixPath(store.path), log: nil, formerModels: models)
    let rows = Dictionary(uniqueKeysWithValues: store.rows.map { ($0.uuid, $0) })
    var found: [[UInt8]: [RecoveredRow]] = [:]
    var (mixed, unknown, takenBack, wrong) = (0, 0, 0, 0)
    // Results whose UUID is in overflow pages that are in use again, or was written over.
    var nameless: [RecoveredRow] = []
    for result in recovery.rows {
      guard case .blob(let uuid)? = result.values.first(where: { $0.column == "ZUUID" })?.value else {
        checkWithoutUUID(result, store)
        if !result.values.isEmpty { nameless.append(result) }
        continue
      }
      guard let row = rows[uuid] else {
        print("\(store.plan): no row was like \(Self.words(result))")
        mixed += 1
        continue
      }
      if row.isTakenBack {
        checkTakenBack(result, row, store)
        takenBack += 1
        continue
      }
      found[uuid, default: []].append(result)
      let strange = strangeValues(of: result, row, store)
      if !strange.isEmpty {
        print("\(store.plan): \(row.object): \(strange) of \(Self.words(result))")
        wrong += 1
      }
      #expect(
        result.entity == row.object.entity || store.plan.migrates && result.entity == nil,
        "\(store.plan): \(row.object): \(Self.words(result))")
      unknown += result.entity == nil ? 1 : 0
      #expect(result.key == nil || result.key == row.object.key, "\(store.plan): \(row.object): \(Self.words(result))")
      if let live = store.live[uuid] {
        #expect(
          result.kind == .earlierVersion || isTakenBack(result), "\(store.plan): live: \(Self.words(result))")
        // What is not the same may be among values of which no version that is known tells the columns.
        let isLeftOut = store.plan.renames && !result.missing.isEmpty && result.readWith?.contains("left out") == true
        #expect(
          result.values.contains { live[$0.column] != $0.value } || isLeftOut,
          "\(store.plan): as it is: \(Self.words(result))")
      }
    }
    for (uuid, all) in found where store.live[uuid] == nil {
      let results = all.filter { !isTakenBack($0) }
      guard !results.isEmpty else { continue }
      #expect(
        results.count { $0.kind == ($0.key == nil ? .undecided : .deleted) } == 1,
        "\(store.plan): one object, one deletion: \(results.map(Self.words))")
    }
    checkCeilings(recovery, of: store)
    var tally = try tally(store, found, nameless, isTold: !models.isEmpty)
    (tally.mixed, tally.unknown, tally.takenBack, tally.wrong) = (mixed, unknown, takenBack, wrong)
    return tally
  }

  /// The columns in which a result has a value that its row never had there. Titles and links change while a row lives, and
  /// a migration gives its entity another number.
  private func strangeValues(of result: RecoveredRow, _ row: DeletedStore.Row, _ store: DeletedStore) -> [String] {
    let known = row.last ?? store.live[row.uuid] ?? [:]
    return result.values.filter { value in
      !["Z_PK", "Z_ENT", "Z_OPT", "ZTITLE"].contains(value.column) && !value.value.isNull
        && (known[value.column] ?? row.former[value.column]) != value.value
    }.map(\.column)
  }

  /// Whether a result is a change that was taken back; then it says so.
  private func isTakenBack(_ result: RecoveredRow) -> Bool {
    guard case .text(let title)? = result.values.first(where: { $0.column == "ZTITLE" })?.value,
      title.starts(with: "taken back".utf8)
    else { return false }
    #expect(isNotCalledProved(result), "\(Self.words(result))")
    return true
  }

  /// Whether a result that was never committed is called so, or is in frames of which it is not known; or in a free page of the
  /// main file. The content of those a rollback journal does not keep, so that what was written into them stays, and nothing tells it from what was deleted.
  private func isNotCalledProved(_ result: RecoveredRow) -> Bool {
    [.neverCommitted, .unreachable].contains(result.kind)
      || result.grade == .shown && result.places.allSatisfy { $0.file == "main" }
  }

  /// A row that was never committed was never in the database. Of its frames a later commit may have written over the first
  /// ones; what is left then looks like frames behind a damaged one, of which it is not known what became.
  private func checkTakenBack(_ result: RecoveredRow, _ row: DeletedStore.Row, _ store: DeletedStore) {
    #expect(result.entity == row.object.entity, "\(store.plan): \(row.object): \(Self.words(result))")
    #expect(result.key == nil || result.key == row.object.key, "\(store.plan): \(row.object): \(Self.words(result))")
    #expect(isNotCalledProved(result), "\(store.plan): taken back: \(row.object): \(Self.words(result))")
  }

  /// No more objects are called gone than keys were handed out and are not in use, and of an object versions ascend.
  private func checkCeilings(_ recovery: Recovery, of store: DeletedStore) {
    let objects = recovery.objects
    for table in recovery.summary {
      guard let ever = table.ever else { continue }
      let gone = objects.count { object in
        [.deleted, .implied].contains(object.fate) && recovery.rows[object.rows[0]].table == table.table
      }
      #expect(Int64(gone) <= max(0, ever - table.live), "\(store.plan): \(table)")
    }
    for object in objects {
      let inserted = object.rows.contains { recovery.rows[$0].kind == .neverCommitted && recovery.rows[$0].saves == 1 }
      #expect(!inserted || object.rows.count == 1, "\(store.plan): \(object)")
    }
    for object in objects where object.rows.count > 1 {
      let saves = object.rows.compactMap { recovery.rows[$0].saves }
      #expect(saves == saves.sorted(), "\(store.plan): \(object)")
      #expect(object.rows.count { recovery.rows[$0].kind == .deleted } <= 1, "\(store.plan): \(object)")
    }
  }

  /// A result whose UUID is lost, as all of its values may be.
  private func checkWithoutUUID(_ result: RecoveredRow, _ store: DeletedStore) {
    // Read once: they are read in the files whenever they are asked for.
    let values = result.values
    // Its key is lost too: what is left belongs to an object of the table.
    if result.key == nil, result.grade == .shown {
      #expect(
        !store.live.values.contains { live in values.allSatisfy { live[$0.column] == $0.value } },
        "\(store.plan): live: \(Self.words(result))")
      let isOfSome = store.rows.contains { row in
        let state = row.last ?? store.live[row.uuid]
        return row.table == result.table
          // Which version it is stays open: what no version changes has to fit.
          && values.allSatisfy { value in
            !["Z_ENT", "ZCREATEDAT"].contains(value.column) || state?[value.column] == value.value
              || store.plan.migrates && value.column == "Z_ENT"
          }
      }
      #expect(isOfSome && !result.missing.isEmpty, "\(store.plan): \(Self.words(result))")
      return
    }
    let isTakenBack = result.kind == .neverCommitted
    // A change that was taken back, of an object that was there: its overflow pages with the UUID are lost.
    if isTakenBack, (result.saves ?? 2) > 1 {
      #expect(
        store.rows.contains { $0.table == result.table && $0.object.key == result.key && !$0.isTakenBack },
        "\(store.plan): \(Self.words(result))")
      return
    }
    guard
      let row = store.rows.first(where: {
        $0.table == result.table && $0.object.key == result.key && $0.isTakenBack == isTakenBack
      })
    else {
      // Keys below the first were never given.
      let first = store.rows.filter { $0.table == result.table }.map(\.object.key).min() ?? 0
      let isUnused = result.key.map { store.unusedKeys[result.table ?? ""]?.contains($0) == true } ?? false
      #expect(
        result.grade == .implied && (result.key ?? .max < first || isUnused), "\(store.plan): \(Self.words(result))")
      return
    }
    let current = row.last ?? store.live[row.uuid]
    let isCurrent = values.allSatisfy { current?[$0.column] == $0.value }
    // Of an object that is gone the last version that is left is the deleted one.
    #expect(
      isCurrent == (result.kind == .deleted) || row.last != nil || store.plan.migrates,
      "\(store.plan): \(Self.words(result))")
    #expect(
      row.last != nil || result.kind == .earlierVersion, "\(store.plan): \(Self.words(result))")
    if result.grade != .implied { #expect(result.entity == row.object.entity) }
  }

  /// What a failure has to say of a result.
  private static func words(_ row: RecoveredRow) -> String {
    let source = row.keySource.map { " by \($0)" } ?? ""
    let values = row.values.map { "\($0.column) = \("\($0.value)".prefix(24))" }.joined(separator: ", ")
    let places = row.places.map {
      "\($0.file) page \($0.page) frame \($0.frame ?? -1) bytes \($0.start)-\($0.end) \($0.method)"
    }
    return "\(row.entity ?? "?") \(row.key ?? -1)\(source), \(row.kind), \(row.grade), \(row.readWith ?? "today"): "
      + "\(values); missing \(row.missing); \(places)"
  }

  private func tally(
    _ store: DeletedStore, _ found: [[UInt8]: [RecoveredRow]], _ nameless: [RecoveredRow], isTold: Bool
  ) throws -> Tally {
    let files = try ["", "-wal"].map { store.path + $0 }.filter { FileManager.default.fileExists(atPath: $0) }
      .map { Haystack(try contents(of: $0)) }
    let isThere = { (bytes: [UInt8]) in files.contains { $0.place(of: bytes) != nil } }
    var tally = Tally()
    for row in store.rows {
      guard let last = row.last, let bytes = row.bytes else { continue }
      tally.deleted += 1
      guard isThere(bytes.rest) else { continue }
      // The columns that its table had are nowhere in the files.
      if let former = row.formerTable, !isTold, !isThere(former) { continue }
      tally.present += 1
      // Of a row whose overflow pages are gone the cell alone is found, by what is in it.
      let others = bytes.pieces.allSatisfy(isThere) ? [] : nameless.filter { isCell($0, of: row) }
      let same = (found[row.uuid] ?? others).filter { result in
        result.kind == (result.key == nil ? .undecided : .deleted)
          && result.values.allSatisfy { $0.column == "Z_PK" || last[$0.column] ?? .null == $0.value }
      }
      if same.isEmpty {
        print(
          "\(store.plan): missing \(row.object) \(row.bytes?.rest.count ?? 0) bytes at \(files.map { $0.place(of: bytes.rest) ?? -1 }), \((found[row.uuid] ?? []).map(Self.words))"
        )
      }
      tally.found += same.isEmpty ? 0 : 1
      tally.withKey += same.contains { $0.key == row.object.key } ? 1 : 0
      guard !bytes.pieces.isEmpty, bytes.pieces.allSatisfy(isThere) else { continue }
      tally.presentWhole += 1
      // Of two versions that may have written it numbers and links are left out, and nothing of its overflow pages.
      let isWhole = same.contains { result in
        let leftOut = result.readWith?.contains("left out") == true ? ["rating", "folder", "width"] : []
        return Set(result.missing).isSubset(of: leftOut + ["Z_PK"])
      }
      if !isWhole { print("\(store.plan): not whole \(row.object), \(same.map(Self.words))") }
      tally.foundWhole += isWhole ? 1 : 0
    }
    return tally
  }

  /// Whether a result without UUID is of a row: no two have the same date, title or text.
  private func isCell(_ result: RecoveredRow, of row: DeletedStore.Row) -> Bool {
    result.table == row.table && (result.key == nil || result.key == row.object.key)
      && result.values.contains { value in
        ["ZCREATEDAT", "ZTITLE", "ZTEXT"].contains(value.column) && !value.value.isNull
          && row.last?[value.column] == value.value
      }
  }

  /// Where the bytes are wiped, history has the entity, the key and the time; without it a gap shows each key.
  @Test(arguments: [DeletionPlan.Wiping.fast, .on], [true, false])
  func singleRowsAreProvedByHistoryOrShownByGaps(_ wiping: DeletionPlan.Wiping, _ keepsHistory: Bool) throws {
    for seed in LongRuns.seeds(2, whole: 60) {
      var plan = DeletionPlan(seed: seed)
      (plan.pattern, plan.wiping, plan.keepsHistory) = (.single, wiping, keepsHistory)
      let store = try DeletedStore(plan)
      let recovery = try recover(PosixPath(store.path))
      let results = Dictionary(grouping: recovery.rows.filter { $0.kind == .deleted }) {
        "\($0.table ?? "") \($0.key ?? 0)"
      }
      var count = 0
      for row in store.rows where row.last != nil {
        count += 1
        let same = results["\(row.table) \(row.object.key)"] ?? []
        #expect(same.count == 1, "\(plan): \(row.object)")
        guard let result = same.first else { continue }
        if keepsHistory {
          #expect(result.grade == .proved && result.entity == row.object.entity, "\(plan)")
          #expect(result.witnesses.contains { $0.shows == .absent && $0.time == row.time }, "\(plan)")
        } else if plan.journal != .logKept {
          #expect(result.grade == .implied || !result.values.isEmpty, "\(plan)")
        }
      }
      #expect(count > 20)
    }
  }
}

/// The bytes of a file, to look for others in them.
private struct Haystack {
  let bytes: [UInt8]
  private var counts = [Int](repeating: 0, count: 256)

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    bytes.withUnsafeBytes { for byte in $0 { counts[Int(byte)] += 1 } }
  }

  /// Where they have `part`, which is looked for by its rarest byte; nil where they have it not.
  func place(of part: [UInt8]) -> Int? {
    guard let rarest = part.indices.min(by: { counts[Int(part[$0])] < counts[Int(part[$1])] }) else { return 0 }
    return bytes.withUnsafeBytes { all in
      part.withUnsafeBytes { part in
        guard let start = all.baseAddress, let wanted = part.baseAddress else { return nil }
        var position = rarest
        while position < all.count, let next = memchr(start + position, Int32(part[rarest]), all.count - position) {
          let first = UnsafeRawPointer(next) - start - rarest
          if first + part.count <= all.count, memcmp(start + first, wanted, part.count) == 0 { return first }
          position = first + rarest + 1
        }
        return nil
      }
    }
  }
}
