import StoreDataModel
import Foundation
import TestSupport
import Testing

/// What the built program prints as JSON is what `docs/schemas` promises to scripts.
@Suite struct ModelSchemaTests {
  private let notes = Project.path("corpus/Notes.xcdatamodeld")
  private let store = Project.path("corpus/Notes.sqlite")
  private let shapes = Project.path("corpus/Shapes.sqlite")

  @Test func modelsFollowTheirSchema() throws {
    for model in [notes, store, shapes] { try expect("model", ["show", model]) }
  }

  @Test func hashesFollowTheirSchema() throws {
    for model in [notes, store, shapes, notes + "#Notes"] { try expect("model-hashes", ["hash", model]) }
    try expect("model-hashes", ["hash", notes, "--entity", "Tag"])
    let folder = try TemporaryFolder()
    try expect(
      "model-hashes", ["hash", XcodeFiles.bundle([XcodeFiles.versions[0], XcodeFiles.versions[0]], in: folder)])
  }

  @Test func differencesFollowTheirSchema() throws {
    for (old, new) in [(store, notes), (notes, store), (shapes, notes), (store, store)] {
      try expect("model-diff", ["diff", old, new])
    }
  }

  @Test func matchesFollowTheirSchema() throws {
    try expect("model-match", ["match", store, notes], answer: "version")
    try expect("model-match", ["match", shapes, notes], answer: "none")
    let folder = try TemporaryFolder()
    let bundle = try XcodeFiles.bundle(in: folder)
    let trip = #"<entity name="Trip"><attribute name="name" optional="YES" attributeType="String"/></entity>"#
    let trips = folder("Trips.xcdatamodel")
    try XcodeFiles.write(XcodeFiles.contents(trip), to: trips + "/contents")
    let merged = try XcodeFiles.store(
      Model(entities: [bundle + "#Notes", trips].flatMap { try ModelSource.read($0).versions[0].model.entities }),
      in: folder)
    try expect("model-match", ["match", merged, bundle, trips], answer: "union")
    try expect("model-match", ["match", merged, bundle], answer: "part")
    let hashes = try ModelSource.read(bundle).versions.map(\.model.versionHashes)
    let mapping = try folder.write(MappingModelFile(from: hashes[0], to: hashes[1]).bytes, to: "1to2.cdm")
    try expect("model-match", ["match", merged, bundle, mapping], answer: "part")
    try expect("model-match", ["match", shapes, notes, mapping], answer: "none")
  }

  @Test(.needs("git")) func matchesWithAHistoryFollowTheirSchema() throws {
    let folder = try TemporaryFolder()
    let repository = folder("history.git")
    _ = try GeneratedHistory.write(to: repository, commits: 40, models: 6)
    let known = try XcodeFiles.store(GeneratedHistory.contents(3), in: folder)
    try expect("model-match", ["match", known, "--git", repository], answer: "none")
    try expect("model-match", ["match", store, notes, "--git", repository], answer: "version")
    try expect("model-match", ["match", shapes, "--git", repository], answer: "none")
  }

  @Test func pinsAndTheirCheckFollowTheirSchemas() throws {
    let folder = try TemporaryFolder()
    let bundle = try XcodeFiles.bundle(in: folder)
    let pins = folder("released.json")
    _ = try Program.run(["model", "pin", bundle, "--output", pins])
    try expect("pins", document: String(decoding: contents(of: pins), as: UTF8.self))
    try expect("pins", document: Program.run(["model", "pin", shapes]).output)
    try expect("pin-check", ["check", bundle, "--pins", pins])
    let edited = XcodeFiles.versions[1].replacing("attributeType", with: #"optional="YES" attributeType"#)
    try XcodeFiles.write(edited, to: bundle + "/Notes 2.xcdatamodel/contents")
    try FileManager.default.removeItem(atPath: bundle + "/Notes.xcdatamodel")
    try expect("pin-check", ["check", bundle, "--pins", pins])
  }

  /// The schemas are strict enough to refuse documents that were changed.
  @Test(arguments: [
    ("model-hashes", ["hash"], "\"checksum\": \"", "\"checksum\": \"x", "/versions/0/checksum"),
    ("model-match", ["match"], "\"hasModel\": true", "\"hasModel\": 1", "/store/hasModel"),
    ("model-match", ["match"], "\"isEqual\"", "\"equals\"", "/candidates/0/comparison"),
    ("model-match", ["match"], "37\",\n    \"framework", "=\",\n    \"framework", "/store/checksum"),
    ("pins", ["pin"], "\"hash\": ", "\"hush\": ", "/versions/0/entities/Folder"),
  ])
  func aBrokenPromiseIsNoticed(
    kind: String, command: [String], original: String, changed: String, pointer: String
  ) throws {
    let arguments = command == ["match"] ? ["match", store, notes] : command + [notes]
    let text = try Program.run(["model"] + arguments + (kind == "pins" ? [] : ["--format", "json"])).output
    let range = try #require(text.range(of: original))
    let document = try JSONTree(text.replacingCharacters(in: range, with: changed))
    #expect(try JSONSchema.of(kind).violations(in: document).contains { $0.pointer == pointer })
  }

  private func expect(_ kind: String, _ command: [String], answer: String? = nil) throws {
    let outcome = try Program.run(["model"] + command + ["--format", "json"])
    #expect(outcome.errors == "")
    try expect(kind, document: outcome.output)
    if let answer { #expect(try JSONTree(outcome.output)["answer"]?["kind"]?.string == answer) }
  }

  private func expect(_ kind: String, document: String) throws {
    let violations = try JSONSchema.of(kind).violations(in: JSONTree(document))
    #expect(violations.isEmpty, "\(kind): \(violations.prefix(5).map(\.description).joined(separator: "\n"))")
  }
}
