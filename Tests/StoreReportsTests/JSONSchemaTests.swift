import TestSupport
import Testing

/// The validator itself: for every keyword, a document that fits and one that does not.
@Suite struct JSONSchemaTests {
  @Test(arguments: [
    (#"{"type": "string"}"#, #""a""#, "1", "document: type: string expected, integer found"),
    (#"{"type": "integer"}"#, "1", "1.5", "document: type: integer expected, number found"),
    (#"{"type": "integer"}"#, "0", "true", "document: type: integer expected, boolean found"),
    (#"{"type": "number"}"#, "1", "null", "document: type: number expected, null found"),
    (#"{"type": "boolean"}"#, "false", "0", "document: type: boolean expected, integer found"),
    (#"{"type": "array"}"#, "[]", "{}", "document: type: array expected, object found"),
    (#"{"type": "object"}"#, "{}", "[]", "document: type: object expected, array found"),
    (#"{"type": "null"}"#, "null", "\"\"", "document: type: null expected, string found"),
    (#"{"type": ["null", "string"]}"#, "null", "1", "document: type: one of 2 expected, integer found"),
    (#"{"minItems": 1}"#, "[1]", "[]", "document: minItems: 0"),
    (#"{"maxItems": 1}"#, "[1]", "[1, 2]", "document: maxItems: 2"),
    (#"{"minProperties": 1}"#, #"{"a": 1}"#, "{}", "document: minProperties: 0"),
    (#"{"maxProperties": 1}"#, #"{"a": 1}"#, #"{"a": 1, "b": 2}"#, "document: maxProperties: 2"),
    (#"{"const": true}"#, "true", "1", "document: const: another value"),
    (#"{"enum": ["yes", 2]}"#, "2", #""no""#, "document: enum: none of the 2 values"),
    (#"{"minimum": 0}"#, "0", "-1", "document: minimum: below 0.0"),
    (#"{"pattern": "^[0-9a-f]{4}$"}"#, #""00ff""#, #""00FF""#, "document: pattern: ^[0-9a-f]{4}$"),
    (#"{"required": ["a"]}"#, #"{"a": 1}"#, #"{"b": 1}"#, "document: required: no 'a'"),
    (#"{"properties": {"a": {"type": "null"}}}"#, #"{"b": 1}"#, #"{"a": 1}"#, "/a: type: null expected, integer found"),
    (
      #"{"properties": {"a": true}, "additionalProperties": false}"#, #"{"a": 1}"#, #"{"a": 1, "b/c": 2}"#,
      "/b~1c: additionalProperties: not expected"
    ),
    (#"{"additionalProperties": {"const": 1}}"#, #"{"a": 1}"#, #"{"a": 2}"#, "/a: const: another value"),
    (#"{"items": {"const": 1}}"#, "[1, 1]", "[1, 2]", "/1: const: another value"),
    (
      ##"{"$ref": "#/$defs/one", "$defs": {"one": {"const": 1}}}"##, "1", "2", "document: const: another value"
    ),
    (#"{"anyOf": [{"const": 1}, {"const": 2}]}"#, "2", "3", "document: anyOf: none of 2 fits"),
    (#"{"items": false}"#, "[]", "[1]", "/0: nothing is allowed here"),
  ])
  func everyKeywordCanFail(schema: String, good: String, bad: String, violation: String) throws {
    let schema = try JSONSchema(schema)
    #expect(try schema.violations(in: JSONTree(good)).isEmpty)
    #expect(try schema.violations(in: JSONTree(bad)).map(\.description) == [violation])
  }

  @Test func reportsEveryViolationDeepInTheDocument() throws {
    let schema = try JSONSchema(
      ##"""
      {
        "properties": {"list": {"items": {"$ref": "#/$defs/item"}}},
        "$defs": {"item": {"required": ["name"], "properties": {"name": {"type": "string"}}}}
      }
      """##)
    let document = try JSONTree(#"{"list": [{"name": "a"}, {}, {"name": 3}]}"#)
    #expect(
      schema.violations(in: document) == [
        .init("/list/1", "required: no 'name'"), .init("/list/2/name", "type: string expected, integer found"),
      ])
  }

  @Test(arguments: [
    #"{"maxLength": 3}"#, #"{"properties": {"a": {"oneOf": []}}}"#, ##"{"$ref": "#/$defs/none"}"##,
    #"{"type": "text"}"#, #"{"pattern": "("}"#, #"{"items": 3}"#,
  ])
  func refusesASchemaItCannotFollow(schema: String) {
    #expect(throws: JSONSchema.SchemaError.self) { try JSONSchema(schema) }
  }
}
