import StoreFindings

extension SourceCheck {
  package static let manyToManyWithoutInverse = SourceCheck(
    "SD961", "many-to-many-without-inverse", .error,
    summary: "Two arrays point at each other, and neither names an inverse.",
    looksFor: "`[B]` in A and `[A]` in B without `inverse:` on either side.",
    matters: "They become two one-way relationships with hidden columns, not one join table: each shows other links.",
    bad: """
      class Note { var tags: [Tag] = [] }
      class Tag { var notes: [Note] = [] }
      """, good: "class Note { @Relationship(inverse: \\Tag.notes) var tags: [Tag] = [] }",
    remedy: "Name the inverse on one side. That changes the hash: it needs a new version.")

  package static let wrongInverse = SourceCheck(
    "SD962", "inverse-does-not-fit", .error,
    summary: "`inverse:` names a property that does not lead back.",
    looksFor:
      "Key paths to a property that does not exist, whose type is not this class, or of another version's class.",
    matters: "The schema is refused when the container is made, or the pair stays one-way.",
    bad: "@Model final class Book { @Relationship(inverse: \\Author.name) var author: Author?; init() {} }",
    good: "@Model final class Book { @Relationship(inverse: \\Author.books) var author: Author?; init() {} }",
    remedy: "Name the property of the other class that holds this one.")

  package static let inverseTwice = SourceCheck(
    "SD963", "inverse-on-both-sides", .error,
    summary: "Both sides of a pair name their inverse.",
    looksFor: "Two properties whose `inverse:` name each other.",
    matters: "It does not compile: \"Circular reference resolving attached macro 'Relationship'\".",
    bad: """
      class A { @Relationship(inverse: \\B.a) var b: B? }
      class B { @Relationship(inverse: \\A.b) var a: A? }
      """,
    good: """
      class A { @Relationship(inverse: \\B.a) var b: B? }
      class B { var a: A? }
      """, remedy: "Take `inverse:` away on one side; the other side is found.")

  package static let notAnArray = SourceCheck(
    "SD964", "to-many-that-is-no-array", .error,
    summary: "A collection of models is not an array.",
    looksFor: "`Set`, `ContiguousArray` or a dictionary of model classes as a stored property.",
    matters: "SwiftData stops with \"Expected only Arrays for Relationships\".",
    bad: "var tags: Set<Tag> = []", good: "var tags: [Tag] = []",
    remedy: "Use an array; it has no order of its own, and holds each object once.")

  package static let oneWayByAccident = SourceCheck(
    "SD965", "one-way-by-accident", .warning,
    summary: "Two classes point at each other and are not inverses.",
    looksFor: """
      Pairs where both sides have `@Relationship` without `inverse:`, which systems up to iOS 18 make inverses and 26 does
      not; where one side has it, which 26 makes no inverses, while no store shows what older systems do; where several
      properties could be the other side, or where the to-one side is required, so that no inverse is inferred. Where no
      store has shown what SwiftData infers, the pair is listed as not checked.
      """,
    matters: """
      Deleting one side leaves the other dangling, and CloudKit refuses relationships without inverse. Where systems differ,
      a store that the older one wrote is of an unknown model to the newer one: 134504.
      """,
    bad: """
      class P { @Relationship(deleteRule: .cascade) var kids: [K] = [] }
      class K { @Relationship var p: P?; init() {} }
      """,
    good: """
      class P { @Relationship(deleteRule: .cascade, inverse: \\K.p) var kids: [K] = [] }
      class K { var p: P?; init() {} }
      """, remedy: "Name the inverse on one side. That changes the hash: it needs a new version.")

  package static let manyToManyWithoutDefault = SourceCheck(
    "SD966", "many-to-many-without-default", .note, needs: [.buildSettings],
    summary: "A many-to-many relationship has no initial value, and the app runs on systems of 17.0.",
    looksFor: """
      Arrays on both sides of a pair without `= []`, where `Package.swift` or the project of Xcode allows iOS 17.0,
      macOS 14.0, tvOS 17.0 or watchOS 10.0.
      """,
    matters: "For some orders of the class names the first systems with SwiftData fail on it; 17.1 does not.",
    bad: "@Relationship(inverse: \\Person.films) var cast: [Person]",
    good: "@Relationship(inverse: \\Person.films) var cast: [Person] = []",
    remedy: "Write `= []`: a default is not hashed, so no version changes by it.")

  package static let childLeftBehind = SourceCheck(
    "SD967", "required-parent-nullified", .warning,
    summary: "Deleting a parent leaves children whose required parent is null.",
    looksFor: "A to-many with `.nullify`, or without a rule, whose inverse is a required to-one.",
    matters: "After the parent is deleted the next save fails with 1570, or the app traps when it reads the child.",
    bad: """
      class List { @Relationship(inverse: \\Item.list) var items: [Item] = [] }
      class Item { var list: List; init(in list: List) { self.list = list } }
      """, good: "class List { @Relationship(deleteRule: .cascade, inverse: \\Item.list) var items: [Item] = [] }",
    remedy: "Delete the children with it (`.cascade`), or make their side optional.")

  package static let cascadeBothWays = SourceCheck(
    "SD968", "cascade-in-both-directions", .warning,
    summary: "Both sides of a pair delete the other.",
    looksFor: "Two inverse relationships with `.cascade`.",
    matters: "Deleting one row can take the whole graph with it.",
    bad: """
      class A { @Relationship(deleteRule: .cascade, inverse: \\B.a) var b: B? }
      class B { @Relationship(deleteRule: .cascade) var a: A? }
      """, good: "class B { var a: A? }", remedy: "Let only the owner cascade.")
}
