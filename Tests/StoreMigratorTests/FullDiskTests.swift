import Foundation
import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreGenerator
import StorePublishing
import StoreSQLite
import Synchronization
import TestSupport
import Testing

@testable import StoreMigrator

/// Whatever call of `migrate` meets a full disk: the store is as it was, and the target is not there, or is whole.
@Suite struct FullDiskTests {
  /// Calls of the file system, each in its turn; an old target that --force replaces may be gone, and is never a part.
  @Test(arguments: [false, true]) func everyCallOfTheFileSystem(_ replaces: Bool) throws {
    // The first run counts the calls: none has that number.
    let (undisturbed, calls) = try migrated(replaces, failing: .max)
    #expect(undisturbed == .whole && calls > 8)
    var states: [State] = []
    for call in 0..<calls { states.append(try migrated(replaces, failing: call).state) }
    #expect(states.first == (replaces ? .old : .absent))
    #expect(states.contains(.absent))
    #expect(replaces || !states.contains(.old))
  }

  private func migrated(_ replaces: Bool, failing call: Int) throws -> (state: State, calls: Int) {
    let count = Counter()
    let state = try migrated(
      replaces, files: FileActions(vfs: nil) { _ in count.next() == call ? ENOSPC : nil })
    return (state, count.value.withLock { $0 })
  }

  /// Writes of SQLite: the n-th and all after it, as on a disk that stays full.
  @Test func everyWriteOfSQLite() throws {
    var states: [State] = []
    var hasFired = true
    while hasFired, states.count < 10_000 {
      let vfs = try FaultVFS(failing: states.count + 1, of: [.write, .truncate], with: 13, lasting: true)
      states.append(try migrated(false, files: FileActions(vfs: vfs.name) { _ in nil }))
      hasFired = vfs.hasFired
    }
    #expect(states.count > 10 && states.last == .whole)
    #expect(states.dropLast().allSatisfy { $0 == .absent })
  }

  private enum State { case absent, old, whole }

  /// What becomes of the target of a store with rows in its log and a file of external data.
  private func migrated(_ replaces: Bool, files: FileActions) throws -> State {
    let (folder, elsewhere) = (try TemporaryFolder.inMemory(), try TemporaryFolder.inMemory())
    let path = folder("Notes.sqlite")
    try Self.write(to: path)
    try FileManager.default.createDirectory(
      atPath: folder(".Notes_SUPPORT/_EXTERNAL_DATA"), withIntermediateDirectories: true)
    try folder.write([1, 2, 3], to: ".Notes_SUPPORT/_EXTERNAL_DATA/0308CA1C-D76C-4F97-8631-28E8EFF6F510")
    if replaces { try elsewhere.write([7], to: "New.sqlite") }
    let before = try self.files(in: folder)
    let versions = [
      try modelSource(("old", Self.model(isNew: false))), try modelSource(("new", Self.model(isNew: true))),
    ]
    let target = elsewhere("New.sqlite")
    var isDone = true
    do {
      let run = MigrationRun(CandidateOptions(models: versions), allowsAssumed: true, now: 700_000_000)
      _ = try migrate(
        Store(path: path), to: OutputTarget(PosixPath(target), replaces: replaces), run: run, files: files)
    } catch let error as PublishingError {
      isDone = false
      #expect("\(error)".contains("no room left"), "\(error)")
    }
    #expect(try self.files(in: folder) == before)
    let there = try FileManager.default.contentsOfDirectory(atPath: elsewhere.path).sorted()
    #expect(!isDone || there.contains("New.sqlite"))
    if there == [] { return .absent }
    if there == ["New.sqlite"], try contents(of: target) == [7] { return .old }
    #expect(there == [".New_SUPPORT", "New.sqlite"])
    let diagnosis = try diagnose(
      Examination(
        store: Store(path: target), options: DiagnosisOptions(candidates: CandidateOptions(models: versions))))
    #expect(diagnosis.verdict == .opens)
    let notes = try Store(path: target).connection.prepare("SELECT count(*), sum(ZPAGES) FROM ZNOTE")
    #expect(try notes.step() && notes.int64(0) == 200 && notes.int64(1) == 200)
    return .whole
  }

  /// Every file in a folder, by its path, with its bytes.
  private func files(in folder: TemporaryFolder) throws -> [String: Data] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: paths.compactMap { path in
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: folder(path), isDirectory: &isFolder)
        return isFolder.boolValue ? nil : (path, try Data(contentsOf: URL(fileURLWithPath: folder(path))))
      })
  }

  /// `body` goes, so that the table is made anew; `pages` comes with a default; a relationship gets another name.
  private static func model(isNew: Bool) throws -> Model {
    var tags = Property.toMany(isNew ? "labels" : "tags", "Tag", inverse: "notes")
    if isNew { tags.renamingIdentifier = "tags" }
    let other: Property =
      isNew ? .attribute("pages", .integer16) { $0.defaultValue = .integer(1) } : .attribute("body", .string)
    return try Model(
      entities: [
        Entity(name: "Note", properties: [.attribute("title", .string), tags, other]),
        Entity(name: "Tag", properties: [.attribute("name", .string), .toMany("notes", "Note", inverse: tags.name)]),
      ])
  }

  private static func write(to path: String) throws {
    let writer = try StoreWriter(
      creating: path, StoreDescription(model: model(isNew: false), keepsHistory: true, usesWAL: true))
    let tag = try writer.insert("Tag", ["name": .text("new")])
    for number in 0..<200 {
      let text = StoredValue.text(String(repeating: "word ", count: number))
      let note = try writer.insert("Note", ["title": .text("note \(number)"), "body": text])
      try writer.link(note, "tags", to: tag)
    }
    try writer.finish()
  }
}

/// Counts from any thread.
private final class Counter: Sendable {
  let value = Mutex(0)
  func next() -> Int {
    value.withLock { number in
      defer { number += 1 }
      return number
    }
  }
}
