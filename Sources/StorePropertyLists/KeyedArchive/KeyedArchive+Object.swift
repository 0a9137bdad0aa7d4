extension KeyedArchive {
  /// One object of an archive, or a value written inside another object. An accessor of the wrong kind gives `nil`.
  package struct Object: Sendable {
    let contents: Contents

    /// Its index in `$objects`, which identifies the object; -1 for a value written inline.
    package let id: Int

    /// Its index in the list's table.
    let index: Int
  }
}

extension KeyedArchive.Object {
  private var node: PropertyList.Node { contents.node(index) }
  private var archiver: ArchiverKeys { contents.keys }
}

// MARK: - Class

extension KeyedArchive.Object {
  /// The name of its class; `nil` for plain values, and when the class is missing.
  package var className: String? { contents.className(of: index) }

  /// The names of its class and all superclasses, the most derived first; empty when ``className`` is `nil`.
  package var classHierarchy: [String] { contents.classHierarchy(of: index) }

  /// Whether its class is `name` or inherits from it.
  package func isKind(of name: String) -> Bool { classHierarchy.contains(name) }
}

// MARK: - Values

extension KeyedArchive.Object {
  /// The keys it was archived with, in file order, without `$class`.
  package var keys: [String] { node.entries?.map(\.key).filter { $0 != "$class" } ?? [] }

  /// The object under a key; `nil` if the key is absent, holds `$null` (UID 0), or a UID that is too high.
  package subscript(key: String) -> KeyedArchive.Object? {
    contents.value(key, of: index).flatMap(contents.resolve)
  }

  /// The object under a key.
  package subscript(key: KeyedArchive.Key) -> KeyedArchive.Object? {
    contents.value(key, of: index).flatMap(contents.resolve)
  }

  /// Whether it has this key, even with the value `$null`.
  package func has(_ key: String) -> Bool { contents.value(key, of: index) != nil }

  /// Whether it has this key.
  package func has(_ key: KeyedArchive.Key) -> Bool { contents.value(key, of: index) != nil }

  /// A plain string, or the text of an NSString or NSMutableString.
  package var string: String? {
    node.string ?? self[archiver.string]?.node.string
      ?? self[archiver.bytes]?.node.data.flatMap { isKind(of: "NSString") ? String(decoding: $0, as: UTF8.self) : nil }
  }

  /// A plain integer of up to 64 bits with a sign.
  package var integer: Int64? { node.integer }

  /// A plain real, or an integer as one.
  package var real: Double? { node.real }

  /// A plain truth value.
  package var boolean: Bool? { node.boolean }

  /// A plain date, or that of an NSDate, in seconds since 2001-01-01 00:00 UTC.
  package var date: Double? { node.date ?? self[archiver.time]?.node.real }

  /// Plain bytes, or those of an NSData or NSMutableData.
  package var data: [UInt8]? { node.data ?? self[archiver.data]?.node.data }
}

// MARK: - Plain values under a key

/// The same as asking the object under the key, without creating it: a model archive has 50,000 of them.
extension KeyedArchive.Object {
  /// The index in `$objects` of the object under a key; -1 for a value written inline, `nil` if there is none.
  package func id(under key: KeyedArchive.Key) -> Int? { contents.place(under: key, of: index)?.id }

  /// A plain integer under a key.
  package func integer(_ key: KeyedArchive.Key) -> Int64? {
    guard let place = contents.place(under: key, of: index) else { return nil }
    guard case .integer(let value) = contents.table.objects[place.index].content else { return nil }
    return value
  }

  /// A plain truth value under a key.
  package func boolean(_ key: KeyedArchive.Key) -> Bool? {
    guard let place = contents.place(under: key, of: index) else { return nil }
    guard case .boolean(let value) = contents.table.objects[place.index].content else { return nil }
    return value
  }
}

// MARK: - Collections

extension KeyedArchive.Object {
  /// The members of a plain array, or of an NSArray, NSSet, NSOrderedSet and those derived from them; `nil` if one
  /// of them does not exist.
  ///
  /// Members are the array `NS.objects`, or, as ordered sets are archived, the values `NS.object.0`, `NS.object.1`...
  package var elements: [KeyedArchive.Object]? {
    if let plain = contents.members(of: index) { return members(plain) }
    guard !has(archiver.keys) else { return nil }
    if let objects = members(under: archiver.objects) { return members(objects) }
    guard ["NSArray", "NSSet", "NSOrderedSet"].contains(where: isKind) else { return nil }
    return members(numberedFields("NS.object."))
  }

  /// The pairs of a plain dictionary or of an NSDictionary, in file order; `nil` if keys and values differ in number
  /// or one of them does not exist.
  ///
  /// They are the arrays `NS.keys` and `NS.objects`, or, in the NSKnownKeysDictionary1 of a model cache, the keys of
  /// its mapping (`searchMapping`) and `values`, where keys that are not in use have an `emptyToken`.
  package var entries: [(key: KeyedArchive.Object, value: KeyedArchive.Object)]? {
    if has(archiver.searchMapping) { return knownKeysEntries }
    if let keys = members(under: archiver.keys), let values = members(under: archiver.objects) {
      return pairs(members(keys), values: members(values))
    }
    guard !has(archiver.class), let plain = node.keyNodes else { return nil }
    return pairs(members(plain.map(\.key.index)), values: members(plain.map(\.value.index)))
  }

  /// Seen in the model caches of stores only; not documented.
  private var knownKeysEntries: [(key: KeyedArchive.Object, value: KeyedArchive.Object)]? {
    let all = pairs(self[archiver.searchMapping]?["keys"]?.elements, values: self["values"]?.elements)
    guard let token = self["emptyToken"], token.id > 0 else { return all }
    return all?.filter { $0.value.id != token.id }
  }

  /// The members of a plain array under a key, as indices of the table.
  private func members(under key: KeyedArchive.Key) -> LazyMapSequence<Range<Int>, Int>? {
    contents.value(key, of: index).flatMap(contents.members)
  }

  /// Inside a collection `$null` keeps its place, as object 0.
  private func members(_ indices: some Collection<Int>) -> [KeyedArchive.Object]? {
    var objects: [KeyedArchive.Object] = []
    objects.reserveCapacity(indices.count)
    for index in indices {
      guard let object = contents.resolve(index) ?? (contents.uid(index) == 0 ? contents.object(at: 0) : nil) else {
        return nil
      }
      objects.append(object)
    }
    return objects
  }

  private func pairs(
    _ keys: [KeyedArchive.Object]?, values: [KeyedArchive.Object]?
  ) -> [(key: KeyedArchive.Object, value: KeyedArchive.Object)]? {
    guard let keys, let values, keys.count == values.count else { return nil }
    return zip(keys, values).map { (key: $0, value: $1) }
  }

  private func numberedFields(_ prefix: String) -> [Int] {
    let fields = Dictionary(node.entries ?? []) { first, _ in first }
    return (0..<fields.count).lazy.map { fields[prefix + String($0)]?.index }.prefix { $0 != nil }.compactMap { $0 }
  }
}

extension KeyedArchive.Contents {
  /// The members of a plain array or set, as indices of the table.
  fileprivate func members(of index: Int) -> LazyMapSequence<Range<Int>, Int>? {
    switch table.objects[index].content {
    case .array(let range), .set(let range): range.lazy.map { [table] in Int(table.references[$0]) }
    default: nil
    }
  }
}
