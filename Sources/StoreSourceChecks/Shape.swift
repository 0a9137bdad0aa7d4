import StoreFindings

extension SourceCheck {
  package static let newRequiredAttribute = SourceCheck(
    "SD941", "required-attribute-without-default", .error,
    summary: "A new attribute is required and has no default.",
    looksFor: """
      An attribute that a version adds, not optional and without an initial value at its declaration. A value that `init`
      sets does not count.
      """,
    matters: """
      Rows that exist have no value for it: the migration fails with 134110, "missing attribute values on mandatory
      destination attribute".
      """, bad: "@Model final class Note { var text: String; var stars: Int; init() { stars = 0 } }",
    good: "@Model final class Note { var text: String; var stars: Int = 0; init() { } }",
    remedy: "Write the default at the declaration, or make the attribute optional.")

  package static let newRequiredRelationship = SourceCheck(
    "SD942", "required-relationship-added", .error,
    summary: "A new to-one relationship is required.",
    looksFor: "A to-one relationship that a version adds, not optional, whether or not it has an initial value.",
    matters: "Defaults are for attributes. Rows that exist get null, which the app traps on or cannot save.",
    bad: "var owner: Person = Person()", good: "var owner: Person?", remedy: "Make it optional.")

  package static let oneDefaultForAll = SourceCheck(
    "SD943", "default-made-once", .warning,
    summary: "A new property's default is computed once for all rows that exist.",
    looksFor: """
      A property that a later version adds with `UUID()`, `.init()`, `Date()`, `.now`, `.random` or another call as
      default, also inside `UUID().uuidString` or a sum, and that `didMigrate` does not fill. With `.unique` it is an
      error.
      """,
    matters: "It is evaluated once, when the model is built: all old rows may get the same identifier or date.",
    bad: "var token: UUID = UUID()", good: "var token: UUID?  // filled in didMigrate",
    remedy: "Make it optional and fill it row by row in `didMigrate`.")

