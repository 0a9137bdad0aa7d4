import Testing

@testable import SwiftDataLint

/// SD901 to SD910.
@Suite struct VersionCheckTests {
  @Test func missingModel() {
    #expect(
      findings(
        .missingModel,
        """
        enum V2: VersionedSchema {
          static var models: [any PersistentModel.Type] { [Note.self] }
          @Model final class Note { var text = "" }
          @Model final class Tag { var name = "" }
        }
        """) == ["4: error: Tag stands in V2, but its models neither lists nor reaches it"])
    #expect(
      places(
        .missingModel,
        """
        enum V2: VersionedSchema {
          static var models: [any PersistentModel.Type] { [Note.self, Tag.self] }
          @Model final class Note { var text = "" }
          @Model final class Tag { var name = "" }
        }
        """) == [])
  }

  /// In a list at top level, a name means the class at top level.
  @Test func aClassOfTheSameNameIsInItsPlace() {
    #expect(
      findings(
        .missingModel,
        """
        let common: [any PersistentModel.Type] = [Tag.self]
        enum V2: VersionedSchema {
          static var models: [any PersistentModel.Type] { common }
          @Model final class Tag { var name = "" }
        }
        @Model final class Tag { var name = "" }
        """) == ["4: error: Tag stands in V2, but its models takes another class of that name, Tag"])
  }

  @Test func aClassThatIsReachedIsInTheModel() {
    #expect(
      findings(
        .missingModel,
        """
        enum V2: VersionedSchema {
          static var models: [any PersistentModel.Type] { [Note.self] }
          @Model final class Note { var tag: Tag? }
          @Model final class Tag { var name = "" }
        }
        """) == [
          "2: note: models of V2 does not list Tag, which relationships reach: in the model all the same"
        ])
  }

  @Test(arguments: [("Note.self", "9 note"), ("Note.self, Tag.self", "9 error")])
  func anEntityThatComesBackWasForgotten(last: String, expected: String) {
    let source = """
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
        static var stages: [MigrationStage] { [] }
      }
      enum V1: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Note.self, Tag.self] }
      }
      enum V2: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Note.self] }
      }
      enum V3: VersionedSchema {
        static var models: [any PersistentModel.Type] { [\(last)] }
      }
      @Model final class Note { var text = "" }
      @Model final class Tag { var name = "" }
      """
    #expect(places(.missingModel, source) == [expected])
  }

  /// Editing a live class changes every version whose relationships reach it, even if it is not listed.
  @Test func liveClassThatIsReached() {
    let source = """
      enum V1: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Wallet.self] }
        @Model final class Wallet { var accounts: [Account] = [] }
      }
      enum V2: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Wallet.self] }
        @Model final class Wallet { var accounts: [Account] = [] }
      }
      @Model final class Account { var name = "" }
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
        static var stages: [MigrationStage] { [] }
      }
      """
    #expect(
      findings(.liveClass, source) == ["2: error: relationships of V1 reach Account, which is not frozen in it"])
  }

  @Test func aListThatRefersToAnotherIsTheVersionsOwn() {
    let source = """
      enum V1: VersionedSchema { static let models: [any PersistentModel.Type] = [Note.self] }
      enum V2: VersionedSchema {
        static let models: [any PersistentModel.Type] = V1.models + [Tag.self]
      }
      @Model final class Note { var text = "" }
      @Model final class Tag { var name = "" }
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
        static var stages: [MigrationStage] { [] }
      }
      """
    #expect(places(.liveClass, source) == ["1 error", "3 note"])
  }

  @Test func whatIsNotReadIsNotChecked() {
    #expect(
      skips(.missingModel, "enum V1: VersionedSchema { static var models: [any PersistentModel.Type] { all() } }")
        == [
          "the models of V1 are not known: the list is no plain list of types: 'all()'; checks of what it holds are left out "
            + "too"
        ])
  }

  // MARK: Equal versions

  private func plan(stages: String, v2: String) -> String {
    """
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
      static var stages: [MigrationStage] { [\(stages)] }
    }
    enum V1: VersionedSchema {
      static var models: [any PersistentModel.Type] { [V1.Note.self] }
      @Model final class Note { var text = "a" }
    }
    enum V2: VersionedSchema {
      static var models: [any PersistentModel.Type] { [V2.Note.self] }
      @Model final class Note { \(v2) }
    }
    """
  }

  @Test func equalVersions() {
    let stage = ".lightweight(fromVersion: V1.self, toVersion: V2.self)"
    // Default values are not hashed.
    #expect(
      findings(.equalVersions, plan(stages: stage, v2: "var text = \"b\"")) == [
        "9: error: V2 has the same model as V1: \"Duplicate version checksums across stages detected.\""
      ])
    // No stage names them, so that nothing fails yet.
    #expect(
      findings(.equalVersions, plan(stages: "", v2: "var text = \"b\"")) == [
        "9: warning: V2 has the same model as V1: a stage of either fails with \"Duplicate version checksums across stages "
          + "detected.\""
      ])
    #expect(places(.equalVersions, plan(stages: stage, v2: "var text = 1")) == [])
    #expect(
      places(.equalVersions, plan(stages: stage, v2: "@Attribute(hashModifier: \"2\") var text = \"b\"")) == [])
  }

  @Test func aTypeFromElsewhereLeavesItOpen() {
    let source = plan(stages: "", v2: "var text = \"b\"; var price: Money")
      .replacing("var text = \"a\"", with: "var text = \"a\"; var price: Money")
    #expect(places(.equalVersions, source) == [])
    #expect(skips(.equalVersions, source).first?.contains("price") == true)
  }

  @Test func twoVersionsOfOneLiveClassAreEqualWhateverItHolds() {
    let source = """
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
        static var stages: [MigrationStage] { [] }
      }
      enum V1: VersionedSchema { static var models: [any PersistentModel.Type] { [Note.self] } }
      enum V2: VersionedSchema { static var models: [any PersistentModel.Type] { [Note.self] } }
      @Model final class Note { var price: Money }
      """
    #expect(places(.equalVersions, source) == ["6 warning"])
  }

  // MARK: Live classes

  @Test func liveClass() {
    let source = """
      typealias Note = V3.Note
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V3.self] }
        static var stages: [MigrationStage] { [] }
      }
      enum V1: VersionedSchema { static var models: [any PersistentModel.Type] { [Note.self] } }
      enum V3: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Note.self] }
        @Model final class Note { var text = "" }
      }
      """
    #expect(findings(.liveClass, source) == ["6: error: V1 lists Note, which is not frozen in it"])
  }

  /// All live classes of a version are one finding, whether it lists them or its relationships reach them.
  @Test func liveClassesOfAVersionAreOneFinding() {
    let source = """
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
        static var stages: [MigrationStage] { [] }
      }
      enum V1: VersionedSchema { static var models: [any PersistentModel.Type] { [Note.self] } }
      enum V2: VersionedSchema { static var models: [any PersistentModel.Type] { [Note.self] } }
      @Model final class Note { var tags: [Tag] = [] }
      @Model final class Tag { var note: Note? }
      """
    #expect(
      findings(.liveClass, source) == [
        "5: error: V1 lists or reaches 2 classes that are not frozen in it: Note and Tag",
        "6: note: V2 lists Note, which is not frozen in it",
      ])
  }

  /// OpenCircuit keeps the copies of all versions in one type, astra in one for each; what the last version has is live.
  @Test func aTypeThatHoldsCopiesIsNoLiveClass() {
    func source(last: String) -> String {
      """
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
        static var stages: [MigrationStage] { [] }
      }
      enum V1: VersionedSchema { static var models: [any PersistentModel.Type] { [Frozen.Note.self] } }
      enum V2: VersionedSchema { static var models: [any PersistentModel.Type] { [\(last).self] } }
      enum Frozen { @Model final class Note { var text = "" } }
      @Model final class Note { var text = ""; var rank = 0 }
      """
    }
    #expect(findings(.liveClass, source(last: "Note")) == ["6: note: V2 lists Note, which is not frozen in it"])
    #expect(places(.liveClass, source(last: "Frozen.Note")) == ["5 error", "6 note"])
  }

  @Test func inTheLastVersionItIsOnlyANote() {
    let source = """
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
        static var stages: [MigrationStage] { [] }
      }
      enum V1: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Note.self] }
        @Model final class Note { var text = "" }
      }
      enum V2: VersionedSchema { static var models: [any PersistentModel.Type] { [Note.self, Tag.self] } }
      @Model final class Note { var text = "" }
      @Model final class Tag { var text = "" }
      """
    #expect(
      findings(.liveClass, source) == [
        "9: note: V2 lists 2 classes that are not frozen in it: Note and Tag"
      ])
  }

  /// The astra app's V12 lists classes of V11 on purpose, with their qualified names.
  @Test func aClassOfAnotherVersionMayBeListedByItsName() {
    let source = """
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
        static var stages: [MigrationStage] { [] }
      }
      enum V1: VersionedSchema {
        static var models: [any PersistentModel.Type] { [V1.Note.self] }
        @Model final class Note { var text = "" }
      }
      enum V2: VersionedSchema { static var models: [any PersistentModel.Type] { [V1.Note.self] } }
      enum V3: VersionedSchema { static var models: [any PersistentModel.Type] { [V1.Note.self] } }
      """
    #expect(places(.liveClass, source) == [])
  }

  // MARK: Identifiers and order

  private func plan(_ schemas: String, _ v1: String, _ v2: String, stages: String = "") -> String {
    """
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [\(schemas)] }
      static var stages: [MigrationStage] { [\(stages)] }
    }
    enum V1: VersionedSchema {
      static let versionIdentifier = Schema.Version(\(v1))
      static var models: [any PersistentModel.Type] { [] }
    }
    enum V2: VersionedSchema {
      static let versionIdentifier = Schema.Version(\(v2))
      static var models: [any PersistentModel.Type] { [] }
    }
    """
  }

  @Test func identifiers() {
    let stage = ".lightweight(fromVersion: V1.self, toVersion: V2.self)"
    #expect(
      findings(.identifiers, plan("V1.self, V2.self", "1, 0, 0", "1, 0, 0")) == [
        "10: error: V2 has the identifier 1.0.0 of V1"
      ])
    #expect(
      findings(.identifiers, plan("V1.self, V2.self", "1, 10, 0", "1, 9, 0", stages: stage)) == [
        "10: warning: V2 has the identifier 1.9.0, less than that of V1 before it"
      ])
    #expect(places(.identifiers, plan("V1.self, V2.self", "1, 9, 0", "1, 10, 0")) == [])
  }

  @Test func schemaOrder() {
    let stage = ".lightweight(fromVersion: V1.self, toVersion: V2.self)"
    #expect(
      findings(.schemaOrder, plan("V2.self, V1.self", "1, 0, 0", "2, 0, 0")) == [
        "2: warning: schemas lists V2 and V1 in this order, but the versions' identifiers fall"
      ])
    #expect(
      findings(.schemaOrder, plan("V2.self, V1.self", "1, 0, 0", "2, 0, 0", stages: stage)) == [
        "2: warning: schemas lists V2 and V1 in this order, but the stages lead the other way"
      ])
    #expect(places(.schemaOrder, plan("V1.self, V2.self", "1, 0, 0", "2, 0, 0", stages: stage)) == [])
    // The mistake is reported by one check only.
    #expect(places(.identifiers, plan("V2.self, V1.self", "1, 0, 0", "2, 0, 0")) == [])
    #expect(places(.stageDirection, plan("V2.self, V1.self", "1, 0, 0", "2, 0, 0", stages: stage)) == [])
  }

  // MARK: References

  @Test func escapingReference() {
    let source = """
      enum V1: VersionedSchema { static var models: [any PersistentModel.Type] { [V1.Wallet.self] } }
      extension V1 { @Model final class Wallet { var accounts: [Account] = [] } }
      enum V2: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Account.self] }
        @Model final class Account { var name = "" }
      }
      @Model final class Account { var name = "" }
      """
    #expect(
      findings(.escapingReference, source) == [
        "2: error: Wallet of V1 refers to Account, which is not of this version; another class claims the name Account"
      ])
    let frozen = source.replacing(
      "extension V1 {", with: "extension V1 { @Model final class Account { var name = \"\" };")
    #expect(places(.escapingReference, frozen) == [])
  }

  /// Also from astra: the class is listed under its qualified name, and no other has the name.
  @Test func aReferenceToAListedClassIsMeant() {
    let source = """
      enum V11: VersionedSchema {
        static var models: [any PersistentModel.Type] { [V11.Account.self] }
        @Model final class Account { var name = "" }
      }
      enum V12: VersionedSchema {
        static var models: [any PersistentModel.Type] { [V11.Account.self, V12.Wallet.self] }
        @Model final class Wallet { var accounts: [V11.Account] = [] }
      }
      """
    #expect(places(.escapingReference, source) == [])
  }

  @Test func aClassTakenOverThatPointsBack() {
    func source(_ list: String, _ classes: String) -> String {
      """
      enum V1: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Wallet.self, Account.self] }
        @Model final class Wallet { @Relationship(inverse: \\Account.wallet) var accounts: [Account] = [] }
        @Model final class Account { var name = ""; var wallet: Wallet? }
      }
      enum V2: VersionedSchema {
        static var models: [any PersistentModel.Type] {
          [\(list)]
        }
        \(classes)
      }
      """
    }
    let account = "@Model final class Account { var name = \"\"; var iban = \"\" }"
    #expect(
      findings(.escapingReference, source("V1.Wallet.self, Account.self", account)) == [
        "8: error: V2 takes over V1.Wallet, whose accounts refers to V1.Account, and has V2.Account as well: one of the two "
          + "gets the other's shape"
      ])
    // Another class of V2 refers to it.
    let transfer = account + "\n  @Model final class Transfer { var to: Account? }"
    #expect(places(.escapingReference, source("V1.Wallet.self, Transfer.self", transfer)) == ["8 error"])
    // Both classes are taken over, or neither.
    #expect(
      places(
        .escapingReference,
        source("V1.Wallet.self, V1.Account.self, Bank.self", "@Model final class Bank { var name = \"\" }")) == [])
    #expect(
      places(
        .escapingReference,
        source(
          "Wallet.self, Account.self",
          account + "\n  @Model final class Wallet { @Relationship var accounts: [Account] = [] }")) == [])
  }

  @Test func strayVersion() {
    let source = """
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self] }
        static var stages: [MigrationStage] { [] }
      }
      enum V1: VersionedSchema { static var models: [any PersistentModel.Type] { [] } }
      enum V2: VersionedSchema { static var models: [any PersistentModel.Type] { [] } }
      """
    #expect(findings(.strayVersion, source) == ["6: note: no plan's schemas names V2"])
    // A separate plan may have it.
    let recovery = """
      enum Recovery: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V2.self] }
        static var stages: [MigrationStage] { [] }
      }
      """
    #expect(places(.strayVersion, source + "\n" + recovery) == [])
    #expect(
      places(.strayVersion, "enum V1: VersionedSchema { static var models: [any PersistentModel.Type] { [] } }") == [])
  }

  @Test func sharedValueType() {
    let source = """
      struct Address: Codable { var city: String }
      enum Kind: String, Codable { case home, work }
      enum V1: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Person.self] }
        @Model final class Person { var address: Address?; var kind: Kind? }
      }
      enum V2: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Person.self] }
        @Model final class Person { var address: Address?; var kind: Kind?; var others: [Address] = [] }
      }
      """
    #expect(
      findings(.sharedValueType, source) == [
        "1: warning: Address is shared by V1.Person and V2.Person: an edit changes the hashes of all these versions"
      ])
    let frozen = source.replacing(
      "enum V2: VersionedSchema {", with: "enum V2: VersionedSchema { struct Address: Codable { var city: String }")
    #expect(places(.sharedValueType, frozen) == [])
  }
}
