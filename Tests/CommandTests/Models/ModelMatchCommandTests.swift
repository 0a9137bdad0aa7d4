import StoreJSON
import StoreText
import StoreDataModel
import Foundation
import StoreSQLite
import StoreGenerator
import TestSupport
import Testing

@Suite struct ModelMatchCommandTests {
  @Test func namesTheVersionThatMadeTheStore() throws {
    let folder = try TemporaryFolder()
    let bundle = try XcodeFiles.bundle(in: folder)
    let store = try XcodeFiles.store(XcodeFiles.versions[1], in: folder)
    let before = FolderState(of: folder.path)
    let outcome = try Program.run(["model", "match", store, bundle], environment: ["COLUMNS": "200"])
    #expect(outcome.status == 0)
    #expect(
      outcome.output == """
        \(store) was made with 'Notes 2': all 1 entity hash equal
          ! 'Notes 3' has the store's version identifier '2' and another shape: it was changed after this store was made, or the identifier was never raised

        Versions
            'Notes'    0 of 1 equal, 1 differs (Note)
          = 'Notes 2'  all 1 equal
            'Notes 3'  0 of 2 equal, 1 differs (Note), 1 only in the model (Tag); current version

        Next
          storedoctor model diff '\(bundle)#Notes 2' '\(bundle)#Notes 3'

        """)
    #expect(FolderState(of: folder.path) == before)
  }

  @Test func namesTheNearestAndWhatDiffersWhenNoneFits() throws {
    let folder = try TemporaryFolder()
    let bundle = try XcodeFiles.bundle(in: folder)
    let edited = XcodeFiles.versions[2].replacing(#"name="name" attr"#, with: #"name="name" optional="YES" attr"#)
    let outcome = try Program.run(
      ["model", "match", try XcodeFiles.store(edited, in: folder), bundle], environment: ["COLUMNS": "300"])
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("was made with none of 3 versions given"))
    #expect(outcome.output.contains("Nearest: 'Notes 3'"))
    #expect(outcome.output.contains("Tag.name"))
  }

  /// No version has an equal entity; the one with the version identifier of the store is taken for the nearest.
  @Test func takesTheStoresIdentifierForNearest() throws {
    let folder = try TemporaryFolder()
    let bundle = try XcodeFiles.bundle(in: folder)
    let edited = XcodeFiles.versions[0].replacing(#"attributeType="String""#, with: #"attributeType="Date""#)
    let outcome = try Program.run(["model", "match", try XcodeFiles.store(edited, in: folder), bundle])
    #expect(outcome.status == 1 && outcome.output.contains("Nearest: 'Notes'\n"), "\(outcome.output)")
  }

  @Test func namesNoNearestAmongModelsOfSomethingElse() throws {
    let outcome = try Program.run(
      ["model", "match", Project.path("corpus/Shapes.sqlite"), Project.path("corpus/Notes.xcdatamodeld")])
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("no version has any entity of the store: these are models of something else"))
    #expect(!outcome.output.contains("Nearest") && !outcome.output.contains("model diff"))
  }

  @Test func recognisesMergedModels() throws {
    let folder = try TemporaryFolder()
    let notes = try XcodeFiles.bundle(in: folder)
    let trips = folder("Trips.xcdatamodel")
    let trip = #"<entity name="Trip"><attribute name="name" optional="YES" attributeType="String"/></entity>"#
    try XcodeFiles.write(XcodeFiles.contents(trip), to: trips + "/contents")
    let merged = try Model(
      entities: [notes + "#Notes", trips].flatMap { try ModelSource.read($0).versions[0].model.entities })
    let store = try XcodeFiles.store(merged, in: folder)
    let both = try Program.run(["model", "match", store, notes, trips], environment: ["COLUMNS": "300"])
    #expect(both.status == 0)
    #expect(both.output.contains("'Notes' of \(notes) and '\(trips)' merged into one model"))
    let one = try Program.run(["model", "match", store, notes], environment: ["COLUMNS": "300"])
    #expect(one.status == 1)
    #expect(
      one.output.contains("merged with a model that was not given: 1 of 2 entity hashes are of other entities (Trip)"))
  }

  @Test func pointsOutVersionsWithOneChecksum() throws {
    let folder = try TemporaryFolder()
    let bundle = try XcodeFiles.bundle([XcodeFiles.versions[0], XcodeFiles.versions[0]], in: folder)
    let store = try XcodeFiles.store(XcodeFiles.versions[0], in: folder)
    let outcome = try Program.run(["model", "match", store, bundle], environment: ["COLUMNS": "200"])
    #expect(
      outcome.output.contains("'Notes' and 'Notes 2' have the same checksum: a staged migration with both is refused"))
  }

  @Test func saysBetweenWhichVersionsMappingModelsLead() throws {
    let folder = try TemporaryFolder()
    let bundle = try XcodeFiles.bundle(in: folder)
    let store = try XcodeFiles.store(XcodeFiles.versions[0], in: folder)
    let hashes = try ModelSource.read(bundle).versions.map(\.model.versionHashes)
    let other = try Model(entities: [Entity(name: "Trip")]).versionHashes
    let files = try [
      ("1to2.cdm", hashes[0], hashes[1]), ("2to3.cdm", hashes[1], hashes[2]), ("0to1.cdm", other, hashes[0]),
      ("old.cdm", other, other), ("new.cdm", VersionHashes([:]), hashes[2]),
    ].map { name, source, destination in
      try folder.write(MappingModelFile(from: source, to: destination).bytes, to: name)
    }
    let before = FolderState(of: folder.path)
    let outcome = try Program.run(["model", "match", store, bundle] + files, environment: ["COLUMNS": "400"])
    #expect(outcome.status == 0)
    #expect(FolderState(of: folder.path) == before)
    #expect(
      outcome.output.contains(
        """
        Mapping models
          '\(files[0])' leads from 'Notes' (the store's version) to 'Notes 2'
          '\(files[1])' leads from 'Notes 2' to 'Notes 3'
          '\(files[2])' leads from a version that is not given to 'Notes' (the store's version)
          '\(files[3])' fits neither side
          '\(files[4])' leads from a version whose hashes it does not record to 'Notes 3'

        """))
    #expect(
      outcome.output.contains(
        """
          ! '\(files[3])' fits neither side: the hashes it records are not the store's and not those of a version given. \
        An app that needs it fails with 134140

        """))
    let alone = try Program.run(["model", "match", store, files[0]], environment: ["COLUMNS": "400"])
    #expect(alone.status == 1)
    #expect(alone.output.contains("leads from the store's version to a version that is not given"))
    #expect(try Program.run(["model", "show", files[0]]).output.hasPrefix("mapping model: "))
  }

  @Test func answersForAStoreWithoutModelCache() throws {
    let folder = try TemporaryFolder()
    let model = try ModelSource.read(Array(XcodeFiles.versions[0].utf8), path: "contents").versions[0].model
    let store = folder("Old.sqlite")
    let writer = try StoreWriter(creating: store, StoreDescription(model: model, framework: 640, usesWAL: false))
    try writer.finish()
    try Connection(writing: store, create: false).execute("DROP TABLE Z_MODELCACHE")
    let bundle = try XcodeFiles.bundle([XcodeFiles.versions[1]], in: folder)
    let none = try Program.run(["model", "match", store, bundle])
    #expect(none.status == 1)
    #expect(none.output.contains("the store carries no model of its own"))
    let hashed = try Program.run(["model", "hash", store])
    #expect(hashed.status == 2)
    #expect(hashed.errors.contains("only the hashes in its metadata"))
  }

  @Test(arguments: [
    (["model", "match", "nothing.sqlite", "also.momd"], Int32(2), "no such file"),
    (["model", "match", "nothing.sqlite"], 64, "give the models to match"),
  ])
  func saysWhatIsWrong(command: [String], status: Int32, words: String) throws {
    let outcome = try Program.run(command)
    #expect(outcome.status == status)
    #expect(outcome.errors.contains(words))
  }
}

