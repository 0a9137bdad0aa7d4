import StoreFindings
import StoreScanning
import StoreText
import StoreWords
import StoreCoreData
import StoreSQLite

extension Check {
  static let suspectedRecreation = Check(
    .suspectedRecreation, "suspected-recreation", .warning, traits: [.origin],
    summary: "Several signs together say that the store was made anew, or put together from two.",
    explanation: """
      ## What it looks for
      Signs, none of which means much alone. In the file: `Z_MAX` equals the number of rows in every table, as if nothing
      had ever been deleted; the change counter is low; pages are free. Around it and in its history: files that a
      migration left behind (`.migrationdestination`); copies beside the store that are called corrupt, broken, old or
      backup; history that names another store's UUID, or keys higher than any that was handed out. Three signs, one of
      them of the second kind, make a finding.

      ## Why it matters
      Many apps answer an error on opening by moving the store away and starting with an empty one. What the user misses
      is then not in this store, and no repair of it brings that back.

      ## Example
      `Notes.sqlite` has 12 notes with the keys 1 to 12 and a change counter of 4, and beside it lies
      `Notes.sqlite.corrupt-2024-05-01`.

      ## What can be done
      Do not launch the app again before all files are copied. Diagnose the copies beside the store: the older one may
      open, and its objects can be brought over. History tokens of the former store are refused with 134501.
      """
  ) { check, scan in
    let tables = scan.objectTables()
    let history = HistoryClaims.visiting(scan)
    return {
      let inside = signsInside(scan.store, tables: tables)
      let around = signsAround(scan) + (history?.signs(scan.store) ?? [])
      guard !around.isEmpty, inside.count + around.count >= 3 else { return [] }
      return [check.finding(nil, message: (around + inside).joined(separator: "; "), blocks: [134501], basis: .assumed)]
    }
  }
}

// MARK: In the file

/// A counter above this shows that the file was in use for some time: real stores of any age have 10 to 700, fresh
/// ones 2 to 8. In WAL mode it counts checkpoints.
private let lowChangeCounter: UInt32 = 16

private func signsInside(_ store: Store, tables: [ObjectTable]) -> [String] {
  let used = tables.filter { !$0.table.allKeys.isEmpty || (store.entityMap[$0.root.id]?.highWater ?? 0) > 0 }
  let nothingDeleted = used.allSatisfy { store.entityMap[$0.root.id]?.highWater == Int64($0.table.allKeys.count) }
  let counter = store.header.changeCounter
  return [
    (!used.isEmpty && nothingDeleted, "nothing was ever deleted"),
    (counter <= lowChangeCounter, "the change counter is \(counter)"),
    (
      store.header.freelistCount > 0,
      "\(counted(Int64(store.header.freelistCount), "page")) \(store.header.freelistCount == 1 ? "is" : "are") free"
    ),
  ].filter(\.0).map(\.1)
}

// MARK: Around it

private func signsAround(_ scan: Scan) -> [String] {
  let stem = String(decoding: scan.store.stem, as: UTF8.self)
  guard let names = scan.store.namesLikeItsOwn() else {
    scan.skip("the folder of the store cannot be listed")
    return []
  }
  let siblings = names.map { String(decoding: $0, as: UTF8.self) }
  return [
    (siblings.filter { wordsAfter(stem, in: $0).contains("migrationdestination") }, "was left by a migration"),
    (siblings.filter { isSetAside($0, stem: stem) }, "looks like a copy that was set aside"),
  ].compactMap { names, words in
    names.min(by: codeUnitsPrecede).map { first in
      let more = names.count > 1 ? " (and \(names.count - 1) more)" : ""
      return "\(quoted(first))\(more) \(words)"
    }
  }
}

/// Whether the part of a file name after the store's own name says that the file was set aside.
private func isSetAside(_ name: String, stem: String) -> Bool {
  wordsAfter(stem, in: name).contains { word in setAsideWords.contains { word.hasPrefix($0) } }
}

