import Foundation
import TestSupport
import Testing

/// `rehearse --test-skeleton`: the stores open, and the tests compile.
@Suite struct RehearseSkeletonTests {
  private static let notes = Project.path("examples/what-a-migration-loses/Notes.xcdatamodeld")
  private static let trips = Project.path("examples/rehearse-a-migration/Sources/Models")

  /// A folder in which `Tests` was written.
  private func written(
    _ style: String, _ model: String, _ options: [String] = [], status: Int32 = 0
  ) throws -> (folder: TemporaryFolder, swift: String, output: String) {
    let folder = try TemporaryFolder()
    let outcome = try Program.run(["rehearse", "--test-skeleton", style, folder("Tests"), "--model", model] + options)
    #expect(outcome.status == status, "\(outcome.output)\(outcome.errors)")
    return (folder, try String(contentsOfFile: folder("Tests/MigrationTests.swift"), encoding: .utf8), outcome.output)
  }

  private func opens(_ store: String, _ model: String) throws -> Bool {
    try Program.run(["diagnose", store, "--model", model]).output.hasPrefix("opens")
  }

  @Test func storesOfEveryOtherVersionAreWritten() throws {
    let (folder, swift, output) = try written("swift-testing", Self.notes, ["--allow-assumed"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder("Tests/Fixtures")).sorted() == [
        "Notes 2.sqlite", "Notes.sqlite",
      ])
    for version in ["Notes", "Notes 2"] {
      #expect(try opens(folder("Tests/Fixtures/\(version).sqlite"), "\(Self.notes)#\(version)"))
    }
    #expect(output.inOneLine.contains("tests of 2 of 2 versions"))
    let version = try Program.run(["--version"]).output.dropLast()
    for words in [
      "Made by storedoctor \(version) from \(Self.notes)", "never run where this was made",
      "@Test(\"from Notes 2\")", "func fromNotes2() throws {", "forResource: \"Notes\", withExtension: \"momd\"",
    ] {
      #expect(swift.contains(words), "\(words)")
    }
  }

  /// An object of the first version has what the last one keeps, gives by default, and links.
  @Test func expectationsAreThoseOfTheMigratedStore() throws {
    let (folder, swift, _) = try written("xctest", Self.notes, ["--allow-assumed"])
    let (store, migrated) = (folder("Tests/Fixtures/Notes 2.sqlite"), folder("Migrated.sqlite"))
    let arguments = ["migrate", store, "--model", Self.notes, "--allow-assumed", "--output", migrated]
    #expect(try Program.run(arguments).status == 0)
    let select = """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      one = lambda text: database.execute(text).fetchone()[0]
      print(one("select count(*) from ZTAG"), one("select ZCOLOR from ZTAG where Z_PK = 1"), one("select ZNAME from ZTAG where Z_PK = 1"), sep="|", end="")
      """
    let facts = String(decoding: try Python.run(select, [migrated]), as: UTF8.self).split(separator: "|").map(
      String.init)
    let test = try #require(swift.range(of: "func testFromNotes2() throws {")).lowerBound
    let body = swift[test...].prefix(20_000)
    #expect(body.contains("XCTAssertEqual(try store.count(\"Tag\"), \(facts[0]))"))
    #expect(body.contains("[\"color\"] as? Int64, \(facts[1]))"))
    #expect(body.contains("[\"name\"] as? String, \"\(facts[2])\")"))
    #expect(body.contains(".links(\"notes\"), ["))
  }

  @Test func whatIsNotMigratedIsDisabledWithItsReason() throws {
    let model = try TemporaryFolder()
    let notes = try ShippedNotes.withWiderNumbers(in: model)
    let (_, swift, output) = try written("swift-testing", notes, status: 1)
    #expect(swift.contains(".disabled(\"parts of it are assumed, and --allow-assumed writes the test"))
    #expect(output.contains("Not tested"))
    let (_, other, _) = try written("xctest", notes, status: 1)
    #expect(other.contains("throw XCTSkip(\"parts of it are assumed"))
  }

