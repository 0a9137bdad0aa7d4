import StoreSQLite

/// Where the values of one record lie: header first, then all values in order.
///
///     header length | type | type | ... | value | value | ...
///
/// One of these is used for many records, so that reading a row allocates nothing.
/// https://www.sqlite.org/fileformat2.html#record_format
package struct Record: Sendable {
  /// The values, in order.
  package private(set) var fields: [Field] = []
  /// The bytes of the header.
  package private(set) var headerSize = 0
  /// The bytes of header and values, as the header tells.
  package private(set) var size = 0

  /// One value.
  package struct Field: Equatable, Sendable {
    /// Its type.
    package let type: SerialType
    /// Its offset from the start of the record.
    package fileprivate(set) var offset: Int
  }

  /// The most columns that SQLite can be built to allow, "32767".
  package static let maximumColumns = 32_767

  /// As many columns as there is room for at once.
  private static let usualCount = 64

  /// An empty record.
  package init() {}

  /// The number of values.
  package var count: Int { fields.count }

  /// Reads the header at `start`; false where the bytes are no header. The values may reach beyond `bytes`.
  package mutating func read(_ bytes: UnsafeRawBufferPointer, at start: Int = 0) -> Bool {
    guard let header = RecordHeader(bytes, at: start) else { return false }
    fields.removeAll(keepingCapacity: true)
    headerSize = header.end - start
    size = headerSize
    // Growing by and by takes memory several times.
    if fields.capacity == 0 { fields.reserveCapacity(min(header.end - header.first, Self.usualCount)) }
    return header.forEachType(bytes) { fields.count < Self.maximumColumns && append($0) }
  }

  /// Reads `count` types from `first` on, as they follow a header whose length is lost, after `lost` given ones; where
  /// they end, nil where the bytes are no types. Offsets then count from `first`.
  package mutating func readTypes(
    _ bytes: UnsafeRawBufferPointer, from first: Int, count: Int, after lost: SerialType? = nil
  ) -> Int? {
    fields.removeAll(keepingCapacity: true)
    size = 0
    if fields.capacity == 0 { fields.reserveCapacity(min(count + 1, Self.usualCount)) }
    if let lost, !append(lost) { return nil }
    var position = first
    for _ in 0..<count {
      guard let type = Varint(bytes, at: position), append(SerialType(type.value)) else { return nil }
      position += type.length
    }
    headerSize = position - first
    for index in fields.indices { fields[index].offset += headerSize }
    size += headerSize
    return position
  }

  private mutating func append(_ type: SerialType) -> Bool {
    guard let length = type.size else { return false }
    let (sum, overflow) = size.addingReportingOverflow(length)
    guard !overflow, sum <= Int(Int32.max) else { return false }
    fields.append(Field(type: type, offset: size))
    size = sum
    return true
  }

  /// The value in `column` of the record that starts at `start`, text in UTF-8; nil where the record has no such column or
  /// the bytes end before the value does.
  package func value(
    _ column: Int, in bytes: UnsafeRawBufferPointer, at start: Int = 0, encoding: DatabaseHeader.TextEncoding
  ) -> SQLiteValue? {
    guard fields.indices.contains(column) else { return nil }
    return fields[column].type.value(in: bytes, at: start + fields[column].offset, encoding: encoding)
  }

  /// The bytes of the text or blob in `column`, text in the database's encoding; nil for values of other kinds, and where
  /// `bytes` end before.
  package func bytes(_ column: Int, in bytes: UnsafeRawBufferPointer, at start: Int = 0) -> UnsafeRawBufferPointer? {
    guard fields.indices.contains(column), fields[column].type.isTextOrBlob else { return nil }
    return fields[column].type.content(in: bytes, at: start + fields[column].offset)
  }

  /// The integer in `column`; nil for values of other kinds.
  package func integer(_ column: Int, in bytes: UnsafeRawBufferPointer, at start: Int = 0) -> Int64? {
    guard fields.indices.contains(column) else { return nil }
    return fields[column].type.integer(in: bytes, at: start + fields[column].offset)
  }
}
