@testable import StoreRepair
import Testing

/// Options give the same recipe as a file does.
@Suite struct RecipeOptionsTests {
  @Test func everyOptionHasItsPlaceInARecipe() throws {
    var options = RecipeOptions()
    options.dedupe = ["Trip.name", "Tag.name,folder"]
    options.compare = "trimmed"
    options.nulls = "equal"
    options.keep = "newest:updatedAt"
    options.others = "rename:{name} ({n})"
    options.backfill = ["Note.title=Untitled = new", "Note.body="]
    options.backfillFrom = ["Note.createdAt=modifiedAt"]
    options.backfillGroup = ["Note.color=folder,kind"]
    options.backfillExpression = ["Foo.dateInt=unix(date)"]
    options.backfillGenerate = ["Note.createdAt=now", "Item.uuid=uuid"]
    options.relink = "Note.folder"
    options.match = ["folderName=name"]
    options.dangling = "nullify"
    options.wrongEntity = "nullify"
    options.junctions = ["Student.courses=Enrollment.student,course"]
    options.inverses = ["A.b=this"]
    options.structure = ["join-orphans,high-water", "metadata"]
    options.trimHistory = "before:2026-03-01T12:00"
    options.compact = true
    #expect(
      try options.recipe()
        == Recipe(
          reading: Array(
            """
            version: 1
            dedupe:
              - {entity: Trip, by: [name], compare: trimmed, nulls: equal, keep: {newest: updatedAt}, others: {rename: "{name} ({n})"}}
              - {entity: Tag, by: [name, folder], compare: trimmed, nulls: equal, keep: {newest: updatedAt}, others: {rename: "{name} ({n})"}}
            backfill:
              - {entity: Note, attribute: title, value: "Untitled = new"}
              - {entity: Note, attribute: body, value: ""}
              - {entity: Note, attribute: createdAt, from: modifiedAt, generate: now}
              - {entity: Note, attribute: color, group: [folder, kind]}
              - {entity: Foo, attribute: dateInt, expression: unix(date)}
              - {entity: Item, attribute: uuid, generate: uuid}
            relink: [{entity: Note, relationship: folder, match: {folderName: name}, compare: trimmed}]
            dangling: nullify
            wrongEntity: nullify
            junctions: [{from: Student.courses, entity: Enrollment, source: student, destination: course}]
            inverses: [{entity: A, relationship: b, from: this}]
            structure: [join-orphans, high-water, metadata]
            trimHistory: {before: "2026-03-01T12:00"}
            compact: true
            """.utf8)))
  }

  @Test func optionsAddToAFile() throws {
    let file = try Recipe(
      reading: Array("version: 1\ndangling: delete-source\nstructure: [metadata]\ndedupe: [{entity: A, by: [b]}]".utf8))
    var options = RecipeOptions()
    options.safe = true
    options.dedupe = ["C.d"]
    let both = try options.recipe(addingTo: file)
    #expect(both.dedupe.map(\.entity) == ["A", "C"] && both.dangling == .deleteSource)
    #expect(both.structure == Recipe.safe.structure.union([.metadata]))
    #expect(try RecipeOptions().recipe(addingTo: file) == file)
    options.dangling = "nullify"
    #expect(try options.recipe(addingTo: file).dangling == .nullify, "an option comes before a file")
    var safe = RecipeOptions()
    safe.safe = true
    #expect(try safe.recipe() == .safe)
  }

  @Test func aRelinkWithoutMatchIsFromTheInverse() throws {
    var options = RecipeOptions()
    options.relink = "Person.passport"
    #expect(try options.recipe().relink == [.init(entity: "Person", relationship: "passport", source: .inverse)])
  }

  @Test(arguments: Slip.all)
  func aMistakeNamesItsOption(_ slip: Slip) throws {
    var options = RecipeOptions()
    slip.change(&options)
    let error = try #require(throws: RecipeMistakes.self) { try options.recipe() }
    #expect(error.mistakes.count == 1 && error.mistakes[0].message.hasPrefix(slip.message), "\(error)")
  }
}

/// A mistake in the options, and its message.
struct Slip: Sendable {
  var message: String
  var change: @Sendable (inout RecipeOptions) -> Void

  init(_ message: String, _ change: @escaping @Sendable (inout RecipeOptions) -> Void) {
    self.message = message
    self.change = change
  }

  static let all = [
    Slip("dedupe Trip: an entity and its properties are expected, as in Trip.name,start") { $0.dedupe = ["Trip"] },
    Slip("dedupe Trip.a: the attribute it goes by is missing; write newest:updatedAt") {
      $0.dedupe = ["Trip.a"]
      $0.keep = "newest"
    },
    Slip("keep is about dedupe, which is not given") { $0.keep = "first" },
    Slip("compare is about dedupe or relink, and neither is given") { $0.compare = "exact" },
    Slip("match is about relink, which is not given") { $0.match = ["a=b"] },
    Slip("separator is about relink, which is not given") { $0.separator = "," },
    Slip("relink Note: an entity and a relationship are expected") { $0.relink = "Note" },
    Slip("match a: two attributes are expected, as in folderName=name") {
      $0.relink = "Note.folder"
      $0.match = ["a"]
    },
    Slip("match a=c: 'a' is there already") {
      $0.relink = "Note.folder"
      $0.match = ["a=b", "a=c"]
    },
    Slip("backfill Note.title: an entity, an attribute and where its value comes from") {
      $0.backfill = ["Note.title"]
    },
    Slip("backfill Note=1: an entity, an attribute and where its value comes from") { $0.backfill = ["Note=1"] },
    Slip("backfill A.b=2: 'A.b' is there already") { $0.backfill = ["A.b=1", "A.b=2"] },
    Slip("backfillExpression A.b: column 4 of the expression: a value is expected") {
      $0.backfillExpression = ["A.b=1 +"]
    },
    Slip("backfillGenerate A.b: one of now, uuid, sequence, default is expected in") {
      $0.backfillGenerate = ["A.b=guid"]
    },
    Slip("junctions A.b=C.d: a relationship, an entity and its two ends") { $0.junctions = ["A.b=C.d"] },
    Slip("junctions A=C.d,e: a relationship, an entity and its two ends") { $0.junctions = ["A=C.d,e"] },
    Slip("inverses A.b: an entity, a relationship and a side are expected") { $0.inverses = ["A.b"] },
    Slip("inverses A.b=that: one of this, other is expected") { $0.inverses = ["A.b=that"] },
    Slip("structure: one of reindex") { $0.structure = ["high-water,"] },
    Slip("trimHistory 3: before:2026-03-01 or keep:1000 is expected") { $0.trimHistory = "3" },
    Slip("trimHistory keep:-1: a whole number from 0 on is expected") { $0.trimHistory = "keep:-1" },
    Slip("trimHistory before:May: 'before' is a day or a moment in UTC") { $0.trimHistory = "before:May" },
    Slip("dangling: one of nullify") { $0.dangling = "drop" },
    Slip("wrongEntity: 'nullify' is expected in place of 'drop'") { $0.wrongEntity = "drop" },
  ]
}
