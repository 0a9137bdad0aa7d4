import TestSupport
import Testing

/// What somebody types who knows other programs, and what is said to it.
struct UsageHintTests {
  private static let store = Project.path("corpus/Notes.sqlite")
  private static let model = Project.path("corpus/Notes.xcdatamodeld")

  @Test(arguments: [
    (["diagnose", store, model], "Unexpected argument '\(model)'; a model is given with --model \(model)"),
    (["audit", store, "--json"], "Unknown option '--json'; that is --format json"),
    (["inspect", store, model], "Unexpected argument '\(model)'; a model is given with --store-model \(model)"),
    (["inspect", store, "more"], "Unexpected argument 'more'"),
    (["diagnose", store, "--json"], "Unknown option '--json'; that is --format json"),
    (["rows", store, "--csv"], "Unknown option '--csv'; that is --format csv"),
    (
      ["diagnose", store, "--html"],
      "Unknown option '--html'; --format takes text, json, jsonl, sarif, junit, markdown"
    ),
    (["model", "diff", store, store, "--json"], "Unknown option '--json'; that is --format json"),
  ])
  func theFirstLineSaysWhatWasProbablyMeant(arguments: [String], message: String) throws {
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.split(separator: "\n").first == "Error: \(message)")
  }

  @Test func aModelBeforeItsStoreIsSaid() throws {
    let outcome = try Program.run(["model", "match", Self.model, Self.store])
    #expect(outcome.status == 2)
    #expect(
      outcome.errors
        == "storedoctor: '\(Self.model)' is a model, and the store comes first: storedoctor model match \(Self.store) "
        + "\(Self.model)\n")
  }

  @Test(arguments: [("%ote%", true), ("*ote%", false), ("*ote*", false)])
  func wildcardsOfSQLAreNoted(pattern: String, isNoted: Bool) throws {
    let outcome = try Program.run(["rows", Self.store, "Note", "--where", "NOT (title LIKE '\(pattern)')"])
    #expect(outcome.status == 0)
    let note =
      "storedoctor: LIKE has the wildcards * and ?, and % stands for itself; LIKE '*text*' looks for a text anywhere"
    #expect(outcome.errors.split(separator: "\n").contains { $0 == note } == isNoted)
  }

  /// Everywhere as wrong usage.
  @Test(arguments: [
    ["migrate", store, "--model", model, "--to-version", "Nope", "--output", "/nowhere/New.sqlite"],
    ["rehearse", store, "--model", model, "--to-version", "Nope"],
    ["repair", store, "--safe", "--model", model, "--to-version", "Nope"],
    ["audit", store, "--model", model, "--expect-version", "Nope"],
    ["diagnose", store, "--model", model, "--stages", "light:Nope,Notes"],
    ["diagnose", store, "--model", model, "--plan-order", "Nope,Notes"],
  ])
  func aVersionThatIsNotThereIsWrongUsage(arguments: [String]) throws {
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("no version 'Nope'"), "\(outcome.errors)")
  }
}
