import StorePropertyLists
import TestSupport
import Testing

/// Which classes in an archive a list does not let through.
@Suite struct RefusedClassTests {
  private let filter = ClassFilter(["NSArray", "NSDictionary", "NSSet", "NSDate", "NSString"], bareNames: ["Stamp"])

  private func refused(
    _ make: (inout KeyedArchiveBuilder) -> KeyedArchiveBuilder.ID
  ) throws -> KeyedArchive.RefusedClass? {
    var builder = KeyedArchiveBuilder()
    let root = make(&builder)
    return try KeyedArchive(builder.binary(root: root)).refusedClass(by: filter)
  }

  private func object(_ classes: String..., in builder: inout KeyedArchiveBuilder) -> KeyedArchiveBuilder.ID {
    builder.object(classes + ["NSObject"], fields: [("size", .integer(1))])
  }

  @Test func plainValuesAndWhatInheritsFromTheListPass() throws {
    #expect(try refused { $0.string("text") } == nil)
    #expect(try refused { $0.integer(7) } == nil)
    #expect(try refused { $0.data([1]) } == nil)
    #expect(try refused { $0.date(1) } == nil)
    #expect(try refused { $0.mutableArray([$0.string("a"), KeyedArchiveBuilder.null, $0.date(2)]) } == nil)
    #expect(try refused { $0.mutableDictionary([($0.string("k"), $0.set([$0.integer(1)]))]) } == nil)
  }

  @Test func theClassOfTheWholeComesFirst() throws {
    #expect(try refused { object("Post.Signature", in: &$0) } == .init(name: "Post.Signature", isTop: true))
    #expect(try refused { object("Shop.Stamp", in: &$0) } == nil)
    #expect(try refused { object("Stamp", in: &$0) } == nil)
    #expect(try refused { object("MyStamp", in: &$0) } == .init(name: "MyStamp", isTop: true))
  }

  @Test func whatIsInCollectionsIsLookedAtAndWhatIsInOtherObjectsIsNot() throws {
    let color = KeyedArchive.RefusedClass(name: "UIColor", isTop: false)
    #expect(try refused { $0.array([$0.string("a"), object("UIColor", in: &$0)]) } == color)
    #expect(try refused { $0.array([$0.set([$0.array([object("UIColor", in: &$0)])])]) } == color)
    #expect(try refused { $0.dictionary([($0.string("k"), object("UIColor", in: &$0))]) } == color)
    let inside = try refused { builder in
      let color = object("UIColor", in: &builder)
      let stamp = builder.object(["Stamp", "NSObject"], fields: [("color", .reference(color))])
      return builder.array([stamp])
    }
    #expect(inside == nil)
  }

  @Test func aCollectionThatContainsItselfComesToAnEnd() throws {
    let inside = try refused { builder in
      let root = builder.reserve()
      let color = object("UIColor", in: &builder)
      let members = builder.array([root, color])
      builder.fill(root, classes: ["NSArray", "NSObject"], fields: [("NS.object.0", .reference(members))])
      return builder.array([root, members])
    }
    #expect(inside?.name == "UIColor")
  }

  @Test func theModuleIsThatOfTheWhole() throws {
    var builder = KeyedArchiveBuilder()
    let own = object("Post.Signature", in: &builder)
    #expect(try KeyedArchive(builder.binary(root: own)).rootModule == "Post")
    let list = builder.array([own])
    #expect(try KeyedArchive(builder.binary(root: list)).rootModule == nil)
    let odd = object(".Signature", in: &builder)
    #expect(try KeyedArchive(builder.binary(root: odd)).rootModule == nil)
  }

  /// An archive may name no superclasses; then the name alone decides.
  @Test func withoutSuperclassesTheNameDecides() throws {
    let list = PropertyListValue.dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$top": .dictionary(["root": .uid(1)]),
      "$objects": .array([
        .string("$null"), .dictionary(["$class": .uid(2)]), .dictionary(["$classname": .string("Größe")]),
      ]),
    ])
    let archive = try KeyedArchive(list.binaryPropertyList())
    #expect(archive.refusedClass(by: filter)?.name == "Größe")
    #expect(archive.refusedClass(by: ClassFilter(["Größe"])) == nil)
  }

  /// Whatever bytes are read as an archive, the answer names a class that is in it, or none.
  @Test func anyInjuryGivesAnAnswer() throws {
    var builder = KeyedArchiveBuilder()
    let color = object("UIColor", in: &builder)
    let root = builder.array([builder.dictionary([(builder.string("k"), color)]), builder.string("a")])
    let intact = builder.binary(root: root)
    var random = SeededGenerator(seed: 50)
    var read = 0
    for _ in 0..<4000 {
      var bytes = intact
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      guard let archive = try? KeyedArchive(bytes) else { continue }
      read += 1
      if let refused = archive.refusedClass(by: filter), refused.isTop {
        #expect(archive.root.className == refused.name)
      }
      _ = archive.rootModule
    }
    #expect(read > 100)
  }
}
