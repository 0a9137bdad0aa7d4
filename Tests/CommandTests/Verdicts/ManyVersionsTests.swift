import Foundation
import StoreDataModel
import StoreGenerator
import TestSupport
import Testing

/// A bundle of many versions: what stops it and what to do first stand at the top, and the rest is folded.
@Suite struct ManyVersionsTests {
  private let folder: TemporaryFolder
  private let bundle: String
  private let store: String

  /// 117 versions; each has one attribute more, and the 60th one that is required and has no default.
  init() throws {
    folder = try TemporaryFolder()
    bundle = folder("Shop.xcdatamodeld")
    let versions = (1...117).map { number -> (name: String, model: [String]) in
      let extra = (1...number).map { $0 == 60 ? "; date Date" : "; a\($0) String?" }.joined()
      return ("Shop \(number)", ["Item: name String?\(extra)", "Tag: name String?"])
    }
    try ModelBundle.write(versions, to: bundle)
    let model = try ModelNotation.model(versions[31].model)
    store = folder("old.sqlite")
    let writer = try StoreWriter(creating: store, StoreDescription(model: model, usesWAL: false))
    for _ in 1...2 { try writer.insert("Item") }
    try writer.finish()
  }

  private func run(_ arguments: String...) throws -> [Substring] {
    try Program.run(["diagnose", store, "--model", bundle] + arguments, environment: ["COLUMNS": "100"]).output
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test func theTextFoldsToWhatDecides() throws {
    let lines = try run()
    #expect(lines.count <= 60)
    let stops = try #require(lines.firstIndex(of: "What stops it"))
    let next = try #require(lines.firstIndex(of: "Next"))
    let ways = try #require(lines.firstIndex { $0.hasPrefix("Ways to open") })
    #expect(stops < next && next < ways && next <= 15)
    #expect(lines.contains("  'Shop 59' > 'Shop 60'  blocked-by-data 134110"))
    #expect(lines.contains("  84 others (--all)"))
    #expect(lines.contains { $0.hasPrefix("    Shop 32   all equal") })
    #expect(lines.contains { $0.hasPrefix("  * Shop 117") })
    #expect(lines.contains("    and 115 others (--all)"))
    #expect(try run("--all").count > 200)
  }

  /// A value for an attribute that the store has no column for is no row's to repair.
  @Test func theChangeOfTheModelComesFirst() throws {
    let lines = try run()
    let next = try #require(lines.firstIndex(of: "Next"))
    #expect(
      lines[next + 1].hasPrefix("  # in the model 'Shop 117', Item.date: the store has no place for it yet: give it a"))
    #expect(!lines.contains { $0.contains("storedoctor repair") })
    let commands = lines[next...].filter { $0.hasPrefix("  storedoctor") }
    #expect(commands.first?.contains("--stage-skeleton") == true)
  }

  /// What would stop the way back to versions before the store's is one note, not one for each property.
  @Test func theWayBackIsOneNote() throws {
    let old = (1...5).map { (name: "Shop \($0)", model: ["Item: name String?; old\($0) Date", "Tag: name String?"]) }
    let now = ["Item: name String?", "Tag: name String?"]
    let bundle = folder("Back.xcdatamodeld")
    try ModelBundle.write(old + [("Shop 6", now), ("Shop 7", now + ["Mark: name String?"])], to: bundle)
    let store = folder("six.sqlite")
    let writer = try StoreWriter(creating: store, StoreDescription(model: ModelNotation.model(now), usesWAL: false))
    try writer.insert("Item")
    try writer.finish()
    let output = try Program.run(["diagnose", store, "--model", bundle], environment: ["COLUMNS": "400"]).output
    #expect(output.hasPrefix("migrates"))
    #expect(
      output.contains(
        "  N SD806 5 notes on going back to 'Shop 1', 'Shop 2' and 3 more, which the store's version comes after: "
          + "Item.old1, Item.old2, Item.old3 and 2 more; --to-version names one of them\n"), "\(output)")
    #expect(output.split(separator: "\n").count { $0.contains("SD806") } == 1)
  }

  /// Notes on versions that do not decide are counted where there are many, and JSON and --all have them.
  @Test func notesOnOtherVersionsAreCounted() throws {
    let old = (1...21).map { (name: "Shop \($0)", model: ["Item: name String?; old\($0) Date", "Tag: name String?"]) }
    let now = ["Item: name String?", "Tag: name String?"]
    let bundle = folder("Long.xcdatamodeld")
    try ModelBundle.write(old + [("Shop 22", now), ("Shop 23", now + ["Mark: name String?"])], to: bundle)
    let store = folder("long.sqlite")
    let writer = try StoreWriter(creating: store, StoreDescription(model: ModelNotation.model(now), usesWAL: false))
    try writer.insert("Item")
    try writer.finish()
    func output(_ arguments: String...) throws -> String {
      try Program.run(["diagnose", store, "--model", bundle] + arguments, environment: ["COLUMNS": "400"]).output
    }
    let note = "notes on going back to"
    #expect(try output().contains("; 1 note on other versions (--all)\n") && !output().contains(note))
    for option in ["--all", "--unfold"] { #expect(try output(option).contains(note)) }
    #expect(try output("--format", "json").contains(note))
  }
}
