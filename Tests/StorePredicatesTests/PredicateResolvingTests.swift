import StoreDataModel
import StorePredicates
import Testing

@Suite struct PredicateResolvingTests {
  @Test(arguments: [
    ("titel == 'a'", "1: no property 'titel' of Note; did you mean 'title'?"),
    ("folder.nam == 'a'", "8: no property 'nam' of Folder; did you mean 'name'?"),
    ("address.citi == 'a'", "9: no element 'citi' of 'address'; did you mean 'city'?"),
    (
      "address == 'a'",
      "1: 'address' is a composite attribute; one of its elements is compared: 'address.city', 'address.zip'"
    ),
    ("title.length > 1", "7: 'title' of Note is an attribute (String); nothing can follow it"),
    ("draft == 'a'", "1: 'draft' of Note is transient: no store has its values"),
    ("pages > 1", "1: 'pages' is a property of Book, not of every Note; ask for the rows of Book"),
    ("title == 1", "10: 'title' is String; it is compared with a text, in quotes"),
    ("count == '1'", "10: 'count' is Integer 32; it is compared with a number, without quotes"),
    ("isDone == 2", "11: 'isDone' is Boolean; it is compared with TRUE or FALSE"),
    ("data == 'a'", "9: 'data' is Binary; it can only be compared with NULL"),
    ("data > data", "6: 'data' is Binary and 'data' is Binary; they are not compared with each other"),
    (
      "folder == 'Work'",
      "11: 'folder' is a to-one relationship to Folder; it is compared with an object's key, a whole number"
    ),
    (
      "folder == SELF",
      "8: 'folder' is a to-one relationship to Folder and 'SELF' is the object itself; they are not compared with each other"
    ),
    ("folder > 3", "8: 'folder' is a to-one relationship to Folder, which has no order; use == or !="),
    (
      "createdAt > '2026-13-01'",
      "13: not a date: dates are written '2026-03-01' (midnight UTC), '2026-03-01T12:30:00.5Z' or '2026-03-01T12:30+02:00'"
    ),
    (
      "createdAt > '2026-03-01 12'",
      "13: not a date: dates are written '2026-03-01' (midnight UTC), '2026-03-01T12:30:00.5Z' or '2026-03-01T12:30+02:00'"
    ),
    (
      "identifier == 'x'",
      "15: 'identifier' is UUID; it is compared with a UUID in quotes, 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'"
    ),
    ("title > NULL", "9: > with NULL is never true; NULL is compared with == or !="),
    ("count CONTAINS '1'", "1: 'count' is Integer 32; CONTAINS looks into texts"),
    ("count ==[c] 1", "7: 'count' is Integer 32; [c] and [d] are for texts"),
    (
      "tags.name == 'red'",
      "1: 'tags.name' has a value for each object of a to-many relationship; write ANY, ALL or NONE before it, or use @count"
    ),
    (
      "'red' == tags.name",
      "10: 'tags.name' has a value for each object of a to-many relationship; it can stand on the left only, after ANY, ALL or NONE"
    ),
    ("ANY title == 'a'", "5: ANY stands before a path through a to-many relationship; 'title' is String, one value"),
    (
      "ANY folder.notes.tags.name == 'a'",
      "18: a key path has one to-many relationship at most, in Core Data too; 'tags' is the second"
    ),
    ("title.@count > 1", "7: 'title' of Note is an attribute (String); nothing can follow it"),
    ("folder.@count > 1", "8: '@count' stands directly after a to-many relationship: notes.@count"),
    ("tags.@sum.name > 1", "6: @sum is not known of values that are String"),
    (
      "tags.@distinctUnionOfObjects.name == 'a'",
      "6: '@distinctUnionOfObjects' is not evaluated here; there are @count, @sum, @min, @max and @avg"
    ),
    ("title IN 'abc'", "10: IN is followed by a list in braces: IN {1, 2}"),
    (
      "title IN body",
      "10: IN is followed by a list in braces, or a path through a to-many relationship; for a part of a text use CONTAINS, with the text on the right"
    ),
    ("count BETWEEN {1}", "15: BETWEEN is followed by two values in braces: BETWEEN {1, 5}"),
    ("title MATCHES '(a'", "15: MATCHES: this group is not closed (character 1 of the pattern)"),
    (
      "title MATCHES '(a)\\\\1'",
      "15: MATCHES: back-references are not evaluated here: their time has no bound (character 4 of the pattern)"
    ),
  ])
  func saysWhatDoesNotFitTheModel(_ text: String, _ mistake: String) {
    #expect(Notebook.mistake(text) == mistake)
  }

  @Test func namesTheEntityThatIsNotThere() {
    #expect(Notebook.mistake("title == 'a'", for: "Notes") == "no entity 'Notes' in the model; did you mean 'Note'?")
  }

  @Test func knowsInheritedProperties() throws {
    let paths = try Notebook.resolved("title == 'a' AND pages > 1 AND title != 'b'", for: "Book").paths
    #expect(
      paths == [
        ResolvedPath(toOnes: [], end: .attribute(["title"], of: "Book", .string)),
        ResolvedPath(toOnes: [], end: .attribute(["pages"], of: "Book", .integer16)),
      ])
  }

  @Test func statesEachStepOfAPath() throws {
    let paths = try Notebook.resolved("folder.parent.name == 'a' AND ANY folder.notes.address.city == 'b'").paths
    let folder = ResolvedPath.Step(relationship: "folder", entity: "Note", destination: "Folder")
    let parent = ResolvedPath.Step(relationship: "parent", entity: "Folder", destination: "Folder")
    let notes = ResolvedPath.Step(relationship: "notes", entity: "Folder", destination: "Note")
    #expect(
      paths == [
        ResolvedPath(toOnes: [folder, parent], end: .attribute(["name"], of: "Folder", .string)),
        ResolvedPath(
          toOnes: [folder],
          end: .values(
            notes, ResolvedPath(toOnes: [], end: .attribute(["address", "city"], of: "Note", .string)))),
      ])
    #expect(paths.map(\.description) == ["folder.parent.name", "folder.notes.address.city"])
  }
}
