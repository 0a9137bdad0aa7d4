import StoreDataModel
import StoreSQLite
import StoreGenerator
import TestSupport
import Testing

/// A store that is taken from version to version, with the commands of a user.
struct Story {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Creates a store for a version of a model in short notation.
  func store(_ name: String, _ version: [String], _ fill: (StoreWriter) throws -> Void) throws -> String {
    let description = StoreDescription(model: try ModelNotation.model(version), framework: 1526, usesWAL: false)
    let store = try StoreWriter(creating: folder(name), description)
    try fill(store)
    try store.finish()
    return folder(name)
  }

  /// Writes a model file for `--model`.
  func model(_ name: String, _ version: [String]) throws -> String {
    let document = try ModelDocument(versions: [.init(name: name, model: try ModelNotation.model(version))])
    return try folder.write(Array(document.json().text.utf8), to: "\(name).json")
  }

  /// What `diagnose` says about a store and the next version.
  struct Answer {
    /// The first line, without the remark on what it rests on.
    var line: String
    var verdict: String
    var code: Int64?
    /// The recipe in the text output, as a user would copy it.
    var printedRecipe: String?
    /// `models[].recipe`.
    var recipe: String?
    var text: String
  }

  func diagnose(_ store: String, _ model: String) throws -> Answer {
    let text = try Program.run(["diagnose", store, "--model", model])
    #expect(text.errors == "")
    let json = try JSONTree(try Program.run(["diagnose", store, "--model", model, "--format", "json"]).output)
    let verdict = try #require(json["models"]?.list?.first)
    return Answer(
      line: text.output.prefix { $0 != "\n" }.description.replacing(" (assumed)", with: ""),
      verdict: json["verdict"]?.string ?? "",
      code: verdict["opening"]?["automatic"]?["code"]?.wholeNumber, printedRecipe: printedRecipe(text.output),
      recipe: verdict["recipe"]?.string, text: text.output)
  }

  private func printedRecipe(_ text: String) -> String? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let heading = lines.firstIndex(where: { $0.hasPrefix("Recipe for 'storedoctor repair --recipe'") }) else {
      return nil
    }
    return lines[(heading + 1)...].prefix { $0.hasPrefix("  ") }.map { $0.dropFirst(2) + "\n" }.joined()
  }

  /// Repairs the store into another file of the folder.
  func repair(
    _ store: String, _ options: [String] = [], recipe: String? = nil, to output: String = "Repaired.sqlite"
  ) throws -> Program.Outcome {
    var arguments = ["repair", store] + options + ["--output", folder(output)]
    if let recipe { arguments += ["--recipe", try folder.write(Array(recipe.utf8), to: "recipe.yaml")] }
    return try Program.run(arguments)
  }

  /// The rows of a query, one row a text, with blanks between its values.
  func rows(_ store: String, _ sql: String) throws -> [String] {
    let connection = try Connection(writing: store, create: false)
    defer { connection.close() }
    let statement = try connection.prepare(sql)
    var rows: [String] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map { text(statement.value($0)) }.joined(separator: " "))
    }
    return rows
  }

  private func text(_ value: SQLiteValue) -> String {
    switch value {
    case .null: "-"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let bytes): String(decoding: bytes, as: UTF8.self)
    case .blob(let bytes): "\(bytes.count) bytes"
    }
  }
}
