import Foundation
import TestSupport
import Testing

/// The arguments of each command can be told apart. swift-argument-parser checks that at every start of a debug build, but not of one
/// with `scripts/test-compiler`, where it would take most of the time of tests.
struct CommandDeclarationTests {
  private struct Tool: Decodable {
    let command: Command
  }

  private struct Command: Decodable {
    let commandName: String
    let arguments: [Argument]?
    let subcommands: [Command]?

    var all: [Command] { [self] + (subcommands ?? []).flatMap(\.all) }

    var faults: [String] {
      let arguments = arguments ?? []
      let names = arguments.flatMap { $0.names ?? [] }
      let twice = Set(names.filter { name in names.count { $0 == name } > 1 }).map { "\($0.name) stands for two" }
      let places = arguments.filter { $0.kind == "positional" }
      let repeating = places.dropLast().filter(\.isRepeating).map { "\($0.title) leaves nothing for those behind it" }
      let required = zip(places, places.dropFirst()).filter { $0.isOptional && !$1.isOptional }
        .map { "\($1.title) is behind one that may be missing" }
      let always = arguments.filter { $0.kind == "flag" && $0.defaultValue == "true" && $0.names?.count == 1 }
        .map { "\($0.title) cannot be false" }
      return (twice.sorted() + repeating + required + always).map { "\(commandName): \($0)" }
    }
  }

  private struct Argument: Decodable {
    let kind: String
    let isOptional: Bool
    let isRepeating: Bool
    let valueName: String?
    let defaultValue: String?
    let names: [Name]?

    var title: String { valueName ?? names?.first?.name ?? kind }
  }

  private struct Name: Decodable, Hashable {
    let kind: String
    let name: String
  }

  private static func commands(_ json: String) throws -> [Command] {
    try JSONDecoder().decode(Tool.self, from: Data(json.utf8)).command.all
  }

  @Test(arguments: ["storedoctor", "storedoctor-swiftdata"]) func noCommandHasFaults(program: String) throws {
    let path = (Program.path as NSString).deletingLastPathComponent + "/" + program
    let commands = try Self.commands(Program.launch([path, "--experimental-dump-help"]).output)
    #expect(commands.count > (program == "storedoctor" ? 30 : 0))
    #expect(commands.contains { ($0.arguments?.count ?? 0) > 3 })
    #expect(commands.flatMap(\.faults) == [])
  }

  @Test func faultsAreFound() throws {
    let made = """
      {"command": {"commandName": "a", "arguments": [
        {"kind": "positional", "isOptional": true, "isRepeating": true, "valueName": "files"},
        {"kind": "positional", "isOptional": false, "isRepeating": false, "valueName": "store"},
        {"kind": "option", "isOptional": true, "isRepeating": false, "names": [{"kind": "long", "name": "model"}]},
        {"kind": "flag", "isOptional": true, "isRepeating": false, "defaultValue": "true",
          "names": [{"kind": "long", "name": "model"}]}
      ]}}
      """
    #expect(
      try Self.commands(made).flatMap(\.faults) == [
        "a: model stands for two", "a: files leaves nothing for those behind it",
        "a: store is behind one that may be missing", "a: model cannot be false",
      ])
  }
}
