import StoreDataModel
import Foundation
import StoreSQLite
import StoreGenerator
import TestSupport

extension Model {
  /// Folders with notes, and tags on notes.
  static let notes: Model = {
    do {
      return try Model(entities: [
        Entity(
          name: "Folder",
          properties: [.text("name"), .toMany("notes", "Note", inverse: "folder")]),
        Entity(
          name: "Note",
          properties: [
            .text("title"), .date("created"),
            .toOne("folder", "Folder", inverse: "notes"), .toMany("tags", "Tag", inverse: "notes"),
          ]),
        Entity(name: "Tag", properties: [.text("name"), .toMany("notes", "Note", inverse: "tags")]),
      ])
    } catch { fatalError("\(error)") }
  }()

  /// A model of quite another shape.
  static let trips: Model = {
    do {
      return try Model(
        entities: ["Bus", "City", "Driver", "Hotel", "Leg", "Trip"].map { name in
          Entity(name: name, properties: ["code", "label", "memo"].map(Property.text))
        })
    } catch { fatalError("\(error)") }
  }()
}

extension Property {
  static func text(_ name: String) -> Property {
    Property(name: name, isOptional: true, kind: .attribute(Attribute(type: .string)))
  }

  static func date(_ name: String) -> Property {
    Property(name: name, isOptional: true, kind: .attribute(Attribute(type: .date)))
  }

  static func toOne(_ name: String, _ destination: String, inverse: String) -> Property {
    Property(
      name: name, isOptional: true,
      kind: .relationship(Relationship(destination: destination, inverse: inverse, maximumCount: 1)))
  }

  static func toMany(_ name: String, _ destination: String, inverse: String) -> Property {
    Property(
      name: name, isOptional: true,
      kind: .relationship(Relationship(destination: destination, inverse: inverse, maximumCount: 0)))
  }
}

/// A store of `Model.notes` with two folders, a tag, and as many notes as asked for.
@discardableResult
func makeStore(
  _ path: String, notes: Int = 4, uuid: String = "4F6B2A10-7C1D-4E55-9A53-2D1F0C8E7B01", usesWAL: Bool = true,
  injury: (Connection) throws -> Void = { _ in }
) throws -> String {
  let store = try StoreWriter(
    creating: path, StoreDescription(model: .notes, uuid: uuid, usesWAL: usesWAL))
  let folders = [try store.insert("Folder", ["name": "Home"]), try store.insert("Folder", ["name": "Work"])]
  let tag = try store.insert("Tag", ["name": "urgent"])
  for number in 0..<notes {
    let note = try store.insert("Note", ["title": .text("Note \(number)"), "created": .date(Double(number))])
    try store.link(note, "folder", to: folders[number % 2])
    if number == 0 { try store.link(note, "tags", to: tag) }
  }
  try store.finish()
  // With defensive mode off, as it is in the `sqlite3` shell.
  try injury(Connection(writing: path, create: false))
  return path
}

/// The model cache of the sample store, inflated.
let notesArchive = ModelArchive.archive(.notes)

/// Bytes as SQL writes them.
func hex(_ bytes: [UInt8]) -> String {
  "x'" + bytes.map { String(UInt32($0) + 256, radix: 16).suffix(2) }.joined() + "'"
}

/// A generator that gives the same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