/// The words after the store's name, with or without a dot before it; none if it is another name, such as
/// `Notesbook.sqlite`.
private func wordsAfter(_ stem: String, in name: String) -> [String] {
  let visible = name.hasPrefix(".") ? name.dropFirst() : name[...]
  guard !stem.isEmpty, visible.hasPrefix(stem) else { return [] }
  let rest = visible.dropFirst(stem.count)
  guard rest.first.map({ !$0.isLetter && !$0.isNumber }) == true else { return [] }
  return rest.lowercased().split { !$0.isLetter }.map(String.init)
}

private let setAsideWords = ["corrupt", "quarantine", "damaged", "broken", "unreadable", "backup", "bak", "old"]

// MARK: In its history

/// Collects facts in the history that contradict this store.
private final class HistoryClaims: RowVisitor {
  /// Changes of rows whose key was never handed out.
  private var unknownKeys: Int64 = 0
  private let highWater: [Int64: Int64]
  private let indexes: [Int]
  private let texts: HistoryTexts?

  private init(_ scan: Scan, indexes: [Int], texts: HistoryTexts?) {
    let map = scan.store.entityMap
    highWater = Dictionary(
      map.rows.filter { !$0.id.isInternal }.map { ($0.id.number, map[map.root(of: $0.id)]?.highWater ?? 0) }
    ) { first, _ in first }
    self.indexes = indexes
    self.texts = texts
  }

  /// Registers the history for reading; nil if the store keeps none.
  static func visiting(_ scan: Scan) -> HistoryClaims? {
    guard scan.store.shape.table(.change) != nil, let changes = scan.table(HistoryTable.change.rawValue)
    else { return nil }
    let hasTexts = scan.store.shape.table(.transactionString) != nil
    let texts = hasTexts ? scan.table(HistoryTable.transactionString.rawValue) : nil
    let visitor = texts.map { scan.visit($0, entities: nil, columns: ["ZNAME"]) { HistoryTexts(index: $0[0]) } }
    return scan.visit(changes, entities: nil, columns: ["ZENTITY", "ZENTITYPK"]) {
      HistoryClaims(scan, indexes: $0, texts: visitor)
    }
  }

  private init(like other: HistoryClaims) {
    (highWater, indexes, texts) = (other.highWater, other.indexes, other.texts)
  }

  override func forLaterRows() -> RowVisitor? { HistoryClaims(like: self) }

  override func add(_ later: RowVisitor) { unknownKeys += (later as? HistoryClaims)?.unknownKeys ?? 0 }

  override func visit(_ row: Row) {
    guard let entity = row.integer(indexes[0]), let key = row.integer(indexes[1]), let most = highWater[entity] else {
      return
    }
    if key > most { unknownKeys += 1 }
  }

  func signs(_ store: Store) -> [String] {
    let foreign = (texts?.stores ?? []).subtracting([store.metadata.uuid?.uppercased() ?? ""])
    return [
      (
        unknownKeys > 0,
        "history names \(counted(unknownKeys, "key")) that \(unknownKeys == 1 ? "was" : "were") never handed out"
      ),
      (store.metadata.uuid != nil && !foreign.isEmpty, "history names another store's UUID"),
    ].filter(\.0).map(\.1)
  }
}

/// The UUIDs of stores named in the texts of history: `x-coredata://UUID/…`.
private final class HistoryTexts: RowVisitor {
  private(set) var stores: Set<String> = []
  private let index: Int

  init(index: Int) { self.index = index }

  override func visit(_ row: Row) {
    let value = row[index]
    guard stores.count < 100, value.kind == .text else { return }
    value.withBytes { bytes in
      guard let start = bytes.firstRange(ofBytes: Array("x-coredata://".utf8))?.upperBound, bytes.count - start >= 36
      else {
        return
      }
      let text = String(decoding: bytes[start..<start + 36], as: UTF8.self).uppercased()
      if ExternalFileName(Array(text.utf8)) != nil { stores.insert(text) }
    }
  }
}
