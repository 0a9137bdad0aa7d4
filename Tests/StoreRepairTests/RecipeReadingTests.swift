@testable import StoreRepair
@testable import StoreScanning
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

/// A recipe is read completely, or all its mistakes are listed with their lines.
@Suite struct RecipeReadingTests {
  @Test func readsEveryKey() throws {
    let read = try recipe(
      """
      version: 1
      dedupe:
        - {entity: Trip, by: [name, size.width, folder], compare: trimmed, nulls: equal, keep: {newest: updatedAt}, others: delete}
        - {entity: Tag, by: [name], others: {rename: "{name} of {folder} ({n})"}}
        - {entity: A, by: [b], keep: most-linked, others: merge}
      backfill:
        - {entity: Note, attribute: title, value: "Untitled"}
        - {generate: now, from: modifiedAt, entity: Note, attribute: createdAt}
        - {entity: Foo, attribute: dateInt, group: [a, b], expression: "unix(date)", value: 0}
      relink:
        - {entity: Note, relationship: folder, match: {z: y, folderName: name}, compare: casefolded}
        - {entity: Note, relationship: tags, match: {tagNames: name}, separator: ", "}
        - {entity: Person, relationship: passport, from: inverse}
      junctions: [{entity: Enrollment, destination: course, source: student, from: Student.courses}]
      restore: [{from: ../Older.sqlite@2, entity: Note, keys: [7, 3, 3], related: true}]
      merge: [{from: ../Old.sqlite, by: {Note: [uuid], Tag: [name, kind]}, newest: {Note: changed}, keep: old}]
      dangling: delete-source
      wrongEntity: nullify
      inverses:
        - {entity: A, relationship: b, from: other}
      structure: [metadata, join-orphans, metadata]
      trimHistory: {before: 2026-03-01T12:00:00Z}
      compact: true
      """)
    var expected = Recipe()
    expected.dedupe = [
      .init(
        entity: "Trip", by: ["name", "size.width", "folder"], compare: .trimmed, nulls: .equal,
        keep: .newest("updatedAt"), others: .delete),
      .init(entity: "Tag", by: ["name"], others: .rename(try NameTemplate("{name} of {folder} ({n})"))),
      .init(entity: "A", by: ["b"], keep: .mostLinked),
    ]
    expected.backfill = [
      .init(entity: "Note", attribute: "title", sources: [.value(.init("Untitled"))]),
      .init(entity: "Note", attribute: "createdAt", sources: [.from("modifiedAt"), .generate(.now)]),
      .init(
        entity: "Foo", attribute: "dateInt",
        sources: [.group(["a", "b"]), .expression(try RecipeExpression("unix(date)")), .value(.init("0"))]),
    ]
    expected.relink = [
      .init(
        entity: "Note", relationship: "folder",
        source: .match([.init(own: "folderName", destination: "name"), .init(own: "z", destination: "y")]),
        compare: .casefolded),
      .init(
        entity: "Note", relationship: "tags", source: .match([.init(own: "tagNames", destination: "name")]),
        separator: ", "),
      .init(entity: "Person", relationship: "passport", source: .inverse),
    ]
    expected.junctions = [
      .init(from: "Student.courses", entity: "Enrollment", source: "student", destination: "course")
    ]
    expected.restore = [.init(from: "../Older.sqlite@2", entity: "Note", keys: [3, 7], related: true)]
    expected.merge = [
      .init(
        from: "../Old.sqlite", by: ["Note": ["uuid"], "Tag": ["name", "kind"]], newest: ["Note": "changed"], keep: .old)
    ]
    expected.dangling = .deleteSource
    expected.wrongEntity = .nullify
    expected.inverses = [.init(entity: "A", relationship: "b", from: .other)]
    expected.structure = [.joinOrphans, .metadata]
    expected.trimHistory = .before("2026-03-01T12:00:00Z")
    expected.compact = true
    #expect(read == expected)
    #expect(read.dedupe.map(\.line) == [3, 4, 5] && read.inverses.map(\.line) == [20], "lines are known, not compared")
  }

  @Test func whatIsNotSaidHasDefaults() throws {
    let read = try recipe("version: 1\ndedupe: [{entity: Trip, by: [name]}]")
    #expect(read.dedupe[0] == .init(entity: "Trip", by: ["name"], keep: .first, others: .merge))
    #expect(try recipe("version: 1") == Recipe())
    #expect(try recipe("version: 1").isEmpty && !read.isEmpty)
  }

