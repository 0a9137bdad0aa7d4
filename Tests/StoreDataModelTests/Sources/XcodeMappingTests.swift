import StoreDataModel
import Foundation
import TestSupport
import Testing

/// Mapping models in Xcode's form.
@Suite struct XcodeMappingTests {
  private let old = [
    "Base abstract: id UUID", "Note<Base unique(title): title String; folder ->Folder?~notes",
    "Folder: notes ->>?Note~folder ordered min(0) max(9); tags ->>?Tag mod(2)", "Tag: name String?; icon Binary ext",
  ]
  private let new = ["Note: title I64; when Date? transient"]

  @Test func readsBothModelsWholeAndTheMappings() throws {
    let (source, destination) = try (ModelNotation.model(old), ModelNotation.model(new))
    var file = XcodeMappingFile(from: source, to: destination)
    file.policies = ["Note": "NotePolicy"]
    let mapping = try MappingModel.read(Array(file.text.utf8), path: "xcmapping.xml")
    #expect(mapping.sourceHashes == source.versionHashes)
    #expect(mapping.destinationHashes == destination.versionHashes)
    #expect(mapping.models?.unread == [])
    #expect(mapping.entityMappings.map(\.name) == ["Base", "Folder", "NoteToNote", "Tag"])
    #expect(mapping.entityMappings.map { $0.destination?.entity } == [nil, nil, "Note", nil])
    #expect(mapping.policyClassNames == ["NotePolicy"])
    let folder = try TemporaryFolder()
    #expect(try MappingModel.read(file.write(to: folder("1to2.xcmappingmodel"))).sourceHashes == source.versionHashes)
  }

  /// An unknown stereotype with a value may affect the hash, so it is reported.
  @Test func saysWhatOfTheModelsIsNotRead() throws {
    var file = XcodeMappingFile(from: try ModelNotation.model(new), to: try ModelNotation.model(new))
    file.unknownField = "XD_PAttK_somethingNew"
    let mapping = try MappingModel.read(Array(file.text.utf8), path: "xcmapping.xml")
    let words = ["Note.title", "Note.when"].map { "\($0): 'XD_PAttK_somethingNew' is not known here" }
    #expect(mapping.models?.unread == words + words)
  }

  @Test(arguments: [
    (#"<!DOCTYPE database SYSTEM "file:///etc/passwd">"#, "is not the one of such a file"),
    (#"<!DOCTYPE model SYSTEM "file:///System/Library/DTDs/CoreData.dtd">"#, "is not the one of such a file"),
    (
      #"<!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd" [<!ENTITY a "b">]>"#,
      "is not the one of such a file"
    ),
    (
      #"<!DOCTYPE database PUBLIC "x" "file:///System/Library/DTDs/CoreData.dtd">"#, "is not the one of such a file"
    ),
  ])
  func refusesEveryOtherDoctype(_ doctype: String, _ words: String) throws {
    var file = XcodeMappingFile(from: try ModelNotation.model(new), to: try ModelNotation.model(new))
    file.doctype = doctype
    #expect { try MappingModel.read(Array(file.text.utf8), path: "x.xml") } throws: { "\($0)".contains(words) }
  }

  @Test func refusesWhatIsNoMapping() throws {
    let file = XcodeMappingFile(from: try ModelNotation.model(new), to: try ModelNotation.model(new)).text
    for (text, words) in [
      (file.replacing("XDDEVMAPPINGMODEL", with: "OTHER"), "no object 'XDDEVMAPPINGMODEL'"),
      (file.replacing("sourcemodeldata", with: "other"), "the source model is missing or no base-64"),
      (file.replacing("Undefined", with: "&nobody;"), "an entity without declaration"),
      (file.replacing("<database>", with: "<database><object>"), "mismatched tag"),
    ] {
      #expect { try MappingModel.read(Array(text.utf8), path: "x.xml") } throws: { "\($0)".contains(words) }
    }
    #expect {
      try ModelSource.read(Array(file.utf8), path: "xcmapping.xml")
    } throws: {
      ($0 as? ModelSourceError)?.kind == .mappingModel
    }
  }

  /// Written by Python's `plistlib`, not by this project's archiver.
  @Test func readsTheFuzzersSeed() throws {
    let seed = try Data(contentsOf: URL(fileURLWithPath: Project.path("Fuzz/seeds/model/xcode-mapping")))
    let mapping = try MappingModel.read(Array(seed.dropFirst()), path: "seed.xml")
    #expect(mapping.sourceHashes == (try ModelNotation.model(["Note: title String?"])).versionHashes)
    #expect(mapping.destinationHashes == (try ModelNotation.model(["Note: title I64?"])).versionHashes)
    #expect(mapping.policyClassNames == ["NotePolicy"])
  }

  @Test func survivesInjuries() throws {
    let (source, destination) = try (ModelNotation.model(old), ModelNotation.model(new))
    let whole = Array(XcodeMappingFile(from: source, to: destination).text.utf8)
    for seed in LongRuns.seeds(200, whole: 20_000) {
      var random = SeededGenerator(seed: seed)
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = try? MappingModel.read(bytes, path: "x.xml")
    }
  }
}
