import Foundation
import StoreDataModel
import StoreModels
import StoreRepair
import StoreReports
import StoreSQLite
import TestSupport
import Testing

/// The Swift of a recipe's stage: it compiles, says what it leaves out, and escapes what it names.
@Suite struct StageCodeTests {
  private static let notes = [
    "Folder: name String?; notes ->>Note?~folder",
    "Note: title String?; body String?; n I64?; small I16?; size Double?; ratio Float?; price Decimal?; done Bool?; "
      + "at Date?; id UUID?; link URI?; folder ->Folder?~notes",
  ]

  private func stage(_ yaml: String, _ old: [String] = notes, _ new: [String] = notes) throws -> RecipeStage {
    RecipeStage(
      from: "Old 1", to: "New 1", source: try ModelNotation.model(old), destination: try ModelNotation.model(new),
      recipe: try StageRecipe(reading: Array(("version: 1\n" + yaml).utf8)), path: "stage.yaml")
  }

  private let swiftData = StageApp.swiftData(plan: nil, versions: [:])

  /// What the compiler says of the code, with the classes of both versions for SwiftData.
  private func complaints(_ stage: RecipeStage, _ code: StageCode, isSwiftData: Bool) throws -> String {
    let text = code.text.replacing(#/#warning\(.*\)/#, with: "")
    guard isSwiftData else {
      return try SwiftCompiler.complaints(
        aboutFiles: [StandIns.coreData, text.replacing("import CoreData", with: "import Foundation")])
    }
    let classes = [(stage.source, "Old 1"), (stage.destination, "New 1")].map {
      forStandIns(SwiftDataWriter($0.0, schemaName: $0.1).text)
    }
    return try SwiftCompiler.complaints(
      aboutFiles: [StandIns.swiftData] + classes + [text.replacing("import SwiftData\n", with: "")])
  }

  private func forStandIns(_ source: String) -> String {
    source.replacing("import SwiftData\n", with: "").replacing("  @Model\n", with: "")
      .replacing(#/class ([A-Za-z_`]+) {/#) { "class \($0.1): PersistentModel {" }
  }

  private static let everything = """
    willMigrate:
      relink:
        - {entity: Note, relationship: folder, match: {title: name}, compare: casefolded}
      dedupe:
        - {entity: Note, by: [title, folder], compare: normalized, nulls: equal, keep: {newest: at}, others: delete}
        - {entity: Folder, by: [name], compare: trimmed, keep: last, others: delete}
        - {entity: Note, by: [n, size, done, id], keep: {oldest: n}, others: delete}
    didMigrate:
      backfill:
        - {entity: Note, attribute: title, from: folder.name, group: [folder, n], value: "Say \\"hi\\""}
        - {entity: Note, attribute: body, expression: "upper(trim(title)) || lower(replace(body, 'a', 'b')) || text(at) || text(n) || text(size) || text(done) || text(id) || substring(title, 2) || substring(title, 1, 3)"}
        - {entity: Note, attribute: n, expression: "unix(was.at) + length(title) * 2 - integer(title) % 3 / abs(-n) + integer(size)"}
        - {entity: Note, attribute: small, generate: sequence}
        - {entity: Note, attribute: size, expression: "round(number(title), 2) + julian(at) - reference(at) * 1.5 / size % 3 + abs(size) + round(ratio) + number(done)"}
        - {entity: Note, attribute: ratio, expression: "coalesce(ratio, null, price, 0.5)"}
        - {entity: Note, attribute: price, from: was.price}
        - {entity: Note, attribute: done, expression: "case when n > 5 and not done or at is null then true when title = 'x' or size >= n then false else done end"}
        - {entity: Note, attribute: at, expression: "date(n, 'unix') + 60", generate: now}
        - {entity: Note, attribute: id, expression: "coalesce(uuid(title), uuid())"}
        - {entity: Note, attribute: link, from: was.link, expression: "was.folder.name", value: "https://example.org"}
    """

  @Test(.enabled(if: SwiftCompiler.isPresent, "skipped: no swiftc"), arguments: [true, false])
  func everyFunctionTypeChecks(_ isSwiftData: Bool) throws {
    let stage = try stage(Self.everything)
    let code = StageCode([stage], for: isSwiftData ? swiftData : .coreData)
    #expect(code.omissions.map(\.description) == [])
    #expect(try complaints(stage, code, isSwiftData: isSwiftData) == "")
    // The check itself can fail: the compiler finds a function that is missing.
    var mistaken = code
    mistaken.text = code.text.replacing("static func trim(", with: "static func trimm(")
    #expect(try complaints(stage, mistaken, isSwiftData: isSwiftData) != "")
  }

  @Test func aBackfillInSwiftData() throws {
    let code = StageCode(
      [
        try stage(
          """
          didMigrate:
            backfill:
              - {entity: Note, attribute: n, expression: "unix(was.at)"}
          """)
      ], for: .swiftData(plan: "NotesPlan", versions: [:]))
    let start = try #require(code.text.range(of: "extension NotesPlan"))
    let end = try #require(code.text.range(of: "\n\n/// What the stages call"))
    #expect(
      code.text[start.lowerBound..<end.lowerBound] == """
        extension NotesPlan {
          static let old1ToNew1 = MigrationStage.custom(
            fromVersion: Old1.self, toVersion: New1.self,
            willMigrate: { context in
              // what didMigrate needs of Note as it was
              Old1ToNew1Past.shared.objects1 = [:]
              for object in try StageValue.inOrder(Old1.Note.self, context) {
                Old1ToNew1Past.shared.objects1[try StageValue.key(of: object)] = .init(at: object.at)
              }
            },
            didMigrate: { context in
              // backfill of Note.n (line 4)
              for object in try StageValue.inOrder(New1.Note.self, context) where object.n == nil {
                let was1 = Old1ToNew1Past.shared.objects1[try StageValue.key(of: object)]
                object.n = try? StageValue.fitted(StageValue.unix(StageValue.seconds(was1?.at)))
              }
              try context.save()
              Old1ToNew1Past.shared.forget()
            })
        }

        /// Values of before the structural step, by the key of their object, which stays.
        private final class Old1ToNew1Past: @unchecked Sendable {
          static let shared = Old1ToNew1Past()

          /// Note
          var objects1: [Int64: Objects1] = [:]

          struct Objects1 {
            var at: Date?
          }

          func forget() { objects1 = [:] }
        }
        """)
    #expect(code.text.contains("never run where this was made"))
  }

  @Test func aDeletionInCoreData() throws {
    let code = StageCode(
      [
        try stage(
          """
          willMigrate:
            dedupe:
              - {entity: Note, by: [title], keep: {newest: at}, others: delete}
          """)
      ], for: .coreData)
    let start = try #require(code.text.range(of: "  stage.willMigrateHandler"))
    let end = try #require(code.text.range(of: "  return stage"))
    #expect(
      code.text[start.lowerBound..<end.lowerBound] == """
          stage.willMigrateHandler = { manager, _ in
            let context = try StageValue.context(manager)
            try context.performAndWait {
              // dedupe of Note by title (line 4)
              let twins1 = StageValue.twins(try StageValue.inOrder("Note", context), nullsAreEqual: false) { object in [StageValue.part((object.value(forKey: "title") as? String))] }
              for twins in twins1 {
                for object in StageValue.sorted(twins, by: { object in StageValue.seconds((object.value(forKey: "at") as? Date)) }, >).dropFirst() { context.delete(object) }
              }
              try context.save()
            }
          }

        """)
  }