  @Test(
    arguments: [
      ("", nil, "it is empty; 'version: 1' is expected, and what is to be repaired"),
      ("dedupe: []", nil, "'version: 1' is missing"),
      ("version: 2\nfoo: 1", 1, "version 2 is not known here; this storedoctor knows version 1"),
      ("version: one", 1, "a whole number from 0 on is expected"), ("- a", 1, "keys with values are expected"),
      (
        "version: 1\ndedup: []", 2,
        "unknown key 'dedup'; the keys here are version, dedupe, backfill, relink, junctions, "
          + "restore, merge, dangling, wrongEntity, inverses, structure, trimHistory, compact; did you mean 'dedupe'?"
      ),
      ("version: 1\nversion: 1", 1, "key 'version' occurs twice"), ("version: 1\na: &a b", 2, "anchors"),
      ("version: 1\nstructure: [high water]", 2, "in place of 'high water'; did you mean 'high-water'?"),
      ("version: 1\nstructure: high-water", 2, "a list is expected"),
      (
        "version: 1\ndangling: delete", 2,
        "one of nullify, nullify-optional, delete-source, restore-from-history is expected"
      ),
      ("version: 1\nwrongEntity: delete", 2, "'nullify' is expected in place of 'delete'"),
      ("version: 1\nwrongEntity:", 2, "'nullify' is expected"),
      ("version: 1\ndedupe:\n  - by: [a]", 3, "'entity' is missing"),
      ("version: 1\ndedupe:\n  - entity: A", 3, "'by' is missing"),
      ("version: 1\ndedupe:\n  - {entity: A, by: []}", 3, "1 to 64 names are expected"),
      ("version: 1\ndedupe:\n  - {entity: A, by: a}", 3, "a list is expected"),
      ("version: 1\ndedupe:\n  - {entity: A, by: [a, a]}", 3, "'a' occurs twice"),
      ("version: 1\ndedupe:\n  - {entity: A, by: [a..b]}", 3, "a name, or names with a dot between as in folder.name"),
      ("version: 1\ndedupe:\n  - {entity: A, by: [a], keep: newest}", 3, "write {newest: updatedAt}"),
      ("version: 1\ndedupe:\n  - {entity: A, by: [a], keep: {newest: a, oldest: b}}", 3, "{newest: attribute} or"),
      ("version: 1\ndedupe:\n  - {entity: A, by: [a], keep: frist}", 3, "in place of 'frist'; did you mean 'first'?"),
      (
        "version: 1\ndedupe:\n  - {entity: A, by: [a], nulls: no}", 3,
        "one of distinct, equal is expected in place of 'no'"
      ),
      (
        "version: 1\ndedupe:\n  - {entity: A, by: [a], others: {rename: x}}", 3,
        "'x' makes one name for all rows; put {n}"
      ),
      ("version: 1\ndedupe:\n  - {entity: A, by: [a], others: {rename: '{n'}}", 3, "a brace without its other half"),
      ("version: 1\ndedupe:\n  - {entity: A, by: [a], others: {rename: '{} {n}'}}", 3, "between the braces"),
      ("version: 1\ndedupe:\n  - {entity: A, by: [a], others: keep}", 3, "one of merge, delete, {rename:"),
      (
        "version: 1\nbackfill:\n  - {entity: A, attribute: a}", 3,
        "it does not say where a value comes from; from, group"
      ),
      ("version: 1\nbackfill:\n  - {entity: A, attribute: a, value: }", 3, "a value is expected"),
      (
        "version: 1\nbackfill:\n  - {entity: A, attribute: a, value: null}", 3,
        "put the word in quotes to mean the text"
      ),
      ("version: 1\nbackfill:\n  - {entity: A, attribute: a, value: [1]}", 3, "one value is expected"),
      ("version: 1\nbackfill:\n  - {entity: A, attribute: a, generate: guid}", 3, "did you mean 'uuid'?"),
      (
        "version: 1\nbackfill:\n  - {entity: A, attribute: a, expression: '1 +'}", 3,
        "column 4 of the expression: a value is"
      ),
      ("version: 1\nrelink:\n  - {entity: A, relationship: b}", 3, "or 'from: inverse' is missing"),
      ("version: 1\nrelink:\n  - {entity: A, relationship: b, match: {a: b}, from: inverse}", 3, "not both"),
      ("version: 1\nrelink:\n  - {entity: A, relationship: b, match: {}}", 3, "1 to 64 pairs"),
      ("version: 1\nrelink:\n  - {entity: A, relationship: b, match: {a: [b]}}", 3, "a text is expected"),
      ("version: 1\nrelink:\n  - {entity: A, relationship: b, from: other}", 3, "'inverse' is expected"),
      ("version: 1\nrelink:\n  - {entity: A, relationship: b, from: inverse, compare: exact}", 3, "compares nothing"),
      ("version: 1\nrestore:\n  - {entity: A}", 3, "'from' is missing"),
      ("version: 1\nrestore:\n  - {from: a.sqlite, keys: [1]}", 3, "and 'entity' is missing"),
      ("version: 1\nrestore:\n  - {from: a.sqlite, entity: A, keys: []}", 3, "1 to 100000 keys are expected"),
      ("version: 1\nrestore:\n  - {from: a.sqlite, entity: A, keys: [p3]}", 3, "'p3' is none"),
      ("version: 1\nmerge:\n  - {by: {A: [x]}}", 3, "'from' is missing"),
      ("version: 1\nmerge:\n  - {from: a.sqlite, keep: both}", 3, "one of new, old is expected"),
      ("version: 1\nrestore:\n  - {from: '', entity: A}", 3, "a text is expected"),
      ("version: 1\nrestore:\n  - {from: a.sqlite, related: yes}", 3, "one of true, false is expected"),
      ("version: 1\ninverses:\n  - {entity: A, relationship: b, from: that}", 3, "one of this, other is expected"),
    ] as [(String, Int?, String)])
  func refusesWithTheLine(text: String, line: Int?, message: String) throws {
    let error = try #require(throws: RecipeMistakes.self) { try recipe(text) }
    #expect(error.mistakes.count == 1 && error.mistakes[0].line == line, "\(error)")
    #expect(error.mistakes[0].message.contains(message), "\(error)")
  }

