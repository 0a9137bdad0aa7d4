import StorePropertyLists
import Testing

@Suite struct BinaryPropertyListTests {
  @Test func readsTheExampleOfTheFormat() throws {
    let bytes = hex(
      """
      62 70 6c 69 73 74 30 30 | bplist00
      a2 01 02                | array of objects 1 and 2
      52 68 69                | "hi"
      09                      | true
      08 0b 0e                | where they start
      00 00 00 00 00 00 01 01 | one byte per offset, one per reference
      00 00 00 00 00 00 00 03 | three objects
      00 00 00 00 00 00 00 00 | the root is the first
      00 00 00 00 00 00 00 0f | where the offset table starts
      """)
    let list = try PropertyList(bytes)
    #expect(list.format == .binary)
    #expect(list.root.kind == .array)
    #expect(list.root.elements?.map(\.offset) == [11, 14])
    #expect(try list.value() == .array([.string("hi"), .boolean(true)]))
    #expect(PropertyListValue.array([.string("hi"), .boolean(true)]).binaryPropertyList() == bytes)
  }

  @Test(
    arguments: [
      ("00", .null), ("08", .boolean(false)), ("09", .boolean(true)),
      ("10 ff", .integer(255)), ("11 ff ff", .integer(65_535)), ("12 ff ff ff ff", .integer(4_294_967_295)),
      ("13 ff ff ff ff ff ff ff fe", .integer(-2)),
      ("14 00 00 00 00 00 00 00 00 80 00 00 00 00 00 00 00", .unsigned(1 << 63)),
      ("14 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 07", .integer(7)),
      ("14 ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff fe", .integer(-2)),
      ("22 3f c0 00 00", .real(1.5)), ("23 3f f8 00 00 00 00 00 00", .real(1.5)),
      ("33 41 9d b2 97 30 00 00 00", .date(124_560_844)),
      ("40", .data([])), ("42 01 02", .data([1, 2])), ("4f 10 02 01 02", .data([1, 2])),
      ("52 68 69", .string("hi")), ("51 ff", .string("\u{fffd}")),
      ("62 d8 3d de 00", .string("\u{1F600}")), ("61 d8 3d", .string("\u{fffd}")),
      ("80 07", .uid(7)), ("82 01 00 00", .uid(65_536)), ("87 00 00 00 00 00 00 00 01", .uid(1)),
      ("a0", .array([])), ("b0", .set([])), ("c0", .set([])), ("d0", .dictionary([:])),
    ] as [(String, PropertyListValue)])
  func readsEveryKindOfObject(bytes: String, value: PropertyListValue) throws {
    #expect(try PropertyList(binaryList([hex(bytes)])).value() == value)
  }

  @Test(arguments: [
    ("01", "unknown object marker 0x1"), ("0f", "unknown object marker 0xf"), ("15 00", "unknown object marker 0x15"),
    ("21 00 00", "unknown object marker 0x21"), ("32 00", "unknown object marker 0x32"),
    ("70", "unknown object marker 0x70"), ("88 00", "a UID of more than 8 bytes"),
    ("13 00", "a number of 8 bytes runs past the objects"), ("52 68", "an object of 2 units runs past the objects"),
    ("4f", "expected an integer with the size of the object"),
    ("4f 13 ff ff ff ff ff ff ff ff", "an object of 18446744073709551615 units runs past the objects"),
    ("6f 13 7f ff ff ff ff ff ff ff", "an object of 9223372036854775807 units runs past the objects"),
    ("df 13 7f ff ff ff ff ff ff ff", "an object of 9223372036854775807 units runs past the objects"),
    ("a1 00 01", "a reference to object 1 of 1"),
    ("d1 00 00 00 00", "a dictionary key that is not a string"),
  ])
  func refusesDamagedObjects(bytes: String, message: String) {
    let error = #expect(throws: PropertyListError.self) { try PropertyList(binaryList([hex(bytes)])) }
    #expect(error?.message == message)
  }

  @Test func keepsIntegersBeyond64BitsAsReals() throws {
    let list = try PropertyList(binaryList([hex("14 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 00")]))
    #expect(list.root.kind == .integer)
    #expect(list.root.integer == nil)
    #expect(list.root.real == 0x1p64)
    #expect(throws: PropertyListError("an integer of more than 64 bits", at: 8)) { try list.value() }
  }

  @Test func keepsDuplicateKeysAndFindsTheFirst() throws {
    let list = try PropertyList(binaryList([hex("d2 00 01 00 01 00 02 00 03"), hex("51 61"), [0x08], [0x09]]))
    #expect(list.root.count == 2)
    #expect(list.root.entries?.map(\.key) == ["a", "a"])
    #expect(list.root["a"]?.boolean == false)
    #expect(list.root["b"] == nil)
    #expect(try list.value() == .dictionary(["a": .boolean(false)]))
  }

  @Test func findsAKeyThatSeveralObjectsSpell() throws {
    let list = try PropertyList(
      binaryList([
        [0xa3, 0, 1, 0, 2, 0, 3], [0xd1, 0, 4, 0, 7], [0xd1, 0, 5, 0, 7], [0xd1, 0, 6, 0, 7],
        [0x52, 0x61, 0x62], [0x52, 0x61, 0x62], [0x62, 0, 0x61, 0, 0x62], [0x09],
      ]))
    let dictionaries = try #require(list.root.elements)
    #expect(dictionaries.map { $0["ab"]?.boolean } == [true, true, true])
    #expect(dictionaries.map { $0["a"]?.boolean } == [nil, nil, nil])
    #expect(dictionaries.compactMap(\.entries).flatMap { $0.map(\.key) } == ["ab", "ab", "ab"])
  }

  @Test func findsKeysInUTF16() throws {
    let list = try PropertyList(PropertyListValue.dictionary(["Grüße": .integer(1)]).binaryPropertyList())
    #expect(list.root["Grüße"]?.integer == 1)
    #expect(list.root["Gru\u{308}ße"] == nil, "equivalent, but other bytes")
  }

  @Test func ignoresDamageThatNothingRefersTo() throws {
    #expect(try PropertyList(binaryList([[0x09], [0x7f]])).value() == .boolean(true))
  }

  @Test func onlyDataHasBytes() throws {
    let list = try PropertyList(PropertyListValue.data([1, 2, 3]).binaryPropertyList())
    #expect(list.root.data == [1, 2, 3])
    #expect(try PropertyList(xmlList("<true/>")).root.data == nil)
  }

  @Test func writesEqualScalarsOnce() throws {
    let value = PropertyListValue.array(Array(repeating: .string("long enough to be seen"), count: 100))
    let list = try PropertyList(value.binaryPropertyList())
    #expect(Set((list.root.elements ?? []).map(\.index)).count == 1)
    #expect(try list.value() == value)
  }

  @Test func readsBackWhatItWrites() throws {
    #expect(try PropertyList(everything.binaryPropertyList()).value() == everything)
    let more: PropertyListValue = .array([.null, .set([.null]), .uid(0), .uid(.max), .date(0.25), .string("\u{0}")])
    #expect(try PropertyList(more.binaryPropertyList()).value() == more)
    let many: PropertyListValue = .array((0..<70_000).map { .integer($0) })
    #expect(try PropertyList(many.binaryPropertyList()).value() == many)
  }

  @Test(arguments: ["", "bplist00", "bplist", "bplist17", "{ a = b; }", "\u{0}", "null", " "])
  func refusesWhatIsNoPropertyList(text: String) {
    #expect(throws: PropertyListError.self) { try PropertyList(Array(text.utf8)) }
  }
}
