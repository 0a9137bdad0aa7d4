import StoreDataModel
import StoreSwiftDataSchemas
import Testing

@testable import SwiftDataSource

/// Where a rule is not known, there is a variant for each possibility, and no hash.
@Suite struct OpenRuleTests {
  struct Case: CustomTestStringConvertible {
    let rules: [OpenRule]
    let readings: [[String]]
    let source: String
    var testDescription: String { source }
  }

  static let cases: [Case] = [
    Case(
      rules: [.url], readings: [["URL: URI"], ["URL: String"]], source: "@Model class A { var a: URL; var b: URL? }"),
    Case(
      rules: [.cgFloat], readings: [["CGFloat: Double"], ["CGFloat: Float"]],
      source: "@Model class A { var a: CGFloat }"),
    Case(
      rules: [.collectionOfValues],
      readings: [
        ["\(OpenRule.collectionOfValues.rawValue): Transformable"], ["\(OpenRule.collectionOfValues.rawValue): Binary"],
      ],
      source:
        "@Model class A { var a: Set<String>; var b: [String: String]; var c: [S] }\nstruct S: Codable { var x: Int }"),
    Case(
      rules: [.requiredLeaves],
      readings: [["\(OpenRule.requiredLeaves.rawValue): required"], ["\(OpenRule.requiredLeaves.rawValue): optional"]],
      source: "@Model class A { var a: S }\nstruct S: Codable { var x: Int }"),
    Case(
      rules: [.attributedString],
      readings: [["AttributedString: Transformable"], ["AttributedString: Binary"], ["AttributedString: String"]],
      source: "@Model class A { var a: AttributedString; var b: AttributedString? }"),
    Case(
      rules: [.requiredInverse],
      readings: [["\(OpenRule.requiredInverse.rawValue): none"], ["\(OpenRule.requiredInverse.rawValue): inferred"]],
      source: "@Model class A { var b: B? }\n@Model class B { var a: A }"),
    Case(
      rules: [.severalInverses],
      readings: [
        ["\(OpenRule.severalInverses.rawValue) (A, B): none"], ["\(OpenRule.severalInverses.rawValue) (A, B): b–x"],
        ["\(OpenRule.severalInverses.rawValue) (A, B): b–y"],
      ],
      source: "@Model class A { var b: [B] }\n@Model class B { var x: A?; var y: A? }"),
    Case(
      rules: [.selfInverse],
      readings: [
        ["\(OpenRule.selfInverse.rawValue) (A): none"], ["\(OpenRule.selfInverse.rawValue) (A): parent–children"],
      ],
      source: "@Model class A { var parent: A?; var children: [A] }"),
    Case(
      rules: [.inheritance],
      readings: [["\(OpenRule.inheritance.rawValue): not abstract"], ["\(OpenRule.inheritance.rawValue): abstract"]],
      source: "@Model class A { var x: Int }\n@Model class B: A { var y: Int }"),
  ]

  @Test(arguments: cases) func everyReadingIsThere(open: Case) throws {
    let entity = try entity("A", of: open.source)
    #expect(entity.certainty == .open)
    #expect(entity.openRules == open.rules)
    #expect(entity.variants.map(\.choices) == open.readings)
    #expect(Set(entity.variants.map(\.hash)).count == open.readings.count)
    #expect(entity.variants.allSatisfy { $0.hash != nil })
    #expect(entity.versionHash == nil)
  }

  /// With `@Relationship` without `inverse:` on one side or both, no inverse is inferred by today's systems; the reading
  /// with it is that of older ones: certainly between two macros, perhaps beside one.
  @Test(arguments: [
    ("", FrameworkRange()), ("@Relationship ", FrameworkRange(from: FrameworkRange.afterMeasured18)),
  ])
  func aMacroWithoutInverseHasOneByTheSystem(other: String, range: FrameworkRange) throws {
    let source =
      "@Model class A { @Relationship(deleteRule: .cascade) var b: [B] }\n@Model class B { \(other)var a: A? }"
    for (name, property) in [("A", "b"), ("B", "a")] {
      let entity = try entity(name, of: source)
      #expect(entity.certainty == .derived)
      #expect(entity.unmeasured == [])
      let inverses = entity.variants.map { $0.entity.property(named: property)?.relationship?.inverse }
      #expect(inverses == [nil, name == "A" ? "a" : "b"])
      #expect(entity.variants.map(\.frameworks) == [range, FrameworkRange(below: 1522)])
      #expect(entity.versionHash == entity.variants[0].hash)
      #expect(Set(entity.variants.map(\.hash)).count == 2)
      #expect(entity.variants(framework: 1526).map(\.hash) == [entity.variants[0].hash])
    }
  }

  /// A to-one that is required has no inverse on any system, macro or not.
  @Test func aMacroBesideARequiredToOneHasNoInverse() throws {
    let entity = try entity(
      "A", of: "@Model class A { @Relationship(deleteRule: .cascade) var b: [B] }\n@Model class B { var a: A }")
    #expect(entity.certainty == .derived)
    #expect(entity.unmeasured == [.requiredNotInferred])
    #expect(entity.variants.map { $0.entity.property(named: "b")?.relationship?.inverse } == [nil])
  }

