import StoreDataModel
import Foundation
import TestSupport
import Testing

/// Real models with the hashes Apple's frameworks wrote for them.
@Suite struct VersionHashVectorTests {
  @Test(.needsSharedData) func equalsEveryVector() throws {
    var entities = 0
    for file in try VersionHashVector.files() {
      let vector = try VersionHashVector(file: file)
      let hashes = try vector.makeModel().versionHashes
      #expect(hashes.byEntity.mapValues(\.description) == vector.hashes, "\(file)")
      if let digest = vector.digest { #expect(Data(hashes.digest).base64EncodedString() == digest, "\(file)") }
      if let checksum = vector.checksum { #expect(Data(hashes.checksum).base64EncodedString() == checksum, "\(file)") }
      entities += hashes.byEntity.count
    }
    #expect(entities >= 1000)
  }
}
