import StoreCoreData
import StoreRows
import StoreSQLite
import StoreText
import StoreWords

/// One object of a store as its app sees it: a copy, which may be kept.
public struct StoredObject: Sendable, Equatable {
  /// `Z_PK`.
  public let key: Int64
  /// The name of its entity, which may be a subentity of the one that was asked for.
  public let entity: String
  /// Attributes and relationships by name, in the order of the columns; those that its entity does not have are left out.
  public let values: [Property]

  /// One attribute or relationship.
  public struct Property: Sendable, Equatable {
    /// Its name; a path for what a relationship leads to, "folder.name".
    public let name: String
    /// Its value.
    public let value: StoredValue
  }

  /// The value of an attribute or relationship; nil where its entity has none of that name.
  public subscript(_ name: String) -> StoredValue? { values.first { $0.name == name }?.value }
}

/// One value by the model's type.
public enum StoredValue: Sendable, Equatable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  /// A decimal number as the store keeps it, which is a floating-point number.
  case decimal(Double)
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  case text(String)
  /// A text that is not valid UTF-8, by its bytes.
  case invalidText([UInt8])
  case uri(String)
  /// "00070E15-1C23-2A31-383F-464D545B6269".
  case uuid(String)
  /// Bytes; of a transformable attribute what its transformer wrote, a keyed archive as a rule.
  case data([UInt8])
  /// The number of bytes of a binary value, where `readsBinary` of the query is false.
  case dataLength(Int64)
  /// The key of the object that a to-one relationship leads to.
  case key(Int64)
  /// The keys of the objects that a to-many relationship leads to, in their order.
  case keys([Int64])
  /// The name of an external file that does not exist or cannot be read.
  case missingFile(String)
  /// The name under which the query's `externalValues` kept a value.
  case file(String)
}

/// Calls `body` for each object that a query asks for, in its order. The store is only read.
///
/// - Returns: what the result leaves out or shows otherwise than the model says, a sentence each.
/// - Throws: `StoreError` if the file cannot be read as a store, `UnknownEntity`, `RowQueryError` for a column or condition
///   that does not fit, and what `body` throws.
@discardableResult
public func forEachObject(
  path: String, _ query: RowQuery, _ body: (StoredObject) throws -> Void
) throws -> [String] {
  let store = try Store(StoreLocator.locate(PosixPath(path)))
  let rows = try Rows(query, of: store)
  let columns = rows.columns
  try rows.forEach { row in
    var entity = rows.entity.name
    var values: [StoredObject.Property] = []
    for (index, column) in columns.enumerated() {
      let value = row.value(index)
      // Key and entity stand in the object itself.
      if case .entity(let name) = value { entity = name }
      guard column.name != RowColumn.key.name, let copy = StoredValue(value) else { continue }
      values.append(StoredObject.Property(name: column.name, value: copy))
    }
    try body(StoredObject(key: row.key, entity: entity, values: values))
  }
  try store.checkUnchanged()
  return rows.remarks
}

extension StoredValue {
  /// A copy; nil for what the object does not have, and for its entity.
  fileprivate init?(_ value: RowValue) {
    switch value {
    case .absent, .entity: return nil
    case .null: self = .null
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .decimal(let number): self = .decimal(number)
    case .date(let seconds): self = .date(seconds)
    case .text(let bytes): self = String(validating: bytes, as: UTF8.self).map(Self.text) ?? .invalidText(Array(bytes))
    case .uri(let bytes): self = String(validating: bytes, as: UTF8.self).map(Self.uri) ?? .invalidText(Array(bytes))
    case .uuid(let bytes): self = .uuid(UUIDText.text(bytes))
    case .data(let bytes), .transformed(let bytes): self = .data(Array(bytes))
    case .dataLength(let length): self = .dataLength(length)
    case .written(let file, _): self = .file(file)
    case .missingFile(let name): self = .missingFile(String(decoding: name, as: UTF8.self))
    case .key(let key): self = .key(key)
    case .keys(let keys): self = .keys(Array(keys))
    }
  }
}
