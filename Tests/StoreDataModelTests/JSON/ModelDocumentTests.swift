import StoreDataModel
import Foundation
import StoreJSON
import StoreGenerator
import TestSupport
import Testing

@Suite struct ModelDocumentTests {
  private func document(_ model: Model) throws -> ModelDocument {
    try ModelDocument(versions: [.init(name: "1", model: model)])
  }

  /// A document that was written by hand and is laid out in another way.
  @Test func readsTheFuzzersSeed() throws {
    let seed = try Data(contentsOf: URL(fileURLWithPath: Project.path("Fuzz/seeds/model/json-document")))
    let model = try ModelDocument(Array(seed.dropFirst())).versions[0].model
    #expect(model.entities.map(\.name) == ["Base", "Note", "Tag"])
    #expect(model.entity(named: "Note")?.properties.count == 7)
  }

  private func read(_ versions: String) throws -> ModelDocument {
    try ModelDocument(Array("{\"schema\": \"storedoctor.model/1\", \"versions\": \(versions)}".utf8))
  }

  private func message(_ entities: String) -> String {
    do {
      return "read as \(try read(#"[{"name": "1", "model": {"entities": [\#(entities)]}}]"#))"
    } catch {
      return "\(error)"
    }
  }

  @Test func writesOnlyWhatSaysSomething() throws {
    let post = Entity(name: "Post", properties: [.attribute("color", .string), .attribute("date", .date)])
    let text = try document(Model(entities: [post])).json(toolVersion: "1.2.3").text
    #expect(
      text == """
        {
          "schema": "storedoctor.model/1",
          "tool": {
            "version": "1.2.3"
          },
          "versions": [
            {
              "model": {
                "entities": [
                  {
                    "attributes": [
                      {
                        "name": "color",
                        "optional": true,
                        "type": "String"
                      },
                      {
                        "name": "date",
                        "optional": true,
                        "type": "Date"
                      }
                    ],
                    "name": "Post",
                    "versionHash": "\(try #require(try Model(entities: [post]).versionHashes.byEntity["Post"]))"
                  }
                ]
              },
              "name": "1"
            }
          ]
        }

        """)
  }

  @Test func keepsVersionsInOrder() throws {
    let versions = ["B", "A"].map { ModelDocument.Version(name: $0, model: model($0)) }
    let document = try ModelDocument(versions: versions, currentVersion: "Gone")
    #expect(try ModelDocument(Array(document.json().text.utf8)) == document)
  }

  private func model(_ entity: String) -> Model {
    guard let model = try? Model(entities: [Entity(name: entity)]) else { preconditionFailure("one entity is sound") }
    return model
  }

  @Test(arguments: [try SampleModels.notes(), try SampleModels.shapes(), try EveryValue.model()])
  func readsBackWhatIsWritten(_ model: Model) throws { try expectToComeBack(model) }

  @Test func readsRandomModelsBack() throws {
    for seed in LongRuns.seeds(100, whole: 10_000) {
      try expectToComeBack(RandomModel.make(seed: seed), "seed \(seed)")
    }
  }

  @Test(.needsSharedData) func readsEveryVectorBack() throws {
    for file in try VersionHashVector.files() {
      let vector = try VersionHashVector(file: file)
      try expectToComeBack(vector.makeModel(), file)
    }
  }

  private func expectToComeBack(_ model: Model, _ comment: String = "") throws {
    let text = try document(model).json().text
    let read = try ModelDocument(Array(text.utf8))
    #expect(read.versions[0].model == model, "\(comment)")
    #expect(read.json().text == text, "\(comment)")
    #expect(read.versions[0].model.versionHashes == model.versionHashes, "\(comment)")
    #expect(Uncompared(read.versions[0].model) == Uncompared(model), "\(comment)")
    // The validator is slow, and large documents test nothing new.
    guard text.utf8.count < 100_000 else { return }
    let violations = try schema.get().violations(in: JSONTree(text))
    #expect(violations.isEmpty, "\(comment) \(violations.prefix(5).map(\.description).joined(separator: "\n"))")
  }

  // MARK: Errors

  @Test(arguments: [
    (#"{"name": 1}"#, "versions[0].model.entities[0].name: a text is expected"),
    (#"{"nmae": "A"}"#, "versions[0].model.entities[0]: unknown member 'nmae'"),
    (
      #"{"name": "A", "attributes": [{"name": "x", "type": "String"}, {"name": "y", "type": "Text"}]}"#,
      "versions[0].model.entities[0].attributes[1].type: 'Text' is no attribute type; 'Integer 64', 'String' or "
        + "'Date' are, and so is a number"
    ),
    (
      #"{"name": "A", "relationships": [{"name": "x", "destination": "B"}]}"#,
      "versions[0].model.entities[0]: destination entity 'B' of 'A.x' is not in the model"
    ),
    (#"{"name": "A"}, {"name": "A"}"#, "versions[0].model.entities[1]: entity 'A' occurs twice"),
    (
      #"{"name": "A", "relationships": [{"name": "x", "destination": "A", "maximumCount": 2147483648}]}"#,
      "versions[0].model.entities[0].relationships[0].maximumCount: a whole number from -2147483648 to 2147483647 "
        + "is expected"
    ),
    (
      #"{"name": "A", "attributes": [{"name": "x", "type": 7, "default": {"integer": 1, "real": 2}}]}"#,
      "versions[0].model.entities[0].attributes[0].default: one of 'boolean', 'class', 'data', 'date', 'decimal', "
        + "'integer', 'real', 'string', 'uri', 'uuid' is expected"
    ),
    (
      #"{"name": "A", "attributes": [{"name": "x", "type": "UUID", "default": {"uuid": "0g"}}]}"#,
      "versions[0].model.entities[0].attributes[0].default.uuid: hex digits, two a byte"
    ),
  ])
  func saysWhereTheDocumentIsWrong(_ entities: String, _ expected: String) {
    #expect(message(entities) == expected)
  }

  @Test func refusesAHashThatIsNotTheEntitys() throws {
    let text = try document(SampleModels.notes()).json().text
    let hash = try #require(SampleModels.notes().versionHashes.byEntity["Note"]).description
    let other = String(hash.reversed())
    #expect {
      try ModelDocument(Array(text.replacing(hash, with: other).utf8))
    } throws: {
      "\($0)"
        == "versions[0].model.entities[3].versionHash: the version hash of 'Note' is \(hash); correct the entity, "
        + "or leave the hash out"
    }
  }

  @Test(arguments: [
    ("{}", "'schema' is missing"), ("[]", "an object is expected"), ("{", "line 1, column 2: the name of a member"),
    (#"{"schema": "storedoctor.model/2"}"#, "schema: 'storedoctor.model/1' is expected"),
    (#"{"schema": "storedoctor.model/1", "versions": []}"#, "versions: no version of a model"),
    (
      #"{"schema": "storedoctor.model/1", "versions": [{"name": "1", "model": {"entities": []}}, {"name": "1", "model": {"entities": []}}]}"#,
      "versions[1].name: version '1' occurs twice"
    ),
  ])
  func refusesOtherDocuments(_ text: String, _ expected: String) {
    #expect {
      try ModelDocument(Array(text.utf8))
    } throws: {
      "\($0)".hasPrefix(expected)
    }
  }

  /// Damaged input gives a document or an error, never a crash.
  @Test func survivesInjuries() throws {
    for seed in LongRuns.seeds(500, whole: 50_000) {
      var random = SeededGenerator(seed: seed)
      var bytes = Array(try document(RandomModel.make(seed: seed % 20)).json().text.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let position = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[position] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(position..<min(position + 9, bytes.count))
        default: bytes.insert(contentsOf: bytes[position...].prefix(40), at: position)
        }
      }
      guard let read = try? ModelDocument(bytes) else { continue }
      #expect(read.versions.count == 1, "seed \(seed)")
    }
  }
}

/// The parts of a model that `==` leaves out.
private struct Uncompared: Equatable {
  var texts: [[String: String]]
  var requests: [FetchRequest]

  init(_ model: Model) {
    texts = model.entities.flatMap {
      [$0.userInfo, $0.sourceFields] + $0.properties.flatMap { [$0.userInfo, $0.sourceFields] }
    }
    texts += model.fetchRequests.map(\.sourceFields)
    requests = model.fetchRequests
  }
}

private let schema = Result {
  try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/model.json"), encoding: .utf8))
}
