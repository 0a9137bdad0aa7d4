@testable import StoreRepair
import StoreCoreData
import StoreTestSupport
import TestSupport
import Testing

/// Names and types in a recipe are checked against the store before anything runs.
@Suite struct RecipeCheckTests {
  @Test(arguments: [
    // Names
    ("Notes", "dedupe: [{entity: Nte, by: [title]}]", "no entity 'Nte' in this store; did you mean 'Note'?"),
    ("Notes", "dedupe: [{entity: Note, by: [titel]}]", "no attribute 'titel' in Note; did you mean 'title'?"),
    ("Club", "dedupe: [{entity: Trophy, by: [xyz]}]", "no attribute 'xyz' in Trophy; it has 'name'"),
    ("Notes", "dedupe: [{entity: Note, by: [tags]}]", "'tags' of Note leads to many; rows are compared by attributes"),
    (
      "Notes", "dedupe: [{entity: Note, by: [folder.name]}]",
      "'folder.name' goes over a relationship; a property of Note"
    ),
    ("Notes", "dedupe: [{entity: Note, by: [title.name]}]", "'title' of Note is an attribute; nothing can follow it"),
    ("Shapes", "dedupe: [{entity: Room, by: [size]}]", "'size' of Room is composite; its leaves are size."),
    ("Shapes", "dedupe: [{entity: Room, by: [size.height]}]", "'size' of Room is composite; its leaves are size."),
    ("Shapes", "dedupe: [{entity: Types, by: [nothing]}]", "'nothing' of Types is transient; the store holds no value"),
    ("Notes", "dedupe: [{entity: Attachment, by: [data]}]", "'data' of Attachment may keep its values in files"),
    // Dedupe
    (
      "Notes", "dedupe: [{entity: Note, by: [title], keep: {newest: title}}]",
      "'keep' goes by a date or a number; 'title'"
    ),
    (
      "Notes", "dedupe: [{entity: Note, by: [title], keep: {oldest: folder}}]",
      "'folder' of Note is a relationship; an attribute is expected, as in folder.name"
    ),
    (
      "Notes", "dedupe: [{entity: Note, by: [folder], others: {rename: '{title} {n}'}}]",
      "'rename' changes a String attribute, and none is among 'by'"
    ),
    ("Notes", "dedupe: [{entity: Note, by: [title], others: {rename: '{name} {n}'}}]", "no attribute 'name' in Note"),
    (
      "Shapes", "dedupe: [{entity: Types, by: [string], others: {rename: '{binary} {n}'}}]",
      "'binary' of Types is Binary, which is no part of a name"
    ),
    // Backfill
    (
      "Notes", "backfill: [{entity: Note, attribute: folder, value: x}]",
      "'folder' of Note is a relationship; an attribute"
    ),
    (
      "Shapes", "backfill: [{entity: Types, attribute: integer16, value: 70000}]",
      "'integer16' of Types: '70000' does not fit Integer 16 (-32768 to 32767)"
    ),
    (
      "Shapes", "backfill: [{entity: Types, attribute: integer32, value: 1.5}]",
      "a whole number is expected for Integer 32 in place of '1.5'"
    ),
    (
      "Shapes", "backfill: [{entity: Types, attribute: boolean, value: 2}]",
      "true, false, 1 or 0 is expected for Boolean in place of '2'"
    ),
    ("Shapes", "backfill: [{entity: Types, attribute: date, value: 2024-02-30}]", "a date as 2024-05-01 or"),
    ("Shapes", "backfill: [{entity: Types, attribute: date, value: '2024-02-03T10:61:00'}]", "a date as 2024-05-01 or"),
    (
      "Shapes", "backfill: [{entity: Types, attribute: uuid, value: abc}]",
      "a UUID as E621E1F8-C36C-495A-93FC-0C247A3E6E5F is"
    ),
    ("Shapes", "backfill: [{entity: Types, attribute: binary, value: '*'}]", "base64 is expected for Binary"),
    ("Shapes", "backfill: [{entity: Types, attribute: float, value: 1e300}]", "'1e300' does not fit Float"),
    (
      "Shapes", "backfill: [{entity: Types, attribute: transformable, value: x}]",
      "values of Transformable cannot be written"
    ),
    ("Notes", "backfill: [{entity: Note, attribute: title, from: title}]", "'title' of Note cannot come from itself"),
    (
      "Notes", "backfill: [{entity: Note, attribute: title, from: tags.name}]",
      "'tags' of Note leads to many; a path goes over to-one"
    ),
    ("Notes", "backfill: [{entity: Note, attribute: title, from: folder}]", "'folder' of Note is a relationship"),
    (
      "Notes", "backfill: [{entity: Note, attribute: title, from: folder.parent.nme}]",
      "no attribute 'nme' in Folder; did you mean 'name'?"
    ),
    (
      "Shapes", "backfill: [{entity: Types, attribute: integer16, from: date}]",
      "'date' is Date, and 'integer16' of Types is Integer 16; unix(…) gives whole seconds since 1970 in an 'expression'"
    ),
    (
      "Notes", "backfill: [{entity: Note, attribute: title, group: [title]}]",
      "'title' of Note cannot be in its own 'group'"
    ),
    (
      "Shapes", "backfill: [{entity: Types, attribute: integer64, expression: double * 2}]",
      "the expression gives a number, and 'integer64' of Types is Integer 64; integer(…) cuts off the fraction"
    ),
    (
      "Notes", "backfill: [{entity: Note, attribute: title, expression: lower(createdAt)}]",
      "column 7 of the expression: a text is expected in place of a date; text(…) makes"
    ),
    (
      "Notes", "backfill: [{entity: Note, attribute: title, expression: body || ttle}]",
      "column 9 of the expression: no attribute 'ttle' in Note; did you mean 'title'?"
    ),
    (
      "Shapes", "backfill: [{entity: Types, attribute: string, expression: text(transformable)}]",
      "column 6 of the expression: 'transformable' is Transformable, which expressions do not read"
    ),
    (
      "Shapes", "backfill: [{entity: Types, attribute: string, generate: now}]",
      "'generate: now' is for Date; 'string' of Types is String"
    ),
    (
      "Shapes", "backfill: [{entity: Types, attribute: date, generate: uuid}]",
      "'generate: uuid' is for UUID and String"
    ),
    (
      "Shapes", "backfill: [{entity: Types, attribute: double, generate: sequence}]",
      "'generate: sequence' is for integers and"
    ),
    (
      "Notes", "backfill: [{entity: Note, attribute: title, generate: default}]",
      "'title' of Note has no default value in the model"
    ),
    // Relink
    (
      "Notes", "relink: [{entity: Note, relationship: title, match: {a: b}}]",
      "'title' of Note is an attribute; a relationship"
    ),
    (
      "Notes", "relink: [{entity: Note, relationship: foldr, match: {a: b}}]",
      "no relationship 'foldr' in Note; did you mean 'folder'?"
    ),
    (
      "Notes", "relink: [{entity: Note, relationship: folder, match: {createdAt: name}}]",
      "'createdAt' of Note is Date, and 'name' of Folder is String; they are never equal"
    ),
    ("Notes", "relink: [{entity: Note, relationship: folder, match: {title: nme}}]", "no attribute 'nme' in Folder"),
    (
      "Notes", "relink: [{entity: Note, relationship: folder, match: {title: name}, separator: ','}]",
      "'separator' is for lists; 'folder' of Note leads to one object"
    ),
    (
      "Notes", "relink: [{entity: Note, relationship: tags, match: {title: name}}]",
      "'tags' of Note leads to many; give the 'separator'"
    ),
    (
      "Notes", "relink: [{entity: Note, relationship: tags, match: {createdAt: name}, separator: ','}]",
      "a list is a text; 'createdAt' of Note is Date"
    ),
    (
      "Notes", "relink: [{entity: Note, relationship: tags, match: {body: name, title: name}, separator: ','}]",
      "it is matched by one attribute, which holds a list"
    ),
    (
      "Notes", "relink: [{entity: Folder, relationship: notes, match: {name: title}, separator: ','}]",
      "'notes' of Folder leads to many, and the links are kept on the other side; relink 'Note.folder' instead"
    ),
    (
      "Notes", "relink: [{entity: Note, relationship: folder, from: inverse}]",
      "'folder' of Note and its inverse 'Folder.notes' share one column"
    ),
    ("Shapes", "relink: [{entity: House, relationship: pet, from: inverse}]", "'pet' of House has no inverse"),
    // Junctions
    (
      "Notes", "junctions: [{from: Note.folder, entity: Attachment, source: note, destination: note}]",
      "'folder' of Note is not many-to-many"
    ),
    (
      "Notes", "junctions: [{from: tags, entity: Attachment, source: note, destination: note}]",
      "an entity and a many-to-many relationship are expected in 'from'"
    ),
    (
      "SchoolBridge", "junctions: [{from: Student.courses, entity: Enrollment, source: student, destination: grade}]",
      "'grade' of Enrollment is an attribute; a relationship is expected"
    ),
    // Inverses
    (
      "Notes", "inverses: [{entity: Note, relationship: folder, from: this}]",
      "only a one-to-one relationship keeps both sides"
    ),
    (
      "Notes", "inverses: [{entity: Note, relationship: tags, from: this}]",
      "only a one-to-one relationship keeps both sides"
    ),
  ])
  func aMistakeIsToldWithNamesThatExist(store: String, recipe: String, message: String) throws {
    let mistakes = try Recipe(reading: Array("version: 1\n\(recipe)".utf8)).mistakes(in: open(store))
    #expect(mistakes.count == 1 && mistakes[0].line == 2, "\(mistakes)")
    #expect(mistakes.first?.message.contains(message) == true, "\(mistakes)")
  }

