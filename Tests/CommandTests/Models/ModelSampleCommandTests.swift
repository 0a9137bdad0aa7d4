import Foundation
import TestSupport
import Testing

/// `model sample`, as a user runs it.
@Suite struct ModelSampleCommandTests {
  private static let notes = Project.path("examples/what-a-migration-loses/Notes.xcdatamodeld")

  @Test func everyVersionCanBeRehearsedFrom() throws {
    let folder = try TemporaryFolder()
    for version in ["Notes", "Notes 2", "Notes 3"] {
      let store = folder("\(version).sqlite")
      let outcome = try Program.run(["model", "sample", "\(Self.notes)#\(version)", "--output", store])
      #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
      #expect(outcome.output.contains("opens\n") && outcome.output.contains("version         \(version)\n"))
      #expect(outcome.output.contains("\n  storedoctor migrate \(store.contains(" ") ? "'\(store)'" : store) --model"))
      let match = try Program.run(["model", "match", store, Self.notes])
      #expect(match.status == 0 && match.output.contains(version))
    }
    let rehearsal = try Program.run(["rehearse", folder.path, "--model", Self.notes, "--allow-assumed", "--quiet"])
    #expect(rehearsal.status == 0, "\(rehearsal.output)")
  }

  /// Source is read by storedoctor-swiftdata.
  @Test func aVersionOfSwiftSource() throws {
    let folder = try TemporaryFolder()
    let source = Project.path("corpus/Trips/Models")
    for version in ["TripsV1", "TripsV2", "TripsV3"] {
      for kind in ["minimal", "typical", "edge"] {
        let store = folder("\(version)-\(kind).store")
        let made = try Program.run(
          ["model", "sample", "\(source)#\(version)", "--output", store, "--kind", kind, "--format", "json"])
        #expect(made.status == 0, "\(made.errors)")
        #expect(try JSONTree(made.output)["notKept"] == .array([]))
        let diagnosis = try Program.run(["diagnose", store, "--model", "\(source)#\(version)"])
        #expect(diagnosis.output.hasPrefix("opens"), "\(diagnosis.output)")
      }
    }
  }

  @Test func theDocumentIsAsItsSchemaSays() throws {
    let folder = try TemporaryFolder()
    let document = try JSONTree(
      Program.run(
        [
          "model", "sample", Self.notes, "--output", folder("S.sqlite"), "--rows", "25", "--seed",
          "18446744073709551615",
          "--format", "json",
        ]
      ).output)
    #expect(try JSONSchema.of("sample").violations(in: document) == [])
    #expect(document["seed"] == .string("18446744073709551615") && document["rows"] == .integer(25))
    #expect(document["objects"] == .integer(125))
  }

