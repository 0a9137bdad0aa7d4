import Foundation
import StoreSQLite
import TestSupport
import Testing

/// Logs that lie beside a store under another name: which are offered, and that every command that reads a store takes one.
@Suite struct NamedLogTests {
  /// The commands that read a store, with what stands after the store.
  private static let commands = [
    ["inspect"], ["inspect", "--format", "json"], ["inspect", "--commits"], ["diagnose"],
    ["diagnose", "--format", "json"], ["diagnose", "--format", "sarif"], ["rows"], ["rows", "Note", "--format", "csv"],
    ["rows", "Note", "--deleted", "--format", "jsonl"], ["timeline"], ["timeline", "--deleted", "--format", "csv"],
    ["recover"], ["recover", "--format", "jsonl"], ["recover", "--any-sqlite"],
    ["repair", "--backfill", "Note.created=2024-05-01"], ["repair", "--safe", "--format", "json"],
    ["audit", "--no-config"], ["audit", "--no-config", "--summary"],
    ["rehearse", "--model", Project.path("corpus/Notes.xcdatamodeld"), "--format", "jsonl"],
    ["model", "show"], ["model", "hash"], ["model", "check"], ["model", "convert", "--to", "json"],
    ["model", "diff", Project.path("corpus/Notes.xcdatamodeld")],
    ["model", "match", Project.path("corpus/Notes.xcdatamodeld")],
    ["salvage", "--output", "NEW"], ["anonymize", "--output", "NEW"],
    ["lint", "SOURCE", "--no-config", "--store"], ["lint", "SOURCE", "--no-config", "--format", "json", "--store"],
  ]

  /// The arguments of a command about a store; "NEW" stands for a path that does not exist, "SOURCE" for Swift source.
  private static func arguments(
    _ command: [String], _ store: String, in folder: TemporaryFolder
  ) throws -> [String] {
    var command = command
    if let position = command.firstIndex(of: "NEW") { command[position] = folder("new-\(UUID().uuidString)") }
    if let position = command.firstIndex(of: "SOURCE") {
      command[position] = try folder.write(Array(AnswerTableTests.source.utf8), to: "Notes.swift")
      return command + [store]
    }
    let words = command[0] == "model" ? 2 : 1
    return command.prefix(words) + [store] + command.dropFirst(words)
  }

  /// Whether an answer is about stores that are counted, or has its first lines on standard output in another form.
  private static func saysLogs(_ command: [String]) -> Bool {
    !command.contains("--any-sqlite") && !command.contains("--commits") && !command.contains("--summary")
  }

  private func moved(in folder: TemporaryFolder, to name: String, inWAL: Int = 30) throws -> (
    whole: String, main: String
  ) {
    let whole = try LivingStore(in: folder, committed: 4, inWAL: inWAL).mainPath
    let away = folder("away")
    try FileManager.default.createDirectory(atPath: away, withIntermediateDirectories: false)
    try FileManager.default.copyItem(atPath: whole, toPath: away + "/2c7c")
    try FileManager.default.copyItem(atPath: whole + "-wal", toPath: away + "/" + name)
    return (whole, away + "/2c7c")
  }

  private func words(_ outcome: Program.Outcome) -> String {
    (outcome.output + outcome.errors).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .replacingOccurrences(of: "\\/", with: "/")
  }

  @Test(arguments: ["8740", "2c7c-wal.bak", "Notes.wal", "a b"])
  func aLogUnderAnotherNameIsOffered(_ name: String) throws {
    let folder = try TemporaryFolder()
    let (_, main) = try moved(in: folder, to: name)
    let log = folder("away") + "/" + name
    for command in Self.commands where Self.saysLogs(command) {
      let outcome = try Program.run(try Self.arguments(command, main, in: folder))
      let said = words(outcome)
      #expect(said.contains("a log that fits lies at '\(log)': --wal '\(log)' reads it"), "\(command): \(said)")
      #expect(said.contains("that it belongs is not proved"), "\(command)")
    }
  }

