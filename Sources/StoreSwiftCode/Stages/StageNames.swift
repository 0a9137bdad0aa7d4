import StoreDiagnosis
import StoreDataModel
import StoreText

/// The names in generated stages.
struct StageNames {
  let advice: StageAdvice

  /// The enum of a version: `Notes2`.
  func schema(_ version: String) -> String { SwiftName.type(from: version) }

  /// A variable for a version: `notes2`.
  func variable(_ version: String) -> String {
    let type = SwiftName.type(from: version).replacing("`", with: "")
    let name = type.prefix(1).lowercased() + type.dropFirst()
    return SwiftName.escaped(name)
  }

  /// The name of a conversion function: `newVOfItem`.
  func conversion(of property: String, _ entity: String) -> String {
    "new\(SwiftName.type(from: SwiftName.capitalized(property)))Of\(SwiftName.type(from: entity))"
      .replacing("`", with: "")
  }

  /// The Swift type of an attribute; nil where it has none of its own.
  func type(_ property: String, of entity: String, in model: Model) -> String? {
    model.property(property, of: entity)?.attribute.flatMap { SwiftDataTypes(model).name(of: $0.type) }
  }

  /// Text for a comment: on one line, without anything that ends the comment.
  static func comment(_ text: String) -> String {
    String(
      text.unicodeScalars.map {
        $0.properties.generalCategory == .control || $0.value == 0x2028 || $0.value == 0x2029 ? " " : Character($0)
      })
  }
}

extension AttributeType {
  /// A value for rows that have none; nil where there is no literal.
  func startingValue(_ type: String) -> String? {
    switch self {
    case .string: "\"\""
    case .integer16, .integer32, .integer64, .decimal, .double, .float: "0"
    case .boolean: "false"
    case .date, .uuid, .binary: "\(type)()"
    case .uri: "\(type)(string: \"about:blank\")!"
    case .undefined, .transformable, .objectID, .composite, .unknown: nil
    }
  }

  /// A value that differs in each row, made from the row's position.
  func ownValue(_ type: String, position: String) -> String? {
    switch self {
    case .string: "\"\\(\(position))\""
    case .integer16, .integer32, .integer64, .double, .float, .decimal: "\(type)(\(position))"
    case .uuid: "\(type)()"
    case .date: "\(type)(timeIntervalSinceReferenceDate: Double(\(position)))"
    case .undefined, .boolean, .binary, .uri, .transformable, .objectID, .composite, .unknown: nil
    }
  }

  /// An expression that converts a value from `old` to `new`, or nil where there is none; `type` is the new type.
  func conversion(to new: AttributeType, type: String) -> String? {
    switch (self, new) {
    case (.string, .integer16), (.string, .integer32), (.string, .integer64), (.string, .double), (.string, .float):
      "\(type)(old)"
    case (.string, .decimal), (.string, .uri): "\(type)(string: old)"
    case (.string, .uuid): "\(type)(uuidString: old)"
    case (.string, .boolean): "[\"1\", \"true\", \"yes\"].contains(old.lowercased())"
    case (.string, .date): "ISO8601DateFormatter().date(from: old)"
    case (.string, .binary): "\(type)(old.utf8)"
    case (.integer16, .string), (.integer32, .string), (.integer64, .string), (.double, .string), (.float, .string),
      (.decimal, .string), (.boolean, .string):
      "\"\\(old)\""
    case (.date, .string): "ISO8601DateFormatter().string(from: old)"
    case (.uuid, .string): "old.uuidString"
    case (.uri, .string): "old.absoluteString"
    case (.binary, .string): "\(type)(data: old, encoding: .utf8)"
    case (.date, .double): "old.timeIntervalSinceReferenceDate"
    case (.double, .date): "\(type)(timeIntervalSinceReferenceDate: old)"
    default: nil
    }
  }
}
