import Foundation
import StoreSQLite
import StoreGenerator
import TestSupport
import Testing

/// A store as a killed app leaves it: committed transactions may still be in its WAL.
///
/// It is written in a folder of its own, kept open, and copied with its side files on request.
final class LivingStore {
  let mainPath: String
  let writer: StoreWriter
  private let workshop: TemporaryFolder
  private let origin: String
  private let place: TemporaryFolder
  private let folders: [ObjectKey]
  private var notes = 0

  /// A store with `committed` notes in its main file and `inWAL` more in its WAL, copied into `folder`.
  init(
    in folder: TemporaryFolder, as name: String = "Notes.sqlite", committed: Int = 4, inWAL: Int = 3,
    uuid: String = "4F6B2A10-7C1D-4E55-9A53-2D1F0C8E7B01", label: String = "Note"
  ) throws {
    place = folder
    workshop = try TemporaryFolder()
    origin = workshop("Origin.sqlite")
    mainPath = folder(name)
    writer = try StoreWriter(creating: origin, StoreDescription(model: .notes, uuid: uuid))
    folders = [try writer.insert("Folder", ["name": "Home"])]
    try writer.database.execute("COMMIT; PRAGMA wal_autocheckpoint=0; BEGIN")
    try insert(committed, label)
    try writer.save(intoMain: true)
    if inWAL > 0 {
      try insert(inWAL, label)
      try writer.save(intoMain: false)
    }
    try copy()
  }

  /// Inserts notes with titles of 200 characters, so that they soon need pages of their own.
  func insert(_ count: Int, _ label: String = "Note") throws {
    for _ in 0..<count {
      notes += 1
      let title = "\(label) \(notes) " + String(repeating: "x", count: 200)
      try writer.link(writer.insert("Note", ["title": .text(title)]), "folder", to: folders[0])
    }
  }

  /// Copies the files as they are now to where the test looks at them.
  func copy(_ suffixes: [String] = ["", "-wal"]) throws {
    for suffix in suffixes {
      try? FileManager.default.removeItem(atPath: mainPath + suffix)
      guard FileManager.default.fileExists(atPath: origin + suffix) else { continue }
      try FileManager.default.copyItem(atPath: origin + suffix, toPath: mainPath + suffix)
    }
  }

  /// Runs SQL outside of the transaction that is always open.
  func outsideTransaction(_ sql: String) throws {
    try writer.database.execute("COMMIT")
    try writer.database.execute(sql)
    try writer.database.execute("BEGIN")
  }
}

/// What `inspect --format json` says, as far as the tests here need it.
struct Answer: Decodable {
  struct Store: Decodable {
    struct WAL: Decodable {
      var belongsToStore: String
      var read: Bool
      var reasons: [String]
      var committedFrames: Int
      var frames: Int
      var framesNotInMain: Int
    }

    struct Journal: Decodable { var pagesRestored: Int }

    var wal: WAL?
    var hotJournal: Journal?
    var accessTimesKept: Bool
  }

  struct Entity: Decodable {
    var name: String
    var number: Int64
    var rows: Int64?
    var highWater: Int64?
    var parent: String?
  }

  struct Unexplained: Decodable {
    var table: String?
    var column: String?
    var why: String
  }

  struct Metadata: Decodable {
    var uuid: String?
    var frameworkVersion: Int64?
  }

  struct Model: Decodable { var source: String }

  struct JoinTable: Decodable {
    var name: String
    var rows: Int64?
  }

  var store: Store
  var metadata: Metadata
  var model: Model
  var entities: [Entity]
  var joinTables: [JoinTable]
  var unexplained: [Unexplained]
  var problems: [String]

  /// Rows by entity.
  var rows: [String: Int64] {
    Dictionary(entities.compactMap { entity in entity.rows.map { (entity.name, $0) } }) { first, _ in first }
  }

  /// Runs the program, which must succeed.
  init(_ path: String, _ options: [String] = [], as user: User = .current) throws {
    let outcome = try Program.run(["inspect", path, "--format", "json"] + options, as: user)
    try #require(outcome.status == 0, "\(outcome.errors)")
    try #require(outcome.errors == "")
    self = try JSONDecoder().decode(Self.self, from: Data(outcome.output.utf8))
  }
}
