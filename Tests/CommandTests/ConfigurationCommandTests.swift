import Foundation
import StorePlatform
import StoreSQLite
import TestSupport
import Testing

/// `diagnose` follows the configuration of the project, never one that lies beside the store it examines.
@Suite struct ConfigurationCommandTests {
  private static let muting = """
    severities: {high-water-on-subentity: warning}
    skips:
      - {check: SD404, entity: Note.tags, reason: removed in 2.1}
      - {check: SD410, reason: drafts}

    """

  @Test func saysWhichFileHeldAndWhatItMuted() throws {
    let project = try Project(Self.muting)
    let outcome = try project.diagnose(["store/Notes.sqlite"])
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
    #expect(
      outcome.output == """
        findings: 2 warnings; 1 error muted

        Checklist
          W SD208 Z_MAX is 7, and only a root entity has one
            repair: structure: [high-water] (safe)

        Folder
          W SD207 Z_MAX is 2, and ZFOLDER has a row 4
            keys 4
            repair: structure: [high-water] (safe)

        Settings of '.storedoctor.yaml'
          muted SD404 Note.tags: 1 error: removed in 2.1
          muted SD410: nothing found: drafts
          SD208 counts as warning: 1 finding

        Next
          storedoctor repair store/Notes.sqlite --safe   # what is safe to mend; shows a plan
          storedoctor rows store/Notes.sqlite Folder --key 4   # the rows of SD207
          storedoctor diagnose store/Notes.sqlite --format json

        """)
  }

  @Test(arguments: [
    ("json", #""reason": "removed in 2.1""#), ("jsonl", #""kind": "muted""#),
    ("sarif", #""justification": "removed in 2.1""#), ("junit", "muted: removed in 2.1: error: Note.tags: "),
    ("text", "muted SD404"),
  ])
  func everyFormatNamesFileAndMute(format: String, mute: String) throws {
    let outcome = try Project(Self.muting).diagnose(["store/Notes.sqlite", "--format", format])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains(mute) && outcome.output.contains(".storedoctor.yaml"), "\(outcome.output)")
  }

  @Test func isFoundUpwardsAndTheNearestHolds() throws {
    let project = try Project(Self.muting)
    try project.makeFolder("a/b")
    #expect(try project.diagnose(["../../store/Notes.sqlite"], in: "a/b").output.contains("'../../.storedoctor.yaml'"))
    try project.folder.write([], to: "a/.storedoctor.yaml")
    let nearest = try project.diagnose(["../../store/Notes.sqlite"], in: "a/b")
    #expect(nearest.status == 1 && nearest.output.contains("Settings of '../.storedoctor.yaml'\n  nothing muted"))
    let named = try project.diagnose(["../../store/Notes.sqlite", "--config", "../../.storedoctor.yaml"], in: "a/b")
    #expect(named.status == 0 && named.output.contains("Settings of '../../.storedoctor.yaml'"))
    let none = try project.diagnose(["../../store/Notes.sqlite", "--no-config"], in: "a/b")
    #expect(none.status == 1 && !none.output.contains("Settings"))
  }

  /// The working folder may be inside the folder of the store.
  @Test(arguments: [
    ("", "store/Notes.sqlite", "store"), ("", "Notes.sqlite", "store"), ("", "../Notes.sqlite", "store/deeper"),
    ("", "../../link.sqlite", "store/deeper"), ("", "../store", "store/deeper"),
    ("phone.xcappdata/", "Documents/store/Notes.sqlite", "phone.xcappdata"),
  ])
  func whatLiesInTheStoresFolderIsNotUsed(_ bundle: String, _ store: String, _ place: String) throws {
    let project = try Project(nil, store: bundle.isEmpty ? "store" : bundle + "Documents/store")
    try project.makeFolder("store/deeper")
    symlink("store/Notes.sqlite", project.folder("link.sqlite"))
    let isInside = place != "" && store != "store/Notes.sqlite"
    try project.folder.write(Array(Self.muting.utf8), to: place + "/.storedoctor.yaml")
    let given = store == "../store" ? ".." : store
    let outcome = try project.diagnose([given], in: isInside ? place : "store/deeper/../..")
    #expect(outcome.status == 1 && !outcome.output.contains("Settings"), "\(outcome.output)\(outcome.errors)")
    // From a working folder outside of it, the file is not found at all.
    #expect(outcome.errors.contains("is not used, since it lies in the store's own folder") == isInside)
    #expect(!isInside || outcome.errors.contains("name it with --config"))
  }

  @Test func theStoresFolderStaysAsItWas() throws {
    let project = try Project(Self.muting)
    try project.folder.write(Array(Self.muting.utf8), to: "store/.storedoctor.yaml")
    let before = FolderState(of: project.folder("store"))
    #expect(try project.diagnose(["Notes.sqlite"], in: "store").status == 0)
    #expect(try project.diagnose(["Notes.sqlite", "--config", ".storedoctor.yaml"], in: "store").status == 0)
    #expect(FolderState(of: project.folder("store")) == before)
  }

  @Test func aLinkIntoTheStoresFolderIsNotUsed() throws {
    let project = try Project(nil)
    try project.folder.write(Array(Self.muting.utf8), to: "store/settings.yaml")
    symlink("store/settings.yaml", project.folder(".storedoctor.yaml"))
    let outcome = try project.diagnose(["store/Notes.sqlite"])
    #expect(outcome.status == 1 && outcome.errors.contains("'.storedoctor.yaml' is not used"))
    let named = try project.diagnose(["store/Notes.sqlite", "--config", "store/settings.yaml"])
    #expect(named.status == 0 && named.errors == "")
  }

  @Test func aFolderThatOnlyBeginsLikeTheStoresIsAnother() throws {
    let project = try Project(nil)
    try project.makeFolder("store2")
    try project.folder.write(Array(Self.muting.utf8), to: "store2/.storedoctor.yaml")
    #expect(try project.diagnose(["../store/Notes.sqlite"], in: "store2").status == 0)
  }

  @Test(arguments: [
    ("defaults: {fail-on: never}", [], 0), ("defaults: {fail-on: never}", ["--fail-on", "error"], 1),
    ("skips: [{check: SD404, reason: x}]", [], 0), ("skips: [{check: SD404, reason: x}]", ["--check", "SD404"], 1),
    ("skips: [{check: SD404, reason: x}]", ["--fail-on", "warning"], 1),
    ("defaults: {entity: [Folder]}", [], 0), ("defaults: {entity: [Folder]}", ["--entity", "Note"], 1),
    ("defaults: {entity: [Nota]}", [], 2), ("defaults: {unique: [Folder.nome]}", [], 2),
    ("defaults: {unique: [Folder.nome]}", ["--unique", "Folder.name"], 1),
    ("models: ['corpus/Notes.xcdatamodeld']", ["--entity", "Folder"], 1),
    ("models: ['corpus/Notes.xcdatamodeld#Notes 2']", ["--entity", "Folder"], 0),
    ("models: ['corpus/Notes.xcdatamodeld']\ndefaults: {opening: manual}", ["--stage-skeleton", "staged"], 1),
    ("models: [none.momd]", [], 2), ("models: [none.momd]", ["--no-config"], 1),
    ("models: [none.momd]", ["--model", "corpus/Notes.xcdatamodeld#Notes 2", "--skip", "SD404"], 0),
    ("defaults: {cloudkit: true, fail-on: warning}", ["--check", "SD704"], 1),
    ("defaults: {cloudkit: true, fail-on: warning}", ["--check", "SD704", "--no-cloudkit"], 0),
    ("skip: []", [], 2), ("", ["--config", "none.yaml"], 2),
    ("", ["--config", ".storedoctor.yaml", "--no-config"], 64),
  ])
  func theCommandLineComesFirst(_ settings: String, _ options: [String], _ status: Int) throws {
    let project = try Project(settings)
    symlink(TestSupport.Project.path("corpus"), project.folder("corpus"))
    let outcome = try project.diagnose(["store/Notes.sqlite"] + options)
    #expect(outcome.status == Int32(status), "\(outcome.output)\(outcome.errors)")
  }

  @Test func aMistakeIsNamedWithItsLine() throws {
    let outcome = try Project("skips:\n  - check: SD404\n").diagnose(["store/Notes.sqlite"])
    #expect(outcome.status == 2 && outcome.output == "")
    #expect(outcome.errors == "storedoctor: cannot follow '.storedoctor.yaml': line 2: a skip gives a 'reason'\n")
  }

  @Test func saysWhatEachCheckFound() throws {
    let outcome = try Project(Self.muting).diagnose(["store/Notes.sqlite", "--verbose", "--entity", "Folder"])
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 73)
    #expect(
      lines.filter { !$0.hasSuffix(": nothing found") } == [
        "SD207 high-water-too-low: 1 found", "SD208 high-water-on-subentity: 1 left out",
        "SD404 orphaned-join-row: 1 muted",
      ])
  }

  @Test func saysThatOthersWereLeftOut() throws {
    let outcome = try Project("").diagnose(["store/Notes.sqlite", "--entity", "Folder", "--no-config"])
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("findings: 1 warning; 1 error, 1 note of other entities left out\n"))
    #expect(
      outcome.output.contains(
        """
        Only some entities
          findings of 'Folder', of what they inherit, and of the store as a whole; left out: 1 error, 1 note

        """), "\(outcome.output)")
  }

  /// A project's folder with a configuration, and a sick store in a folder of its own.
  private struct Project {
    let folder: TemporaryFolder

    init(_ settings: String?, store: String = "store") throws {
      folder = try TemporaryFolder()
      try makeFolder(store)
      for file in try FileManager.default.contentsOfDirectory(atPath: TestSupport.Project.path("corpus"))
      where file.hasPrefix("Notes.sqlite") {
        try FileManager.default.copyItem(
          atPath: TestSupport.Project.path("corpus/" + file), toPath: folder(store + "/" + file))
      }
      let connection = try Connection(writing: folder(store + "/Notes.sqlite"), create: false)
      try connection.execute(
        """
        INSERT INTO Z_3TAGS (Z_3NOTES, Z_5TAGS) VALUES (1, 99), (2, 99);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Folder';
        UPDATE Z_PRIMARYKEY SET Z_MAX = 7 WHERE Z_NAME = 'Checklist';
        """)
      connection.close()
      if let settings { try folder.write(Array(settings.utf8), to: ".storedoctor.yaml") }
    }

    func makeFolder(_ name: String) throws {
      try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
    }

    func diagnose(_ arguments: [String], in place: String = ".") throws -> Program.Outcome {
      try Program.launch(
        ["sh", "-c", "cd \"$0\" && exec \"$@\"", folder(place), Program.path, "diagnose"] + arguments)
    }
  }
}
