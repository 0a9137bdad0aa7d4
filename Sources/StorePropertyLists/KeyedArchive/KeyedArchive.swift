// The format of NSKeyedArchiver: a property list in which objects refer to one another by UID, their place in $objects.
//
//     $archiver  "NSKeyedArchiver"
//     $version   100000
//     $top       {root: UID 1}
//     $objects   0  "$null"
//                1  {$class: UID 3, NSEntityName: UID 2, NSIsAbstract: true}
//                2  "Note"
//                3  {$classname: "NSEntityDescription", $classes: ["NSEntityDescription", "NSObject"]}

/// A keyed archive as a graph of objects that are looked up on demand; no class is ever instantiated.
///
/// Where the archive is damaged (a missing class, different numbers of keys and values, a UID that is too high), the
/// accessors concerned return `nil`. Objects may refer to one another in cycles; traversal needs a set of the
/// ``Object/id``s already visited, and is linear then.
package struct KeyedArchive: Sendable {
  let contents: Contents

  /// The object under `root` in `$top`.
  package let root: Object

  /// Everything in `$top` that leads to an object, in file order.
  package let top: [(key: String, value: Object)]

  /// Interprets a property list as a keyed archive.
  ///
  /// - Throws: ``PropertyListError`` if it is not one (`$archiver`, `$top`, `$objects`), if `$top` has no `root` or the
  ///   root's object does not exist, and if the list, expanded to a tree, would exceed its limits.
  package init(_ list: PropertyList) throws(PropertyListError) {
    (contents, top) = try Self.topObjects(list)
    guard let root = top.first(where: { $0.key == "root" })?.value else {
      throw PropertyListError("the keyed archive has no root", at: list.root.offset)
    }
    self.root = root
  }

  /// The objects an archive without `root` begins with, as CloudKit's records are kept; in file order.
  ///
  /// - Throws: ``PropertyListError`` if it is no archive, or would exceed the limits expanded to a tree.
  package static func top(of list: PropertyList) throws(PropertyListError) -> [(key: String, value: Object)] {
    try topObjects(list).top
  }

  private static func topObjects(
    _ list: PropertyList
  ) throws(PropertyListError) -> (Contents, top: [(key: String, value: Object)]) {
    try list.root.checkExpansion()
    guard list.root["$archiver"]?.kind == .string, let objects = list.root["$objects"], objects.kind == .array,
      let topEntries = list.root["$top"]?.entries
    else { throw PropertyListError("not a keyed archive: no $archiver, $top and $objects", at: list.root.offset) }
    let contents = Contents(list, objects: objects.content.children ?? 0..<0)
    return (
      contents, topEntries.compactMap { key, node in contents.resolve(node.index).map { (key: key, value: $0) } }
    )
  }

  /// Reads the property list, binary or XML, and interprets it as a keyed archive.
  ///
  /// - Throws: ``PropertyListError`` as ``PropertyList/init(_:limits:)`` and ``init(_:)`` do.
  package init(_ bytes: [UInt8], limits: PropertyList.Limits = .init()) throws(PropertyListError) {
    try self.init(PropertyList(bytes, limits: limits))
  }

  /// The number of entries in `$objects`.
  package var count: Int { contents.references.count }

  /// A key for accessing many objects of this archive.
  package func key(_ name: StaticString) -> Key { Key(name, in: contents.table) }

  /// A key that is looked up once in an archive, however many objects are accessed with it. It is valid only for that
  /// archive.
  package struct Key: Sendable {
    /// The key's text.
    package let name: StaticString
    /// The table's number for the key; nil if no object has it.
    let number: UInt32?

    init(_ name: StaticString, in table: ObjectTable) {
      self.name = name
      number = table.number(ofKey: "\(name)")
    }
  }
}

extension KeyedArchive {
  /// `$objects`, and how to look things up in it.
  final class Contents: Sendable {
    let table: ObjectTable
    private let format: PropertyList.Format
    /// The range of `$objects` in the table's references.
    let references: Range<Int>
    let keys: ArchiverKeys

    init(_ list: PropertyList, objects: Range<Int>) {
      (table, format, references) = (list.table, list.format, objects)
      keys = ArchiverKeys(list.table)
    }

