import Foundation
import Synchronization

/// A validator for the part of JSON Schema (2020-12) that `docs/schemas` uses. An unknown keyword is an error in the
/// schema, so that no rule is ignored.
package struct JSONSchema: Sendable {
  private let root: JSONTree
  private let patterns: [String: NSRegularExpression]

  /// One rule that a document breaks.
  package struct Violation: Equatable, Sendable, CustomStringConvertible {
    /// Where in the document, as a JSON pointer; empty for the whole of it.
    package var pointer: String
    /// The keyword that is violated, and what it requires.
    package var rule: String

    /// A violation at `pointer`.
    package init(_ pointer: String, _ rule: String) {
      self.pointer = pointer
      self.rule = rule
    }

    /// Place and rule, for the messages of failing tests.
    package var description: String { "\(pointer.isEmpty ? "document" : pointer): \(rule)" }
  }

  /// An error in the schema itself.
  package struct SchemaError: Error, Equatable, CustomStringConvertible {
    /// Where in the schema, and what.
    package var description: String
  }

  /// A schema of `docs/schemas`.
  package init(named name: String) throws {
    try self.init(String(contentsOfFile: Project.path("docs/schemas/\(name).json"), encoding: .utf8))
  }

  /// - Throws: `SchemaError` for a keyword, reference or pattern that this validator does not support.
  package init(_ text: String) throws {
    root = try JSONTree(text)
    var survey = SchemaSurvey(root: root)
    try survey.visit(root, at: "#")
    patterns = survey.patterns
  }

  /// All violations in the document, sorted by pointer.
  package func violations(in document: JSONTree) -> [Violation] {
    check(document, against: root, at: "").sorted { ($0.pointer, $0.rule) < ($1.pointer, $1.rule) }
  }

  private func check(_ value: JSONTree, against schema: JSONTree, at pointer: String) -> [Violation] {
    guard case .object(let keywords) = schema else {
      return schema == .bool(false) ? [Violation(pointer, "nothing is allowed here")] : []
    }
    return keywords.flatMap { keyword, argument in
      switch keyword {
      case "$ref": check(value, against: target(of: argument), at: pointer)
      case "anyOf": checkAny(value, argument.elements, pointer)
      case "properties": checkMembers(value, argument.members, pointer)
      case "additionalProperties": checkOthers(value, argument, keywords["properties"]?.members ?? [:], pointer)
      case "items": checkElements(value, argument, pointer)
      default: broken(keyword, argument, by: value).map { [Violation(pointer, $0)] } ?? []
      }
    }
  }

  private func target(of reference: JSONTree) -> JSONTree {
    root["$defs"]?[definitionName(reference) ?? ""] ?? .bool(false)
  }

  private func checkAny(_ value: JSONTree, _ schemas: [JSONTree], _ pointer: String) -> [Violation] {
    let fits = schemas.contains { check(value, against: $0, at: pointer).isEmpty }
    return fits ? [] : [Violation(pointer, "anyOf: none of \(schemas.count) fits")]
  }

  private func checkMembers(_ value: JSONTree, _ schemas: [String: JSONTree], _ pointer: String) -> [Violation] {
    value.members.flatMap { name, member in
      schemas[name].map { check(member, against: $0, at: "\(pointer)/\(escaped(name))") } ?? []
    }
  }

  private func checkOthers(
    _ value: JSONTree, _ schema: JSONTree, _ known: [String: JSONTree], _ pointer: String
  ) -> [Violation] {
    value.members.filter { known[$0.key] == nil }.flatMap { name, member in
      let place = "\(pointer)/\(escaped(name))"
      return schema == .bool(false)
        ? [Violation(place, "additionalProperties: not expected")] : check(member, against: schema, at: place)
    }
  }

  private func checkElements(_ value: JSONTree, _ schema: JSONTree, _ pointer: String) -> [Violation] {
    value.elements.enumerated().flatMap { check($1, against: schema, at: "\(pointer)/\($0)") }
  }

  /// The rule of a keyword about a single value, if the value violates it.
  private func broken(_ keyword: String, _ argument: JSONTree, by value: JSONTree) -> String? {
    switch (keyword, argument, value) {
    case ("type", .string(let name), _):
      value.has(type: name) ? nil : "type: \(name) expected, \(value.typeName) found"
    case ("type", .array(let names), _):
      names.contains { value.has(type: $0.string ?? "") }
        ? nil : "type: one of \(names.count) expected, \(value.typeName) found"
    case ("minItems", _, .array(let elements)):
      Double(elements.count) >= (argument.double ?? 0) ? nil : "minItems: \(elements.count)"
    case ("maxItems", _, .array(let elements)):
      Double(elements.count) <= (argument.double ?? 0) ? nil : "maxItems: \(elements.count)"
    case ("minProperties", _, .object(let members)):
      Double(members.count) >= (argument.double ?? 0) ? nil : "minProperties: \(members.count)"
    case ("maxProperties", _, .object(let members)):
      Double(members.count) <= (argument.double ?? 0) ? nil : "maxProperties: \(members.count)"
    case ("const", _, _): value == argument ? nil : "const: another value"
    case ("enum", .array(let allowed), _): allowed.contains(value) ? nil : "enum: none of the \(allowed.count) values"
    case ("minimum", _, _):
      (value.double ?? .infinity) >= (argument.double ?? 0) ? nil : "minimum: below \(argument.double ?? 0)"
    case ("required", .array(let names), .object(let members)):
      names.compactMap(\.string).filter { members[$0] == nil }.sorted().first.map { "required: no '\($0)'" }
    case ("pattern", .string(let pattern), .string(let text)):
      patterns[pattern]?.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) == nil
        ? "pattern: \(pattern)" : nil
    default: nil
    }
  }
}

