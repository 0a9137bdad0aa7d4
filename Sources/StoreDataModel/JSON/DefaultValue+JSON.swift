import StoreDigests
import StoreJSON

/// A value is an object with one member, whose name is the type: `{"integer": 7}`, `{"date": -978307200}`.
extension DefaultValue {
  private static let names: Set<String> = [
    "boolean", "integer", "real", "string", "date", "data", "decimal", "uuid", "uri", "class", "unreadable",
  ]

  var json: JSONValue {
    switch self {
    case .boolean(let value): .object(["boolean": .bool(value)])
    case .integer(let value): .object(["integer": .integer(value)])
    case .real(let value): .object(["real": .real(value)])
    case .string(let text): .object(["string": .string(text)])
    case .date(let seconds): .object(["date": .real(seconds)])
    case .data(let bytes): .object(["data": .string(hexadecimal(bytes))])
    case .decimal(let digits): .object(["decimal": .string(digits)])
    case .uuid(let bytes): .object(["uuid": .string(hexadecimal(bytes))])
    case .uri(let text): .object(["uri": .string(text)])
    case .object(let className): .object(["class": .string(className)])
    case .unreadable(let text): .object(["unreadable": .string(text)])
    }
  }

  init(_ place: JSONPlace) throws(JSONError) {
    let (name, member) = try place.choice(Self.names)
    switch name {
    case "boolean": self = .boolean(try member.bool())
    case "integer": self = .integer(try member.integer())
    case "real": self = .real(try member.real())
    case "string": self = .string(try member.string())
    case "date": self = .date(try member.real())
    case "unreadable": self = .unreadable(try member.string())
    case "data": self = .data(try member.bytes())
    case "decimal": self = .decimal(try member.string())
    case "uuid": self = .uuid(try member.bytes())
    case "uri": self = .uri(try member.string())
    case _: self = .object(className: try member.string())
    }
  }
}

extension Expression.Constant {
  private static let names: Set<String> = ["nil", "boolean", "integer", "real", "string", "date", "list", "class"]

  var json: JSONValue {
    switch self {
    case .null: .object(["nil": .bool(true)])
    case .boolean(let value): .object(["boolean": .bool(value)])
    case .integer(let value): .object(["integer": .integer(value)])
    case .real(let value): .object(["real": .real(value)])
    case .string(let text): .object(["string": .string(text)])
    case .date(let seconds): .object(["date": .real(seconds)])
    case .list(let values): .object(["list": .array(values.map(\.json))])
    case .object(let className): .object(["class": .string(className)])
    }
  }

  init(_ place: JSONPlace) throws(JSONError) {
    let (name, member) = try place.choice(Self.names)
    switch name {
    case "nil":
      guard try member.bool() else { throw member.error("'true' is expected") }
      self = .null
    case "boolean": self = .boolean(try member.bool())
    case "integer": self = .integer(try member.integer())
    case "real": self = .real(try member.real())
    case "string": self = .string(try member.string())
    case "date": self = .date(try member.real())
    case "list":
      var values: [Self] = []
      for place in try member.elements() { values.append(try Self(place)) }
      self = .list(values)
    case _: self = .object(className: try member.string())
    }
  }
}

extension JSONValue {
  /// A number, or a word for values that JSON has no number for: "nan", "inf", "-inf".
  fileprivate static func real(_ value: Double) -> JSONValue {
    if value.isFinite { return .number(value) }
    if value.isNaN { return .string("nan") }
    return .string(value < 0 ? "-inf" : "inf")
  }
}

extension JSONPlace {
  fileprivate func real() throws(JSONError) -> Double {
    guard case .string(let word) = value else { return try number() }
    switch word {
    case "nan": return .nan
    case "inf": return .infinity
    case "-inf": return -.infinity
    case _: throw error("a number, 'nan', 'inf' or '-inf' is expected")
    }
  }

  /// Bytes written as hex digits, two per byte.
  fileprivate func bytes() throws(JSONError) -> [UInt8] {
    let digits = try string().utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { throw error("hex digits, two a byte") }
    let values = digits.compactMap(\.self)
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
