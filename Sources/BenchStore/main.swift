// Makes the store that `make bench` measures with: notes in folders, with tags.
// swift run -c release bench-store FILE [NOTES] [attachments | small]
//
// A small one has 20 folders and 50 tags in place of 1,000 and 5,000: with 300 notes it is one of the 100 KB stores that
// `bench/audit` has thousands of, each with another number of notes.
//
// With attachments, every fifth note has two of them, in order, and notes have a colour that none has a value for: what
// `bench/repair` mends.

import StoreDataModel
import StoreGenerator
import StorePlatform

let arguments = Array(CommandLine.arguments.dropFirst())
guard let path = arguments.first, let noteCount = Int(arguments.dropFirst().first ?? "1000000"), noteCount > 0 else {
  print("usage: bench-store FILE [NOTES] [attachments | small]")
  exit(64)
}

let hasAttachments = arguments.dropFirst(2).first == "attachments"
let isSmall = arguments.dropFirst(2).first == "small"

let attachments = Entity(
  name: "Attachment", properties: [.attribute("name", .string), .toOne("note", "Note", inverse: "attachments")])

let model = try Model(
  entities: (hasAttachments ? [attachments] : []) + [
    Entity(
      name: "Folder",
      properties: [.attribute("name", .string, optional: false), .toMany("notes", "Note", inverse: "folder")]),
    Entity(
      name: "Note",
      properties: [
        .attribute("title", .string, optional: false), .attribute("body", .string), .attribute("createdAt", .date),
        .attribute("uuid", .uuid), .toOne("folder", "Folder", inverse: "notes"),
        .toMany("tags", "Tag", inverse: "notes"),
      ]
        + (hasAttachments
          ? [.attribute("color", .string), .toMany("attachments", "Attachment", inverse: "note", ordered: true)] : [])),
    Entity(
      name: "Tag",
      properties: [.attribute("name", .string, optional: false), .toMany("notes", "Note", inverse: "tags")]),
  ])

/// SplitMix64: the same numbers on every machine, so that every store of one size is the same.
struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// The text of notes: words of a short list, beyond ASCII too.
struct NoteMaker {
  private var numbers = SeededNumbers(state: 1)
  private static let words = [
    "milk", "meeting", "Zürich", "remember", "the", "a", "draft", "call", "naïve", "tomorrow", "garden", "list",
    "invoice", "of", "train", "to", "idea", "recipe", "東京", "with", "blue", "paper", "second", "window",
  ]

  mutating func values(_ number: Int) -> [String: StoredValue] {
    let uuid = (0..<2).flatMap { _ in withUnsafeBytes(of: numbers.next()) { Array($0) } }
    return [
      "title": .text("Note \(number) \(words(bytes: 12))"),
      "body": .text(words(bytes: Int.random(in: 145...172, using: &numbers))),
      "createdAt": .date(Double(number) * 17.25 + Double.random(in: 0..<17, using: &numbers)),
      "uuid": .blob(uuid),
    ]
  }

  mutating func pick(_ count: Int, of keys: [ObjectKey]) -> Set<ObjectKey> {
    Set((0..<count).map { _ in keys[Int.random(in: keys.indices, using: &numbers)] })
  }

  private mutating func words(bytes: Int) -> String {
    var text = ""
    while text.utf8.count < bytes {
      text += Self.words[Int.random(in: Self.words.indices, using: &numbers)] + " "
    }
    return text
  }
}

let store = try StoreWriter(creating: path, StoreDescription(model: model))
let folders = try (1...(isSmall ? 20 : 1000)).map { try store.insert("Folder", ["name": .text("Folder \($0)")]) }
let tags = try (1...(isSmall ? 50 : 5000)).map { try store.insert("Tag", ["name": .text("Tag \($0)")]) }
var notes = NoteMaker()
for number in 1...noteCount {
  let note = try store.insert("Note", notes.values(number))
  for folder in notes.pick(1, of: folders) { try store.link(note, "folder", to: folder) }
  for tag in notes.pick(number % 2, of: tags) { try store.link(note, "tags", to: tag) }
  if hasAttachments, number.isMultiple(of: 5) {
    for name in ["first", "second"] {
      try store.link(try store.insert("Attachment", ["name": .text(name)]), "note", to: note)
    }
  }
  // Keeps the write-ahead log, which lies beside the store meanwhile, small.
  if number.isMultiple(of: 100_000) { try store.save(intoMain: true) }
}
try store.finish()
