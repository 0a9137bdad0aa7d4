// Gives hostile bytes to the StorePropertyLists module. `Fuzz/run propertylist` compiles
// it into one module with it.
//
// The first byte of an input chooses what the others are: 0 a list, 1 a keyed archive, 2 a deflated archive, modulo 3.
// Fuzz/make-property-list-seeds.py makes the seeds.

/// Called by libFuzzer with one input after the other.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPropertyLists(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: count)
  guard let choice = input.first else { return 0 }
  let bytes = Array(input.dropFirst())
  switch choice % 3 {
  case 0: fuzzList(bytes)
  case 1: fuzzArchive(bytes)
  default: fuzzDeflate(bytes)
  }
  return 0
}

/// Far below the defaults, so that an input that is slow for its size stands out.
private let limits = PropertyList.Limits(bytes: 1 << 20, objects: 20_000, references: 50_000, depth: 200)

private func fuzzList(_ bytes: [UInt8]) {
  guard let list = try? PropertyList(bytes, limits: limits) else { return }
  var seen: Set<Int> = []
  var open = [list.root]
  while let node = open.popLast() {
    guard seen.insert(node.index).inserted else { continue }
    _ = (node.kind, node.offset, node.count, node.boolean, node.integer, node.unsigned, node.real, node.date)
    _ = (node.string, node.data, node.uid, node["a"])
    open += node.elements ?? []
    open += node.entries?.map(\.value) ?? []
  }
  guard let value = try? list.value() else { return }
  checkThatWritingKeeps(value)
}

/// A value that was read can be written and read again, and then stays the same byte for byte; XML, which cannot hold
/// everything, from the second time on.
private func checkThatWritingKeeps(_ value: PropertyListValue) {
  let binary = value.binaryPropertyList()
  let read = try? PropertyList(binary).value()
  precondition(read?.binaryPropertyList() == binary, "binary differs")
  guard let sayable = try? PropertyList(value.xmlPropertyList()).value() else { preconditionFailure("XML is damaged") }
  let xml = sayable.xmlPropertyList()
  let readXML = try? PropertyList(xml).value()
  precondition(readXML?.xmlPropertyList() == xml, "XML differs")
}

private func fuzzArchive(_ bytes: [UInt8]) {
  guard let archive = try? KeyedArchive(bytes, limits: limits) else { return }
  var seen: Set<Int> = []
  var open = archive.top.map(\.value)
  while let object = open.popLast() {
    guard object.id < 0 || seen.insert(object.id).inserted else { continue }
    _ = (object.className, object.classHierarchy, object.isKind(of: "NSArray"), object.has("NS.keys"))
    _ = (object.string, object.integer, object.real, object.boolean, object.date, object.data)
    open += object.keys.compactMap { object[$0] }
    open += object.elements ?? []
    open += object.entries?.flatMap { [$0.key, $0.value] } ?? []
  }
}

private func fuzzDeflate(_ bytes: [UInt8]) {
  guard let inflated = try? RawDeflate.inflate(bytes, limit: 1 << 20) else { return }
  precondition(inflated.count <= 1 << 20)
  fuzzArchive(inflated)
}
