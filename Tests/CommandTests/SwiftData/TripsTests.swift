import TestSupport
import Testing

/// The bundled SwiftData app. Its stores are made from models that were written by hand, so both ways to a model have
/// to agree.
@Suite struct TripsTests {
  @Test(arguments: [("1.0.store", "TripsV1"), ("2.0.store", "TripsV2")])
  func releasesAreVersionsOfTheSource(store: String, version: String) throws {
    let match = try match(store)
    #expect(match.status == 0, "\(match.output)\(match.errors)")
    #expect(match.output.contains("was made with '\(version)'"), "\(match.output)")
  }

  @Test func theTestBuildIsTheSecondReleaseEdited() throws {
    let match = try match("2.1-beta.store")
    #expect(match.status == 1, "\(match.output)\(match.errors)")
    #expect(match.output.contains("# Trip.rating: attribute removed"), "\(match.output)")
  }

  private func match(_ store: String) throws -> Program.Outcome {
    try Program.run(
      ["model", "match", Project.path("corpus/Trips/\(store)"), Project.path("corpus/Trips/Models")],
      environment: ["COLUMNS": "200"])
  }
}
