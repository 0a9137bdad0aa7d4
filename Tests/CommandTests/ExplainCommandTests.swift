import Foundation
import TestSupport
import Testing

/// `storedoctor explain`, run as a user runs it.
@Suite struct ExplainCommandTests {
  @Test func answersALogFromAPipeWithWhatToDoFirst() throws {
    let outcome = try Program.launch([
      "sh", "-c", "echo 'Cannot use staged migration with an unknown model version.' | \"$0\" explain --log -",
      Program.path,
    ])
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("Do not relaunch the app. Copy the files first.\n"))
    #expect(outcome.output.contains("\nNext\n  storedoctor diagnose STORE --model MODEL --opening staged\n"))
  }

  /// Whether the log is about SwiftData or Core Data decides what the next commands take as the model.
  @Test(arguments: [
    (
      "SwiftData: Duplicate version checksums across stages detected.",
      "diagnose STORE --model Sources/\n  storedoctor lint Sources/ --store STORE\n  storedoctor explain SD807\n"
    ),
    (
      "Duplicate version checksums across stages detected.",
      "diagnose STORE --model MODEL --opening staged\n  storedoctor explain SD807\n"
    ),
    (
      "Could not create ModelContainer: Code=134130",
      "diagnose STORE --model Sources/\n  storedoctor model match STORE Sources/\n  storedoctor lint Sources/"
        + " --store STORE\n  storedoctor explain SD801\n"
    ),
    ("Could not create ModelContainer: no such table: ZTAG", "diagnose STORE\n  storedoctor explain SD301\n"),
    (
      "An error occurred during persistent store migration.",
      "diagnose STORE --model MODEL\n  storedoctor explain SD806\n"
    ),
  ]) func whatComesNextIsOfTheAppsFramework(_ words: String, _ next: String) throws {
    let folder = try TemporaryFolder()
    let log = try folder.write(Array("NSCocoaErrorDomain \(words)".utf8), to: "crash.txt")
    #expect(try Program.run(["explain", "--log", log]).output.hasSuffix("\nNext\n  storedoctor \(next)"))
  }

  /// The sentence of Xcode's project template is shown only if the log has nothing more exact.
  @Test(arguments: [
    ("Code=134504", "storedoctor explain SD808", false), ("SwiftData", "storedoctor explain SD801", true),
    ("no such table: ZTAG", "storedoctor explain SD301", false),
  ]) func whatWrapsAnErrorComesLast(_ error: String, _ next: String, _ isShown: Bool) throws {
    let folder = try TemporaryFolder()
    let log = try folder.write(Array("NSCocoaErrorDomain \(error): loadIssueModelContainer".utf8), to: "crash.txt")
    let outcome = try Program.run(["explain", "--log", log])
    #expect(outcome.output.hasSuffix("  \(next)\n"))
    #expect(outcome.output.contains("SwiftData hides the code") == isShown)
  }

  /// People often have the message and not its code.
  @Test(arguments: [
    ("An error occurred during persistent store migration.", "134110 NSMigrationError"),
    ("Persistent store migration failed, missing mapping model.", "134140 NSMigrationMissingMappingModelError"),
    ("Duplicate version checksums detected.", "Two versions of the plan are the same model"),
    ("Thread 1: Duplicate version checksums across stages detected.", "Two versions of the plan are the same model"),
    ("Fatal error: Expected only Arrays for Relationships - Set<Tag>", "SwiftData takes an array only"),
  ]) func aTextIsExplainedWithoutALog(_ text: String, _ words: String) throws {
    let outcome = try Program.run(["explain", text])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains(words), "\(outcome.output)")
  }

  @Test func looksIntoTheStore() throws {
    let folder = try TemporaryFolder()
    let log = try folder.write(Array("Error 134110 entity=Note, attribute=title".utf8), to: "crash.txt")
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let outcome = try Program.run(["explain", "--log", log, "--store", store])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("  - Note.title: 0 of 18 rows have NULL in ZTITLE\n"))
  }

  @Test(arguments: [
    (["134110"], 0), (["SD401", "dangling-reference", "sqlite:11", "NSMigrationError"], 0), (["--list"], 0),
    (["an unknown sentence"], 2), (["134999"], 2), (["--log", "/no/such/log"], 2), ([], 64),
    (["134110", "--store", "Notes.sqlite"], 64),
    (["134110", "--format", "sarif"], 64),
  ]) func theExitStatusSaysWhetherItCouldAnswer(_ arguments: [String], _ status: Int) throws {
    #expect(try Program.run(["explain"] + arguments).status == Int32(status))
  }

  @Test func escapesWhatIsInTheLog() throws {
    let folder = try TemporaryFolder()
    let log = try folder.write(Array("entity=No\u{202E}te, attribute=a\u{9B}31m".utf8), to: "crash.txt")
    let outcome = try Program.run(["explain", "--log", log])
    #expect(outcome.output.contains("What the log names"))
    #expect(!outcome.output.unicodeScalars.contains { $0.value == 0x202E || $0.value == 0x9B })
  }
}
