import Foundation
import TestSupport
import Testing

/// What `rows` shows against Python's sqlite3 and plistlib, which know nothing of storedoctor
/// (`independent_rows.py`): every value of every object.
@Suite(.enabled(if: Python.isPresent, "python3 is not installed")) struct IndependentRowsTests {
  @Test(arguments: Catalogue.stores)
  func everyValueOfRealStoresIsEqual(_ entry: Catalogue.Entry) throws {
    let result = try compared(entry.path)
    #expect(result.differences == 0, "\(result.different)")
    let rows = entry.entities.filter { $0.z_ent < 16_000 }.reduce(0) { $0 + $1.rows }
    // One row of this store has the number of another table's entity.
    let strays: Int64 = entry.path.contains("artsypartner-1.3-") ? 1 : 0
    #expect(Int64(result.compared["objects"] ?? 0) == rows - strays)
  }

  @Test(arguments: ["Notes", "School", "SchoolBridge", "Shapes", "Shop", "Club"])
  func everyValueOfBundledStoresIsEqual(name: String) throws {
    let result = try compared(Project.path("corpus/\(name).sqlite"))
    #expect(result.differences == 0, "\(result.different)")
    #expect(result.compared["objects"] ?? 0 > 0)
  }

  /// The comparison itself finds what is not equal.
  @Test func theComparisonFindsOneChangedValue() throws {
    let result = try compared(Project.path("corpus/Notes.sqlite")) { folder in
      let path = folder + "/Note.json"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try text.replacing("2023-03-09T20:26:40.5Z", with: "2023-03-09T20:26:40.25Z")
        .write(toFile: path, atomically: true, encoding: .utf8)
    }
    #expect(result.differences == 1, "\(result.different)")
  }

  /// Objects and links of a readable database are those that `rows` shows.
  @Test(arguments: Catalogue.stores)
  func readableDatabasesHaveTheSameObjectsAndLinks(_ entry: Catalogue.Entry) throws {
    try compareDatabase(entry.path)
  }

  @Test(arguments: ["Notes", "School", "SchoolBridge", "Shapes", "Shop", "Club"])
  func readableDatabasesOfBundledStoresToo(name: String) throws {
    try compareDatabase(Project.path("corpus/\(name).sqlite"))
  }

  private struct Result: Decodable {
    var compared: [String: Int]
    var differences: Int
    var different: [[String?]]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      compared = try container.decode([String: Int].self, forKey: .compared)
      differences = try container.decode(Int.self, forKey: .differences)
      different = []
      if differences > 0 { different = [["see the script's output"]] }
    }

    enum CodingKeys: CodingKey { case compared, differences, different }
  }

  private func compared(_ store: String, change: (String) throws -> Void = { _ in }) throws -> Result {
    let folder = try TemporaryFolder()
    let copy = try folder.copyStore(store)
    let written = folder("written")
    let outcome = try Program.run(["rows", copy, "--format", "json", "--binary", "--output", written])
    #expect(outcome.status == 0, "\(outcome.errors)")
    try change(written)
    let script = Project.path("Tests/CommandTests/Rows/independent_rows.py")
    let comparison = try Program.launch(["python3", script, copy, written])
    #expect(comparison.status == 0, "\(comparison.errors)")
    return try JSONDecoder().decode(Result.self, from: Data(comparison.output.utf8))
  }

  private func compareDatabase(_ store: String) throws {
    let folder = try TemporaryFolder()
    let written = folder("written")
    let database = folder("readable.sqlite")
    for command in [
      ["--format", "json", "--binary", "--output", written], ["--format", "sqlite", "--output", database],
    ] {
      let outcome = try Program.run(["rows", store] + command)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    let script = Project.path("Tests/CommandTests/Rows/readable_database.py")
    let comparison = try Program.launch(["python3", script, database, written])
    #expect(comparison.status == 0 && comparison.output.hasPrefix("equal"), "\(comparison.output) \(comparison.errors)")
  }
}
