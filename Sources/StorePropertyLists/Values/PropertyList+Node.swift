extension PropertyList {
  /// One object of a list: a cheap view that copies nothing until asked.
  ///
  /// An accessor of the wrong kind gives `nil`. Walking a hostile list needs a set of the ``index``es already seen,
  /// because containers may be shared or contain themselves.
  package struct Node: Sendable {
    /// The kinds of objects.
    package enum Kind: Sendable {
      /// The binary format's null; XML has none.
      case null
      /// True or false.
      case boolean
      /// A whole number of up to 128 bits.
      case integer
      /// A floating-point number.
      case real
      /// A point in time.
      case date
      /// Bytes.
      case data
      /// Text.
      case string
      /// A keyed archive's reference to another of its objects, in the binary format.
      case uid
      /// An ordered list.
      case array
      /// A set, or an ordered set, in the binary format.
      case set
      /// Values under string keys.
      case dictionary
    }

    let table: ObjectTable
    let format: Format

    /// The object's place in the table: two nodes of a list are the same object when their indices are equal.
    package let index: Int
  }
}

extension PropertyList.Node {
  var content: ObjectTable.Content { table.objects[index].content }

  /// Where the object starts in the input, in bytes.
  package var offset: Int { table.objects[index].offset }

  /// The kind of the object.
  package var kind: Kind {
    switch content {
    case .null: .null
    case .boolean: .boolean
    case .integer, .unsigned, .huge: .integer
    case .real: .real
    case .date: .date
    case .data: .data
    case .utf8, .utf16BigEndian: .string
    case .uid: .uid
    case .array: .array
    case .set: .set
    case .dictionary: .dictionary
    }
  }

  /// The truth value of a boolean.
  package var boolean: Bool? {
    if case .boolean(let value) = content { value } else { nil }
  }

  /// The value of an integer that fits 64 bits with a sign.
  package var integer: Int64? {
    if case .integer(let value) = content { value } else { nil }
  }

  /// The value of an integer that fits 64 bits without a sign.
  package var unsigned: UInt64? {
    switch content {
    case .integer(let value): UInt64(exactly: value)
    case .unsigned(let value): value
    default: nil
    }
  }

  /// The value of a real, or the nearest one to an integer.
  package var real: Double? {
    switch content {
    case .real(let value), .huge(let value): value
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    default: nil
    }
  }

  /// A date in seconds since 2001-01-01 00:00 UTC.
  package var date: Double? {
    if case .date(let value) = content { value } else { nil }
  }

  /// The text of a string. What is not valid (unpaired surrogates, broken UTF-8) becomes U+FFFD.
  package var string: String? { table.string(content) }

  /// A copy of the bytes of data.
  package var data: [UInt8]? {
    if case .data(let range) = content { Array(table.bytes[range]) } else { nil }
  }

  /// The number in a UID, in either spelling: the binary format's own object, or, as in XML, a dictionary with the
  /// single key `CF$UID` and an integer that is not negative.
  package var uid: UInt64? {
    switch content {
    case .uid(let value): value
    case .dictionary(let pair) where pair.count == 2: self["CF$UID"]?.unsigned
    default: nil
    }
  }

  /// The members of an array or a set, in file order.
  package var elements: [PropertyList.Node]? {
    switch content {
    case .array(let range), .set(let range): range.map(child(at:))
    default: nil
    }
  }

  /// The pairs of a dictionary in file order; keys that occur twice are there twice. Keys are always strings, because
  /// reading refuses a dictionary with others.
  package var entries: [(key: String, value: PropertyList.Node)]? {
    keyNodes?.map { (key: $0.key.string ?? "", value: $0.value) }
  }

  /// The value under a key of a dictionary, the first one if there are several. The search is linear and compares
  /// bytes, so that keys Unicode calls equivalent remain different.
  package subscript(key: String) -> PropertyList.Node? {
    guard case .dictionary(let range) = content, let number = table.number(ofKey: key) else { return nil }
    return table.position(ofValueUnder: number, in: range).map(child(at:))
  }

  /// The number of members of a container (pairs of a dictionary); 0 for everything else.
  package var count: Int {
    if case .dictionary(let range) = content { range.count / 2 } else { content.children?.count ?? 0 }
  }
}

extension PropertyList.Node {
  func child(at position: Int) -> PropertyList.Node {
    PropertyList.Node(table: table, format: format, index: Int(table.references[position]))
  }

  var keyNodes: [(key: PropertyList.Node, value: PropertyList.Node)]? {
    guard case .dictionary(let range) = content else { return nil }
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
      (key: child(at: $0), value: child(at: $0 + 1))
    }
  }
}
