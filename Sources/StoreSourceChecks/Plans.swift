import StoreFindings

extension SourceCheck {
  package static let unlistedStage = SourceCheck(
    "SD911", "stage-not-listed", .error,
    summary: "A stage is declared that `stages` does not name.",
    looksFor: """
      Static stages of a plan that are not in `stages`, and an empty `stages` beside two or more versions. Where no stage
      is declared at all, the app relies on inferred migration, which works for lightweight changes: that is a note.
      """,
    matters: """
      What is not listed is not run: values it should carry over are dropped. With an empty list the first real stage
      that is added later breaks stores of all versions before it.
      """,
    bad: """
      static let toV2 = MigrationStage.lightweight(fromVersion: V1.self, toVersion: V2.self)
      static var stages: [MigrationStage] { [] }
      """, good: "static var stages: [MigrationStage] { [toV2] }", remedy: "Name the stage in `stages`, or delete it.")

  package static let stageGap = SourceCheck(
    "SD912", "gap-between-stages", .error,
    summary: "No stage leads on from a version.",
    looksFor: "Neighbours in `schemas` without a stage between them, where no other stages lead to the last version.",
    matters: "A store of that version is stuck: the plan has no way to the current one.",
    bad: """
      static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
      static var stages: [MigrationStage] { [v2ToV3] }
      """, good: "static var stages: [MigrationStage] { [v1ToV2, v2ToV3] }",
    remedy: "Add the stage; a lightweight one where nothing has to be computed.")

  package static let stageDirection = SourceCheck(
    "SD913", "stage-without-direction", .error,
    summary: "A stage leads backwards, onto itself, to an unlisted version, or repeats another.",
    looksFor: """
      Stages whose `toVersion` stands before their `fromVersion` in `schemas` or is the same, that name a version missing
      from `schemas`, and two stages between the same versions.
      """,
    matters: "The plan is refused, or a stage that somebody relies on is never run.",
    bad: ".lightweight(fromVersion: V2.self, toVersion: V1.self)",
    good: ".lightweight(fromVersion: V1.self, toVersion: V2.self)",
    remedy: "Let each stage lead from a version to the one that follows it in `schemas`.")

  package static let containerVersion = SourceCheck(
    "SD914", "container-of-older-version", .error, needs: [.containers],
    summary: "A container is made for a version that is not the last of its plan.",
    looksFor: """
      `Schema(versionedSchema:)` or `for:` beside a `migrationPlan:` whose last version is another: classes of another
      version, classes that it does not have or has otherwise, and lists that do not reach all of its classes.
      """,
    matters: "The store is migrated to a version the app's classes are not of, or not at all.",
    bad: "try ModelContainer(for: Schema(versionedSchema: V2.self), migrationPlan: Plan.self)  // Plan ends in V3",
    good: "try ModelContainer(for: Schema(versionedSchema: V3.self), migrationPlan: Plan.self)",
    remedy: "Make the container for the plan's last version, or add the version to the plan.")

  package static let planNotUsed = SourceCheck(
    "SD915", "container-without-plan", .warning, needs: [.containers],
    summary: "A container over a plan's classes is made without the plan.",
    looksFor: """
      Calls without `migrationPlan:` for classes of a plan. Containers in memory, over temporary copies and in tests are
      left out; in a `#Preview` it is a note. Where there is no plan at all beside several versions of one class, that is
      a note too.
      """,
    matters: """
      Every process that opens the store needs the plan: app, widget, extension and App Intent. The one without it
      migrates as it infers, skips the custom stages, or fails.
      """,
    bad: "try ModelContainer(for: Note.self)", good: "try ModelContainer(for: Note.self, migrationPlan: Plan.self)",
    remedy: "Give `migrationPlan:` wherever the store is opened, best through one function.")

  package static let unusedPlan = SourceCheck(
    "SD918", "plan-of-no-container", .note, needs: [.containers],
    summary: "No container is made with a plan.",
    looksFor: """
      Types that conform to `SchemaMigrationPlan` and that no `migrationPlan:` names, where there are containers. What
      other checks find in such a plan, and in versions that no other plan and no container has, is a note.
      """,
    matters: """
      Nothing of it is run: it may be a plan that leads back, kept for a release that has to be withdrawn, or the argument
      may be missing.
      """,
    bad: "enum Plan: SchemaMigrationPlan { }  // and ModelContainer(for: Note.self) alone",
    good: "try ModelContainer(for: Note.self, migrationPlan: Plan.self)",
    remedy: "Give it to the container, or delete it.")

  package static let staleAlias = SourceCheck(
    "SD916", "alias-of-older-version", .warning,
    summary: "Typealiases of a plan's classes lead to different or old versions.",
    looksFor:
      "Aliases at top level that lead to a class of a version which is not the last, while the last has one too.",
    matters:
      "The app works with a class of an old version: its container does not know it, or it writes the old shape.",
    bad: """
      typealias Note = V2.Note
      typealias Tag = V3.Tag
      """,
    good: """
      typealias Note = V3.Note
      typealias Tag = V3.Tag
      """, remedy: "Let all aliases lead to the last version.")

  package static let incompletePlan = SourceCheck(
    "SD917", "plan-without-requirements", .error,
    summary: "A plan lacks `schemas` or `stages`.",
    looksFor: "Types that conform to `SchemaMigrationPlan` without a static `schemas` or `stages`.",
    matters: "It does not compile. Some guides show `currentSchema`, which the protocol does not have.",
    bad: "enum Plan: SchemaMigrationPlan { static var currentSchema: any VersionedSchema.Type { V2.self } }",
    good: """
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
        static var stages: [MigrationStage] { [toV2] }
      }
      """, remedy: "Add what is missing.")
}
