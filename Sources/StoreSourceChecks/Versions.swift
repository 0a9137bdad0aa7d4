import StoreFindings

extension SourceCheck {
  package static let missingModel = SourceCheck(
    "SD901", "model-missing-from-version", .error,
    summary: "A version's list of models lacks a class that belongs to it.",
    looksFor: """
      An `@Model` class nested in a version that `models` neither lists nor reaches through a relationship, and an
      entity that a version lacks while the versions before and after it have it. A class that is reached but not listed
      is a note: it is in the model all the same.
      """,
    matters: "An entity that is in no list vanishes with this version, and a migration to it drops its rows.",
    bad: """
      enum V2: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Note.self] }
        @Model final class Note { var text = ""; init() {} }
        @Model final class Tag { var name = ""; init() {} }
      }
      """, good: "static var models: [any PersistentModel.Type] { [Note.self, Tag.self] }",
    remedy: "List the class in `models`, or delete it from the version if it is no part of it.")

  package static let equalVersions = SourceCheck(
    "SD902", "equal-versions", .error,
    summary: "Two versions of a plan have the same model.",
    looksFor: """
      Versions of one plan whose checksums are equal. Identifiers, defaults, delete rules, indexes, `originalName:` and
      `@Transient` are not hashed, so versions that differ only there are equal. It is a warning where no stage names
      either of them.
      """,
    matters: """
      Staged migration tells versions by their checksums, and stops with "Duplicate version checksums across stages
      detected."
      """,
    bad: """
      enum V1: VersionedSchema { static var models: [any PersistentModel.Type] { [Note.self] } }
      enum V2: VersionedSchema { static var models: [any PersistentModel.Type] { [Note.self] } }
      """, good: "enum V1: VersionedSchema { /* a copy of Note as it was, nested here */ }",
    remedy: """
      Drop one of the versions and its stage; or freeze the classes of the earlier one; or, where nothing but values
      changes, give one property `@Attribute(hashModifier: "2")` in the later version.
      """)

  package static let liveClass = SourceCheck(
    "SD903", "live-class-in-version", .error,
    summary: "A version lists a class that is not frozen in it.",
    looksFor: """
      A listed class that is declared outside every version, or that a typealias leads to. In the last version it is
      only a note: many apps work like that until they add the next one.
      """,
    matters: """
      The next edit of that class changes a version that was shipped, and stores of it are refused: 134504, "Cannot use
      staged migration with an unknown model version".
      """,
    bad: """
      typealias Note = V3.Note
      enum V1: VersionedSchema { static var models: [any PersistentModel.Type] { [Note.self] } }
      """,
    good: """
      enum V1: VersionedSchema {
        static var models: [any PersistentModel.Type] { [V1.Note.self] }
        @Model final class Note { var text = ""; init() {} }
      }
      """,
    remedy: """
      Copy the class as it was shipped into the version, with its enums and structs, and list the copy. `storedoctor lint
      PATH --freeze V1` prints the whole version as such a copy, with the same hashes; where the class was edited since,
      run it on the source at the tag of the release.
      """)

  package static let identifiers = SourceCheck(
    "SD904", "version-identifiers-in-disorder", .error,
    summary: "Identifiers of a plan's versions are equal, or fall.",
    looksFor: """
      `Schema.Version` of the versions in the order of `schemas`: equal ones are an error, falling ones a warning, and
      a note where another plan lists the same versions the other way, as a plan that leads back does. With `--store`: a
      store with the identifier of one version and the hashes of another is an error.
      """,
    matters: """
      The identifier is how a person tells which version a store is of. Two shapes under one identifier cannot be told
      apart by it, neither in a log nor in a bug report.
      """,
    bad: """
      enum V1: VersionedSchema { static let versionIdentifier = Schema.Version(1, 0, 0) }
      enum V2: VersionedSchema { static let versionIdentifier = Schema.Version(1, 0, 0) }
      """, good: "enum V2: VersionedSchema { static let versionIdentifier = Schema.Version(2, 0, 0) }",
    remedy: "Give each version an identifier of its own that rises. It is not hashed: changing it breaks no store.")