  package static let newUniqueness = SourceCheck(
    "SD944", "uniqueness-added", .warning,
    summary: "A version adds a uniqueness constraint, and no stage removes duplicates.",
    looksFor: """
      A constraint that is new, where the stage is lightweight or its `willMigrate` does not touch that class: by a
      property that was there, or by a new one that all old rows get the same value of; a new optional without default
      is none. With `--store` it is an error where a store of an earlier version has rows that are equal, with their
      keys.
      """,
    matters: "Rows that violate the constraint make the migration fail, or are merged without a word.",
    bad: "@Attribute(.unique) var email: String  // new in V2, with a lightweight stage",
    good: ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: removeDuplicates, didMigrate: nil)",
    remedy: "Remove duplicates in `willMigrate`. `storedoctor diagnose STORE --unique Person.email` counts them.")

  package static let perhapsRenamed = SourceCheck(
    "SD945", "rename-without-original-name", .warning,
    summary: "A property looks renamed, and nothing says so.",
    looksFor: """
      A property that goes and one of the same type and optionality that comes, without `originalName:`; only pairs that
      are unique in kind or alike in name.
      """,
    matters: "Without `originalName:` the old column is dropped with all it holds.",
    bad: """
      // V1: var name: String
      var title: String
      """, good: "@Attribute(originalName: \"name\") var title: String",
    remedy: "Write `@Attribute(originalName:)`, or silence the finding where the property is really another.")

  package static let uselessOriginalName = SourceCheck(
    "SD946", "original-name-of-nothing", .error,
    summary: "`originalName:` names no property of the version before.",
    looksFor: """
      `originalName:` with a name the version before does not have: an error. Where that version has the new name
      already, or the name is the property's own, it is a note: the option does nothing any more.
      """,
    matters: "The rename does not happen, and the old column is dropped with all it holds.",
    bad: "@Attribute(originalName: \"nmae\") var title: String",
    good: "@Attribute(originalName: \"name\") var title: String",
    remedy: "Write the name as the version before has it.")

  package static let changedType = SourceCheck(
    "SD947", "type-changed-in-place", .error,
    summary: "A property has another type under the same name.",
    looksFor: """
      An attribute whose stored type is another in the next version, also that of a member of a struct or of an enum's
      raw value; an attribute that becomes a relationship or the reverse, and a to-many relationship that becomes
      to-one.
      """,
    matters: "Core Data has no mapping for it: the migration fails, or the values are dropped.",
    bad: """
      // V1: var due: Date?
      var due: Int?
      """,
    good: """
      // V2: var due: Date?; var dueDay: Int?
      // V3: var dueDay: Int?
      """, remedy: "Add a property of the new type, fill it in a custom stage, and remove the old one a version later.")

  package static let editedStruct = SourceCheck(
    "SD948", "struct-edited-in-place", .error,
    summary: "The members of a struct that a model holds are not what they were.",
    looksFor: """
      A struct, or an enum without raw values, whose stored members are not those that the version was shipped with
      (`--store`, `--pins`, `--git`); and a member without optional type that a struct has in a later version. A member that
      rows need not have is a warning.
      """,
    matters: """
      Each member is a column and part of the entity's hash. A required one that came later was refused with "missing
      attribute values on mandatory destination attribute", also with an initial value, and on early systems also in an
      optional property.
      """,
    bad: "struct Place: Codable { var city: String; var zip: String }  // `zip` added",
    good: "struct Place: Codable { var city: String; var zip: String? }  // in a new version, beside its classes",
    remedy: "Put the struct as it was into each version, and let members that come later be optional.")

  package static let newIndex = SourceCheck(
    "SD949", "index-added", .note,
    summary: "A version adds an index that stores which exist may not get.",
    looksFor: """
      `#Index` that is new in a later version, and with `--store` each index of the version that made a store which the
      store does not have.
      """,
    matters: """
      An index is not hashed, so it alone starts no migration, and can come into a version that was shipped; only new
      stores are sure to have it.
      """,
    bad: "#Index<Note>([\\.date])  // new in V2", good: "#Index<Note>([\\.date])  // since V1",
    remedy: "Nothing has to be done for correctness; compare the speed on a migrated store, not on a new one.")

  package static let newCase = SourceCheck(
    "SD950", "case-added-to-enum", .warning,
    summary: "An enum without raw values has other cases in the next version.",
    looksFor: "Enums without raw values that properties of both versions hold, whose cases are not the same.",
    matters: "Each case is a column, so this is a change of the schema like that of a class.",
    bad: "enum Mood: Codable { case good, bad, unsure }", good: "enum Mood: String, Codable { case good, bad, unsure }",
    remedy: "Give the enum a raw type: then a case more changes nothing.")

  package static let renamedClass = SourceCheck(
    "SD951", "class-renamed", .error,
    summary: "A class looks renamed, which SwiftData has no way to express.",
    looksFor: """
      An entity that goes and one with mostly the same properties that comes; of a small one all, and not only such as many
      classes have.
      """,
    matters: "`originalName:` is an option of properties. The rows of the old entity are dropped.",
    bad: """
      // V1: class Person
      @Model final class Contact { var name = ""; init() {} }
      """,
    good: """
      @Model final class Person { var name = ""; init() {} }
      typealias Contact = V2.Person
      """, remedy: "Keep the class's name in the schema, and use a typealias in the app.")

  package static let goneAndBack = SourceCheck(
    "SD952", "property-missing-between", .warning,
    summary: "A version lacks a property that the versions before and after it have.",
    looksFor: """
      A property of an entity that one version of a plan has, the next does not store, and a later one adds again with
      the same type. A property that is renamed there, or that the `willMigrate` before it reads, is left alone.
      """,
    matters: """
      Stores are migrated one version after the other: the column is dropped on the way, and comes back empty. Often a
      frozen copy was typed by hand and one line was forgotten.
      """,
    bad: """
      // V1: var rating: Int?
      // V2: (forgotten in the copy)
      var rating: Int?  // V3
      """,
    good: """
      // V1, V2 and V3
      var rating: Int?
      """,
    remedy: """
      Write the property into the version that lacks it, if no store of that version was shipped. If one was, rows that
      passed it have lost the values, and only a new version can fill the property again. `storedoctor lint --freeze`
      makes copies that lack nothing.
      """)

  package static let madeTransient = SourceCheck(
    "SD953", "property-made-transient", .warning,
    summary: "A stored property becomes `@Transient` in the next version.",
    looksFor: """
      A property that one version of a plan stores and that the class of the next one declares `@Transient`, unless the
      `willMigrate` between them reads it.
      """,
    matters: "What is transient has no column: the migration drops the one there was, with the values of all rows.",
    bad: """
      // V1: var draft: String?
      @Transient var draft: String?
      """, good: "var draft: String?  // kept as it was",
    remedy: """
      Keep it stored, or carry the values to another property in a custom stage first. If they are not needed, silence
      the finding.
      """)
}
