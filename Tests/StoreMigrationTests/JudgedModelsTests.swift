@testable import StoreMigration
import StoreDataModel
import TestSupport
import Testing

@Suite struct JudgedModelsTests {
  /// Results are cached by model. The memory of a freed model may be reused for another, and the cache is emptied from
  /// time to time; a result must still belong to the model asked about.
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
