import StoreDataModel
import StoreGenerator
import TestSupport
import Testing

/// Models written in Xcode's form and read back.
@Suite struct XcodeRoundTripTests {
  @Test func readsRandomModelsBackToEqualOnes() throws {
    for seed in LongRuns.seeds(300, whole: 10_000) {
      let model = try RandomModel.make(seed: seed)
      let written = XcodeModelWriter(model)
      #expect(written.lost == [], "seed \(seed)")
      let xcode = try XcodeModel(Array(written.text.utf8))
      #expect(xcode.model == model, "seed \(seed)")
      #expect(xcode.unknown == [], "seed \(seed)")
      #expect(xcode.model.versionHashes == model.versionHashes, "seed \(seed)")
      // The parts that `==` leaves out come back as well.
      #expect(xcode.model.fetchRequests == model.fetchRequests, "seed \(seed)")
      for entity in model.entities {
        let read = try #require(xcode.model.entity(named: entity.name))
        #expect(read.userInfo == entity.userInfo, "seed \(seed)")
        #expect(read.properties.map(\.userInfo) == entity.properties.map(\.userInfo), "seed \(seed)")
      }
    }
  }

  @Test(arguments: [try SampleModels.notes()])
  func readsASampleBack(_ model: Model) throws {
    let written = XcodeModelWriter(model)
    #expect(written.lost == [])
    #expect(try XcodeModel(Array(written.text.utf8)).model == model)
  }

  /// Damaged input gives a model or an error, never a crash.
  @Test func survivesInjuries() throws {
    for seed in LongRuns.seeds(500, whole: 50_000) {
      var random = SeededGenerator(seed: seed)
      var bytes = Array(XcodeModelWriter(try RandomModel.make(seed: seed % 20)).text.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let position = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[position] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(position..<min(position + 9, bytes.count))
        case 2: bytes.insert(contentsOf: bytes[position...].prefix(40), at: position)
        default: bytes.removeSubrange(position...)
        }
        if bytes.isEmpty { break }
      }
      guard let model = try? XcodeModel(bytes).model else { continue }
      #expect(model.versionHashes.byEntity.count == model.entities.count, "seed \(seed)")
    }
  }
}