/// Checks a schema before it is used.
private struct SchemaSurvey {
  let root: JSONTree
  var patterns: [String: NSRegularExpression] = [:]

  private static let annotations: Set<String> = ["$schema", "$id", "title", "description"]
  private static let values: Set<String> = [
    "const", "enum", "minimum", "required", "minItems", "maxItems", "minProperties", "maxProperties",
  ]
  private static let types: Set<String> = ["null", "boolean", "integer", "number", "string", "array", "object"]

  mutating func visit(_ schema: JSONTree, at place: String) throws {
    guard case .object(let keywords) = schema else {
      if case .bool = schema { return }
      throw JSONSchema.SchemaError(description: "\(place): not a schema")
    }
    for (keyword, argument) in keywords { try visit(keyword, argument, at: "\(place)/\(keyword)") }
  }

  private mutating func visit(_ keyword: String, _ argument: JSONTree, at place: String) throws {
    switch keyword {
    case "properties", "$defs":
      for (name, schema) in argument.members { try visit(schema, at: "\(place)/\(name)") }
    case "anyOf":
      for (position, schema) in argument.elements.enumerated() { try visit(schema, at: "\(place)/\(position)") }
    case "additionalProperties", "items": try visit(argument, at: place)
    case "$ref":
      guard let name = definitionName(argument), root["$defs"]?[name] != nil else {
        throw JSONSchema.SchemaError(description: "\(place): no such definition")
      }
    case "pattern":
      guard let pattern = argument.string, let expression = try? NSRegularExpression(pattern: pattern) else {
        throw JSONSchema.SchemaError(description: "\(place): not a pattern")
      }
      patterns[pattern] = expression
    case "type":
      let names = argument.string.map { [$0] } ?? argument.elements.compactMap(\.string)
      guard !names.isEmpty, names.allSatisfy(Self.types.contains) else {
        throw JSONSchema.SchemaError(description: "\(place): no such type")
      }
    default:
      guard Self.annotations.contains(keyword) || Self.values.contains(keyword) else {
        throw JSONSchema.SchemaError(description: "\(place): a keyword the validator does not know")
      }
    }
  }
}

/// The name in a reference to `#/$defs/NAME`.
private func definitionName(_ reference: JSONTree) -> String? {
  guard let text = reference.string, text.hasPrefix("#/$defs/") else { return nil }
  return String(text.dropFirst("#/$defs/".count))
}

/// A member's name as a JSON pointer spells it (RFC 6901).
private func escaped(_ name: String) -> String {
  name.replacingOccurrences(of: "~", with: "~0").replacingOccurrences(of: "/", with: "~1")
}

extension JSONTree {
  fileprivate var members: [String: JSONTree] {
    guard case .object(let members) = self else { return [:] }
    return members
  }

  fileprivate var elements: [JSONTree] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  fileprivate var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  fileprivate var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  fileprivate func has(type name: String) -> Bool {
    typeName == name || (name == "number" && typeName == "integer")
  }
}

extension JSONSchema {
  /// The schema of a kind of document: `docs/schemas/KIND.json`, read once.
  package static func of(_ kind: String) throws -> JSONSchema {
    if let known = read.withLock({ $0[kind] }) { return known }
    let schema = try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/\(kind).json"), encoding: .utf8))
    read.withLock { $0[kind] = schema }
    return schema
  }

  private static let read = Mutex<[String: JSONSchema]>([:])
}
