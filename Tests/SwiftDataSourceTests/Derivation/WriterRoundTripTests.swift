import StoreDataModel
import Foundation
import StoreSwiftDataSchemas
import TestSupport
import Testing

@testable import SwiftDataSource

/// The source that `convert --to swift` writes is read as the same model.
@Suite(.needsSharedData) struct WriterRoundTripTests {
  static var files: [String] {
    let pairs = [
      "dash-v1", "metacocktails-a", "metacocktails-c", "metacocktails-d", "myhome-v1", "myhome-v2", "astra-v12",
      "astra-v12-feedback",
    ]
    return pairs.map { SharedData.path("swiftdata-pairs/\($0).json") }
      + ["metacocktailsswiftdata-preloadedcocktails-store", "myhome-myhomev1seed-store", "myhome-myhomev2seed-store"]
      .map { SharedData.path("vectors/no-licence/\($0).json") }
  }

  @Test(arguments: files) func writtenSourceHasTheSameHashes(file: String) throws {
    let vector = try VersionHashVector(file: file)
    let written = SwiftDataWriter(try vector.makeModel(), schemaName: "SchemaV1")
    let reading = SourceProject(texts: ["SchemaV1.swift": written.text]).reading
    #expect(reading.problems == [])
    let schema = try #require(reading.schema(named: "SchemaV1"))
    let lossy = Set(written.lost.map { $0.place.prefix { $0 != "." } })
    #expect(schema.entities.count == vector.hashes.count)
    for entity in schema.entities where !lossy.contains(entity.name[...]) {
      #expect(entity.certainty != .incomplete, "\(entity.reasons)")
      #expect(entity.variants[0].hash?.description == vector.hashes[entity.name], "\(entity.name)")
    }
  }
}