  package static let schemaOrder = SourceCheck(
    "SD905", "versions-out-of-order", .warning,
    summary: "The order of `schemas` is not that of the identifiers or the stages.",
    looksFor: "Versions in `schemas` whose identifiers, or the chain of stages, say another order.",
    matters: "The last version in `schemas` is taken for the current one, and neighbours are migrated one to the next.",
    bad: "static var schemas: [any VersionedSchema.Type] { [V2.self, V1.self] }",
    good: "static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }",
    remedy: "Write `schemas` from the oldest version to the newest.")

  package static let escapingReference = SourceCheck(
    "SD906", "relationship-leaves-version", .error,
    summary: "A class of one version refers to a class of another.",
    looksFor: """
      A relationship of a class in one version whose type is a class of another version or a live one, while another
      class has that entity name as well. A version that lists that very class on purpose is left alone, unless the
      class brings another of a name that the version has.
      """,
    matters: """
      SwiftData binds an entity's name to the first class that claims it, so the frozen version gets the other's shape
      at run time, whatever its source says.
      """,
    bad: "extension V1 { @Model final class Wallet { var accounts: [Account] = []; init() {} } }  // V1 has no Account",
    good: """
      extension V1 {
        @Model final class Wallet { var accounts: [Account] = []; init() {} }
        @Model final class Account { var name = ""; init() {} }
      }
      """, remedy: "Freeze the other class in the version too.")

  package static let strayVersion = SourceCheck(
    "SD907", "version-outside-plans", .note,
    summary: "No plan's `schemas` names a version.",
    looksFor: "Types that conform to `VersionedSchema` and that no plan names, where there is a plan.",
    matters: "Stores of that version cannot be opened with the plan: 134504.",
    bad: """
      enum V3: VersionedSchema { }
      static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
      """, good: "static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }",
    remedy: "Add it to `schemas` with a stage that leads to it, or delete it if it was never shipped.")

  package static let unknownShippedVersion = SourceCheck(
    "SD908", "shipped-version-missing", .error, needs: [.storesOrPins],
    summary: "The plan has no version with the hashes of a store.",
    looksFor: "A store (`--store`) whose hashes no version of the plan has, all versions being derived.",
    matters: """
      Opening such a store with the plan ends with 134504, "Cannot use staged migration with an unknown model version".
      A store with the identifier 1.0.0 often comes from the release before the plan, which had no version.
      """,
    bad: "static var schemas: [any VersionedSchema.Type] { [V2.self, V3.self] }  // release 1.0 had neither",
    good: "static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }",
    remedy: """
      Add a version with the classes as that release had them. `storedoctor model match STORE --git .` finds the commit.
      """)

  package static let editedShippedVersion = SourceCheck(
    "SD909", "shipped-version-edited", .error, needs: [.storesOrPins],
    summary: "A version no longer has the hashes it was shipped with.",
    looksFor: """
      Versions whose hashes are not those of their pin (`--pins`), of a store (`--store`) with their identifier, or of the
      version of that name at a release in the repository (`--git` with `--tags`, `--branches` or `--commits`), entity by
      entity. That holds for a frozen copy too that lacks what the live class had at the tag. What is not hashed (defaults,
      delete rules, indexes) is no edit.
      """,
    matters: "Stores of the version as it was shipped are refused: 134504.",
    bad: """
      // added later: pinned
      enum V1: VersionedSchema { @Model final class Note { var text = ""; var pinned = false; init() {} } }
      """,
    good: "enum V2: VersionedSchema { @Model final class Note { var text = \"\"; var pinned = false; init() {} } }",
    remedy: """
      Take the edit back, and put it into a new version: `storedoctor lint PATH --freeze V2` prints the classes as they
      are, to be kept in the version before they are edited; of a release, run it on the source at that tag.
      """)

  package static let sharedValueType = SourceCheck(
    "SD910", "value-type-shared-between-versions", .warning,
    summary: "Versions share a struct or an enum whose members are part of their hashes.",
    looksFor: """
      A Codable struct, or an enum without raw values, that is declared outside the versions and that models of two or
      more of them hold. Enums with raw values are harmless: only the raw type is hashed.
      """,
    matters: """
      A struct's stored properties and the cases of such an enum are columns, and part of the entity's hash. Editing the
      type changes all versions that use it at once.
      """,
    bad: "struct Address: Codable { var city: String }  // held by V1.Person and V2.Person",
    good: "enum V1: VersionedSchema { struct Address: Codable { var city: String } }",
    remedy: "Freeze the type in each version beside the classes that hold it.")
}