  /// What is read with it is what is read where it lies in its place, and nothing is written.
  @Test(arguments: commands) func everyCommandTakesALog(_ command: [String]) throws {
    let folder = try TemporaryFolder()
    let (whole, main) = try moved(in: folder, to: "8740")
    let before = FolderState(of: folder("away"))
    let log = folder("away/8740")
    let named = try Program.run(try Self.arguments(command, main, in: folder) + ["--wal", log])
    #expect(FolderState(of: folder("away")) == before)
    let beside = try Program.run(try Self.arguments(command, whole, in: folder))
    #expect(named.status == beside.status, "\(named.errors)")
    if Self.saysLogs(command) {
      #expect(words(named).contains("'\(log)' was read with it"), "\(words(named))")
    }
    if command[0] != "rehearse", command.contains("csv") || command.contains("jsonl") {
      #expect(named.output == beside.output)
    }
    // Of the objects in it, a search for what was deleted and a table of dates show nothing.
    if ["inspect", "diagnose", "rows", "repair", "audit"].contains(command[0]) {
      #expect(try Program.run(try Self.arguments(command, main, in: folder)).output != named.output)
    }
  }

  @Test func aComparisonTakesOneForEachStore() throws {
    let folder = try TemporaryFolder()
    let (whole, main) = try moved(in: folder, to: "8740")
    let log = folder("away/8740")
    #expect(try Program.run(["compare", main, whole]).status == 1)
    #expect(try Program.run(["compare", main, whole, "--wal", log]).status == 0)
    #expect(try Program.run(["compare", whole, main, "--second-wal", log]).status == 0)
  }

  @Test func whatIsWrittenHoldsTheRowsOfTheLog() throws {
    let folder = try TemporaryFolder()
    let (whole, main) = try moved(in: folder, to: "8740")
    let log = folder("away/8740")
    let target = folder("repaired.sqlite")
    let outcome = try Program.run(
      ["repair", main, "--safe", "--wal", log, "--accept-wal", "--output", target, "--dangling", "nullify"])
    try #require(outcome.status == 0, "\(outcome.errors)")
    #expect(try Program.run(["compare", whole, target, "--summary"]).status == 0)
    let inPlace = try Program.run(["repair", main, "--safe", "--wal", log, "--in-place"])
    #expect(inPlace.status == 64 && inPlace.errors.contains("--in-place changes a store with the log beside it"))
    #expect(try Program.run(["inspect", main, "--wal", log, "--without-wal"]).status == 64)
    // A log is one store's.
    for other in [
      ["audit", main, whole, "--no-config"], ["audit", folder.path, "--no-config"],
      ["audit", main, "--without-wal", "--no-config"],
      ["model", "show", Project.path("corpus/Notes.xcdatamodeld")], ["model", "diff", main, whole],
    ] {
      let outcome = try Program.run(other + ["--wal", log])
      #expect(outcome.status == 64 && outcome.errors.contains("--wal names the write-ahead log"), "\(outcome.errors)")
    }
    let onto = try Program.run(
      ["repair", main, "--safe", "--wal", log, "--accept-wal", "--output", log, "--force", "--dangling", "nullify"])
    #expect(onto.status == 2, "\(onto.output)")
  }

  /// A log of another store is named and not read: the user would take the answer for one with it.
  @Test func aLogThatDoesNotFitIsRefused() throws {
    let folder = try TemporaryFolder()
    let (_, main) = try moved(in: folder, to: "8740")
    let other = try TemporaryFolder()
    let foreign =
      try LivingStore(
        in: other, committed: 400, inWAL: 300, uuid: "22222222-2222-4222-8222-222222222222"
      ).mainPath + "-wal"
    for path in [foreign, Project.path("LICENSE"), folder("nothing"), folder.path] {
      let outcome = try Program.run(["inspect", main, "--wal", path])
      #expect(outcome.status == 2 && outcome.output.isEmpty && outcome.errors.contains(path), "\(outcome.errors)")
    }
    try FileManager.default.copyItem(atPath: foreign, toPath: folder("away/9999"))
    let said = words(try Program.run(["inspect", main]))
    #expect(said.contains("8740") && !said.contains("9999"), "\(said)")
  }

