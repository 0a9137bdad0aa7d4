import StoreDiagnosis
import Foundation
import StoreJSON
import StoreSQLite
import TestSupport
import Testing
import StoreYAML

/// `docs/schemas/config.json` accepts and refuses what the program does, and the sample of the page follows it.
@Suite struct ConfigurationSchemaTests {
  @Test func theSampleOfThePageUsesEveryKeyAndFits() throws {
    let page = try String(contentsOfFile: Project.path("docs/configuration.md"), encoding: .utf8)
    let start = try #require(page.range(of: "$ cat .storedoctor.yaml\n")?.upperBound)
    let sample = String(page[start...].prefix(while: { $0 != "`" }))
    let configuration = try Configuration(Array(sample.utf8), path: PosixPath(".storedoctor.yaml"))
    #expect(configuration.severities.count == 2 && configuration.mutes.count == 2 && configuration.models.count == 1)
    let defaults = configuration.defaults
    #expect(defaults.failOn != nil && defaults.examples != nil && defaults.opening != nil && defaults.integrity != nil)
    #expect(defaults.unique != nil && defaults.cloudKit != nil && defaults.entities != nil)
    #expect(try violations(sample) == [])
  }

  @Test(arguments: [
    "version: 2", "skip: []", "severities: {SD401: off}", "skips: [{check: SD401}]", "skips: [{reason: x}]",
    "skips: [{check: SD401, reason: ''}]", "skips: [{check: SD401, reason: x, entity: .a}]",
    "skips: [{check: SD401, reason: x, entity: a.}]", "skips: [{check: SD401, reason: x, table: a}]",
    "models: a", "models: ['']", "defaults: {format: json}", "defaults: {fail-on: all}", "defaults: {examples: -1}",
    "defaults: {integrity: yes}", "defaults: {unique: [Trip]}", "defaults: {unique: ['Trip.a,']}",
    "defaults: {opening: none}", "defaults: {entity: Note}", "[]",
  ])
  func bothRefuse(text: String) throws {
    #expect(throws: ConfigurationError.self) { try Configuration(Array(text.utf8), path: PosixPath("a")) }
    #expect(try violations(text) != [])
  }

  private func violations(_ yaml: String) throws -> [String] {
    let schema = try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/config.json"), encoding: .utf8))
    let document = try #require(try YAMLNode.reading(Array(yaml.utf8)))
    return schema.violations(in: try JSONTree(json(document).text)).map(\.description)
  }

  /// The document as YAML 1.2's core schema reads it, which editors follow.
  private func json(_ node: YAMLNode) -> JSONValue {
    switch node.content {
    case .text("true", isPlain: true): .bool(true)
    case .text("false", isPlain: true): .bool(false)
    case .text(let text, isPlain: true): Int64(text).map(JSONValue.integer) ?? .string(text)
    case .text(let text, isPlain: false): .string(text)
    case .list(let elements): .array(elements.map(json))
    case .map(let members): .object(members.map { ($0.name, json($0.value)) })
    }
  }
}
