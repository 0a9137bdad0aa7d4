import Foundation
import StoreDataModel
import StoreModels
import StoreRepair
import StoreSQLite
import StoreSwiftCode
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
      .replacing(#/class ([A-Za-z_`]+) {/#) {
        // What the macro adds.
        "class \($0.1): PersistentModel {\n    required init(backingData: any BackingData<\($0.1)>) { fatalError() }"
      }
  }

  private static let everything = """
    willMigrate:
      relink:
        - {entity: Note, relationship: folder, match: {title: name}, compare: casefolded}
      dedupe:
        - {entity: Note, by: [title, folder], compare: normalized, nulls: equal, keep: {newest: at}, others: delete}
        - {entity: Folder, by: [name], compare: trimmed, keep: last, others: delete}
        - {entity: Note, by: [title], keep: {newest: at}, others: merge}
        - {entity: Folder, by: [name], others: merge}
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

  private static let school = [
    "Student: name String?; courses ->>Course?~students; entries ->>Entry?~student",
    "Course: name String?; students ->>Student?~courses; entries ->>Entry?~course",
    "Entry: note String?; student ->Student?~entries; course ->Course?~entries",
  ]

  @Test(.enabled(if: SwiftCompiler.isPresent, "skipped: no swiftc"), arguments: [true, false])
  func junctionsTypeCheck(_ isSwiftData: Bool) throws {
    let stage = try stage(
      """
      didMigrate:
        backfill: [{entity: Entry, attribute: note, from: student.name}]
        junctions: [{from: Student.courses, entity: Entry, source: student, destination: course}]
      """, Self.school, Self.school)
    let code = StageCode([stage], for: isSwiftData ? swiftData : .coreData)
    #expect(code.omissions.map(\.description) == [])
    #expect(try complaints(stage, code, isSwiftData: isSwiftData) == "")
    let made = try #require(code.text.range(of: "// junctions of Student.courses"))
    let filled = try #require(code.text.range(of: "// backfill of Entry.note"))
    #expect(made.lowerBound < filled.lowerBound, "what is asked for the objects that are made comes after them")
    if isSwiftData {
      #expect(code.text.contains("let object = New1.Entry(backingData: New1.Entry.createBackingData())"))
    }
  }

  @Test(.enabled(if: SwiftCompiler.isPresent, "skipped: no swiftc"))
  func theManagerListsTheWholePlan() throws {
    let stage = try stage("willMigrate:\n  backfill: [{entity: Note, attribute: title, value: a}]\n")
    let plan: [PlannedStage] = [
      .lightweight([("Old 0", [1]), ("Old 1", [2])]), .custom(from: "Old 1", to: "New 1"),
      .custom(from: "New 1", to: "New 2"), .lightweight([("New 3", [3])]),
    ]
    let code = StageCode([stage], for: .coreData, plan: plan)
    for words in [
      "let light1 = NSLightweightMigrationStage([  // Old 0, Old 1", "\"AQ==\",", "light1.label = \"Old 0, Old 1\"",
      "// Needed: the app's own stage from 'New 1' to 'New 2'.",
      "return NSStagedMigrationManager([light1, old1ToNew1(), light3])",
    ] { #expect(code.text.contains(words), "\(words): \(code.text)") }
    #expect(try complaints(stage, code, isSwiftData: false) == "")
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

  /// A unique value leaves the object that goes before both are saved; one that is required is filled, too.
  @Test func aMergeKeepsConstraints() throws {
    let guests = ["Guest unique(code): name String; code String?; home ->Home~guests", "Home: guests ->>Guest?~home"]
    let recipe = "willMigrate:\n  dedupe:\n    - {entity: Guest, by: [name]}\n"
    let code = StageCode([try stage(recipe, guests, guests)], for: .coreData)
    #expect(code.omissions.isEmpty)
    #expect(code.text.contains("kept.setValue(object.value(forKey: \"code\"), forKey: \"code\")\n"))
    #expect(code.text.contains("object.setValue(nil, forKey: \"code\")"))
    #expect(code.text.contains("if kept.value(forKey: \"name\") == nil"))
    #expect(code.text.contains("if kept.value(forKey: \"home\") == nil"))
    let ordered = [guests[0], "Home: guests ->>Guest?~home ordered"]
    let refused = StageCode([try stage(recipe, ordered, ordered)], for: .coreData)
    #expect(refused.omissions.first?.reason.contains("the other side of Guest.home is ordered") == true)
  }

  /// The code that a page shows for what no recipe can do.
  @Test(.enabled(if: SwiftCompiler.isPresent, "skipped: no swiftc"))
  func thePagesCodeForAnAttributedTextTypeChecks() throws {
    let path = Project.path("examples/a-recipe-for-every-stage/Remarks.swift")
    let code = try String(contentsOfFile: path, encoding: .utf8)
    #expect(code.contains("NSAttributedString(string: note)"))
    #expect(
      try SwiftCompiler.complaints(
        aboutFiles: [StandIns.coreData, code.replacing("import CoreData", with: "import Foundation")]) == "")
  }

  @Test func whatHasNoSwiftIsNamed() throws {
    let stage = try stage(
      """
      willMigrate:
        dedupe:
          - {entity: Note, by: [title], keep: most-complete}
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

  private static let expressions = [
    "text(unix(at))", "text(at)", "text(at + 0.25)", "text(julian(at))", "text(date(n, 'unix'))",
    "text(date(x, 'julian'))",
    "text(n / 3)", "text(n % -3)", "text(-n - 7)", "text(n * n)", "text(n * 9223372036854775807)", "text(n / (n - 12))",
    "text(x / 2)", "text(x % 2)", "text(round(x))", "text(round(x, 2))", "text(integer(x))", "text(abs(n))",
    "text(abs(x))",
    "text(number(t))", "text(integer(t))", "upper(t)", "lower(t)", "trim(t) || '|'", "text(length(t))",
    "substring(t, 2, 3)",
    "substring(t, -1, 4)", "replace(t, 'a', 'bb')", "t || t", "text(n > x)", "text(n >= 12 or t is null)",
    "text(not (n = 12) and x < 1)", "text(t < 'b')", "text(t = trim(t))",
    "case when n > 5 then 'many' when n is null then 'none' end",
    "before(t, '.')", "after(t, 'e')", "coalesce(after(t, 'a'), before(t, ''), '-')",
    "coalesce(t, text(n), 'x')", "text(uuid(t))", "text(number(n > 5))", "text(date(n) - at)",
  ]

  private static let rows: [(t: String?, n: Int64?, x: Double?, at: Double?)] = [
    ("12", 12, 2.5, 0), (" -12.50 ", -7, -2.5, 740_000_000.5), ("1e3", 0, 0.005, -31_622_400_000), (nil, nil, nil, nil),
    ("a\u{e9}e\u{301} \u{df}a", 3, 1e300, -0.25), ("E621E1F8-C36C-495A-93FC-0C247A3E6E5F", .max, 9.3e18, 1e13),
    ("", .min, -0.5, 5e9),
  ]

  /// The functions that are written give what `repair` computes; both are run here, and `repair` knows nothing of them.
  @Test(.enabled(if: SwiftCompiler.isPresent, "skipped: no swiftc"))
  func theFunctionsGiveWhatRepairGives() throws {
    let outputs = Self.expressions.indices.map { "o\($0)" }
    let model = [
      "Note: t String?; n I64?; x Double?; at Date?; " + outputs.map { "\($0) String?" }.joined(separator: "; ")
    ]
    let items = zip(outputs, Self.expressions).map {
      "    - {entity: Note, attribute: \($0), expression: \"\($1)\"}"
    }
    let code = StageCode(
      [try stage("willMigrate:\n  backfill:\n" + items.joined(separator: "\n"), model, model)], for: swiftData)
    #expect(code.omissions.map(\.description) == [])
    let support = try #require(code.text.range(of: "private enum StageValue"))
    let assignments = code.text.split(separator: "\n").filter {
      $0.contains(" object.o") && $0.contains(" = ") && !$0.contains("for ")
    }
    #expect(assignments.count == Self.expressions.count)
    let rows = Self.rows.map { row in
      let values = [
        row.t.map { SwiftDataTypes.literal($0) }, row.n.map { "\($0)" }, row.x.map { "\($0)" },
        row.at.map { "Date(timeIntervalSinceReferenceDate: \($0))" },
      ]
      return "(\(values.map { $0 ?? "nil" }.joined(separator: ", ")))"
    }
    let printed = try SwiftCompiler.output(
      ofProgram: StandIns.swiftData + "\n" + code.text[support.lowerBound...] + """

        final class Object {
          var t: String?, n: Int?, x: Double?, at: Date?, \(outputs.map { "\($0): String?" }.joined(separator: ", "))
        }
        let rows: [(String?, Int?, Double?, Date?)] = [\(rows.joined(separator: ", "))]
        for row in rows {
          let object = Object()
          (object.t, object.n, object.x, object.at) = row
          \(assignments.joined(separator: "\n"))
          print([\(outputs.map { "object.\($0)" }.joined(separator: ", "))].map { $0 ?? "nil" }.joined(separator: "\\u{1F}"))
        }
        """)
    let expected = try Self.rows.map { row in
      try Self.expressions.map { try Self.repaired($0, row) ?? "nil" }
    }
    let found = printed.split(separator: "\n").map {
      $0.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(found.count == expected.count)
    #expect(found.allSatisfy { $0.count == Self.expressions.count })
    #expect(expected.joined().count { $0 != "nil" } > 150)
    for (found, expected) in zip(found, expected) {
      for (place, pair) in zip(found, expected).enumerated() where pair.0 != pair.1 {
        Issue.record("\(Self.expressions[place]): \(pair.0), and repair gives \(pair.1)")
      }
    }
  }

  /// What an expression gives in `repair`; nil where it has no value, or fails.
  private static func repaired(
    _ text: String, _ row: (t: String?, n: Int64?, x: Double?, at: Double?)
  ) throws -> String? {
    let checked = try RecipeExpression(text).checked { path throws(ExpressionError) in
      ["t": ExpressionType.text, "n": .integer, "x": .real, "at": .date][path] ?? .null
    }
    let values: [String: SQLiteValue?] = [
      "t": row.t.map { .text(Array($0.utf8)) }, "n": row.n.map { .integer($0) }, "x": row.x.map { .real($0) },
      "at": row.at.map { .real($0) },
    ]
    let inputs = checked.paths.map { (values[$0] ?? nil) ?? .null }
    let value = try? checked.value(of: inputs, row: 1, in: "Note.o", made: SeededValues(seed: 1, now: 0))
    guard case .text(let bytes)? = value else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
