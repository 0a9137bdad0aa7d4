/// Writes keyed archives, object by object, such as the model cache of a store.
///
/// ```swift
/// var builder = KeyedArchiveBuilder()
/// let name = builder.string("Note")
/// let entity = builder.object(["NSEntityDescription", "NSObject"], [("NSEntityName", .reference(name))])
/// let bytes = builder.binary(root: entity)
/// ```
///
/// Objects that refer to one another in a cycle are made with ``reserve()`` and ``fill(_:_:_:)``.
package struct KeyedArchiveBuilder: Sendable {
  /// The index of an object in the archive's `$objects`, which is its UID. It is valid only for this builder.
  package struct ID: Hashable, Sendable {
    let index: Int
  }

  /// The value of an object under a key.
  package enum Field: Sendable {
    /// Another object.
    case reference(ID)
    /// An integer, inline.
    case integer(Int64)
    /// A truth value, inline.
    case boolean(Bool)
    /// A floating-point number, inline.
    case real(Double)
    /// Bytes, inline.
    case data([UInt8])
    /// A string, inline, as the archiver's own keys hold it; strings of objects are stored by reference.
    case string(String)
  }

  /// No object: the string `$null`, which every archive starts with.
  package static let null = ID(index: 0)

  private var objects: [PropertyListValue] = [.string("$null")]
  /// Strings by their UTF-8, since Swift treats "é" and "e" with a combining accent as equal.
  private var strings: [[UInt8]: ID] = [:]
  private var classes: [[String]: ID] = [:]

  /// An archive without objects.
  package init() {}

  private mutating func add(_ value: PropertyListValue) -> ID {
    objects.append(value)
    return ID(index: objects.count - 1)
  }
}

// MARK: - Plain values

extension KeyedArchiveBuilder {
  /// A string; the same string is stored once.
  package mutating func string(_ text: String) -> ID {
    let key = Array(text.utf8)
    if let known = strings[key] { return known }
    let id = add(.string(text))
    strings[key] = id
    return id
  }

  /// An integer as an object of its own.
  package mutating func integer(_ value: Int64) -> ID { add(.integer(value)) }

  /// A floating-point number as an object of its own.
  package mutating func real(_ value: Double) -> ID { add(.real(value)) }

  /// A truth value as an object of its own.
  package mutating func boolean(_ value: Bool) -> ID { add(.boolean(value)) }

  /// Bytes as an object of their own.
  package mutating func data(_ bytes: [UInt8]) -> ID { add(.data(bytes)) }

  /// An NSDate, in seconds since 2001-01-01 00:00 UTC.
  package mutating func date(_ seconds: Double) -> ID {
    object(["NSDate", "NSObject"], fields: [("NS.time", .real(seconds))])
  }
}

// MARK: - Objects

extension KeyedArchiveBuilder {
  /// A place for an object that is referred to before it can be written. Unfilled, it reads as the string `$null`.
  package mutating func reserve() -> ID { add(.string("$null")) }

  /// An object of a class.
  ///
  /// - Parameters:
  ///   - classes: its class and all superclasses, the most derived first.
  ///   - fields: what it stores; of a key given twice the last counts.
  package mutating func object(_ classes: [String], fields: [(String, Field)]) -> ID {
    let id = reserve()
    fill(id, classes: classes, fields: fields)
    return id
  }

  /// Writes an object into its place. An ID that this builder has not given out is ignored.
  package mutating func fill(_ id: ID, classes: [String], fields: [(String, Field)]) {
    fill(id, classes: classes, fields: fields.map { ($0.0, $0.1.value) })
  }

  private mutating func fill(_ id: ID, classes: [String], fields: [(String, PropertyListValue)]) {
    guard objects.indices.contains(id.index) else { return }
    var values = Dictionary(fields) { _, last in last }
    values["$class"] = self.class(classes).uid
    objects[id.index] = .dictionary(values)
  }

  private mutating func `class`(_ hierarchy: [String]) -> ID {
    if let known = classes[hierarchy] { return known }
    let names = hierarchy.map { PropertyListValue.string($0) }
    let id = add(.dictionary(["$classname": names.first ?? .string(""), "$classes": .array(names)]))
    classes[hierarchy] = id
    return id
  }
}

// MARK: - Collections

extension KeyedArchiveBuilder {
  /// An NSArray.
  package mutating func array(_ members: [ID]) -> ID { collection(["NSArray", "NSObject"], members: members) }

  /// An NSMutableArray.
  package mutating func mutableArray(_ members: [ID]) -> ID {
    collection(["NSMutableArray", "NSArray", "NSObject"], members: members)
  }

  /// An NSSet.
  package mutating func set(_ members: [ID]) -> ID { collection(["NSSet", "NSObject"], members: members) }

  /// An NSDictionary of pairs of a key and a value.
  package mutating func dictionary(_ pairs: [(ID, ID)]) -> ID {
    collection(["NSDictionary", "NSObject"], pairs: pairs)
  }

  /// An NSMutableDictionary of pairs of a key and a value.
  package mutating func mutableDictionary(_ pairs: [(ID, ID)]) -> ID {
    collection(["NSMutableDictionary", "NSDictionary", "NSObject"], pairs: pairs)
  }

  private mutating func collection(_ classes: [String], members: [ID]) -> ID {
    let id = reserve()
    fill(id, classes: classes, fields: [("NS.objects", .array(members.map(\.uid)))])
    return id
  }

  private mutating func collection(_ classes: [String], pairs: [(ID, ID)]) -> ID {
    let id = reserve()
    fill(
      id, classes: classes,
      fields: [("NS.keys", .array(pairs.map(\.0.uid))), ("NS.objects", .array(pairs.map(\.1.uid)))])
    return id
  }
}

// MARK: - Writing

extension KeyedArchiveBuilder {
  /// The archive as a binary list.
  package func binary(root: ID) -> [UInt8] { list(root: root).binaryPropertyList() }

  private func list(root: ID) -> PropertyListValue {
    .dictionary([
      "$archiver": .string("NSKeyedArchiver"),
      "$version": .integer(100_000),
      "$top": .dictionary(["root": root.uid]),
      "$objects": .array(objects),
    ])
  }
}

extension KeyedArchiveBuilder.ID {
  fileprivate var uid: PropertyListValue { .uid(UInt64(index)) }
}

extension KeyedArchiveBuilder.Field {
  fileprivate var value: PropertyListValue {
    switch self {
    case .reference(let id): id.uid
    case .integer(let value): .integer(value)
    case .boolean(let value): .boolean(value)
    case .real(let value): .real(value)
    case .data(let bytes): .data(bytes)
    case .string(let text): .string(text)
    }
  }
}
