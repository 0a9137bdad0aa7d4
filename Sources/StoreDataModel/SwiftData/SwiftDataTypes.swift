import StoreText

/// Swift types of attributes; a type is written with its module if an entity has the same name.
package struct SwiftDataTypes {
  private let taken: Set<String>

  package init(_ model: Model) { self.init(model, besides: []) }

  /// - Parameter names: further names in use, besides those of the model's classes.
  init(_ model: Model, besides names: Set<String>) { taken = names.union(model.entities.map(\.name)) }

  /// The type of raw values.
  func raw(_ name: String) -> String { taken.contains(name) ? "Swift.\(name)" : name }

  /// The Swift type of an attribute; nil if no type gives this attribute type in SwiftData.
  package func name(of type: AttributeType) -> String? {
    guard let (module, name) = Self.types[type] else { return nil }
    return taken.contains(name) ? "\(module).\(name)" : name
  }

  /// `[UUID]` for a transformable attribute of the class `Array<UUID>`, as SwiftData stores a list of values; nil for other
  /// attributes.
  func list(of attribute: Attribute) -> String? {
    guard attribute.type == .transformable, (attribute.valueTransformerName ?? Self.archive) == Self.archive,
      let name = attribute.valueClassName, name.hasPrefix("Array<"), name.hasSuffix(">")
    else { return nil }
    let element = String(name.dropFirst("Array<".count).dropLast())
    guard let found = Self.types.first(where: { $0.value.name == element }) else { return nil }
    return self.name(of: found.key).map { "[\($0)]" }
  }

  /// `[UUID]` for a list of values of a Swift type.
  func list(ofElements name: String) -> String {
    let module = Self.types.values.first { $0.name == name }?.module ?? "Swift"
    return "[\(taken.contains(name) ? "\(module).\(name)" : name)]"
  }

  /// An initial value like `Date.now`, with the type's module where a class has the same name.
  func qualified(_ value: String, for type: AttributeType) -> String {
    guard let (module, name) = Self.types[type], taken.contains(name),
      value.hasPrefix(name + ".") || value.hasPrefix(name + "(")
    else { return value }
    return "\(module).\(value)"
  }

  private static let archive = "NSSecureUnarchiveFromData"

  /// The name of the struct for a composite: `Place` for `place`. It must not hide another type, so `data` gives
  /// `DataValue`.
  func structureName(for property: String) -> String {
    let name = SwiftName.capitalized(property)
    let isTaken = taken.contains(name) || Self.types.values.contains { $0.name == name }
    return isTaken ? name + "Value" : SwiftName.escaped(name)
  }

  /// The Swift type that SwiftData stores as each attribute type.
  private static let types: [AttributeType: (module: String, name: String)] = [
    .integer16: ("Swift", "Int16"), .integer32: ("Swift", "Int32"), .integer64: ("Swift", "Int"),
    .decimal: ("Foundation", "Decimal"), .double: ("Swift", "Double"), .float: ("Swift", "Float"),
    .string: ("Swift", "String"), .boolean: ("Swift", "Bool"), .date: ("Foundation", "Date"),
    .binary: ("Foundation", "Data"), .uuid: ("Foundation", "UUID"), .uri: ("Foundation", "URL"),
  ]

  /// A literal for an initial value; nil if Swift has none.
  package func literal(_ value: DefaultValue, for type: AttributeType) -> String? {
    let name = name(of: type) ?? ""
    switch (value, type) {
    case (.boolean(let value), .boolean): return String(value)
    case (.integer(let value), .boolean) where value == 0 || value == 1: return value == 1 ? "true" : "false"
    case (.integer(let value), .integer16), (.integer(let value), .integer32), (.integer(let value), .integer64):
      return fits(value, in: type) ? String(value) : nil
    case (.integer(let value), .double), (.integer(let value), .float), (.integer(let value), .decimal):
      return String(value)
    case (.real(let value), .double), (.real(let value), .float): return value.isFinite ? String(value) : nil
    case (.string(let text), .string): return Self.literal(text)
    case (.date(let seconds), .date):
      return seconds.isFinite ? "\(name)(timeIntervalSinceReferenceDate: \(seconds))" : nil
    case (.decimal(let digits), .decimal):
      return Double(digits)?.isFinite == true ? "\(name)(string: \(Self.literal(digits)))!" : nil
    case (.uri(let text), .uri): return "\(name)(string: \(Self.literal(text)))!"
    case (.uuid(let bytes), .uuid):
      return bytes.count == 16 ? "\(name)(uuidString: \(Self.literal(UUIDText.text(bytes))))!" : nil
    default: return nil
    }
  }

  private func fits(_ value: Int64, in type: AttributeType) -> Bool {
    switch type {
    case .integer16: Int16(exactly: value) != nil
    case .integer32: Int32(exactly: value) != nil
    case .undefined, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binary, .uuid, .uri,
      .transformable, .objectID, .composite, .unknown:
      true
    }
  }

  /// A string literal. Unusual characters are escaped, so that nothing in a model can become code.
  package static func literal(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      default:
        scalar.properties.isAlphabetic || (" "..."~").contains(scalar)
          ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return "\"\(escaped.joined())\""
  }
}
