import Foundation
import TestSupport
import Testing

/// What a command line that starts wrongly gets: a guess, the usage of the command in question, exit status 64.
struct FirstWordsTests {
  @Test(arguments: [
    (["inspct"], "there is no command 'inspct', and no file or folder of that name; did you mean 'inspect'?"),
    (["help", "diagnos"], "there is no command 'diagnos'; did you mean 'diagnose'?"),
    (["help", "model", "hsh"], "'model' has no command 'hsh'; did you mean 'hash'?"),
    (["model", "hsh"], "'model' has no command 'hsh'; did you mean 'hash'?"),
    (["no/such.sqlite"], "there is no command 'no/such.sqlite', and no file or folder of that name"),
    (["a\u{1B}[2J"], "there is no command 'a\\u{1b}[2J', and no file or folder of that name"),
  ])
  func aWordThatIsNoCommand(arguments: [String], message: String) throws {
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.split(separator: "\n").first == "Error: \(message)")
  }

  @Test func commandsAreNamedWhereNoneIsSimilar() throws {
    let errors = try Program.run(["xyzzy"]).errors
    #expect(errors.contains(/\nCommands: look, inspect, [a-z, ]+, custody\nUsage: storedoctor <command>\n/))
    for command in ["rows", "diagnose", "repair", "schema"] { #expect(errors.contains(" \(command), ")) }
  }

  @Test func aPathIsLookedAt() throws {
    let path = Project.path("corpus/Notes.sqlite")
    let short = try Program.run([path, "--quiet"])
    #expect(short.status == 0)
    #expect(short.output == (try Program.run(["look", path, "--quiet"]).output))
    // A folder with many stores names them.
    #expect(try Program.run([Project.path("corpus")]).output.hasPrefix("10 stores: 10 with nothing found\n"))
  }

  @Test(arguments: [
    (["diagnose", Project.path("corpus/Notes.sqlite"), "--check", "SD999"], "diagnose"),
    (["lint", Project.path("corpus/Trips"), "--skip", "SD101"], "lint"),
    (["repair", Project.path("corpus/Notes.sqlite"), "--keep", "newest"], "repair"),
    (["repair", Project.path("corpus/Notes.sqlite")], "repair"),
    (["diagnose", Project.path("corpus/Notes.sqlite"), "--stages", "light:1,2"], "diagnose"),
    (["diagnose", "--colour", "never"], "diagnose"),
    (["model", "diff", Project.path("corpus/Notes.sqlite")], "model diff"),
  ])
  func aMistakeShowsTheUsageOfItsCommand(arguments: [String], command: String) throws {
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("\nUsage: storedoctor \(command) "))
    #expect(outcome.errors.hasSuffix("  See 'storedoctor \(command) --help' for more information.\n"))
  }

  @Test func keepNamesTheFormAndTheDates() throws {
    let outcome = try Program.run([
      "repair", Project.path("corpus/Notes.sqlite"), "--dedupe", "Note.title", "--keep", "newest",
    ])
    #expect(outcome.errors.contains("write newest:createdAt; dates of 'Note' are createdAt"))
  }

  @Test(arguments: ["diagnose", "audit"]) func reportsAreReplacedOnlyWhenAsked(command: String) throws {
    let folder = try TemporaryFolder()
    let report = folder.path + "/report"
    let store = Project.path("corpus/Notes.sqlite")
    #expect(try Program.run([command, store, "--report", report]).status == 0)
    #expect(try Program.run([command, store, "--report", report]).errors.contains("it exists; --force replaces it"))
    try folder.write(Array("old".utf8), to: "report")
    #expect(try Program.run([command, store, "--report", report, "--force"]).status == 0)
    #expect(try String(contentsOfFile: report, encoding: .utf8).contains("Notes.sqlite"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["report"])
    // Never a database, a side file, or a file that was read.
    let model = folder.path + "/model.json"
    #expect(try Program.run(["model", "convert", store, "--to", "json", "--output", model]).status == 0)
    #expect(try Program.run([command, store, "--model", model, "--report", model, "--force"]).status == 2)
    let copy = folder.path + "/Copy.sqlite"
    #expect(try Program.launch(["cp", store, copy]).status == 0)
    for path in [copy, copy + "-wal", copy + "-journal"] {
      let outcome = try Program.run([command, store, "--report", path, "--force"])
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("cannot write"))
    }
    #expect(try Program.run([command, store, "--force"]).status == 64)
  }
}
