import StoreJSON
import StorePropertyLists
import StoreText

/// The content of a binary or transformable value, as far as it can be read without the app's own classes.
package enum ArchivedValue {
  /// A keyed archive: the class of its root, and the content as JSON.
  case archive(className: String?, content: JSONValue)
  /// A property list that is no archive.
  case propertyList(JSONValue)
  /// JSON text, as SwiftData keeps Codable values.
  case json(JSONValue)

  /// The most bytes that are looked into.
  package static let largest = 16 << 20

  /// Nil where it is none of these.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count <= Self.largest else { return nil }
    if bytes.starts(with: "bplist00".utf8) {
      guard let list = try? PropertyList([UInt8](bytes)) else { return nil }
      if let archive = try? KeyedArchive(list) {
        var reader = ArchiveReader()
        let content = reader.json(archive.root)
        self = .archive(className: archive.root.className, content: content)
      } else if let top = try? KeyedArchive.top(of: list) {
        var reader = ArchiveReader()
        let members = top.map { ($0.key, reader.json($0.value)) }
        self = .archive(className: nil, content: .object(Dictionary(members) { first, _ in first }))
      } else {
        guard let value = try? list.root.value() else { return nil }
        self = .propertyList(PlainValue.json(value))
      }
      return
    }
    guard bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "["),
      let value = try? JSONValue([UInt8](bytes))
    else { return nil }
    self = .json(value)
  }
}

extension ArchivedValue {
  /// The content as text: the plain text of an attributed string, JSON for everything else.
  package var text: String {
    switch self {
    case .archive(let name, .object(let members)):
      if case .string(let text)? = members["text"], name?.hasSuffix("AttributedString") == true { return text }
      return String(JSONValue.object(members).lineText.dropLast())
    case .archive(_, let content), .propertyList(let content), .json(let content):
      return String(content.lineText.dropLast())
    }
  }
}

/// An archive's objects as JSON: texts, numbers, dates, lists and dictionaries plainly, other objects by their keys with
/// `$class`. An object that contains itself is `{"$ref": id}` there.
private struct ArchiveReader {
  private var open: Set<Int> = []
  private var left = 20_000

  mutating func json(_ object: KeyedArchive.Object, depth: Int = 0) -> JSONValue {
    left -= 1
    guard left > 0, depth < 32 else { return .object(["$left out": .string("more than is shown here")]) }
    if object.id == 0 { return .null }
    if let plain = plain(object) { return plain }
    if object.id >= 0, !open.insert(object.id).inserted { return .object(["$ref": .integer(Int64(object.id))]) }
    defer { open.remove(object.id) }
    if object.isKind(of: "NSAttributedString") {
      return .object([
        "$class": .string(object.className ?? "NSAttributedString"),
        "text": .string(object["NSString"]?.string ?? ""),
      ])
    }
    if let entries = object.entries { return dictionary(entries, depth: depth) }
    if let elements = object.elements { return .array(elements.map { json($0, depth: depth + 1) }) }
    var members: [String: JSONValue] = [:]
    if let name = object.className { members["$class"] = .string(name) }
    for key in object.keys { members[key] = object[key].map { json($0, depth: depth + 1) } ?? .null }
    return .object(members)
  }

  private func plain(_ object: KeyedArchive.Object) -> JSONValue? {
    if let text = object.string { return .string(text) }
    if let flag = object.boolean { return .bool(flag) }
    if let number = object.integer { return .integer(number) }
    if let number = object.real { return PlainValue.number(number) }
    if let date = object.date { return .string(dateText(date)) }
    if object.isKind(of: "NSUUID"), let bytes = object["NS.uuidbytes"]?.data, bytes.count == 16 {
      return .string(UUIDText.text(bytes))
    }
    if object.isKind(of: "NSURL"), object["NS.base"] == nil, let text = object["NS.relative"]?.string {
      return .string(text)
    }
    if object.isKind(of: "NSNull") { return .null }
    if let data = object.data { return PlainValue.data(data) }
    return nil
  }

  private mutating func dictionary(
    _ entries: [(key: KeyedArchive.Object, value: KeyedArchive.Object)], depth: Int
  ) -> JSONValue {
    var members: [String: JSONValue] = [:]
    for (key, value) in entries {
      guard let name = key.string, members[name] == nil else {
        return .array(entries.map { .array([json($0.key, depth: depth + 1), json($0.value, depth: depth + 1)]) })
      }
      members[name] = json(value, depth: depth + 1)
    }
    return .object(members)
  }
}

/// Values of property lists as JSON.
private enum PlainValue {
  static func json(_ value: PropertyListValue) -> JSONValue {
    switch value {
    case .boolean(let flag): .bool(flag)
    case .integer(let number): .integer(number)
    case .real(let number): Self.number(number)
    case .string(let text): .string(text)
    case .date(let seconds): .string(dateText(seconds))
    case .data(let bytes): data(bytes)
    case .uid(let number): .object(["$uid": .integer(Int64(clamping: number))])
    case .null: .null
    case .unsigned(let number): .string(String(number))
    case .array(let elements), .set(let elements): .array(elements.map(json))
    case .dictionary(let members): .object(members.mapValues(json))
    }
  }

  static func number(_ number: Double) -> JSONValue {
    number.isFinite ? .number(number) : .string(number.description)
  }

  static func data(_ bytes: [UInt8]) -> JSONValue {
    .object(["base64": .string(base64(bytes)), "length": .integer(Int64(bytes.count))])
  }
}

/// A date as in a row's value.
package func dateText(_ seconds: Double) -> String {
  text { if try !$0.append(date: seconds) { try $0.append("\(seconds) seconds since 2001") } }
}

private func text(_ write: (OutputBytes) throws -> Void) -> String {
  var text = ""
  let output = OutputBytes(capacity: 128) { text += String(decoding: $0, as: UTF8.self) }
  // Nothing that is written here can fail.
  try? write(output)
  try? output.flush()
  return text
}
