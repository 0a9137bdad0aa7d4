import StorePropertyLists
import Testing

@Suite struct KeyedArchiveTests {
  @Test func readsObjectsInACircleInBothFormats() throws {
    let (builder, root) = smallArchive()
    let binary = builder.binary(root: root)
    for bytes in [binary, try PropertyList(binary).value().xmlPropertyList()] {
      let archive = try KeyedArchive(bytes)
      #expect(archive.root.className == "NSManagedObjectModel")
      #expect(archive.top.map(\.key) == ["root"])
      let entry = try #require(archive.root["NSEntities"]?.entries?.first)
      #expect(entry.key.string == "Note")
      let entity = entry.value
      #expect(entity.classHierarchy == ["NSEntityDescription", "NSObject"])
      #expect(entity.keys == ["NSEntityName", "NSIsAbstract", "NSManagedObjectModel", "NSSuperentity", "_P"])
      #expect(entity["NSEntityName"]?.string == "Note")
      #expect(entity["NSIsAbstract"]?.boolean == true)
      #expect(entity["NSIsAbstract"]?.id == -1)
      #expect(entity["_P"]?.integer == 7)
      #expect(entity["NSManagedObjectModel"]?.id == archive.root.id)
      #expect(entity["NSSuperentity"] == nil)
      #expect(entity.has("NSSuperentity"))
      #expect(!entity.has("NSUserInfo"))
      #expect(entity[archive.key("NSEntityName")]?.string == "Note")
      #expect(entity.boolean(archive.key("NSIsAbstract")) == true)
      #expect(entity.integer(archive.key("_P")) == 7)
      #expect(entity.integer(archive.key("NSIsAbstract")) == nil)
      #expect(entity.has(archive.key("NSSuperentity")) && entity[archive.key("NSSuperentity")] == nil)
      #expect(entity.id(under: archive.key("NSEntityName")) == entity["NSEntityName"]?.id)
      #expect(!entity.has(archive.key("NSUserInfo")) && !entity.has(archive.key("")))
      #expect(walk(archive) == 4)
    }
  }

  @Test func readsEveryPlainValueAndItsClass() throws {
    var builder = KeyedArchiveBuilder()
    let text = builder.string("text")
    let members = [
      builder.integer(-1), builder.real(0.5), builder.boolean(false), builder.data([1]), builder.date(2), text,
      KeyedArchiveBuilder.null,
      builder.object(["NSMutableString", "NSString", "NSObject"], fields: [("NS.string", .string("changed"))]),
      builder.object(["NSMutableData", "NSData", "NSObject"], fields: [("NS.data", .data([2]))]),
    ]
    #expect(builder.string("text") == text)
    let root = builder.array(members)
    let objects = try #require(try KeyedArchive(builder.binary(root: root)).root.elements)
    #expect(objects[0].integer == -1 && objects[0].className == nil)
    #expect(objects[1].real == 0.5)
    #expect(objects[2].boolean == false)
    #expect(objects[3].data == [1])
    #expect(objects[4].date == 2 && objects[4].className == "NSDate")
    #expect(objects[5].string == "text")
    #expect(objects[6].id == 0 && objects[6].string == "$null")
    #expect(objects[7].string == "changed")
    #expect(objects[8].data == [2])
  }

  @Test func readsCollections() throws {
    var builder = KeyedArchiveBuilder()
    let a = builder.string("a")
    let b = builder.string("b")
    let ordered = builder.object(
      ["NSOrderedSet", "NSObject"], fields: [("NS.object.0", .reference(b)), ("NS.object.1", .reference(a))])
    let mutableSet = builder.object(
      ["NSMutableSet", "NSSet", "NSObject"], fields: [("NS.object.0", .reference(a)), ("NS.object.1", .reference(b))])
    let collections = [
      builder.array([a, b]), builder.mutableArray([a, b]), builder.set([a, b]), mutableSet, ordered,
    ]
    let dictionary = builder.dictionary([(a, b)])
    let root = builder.array(collections + [dictionary, builder.mutableDictionary([])])
    let read = try #require(try KeyedArchive(builder.binary(root: root)).root.elements)
    #expect(read.prefix(4).allSatisfy { $0.elements?.map(\.string) == ["a", "b"] })
    #expect(read[4].elements?.map(\.string) == ["b", "a"])
    #expect(read[5].elements == nil)
    #expect(read[5].entries?.map { [$0.key.string, $0.value.string] } == [["a", "b"]])
    #expect(read[6].entries?.isEmpty == true)
  }

