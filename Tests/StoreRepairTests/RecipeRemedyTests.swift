@testable import StoreDiagnosis
@testable import StoreFindings
@testable import StoreRepair
import StoreTestSupport
@testable import StoreWords
import StoreCoreData
import TestSupport
import Testing

/// The repairs that a diagnosis proposes are valid recipes.
@Suite struct RecipeRemedyTests {
  @Test func everyRemedyOfEverySickStoreIsARecipe() throws {
    var recipes: Set<String> = []
    for fixture in Fixture.readable where fixture.kind == "sick" {
      let folder = try TemporaryFolder()
      let diagnosis = try diagnose(path: try fixture.build(in: folder), options: try fixture.options)
      for remedy in diagnosis.findings.flatMap(\.remedies) {
        recipes.insert(remedy.recipe)
        #expect(throws: Never.self, "\(fixture.check): \(remedy.recipe)") {
          let recipe = try Recipe(reading: Array("version: 1\n\(remedy.recipe)".utf8))
          #expect(!recipe.isEmpty)
        }
      }
    }
    #expect(recipes.count > 15, "\(recipes.sorted())")
  }

  /// A remedy names only what the store has, unless it has names for a person to fill in.
  @Test func remediesFitTheirStores() throws {
    for fixture in Fixture.readable where fixture.kind == "sick" && !fixture.check.hasPrefix("SD8") {
      let folder = try TemporaryFolder()
      let path = try fixture.build(in: folder)
      let diagnosis = try diagnose(path: path, options: try fixture.options)
      let remedies = diagnosis.findings.flatMap(\.remedies).filter { !$0.recipe.contains("ownAttribute: itsAttribute") }
      guard !remedies.isEmpty else { continue }
      let store = try Store(path: path)
      for remedy in remedies {
        let recipe = try Recipe(reading: Array("version: 1\n\(remedy.recipe)".utf8))
        #expect(recipe.mistakes(in: store) == [], "\(fixture.check): \(remedy.recipe)")
      }
    }
  }

  @Test(arguments: [
    "Note", "no", "on", "2nd", "a: b", "#x", "\"", "\u{7f}\u{202e}", "\u{e0041}\u{fffe}\u{1f600}", "Ä", "line\nfeed",
    "\\u0041",
  ])
  func aNameComesBackAsItIs(_ name: String) throws {
    let text = "version: 1\ndedupe: [{entity: \(recipeName(name)), by: [a]}]"
    #expect(try Recipe(reading: Array(text.utf8)).dedupe.map(\.entity) == [name])
  }
}
