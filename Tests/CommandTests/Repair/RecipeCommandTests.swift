import Foundation
import TestSupport
import Testing

/// Mistakes in recipes, and expressions that look like SQL: status 2, the line, and what to write instead.
@Suite struct RecipeCommandTests {
  @Test(arguments: [
    ("structure: [everything]", "line 2: one of reindex, join-orphans,"),
    ("structure: reindex", "line 2"), ("dedupe: {}", "line 2"), ("dedupe: [{entity: Tag}]", "line 2"),
    ("dedupe: [{entity: Tga, by: [name]}]", "line 2: no entity 'Tga' in this store; did you mean 'Tag'?"),
    ("dedupe: [{entity: Tag, by: [nam]}]", "did you mean 'name'?"),
    ("dedupe: [{entity: Tag, by: [notes]}]", "line 2"), ("dedupe: [{entity: Tag, by: [name], keep: best}]", "line 2"),
    ("dedupe: [{entity: Tag, by: [name], keep: {newest: createdAt}}]", "createdAt"),
    ("dedupe: [{entity: Tag, by: [name], others: {rename: same}}]", "{n}"),
    ("backfill: [{entity: Note, attribute: titel, value: x}]", "no attribute 'titel' in Note; did you mean 'title'?"),
    ("backfill: [{entity: Note, attribute: createdAt, value: soon}]", "line 2"),
    ("backfill: [{entity: Checklist, attribute: total, value: 70000000000}]", "line 2"),
    ("backfill: [{entity: Note, attribute: folder, value: 1}]", "line 2"),
    ("backfill: [{entity: Note, attribute: title, generate: guid}]", "line 2"),
    ("backfill: [{entity: Note, attribute: title}]", "line 2"),
    ("relink: [{entity: Note, relationship: folder, match: {titl: name}}]", "did you mean 'title'?"),
    ("relink: [{entity: Note, relationship: foldr, match: {title: name}}]", "did you mean 'folder'?"),
    ("relink: [{entity: Note, relationship: folder}]", "line 2"), ("dangling: drop", "nullify"),
    ("wrongEntity: drop", "'nullify'"), ("inverses: [{entity: Note, relationship: folder, from: this}]", "one-to-one"),
    ("dedup: []", "dedupe"), ("version: 1", "twice"), ("a: &a [*a]", "line 2"), ("{", "line"), ("\t- x", "line"),
    ("dedupe:\n  - entity: Tag\n    by: [name]\n  - entity: Tga\n    by: [name]", "line 5"),
  ])
  func everyMistakeNamesItsLine(_ text: String, _ words: String) throws {
    try expectMistake("version: 1\n\(text)\n", words)
  }

  @Test func allMistakesAreToldAtOnce() throws {
    try expectMistake(
      "version: 1\ndedupe: [{entity: Tga, by: [name]}]\nbackfill: [{entity: Note, attribute: titel, value: x}]\n",
      "which has 2 mistakes:\n  line 2: no entity 'Tga'")
  }

  @Test(arguments: [
    "ATTACH 'x' AS y", "title; ATTACH 'x' AS y", "(SELECT ZNAME FROM ZTAG)", "title UNION SELECT ZNAME FROM ZTAG",
    "title /* x */", "title -- x", "pragma_table_info('ZNOTE')", "PRAGMA writable_schema", "load_extension('x')",
    "storedoctor_value(Z_PK, 0)", "storedoctor_picks(Z_PK)", "readfile('/etc/passwd')", "sqlite_version()",
    "exists(select 1)", "title in (select 1)", "[title]", "`title`", "ZTITLE", "Z_PK", "rowid", "?1", ":a",
    "@a", "$a", "x'00'", "title collate nocase", "cast(title as blob)", "title like '%'", "title = title or 1)) --",
    "NSCoreDataDATriggerUpdatedAffectedObjectValue('ZNOTE')", "'unfinished", "title ||", "", "((((((((((1",
    "folder", "tags", "folder.notes.title", "folder.parent.parent.parent.parent.parent.parent.nam",
  ])
  func noExpressionReachesSQL(_ expression: String) throws {
    let quoted = expression.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
    try expectMistake(
      "version: 1\nbackfill: [{entity: Note, attribute: title, expression: \"\(quoted)\"}]\n", "line 2")
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    let option = try Program.run(["repair", store, "--backfill-expression", "Note.title=\(expression)"])
    #expect([2, 64].contains(option.status) && option.output == "", "\(option.output)")
  }

  /// Names that look like SQL are taken for names, and nothing is found under them.
  @Test(arguments: ["Note\"; DROP TABLE ZNOTE; --", "sqlite_master", "ZNOTE", "Z_METADATA", "pragma_table_info"])
  func noNameReachesSQL(_ name: String) throws {
    let quoted = name.replacingOccurrences(of: "\"", with: "\\\"")
    try expectMistake("version: 1\ndedupe: [{entity: \"\(quoted)\", by: [name]}]\n", "no entity")
    try expectMistake("version: 1\ndedupe: [{entity: Note, by: [\"\(quoted)\"]}]\n", "'Note'|in Note")
  }

  /// A text that looks like SQL is stored as a text.
  @Test func textsThatLookLikeSQLAreTexts() throws {
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    let text = "'); DROP TABLE ZNOTE; --"
    let outcome = try Program.run(["repair", store, "--backfill", "Note.title=\(text)", "--output", folder("a.sqlite")])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try rows("SELECT ZTITLE FROM ZNOTE WHERE Z_PK <= 2", in: folder("a.sqlite")) == [text, text])
  }

  private func expectMistake(_ recipe: String, _ words: String) throws {
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    let path = try folder.write(Array(recipe.utf8), to: "recipe.yaml")
    let choices = words.split(separator: "|").map(String.init)
    let outcome = try Program.run(["repair", store, "--recipe", path])
    #expect(choices.contains { outcome.errors.contains($0) }, "\(outcome.errors)")
    try expectRefusal(
      ["repair", store, "--recipe", path, "--output", folder("a.sqlite")], in: folder,
      saying: ["cannot follow the recipe"])
  }
}
