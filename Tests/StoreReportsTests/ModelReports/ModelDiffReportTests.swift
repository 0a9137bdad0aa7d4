import StoreMigration
import StoreDataModel
import Foundation
import StoreReports
import TestSupport
import Testing

@Suite struct ModelDiffReportTests {
  private func report(_ old: [String], _ new: [String], entities: [String] = []) throws -> ModelDiffReport {
    let difference = ModelDifference(from: try ModelNotation.model(old), to: try ModelNotation.model(new))
    return ModelDiffReport(
      source: .init(path: "Notes.momd", version: "Notes"), destination: .init(path: "Notes.momd", version: "Notes 2"),
      inference: MigrationInference(difference), entities: entities)
  }

  private let old = ["Note: title String?; text String?; rank I16=0; price I64?; n I64?", "Tag: name String?"]
  private let new = [
    "Memo was(Note) unique(title): title String; plainText String?; rank I16=5; price Decimal?; n I16?; author String",
    "Tag: name String?; photo Binary? ext",
  ]

  @Test func answersFirstAndThenShowsEachChange() throws {
    let text = try report(old, new).text(width: 80, isStyled: false)
    #expect(
      text == """
        9 changes enter the hash; lightweight migration: yes, if 3 conditions hold,
        losing the values of Note.text
          from  Notes.momd, version 'Notes'
          to    Notes.momd, version 'Notes 2'

        Memo
          # renamed from Note
              rows: all rows are kept
          # unique now: title
              rows: unchanged; a unique index is made
              passes if no two rows of Note are equal in title; else fails with 134110
          # author: attribute added, String, required
              rows: there is no value to give them
              passes if there is no Note; else fails with 134110
          # n: type Integer 64 -> Integer 16
              rows: values are kept in the file; one that does not fit is read
              differently
              worth a look unless n of every Note fits Integer 16 (assumed)
          # plainText: attribute added, String, optional
              rows: NULL in every row
          # price: type Integer 64 -> Decimal
              rows: values are kept
          - rank: default 0 -> 5
          # text: attribute removed, String, optional
              rows: its values are lost
          # title: required now
              passes if no Note has NULL in title; else fails with 134110

        Tag
          # photo: attribute added, Binary, external storage, optional
              rows: NULL in every row

          # enters the hash, - does not

        Likely renames without renaming identifier
          ! Memo: 'text' and 'plainText' have the same type and options and similar
            names; only the renaming identifier 'text' keeps what is stored

        """)
  }

  @Test(arguments: [
    (["N: a I16=0"], ["N: a I16=0"], "equal"),
    (["N: a I16=0"], ["N: a I16=5"], "the one change does not enter the hash: a store of the one opens with the other"),
    (["N: a String"], ["N: a String; b String?"], "1 change enters the hash; lightweight migration: yes"),
    (
      ["N: a String?"], ["N: a String; b String?"],
      "2 changes enter the hash; lightweight migration: yes, if no N has NULL in a"
    ),
    (
      ["N: a String?"], ["N: a UUID?"],
      "1 change enters the hash; lightweight migration: no, N.a: type String -> UUID (assumed)"
    ),
    (
      ["N: a String?; b String?"], ["N: a String?"],
      "1 change enters the hash; lightweight migration: yes, losing the values of N.b"
    ),
    (
      ["N: a String?; b UUID?", "O: c Date?", "P: d Date?"], ["N: title String"],
      "5 changes enter the hash; lightweight migration: yes, if there is no N, "
        + "losing the rows of 2 removed entities and the values of 2 removed properties"
    ),
    (
      ["Animal: span Double?", "Bird<Animal: wings Bool?", "Cat<Animal: lives I16?"],
      ["Animal", "Bird<Animal: wings Bool?; span Double?", "Cat<Animal: lives I16?"],
      "1 change enters the hash; lightweight migration: yes, losing some values of Animal.span"
    ),
    (["N: a Double?"], ["N: a Float?"], "1 change enters the hash; lightweight migration: yes (assumed)"),
    (
      ["N: p Composite of(a I16?)"], ["N: q Composite of(a I16?)"],
      "none of 2 changes enters the hash: a store of the one opens with the other (assumed)"
    ),
  ])
  func theFirstLineIsTheAnswer(_ old: [String], _ new: [String], _ answer: String) throws {
    #expect(try report(old, new).verdict == answer)
  }

  @Test func showsOnlyTheEntitiesAskedForAndAnswersForAll() throws {
    let text = try report(old, new, entities: ["Tag"]).text(width: 80, isStyled: false)
    #expect(text.hasPrefix("9 changes enter the hash"))
    #expect(text.contains("\nTag\n") && !text.contains("\nMemo\n"))
  }

  @Test func namesCannotActOnATerminalAndLinesKeepTheWidth() throws {
    let hostile = "N\u{1B}[31m\u{202E}"
    let old = try Model(entities: [
      Entity(name: "A", properties: [Property(name: "b", isOptional: true, kind: .attribute(Attribute(type: .string)))])
    ])
    let new = try Model(
      entities: [
        Entity(
          name: "A",
          properties: [Property(name: hostile, renamingIdentifier: "b", kind: .attribute(Attribute(type: .string)))],
          versionHashModifier: hostile),
        Entity(name: hostile, className: hostile),
      ], versionIdentifiers: [hostile])
    let report = ModelDiffReport(
      source: .init(path: hostile, version: hostile), destination: .init(path: hostile),
      inference: MigrationInference(ModelDifference(from: old, to: new)))
    let text = report.text(width: 80, isStyled: false) + report.json.text
    #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    #expect(report.text(width: 80, isStyled: false).split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  // MARK: JSON

  @Test func theJSONFollowsItsSchema() throws {
    let schema = try JSONSchema(
      String(contentsOfFile: Project.path("docs/schemas/model-diff.json"), encoding: .utf8))
    for (old, new) in [(old, new), (new, old), (old, old), (["A: a String"], ["B: b UUID"])] {
      let violations = try schema.violations(in: JSONTree(report(old, new).json.text))
      #expect(violations.isEmpty, "\(violations.prefix(5))")
    }
    let broken = try report(old, new).json.text.replacing("\"kind\": \"type\"", with: "\"kind\": \"typo\"")
    #expect(try !schema.violations(in: JSONTree(broken)).isEmpty)
  }

  @Test func theJSONListsWhatIsLost() throws {
    let document = try JSONTree(report(old + ["Draft: text String"], new).json.text)
    let losses = try #require(document["lightweight"]?["losses"]?.list)
    let words = losses.map { loss in ["kind", "entity", "property"].compactMap { loss[$0]?.string } }
    #expect(Set(words) == [["rows", "Draft"], ["values", "Note", "text"]])
  }

  @Test(.needsSharedData) func theJSONOfRealModelsFollowsItsSchema() throws {
    let schema = try JSONSchema(
      String(contentsOfFile: Project.path("docs/schemas/model-diff.json"), encoding: .utf8))
    for (old, new) in [("13.0.0", "14.0.0"), ("15.4.1", "26.1"), ("26.1", "10.15.4")] {
      let models = try [old, new].map {
        try VersionHashVector(file: SharedData.path("vectors/osxphotos-test-\($0)-photos.json")).makeModel()
      }
      let report = ModelDiffReport(
        source: .init(path: old), destination: .init(path: new),
        inference: MigrationInference(ModelDifference(from: models[0], to: models[1])))
      let violations = try schema.violations(in: JSONTree(report.json.text))
      #expect(violations.isEmpty, "\(violations.prefix(5))")
      let lines = report.text(width: 80, isStyled: false).split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= 90 }, "\(lines.first { $0.count > 90 } ?? "")")
    }
  }
}