  /// With only one property that could be the inverse, namely itself, the hash is the same with and without it.
  @Test func aPropertyThatPointsAtItsOwnClassAloneIsDerived() throws {
    let entity = try entity("A", of: "@Model class A { var friends: [A] }")
    #expect(entity.certainty == .derived)
  }

  @Test func aRawValueInARequiredStructHasTwoReadings() throws {
    let source =
      "@Model class A { var a: S }\nstruct S: Codable { var e: E; var o: Int? }\nenum E: Int, Codable { case x }"
    let entity = try entity("A", of: source)
    #expect(entity.openRules == [.rawValueInStruct])
    #expect(entity.variants.count == 2)
  }

  /// For stores of old frameworks there is one more variant; the entity counts as derived all the same.
  @Test func oldSystemsHaveAReadingOfTheirOwn() throws {
    let entity = try entity("A", of: "@Model class A { var a: S? }\nstruct S: Codable { var x: Int }")
    #expect(entity.certainty == .derived)
    #expect(entity.variants.map(\.frameworks) == [FrameworkRange(), FrameworkRange(below: 1403)])
    #expect(entity.variants(framework: 1526).count == 1)
    #expect(entity.variants(framework: 1345).count == 2)
    #expect(entity.versionHash == entity.variants[0].hash)
  }

  @Test func aSubclassHasTheReadingsOfItsSuperclass() throws {
    let source = "@Model class A { var x: URL }\n@Model class B: A { var y: Int }"
    let child = try entity("B", of: source)
    #expect(child.openRules == [.inheritance, .url].sorted())
    #expect(child.variants.count == 4)
    #expect(child.variants.allSatisfy { $0.entity.parent == "A" })
    let parent = try entity("A", of: source)
    #expect(parent.variants.count == 4)
  }

  @Test func moreThanSixtyFourReadingsAreNone() throws {
    let many = (0..<7).map { "var p\($0): A?" }.joined(separator: "; ")
    let entity = try entity("A", of: "@Model class A { \(many) }")
    #expect(entity.certainty == .incomplete)
    #expect(entity.reasons.first?.message == "more than 64 ways to pair it with an inverse")
  }

  /// `V1.Wallet` refers to the live `Account`, of which the schema lists a frozen copy.
  @Test func twoClassesOfOneNameAreTwoReadings() throws {
    let source = """
      enum V1: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Wallet.self, V2.Account.self] }
        static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
        @Model class Wallet { var accounts: [Account] }
      }
      @Model class Account { var name: String; var added: Int }
      enum V2 { @Model class Account { var name: String } }
      """
    let schema = try #require(SourceProject(texts: ["A.swift": source]).reading.schemas.first)
    let account = try #require(schema.entities.first { $0.name == "Account" })
    #expect(account.className == "V2.Account")
    #expect(account.openRules == [.sameEntityName])
    #expect(account.variants.map { $0.entity.properties.map(\.name) } == [["name"], ["added", "name"]])
    #expect(schema.entities.first { $0.name == "Wallet" }?.certainty == .derived)
  }

  @Test func unmeasuredRulesAreNamed() throws {
    let source = """
      @Model class A {
        var u: UInt; var i: Int8; var t: TimeInterval; var v: CLLocationSpeed?; var l: [Date]; var n = 1; var w: Int { didSet {} }
        @Attribute(.externalStorage) var d: Data; @Attribute(.preserveValueOnDeletion, hashModifier: "2") var p: Int
        @Attribute(.ephemeral) var e: Int; @Attribute(.transformable(by: "T")) var c: UIColor
        @Relationship(minimumModelCount: 1, maximumModelCount: 3) var many: [B]
      }
      @Model class B { var back: [A] }
      """
    let entity = try entity("A", of: source)
    #expect(
      entity.unmeasured
        == [
          .unsignedInteger, .smallInteger, .nameOfDouble, .arrayOfOtherScalars, .inferredType, .observers,
          .preservedValue, .hashModifier, .ephemeral, .transformable, .statedCounts,
          .manyToManyNotInferred,
        ].sorted())
    let properties = Dictionary(uniqueKeysWithValues: entity.variants[0].entity.properties.map { ($0.name, $0) })
    #expect(properties["d"]?.attribute?.allowsExternalStorage == true)
    #expect(properties["p"]?.attribute?.preservesValueInHistory == true)
    #expect(properties["p"]?.versionHashModifier == "2")
    #expect(properties["e"]?.isTransient == true)
    #expect(["t", "v"].map { properties[$0]?.attribute?.type } == [.double, .double])
    #expect(properties["c"]?.attribute?.type == .transformable)
    #expect(properties["c"]?.attribute?.valueTransformerName == "T")
    #expect(properties["many"]?.relationship?.minimumCount == 1)
    #expect(properties["many"]?.relationship?.maximumCount == 3)
  }
}