  /// Dictionaries as in a model cache, where keys without a value have a token.
  @Test func readsKnownKeysDictionaries() throws {
    var builder = KeyedArchiveBuilder()
    let keys = builder.array(["Author", "Book", "Page"].map { builder.string($0) })
    let token = builder.string("__empty_slot_token__")
    let values = builder.array([builder.integer(1), token, builder.integer(3)])
    let mapping = builder.object(
      ["NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy", "NSObject"],
      fields: [("keys", .reference(keys)), ("length", .integer(3)), ("version", .integer(1))])
    let root = builder.object(
      ["NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary", "NSObject"],
      fields: [
        ("searchMapping", .reference(mapping)), ("values", .reference(values)), ("emptyToken", .reference(token)),
        ("version", .integer(1)),
      ])
    let entries = try KeyedArchive(builder.binary(root: root)).root.entries
    #expect(entries?.map(\.key.string) == ["Author", "Page"])
    #expect(entries?.map(\.value.integer) == [1, 3])
  }

  @Test(
    arguments: [
      ("$class", .uid(99)), ("$class", .uid(2)), ("$class", .integer(1)), ("NS.objects", .array([.uid(99)])),
      ("NS.keys", .array([])), ("NS.keys", .array([.uid(.max)])), ("NS.objects", .integer(1)),
      ("NS.keys", .array([.uid(1)])),
    ] as [(String, PropertyListValue)])
  func givesNilForDamage(key: String, value: PropertyListValue) throws {
    let good: [String: PropertyListValue] = [
      "$class": .uid(3), "NS.keys": .array([.uid(2)]), "NS.objects": .array([.uid(2)]),
    ]
    let archive = try KeyedArchive(
      archive([.string("$null"), .dictionary(good.merging([key: value]) { $1 }), .string("a"), Self.dictionaryClass]))
    #expect(walk(archive) > 0)
    if key == "$class" {
      #expect(archive.root.className == nil)
    } else {
      #expect(archive.root.entries?.count != 1 || value == .array([.uid(1)]))
    }
  }

  @Test(
    arguments: [
      (.array([]), "not a keyed archive: no $archiver, $top and $objects"),
      (.dictionary(["$archiver": .string("NSKeyedArchiver")]), "not a keyed archive: no $archiver, $top and $objects"),
      (list(top: [:]), "the keyed archive has no root"),
      (list(top: ["root": .uid(0)]), "the keyed archive has no root"),
      (list(top: ["root": .uid(2)]), "the keyed archive has no root"),
      (list(top: ["root": .uid(.max)]), "the keyed archive has no root"),
    ] as [(PropertyListValue, String)])
  func refusesWhatIsNoArchive(list: PropertyListValue, message: String) {
    let error = #expect(throws: PropertyListError.self) { try KeyedArchive(list.binaryPropertyList()) }
    #expect(error?.message == message)
  }

  @Test func ignoresForeignIDs() throws {
    var other = KeyedArchiveBuilder()
    let foreign = (0..<9).map { other.string("\($0)") }[8]
    var builder = KeyedArchiveBuilder()
    builder.fill(foreign, classes: ["NSObject"], fields: [])
    let root = builder.object(["NSObject"], fields: [("a", .reference(foreign))])
    #expect(try KeyedArchive(builder.binary(root: root)).root["a"] == nil)
  }

  private static let dictionaryClass: PropertyListValue = .dictionary([
    "$classname": .string("NSDictionary"), "$classes": .array([.string("NSDictionary"), .string("NSObject")]),
  ])

  private static func list(
    top: [String: PropertyListValue], _ objects: [PropertyListValue] = [.string("$null"), .integer(1)]
  ) -> PropertyListValue {
    .dictionary(["$archiver": .string("NSKeyedArchiver"), "$top": .dictionary(top), "$objects": .array(objects)])
  }

  private func archive(_ objects: [PropertyListValue]) -> [UInt8] {
    Self.list(top: ["root": .uid(1)], objects).binaryPropertyList()
  }
}
