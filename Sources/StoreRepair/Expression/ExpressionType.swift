import StoreDataModel

/// The type of an expression's value, known before any row is read.
package enum ExpressionType: String, Sendable, CaseIterable {
  /// NULL for every row.
  case null
  /// A 64-bit integer.
  case integer
  /// A 64-bit floating-point number; Decimal and Float are computed as such too.
  case real
  case text
  case boolean
  /// A point in time.
  case date
  case uuid
  case bytes

  /// The type of an attribute's values in expressions; nil for types that expressions cannot read.
  package init?(_ type: AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64: self = .integer
    case .double, .float, .decimal: self = .real
    case .string, .uri: self = .text
    case .boolean: self = .boolean
    case .date: self = .date
    case .uuid: self = .uuid
    case .binary: self = .bytes
    case _: return nil
    }
  }

  /// The type with its article, for messages.
  var words: String {
    switch self {
    case .null: "null"
    case .integer: "an integer"
    case .real: "a number"
    case .text: "a text"
    case .boolean: "true or false"
    case .date: "a date"
    case .uuid: "a UUID"
    case .bytes: "bytes"
    }
  }

  /// Whether arithmetic applies to it.
  var isNumber: Bool { self == .integer || self == .real }

  /// Whether its values can be stored in an attribute of this type; a single one may still be out of range.
  package func fits(_ type: AttributeType) -> Bool {
    switch self {
    case .null: false
    case .integer: [.integer16, .integer32, .integer64, .boolean, .double, .float, .decimal].contains(type)
    case .real: [.double, .float, .decimal].contains(type)
    case .boolean: [.boolean, .integer16, .integer32, .integer64].contains(type)
    case .text: type == .string || type == .uri
    case .date: type == .date
    case .uuid: type == .uuid
    case .bytes: type == .binary
    }
  }

  /// A hint for an expression of this type where another is needed.
  func hint(for type: AttributeType) -> String {
    switch (self, ExpressionType(type)) {
    case (.null, _): "; a value is expected"
    case (.real, .integer?): "; integer(…) cuts off the fraction"
    case (.date, .integer?): "; unix(…) gives whole seconds since 1970"
    case (.date, .real?): "; reference(…) gives seconds since 2001"
    case (.text, .integer?): "; integer(…) reads a text"
    case (.text, .real?): "; number(…) reads a text"
    case (.text, .uuid?): "; uuid(…) reads a text"
    case (.integer, .date?), (.real, .date?): "; date(…, 'unix') makes a date of seconds since 1970"
    case (_, .text?): "; text(…) makes a text of it"
    case (_, _): ""
    }
  }
}
