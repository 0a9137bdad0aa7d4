import StoreGenerator
import TestSupport
import Testing

/// A date becomes a number, by a bridge version that has both.
@Suite struct TypeChangeStoryTests {
  static let old = ["Foo: date Date?; name String?"]
  static let bridge = ["Foo: date Date?; dateInt I64?; name String?"]
  /// `date` under its own name again, renamed from the bridge's `dateInt`.
  static let new = ["Foo: date I64? was(dateInt); name String?"]
  static let newName = ["Foo: dateInt I64?; name String?"]

  private func foos(_ story: Story, _ name: String, _ version: [String]) throws -> String {
    try story.store(name, version) { store in
      for date in [.date(0), .date(86_400.5), .null, .date(-978_307_200)] as [StoredValue] {
        try store.insert("Foo", ["date": date, "name": "n"])
      }
    }
  }

  @Test(arguments: [new, newName]) func theValuesAreCarriedOver(_ version: [String]) throws {
    let story = try Story()
    let (bridge, next) = (try story.model("Bridge", Self.bridge), try story.model("V2", version))
    let old = try foos(story, "V1.sqlite", Self.old)
    #expect(try story.diagnose(old, bridge).line == "migrates: automatic migration to 'Bridge' succeeds")

    let bridged = try foos(story, "Bridge.sqlite", Self.bridge)
    let options = ["--backfill-expression", "Foo.dateInt=unix(date)"]
    let outcome = try story.repair(bridged, options)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.errors == "")
    let repaired = story.folder("Repaired.sqlite")
    #expect(
      try story.rows(repaired, "SELECT ZDATEINT, typeof(ZDATEINT) FROM ZFOO ORDER BY Z_PK") == [
        "978307200 integer", "978393600 integer", "- null", "0 integer",
      ])
    #expect(try Program.run(["repair", repaired] + options).output.hasPrefix("nothing"))
    // What was carried over goes with the old attribute; that the new one has it is not the migration's doing.
    #expect(
      try story.diagnose(repaired, next).line
        == "migrates, losing Foo.date in 3 rows: automatic migration to 'V2' succeeds")
  }

  @Test func directlyItNeedsAStage() throws {
    let story = try Story()
    let old = try foos(story, "V1.sqlite", Self.old)
    for version in [["Foo: date I64?; name String?"], Self.new] {
      let answer = try story.diagnose(old, try story.model("V2", version))
      #expect(answer.line == "needs-custom-stage: automatic migration to 'V2' fails with 134140")
      #expect(answer.recipe == nil)
    }
  }
}
