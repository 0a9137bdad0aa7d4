import StoreSwiftDataSchemas
import Testing

@testable import SwiftDataSource

/// What is not known is reported for the property, and the entity has no hash.
@Suite struct IncompleteTests {
  static let cases: [(member: String, message: String)] = [
    ("var p: Money", "Money is not declared in the sources"),
    ("var p: [Money]", "Money is not declared in the sources"),
    ("var p: Kit.Money?", "Kit.Money is not declared in the sources"),
    (
      "var p: Measurement<UnitLength>",
      "how SwiftData stores Measurement<UnitLength>, a type of Apple's frameworks, is not known"
    ),
    ("var p: (Int, Int)", "SwiftData stores no (Int, Int)"),
    ("var p: any Shape", "SwiftData stores no any Shape"),
    ("var p: Int??", "an optional of an optional"),
    ("var p = makeDefault()", "its type is that of an expression, which only a compiler knows"),
    ("var p = Int(text)", "its type is that of an expression, which only a compiler knows"),
    ("var p = [1, 2.5]", "its type is that of an expression, which only a compiler knows"),
    ("var p", "it has no type"),
    ("lazy var p: Int = 1", "lazy variables cannot be persisted"),
    ("@Published var p: Int", "@Published may change what is stored"),
    ("#if BETA\n var p: Int\n #endif", "it depends on '#if BETA'"),
    ("@Attribute(options) var p: Int", "an option of its macro is not known"),
    ("@Attribute(hashModifier: modifier) var p: Int", "its hashModifier: is neither a text literal nor a constant"),
    ("@Attribute(originalName: \"a\" + b) var p: Int", "its originalName: is neither a text literal nor a constant"),
    ("@Relationship(deleteRule: a ? .deny : .cascade) var p: A?", "its deleteRule: is neither a rule nor a constant"),
    ("@Relationship(maximumModelCount: limit) var p: [A]", "its number of models is neither a literal nor a constant"),
    ("@Relationship(inverse: \\A.q) var p: A?", "its inverse 'q' does not fit: no relationship of A that leads back"),
    ("var p: Set<A>", "only arrays of model classes are relationships"),
    ("var p: Plain", "Plain is a class that is no model"),
    ("var p: Flags", "Flags is coded by its raw value"),
    ("var p: Payload", "Payload.full carries values"),
    ("var p: Box<Int>", "Box<Int> is generic"),
    ("var p: Holder?", "Holder.money: Money is not declared in the sources"),
    ("var p: Odd", "Odd may have raw values: Money is not declared in the sources"),
    ("var p: Loop", "Loop is a typealias that leads nowhere"),
    ("var p: Twice", "Twice is declared more than once: Model.swift:8:8, Model.swift:9:6"),
    ("#Unique<A>([\\.missing])", "a uniqueness constraint names 'missing', which is no property"),
    ("#Unique<A>([\\.x.y])", "#Unique has more than key paths of one property"),
    ("#Unique<A>([\\.x], [\\.x])", "a uniqueness constraint is stated twice"),
    ("#AddMembers", "#AddMembers may add members"),
    ("var p: Int; var p: Int", "it is declared twice"),
    ("var p: Int = (", "its source has a syntax error, so members may be missing"),
  ]

  @Test(arguments: cases) func theReasonIsNamed(member: String, message: String) throws {
    let source = """
      class Plain: Codable {}; struct Flags: OptionSet { let rawValue: Int }; enum Payload: Codable { case full(Int) }
      struct Box<T: Codable>: Codable { var value: T }
      struct Holder: Codable { var money: Money }
      enum Odd: Money { case a }
      typealias Loop = Pool
      typealias Pool = Loop
      // Two of one name:
      struct Twice: Codable {}
      enum Twice: Int { case a }
      @Model class A {
        var x: Int
        \(member)
      }
      """
    let entity = try entity("A", of: source)
    #expect(entity.certainty == .incomplete)
    let messages = entity.reasons.map(\.message)
    #expect(messages.contains(message) || messages.contains { $0.hasPrefix(message) }, "\(messages)")
    #expect(entity.versionHash == nil)
    #expect(entity.variants.map(\.hash) == [nil])
    if !member.hasPrefix("#"), member.contains(" p"), !message.contains("syntax error") {
      #expect(entity.reasons.contains { $0.property == "p" || message.contains("pattern") }, "\(entity.reasons)")
    }
  }

