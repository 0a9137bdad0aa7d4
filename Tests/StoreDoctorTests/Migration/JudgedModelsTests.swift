@testable import StoreMigration
import StoreDataModel
import TestSupport
import Testing

@Suite struct JudgedModelsTests {
  /// A model that is gone leaves its place to another, and what is kept is thrown away now and then.
  @Test func whatIsKeptIsOfTheModelsAsked() throws {
    let known = JudgedModels()
    let old = try ModelNotation.model(["Note: text String?"])
    for number in 0..<3000 {
      let new = try ModelNotation.model(["Note: text String?; n\(number) I16=0", "E\(number): at ->Note"])
      #expect(known.hashes(of: new) == new.versionHashes)
      for _ in 0..<2 {
        #expect(known.inference(from: old, to: new).difference.destination == new)
      }
      #expect(known.inference(from: new, to: old).difference.source == new)
    }
    #expect(known.hashes(of: old) == old.versionHashes)
  }
}
