import StoreRepair
import Foundation
import StoreJSON
import TestSupport
import Testing
import StoreYAML

/// `docs/schemas/recipe.json` accepts and refuses what the program does, and the recipes in plans follow it.
@Suite struct RecipeSchemaTests {
  @Test(arguments: [
    "dedupe: [{entity: Trip, by: [name, size.width], compare: trimmed, nulls: equal, keep: {newest: a}, others: delete}]",
    "dedupe: [{entity: Trip, by: [name], keep: most-complete, others: {rename: '{name} ({n})'}}, {entity: A, by: [b], keep: {oldest: c}}]",
    "backfill: [{entity: A, attribute: b, value: 1}, {entity: A, attribute: b, value: true, from: c.d, group: [e]}]",
    "backfill: [{entity: A, attribute: b, value: ''}, {entity: A, attribute: b, value: 1.5}]",
    "backfill: [{entity: A, attribute: b, expression: \"coalesce(a, 'x')\", generate: default}]",
    "relink: [{entity: A, relationship: b, match: {c: d, e: f}, compare: normalized}, {entity: A, relationship: b, from: inverse}]",
    "relink: [{entity: A, relationship: b, match: {c: d}, separator: ','}]",
    "dangling: nullify-optional\nwrongEntity: nullify\ninverses: [{entity: A, relationship: b, from: other}]",
    "junctions: [{from: A.bs, entity: C, source: a, destination: b}]",
    "restore: [{from: ../Old.sqlite@3}, {from: a, entity: A, keys: [1, 3], related: true}]",
    "merge: [{from: a.sqlite}, {from: b, by: {A: [x, y.z]}, newest: {A: d}, keep: new}]",
    "structure: [reindex, join-orphans, self-link-mirrors, companions, order-keys, high-water, unique-indexes, entity-names, external-files, metadata]",
    "{}",
  ])
  func whatFitsIsReadAndComesBack(text: String) throws {
    let text = text == "{}" ? "version: 1" : "version: 1\n\(text)"
    let recipe = try Recipe(reading: Array(text.utf8))
    #expect(try violations(text) == [])
    #expect(try Recipe(json: recipe.json) == recipe)
    #expect(try Recipe(json: try JSONValue(Array(recipe.json.text.utf8))) == recipe)
    #expect(try schema().violations(in: try JSONTree(recipe.json.text)).map(\.description) == [])
    #expect(try Recipe(json: recipe.json).json == recipe.json)
  }

  @Test(arguments: [
    "dedupe: []", "version: 2", "version: 1\nfoo: 1", "version: 1\ndedupe: {}", "version: 1\ndedupe: [{entity: A}]",
    "version: 1\ndedupe: [{entity: A, by: []}]", "version: 1\ndedupe: [{entity: A, by: [a..b]}]",
    "version: 1\ndedupe: [{entity: A, by: [a], keep: newest}]",
    "version: 1\ndedupe: [{entity: A, by: [a], others: {rename: x}}]",
    "version: 1\nbackfill: [{entity: A, attribute: b}]",
    "version: 1\nbackfill: [{entity: A, attribute: b, value: [1]}]",
    "version: 1\nbackfill: [{entity: A, attribute: b, generate: guid}]",
    "version: 1\nbackfill: [{entity: A, attribute: b, value: null}]",
    "version: 1\nrelink: [{entity: A, relationship: b}]",
    "version: 1\nrelink: [{entity: A, relationship: b, match: {}}]",
    "version: 1\nrelink: [{entity: A, relationship: b, match: {a: b}, from: inverse}]",
    "version: 1\nrelink: [{entity: A, relationship: b, from: inverse, separator: ','}]", "version: 1\ndangling: drop",
    "version: 1\nwrongEntity: drop", "version: 1\ninverses: [{entity: A, relationship: b}]",
    "version: 1\njunctions: [{from: A.bs, entity: C, source: a}]",
    "version: 1\njunctions: [{from: A.bs, entity: C, source: a, destination: b, grade: c}]",
    "version: 1\nstructure: reindex", "[]",
  ])
  func bothRefuse(text: String) throws {
    #expect(throws: RecipeMistakes.self) { try Recipe(reading: Array(text.utf8)) }
    #expect(try violations(text) != [])
  }

  @Test func whatIsNoRecipeInJSONIsRefused() throws {
    var deep = JSONValue.null
    for _ in 0..<1_000 { deep = .array([deep]) }
    for json in [
      JSONValue.null, .array([]), .object(["version": .string("1")]),
      .object(["version": .integer(1), "dedupe": deep]),
    ] {
      let error = try #require(throws: RecipeMistakes.self) { try Recipe(json: json) }
      #expect(error.mistakes.allSatisfy { $0.line == nil })
    }
  }

  private func schema() throws -> JSONSchema {
    try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/recipe.json"), encoding: .utf8))
  }

  private func violations(_ yaml: String) throws -> [String] {
    let document = try #require(try YAMLNode.reading(Array(yaml.utf8)))
    return try schema().violations(in: try JSONTree(json(document).text)).map(\.description)
  }

  /// The document as YAML 1.2's core schema reads it, which editors follow.
  private func json(_ node: YAMLNode) -> JSONValue {
    switch node.content {
    case .text("true", isPlain: true): .bool(true)
    case .text("false", isPlain: true): .bool(false)
    case .text("null", isPlain: true), .text("", isPlain: true): .null
    case .text(let text, isPlain: true):
      Int64(text).map(JSONValue.integer) ?? Double(text).map(JSONValue.number) ?? .string(text)
    case .text(let text, isPlain: false): .string(text)
    case .list(let elements): .array(elements.map(json))
    case .map(let members): .object(members.map { ($0.name, json($0.value)) })
    }
  }
}