@Suite struct ModelHashCommandTests {
  @Test func showsVersionsSideBySide() throws {
    let folder = try TemporaryFolder()
    let bundle = try XcodeFiles.bundle(in: folder)
    let hashes = try ModelSource.read(bundle).versions.map(\.model.versionHashes)
    let short = { (version: Int, entity: String) in
      String((hashes[version].byEntity[entity]?.description ?? "").prefix(8))
    }
    let outcome = try Program.run(["model", "hash", bundle])
    #expect(outcome.status == 0)
    #expect(
      outcome.output.contains(
        """
          entity  1         2         3
          Note    \(short(0, "Note"))  \(short(1, "Note"))  \(short(2, "Note"))
          Tag     -         -         \(short(2, "Tag"))
        """))
    #expect(outcome.output.contains("'Notes 3'  checksum \(base64(hashes[2].checksum))  current"))
  }

  @Test func spellsHashesAsAsked() throws {
    let folder = try TemporaryFolder()
    let version = try XcodeFiles.bundle(in: folder) + "#Notes 2"
    let hash = try #require(try ModelSource.read(version).versions[0].model.versionHashes.byEntity["Note"])
    for (spelling, text) in [
      ("hex", "Note      \(hash)"), ("base64", "Note      \(base64(hash.bytes))"),
      ("swift", "\"Note\": \"\(base64(hash.bytes))\","),
    ] {
      #expect(try Program.run(["model", "hash", version, "--spelling", spelling]).output.contains(text))
    }
    let unknown = try Program.run(["model", "hash", version, "--entity", "Nota"])
    #expect(unknown.status == 2)
    #expect(unknown.errors.contains("no entity 'Nota' in this model; it has 'Note'"))
  }
}

