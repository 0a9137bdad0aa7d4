import Foundation

/// A JSON document as a value, read strictly: `true` is not a number, and a number without a fraction is an integer.
package enum JSONTree: Decodable, Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONTree])
  case object([String: JSONTree])

  /// Reads JSON text.
  ///
  /// The decoder, which is stricter, decides whether it is JSON. The values come from the reader that knows their
  /// types: a decoder has to try one type after another, and each failed try is slow, since the testing library records
  /// where it was thrown.
  package init(_ text: String) throws {
    let data = Data(text.utf8)
    _ = try JSONDecoder().decode(AnyDocument.self, from: data)
    self.init(try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed))
  }

  private init(_ value: Any) {
    switch value {
    case let text as String: self = .string(text)
    case let members as [String: Any]: self = .object(members.mapValues(JSONTree.init(_:)))
    case let elements as [Any]: self = .array(elements.map(JSONTree.init(_:)))
    case let number as NSNumber:
      // `objCType` "c", a char, marks a Boolean.
      if String(cString: number.objCType) == "c" {
        self = .bool(number.boolValue)
      } else {
        self = Int64(exactly: number).map(JSONTree.integer) ?? .number(number.doubleValue)
      }
    default: self = .null
    }
  }

  /// Reads one value. It tries the most frequent types first, since a failed try is slow.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([String: JSONTree].self) {
      self = .object(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else {
      self = .array(try container.decode([JSONTree].self))
    }
  }

  /// The member of an object.
  package subscript(name: String) -> JSONTree? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }

  /// The text of a string.
  package var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// A number without fraction.
  package var wholeNumber: Int64? {
    guard case .integer(let number) = self else { return nil }
    return number
  }

  /// The elements of a list.
  package var list: [JSONTree]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }
}

/// Any JSON; nothing of it is kept.
private struct AnyDocument: Decodable {
  init(from decoder: any Decoder) {}
}