  @Test func tellsEveryMistake() throws {
    let error = try #require(throws: RecipeMistakes.self) {
      try recipe(
        """
        version: 1
        backfill:
          - {entity: Note, attribut: title, value: x}
          - entity: Note
            attribute: size
            expression: select 1
        dedupe:
          - {entity: Trip, by: [name], keep: frist, others: all}
        stucture: []
        """)
    }
    #expect(error.mistakes.map(\.line) == [3, 3, 6, 8, 8, 9])
    #expect("\(error)".hasPrefix("cannot follow the recipe, which has 6 mistakes:\n  line 3: unknown key 'attribut'"))
  }

  @Test func aFileThatCannotBeReadIsAMistakeWithItsPath() throws {
    let folder = try TemporaryFolder()
    let path = folder("recipe.yaml")
    #expect(
      "\(try #require(throws: RecipeMistakes.self) { try Recipe(PosixPath(path)) })".contains(
        "cannot follow the recipe"))
    try "version: 1\nfoo: 1\n".write(toFile: path, atomically: true, encoding: .utf8)
    let error = try #require(throws: RecipeMistakes.self) { try Recipe(PosixPath(path)) }
    #expect(error.path == path && error.mistakes.map(\.line) == [2])
    try "version: 1\ndangling: nullify\n".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try Recipe(PosixPath(path)).dangling == .nullify)
  }

  @Test func hasLimits() throws {
    let names = (0..<65).map { "a\($0)" }.joined(separator: ", ")
    #expect(throws: RecipeMistakes.self) { try recipe("version: 1\ndedupe: [{entity: A, by: [\(names)]}]") }
    let items = repeatElement("high-water", count: 1_001).joined(separator: ", ")
    #expect(throws: RecipeMistakes.self) { try recipe("version: 1\nstructure: [\(items)]") }
    let long = String(repeating: "a", count: 1_025)
    #expect(throws: RecipeMistakes.self) { try recipe("version: 1\ndedupe: [{entity: \(long), by: [a]}]") }
    #expect(throws: RecipeMistakes.self) { try Recipe(reading: [UInt8](repeating: 0x20, count: 1 << 19)) }
  }

  @Test func aTemplateHasAttributesAndACounter() throws {
    let template = try NameTemplate("{name} ({n})")
    #expect(template.attributes == ["name"])
    #expect(template.parts == [.attribute("name"), .text(" ("), .counter, .text(")")])
    #expect(try NameTemplate("{n}").parts == [.counter])
  }
}

private func recipe(_ text: String) throws -> Recipe { try Recipe(reading: Array(text.utf8)) }
