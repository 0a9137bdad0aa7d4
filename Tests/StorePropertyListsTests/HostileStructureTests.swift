import StorePropertyLists
import Testing

/// Small files that would expand to something huge.
@Suite struct HostileStructureTests {
  @Test func refusesToExpandFortyLevelsOfSharedArrays() throws {
    let levels = (0..<40).map { [0xa2] + bigEndian($0 + 1, size: 2) + bigEndian($0 + 1, size: 2) }
    let list = try PropertyList(binaryList(levels + [[0x09]]))
    #expect(walk(list) == 41)
    let error = #expect(throws: PropertyListError.self) { try list.value() }
    #expect(error?.message == "shared objects expand to more than the limit of 8000000")
  }

  @Test func expandsWhatIsSharedALittle() throws {
    let list = try PropertyList(binaryList([hex("a2 00 01 00 01"), hex("a2 00 02 00 02"), [0x09]]))
    let pair: PropertyListValue = .array([.boolean(true), .boolean(true)])
    #expect(try list.value() == .array([pair, pair]))
  }

  @Test(arguments: [
    [hex("a1 00 00")],
    [hex("a1 00 01"), hex("d1 00 02 00 00"), hex("51 61")],
    [hex("a2 00 01 00 01"), hex("c1 00 01")],
  ])
  func holdsContainersThatContainThemselves(objects: [[UInt8]]) throws {
    let list = try PropertyList(binaryList(objects))
    #expect(walk(list) > 0)
    let error = #expect(throws: PropertyListError.self) { try list.value() }
    #expect(error?.message == "a container that contains itself")
  }

  /// Too deep for a recursive reader: a stack of 8 MB would have 33 bytes for each level.
  @Test func holdsAQuarterOfAMillionLevels() throws {
    let depth = 250_000
    let chain: [UInt8] = (0..<depth).flatMap { [0xa1] + bigEndian($0 + 1, size: 4) } + [0xa0]
    let offsets = (0...depth).map { 8 + 5 * $0 }
    let bytes =
      Array("bplist00".utf8) + chain + binaryTail(offsets: offsets, tableAt: 8 + chain.count, referenceSize: 4)
    let list = try PropertyList(bytes)
    #expect(walk(list) == depth + 1)
    let error = #expect(throws: PropertyListError.self) { try list.value() }
    #expect(error?.message == "containers nested deeper than the limit of 512")
  }

  @Test func refusesAMillionLevelsOfXML() {
    let error = #expect(throws: PropertyListError.self) {
      try PropertyList(Array(("<plist>" + String(repeating: "<array>", count: 1_000_000)).utf8))
    }
    #expect(error == PropertyListError("containers nested deeper than the limit of 512", at: 7 + 512 * 7))
  }

  @Test func countsTheDepthAlikeInBothFormats() throws {
    var limits = PropertyList.Limits()
    limits.depth = 2
    let two = PropertyListValue.array([.array([.integer(1)])])
    let three = PropertyListValue.array([two])
    #expect(try PropertyList(two.binaryPropertyList(), limits: limits).value() == two)
    #expect(try PropertyList(two.xmlPropertyList(), limits: limits).value() == two)
    #expect(throws: PropertyListError.self) { try PropertyList(three.binaryPropertyList(), limits: limits).value() }
    #expect(throws: PropertyListError.self) { try PropertyList(three.xmlPropertyList(), limits: limits) }
  }

  /// 60,000 arrays at the same offset, each with 60,000 references, in 120 KB.
  @Test func staysLinearWhenContainersOverlap() {
    let count = 60_000
    let root = [0xaf, 0x12] + bigEndian(count, size: 4) + (0..<count).flatMap { bigEndian($0, size: 2) }
    let offsets = Array(repeating: 8, count: count)
    let bytes = Array("bplist00".utf8) + root + binaryTail(offsets: offsets, tableAt: 8 + root.count, referenceSize: 2)
    let error = #expect(throws: PropertyListError.self) { try PropertyList(bytes, limits: .init(references: 500_000)) }
    #expect(error?.message == "containers with more than 500000 children altogether")
  }

  /// 60,000 strings or keys at the same offset, with 100 KB each.
  @Test(arguments: [0xaf, 0xdf] as [UInt8])
  func staysLinearWhenStringsOverlap(container: UInt8) {
    let count = 60_000
    let children = (0..<count).flatMap { bigEndian(max($0, 1), size: 2) }
    let root = [container, 0x12] + bigEndian(container == 0xaf ? count : count / 2, size: 4) + children
    let text = [0x5f, 0x12] + bigEndian(100_000, size: 4) + Array(repeating: UInt8(ascii: "a"), count: 100_000)
    let offsets = [8] + Array(repeating: 8 + root.count, count: count - 1)
    let objects = root + text
    let bytes =
      Array("bplist00".utf8) + objects + binaryTail(offsets: offsets, tableAt: 8 + objects.count, referenceSize: 2)
    let error = #expect(throws: PropertyListError.self) { try PropertyList(bytes) }
    #expect(error?.message == "overlapping strings and data of more than 268435456 bytes")
  }

  @Test func keepsToItsLimits() {
    let value: PropertyListValue = .array([.integer(1), .integer(2), .integer(3)])
    for bytes in [value.binaryPropertyList(), value.xmlPropertyList()] {
      #expect(throws: Never.self) {
        try PropertyList(bytes, limits: .init(bytes: bytes.count, objects: 4, references: 3))
      }
      #expect(throws: PropertyListError.self) { try PropertyList(bytes, limits: .init(bytes: bytes.count - 1)) }
      #expect(throws: PropertyListError.self) { try PropertyList(bytes, limits: .init(objects: 3)) }
      #expect(throws: PropertyListError.self) { try PropertyList(bytes, limits: .init(references: 2)) }
      #expect(throws: PropertyListError.self) { try PropertyList(bytes, limits: .init(bytes: .min)) }
      #expect(throws: PropertyListError.self) { try PropertyList(bytes, limits: .init(objects: .min)) }
      #expect(throws: PropertyListError.self) { try PropertyList(bytes, limits: .init(references: .min)) }
      #expect(throws: PropertyListError.self) { try PropertyList(bytes, limits: .init(depth: .min)).value() }
    }
  }
}