    func node(_ index: Int) -> PropertyList.Node { PropertyList.Node(table: table, format: format, index: index) }

    func object(at id: Int) -> Object? {
      guard id >= 0, id < references.count else { return nil }
      return Object(contents: self, id: id, index: Int(table.references[references.lowerBound + id]))
    }

    /// The object that a value refers to by UID, otherwise the value itself; `nil` for UID 0 and for UIDs that are too
    /// high.
    func resolve(_ index: Int) -> Object? {
      place(index).map { Object(contents: self, id: $0.id, index: $0.index) }
    }

    /// The index of that object in `$objects` (-1 for a value written inline) and in the table.
    private func place(_ index: Int) -> (id: Int, index: Int)? {
      guard let uid = uid(index) else { return (-1, index) }
      guard uid > 0, uid < references.count else { return nil }
      let id = Int(uid)
      return (id, Int(table.references[references.lowerBound + id]))
    }

    func place(under key: Key, of index: Int) -> (id: Int, index: Int)? {
      value(key, of: index).flatMap(place)
    }

    /// The number in a UID, in either spelling (``PropertyList/Node/uid``).
    func uid(_ index: Int) -> UInt64? {
      switch table.objects[index].content {
      case .uid(let value): value
      case .dictionary(let pair) where pair.count == 2: node(index).uid
      default: nil
      }
    }

    /// The value under a key of a dictionary, as an index of the table.
    func value(_ key: Key, of index: Int) -> Int? { key.number.flatMap { value($0, of: index) } }

    func value(_ key: String, of index: Int) -> Int? {
      table.number(ofKey: key).flatMap { value($0, of: index) }
    }

    func value(_ number: UInt32, of index: Int) -> Int? {
      guard case .dictionary(let range) = table.objects[index].content else { return nil }
      return table.position(ofValueUnder: number, in: range).map { Int(table.references[$0]) }
    }

    /// The object that describes the class of an object.
    private func classDescription(of index: Int) -> PropertyList.Node? { classDescriptionIndex(of: index).map(node) }

    /// The same as an index of the table.
    func classDescriptionIndex(of index: Int) -> Int? {
      guard let uid = value(keys.class, of: index).flatMap(uid), let id = Int(exactly: uid) else { return nil }
      return object(at: id)?.index
    }

    /// The numbers of `$classname` and `$classes`, found at a description of a class: looking a key up by its text would
    /// make an array of it.
    var classKeys: (name: UInt32?, hierarchy: UInt32?) {
      var (name, hierarchy): (UInt32?, UInt32?)
      for position in references {
        guard case .dictionary(let pairs) = table.objects[Int(table.references[position])].content else { continue }
        for pair in stride(from: pairs.lowerBound, to: pairs.upperBound, by: 2) {
          let key = table.references[pair]
          if table.isText(Int(key), "$classname") { name = key }
          if table.isText(Int(key), "$classes") { hierarchy = key }
        }
        if name != nil, hierarchy != nil { break }
      }
      return (name, hierarchy)
    }

    func className(of index: Int) -> String? { classDescription(of: index)?["$classname"]?.string }

    func classHierarchy(of index: Int) -> [String] {
      guard let description = classDescription(of: index), let name = description["$classname"]?.string else {
        return []
      }
      let hierarchy = description["$classes"]?.elements?.compactMap(\.string) ?? []
      return hierarchy.isEmpty ? [name] : hierarchy
    }
  }
}

/// The keys used by the archiver itself and by collections.
struct ArchiverKeys {
  let `class`, keys, objects, searchMapping, string, bytes, time, data: KeyedArchive.Key

  init(_ table: ObjectTable) {
    self.class = KeyedArchive.Key("$class", in: table)
    keys = KeyedArchive.Key("NS.keys", in: table)
    objects = KeyedArchive.Key("NS.objects", in: table)
    searchMapping = KeyedArchive.Key("searchMapping", in: table)
    string = KeyedArchive.Key("NS.string", in: table)
    bytes = KeyedArchive.Key("NS.bytes", in: table)
    time = KeyedArchive.Key("NS.time", in: table)
    data = KeyedArchive.Key("NS.data", in: table)
  }
}
