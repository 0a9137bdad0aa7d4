import StoreCoreData
import StoreDataModel
import StoreSQLite

/// Where the value of one column of the result comes from, for the objects of one entity.
enum CellSource {
  /// The entity has no such property.
  case absent
  case key
  case entity(String)
  /// A whole number of the row: `Z_OPT`, or the key of a to-one.
  case version(Int)
  case toOne(Int)
  case attribute(Int, Coder)
  case toMany(LinkTable)
  /// What CloudKit knows of the object.
  case mirror(MirroredObjects, MirroredObjects.Part)
  /// The value of what a to-one leads to.
  case path(Int, LoadedColumn)

  /// How the bytes of a column are read.
  enum Coder {
    case integer, boolean, real, decimal, date, text, uri, uuid, stored
    case binary(isExternal: Bool), transformable(isExternal: Bool)

    init(_ attribute: Attribute?) {
      let isExternal = attribute?.allowsExternalStorage == true
      switch attribute?.type {
      case .integer16, .integer32, .integer64: self = .integer
      case .boolean: self = .boolean
      case .double, .float: self = .real
      case .decimal: self = .decimal
      case .date: self = .date
      case .string: self = .text
      case .uri: self = .uri
      case .uuid: self = .uuid
      case .binary: self = .binary(isExternal: isExternal)
      case .transformable: self = .transformable(isExternal: isExternal)
      case .undefined, .objectID, .composite, .unknown, nil: self = .stored
      }
    }

    /// Whether a large value need not be read where only its length is shown.
    var isBinary: Bool { if case .binary = self { true } else { false } }

    var isExternal: Bool {
      switch self {
      case .binary(let isExternal), .transformable(let isExternal): isExternal
      default: false
      }
    }
  }
}

extension CellSource.Coder {
  /// The value of a column by the model's type. A value of another storage class is returned as it is stored, and
  /// `misfits` raised.
  @inline(__always)
  func value(_ stored: ColumnValue, misfits: inout Int64) -> RowValue {
    let kind = stored.kind
    if kind == .null { return .null }
    switch self {
    case .integer:
      if kind == .integer { return .integer(stored.int64) }
    case .boolean:
      if kind == .integer {
        let number = stored.int64
        if number == 0 || number == 1 { return .boolean(number == 1) }
      }
    case .real:
      if kind == .real || kind == .integer { return .real(stored.double) }
    case .decimal:
      // NUMERIC affinity keeps whole numbers as integers.
      if kind == .integer { return .integer(stored.int64) }
      if kind == .real { return .decimal(stored.double) }
    case .date:
      if kind == .real || kind == .integer { return .date(stored.double) }
    case .text:
      if kind == .text { return .text(stored.withBytes { $0 }) }
    case .uri:
      if kind == .text { return .uri(stored.withBytes { $0 }) }
    case .uuid:
      if kind == .blob {
        let bytes = stored.withBytes { $0 }
        if bytes.count == 16 { return .uuid(bytes) }
      }
    case .binary:
      if kind == .blob { return .data(stored.withBytes { $0 }) }
    case .transformable:
      if kind == .blob { return .transformed(stored.withBytes { $0 }) }
    case .stored: return Self.asStored(stored, kind: kind)
    }
    misfits += 1
    return Self.asStored(stored, kind: kind)
  }

  private static func asStored(_ stored: ColumnValue, kind: ValueKind) -> RowValue {
    switch kind {
    case .null: .null
    case .integer: .integer(stored.int64)
    case .real: .real(stored.double)
    case .text: .text(stored.withBytes { $0 })
    case .blob: .data(stored.withBytes { $0 })
    }
  }
}
