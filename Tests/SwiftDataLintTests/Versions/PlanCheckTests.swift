import Testing

@testable import SwiftDataLint

/// SD911 to SD917, SD995.
@Suite struct PlanCheckTests {
  private let versions = """
    enum V1: VersionedSchema { static var models: [any PersistentModel.Type] { [] } }
    enum V2: VersionedSchema { static var models: [any PersistentModel.Type] { [] } }
    enum V3: VersionedSchema { static var models: [any PersistentModel.Type] { [] } }

    """

  private func plan(_ schemas: String, _ stages: String, _ more: String = "") -> String {
    versions + """
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [\(schemas)] }
        static var stages: [MigrationStage] { [\(stages)] }
        \(more)
      }
      """
  }

  private let v1ToV2 = ".lightweight(fromVersion: V1.self, toVersion: V2.self)"
  private let v2ToV3 = ".lightweight(fromVersion: V2.self, toVersion: V3.self)"

  @Test func unlistedStage() {
    let stage = "static let toV2 = MigrationStage.lightweight(fromVersion: V1.self, toVersion: V2.self)"
    #expect(
      findings(.unlistedStage, plan("V1.self, V2.self", "", stage)) == [
        "7: error: toV2, from V1 to V2, is declared, but stages does not list it"
      ])
    #expect(places(.unlistedStage, plan("V1.self, V2.self", "toV2", stage)) == [])
    // Only a note: apps did well for months without stages, by inferred migration.
    #expect(places(.unlistedStage, plan("V1.self, V2.self", "")) == ["6 note"])
    #expect(places(.unlistedStage, plan("V1.self", "")) == [])
    #expect(
      skips(.unlistedStage, plan("V1.self, V2.self", "make()")).first?.hasPrefix("the stages of Plan are not known")
        == true)
  }

  @Test func stageGap() {
    let all = "V1.self, V2.self, V3.self"
    #expect(
      findings(.stageGap, plan(all, v2ToV3)) == [
        "6: error: no stage leads from V1 to V2, nor on to V3: a store of V1 is stuck"
      ])
    #expect(places(.stageGap, plan(all, "\(v1ToV2), \(v2ToV3)")) == [])
    // A stage may lead to the last version directly.
    #expect(
      places(.stageGap, plan(all, "\(v2ToV3), .lightweight(fromVersion: V1.self, toVersion: V3.self)")) == [])
    #expect(places(.stageGap, plan(all, "")) == [])
  }

  @Test func stageDirection() {
    let all = "V1.self, V2.self, V3.self"
    #expect(
      findings(
        .stageDirection, plan(all, "\(v1ToV2), \(v2ToV3), .lightweight(fromVersion: V2.self, toVersion: V1.self)"))
        == ["6: error: the stage leads backwards: schemas lists V1 before V2"])
    #expect(
      findings(.stageDirection, plan(all, ".lightweight(fromVersion: V1.self, toVersion: V1.self)")) == [
        "6: error: the stage leads from V1 to itself"
      ])
    #expect(
      findings(.stageDirection, plan(all, "\(v1ToV2), \(v1ToV2)")) == ["6: error: a second stage leads from V1 to V2"])
    #expect(
      findings(.stageDirection, plan("V1.self, V2.self", "\(v1ToV2), \(v2ToV3)")) == [
        "6: error: the stage names V3, which schemas does not list"
      ])
    #expect(places(.stageDirection, plan(all, "\(v1ToV2), \(v2ToV3)")) == [])
  }

  @Test func staleAlias() {
    let source = """
      typealias Note = V2.Note
      typealias Tag = V3.Tag
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V2.self, V3.self] }
        static var stages: [MigrationStage] { [] }
      }
      enum V2: VersionedSchema {
        static var models: [any PersistentModel.Type] { [V2.Note.self] }
        @Model final class Note { var text = "" }
      }
      enum V3: VersionedSchema {
        static var models: [any PersistentModel.Type] { [V3.Note.self, V3.Tag.self] }
        @Model final class Note { var text = "" }
        @Model final class Tag { var text = "" }
      }
      """
    #expect(findings(.staleAlias, source) == ["1: warning: Note is an alias of V2.Note, but Plan ends with V3"])
    #expect(places(.staleAlias, source.replacing("= V2.Note", with: "= V3.Note")) == [])
    // The last version itself lists that class.
    #expect(places(.staleAlias, source.replacing("[V3.Note.self,", with: "[V2.Note.self,")) == [])
    #expect(
      places(
        .staleAlias, source.replacing("typealias Note = V2.Note", with: "#if OLD\ntypealias Note = V2.Note\n#endif"))
        == [])
  }

  @Test func incompletePlan() {
    #expect(
      findings(
        .incompletePlan,
        """
        enum Plan: SchemaMigrationPlan {
          static var currentSchema: any VersionedSchema.Type { V2.self }
          static var stages: [MigrationStage] { [] }
        }
        """) == ["1: error: Plan has no static var schemas"])
    #expect(places(.incompletePlan, plan("V1.self", "")) == [])
  }

  @Test func mutableStatic() throws {
    let source = """
      enum V1: VersionedSchema {
        static var versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [] }
      }
      enum Plan: SchemaMigrationPlan {
        static let schemas: [any VersionedSchema.Type] = [V1.self]
        static var stages: [MigrationStage] = []
      }
      """
    #expect(
      findings(.mutableStatic, source) == [
        "2: note: versionIdentifier is a stored static var, which Swift 6 does not take: write let",
        "7: warning: stages is a stored static var, which Swift 6 does not take: write let",
      ])
    #expect(
      try fixed(.mutableStatic, source)
        == source.replacing("static var versionIdentifier", with: "static let versionIdentifier"))
    #expect(places(.mutableStatic, source.replacing("static var", with: "nonisolated(unsafe) static var")) == [])
  }
}