  /// The app's code can run on the device, but what it should give is not known here.
  @Test func aCustomStageIsDisabled() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: Self.trips, toPath: folder("Models"))
    let plan = try String(contentsOfFile: folder("Models/TripsPlan.swift"), encoding: .utf8).replacing(
      ".lightweight(fromVersion: TripsV1.self, toVersion: TripsV2.self)",
      with: ".custom(fromVersion: TripsV1.self, toVersion: TripsV2.self, willMigrate: nil, didMigrate: { _ in })")
    try plan.write(toFile: folder("Models/TripsPlan.swift"), atomically: true, encoding: .utf8)
    let (_, swift, output) = try written("swift-testing", folder("Models"), status: 1)
    #expect(swift.contains("@Test(\"from TripsV1\", .disabled(\"TripsV1 to TripsV2 is a custom stage"))
    #expect(output.inOneLine.contains("tests of 1 of 2 versions"))
  }

  @Test func opensWithThePlanOfTheSource() throws {
    let (folder, swift, _) = try written("swift-testing", Self.trips)
    for version in ["TripsV1", "TripsV2"] {
      #expect(try opens(folder("Tests/Fixtures/\(version).store"), "\(Self.trips)#\(version)"))
    }
    for words in [
      "Schema(versionedSchema: TripsV3.self)", "migrationPlan: TripsPlan.self", "try store.count(Trip.self)",
      "first(objects2.map { $0.isArchived }) == [\"false\", \"false\", \"false\"]",
    ] {
      #expect(swift.contains(words), "\(words)")
    }
  }

  @Test(
    .enabled(if: SwiftCompiler.isPresent, "skipped: no swiftc"), arguments: ["swift-testing", "xctest"])
  func typeChecks(_ style: String) throws {
    let coreData = try written(style, Self.notes, ["--allow-assumed"]).swift
    #expect(try MigrationStandIns.complaints(aboutCoreData: coreData) == "")
    let swiftData = try written(style, Self.trips).swift
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.trips).map {
      try String(contentsOfFile: "\(Self.trips)/\($0)", encoding: .utf8)
    }
    #expect(try MigrationStandIns.complaints(aboutSwiftData: [swiftData] + files) == "")
    // The check itself can fail: the compiler finds that the classes are missing.
    #expect(try MigrationStandIns.complaints(aboutSwiftData: [swiftData]) != "")
  }

  @Test func aFailureInTheMiddleLeavesNoFolder() throws {
    let folder = try TemporaryFolder()
    let recipe = "version: 1\nwillMigrate: {backfill: [{entity: Nothing, attribute: a, value: b}]}\n"
    try folder.write(Array(recipe.utf8), to: "stage.yaml")
    let outcome = try Program.run([
      "rehearse", "--test-skeleton", "xctest", folder("Tests"), "--model", Self.trips, "--perform",
      "TripsV1>TripsV3=\(folder("stage.yaml"))",
    ])
    #expect(outcome.status == 2 && outcome.errors.contains("no entity 'Nothing'"), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder("Tests")))
  }

  @Test func saysWhatIsMissing() throws {
    let folder = try TemporaryFolder()
    for (arguments, status, words): ([String], Int32, String) in [
      ([folder("New")], 64, "--model MODEL"), (["--model", Self.notes], 64, "the new folder"),
      ([folder("New"), "--model", Self.notes, "--format", "json"], 64, "--format"),
      ([folder("New"), "--model", Self.notes + "#Notes 2"], 2, "no version that differs"),
      ([folder.path, "--model", Self.notes], 2, "it exists"),
    ] {
      let outcome = try Program.run(["rehearse", "--test-skeleton", "xctest"] + arguments)
      #expect(outcome.status == status && outcome.errors.contains(words), "\(outcome.errors)")
    }
  }
}

extension String {
  /// Without its line breaks: where they are depends on how long the folder's path is.
  fileprivate var inOneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
