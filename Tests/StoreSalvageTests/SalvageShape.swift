import StoreDataModel
import StoreSQLite
import StoreWriting
import TestSupport

/// The kinds of stores that are damaged and saved.
enum SalvageShape: String, CaseIterable {
  case notes, inheritance, links, largeValues, history

  /// Writes a store of this shape, of some 60 to 200 pages.
  func make(at path: String, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try StoreWriter(
      creating: path, StoreDescription(model: model(), keepsHistory: self == .history, usesWAL: false))
    let text = { (random: inout SeededGenerator, count: Int) -> StoredValue in
      .text((0..<count).map { _ in Self.words[Int(random.next() % 8)] }.joined(separator: " "))
    }
    let kinds = self == .inheritance ? ["Note", "Task", "Memo"] : ["Note"]
    let tags = try (0..<30).map { try store.insert("Tag", ["name": .text("tag \($0)")]) }
    var notes: [ObjectKey] = []
    for number in 0..<400 {
      let size = self == .largeValues ? Int(random.next() % 12_000) : 60
      let note = try store.insert(
        kinds[number % kinds.count],
        [
          "title": text(&random, 3), "body": text(&random, Int(random.next() % (self == .largeValues ? 900 : 40))),
          "stars": .integer(Int64(random.next() % 1000)), "created": .date(Double(random.next() % 1_000_000) + 0.5),
          "data": .blob((0..<size).map { _ in UInt8(truncatingIfNeeded: random.next() >> 7) | 1 }),
        ])
      notes.append(note)
    }
    for (number, note) in notes.enumerated() where self == .links || number % 4 == 0 {
      for step in 0..<(self == .links ? 4 : 1) { try store.link(note, "tags", to: tags[(number + 7 * step) % 30]) }
      if number > 0 { try store.link(note, "parent", to: notes[number / 2]) }
    }
    if self == .history {
      for number in 0..<300 {
        try store.database.execute(
          "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (\(number + 1), 16002, NULL, \(number).25);"
            + "INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) "
            + "VALUES (\(number + 1), 16001, NULL, 0, 1, \(number + 1), \(number + 1))")
      }
    }
    // Deleted rows and free pages, whose bytes stay.
    try store.database.execute("DELETE FROM ZNOTE WHERE Z_PK BETWEEN 100 AND 160 OR Z_PK % 17 = 0")
    try store.finish()
  }

  private func model() throws -> Model {
    let note =
      "title String?; body String?; stars I64?; created Date?; data Binary?; parent ->Note?~children; "
      + "children ->>Note?~parent; tags ->>Tag?~notes\(self == .links ? " ordered" : "")"
    let subentities = self == .inheritance ? ["Task<Note: done Bool?", "Memo<Note: place String?"] : []
    return try ModelNotation.model(["Note: " + note, "Tag: name String?; notes ->>Note?~tags"] + subentities)
  }

  private static let words = ["alpha", "bravo", "carbon", "delta", "ember", "falcon", "größe", "日本"]
}
