import StoreDataModel
import Foundation
import StorePropertyLists
import StoreGenerator
import TestSupport
import Testing

@Suite struct ModelSourceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func model(_ name: String) throws -> Model {
    try Model(entities: [Entity(name: name, properties: [.attribute("x", .string)])])
  }

  private func contents(_ name: String) -> [UInt8] {
    Array("<model><entity name='\(name)'><attribute name='x'/></entity></model>".utf8)
  }

  private var mappingModel: [UInt8] {
    var builder = KeyedArchiveBuilder()
    let root = builder.object(["NSMappingModel", "NSObject"], fields: [])
    return builder.binary(root: root)
  }

  @discardableResult
  private func write(_ bytes: [UInt8], to name: String) throws -> String {
    let parent = (folder(name) as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    return try folder.write(bytes, to: name)
  }

  private func message(_ path: String) -> String {
    do {
      let source = try ModelSource.read(path)
      return "read as \(source.format)"
    } catch {
      return error.description.replacingOccurrences(of: folder.path + "/", with: "")
    }
  }

  /// The error of each version of a bundle that cannot be read.
  private func failures(_ path: String) throws -> [String] {
    try ModelSource.read(path).versions.compactMap(\.failure).map {
      $0.description.replacingOccurrences(of: folder.path + "/", with: "")
    }
  }

  // MARK: Single models

  @Test func readsACompiledModelWhateverItsName() throws {
    let archive = try ModelArchive.archive(SampleModels.notes())
    for name in ["Notes.mom", "anything"] {
      let source = try ModelSource.read(write(archive, to: name))
      #expect(source.format == .compiled)
      #expect(source.versions.map(\.model) == [try SampleModels.notes()])
      #expect(source.current?.name == (name == "Notes.mom" ? "Notes" : "anything"))
    }
  }

  @Test func readsAnXMLArchive() throws {
    let binary = try PropertyList(ModelArchive.archive(SampleModels.shapes()))
    let source = try ModelSource.read(write(binary.value().xmlPropertyList(), to: "Shapes.mom"))
    #expect(source.format == .compiled)
    #expect(source.current?.model == (try SampleModels.shapes()))
  }

  @Test func readsXcodesModelAndItsFileAlike() throws {
    try write(contents("A"), to: "Notes 2.xcdatamodel/contents")
    for path in ["Notes 2.xcdatamodel", "Notes 2.xcdatamodel/", "Notes 2.xcdatamodel/contents"] {
      let source = try ModelSource.read(folder(path))
      #expect(source.format == .xcode)
      #expect(source.current?.name == "Notes 2")
      #expect(source.current?.model.entities.map(\.name) == ["A"])
    }
  }

  @Test func readsItsOwnJSON() throws {
    let versions = try ["2", "1"].map { ModelDocument.Version(name: $0, model: try model("E\($0)")) }
    for (current, missing) in [("1", []), ("3", ["3"])] {
      let document = try ModelDocument(versions: versions, currentVersion: current)
      let source = try ModelSource.read(write(Array(("\u{FEFF}\n" + document.json().text).utf8), to: "anything"))
      #expect(source.format == .json)
      #expect(source.versions.map(\.name) == ["2", "1"])
      #expect(source.versions.map(\.model) == versions.map(\.model))
      #expect(source.current?.name == (missing.isEmpty ? "1" : nil))
      #expect(source.missingVersionNames == missing)
    }
    try write(Array("{}".utf8), to: "x.json")
    #expect(message(folder("x.json")) == "cannot read 'x.json': 'schema' is missing")
  }

  // MARK: One version of several

  @Test func picksAVersionByItsName() throws {
    for name in ["V1", "V#2"] { try write(ModelArchive.archive(model(name)), to: "M#.momd/\(name).mom") }
    try write(contents("A"), to: "N.xcdatamodeld/A.xcdatamodel/contents")
    try write(contents("B"), to: "N.xcdatamodeld/B.xcdatamodel/contents")
    let document = try ModelDocument(versions: [
      .init(name: "1", model: model("A")), .init(name: "2", model: model("B")),
    ])
    try write(Array(document.json().text.utf8), to: "both.json")
    for (path, entity) in [
      ("M#.momd#V1", "V1"), ("M#.momd#V#2", "V#2"), ("N.xcdatamodeld#B", "B"), ("N.xcdatamodeld/#B", "B"),
      ("both.json#2", "B"),
    ] {
      let source = try ModelSource.read(folder(path))
      #expect(source.versions.map { $0.model.entities.map(\.name) } == [[entity]], "\(path)")
      #expect(source.current?.name == source.versions[0].name, "\(path)")
      #expect(source.missingVersionNames == [])
    }
  }

  @Test func takesAFileOfTheWholeNameFirst() throws {
    try write(ModelArchive.archive(model("A")), to: "M.momd/V1.mom")
    try write(ModelArchive.archive(model("B")), to: "M.momd#V1")
    #expect(try ModelSource.read(folder("M.momd#V1")).versions[0].model == (try model("B")))
  }

  @Test func readsAVersionBesideABrokenOne() throws {
    try write(ModelArchive.archive(model("A")), to: "M.momd/V1.mom")
    try write([], to: "M.momd/V2.mom")
    #expect(try ModelSource.read(folder("M.momd#V1")).current?.model == (try model("A")))
  }

  @Test func saysWhichVersionsThereAre() throws {
    for number in 1...3 { try write(ModelArchive.archive(model("A")), to: "M.momd/V\(number).mom") }
    #expect(message(folder("M.momd#V9")) == "cannot read 'M.momd': no version 'V9'; there is 'V1', 'V2', 'V3'")
    #expect(message(folder("M.momd/V1.mom#V2")) == "cannot read 'M.momd/V1.mom': no version 'V2'; there is 'V1'")
    #expect(message(folder("gone#V9")) == "cannot read 'gone#V9': no such file")
    #expect(message(folder("M.momd#")) == "cannot read 'M.momd#': no such file")
  }

  // MARK: Bundles

  @Test func readsACompiledBundle() throws {
    let models = ["V10": try model("C"), "V2": try model("B"), "V1": try model("A")]
    for (name, model) in models { try write(ModelArchive.archive(model), to: "M.momd/\(name).mom") }
    let hashes = models.mapValues { model in
      PropertyListValue.dictionary(model.versionHashes.byEntity.mapValues { .data($0.bytes) })
    }
    let checksum = Data(models["V2"]?.versionHashes.checksum ?? []).base64EncodedString()
    let info = PropertyListValue.dictionary([
      "NSManagedObjectModel_CurrentVersionName": .string("V2"),
      "NSManagedObjectModel_VersionHashes": .dictionary(hashes.merging(["V9": .dictionary([:])]) { $1 }),
      "NSManagedObjectModel_VersionChecksums": .dictionary(["V2": .string(checksum)]),
    ])
    try write(info.binaryPropertyList(), to: "M.momd/VersionInfo.plist")
    try write(Array("momv2$".utf8), to: "M.momd/V2.omo")

    let source = try ModelSource.read(folder("M.momd"))
    #expect(source.format == .compiledBundle)
    #expect(source.versions.map(\.name) == ["V1", "V2", "V10"])
    #expect(source.versions.map(\.model) == [try model("A"), try model("B"), try model("C")])
    #expect(source.versions.map(\.path) == ["V1", "V2", "V10"].map { folder("M.momd/\($0).mom") })
    #expect(source.current?.name == "V2")
    #expect(source.current?.model.origin == ModelOrigin(path: folder("M.momd/V2.mom"), version: "V2"))
    #expect(source.missingVersionNames == ["V9"])
    #expect(source.versions.map { $0.recorded?.hashes == $0.model.versionHashes } == [true, true, true])
    #expect(source.current?.recorded?.checksum == source.current?.model.versionHashes.checksum)
    #expect(source.versions[0].recorded?.checksum == nil)
  }

  @Test func readsXcodesBundle() throws {
    for (name, entity) in [("Notes", "A"), ("Notes 10", "C"), ("Notes 2", "B")] {
      try write(contents(entity), to: "N.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    #expect(try ModelSource.read(folder("N.xcdatamodeld")).currentVersionName == nil)
    let current = PropertyListValue.dictionary(["_XCCurrentVersionName": .string("Notes 10.xcdatamodel")])
    try write(current.xmlPropertyList(), to: "N.xcdatamodeld/.xccurrentversion")
    let source = try ModelSource.read(folder("N.xcdatamodeld"))
    #expect(source.format == .xcodeBundle)
    #expect(source.versions.map(\.name) == ["Notes", "Notes 2", "Notes 10"])
    #expect(source.current?.model.entities.map(\.name) == ["C"])
    #expect(source.missingVersionNames == [])
  }

  @Test func takesTheOnlyVersionForTheCurrentOne() throws {
    try write(contents("A"), to: "N.xcdatamodeld/Notes.xcdatamodel/contents")
    #expect(try ModelSource.read(folder("N.xcdatamodeld")).current?.name == "Notes")
    try write(ModelArchive.archive(model("A")), to: "M.momd/M.mom")
    #expect(try ModelSource.read(folder("M.momd")).current?.name == "M")
  }

  @Test func saysWhenTheCurrentVersionIsNotThere() throws {
    try write(contents("A"), to: "N.xcdatamodeld/Notes.xcdatamodel/contents")
    let current = PropertyListValue.dictionary(["_XCCurrentVersionName": .string("Gone.xcdatamodel")])
    try write(current.binaryPropertyList(), to: "N.xcdatamodeld/.xccurrentversion")
    let source = try ModelSource.read(folder("N.xcdatamodeld"))
    #expect(source.current == nil)
    #expect(source.missingVersionNames == ["Gone"])
  }

  @Test func takesListsOfTheWrongTypesForSilent() throws {
    try write(ModelArchive.archive(model("A")), to: "M.momd/V1.mom")
    for value in [PropertyListValue.integer(1), .array([]), .dictionary(["V1": .dictionary(["A": .data([1])])])] {
      let info = PropertyListValue.dictionary([
        "NSManagedObjectModel_CurrentVersionName": value, "NSManagedObjectModel_VersionHashes": value,
        "NSManagedObjectModel_VersionChecksums": value,
      ])
      try write(info.binaryPropertyList(), to: "M.momd/VersionInfo.plist")
      #expect(try ModelSource.read(folder("M.momd")).versions[0].recorded == nil)
    }
  }

  @Test func ordersVersionsByTheirNumbers() {
    let ordered = ["", "V", "V 2", "V1", "V1.2", "V1.10", "V2", "V02b", "V2b", "V10", "V99999999999999999999", "W"]
    for seed in 0..<20 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      #expect(ordered.shuffled(using: &random).sorted(by: versionNamesPrecede) == ordered)
    }
  }

  // MARK: Refusals

  @Test func saysWhatOtherFilesAre() throws {
    try write(Array("momv2$xyz".utf8), to: "V2.omo")
    try write(Array("SQLite format 3\0".utf8), to: "store.sqlite")
    try write(Array("@Model class Note {}".utf8), to: "Note.swift")
    try write([], to: "empty")
    try write(Array("bplist00".utf8), to: "broken.mom")
    try write(Array("<model><entity name='A'>".utf8), to: "X.xcdatamodel/contents")
    try write([], to: "App/Package.swift")
    try write([], to: "Old.xcdatamodel/elements")
    try write([], to: "Old.xcdatamodel/layout")
    try write([], to: "O.momd/V2.omo")
    try write([], to: "V1to2.xcmappingmodel/xcmapping.xml")
    try write(mappingModel, to: "V1to2.cdm")
    try FileManager.default.createDirectory(atPath: folder("none"), withIntermediateDirectories: true)
    let info = PropertyListValue.dictionary(["NSManagedObjectModel_VersionHashes": .dictionary([:])])
    try write(info.binaryPropertyList(), to: "VersionInfo.plist")

    #expect(message(folder("gone")) == "cannot read 'gone': no such file")
    #expect(
      message(folder("V2.omo")) == "cannot read 'V2.omo': an optimised model (.omo); give the '.mom' file beside it")
    #expect(message(folder("store.sqlite")) == "cannot read 'store.sqlite': a SQLite database, not a model file")
    #expect(
      message(folder("V1to2.cdm")).contains("a mapping model, which describes no model; give the models it"))
    #expect(
      message(folder("V1to2.xcmappingmodel")).contains("a mapping model, which describes no model; give the models it"))
    #expect(
      message(folder("Note.swift")) == "cannot read 'Note.swift': Swift source, which 'storedoctor-swiftdata' reads")
    #expect(message(folder("App")) == "cannot read 'App': Swift source, which 'storedoctor-swiftdata' reads")
    #expect(message(folder("empty")) == "cannot read 'empty': not a model that is known here")
    #expect(message(folder("broken.mom")).hasPrefix("cannot read 'broken.mom': "))
    #expect(
      message(folder("X.xcdatamodel"))
        == "cannot read 'X.xcdatamodel/contents': line 1, column 25: no element found")
    #expect(message(folder("Old.xcdatamodel")).contains("Xcode 3"))
    #expect(message(folder("O.momd")).contains("'.mom' files beside them"))
    #expect(message(folder("none")).contains("without a model in it"))
    #expect(message(folder("VersionInfo.plist")).contains("'.momd' folder"))
  }

  @Test func namesTheVersionThatIsBroken() throws {
    try write(ModelArchive.archive(model("A")), to: "M.momd/V1.mom")
    try write(Array(ModelArchive.archive(model("B")).prefix(200)), to: "M.momd/V2.mom")
    let source = try ModelSource.read(folder("M.momd"))
    #expect(source.versions.map { $0.failure == nil } == [true, false])
    #expect(source.versions[0].model == (try model("A")))
    #expect(try failures(folder("M.momd"))[0].hasPrefix("cannot read 'M.momd/V2.mom': "))
    // Asked for by name there is nothing else to use.
    #expect(message(folder("M.momd#V2")).hasPrefix("cannot read 'M.momd/V2.mom': "))
  }

  @Test func saysThatTheCurrentVersionIsBroken() throws {
    try write(contents("A"), to: "M.xcdatamodeld/V1.xcdatamodel/contents")
    try write(Array("<model".utf8), to: "M.xcdatamodeld/V2.xcdatamodel/contents")
    let current = PropertyListValue.dictionary(["_XCCurrentVersionName": .string("V2.xcdatamodel")])
    try write(current.xmlPropertyList(), to: "M.xcdatamodeld/.xccurrentversion")
    let source = try ModelSource.read(folder("M.xcdatamodeld"))
    #expect { try source.decidingVersion() } throws: { error in
      "\(error)".contains("M.xcdatamodeld/V2.xcdatamodel/contents': ")
        && "\(error)".contains("it is the current version; name another one as") && "\(error)".hasSuffix(": 'V1'")
    }
  }

  @Test func refusesABundleOfWhichNothingCanBeRead() throws {
    for name in ["V1", "V2"] { try write([], to: "M.xcdatamodeld/\(name).xcdatamodel/contents") }
    #expect(
      message(folder("M.xcdatamodeld"))
        == "cannot read 'M.xcdatamodeld/V1.xcdatamodel/contents': an empty file, in which there is no model")
  }

  @Test func saysWhatAnOldOrEmptyVersionIs() throws {
    try write(contents("A"), to: "M.xcdatamodeld/V1.xcdatamodel/contents")
    try write([0], to: "M.xcdatamodeld/V2.xcdatamodel/elements")
    try write([0], to: "M.xcdatamodeld/V3.xcdatamodel/.DS_Store")
    let failures = try failures(folder("M.xcdatamodeld"))
    #expect(failures[0].hasPrefix("cannot read 'M.xcdatamodeld/V2.xcdatamodel': a model as Xcode 3 kept it"))
    #expect(failures[1].hasPrefix("cannot read 'M.xcdatamodeld/V3.xcdatamodel': an empty folder"))
  }

  @Test func refusesLinksThatLeadOut() throws {
    let outside = try write(ModelArchive.archive(model("A")), to: "outside/V1.mom")
    try write(ModelArchive.archive(model("A")), to: "M.momd/V1.mom")
    let link = folder("M.momd/V2.mom")
    for target in [outside, "../outside/V1.mom"] {
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      #expect(
        try failures(folder("M.momd")) == ["cannot read 'M.momd/V2.mom': a link that leads out of the model bundle"])
      try FileManager.default.removeItem(atPath: link)
    }
    // A folder with the same beginning of its name is not inside.
    try write(ModelArchive.archive(model("A")), to: "M.momd-other/V1.mom")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../M.momd-other/V1.mom")
    #expect(try failures(folder("M.momd"))[0].hasSuffix("a link that leads out of the model bundle"))
    try FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(
      atPath: folder("M.momd/VersionInfo.plist"), withDestinationPath: "/dev/zero")
    #expect(message(folder("M.momd")).hasSuffix("a link that leads out of the model bundle"))
    try write(contents("A"), to: "elsewhere/contents")
    try FileManager.default.createDirectory(atPath: folder("N.xcdatamodeld"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder("N.xcdatamodeld/N.xcdatamodel"), withDestinationPath: "../elsewhere")
    #expect(message(folder("N.xcdatamodeld")).hasSuffix("a link that leads out of the model bundle"))
  }

  @Test func followsLinksToABundleAndInsideIt() throws {
    try write(ModelArchive.archive(model("A")), to: "M.momd/V1.mom")
    try FileManager.default.createSymbolicLink(atPath: folder("M.momd/V2.mom"), withDestinationPath: "V1.mom")
    try FileManager.default.createSymbolicLink(atPath: folder("L.momd"), withDestinationPath: "M.momd")
    #expect(try ModelSource.read(folder("L.momd")).versions.map(\.name) == ["V1", "V2"])
    try FileManager.default.createSymbolicLink(atPath: folder("M.momd/V3.mom"), withDestinationPath: "V3.mom")
    #expect(try failures(folder("M.momd"))[0].hasPrefix("cannot read 'M.momd/V3.mom': "))
  }

  @Test func doesNotWaitForAFIFO() throws {
    try FileManager.default.createDirectory(atPath: folder("M.momd"), withIntermediateDirectories: true)
    #expect(mkfifo(folder("M.momd/V1.mom"), 0o600) == 0)
    #expect(message(folder("M.momd")) == "cannot read 'M.momd/V1.mom': not a regular file")
    #expect(message(folder("M.momd/V1.mom")) == "cannot read 'M.momd/V1.mom': not a regular file")
  }

  @Test func refusesWhatIsTooLarge() throws {
    let path = try write([], to: "large.mom")
    #expect(truncate(path, (64 << 20) + 1) == 0)
    #expect(message(path) == "cannot read 'large.mom': 67108865 bytes, more than 67108864")
    for number in 0...1_000 { try write([], to: "M.momd/V\(number).mom") }
    #expect(message(folder("M.momd")) == "cannot read 'M.momd': 1001 versions, more than 1000")
  }

  @Test func leavesTheFilesAsTheyWere() throws {
    let path = try write(ModelArchive.archive(model("A")), to: "M.momd/V1.mom")
    let before = try FileManager.default.attributesOfItem(atPath: path)
    _ = try ModelSource.read(folder("M.momd"))
    let after = try FileManager.default.attributesOfItem(atPath: path)
    #expect(before[.modificationDate] as? Date == after[.modificationDate] as? Date)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder("M.momd")) == ["V1.mom"])
  }
}
