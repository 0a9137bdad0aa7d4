// What NSKeyedArchiver writes: a property list in which objects refer to one another by UID, their place in $objects.
//
//     $archiver  "NSKeyedArchiver"
//     $version   100000
//     $top       {root: UID 1}
//     $objects   0  "$null"
//                1  {$class: UID 3, NSEntityName: UID 2, NSIsAbstract: true}
//                2  "Note"
//                3  {$classname: "NSEntityDescription", $classes: ["NSEntityDescription", "NSObject"]}

/// A keyed archive as a graph of objects that are looked up when asked for; no class is ever made.
///
/// Damage inside the archive (a class that is not there, keys and values of different number, a UID that is too high)
/// makes the accessors concerned give `nil`. Objects may contain one another in circles; a walk needs a set of the
/// ``Object/id``s already seen, and is linear then.
public struct KeyedArchive: Sendable {
  let contents: Contents

  /// The object under `root` in `$top`.
  public let root: Object

  /// Everything in `$top` that leads to an object, in file order.
  public let top: [(key: String, value: Object)]

  /// Takes a list for a keyed archive.
  ///
  /// - Throws: ``PropertyListError`` if it is none (`$archiver`, `$top`, `$objects`), if `$top` has no `root` or the
  ///   root's object does not exist, and if the list would not be a tree within its limits, as every archive's is.
  public init(_ list: PropertyList) throws(PropertyListError) {
    try list.root.checkExpansion()
    guard list.root["$archiver"]?.kind == .string, let objects = list.root["$objects"], objects.kind == .array,
      let topEntries = list.root["$top"]?.entries
    else { throw PropertyListError("not a keyed archive: no $archiver, $top and $objects", at: list.root.offset) }
    let contents = Contents(objects: objects.elements ?? [])
    self.contents = contents
    top = topEntries.compactMap { key, node in contents.resolve(node).map { (key: key, value: $0) } }
    guard let root = top.first(where: { $0.key == "root" })?.value else {
      throw PropertyListError("the keyed archive has no root", at: list.root.offset)
    }
    self.root = root
  }

  /// Reads the list, binary or XML, and takes it for a keyed archive.
  ///
  /// - Throws: ``PropertyListError`` as ``PropertyList/init(_:limits:)`` and ``init(_:)`` do.
  public init(_ bytes: [UInt8], limits: PropertyList.Limits = .init()) throws(PropertyListError) {
    try self.init(PropertyList(bytes, limits: limits))
  }

  /// The number of places in `$objects`.
  public var count: Int { contents.objects.count }

  /// The object at a place in `$objects`, `$null` included.
  public func object(at id: Int) -> Object? { contents.object(at: id) }
}

extension KeyedArchive {
  /// `$objects`, with the classes spelt out, as many objects share one.
  final class Contents: Sendable {
    struct Class {
      var name: String
      var hierarchy: [String]
    }

    let objects: [PropertyList.Node]
    private let classes: [Int: Class]

    init(objects: [PropertyList.Node]) {
      self.objects = objects
      var classes: [Int: Class] = [:]
      for (id, object) in objects.enumerated() {
        guard let name = object["$classname"]?.string else { continue }
        let hierarchy = object["$classes"]?.elements?.compactMap(\.string) ?? []
        classes[id] = Class(name: name, hierarchy: hierarchy.isEmpty ? [name] : hierarchy)
      }
      self.classes = classes
    }

    func object(at id: Int) -> Object? {
      objects.indices.contains(id) ? Object(contents: self, id: id, node: objects[id]) : nil
    }

    /// The object a value stands for: that of its UID, otherwise the value itself; `nil` for UID 0 and those too high.
    func resolve(_ node: PropertyList.Node) -> Object? {
      guard let uid = node.uid else { return Object(contents: self, id: -1, node: node) }
      guard uid > 0, let id = Int(exactly: uid) else { return nil }
      return object(at: id)
    }

    func `class`(of node: PropertyList.Node) -> Class? {
      guard let uid = node["$class"]?.uid, let id = Int(exactly: uid) else { return nil }
      return classes[id]
    }
  }
}