  @Test func theRemedyIsASentenceOfItsOwn() throws {
    let entity = try entity("A", of: "@Model class A { var p: CLLocationCoordinate2D; var q: Money }")
    #expect(
      entity.reasons.map(\.remedy) == [
        "give a store that was written with these classes as the model instead",
        "give the sources of the module that declares it as well",
      ])
  }

  @Test func otherEntitiesAreStillCompared() throws {
    let source = "@Model class A { var m: Money; var b: B? }\n@Model class B { var a: A?; var x: Int }"
    let schema = try #require(SourceProject(texts: ["A.swift": source]).reading.schemas.first)
    #expect(schema.incompleteEntities == ["A"])
    #expect(schema.entities.first { $0.name == "B" }?.versionHash != nil)
    #expect(!schema.isDerived)
    #expect(try schema.model().entity(named: "A")?.property(named: "m")?.attribute?.type == .undefined)
  }

  @Test func aDefineDecides() throws {
    let source = "@Model class A {\n var x: Int\n #if BETA\n var y: Int\n #else\n var z: Int\n #endif\n }"
    #expect(try entity("A", of: source).certainty == .incomplete)
    let with = try entity("A", of: source, defines: ["BETA"])
    #expect(with.certainty == .derived)
    #expect(with.variants[0].entity.properties.map(\.name) == ["x", "y"])
    let without = try entity("A", of: source, defines: ["BETA=false"])
    #expect(without.variants[0].entity.properties.map(\.name) == ["x", "z"])
  }

  /// `--define` may name the system, and only one can hold in a build.
  @Test(arguments: [
    (["os(watchOS)"], ["w", "x"]), (["os( watchOS )=false", "os(macOS)=false"], ["x"]), (["os(macOS)"], ["m", "x"]),
  ])
  func aDefineNamesASystem(defines: [String], names: [String]) throws {
    let source = """
      @Model class A {
        var x: Int
        #if os(watchOS)
        var w: Int
        #elseif os(macOS)
        var m: Int
        #endif
      }
      """
    let entity = try entity("A", of: source, defines: defines)
    #expect(entity.certainty == .derived)
    #expect(entity.variants[0].entity.properties.map(\.name) == names)
  }

  @Test(arguments: [
    ("@Tracked @Model class A { var x: Int }", "@Tracked may add members"),
    ("@Model class A<T> { var x: Int }", "the class is generic"),
    ("@Model class A: Plain { var x: Int }\nclass Plain {}", "its superclass Plain is no model"),
  ])
  func theClassItselfCanBeTheReason(source: String, message: String) throws {
    let entity = try entity("A", of: source)
    #expect(entity.reasons.map(\.message) == [message])
  }

  /// The rules for inheritance are not known, so neither is an inverse that another class declares.
  @Test func anInverseMayNotBeInherited() throws {
    let source = """
      @Model class Media { var owner: Person? }
      @Model class Movie: Media { var year: Int }
      @Model class Person { @Relationship(inverse: \\Movie.owner) var movies: [Movie] }
      let schema = Schema([Media.self, Movie.self, Person.self])
      """
    let schema = try #require(SourceProject(texts: ["Model.swift": source]).reading.schemas.first)
    let person = try #require(schema.entities.first { $0.name == "Person" })
    #expect(
      person.reasons.map(\.message) == [
        "its inverse 'owner' is inherited from Media, and no store has shown what becomes of that"
      ])
  }
}