  @Test func whatHasNoSwiftIsNamed() throws {
    let stage = try stage(
      """
      willMigrate:
        dedupe:
          - {entity: Note, by: [title]}
          - {entity: Note, by: [title], others: {rename: "{title} ({n})"}}
          - {entity: Note, by: [title], keep: most-linked, others: delete}
        dangling: nullify
        structure: [high-water]
        backfill:
          - {entity: Nothing, attribute: title, value: a}
      """)
    for app in [swiftData, .coreData] {
      let code = StageCode([stage], for: app)
      #expect(
        code.omissions.map(\.part) == [
          "willMigrate: structure high-water", "willMigrate: dangling nullify",
          "willMigrate: backfill of Nothing.title (line 10)", "willMigrate: dedupe of Note by title (line 4)",
          "willMigrate: dedupe of Note by title (line 5)", "willMigrate: dedupe of Note by title (line 6)",
        ])
      #expect(code.text.split(separator: "\n").count { $0.contains("#warning(\"not written: willMigrate: ") } == 6)
      #expect(!code.text.contains("context.delete"))
    }
  }

  @Test func whatCannotBeNilInSwiftIsNotFilled() throws {
    let stage = try stage(
      "willMigrate: {backfill: [{entity: Note, attribute: title, value: a}]}", ["Note: title String"],
      ["Note: title String"])
    #expect(
      StageCode([stage], for: swiftData).omissions.map(\.reason) == [
        "Note.title is not optional in 'Old 1', so that no object in Swift is without it"
      ])
    #expect(StageCode([stage], for: .coreData).omissions.isEmpty)
  }

  @Test(.enabled(if: SwiftCompiler.isPresent, "skipped: no swiftc"), arguments: [true, false])
  func namesAndTextsAreEscaped(_ isSwiftData: Bool) throws {
    let model = ["class: default String?; in I64?; where ->class?~self; self ->>class?~where"]
    let stage = try stage(
      #"""
      willMigrate:
        dedupe:
          - {entity: class, by: [default, where], others: delete}
        backfill:
          - {entity: class, attribute: default, value: "\"); exit(1) //\\(x)\n#"}
          - {entity: class, attribute: in, expression: "length(where.default)"}
        structure: [metadata]
      didMigrate:
        backfill:
          - {entity: class, attribute: default, expression: "was.default || 'a\"b'"}
      """#, model, model)
    let code = StageCode([stage], for: isSwiftData ? swiftData : .coreData)
    #expect(code.omissions.map(\.part) == ["willMigrate: structure metadata"])
    #expect(try complaints(stage, code, isSwiftData: isSwiftData) == "")
    #expect(code.text.contains(#""\"); exit(1) //\\(x)\u{a}#""#))
  }

  @Test(.enabled(if: SwiftCompiler.isPresent, "skipped: no swiftc"))
  func theStageOfTheGuideTypeChecks() throws {
    let folder = Project.path("examples/test-a-custom-stage")
    let models = try readModel(PosixPath("\(folder)/School.xcdatamodeld"))
    let (old, new) = (models.versions[1], models.versions[2])
    let stage = RecipeStage(
      from: old.name, to: new.name, source: old.model, destination: new.model,
      recipe: try StageRecipe(PosixPath("\(folder)/stage.yaml")), path: "stage.yaml")
    let code = StageCode([stage], for: .coreData)
    #expect(code.omissions.isEmpty)
    #expect(try complaints(stage, code, isSwiftData: false) == "")
  }
}
