import Foundation
import StoreSQLite
import TestSupport
import Testing

/// All commands that read a store, in all formats, against what one of them knows: each cell says it, or stands in a list with
/// the reason why it has none to.
@Suite struct AnswerTableTests {
  /// What there is to say.
  enum Fact: String, CaseIterable, CustomTestStringConvertible {
    case noLog, foreignLog, logElsewhere, damagedTable, damagedSchema, otherUser, missingGitBlob, unreadableMember

    var testDescription: String { rawValue }

    /// Words of which one is in an answer that says it.
    var words: [String] {
      switch self {
      case .noLog: ["what was saved last may be missing", ",unknown", #""notWhole": 1"#]
      case .foreignLog: ["was not read", "of its WAL left out", "SD105", #""log": "foreign""#]
      case .logElsewhere: ["a log that fits lies at"]
      case .damagedTable:
        ["is damaged", "SD102", "malformed", #""sound": "no""#, "counts are bounds", "cannot be read", "left out"]
      case .damagedSchema: ["SD102", "damaged", "malformed", #""sound": "no""#]
      case .otherUser:
        ["access times may have changed", #""accessTimes": "mayHaveChanged""#, #""touched": 1"#, ",mayHaveChanged"]
      case .missingGitBlob: ["not all could be read", "not in the repository (a shallow or partial clone?)"]
      case .unreadableMember:
        ["bad.zip!Notes.sqlite", "it is a zip archive; unpack it first", "bad.zip': not a model that is known here"]
      }
    }
  }

  /// A command with its format; "STORE" stands for the store, "NEW" for a path that does not exist.
  private static let commands: [[String]] = {
    var all: [[String]] = []
    func add(_ words: [String], _ formats: [String]) {
      for format in formats { all.append(words + (format == "text" ? [] : ["--format", format])) }
    }
    let model = Project.path("corpus/Notes.xcdatamodeld")
    add(["inspect", "STORE"], ["text", "json"])
    add(["diagnose", "STORE", "--no-config"], ["text", "json", "jsonl", "sarif", "junit", "markdown"])
    add(["rows", "STORE"], ["text", "json"])
    add(["rows", "STORE", "Attachment"], ["text", "json", "jsonl", "csv"])
    add(["rows", "STORE", "--output", "NEW"], ["json", "jsonl", "csv", "sqlite"])
    add(["report", "STORE", "--no-config", "--output", "NEW"], ["text"])
    add(["compare", "STORE", Project.path("corpus/Notes.sqlite")], ["text", "json", "jsonl"])
    add(["timeline", "STORE"], ["text", "jsonl", "csv"])
    add(["recover", "STORE"], ["text", "json", "jsonl", "csv", "html", "case"])
    add(["repair", "STORE", "--safe"], ["text", "json", "html"])
    add(["salvage", "STORE", "--output", "NEW"], ["text", "json"])
    add(["anonymize", "STORE", "--output", "NEW"], ["text", "json"])
    let lint = ["lint", "SOURCE", "--store", "STORE", "--no-config"]
    add(lint, ["text", "json", "sarif", "junit", "xcode", "github"])
    add(["merge", "STORE", "--into", Project.path("corpus/Notes.sqlite")], ["text", "json", "html"])
    add(["merge", Project.path("corpus/Notes.sqlite"), "--into", "STORE"], ["text", "json", "html"])
    add(["migrate", "STORE", "--model", model, "--dry-run"], ["text", "json"])
    add(["rehearse", "STORE", "--model", model], ["text", "json", "jsonl", "junit", "html"])
    add(["model", "match", "STORE", model], ["text", "json"])
    add(["audit", "STORE", "--no-config"], ["jsonl", "csv", "sarif", "junit"])
    add(["audit", "STORE", "--no-config", "--summary"], ["text", "json", "html"])
    add(["inspect", "STORE", "--entity", "Attachment"], ["text", "json"])
    add(["inspect", "STORE", "--commits"], ["text", "json"])
    add(["recover", "STORE", "--any-sqlite"], ["text", "json", "jsonl", "csv"])
    add(["model", "show", "STORE"], ["text", "json"])
    add(["model", "hash", "STORE"], ["text", "json"])
    add(["model", "check", "STORE"], ["text", "json"])
    add(["model", "diff", "STORE", model], ["text", "json"])
    all.append(["model", "convert", "STORE", "--to", "json"])
    all.append(["explain", "--log", "LOG", "--store", "STORE"])
    all.append(["explain", "--log", "LOG", "--store", "STORE", "--format", "json"])
    return all
  }()

  /// The commands with what stands for a repository: of those that take none, nothing is named that could be missing.
  private static let commandsWithRepository = commands.compactMap { command in
    let takes = ["diagnose", "repair", "migrate", "rehearse", "audit", "model match"]
    let name = command[0] == "model" ? "model \(command[1])" : command[0]
    guard takes.contains(name) else { return [String]?.none }
    let model = command.contains("--model") || name == "model match"
    return command + (model ? [] : ["--model", Project.path("corpus/Notes.xcdatamodeld")]) + ["--git", "REPOSITORY"]
  }

  /// Cells that say nothing, with the reason.
  private static let silent: [(fact: Fact, command: String, why: String)] = {
    let model = "Notes.xcdatamodeld"
    var cells: [(Fact, String, String)] = []
    for command in ["--format csv", "--summary", "--summary --format json", "--summary --format html"] {
      let name = "audit STORE --no-config \(command)"
      cells.append((.logElsewhere, name, "counts what is not whole; where a log lies, each store's line says"))
    }
    for format in ["", " --format jsonl", " --format csv"] {
      cells.append((.damagedTable, "timeline STORE\(format)", "it reads no table that is damaged"))
    }
    for format in ["", " --format json"] {
      let why = "it reads no rows of objects, and says so by 'sound': 'unknown'"
      cells.append((.damagedTable, "explain --log LOG --store STORE\(format)", why))
      cells.append((.damagedTable, "model match STORE \(model)\(format)", why))
      for command in ["show STORE", "hash STORE", "check STORE", "diff STORE \(model)"] {
        cells.append((.damagedTable, "model \(command)\(format)", "it reads the model alone, and no rows"))
      }
    }
    for format in ["", " --format json", " --format junit", " --format xcode", " --format github"] {
      let why = "it reads rows where a version has a new constraint alone, and this one has none"
      cells.append((.damagedTable, "lint SOURCE --store STORE --no-config\(format)", why))
    }
    cells.append((.damagedTable, "model convert STORE --to json", "it reads the model alone, and no rows"))
    // Asked is the history where the order of versions decides (CurrentVersionTests), or a mapping model is out of date
    // (MappingModelPlacesTests), which is not so here.
    for command in commandsWithRepository where command[0] != "model" {
      cells.append((.missingGitBlob, name(command), "the repository has no part in the answer"))
    }
    return cells
  }()

  /// A plan with one version that did not make the store.
  static let source = """
    import SwiftData
    enum V1: VersionedSchema {
      static let versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { [Note.self] }
      @Model final class Note {
        var title = ""
        init() {}
      }
    }
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V1.self] }
      static var stages: [MigrationStage] { [] }
    }
    """

  private static func name(_ command: [String]) -> String {
    command.map { ($0 as NSString).lastPathComponent }.joined(separator: " ")
  }

  private func store(_ fact: Fact, in folder: TemporaryFolder) throws -> String {
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    func edit(_ change: (inout [UInt8]) throws -> Void) throws {
      var bytes = try contents(of: store)
      try change(&bytes)
      try Data(bytes).write(to: URL(fileURLWithPath: store))
    }
    switch fact {
    case .noLog: try edit { ($0[18], $0[19]) = (2, 2) }
    case .foreignLog:
      try edit { ($0[18], $0[19]) = (2, 2) }
      let other = try TemporaryFolder()
      let foreign = try LivingStore(in: other, committed: 400, inWAL: 300, uuid: "22222222-2222-4222-8222-222222222222")
      try FileManager.default.copyItem(atPath: foreign.mainPath + "-wal", toPath: store + "-wal")
    case .logElsewhere:
      let connection = try Connection(writing: store, create: false)
      try connection.execute(
        """
        PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0; UPDATE ZNOTE SET ZBODY = 'later' WHERE Z_PK = 1;
        UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_NAME = 'Note';
        """)
      let away = folder("away")
      try FileManager.default.createDirectory(atPath: away, withIntermediateDirectories: false)
      try FileManager.default.copyItem(atPath: store, toPath: away + "/Notes.sqlite")
      try FileManager.default.copyItem(atPath: store + "-wal", toPath: away + "/8740")
      return away + "/Notes.sqlite"
    case .damagedTable:
      let connection = try Connection(writing: store, create: false)
      let root = try connection.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'ZATTACHMENT'")
      let isThere = try root.step()
      try #require(isThere)
      let page = Int(root.int64(0) - 1) * 4096
      connection.close()
      try edit { $0.replaceSubrange(page..<page + 4096, with: repeatElement(0, count: 4096)) }
    case .damagedSchema:
      try edit { bytes in
        bytes.swapAt(108, 110)
        bytes.swapAt(109, 111)
      }
    case .missingGitBlob: return store
    case .unreadableMember:
      try #require(Program.launch(["zip", "-q", "-j", folder("bad.zip"), store]).status == 0)
      var bytes = try contents(of: folder("bad.zip"))
      bytes[bytes.count / 2] ^= 0x55
      return try folder.write(bytes, to: "bad.zip")
    case .otherUser:
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: store)
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
    }
    return store
  }

  @Test(.needsOrdinaryUser, arguments: Fact.allCases) func everyCellSaysItOrHasAReason(_ fact: Fact) throws {
    // Whose files they are shows only where another than their owner runs the program.
    if fact == .otherUser, getuid() != 0 { return }
    var empty: [String] = []
    var repository: Repository?
    let history = try TemporaryFolder()
    if fact == .missingGitBlob {
      let made = try Repository(in: history)
      _ = try made.commit(["a.xcdatamodel/contents": XcodeFiles.versions[0]], message: "A model")
      try made.loseObject(of: "a.xcdatamodel/contents")
      repository = made
    }
    for command in fact == .missingGitBlob ? Self.commandsWithRepository : Self.commands {
      let folder = try TemporaryFolder()
      let store = try store(fact, in: folder)
      let log = try folder.write(Array("CoreData: error: <x-coredata:///Note/p3> Code=134030".utf8), to: "device.log")
      let source = try folder.write(Array(Self.source.utf8), to: "Notes.swift")
      let arguments = command.map {
        $0 == "STORE" ? store : $0 == "NEW" ? folder("new") : $0 == "LOG" ? log : $0 == "SOURCE" ? source : $0
      }
      .map { $0 == "REPOSITORY" ? repository?.path ?? "" : $0 }
      let outcome = try Program.run(arguments, as: fact == .otherUser ? .ordinary : .current)
      #expect(outcome.signal == nil && outcome.status != 64, "\(command): \(outcome.errors)")
      // The answer of `report` is a page.
      let page = (try? String(contentsOfFile: folder("new"), encoding: .utf8)) ?? ""
      let said = (outcome.output + outcome.errors + page).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        .replacingOccurrences(of: "&#39;", with: "'")
      if !fact.words.contains(where: said.contains) { empty.append(Self.name(command)) }
    }
    let known = Self.silent.filter { $0.fact == fact }.map(\.command)
    #expect(Set(empty) == Set(known), "\(fact): \(Set(empty).subtracting(known).sorted())")
  }
}
