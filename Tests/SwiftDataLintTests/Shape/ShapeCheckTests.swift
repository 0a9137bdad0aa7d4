import Testing

@testable import SwiftDataLint

/// SD941 to SD953.
@Suite struct ShapeCheckTests {
  /// Two versions of a class, which begin in lines 7 and 12.
  private func plan(_ v1: String, _ v2: String, stage: String? = nil, more: String = "") -> String {
    """
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
      static var stages: [MigrationStage] { [\(stage ?? ".lightweight(fromVersion: V1.self, toVersion: V2.self)")] }
    }
    enum V1: VersionedSchema {
      static var models: [any PersistentModel.Type] { [V1.Note.self] }
      @Model final class Note { var text: String; \(v1); init() { text = "" } }
      @Model final class Person { var name = "" }
    }
    enum V2: VersionedSchema {
      static var models: [any PersistentModel.Type] { [V2.Note.self] }
      @Model final class Note { var text: String; \(v2); init() { text = "" } }
      @Model final class Person { var name = "" }
    }
    \(more)
    """
  }

  @Test func newRequiredAttribute() {
    #expect(
      findings(.newRequiredAttribute, plan("", "var stars: Int")) == [
        "12: error: Note.stars is new in V2, required and without a default: rows of V1 have no value for it"
      ])
    #expect(places(.newRequiredAttribute, plan("", "var stars: Int = 0; var count: Int?")) == [])
    #expect(places(.newRequiredAttribute, plan("var stars: Int", "var stars: Int")) == [])
    // Composites count as well.
    #expect(
      places(
        .newRequiredAttribute, plan("", "var place: Place", more: "struct Place: Codable { var city: String }")) == [
          "12 error"
        ])
    #expect(
      places(.newRequiredAttribute, plan("", "var kind: Kind", more: "enum Kind: String, Codable { case a }")) == [
        "12 error"
      ])
    // A renamed property is not new.
    #expect(
      places(
        .newRequiredAttribute, plan("var name: String", "@Attribute(originalName: \"name\") var title: String")) == [])
  }

  @Test func newRequiredRelationship() {
    #expect(
      findings(.newRequiredRelationship, plan("", "var owner: Person = Person()")) == [
        "12: error: Note.owner is new in V2 and required: rows of V1 get null, since defaults are for attributes only"
      ])
    #expect(places(.newRequiredRelationship, plan("", "var owner: Person?; var readers: [Person] = []")) == [])
    // It is reported by one check only.
    #expect(places(.newRequiredAttribute, plan("", "var owner: Person")) == [])
  }

  @Test func oneDefaultForAll() {
    #expect(
      findings(.oneDefaultForAll, plan("", "var token: UUID = UUID()")) == [
        "12: warning: Note.token is new in V2, and 'UUID()' is made once: all rows of V1 may get the same"
      ])
    #expect(places(.oneDefaultForAll, plan("", "@Attribute(.unique) var token: UUID = UUID()")) == ["12 error"])
    #expect(places(.oneDefaultForAll, plan("", "var made: Date = Date.now")) == ["12 warning"])
    #expect(places(.oneDefaultForAll, plan("", "var number: Int = .random(in: 0..<9)")) == ["12 warning"])
    for value in ["UUID().uuidString", "ProcessInfo.processInfo.globallyUniqueString", "\"a\" + UUID().uuidString"] {
      #expect(places(.oneDefaultForAll, plan("", "var token: String = \(value)")) == ["12 warning"], "\(value)")
    }
    #expect(places(.oneDefaultForAll, plan("", "var token: UUID = .init()")) == ["12 warning"])
    #expect(places(.oneDefaultForAll, plan("", "var made: Double = Date.now.timeIntervalSince1970")) == ["12 warning"])
    #expect(places(.oneDefaultForAll, plan("", "var token: Data = .init(); var far: Date = .distantPast")) == [])
    #expect(
      places(.oneDefaultForAll, plan("", "var token: UUID?; var stars = 0; var tags: [String] = [String]()")) == [])
    // Not a new property, so no existing row gets the default.
    #expect(places(.oneDefaultForAll, plan("var token: UUID = UUID()", "var token: UUID = UUID()")) == [])
  }

  @Test func aStageThatFillsRowByRow() {
    let fill = { (body: String) in
      ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil, didMigrate: { c in \(body); try c.save() })"
    }
    let note = "for n in try c.fetch(FetchDescriptor<V2.Note>()) { n.token = UUID() }"
    let token = "var token: UUID = UUID()"
    #expect(places(.oneDefaultForAll, plan("", token, stage: fill(note))) == [])
    #expect(
      places(
        .oneDefaultForAll, plan("", token, stage: fill("try c.enumerate(FetchDescriptor<V2.Note>()) { n in mend(n) }")))
        == ["12 warning"])
    #expect(
      places(.oneDefaultForAll, plan("", token, stage: fill(note.replacing("V2.Note", with: "V2.Person"))))
        == ["12 warning"])
    #expect(
      places(.oneDefaultForAll, plan("", token, stage: fill(note.replacing("token", with: "text")))) == ["12 warning"])
    // A function that is given the property's key path may fill it; one that sorts by it does not.
    #expect(places(.oneDefaultForAll, plan("", token, stage: fill(#"try refill(\V2.Note.token, in: c)"#))) == [])
    #expect(
      places(.oneDefaultForAll, plan("", token, stage: fill(#"try c.fetch(.init(sortBy: [.init(\V2.Note.token)]))"#)))
        == ["12 warning"])
    // The constraint is checked before a stage could set different values.
    #expect(
      places(.oneDefaultForAll, plan("", "@Attribute(.unique) " + token, stage: fill(note))) == ["12 error"])
  }

  @Test func newUniqueness() {
    let source = plan("var email: String = \"\"", "@Attribute(.unique) var email: String = \"\"")
    #expect(
      findings(.newUniqueness, source) == [
        "12: warning: Note is unique by email since V2, and the stage from V1 does not remove duplicates"
      ])
    let custom = ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { c in "
    #expect(
      places(
        .newUniqueness,
        plan(
          "var email: String = \"\"", "@Attribute(.unique) var email: String = \"\"",
          stage: custom + "try dedupe(c.fetch(FetchDescriptor<V1.Note>())) }, didMigrate: nil)")) == [])
    #expect(
      places(
        .newUniqueness,
        plan(
          "var email: String = \"\"", "@Attribute(.unique) var email: String = \"\"",
          stage: custom + "print(c) }, didMigrate: nil)")) == ["12 warning"])
    #expect(
      places(.newUniqueness, plan("@Attribute(.unique) var a: Int = 0", "@Attribute(.unique) var a: Int = 0")) == [])
    // All rows get the same new value: NULLs do not count as duplicates, anything else does.
    #expect(places(.newUniqueness, plan("", "@Attribute(.unique) var slug: String?")) == [])
    #expect(places(.newUniqueness, plan("", "@Attribute(.unique) var slug: String? = \"a\"")) == ["12 warning"])
    #expect(
      findings(.newUniqueness, plan("", "@Attribute(.unique) var slug: String = \"\"")) == [
        "12: warning: Note is unique by slug since V2, and all rows of V1 get the same slug"
      ])
    // If one property was unique before, so are two together.
    #expect(
      places(
        .newUniqueness,
        plan("@Attribute(.unique) var a: Int = 0; var b = 0", "#Unique<Note>([\\.a, \\.b]); var a: Int = 0; var b = 0"))
        == [])
  }

  @Test func perhapsRenamed() throws {
    let source = plan("var name: Int", "var title: Int")
    #expect(
      findings(.perhapsRenamed, source) == [
        "12: warning: perhaps Note.name of V1 under a new name: without originalName: its values are dropped"
      ])
    #expect(
      try fixed(.perhapsRenamed, source)
        == plan("var name: Int", "@Attribute(originalName: \"name\") var title: Int"))
    #expect(
      places(.perhapsRenamed, plan("var name: Int", "@Attribute(originalName: \"name\") var title: Int")) == [])
    // The other new properties have other types.
    #expect(
      places(
        .perhapsRenamed,
        plan("var name: Int", "var title: Int; var pinned: Bool = false; var created: Date?; var rank: Int?"))
        == ["12 warning"])
    #expect(places(.perhapsRenamed, plan("var name: Int", "var title: Int; var pages: Int = 0")) == [])
    #expect(places(.perhapsRenamed, plan("var name: Int; var made: Date?", "var title: Int; var b: Bool?")) == [])
    // Another type, or several candidates: taken for a removal.
    #expect(places(.perhapsRenamed, plan("var name: Int", "var made: Date?")) == [])
    #expect(places(.perhapsRenamed, plan("var a1: Int; var b2: Int", "var xyz: Int")) == [])
  }

  @Test func uselessOriginalName() throws {
    #expect(
      findings(.uselessOriginalName, plan("var name: Int", "@Attribute(originalName: \"nmae\") var title: Int")) == [
        "12: error: originalName: names 'nmae', which Note of V1 does not have"
      ])
    #expect(
      findings(.uselessOriginalName, plan("var title: Int", "@Attribute(originalName: \"name\") var title: Int")) == [
        "12: note: V1 has Note.title already: originalName: has done its work"
      ])
    #expect(
      findings(.uselessOriginalName, plan("var title: Int", "@Attribute(originalName: \"title\") var title: Int")) == [
        "12: note: originalName: is the property's own name: it does nothing"
      ])
    // In all other cases `originalName:` may matter, since it says which column has the values, so there is no fix.
    #expect(
      try fixed(.uselessOriginalName, plan("var a = 0", "@Attribute(.unique, originalName: \"a\") var a = 0"))
        == plan("var a = 0", "@Attribute(.unique) var a = 0"))
    #expect(
      try fixed(.uselessOriginalName, plan("var a = 0", "@Attribute(originalName: \"a\") var a = 0"))
        == plan("var a = 0", "@Attribute var a = 0"))
    #expect(
      places(.uselessOriginalName, plan("var name: Int", "@Attribute(originalName: \"name\") var title: Int")) == [])
  }

  @Test func changedType() {
    #expect(
      findings(.changedType, plan("var due: Date?", "var due: Int?")) == [
        "12: error: Note.due changes from Date to Integer 64 from V1 to V2 under one name"
      ])
    #expect(places(.changedType, plan("var owner: String?", "var owner: Person?")) == ["12 error"])
    #expect(places(.changedType, plan("var owner: [Person] = []", "var owner: Person?")) == ["12 error"])
    #expect(places(.changedType, plan("var due: Date?", "var due: Date?; var dueDay: Int?")) == [])
    #expect(places(.changedType, plan("var due: Date?", "var due: Date = Date()")) == [])
    // A type of another module is not known.
    #expect(places(.changedType, plan("var price: Int", "var price: Money")) == [])
    let mood = "enum Mood: Int, Codable { case good, bad }; var mood: Mood?"
    #expect(
      findings(.changedType, plan(mood, mood.replacing(": Int", with: ": String"))) == [
        "12: error: Note.mood changes inside (mood from Integer 64 to String) from V1 to V2 under one name"
      ])
    let size = "struct Size: Codable { var w: Int; var h: Int? }; var size: Size?"
    #expect(
      findings(.changedType, plan(size, size.replacing("w: Int", with: "w: Double"))) == [
        "12: error: Note.size changes inside (w from Integer 64 to Double) from V1 to V2 under one name"
      ])
    #expect(places(.changedType, plan(size, size.replacing("h: Int?", with: "h: Int?; var d: Int?"))) == [])
  }

  @Test func newIndex() {
    #expect(
      findings(.newIndex, plan("var date: Date?", "#Index<Note>([\\.date]); var date: Date?")) == [
        "12: note: the index of Note by date is new in V2: stores that are migrated may not get it"
      ])
    let index = "#Index<Note>([\\.date]); var date: Date?"
    #expect(places(.newIndex, plan(index, index)) == [])
  }

  @Test func newCase() {
    let source = plan(
      "enum Mood: Codable { case good, bad }; var mood: Mood?",
      "enum Mood: Codable { case good, bad, odd }; var mood: Mood?")
    #expect(
      findings(.newCase, source) == [
        "12: warning: Mood has no raw values and has the new case odd in V2: each case is a column"
      ])
    #expect(places(.newCase, source.replacing(": Codable", with: ": String, Codable")) == [])
  }

  @Test func renamedClass() {
    let source = plan("var a: Int; var b: Int", "var a: Int; var b: Int")
      .replacing("[V2.Note.self]", with: "[V2.Memo.self]")
    let parts = source.split(separator: "enum V2", maxSplits: 1)
    let renamed = parts[0] + "enum V2" + parts[1].replacing("class Note", with: "class Memo")
    #expect(
      findings(.renamedClass, String(renamed)) == [
        "12: error: Memo looks like Note of V1 under a new name: SwiftData cannot rename a class, and drops its rows"
      ])
    #expect(places(.renamedClass, plan("", "var stars = 0")) == [])
  }

  /// Three versions of a class, in lines 5, 7 and 9.
  private func row(_ members: [String], stages: String = "") -> String {
    """
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
      static var stages: [MigrationStage] { [\(stages)] }
    }

    """
      + members.enumerated().map { number, members in
        """
        enum V\(number + 1): VersionedSchema { static var models: [any PersistentModel.Type] { [Note.self] }
          @Model final class Note { \(members) } }
        """
      }.joined(separator: "\n")
  }

  @Test func goneAndBack() {
    #expect(
      findings(.goneAndBack, row(["var a = 0; var read: Date?", "var a = 0", "var a = 0; var read: Date?"])) == [
        "8: warning: Note of V2 has no read, which V1 and V3 have: its values are dropped between"
      ])
    // Gone for good, new in the last, of another type, renamed and renamed back.
    #expect(places(.goneAndBack, row(["var a = 0; var b = 0", "var a = 0", "var a = 0"])) == [])
    #expect(places(.goneAndBack, row(["var a = 0", "var a = 0", "var a = 0; var b = 0"])) == [])
    #expect(places(.goneAndBack, row(["var a = 0; var b = 0", "var a = 0", "var a = 0; var b: Date?"])) == [])
    let renamed = [
      "var b = 0", "@Attribute(originalName: \"b\") var c = 0", "@Attribute(originalName: \"c\") var b = 0",
    ]
    #expect(places(.goneAndBack, row(renamed)) == [])
    // A relationship, and over more than one version.
    #expect(places(.goneAndBack, row(["var next: Note?", "var a = 0", "var next: Note?"])) == ["8 warning"])
    let four = row(["var b = 0", "var a = 0", "var a = 0", "var b = 0"]).replacing(
      "V3.self]", with: "V3.self, V4.self]")
    #expect(places(.goneAndBack, four) == ["8 warning"])
    // It may be in what is not known of the version.
    #expect(places(.goneAndBack, row(["var b = 0", "var b: Money", "var b = 0"])) == [])
  }

  @Test func madeTransient() {
    let source = row(["var a = 0; var draft: String?", "var a = 0\n  @Transient var draft: String?", "var a = 0"])
    #expect(
      findings(.madeTransient, source) == [
        "9: warning: Note.draft is @Transient in V2 and stored in V1: its column goes, with the values of all rows"
      ])
    #expect(
      places(.madeTransient, row(["@Transient var a = 0; var b = 0", "@Transient var a = 0", "var b = 0"])) == [])
    // Said once, also where it is stored again later.
    let back = row(["var a = 0; var b = 0", "var a = 0; @Transient var b = 0", "var a = 0; var b = 0"])
    #expect(places(.madeTransient, back) == ["8 warning"])
    #expect(places(.goneAndBack, back) == [])
  }

  /// A stage that reads the property before it goes may carry it over.
  @Test(arguments: ["draft": 0, "text": 1]) func aStageThatCarriesValues(property: String, count: Int) {
    let stage = """
      .custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { context in
        for note in try context.fetch(FetchDescriptor<V1.Note>()) { keep(note.\(property)) }
      }, didMigrate: nil)
      """
    let transient = row(["var text = 0; var draft = 0", "@Transient var draft = 0; var text = 0", ""], stages: stage)
    #expect(places(.madeTransient, transient).count == count)
    let back = row(["var text = 0; var draft = 0", "var text = 0", "var text = 0; var draft = 0"], stages: stage)
    #expect(places(.goneAndBack, back).count == count)
  }

  @Test(arguments: [
    ("var name = \"\"; var price = 0.0", "var name = \"\"; var price = 0.0; var cents: Int?", ["12 error"]),
    ("var name = \"\"; var price = 0.0", "var name = \"\"; var price = 0; var cents: Int?", []),
    // Too little in common: one property, properties that many classes have, or two of many.
    ("var id = UUID(); var title = \"\"", "var id = UUID(); var title = \"\"; var cents: Int?", []),
    ("var price = 0.0", "var price = 0.0; var cents: Int?", []),
    ("var name = \"\"; var age = 0", "var name = \"\"; var age = 0; var cents: Int?", []),
    ("var name = \"\"; var price = 0.0", "var name = \"\"; var price = 0.0; var a: Int?; var b: Int?", []),
  ])
  func smallClassesThatGrow(old: String, new: String, expected: [String]) {
    let source = """
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
        static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
      }
      enum V1: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Item.self, Person.self] }
        @Model final class Item { \(old) }
        @Model final class Person { var name = ""; var age = 0; var email = "" }
      }
      enum V2: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Product.self, Person.self] }
        @Model final class Product { \(new) }
        @Model final class Person { var name = ""; var age = 0; var email = "" }
      }
      """
    #expect(places(.renamedClass, source) == expected)
  }

  @Test func editedStruct() {
    let source = { (before: String, after: String, mark: String) in
      """
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
        static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
      }
      enum V1: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Person.self] }
        struct Place: Codable { \(before) }
        @Model final class Person { var home: Place\(mark); var n = 0; init() { } }
      }
      enum V2: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Person.self] }
        struct Place: Codable { \(after) }
        @Model final class Person { var home: Place\(mark); var n = 0; init() { } }
      }
      """
    }
    let city = "var city: String"
    #expect(
      findings(.editedStruct, source(city, city + "; var zip: String", "")) == [
        "13: error: Place of Person.home has the new member zip in V2, which is required: rows of V1 have no value for it"
      ])
    #expect(places(.editedStruct, source(city, city + "; var zip: String = \"\"", "")) == ["13 error"])
    #expect(places(.editedStruct, source(city, city + "; var zip: String?", "")) == [])
    #expect(places(.editedStruct, source(city + "; var zip: String", city, "")) == [])
    #expect(places(.editedStruct, source(city, city, "")) == [])
    // The first versions of SwiftData refused this for an optional struct, too.
    #expect(places(.editedStruct, source(city, city + "; var zip: String", "?")) == ["13 warning"])
    #expect(places(.editedStruct, source(city, city + "; var zip: String?", "?")) == [])
  }
}