  @Test func aSampleIsLikeAStore() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let made = try Program.run([
      "model", "sample", "--like", store, "--output", folder("Like.sqlite"), "--format", "json",
    ])
    #expect(made.status == 0, "\(made.errors)")
    let document = try JSONTree(made.output)
    #expect(try JSONSchema.of("sample").violations(in: document) == [])
    #expect(document["like"] == .string(store))
    // What the store has is what the sample has; a version that the store is not of has some of it.
    let newer = try Program.run(
      ["model", "sample", "\(Self.notes)#Notes 3", "--like", store, "--output", folder("Newer.sqlite")])
    #expect(newer.status == 0 && newer.output.contains("like"), "\(newer.errors)")
    for wrong in [["--rows", "3"], ["--kind", "edge"]] {
      #expect(
        try Program.run(["model", "sample", "--like", store, "--output", folder("W.sqlite")] + wrong).status == 64)
    }
    #expect(try Program.run(["model", "sample", "--output", folder("W.sqlite")]).status == 64)
    #expect(try Program.run(["model", "sample", "--like", store, "--output", store, "--force"]).status != 0)
  }

  @Test func nothingIsOverwritten() throws {
    let folder = try TemporaryFolder()
    let store = folder("Sample.sqlite")
    let arguments = ["model", "sample", Self.notes, "--output", store]
    #expect(try Program.run(arguments).status == 0)
    let first = try contents(of: store)
    let again = try Program.run(arguments + ["--seed", "2"])
    #expect(again.status == 2 && again.errors.contains("exists") && again.errors.contains("--force"))
    try expectSameBytes(contents(of: store), as: first)
    #expect(try Program.run(arguments + ["--seed", "2", "--force"]).status == 0)
    #expect(try contents(of: store) != first)
    #expect(try Program.run(arguments + ["--force"]).status == 0)
    try expectSameBytes(contents(of: store), as: first)
    // Nor a side file of another store, nor the model.
    try folder.write([1], to: "Other.sqlite-wal")
    let beside = try Program.run(["model", "sample", Self.notes, "--output", folder("Other.sqlite")])
    #expect(beside.status == 2 && beside.errors.contains("Other.sqlite-wal"))
    let json = folder("Model.json")
    #expect(try Program.run(["model", "convert", Self.notes, "--to", "json", "--output", json]).status == 0)
    let model = try Program.run(["model", "sample", "\(json)#Notes 2", "--output", json, "--force"])
    #expect(model.status == 2 && model.errors.contains("a model or store given to this command"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3)
  }

  @Test(arguments: [
    (["--rows", "0"], "--rows is 1 to 100000"), (["--rows", "5", "--kind", "minimal"], "leave --rows away"),
    (["--kind", "large"], "minimal"), (["--seed", "-1"], "seed"),
  ])
  func usage(_ options: [String], _ words: String) throws {
    let folder = try TemporaryFolder()
    let outcome = try Program.run(["model", "sample", Self.notes, "--output", folder("S.sqlite")] + options)
    #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func whatCannotBeMade() throws {
    let folder = try TemporaryFolder()
    let missing = try Program.run(["model", "sample", folder("None.momd"), "--output", folder("S.sqlite")])
    #expect(missing.status == 2)
    let nowhere = try Program.run(["model", "sample", Self.notes, "--output", folder("none/S.sqlite")])
    #expect(nowhere.status == 2 && nowhere.errors.contains("its folder does not exist"))
  }

  /// A run that is stopped leaves no store under the name, and what it leaves is not in the way.
  @Test func aKilledRunLeavesNoStore() throws {
    for delay in [0.05, 0.2, 0.5, 1] {
      let folder = try TemporaryFolder()
      let store = folder("Sample.sqlite")
      let arguments = ["model", "sample", Self.notes, "--output", store]
      let outcome = try Program.run(arguments + ["--rows", "20000"], limit: delay)
      #expect(outcome.wasKilled)
      #expect(!FileManager.default.fileExists(atPath: store))
      #expect(try Program.run(arguments).status == 0)
    }
  }

  /// The elements of all composites have one name, so that their columns get numbers.
  @Test func aTableWithMoreColumnsThanSQLiteAllowsIsNamed() throws {
    let folder = try TemporaryFolder()
    let element = #"{"name": "x", "type": "Double", "optional": true}"#
    let attributes = (0..<20_000).map { #"{"name": "c\#($0)", "type": "Composite", "elements": [\#(element)]}"# }
    let entities = #"[{"name": "Route", "attributes": [\#(attributes.joined(separator: ","))]}]"#
    let model = #"{"schema": "storedoctor.model/1", "versions": [{"name": "1", "model": {"entities": \#(entities)}}]}"#
    let path = try folder.write(Array(model.utf8), to: "Model.json")
    let outcome = try Program.run(
      ["model", "sample", path, "--kind", "minimal", "--output", folder("Sample.sqlite")], work: Program.patience)
    #expect(outcome.status == 2)
    #expect(
      outcome.errors.contains("the table of 'Route' would have 20,003 columns, and SQLite allows 2,000"),
      "\(outcome.errors)")
  }
}
