import StoreFindings

extension SourceCheck {
  package static let newTypeBefore = SourceCheck(
    "SD921", "new-type-in-will-migrate", .error,
    summary: "`willMigrate` refers to a type of the new version.",
    looksFor: """
      Classes of `toVersion` within the closure, or within a function of the same files that it calls. A class that both
      versions list is allowed.
      """,
    matters: "The context of `willMigrate` knows the old version only: fetching or inserting the new class traps.",
    bad: "willMigrate: { c in c.insert(V2.Note()) }",
    good: "willMigrate: { c in for n in try c.fetch(FetchDescriptor<V1.Note>()) { n.text = \"\" }; try c.save() }",
    remedy: "Work with the classes of `fromVersion` here, and with those of `toVersion` in `didMigrate`.")

  package static let oldTypeAfter = SourceCheck(
    "SD922", "old-type-in-did-migrate", .error,
    summary: "`didMigrate` refers to a type of the old version.",
    looksFor: "The mirror image of SD921: classes of `fromVersion` within `didMigrate`.",
    matters: "The context of `didMigrate` knows the new version only: fetching the old class traps.",
    bad: "didMigrate: { c in let old = try c.fetch(FetchDescriptor<V1.Note>()) }",
    good: "didMigrate: { c in let new = try c.fetch(FetchDescriptor<V2.Note>()); try c.save() }",
    remedy: "Work with the classes of `toVersion` here; what has to be kept goes through a property both have.")

  package static let liveTypeInStage = SourceCheck(
    "SD923", "live-type-in-stage", .error,
    summary: "A stage names a class by an alias, or one of no version it is between.",
    looksFor: """
      Names of model classes in a stage's closure that are live classes or typealiases (a warning), or that are classes of
      a third version (an error).
      """,
    matters:
      "It works until the alias moves on with the next version; then the stage fetches a class it does not know.",
    bad: "willMigrate: { c in try c.fetch(FetchDescriptor<Note>()) }  // an alias of V4.Note",
    good: "willMigrate: { c in try c.fetch(FetchDescriptor<V1.Note>()) }",
    remedy: "Write the version before the class: `V1.Note`.")

  package static let unsavedChanges = SourceCheck(
    "SD924", "stage-without-save", .warning,
    summary: "A stage changes objects and does not save.",
    looksFor: """
      A closure that inserts, deletes or assigns to fetched objects, and no `save()` of its context that comes after in any
      case: one in a branch, or of something else than the context, is not enough. Functions of the same files that it gives
      the context to, and methods that extensions give the context, are followed, one level deep; of others it says that it
      does not know.
      """,
    matters: "The migration's context does not save by itself: the changes are lost, and nothing says so.",
    bad: "didMigrate: { c in for n in try c.fetch(FetchDescriptor<V2.Note>()) { n.rank = 1 } }",
    good: "didMigrate: { c in for n in try c.fetch(FetchDescriptor<V2.Note>()) { n.rank = 1 }; try c.save() }",
    remedy: "End the closure with `try context.save()`.")

