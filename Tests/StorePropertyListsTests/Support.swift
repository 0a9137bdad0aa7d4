import StorePropertyLists

/// Bytes written in hex, one part a line; what follows `|` is a comment.
func hex(_ text: String) -> [UInt8] {
  text.split(separator: "\n").flatMap { line in
    (line.split(separator: "|", omittingEmptySubsequences: false).first ?? "")
      .split(separator: " ").compactMap { UInt8($0, radix: 16) }
  }
}

/// A binary list of objects given byte by byte; the first one is the root, references have two bytes.
func binaryList(_ objects: [[UInt8]]) -> [UInt8] {
  var bytes = Array("bplist00".utf8)
  var offsets: [Int] = []
  for object in objects {
    offsets.append(bytes.count)
    bytes += object
  }
  return bytes + binaryTail(offsets: offsets, tableAt: bytes.count, referenceSize: 2)
}

/// Offset table, with four bytes per offset, and trailer.
func binaryTail(offsets: [Int], tableAt table: Int, referenceSize: Int) -> [UInt8] {
  offsets.flatMap { bigEndian($0, size: 4) }
    + [0, 0, 0, 0, 0, 0, 4, UInt8(referenceSize)]
    + bigEndian(offsets.count, size: 8) + bigEndian(0, size: 8) + bigEndian(table, size: 8)
}

func bigEndian(_ number: Int, size: Int) -> [UInt8] {
  withUnsafeBytes(of: number.bigEndian) { Array($0.suffix(size)) }
}

/// An XML list around a value.
func xmlList(_ value: String) -> [UInt8] { Array("<plist version=\"1.0\">\(value)</plist>".utf8) }

/// Visits every object of a list once, and returns their number.
func walk(_ list: PropertyList) -> Int {
  var seen: Set<Int> = []
  var open = [list.root]
  while let node = open.popLast() {
    guard seen.insert(node.index).inserted else { continue }
    _ = (node.kind, node.offset, node.boolean, node.integer, node.real, node.date, node.string, node.data, node.uid)
    open += node.elements ?? []
    open += node.entries?.map(\.value) ?? []
  }
  return seen.count
}

/// Visits every object of an archive once, and returns their number.
func walk(_ archive: KeyedArchive) -> Int {
  var seen: Set<Int> = []
  var open = [archive.root] + archive.top.map(\.value)
  while let object = open.popLast() {
    guard object.id < 0 || seen.insert(object.id).inserted else { continue }
    _ = (object.className, object.classHierarchy, object.string, object.integer, object.real, object.date, object.data)
    open += object.keys.compactMap { object[$0] }
    open += object.elements ?? []
    open += object.entries?.flatMap { [$0.key, $0.value] } ?? []
  }
  return seen.count
}

/// A value with every kind that both formats can hold.
let everything: PropertyListValue = .dictionary([
  "": .string(""),
  "array": .array([.integer(0), .integer(-1), .integer(.max), .integer(.min), .unsigned(.max)]),
  "data": .data(Array(0...255)),
  "date": .date(-978_307_200),
  "dictionary": .dictionary(["key": .dictionary([:]), "other": .array([])]),
  "Grüße": .string("\u{1F600} & <tag> \"'\t\n ]]>"),
  "reals": .array([.real(0), .real(-0.1), .real(.infinity), .real(1e300)]),
  "sizes": .array([255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296].map { .integer($0) }),
  "text": .string(String(repeating: "long ", count: 60)),
  "truth": .array([.boolean(true), .boolean(false)]),
])

/// An archive in which a model and an entity refer to each other.
func smallArchive() -> (builder: KeyedArchiveBuilder, root: KeyedArchiveBuilder.ID) {
  var builder = KeyedArchiveBuilder()
  let model = builder.reserve()
  let name = builder.string("Note")
  let entity = builder.object(
    ["NSEntityDescription", "NSObject"],
    fields: [
      ("NSEntityName", .reference(name)), ("NSManagedObjectModel", .reference(model)),
      ("NSSuperentity", .reference(KeyedArchiveBuilder.null)), ("NSIsAbstract", .boolean(true)), ("_P", .integer(7)),
    ])
  let entities = builder.mutableDictionary([(name, entity)])
  builder.fill(model, classes: ["NSManagedObjectModel", "NSObject"], fields: [("NSEntities", .reference(entities))])
  return (builder, model)
}
