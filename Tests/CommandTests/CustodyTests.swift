import Foundation
import TestSupport
import Testing

/// Records of runs, by the built program.
@Suite struct CustodyTests {
  @Test func recordsWhatWasReadAndWritten() throws {
    let folder = try TemporaryFolder()
    let elsewhere = try TemporaryFolder()
    let living = try LivingStore(in: folder, committed: 4, inWAL: 2)
    try living.copy()
    let store = living.mainPath
    let support = folder(".\((store as NSString).lastPathComponent.split(separator: ".")[0])_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: support, withIntermediateDirectories: true)
    try Data([1]).write(to: URL(fileURLWithPath: support + "/value"))
    let before = FolderState(of: folder.path)

    let record = elsewhere("record.json")
    let outcome = try Program.run(
      ["inspect", store, "--custody", record, "--custody-note", "case 12"])
    #expect(outcome.status == 0)
    #expect(FolderState(of: folder.path) == before)
    let document = try read(record)
    #expect(document.files.map(\.role) == ["main", "wal", "support"])
    #expect(document.files.allSatisfy { $0.unchanged && $0.before == $0.after })
    #expect(document.files[0].before?.sha256 == sum("sha256sum", store))
    #expect(document.files[1].before?.md5 == sum("md5sum", store + "-wal"))
    #expect(document.files[1].before?.sha1 == sum("sha1sum", store + "-wal"))
    #expect(document.outputs.map(\.bytes) == [outcome.output.utf8.count])
    #expect(try !String(contentsOfFile: record, encoding: .utf8).contains(ProcessInfo.processInfo.hostName))
    #expect(outcome.errors.contains(try #require(sum("sha256sum", record))))

    #expect(try Program.run(["custody", "--verify", record]).status == 0)
    // The record is never replaced.
    #expect(try Program.run(["inspect", store, "--custody", record]).status == 2)
    // One byte of any file.
    for path in [store, store + "-wal", support + "/value"] {
      let content = try contents(of: path)
      var changed = content
      changed[changed.count / 2] ^= 1
      try Data(changed).write(to: URL(fileURLWithPath: path))
      let check = try Program.run(["custody", "--verify", record, "--format", "json"])
      #expect(check.status == 1)
      #expect(try schema("custody-check").violations(in: JSONTree(check.output)).isEmpty)
      try Data(content).write(to: URL(fileURLWithPath: path))
    }
    #expect(try Program.run(["custody", "--verify", record]).status == 0)
  }

  /// A list of stores is recorded, and that the stores it names are not; a recipe inside a value is recorded.
  @Test func saysWhichStoresAreNotInIt() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let list = try folder.write(Array("\(store)\n".utf8), to: "stores.txt")
    let record = folder("audit.json")
    #expect(try Program.run(["audit", "--from", list, "--quiet", "--custody", record]).status == 0)
    let audit = try JSONTree(String(contentsOfFile: record, encoding: .utf8))
    #expect(audit["files"]?.list?.compactMap { $0["path"]?.string } == [list])
    #expect(
      audit["gaps"]?.list?.compactMap(\.string) == [
        "the stores that the list '\(list)' names, other than those in the arguments"
      ])
    let recipe = try folder.write([], to: "stage.yaml")
    let models = Project.path("corpus/Notes.xcdatamodeld")
    _ = try Program.run([
      "migrate", store, "--model", models, "--dry-run", "--perform", "A>B=\(recipe)", "--custody",
      folder("migrate.json"),
    ])
    let migrate = try JSONTree(String(contentsOfFile: folder("migrate.json"), encoding: .utf8))
    #expect(migrate["files"]?.list?.contains { $0["path"]?.string == recipe } == true)
  }

  @Test func recordsRunsThatFailOrWriteFiles() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    #expect(try Program.run(["inspect", folder("none"), "--custody", folder("failed.json")]).status == 2)
    #expect(try read(folder("failed.json")).exitStatus == 2)
    let output = folder("Mended.sqlite")
    #expect(
      try Program.run(["repair", store, "--safe", "--output", output, "--custody", folder("repair.json")]).status == 0)
    #expect(try read(folder("repair.json")).outputs.compactMap(\.path) == [output])
    try Data("no record".utf8).write(to: URL(fileURLWithPath: folder("other")))
    #expect(try Program.run(["custody", "--verify", folder("other")]).status == 2)
  }

  /// Every command that reads something can be recorded.
  @Test func everyCommandTakesIt() throws {
    for command in [
      "inspect", "diagnose", "repair", "apply", "undo", "audit", "lint", "explain", "model show", "model hash",
      "model diff", "model match", "model convert", "model pin", "model check",
    ] {
      let help = try Program.run(command.split(separator: " ").map(String.init) + ["--help"]).output
      #expect(help.contains("--custody <file>"), "\(command)")
    }
  }

  private func read(_ path: String) throws -> Record {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(try schema("custody").violations(in: JSONTree(String(decoding: data, as: UTF8.self))).isEmpty)
    return try JSONDecoder().decode(Record.self, from: data)
  }

  private func schema(_ name: String) throws -> JSONSchema {
    try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/\(name).json"), encoding: .utf8))
  }

  private func sum(_ program: String, _ path: String) -> String? {
    (try? Program.launch([program, path]))?.output.split(separator: " ").first.map(String.init)
  }

  private struct Record: Decodable {
    var files: [File]
    var outputs: [Output]
    var exitStatus: Int

    struct File: Decodable {
      var role: String
      var unchanged: Bool
      var before: State?
      var after: State?
    }
    struct State: Decodable, Equatable {
      var md5: String
      var sha1: String
      var sha256: String
      var accessed: String
    }
    struct Output: Decodable {
      var path: String?
      var bytes: Int
    }
  }
}