  package static let notLightweightStage = SourceCheck(
    "SD925", "lightweight-stage-too-light", .error,
    summary: "A migration of a plan is between versions that lightweight migration cannot bridge.",
    looksFor: """
      The differences of the two versions by the rules of `diagnose`: a type changed under one name (SD947), an optional
      property made required without default, a new required attribute (SD941) or relationship (SD942). Consecutive
      lightweight stages are taken as one migration from the store's version to the last of them, so these ends are
      compared, from every version that a store may have; so are the two versions of a custom stage, between whose
      closures a mapping is inferred too.
      """,
    matters: "The migration fails with 134110, 134140 or 134190, and the app does not open its store.",
    bad: """
      // between these with .lightweight
      enum V1: VersionedSchema { @Model final class N { var size = "1"; init() {} } }
      enum V2: VersionedSchema { @Model final class N { var size = 1; init() {} } }
      """, good: ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil, didMigrate: fill)",
    remedy: "Add a property beside the old one, fill it in a custom stage, and remove the old one in a later version.")

  package static let emptyCustomStage = SourceCheck(
    "SD926", "custom-stage-without-work", .note,
    summary: "A custom stage has neither `willMigrate` nor `didMigrate`.",
    looksFor: "`.custom` with both closures nil.",
    matters: "It works like a lightweight stage. Some apps use it to avoid a fault of the systems 17.0 to 17.3.",
    bad: ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil, didMigrate: nil)",
    good: ".lightweight(fromVersion: V1.self, toVersion: V2.self)",
    remedy: "Nothing has to be done; `.lightweight` says the same with fewer words.")

  package static let customStageMirrored = SourceCheck(
    "SD927", "custom-stage-with-cloudkit", .warning, needs: [.containers],
    summary: "A plan with a custom stage is given to a container that mirrors to CloudKit.",
    looksFor: """
      A configuration with `cloudKitDatabase: .automatic` or `.private` beside a plan that has a custom stage. Where
      `cloudKitDatabase:` is left out, the `.entitlements` nearest to the file decide; where there are none it is a note.
      """,
    matters: "Other devices do not run the stage, and the server's schema only grows: both shapes live side by side.",
    bad: "ModelConfiguration(cloudKitDatabase: .automatic)", good: "ModelConfiguration(cloudKitDatabase: .none)",
    remedy: "Change mirrored models by additions only; fill new values lazily, on each device.")

  package static let staticCarrier = SourceCheck(
    "SD928", "values-carried-in-static", .warning,
    summary: "A stage carries values from `willMigrate` to `didMigrate` in a variable.",
    looksFor: """
      A static or global variable that `willMigrate` writes and `didMigrate` reads, where the rows or values are gone in
      between: `willMigrate` deletes objects, or the next version lacks what it reads, or has it with another type.
      """,
    matters: "If the process ends between the two, the values are gone, and the rows they came from with them.",
    bad: "nonisolated(unsafe) static var kept: [Old] = []  // filled in willMigrate, read in didMigrate",
    good:
      "@Model final class Foo { var date: Date?; var dateInt: Int?; init() {} }  // a version between that has both",
    remedy: "Put a version between the two that has both properties, and use two stages.")

  package static let swallowedError = SourceCheck(
    "SD929", "error-swallowed-in-stage", .warning,
    summary: "A stage swallows errors of its context.",
    looksFor: "`try?`, `try!`, or a `catch` that is empty or only prints, around fetch or save in a stage's closure.",
    matters: "A stage that fails in silence leaves a store that is migrated and wrong.",
    bad: "willMigrate: { c in try? c.save() }", good: "willMigrate: { c in try c.save() }",
    remedy: "Let the error out: the migration is then undone and reported.")

  package static let missingPrefetch = SourceCheck(
    "SD930", "relationship-read-in-loop", .note,
    summary: "A stage reads a relationship of each fetched object without prefetching it.",
    looksFor:
      "A loop over fetched models that reads a relationship which no `relationshipKeyPathsForPrefetching` names.",
    matters: """
      Each object costs a query of its own; with many rows the migration takes so long that the app is ended. Reports
      differ by system whether a fetch obeys the prefetching, and nothing is measured here: the launch argument
      `-com.apple.CoreData.SQLDebug 1` shows the statements, those of SwiftData's store too.
      """,
    bad: "for n in notes { total += n.tags.count }",
    good: "descriptor.relationshipKeyPathsForPrefetching = [\\.tags]",
    remedy: "Prefetch the relationship in the fetch descriptor.")

  package static let recreatedRows = SourceCheck(
    "SD931", "rows-deleted-and-recreated", .warning,
    summary: "A stage deletes all rows of an entity that survives.",
    looksFor:
      "`delete(model:)`, or a loop of deletes over a whole fetch, of a class whose entity the next version has.",
    matters: "New rows have new identifiers: relationships, selections, Spotlight and CloudKit records are lost.",
    bad: "willMigrate: { c in try c.delete(model: V1.Note.self) }  // V2 has Note too",
    good: "didMigrate: { c in for n in try c.fetch(FetchDescriptor<V2.Note>()) { n.rank = 1 }; try c.save() }",
    remedy: "Let the migration carry the rows over, and change them in place; often a default is enough.")

  package static let lostByRenaming = SourceCheck(
    "SD932", "rename-that-loses-values", .error,
    summary: "A property is renamed, and stores of some versions lose its values all the same.",
    looksFor: """
      Properties that a version of the plan has, that one with their name or with `originalName:` is meant to hold in the
      last version, and that the migration there drops, as `diagnose` judges it; a warning where an equal name may be
      enough. Consecutive lightweight stages are taken as one migration from the store's version, and a property is known
      by its first name: by its own `originalName:`, or else by its name.
      """,
    matters: "The values are gone for everybody who updates from these versions, and nothing fails.",
    bad: """
      // V1: var water; V2: @Attribute(originalName: "water") var moisture
      enum V3 { @Model final class Plant { @Attribute(originalName: "moisture") var soil = ""; init() {} } }
      """,
    good: """
      enum V3 { @Model final class Plant { @Attribute(originalName: "water") var soil = ""; init() {} } }
      """,
    remedy: "Keep the first name in `originalName:` of every later version.")
}