@Suite struct ModelPinCommandTests {
  @Test func aChangedReleaseFailsWithTheProperty() throws {
    let folder = try TemporaryFolder()
    let bundle = try XcodeFiles.bundle(in: folder)
    let pins = folder("released.json")
    #expect(try Program.run(["model", "pin", bundle, "--output", pins]).status == 0)
    let kept = try Program.run(["model", "check", bundle, "--pins", pins], environment: ["COLUMNS": "300"])
    #expect(kept.status == 0)
    #expect(kept.output == "\(bundle): 3 pinned versions as released\n")
    // A default value is not hashed.
    let path = bundle + "/Notes 2.xcdatamodel/contents"
    let contents = XcodeFiles.versions[1]
    try XcodeFiles.write(contents.replacing("attributeType", with: #"defaultValueString="x" attributeType"#), to: path)
    #expect(try Program.run(["model", "check", bundle, "--pins", pins]).status == 0)
    try XcodeFiles.write(contents.replacing("attributeType", with: #"optional="YES" attributeType"#), to: path)
    let moved = try Program.run(["model", "check", bundle, "--pins", pins], environment: ["COLUMNS": "200"])
    #expect(moved.status == 1)
    #expect(
      moved.output.contains(
        """
        \(bundle): 'Notes 2' changed after release

        'Notes 2'
          Note.title
            released  String, required
            now       String, optional
        """))
    #expect(try Program.run(["model", "check", bundle, "--pins", pins, "--fail-on", "never"]).status == 0)
  }

  @Test func aMissingReleaseFails() throws {
    let folder = try TemporaryFolder()
    let bundle = try XcodeFiles.bundle(in: folder)
    let pins = folder("released.json")
    _ = try Program.run(["model", "pin", bundle, "--output", pins])
    try FileManager.default.removeItem(atPath: bundle + "/Notes.xcdatamodel")
    let outcome = try Program.run(["model", "check", bundle, "--pins", pins])
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("'Notes' is pinned and not in the model any more"))
  }

  @Test func neverWritesOverAnything() throws {
    let folder = try TemporaryFolder()
    let bundle = try XcodeFiles.bundle(in: folder)
    let store = try XcodeFiles.store(XcodeFiles.versions[0], in: folder)
    let pins = try folder.write(Array("{}".utf8), to: "pins.json")
    let before = FolderState(of: folder.path)
    for (target, options, words) in [
      (pins, [], "it exists; --force replaces it"), (store, ["--force"], "it is a database, which is not replaced"),
      (store + "-wal", [], "that is the name of a side file"),
      (bundle, ["--force"], "it exists and is not a regular file"),
    ] {
      let outcome = try Program.run(["model", "pin", bundle, "--output", target] + options)
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains(words))
    }
    #expect(FolderState(of: folder.path) == before)
    #expect(try Program.run(["model", "pin", bundle, "--output", pins, "--force"]).status == 0)
    #expect(try Program.run(["model", "check", bundle, "--pins", pins]).status == 0)
  }

  /// Released files of pins have their checksums in hex.
  @Test func readsPinsOfTheFormBefore() throws {
    let folder = try TemporaryFolder()
    let bundle = try XcodeFiles.bundle(in: folder)
    let pins = folder("pins.json")
    #expect(try Program.run(["model", "pin", bundle, "--output", pins]).status == 0)
    var text = String(decoding: try contents(of: pins), as: UTF8.self)
    for match in text.matches(of: /"checksum": "([^"]+)"/).reversed() {
      let bytes = try #require(Data(base64Encoded: String(match.1)))
      text.replaceSubrange(
        match.range, with: "\"checksum\": \"\(bytes.map { String(256 + UInt16($0), radix: 16).suffix(2) }.joined())\"")
    }
    let earlier = try folder.write(Array(text.replacing("pins/2", with: "pins/1").utf8), to: "earlier.json")
    #expect(try Program.run(["model", "check", bundle, "--pins", earlier]).status == 0)
    let mixed = try folder.write(Array(text.utf8), to: "mixed.json")
    #expect(try Program.run(["model", "check", bundle, "--pins", mixed]).status == 2)
  }

  @Test(arguments: [
    ("{", "line 1"), (#"{"schema": "storedoctor.model/1"}"#, "schema"),
    (#"{"schema": "storedoctor.pins/1", "versions": [{"name": 1}]}"#, "versions[0].name"),
    (#"{"schema": "storedoctor.pins/9", "versions": []}"#, "storedoctor.pins/2"),
    (
      #"{"schema": "storedoctor.pins/2", "versions": [{"name": "1", "checksum": "AA==", "entities": {}}]}"#,
      "versions[0].checksum: 32 bytes in base-64 are expected"
    ),
  ])
  func saysWhereAFileOfPinsIsWrong(text: String, place: String) throws {
    let folder = try TemporaryFolder()
    let bundle = try XcodeFiles.bundle(in: folder)
    let pins = try folder.write(Array(text.utf8), to: "pins.json")
    let outcome = try Program.run(["model", "check", bundle, "--pins", pins])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("cannot read the pins in '\(pins)': ") && outcome.errors.contains(place))
  }
}