  @Test(arguments: [
    (
      "Notes",
      "dedupe: [{entity: Note, by: [title, folder], keep: {newest: createdAt}, others: {rename: '{title} ({n})'}}]"
    ),
    ("Notes", "dedupe: [{entity: Checklist, by: [title, done]}]"),
    ("Shapes", "dedupe: [{entity: Room, by: [size.width, name], keep: {oldest: size.depth}}]"),
    (
      "Shapes",
      "backfill: [{entity: Room, attribute: size.width, value: 1}, {entity: Room, attribute: size.name, from: name}]"
    ),
    ("Shapes", "backfill: [{entity: Types, attribute: integer16, value: -32768, from: boolean}]"),
    ("Shapes", "backfill: [{entity: Types, attribute: decimal, value: '12.50', from: integer64}]"),
    ("Shapes", "backfill: [{entity: Types, attribute: date, value: 2024-05-01, generate: now}]"),
    (
      "Shapes",
      "backfill: [{entity: Types, attribute: uuid, value: e621e1f8-c36c-495a-93fc-0c247a3e6e5f, generate: uuid}]"
    ),
    ("Shapes", "backfill: [{entity: Types, attribute: string, generate: default}]"),
    ("Shapes", "backfill: [{entity: Types, attribute: binary, value: AAEC}]"),
    ("Shapes", "backfill: [{entity: Types, attribute: integer64, expression: 'unix(date)', generate: sequence}]"),
    ("Shapes", "backfill: [{entity: Kitten, attribute: name, from: home.address}]"),
    ("Notes", "backfill: [{entity: Note, attribute: body, group: [folder, title]}]"),
    (
      "Notes",
      "relink: [{entity: Note, relationship: folder, match: {title: name, folder.name: name}, compare: normalized}]"
    ),
    ("Notes", "relink: [{entity: Note, relationship: tags, match: {title: name}, separator: ', '}]"),
    ("Club", "relink: [{entity: Person, relationship: passport, from: inverse}]"),
    (
      "Club",
      "inverses: [{entity: Person, relationship: passport, from: this}, {entity: Passport, relationship: holder, from: other}]"
    ),
    (
      "SchoolBridge",
      "junctions: [{from: Course.students, entity: Enrollment, source: course, destination: student}]"
    ),
    ("Notes", "structure: [high-water]\ndangling: nullify"),
  ])
  func whatFitsHasNoMistakes(store: String, recipe: String) throws {
    #expect(try Recipe(reading: Array("version: 1\n\(recipe)".utf8)).mistakes(in: open(store)) == [])
  }

  @Test func allMistakesOfAllItemsAreTold() throws {
    let recipe = try Recipe(
      reading: Array(
        """
        version: 1
        dedupe:
          - {entity: Note, by: [titel, tags]}
        backfill:
          - {entity: Note, attribute: isPinned, value: maybe, generate: uuid}
          - {entity: Nowhere, attribute: a, value: 1}
        """.utf8))
    #expect(try recipe.mistakes(in: open("Notes")).map(\.line) == [3, 3, 5, 5, 6])
  }

  @Test func safeFitsEveryStore() throws {
    #expect(try Recipe.safe.mistakes(in: open("Shapes")) == [])
    #expect(Recipe.safe.dangling == .nullifyOptional && !Recipe.safe.structure.contains(.metadata))
  }
}

private func open(_ name: String) throws -> Store { try Store(path: Project.path("corpus/\(name).sqlite")) }