  /// The log of another main file that is there belongs to that one.
  @Test func theLogOfAnotherFileIsNotOffered() throws {
    let folder = try TemporaryFolder()
    let (_, main) = try moved(in: folder, to: "8740")
    try FileManager.default.moveItem(atPath: folder("away/8740"), toPath: folder("away/Twin-wal"))
    try FileManager.default.copyItem(atPath: main, toPath: folder("away/Twin"))
    #expect(!words(try Program.run(["inspect", main])).contains("a log that fits"))
    try FileManager.default.removeItem(atPath: folder("away/Twin"))
    #expect(words(try Program.run(["inspect", main])).contains("Twin-wal"))
  }

  @Test func severalAreNamedAndTheSearchHasALimit() throws {
    let folder = try TemporaryFolder()
    let (_, main) = try moved(in: folder, to: "8740")
    try FileManager.default.copyItem(atPath: folder("away/8740"), toPath: folder("away/8741"))
    #expect(words(try Program.run(["inspect", main])).contains("2 logs that fit lie at"))
    for number in 0..<2001 { try Data().write(to: URL(fileURLWithPath: folder("away/a\(number)"))) }
    let said = words(try Program.run(["inspect", main]))
    #expect(said.contains("names beside it 2000 were looked at for a log under another name"), "\(said)")
  }

  /// The index beside a main file holds the salts of the log that it was made for.
  @Test func aLogOfAnotherCycleIsNotOffered() throws {
    let folder = try TemporaryFolder()
    let (_, main) = try moved(in: folder, to: "8740")
    var index = [UInt8](repeating: 0, count: 136)
    index[12] = 1
    index[16] = 9
    let salts = try contents(of: folder("away/8740"))[16..<24]
    index.replaceSubrange(32..<40, with: salts)
    try folder.write(index, to: "away/2c7c-shm")
    #expect(words(try Program.run(["inspect", main])).contains("a log that fits"))
    index[33] ^= 1
    try folder.write(index, to: "away/2c7c-shm")
    #expect(!words(try Program.run(["inspect", main])).contains("a log that fits"))
  }

  /// A store that was copied before its first checkpoint has nothing in its main file.
  @Test func anEmptyMainFileIsNotCalledNoStore() throws {
    let folder = try TemporaryFolder()
    let store = folder("Notes.sqlite")
    let connection = try Connection(writing: store, create: true)
    try connection.execute("PRAGMA journal_mode = wal; CREATE TABLE x (y)")
    let main = folder("main")
    try FileManager.default.copyItem(atPath: store, toPath: main)
    let outcome = try Program.run(["inspect", main])
    #expect(outcome.status == 2 && outcome.errors.contains("everything may be in there"), "\(outcome.errors)")
  }

  /// Main file and log of every real store under names that say nothing: each main file is offered its own log, and of
  /// logs of other stores none.
  @Test(.needsSharedData) func realLogsFindTheirMainFiles() throws {
    let folder = try TemporaryFolder()
    var pairs: [(main: String, log: String, uuid: String)] = []
    for entry in Catalogue.real where FileManager.default.fileExists(atPath: entry.path + "-wal") {
      let number = pairs.count
      let (main, log) = (folder("m\(number)"), folder("l\(number).bin"))
      for (source, target) in [(entry.path, main), (entry.path + "-wal", log)] {
        let file = try EvidenceFile(PosixPath(source))
        try Data(file.read(at: 0, count: Int(file.size))).write(to: URL(fileURLWithPath: target))
      }
      pairs.append((main, log, try Answer(entry.path).metadata.uuid ?? ""))
    }
    try #require(pairs.count > 5)
    for pair in pairs {
      let said = words(try Program.run(["inspect", pair.main]))
      #expect(said.contains("'\(pair.log)'"), "\(said.prefix(400))")
      for other in pairs where other.uuid != pair.uuid { #expect(!said.contains("'\(other.log)'")) }
    }
  }
}
