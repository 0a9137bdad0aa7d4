import Foundation
import TestSupport
import Testing

/// `storedoctor explain` of what compilers, apps and guides say about SwiftData source.
@Suite struct ExplainSourceTests {
  /// The cause is in the source, so that no store is asked for.
  @Test(arguments: [
    ("Circular reference resolving attached macro 'Relationship'", "SD963"),
    ("@Model requires an initializer be provided for 'Memo'", "SD981"),
    ("Fatal error: Expected only Arrays for Relationships - Set<Tag>", "SD964"),
  ]) func whatIsInTheSourceLeadsToIt(text: String, check: String) throws {
    let outcome = try Program.run(["explain", text])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.output.hasSuffix("\nNext\n  storedoctor lint Sources/\n  storedoctor explain \(check)\n"),
      "\(outcome.output)")
    #expect(try Program.run(["explain", check]).status == 0)
  }

  /// A name or a line of an app, without the error that it hides.
  @Test(arguments: ["loadIssueModelContainer", "Failed to create container"])
  func whatHidesAnErrorLeadsToTheStore(text: String) throws {
    let outcome = try Program.run(["explain", text])
    #expect(outcome.status == 0 && outcome.output.contains("storedoctor diagnose STORE"), "\(outcome.output)")
  }

  @Test(arguments: [
    ("a fresh install runs all migrations", "A fresh install runs no migration"),
    ("the simulator deletes the database on rebuild", "The simulator keeps an app's database"),
    ("-com.apple.CoreData.SQLDebug", "SwiftData's own store is one of Core Data's"),
    ("-com.apple.SwiftData.SQLDebug", "Nothing is measured"), ("prefetching", "nothing is measured here"),
  ]) func whatGuidesClaimIsAnswered(text: String, answer: String) throws {
    let outcome = try Program.run(["explain", "--", text], environment: ["COLUMNS": "500"])
    #expect(outcome.status == 0 && outcome.output.contains(answer), "\(outcome.output) \(outcome.errors)")
  }
}
