import StoreDataModel
import Foundation
import StoreSwiftDataSchemas
import TestSupport
import Testing

@testable import SwiftDataSource

/// Sources with the models, hashes, digests and checksums that SwiftData made of them.
@Suite(.needsSharedData) struct PairTests {
  static let names = ["dash-v1", "metacocktails-a", "metacocktails-c", "metacocktails-d", "myhome-v1", "myhome-v2"]

  @Test(arguments: names) func sourceGivesTheModelAndItsHashes(name: String) throws {
    let folder = SharedData.path("swiftdata-pairs")
    let vector = try VersionHashVector(file: "\(folder)/\(name).json")
    let reading = try SourceProject(paths: ["\(folder)/\(name).swift"]).reading
    #expect(reading.problems == [])
    let schema = try #require(reading.schemas.first)
    #expect(reading.schemas.count == 1)
    for entity in schema.entities {
      #expect(entity.certainty == .derived, "\(entity.name): \(entity.openRules) \(entity.reasons)")
      #expect(entity.versionHash?.description == vector.hashes[entity.name], "\(entity.name)")
    }
    let model = try schema.model()
    #expect(try model.normalised() == vector.makeModel().normalised())
    let hashes = model.versionHashes
    #expect(hashes.byEntity.mapValues(\.description) == vector.hashes)
    if let digest = vector.digest { #expect(Data(hashes.digest).base64EncodedString() == digest) }
    if let checksum = vector.checksum { #expect(Data(hashes.checksum).base64EncodedString() == checksum) }
  }

  @Test func identifiersAreThoseOfTheStores() throws {
    let identifiers = try Self.names.map { name in
      try SourceProject(paths: [SharedData.path("swiftdata-pairs/\(name).swift")]).reading.schemas.map(
        \.identifier.text)
    }
    #expect(identifiers == [["1.0.0"], ["1.0.0"], ["1.0.0"], ["1.0.0"], ["1.0.0"], ["2.0.0"]])
  }
}
