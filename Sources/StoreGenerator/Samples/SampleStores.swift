import StoreCoreData
import StorePropertyLists
import StoreSQLite

/// The project's own stores with objects; always with the same bytes.
package enum SampleStores {
  /// A small notes store: 4 folders, 18 notes of which 3 are checklists, 6 tags, 4 attachments.
  package static func writeNotes(to path: String) throws {
    let store = try StoreWriter(
      creating: path,
      StoreDescription(
        model: try SampleModels.notes(), framework: 1344, keepsHistory: true,
        uuid: "5C0FFEE0-0000-4000-8000-00000000CAFE",
        otherMetadata: ["lastSyncedAt": .date(740_000_000), "syncToken": .string("not for everybody's eyes")],
        usesWAL: false))
    let folders = try writeFolders(store)
    let tags = try ["home", "work", "urgent", "idea", "travel", "recipe"].map { name in
      try store.insert("Tag", ["name": .text(name)])
    }
    for number in 0..<18 {
      let note = try writeNote(number, in: store)
      try store.link(note, "folder", to: folders[number % folders.count])
      for step in 0..<(number % 3) { try store.link(note, "tags", to: tags[(number + step * 2) % tags.count]) }
      guard number % 5 == 0 else { continue }
      let attachment = try store.insert(
        "Attachment", ["fileName": .text("scan-\(number).pdf"), "data": .blob([1] + Array("%PDF-1.4".utf8))])
      try store.link(attachment, "note", to: note)
    }
    try writeHistory(store)
    try store.finish()
  }

  private static func writeFolders(_ store: StoreWriter) throws -> [ObjectKey] {
    let folders = try ["Personal", "Work", "Travel", "Archive"].map { name in
      try store.insert("Folder", ["name": .text(name)])
    }
    try store.link(folders[2], "parent", to: folders[0])
    try store.link(folders[3], "parent", to: folders[1])
    return folders
  }

  private static func writeNote(_ number: Int, in store: StoreWriter) throws -> ObjectKey {
    var values: [String: StoredValue] = [
      "title": .text("Note \(number + 1)"), "body": .text(String(repeating: "words ", count: number + 1)),
      "createdAt": .date(700_000_000 + Double(number) * 86_400.5), "isPinned": .integer(number % 7 == 0 ? 1 : 0),
      "uuid": .blob((0..<16).map { UInt8($0 * 7 + number) }),
    ]
    guard number % 6 == 5 else { return try store.insert("Note", values) }
    values["done"] = .integer(Int64(number % 4))
    values["total"] = .integer(4)
    return try store.insert("Checklist", values)
  }

  /// One transaction that inserted the first note, and the rows of `Z_PRIMARYKEY` that appear with the first record.
  private static func writeHistory(_ store: StoreWriter) throws {
    let (change, transaction, text) = (HistoryTable.change, HistoryTable.transaction, HistoryTable.transactionString)
    let entities = [change, transaction, text].map { "(\($0.entityNumber), '\($0.entityName)', 0, 1)" }
    try store.database.execute(
      """
      INSERT INTO Z_PRIMARYKEY VALUES \(entities.joined(separator: ", "));
      INSERT INTO \(text) VALUES (1, \(text.entityNumber), 1, 'NotesApp');
      INSERT INTO \(transaction) (Z_PK, Z_ENT, Z_OPT, ZBUNDLEIDTS, ZTIMESTAMP)
        VALUES (1, \(transaction.entityNumber), NULL, 1, 700000000.25);
      INSERT INTO \(change) (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
        VALUES (1, \(change.entityNumber), NULL, 0, 4, 1, 1);
      """)
  }

  /// A store with all shapes, and a few objects and links in each.
  package static func writeShapes(to path: String) throws {
    let store = try StoreWriter(
      creating: path,
      StoreDescription(
        model: try SampleModels.shapes(), framework: 1526, uuid: "5C0FFEE0-0000-4000-8000-0000005AABE5",
        usesWAL: false))
    let houses = try (1...3).map { number in
      try store.insert(
        "House",
        ["address": .text("\(number) Elm Street"), "latitude": .real(50 + Double(number)), "longitude": 8.5])
    }
    let cats = try ["Tom", "Minka", "Felix"].map { name in
      try store.insert("Cat", ["name": .text(name), "weight": 4.5])
    }
    let kitten = try store.insert("Kitten", ["name": "Mog", "born": .date(739_000_000)])
    let bird = try store.insert("Bird", ["name": "Polly", "span": 0.3, "weight": 120])
    try store.link(cats[0], "friends", to: cats[1])
    try store.link(cats[2], "friends", to: kitten)
    for cat in cats { try store.link(cat, "home", to: houses[0]) }
    try store.link(kitten, "home", to: houses[1])
    try store.link(houses[0], "neighbours", to: houses[1])
    try store.link(houses[0], "neighbours", to: houses[2])
    try store.link(houses[1], "pet", to: bird)
    for number in 1...4 {
      let room = try store.insert(
        "Room",
        ["name": .text("Room \(number)"), "size.width": 3.5, "size.depth": 4, "size.name": .text("s\(number)")])
      try store.link(houses[number % 2], "rooms", to: room)
    }
    try store.insert(
      "Types",
      [
        "binary": .blob([0, 1, 2]), "boolean": 1, "date": .date(1), "decimal": 12.5, "double": 0.1, "float": 0.5,
        "integer16": -32768, "integer32": 2_147_483_647, "integer64": -9_223_372_036_854_775_807,
        "string": "text", "uri": "x-coredata://a/b/p1", "uuid": .blob(Array(0..<16)),
      ])
    try store.insert("Types")
    try store.finish()
  }
}
