@testable import StoreWords
import Testing

@Suite struct RecipeNameTests {
  @Test(arguments: [
    ("Note", "Note"), ("Notiz_2", "Notiz_2"), ("No", "\"No\""), ("2Note", "\"2Note\""), ("", "\"\""),
    ("A, b: {c}", "\"A, b: {c}\""), ("line\nfeed", "\"line\\nfeed\""), ("Käse", "\"Käse\""),
  ])
  func aNameIsQuotedWhereYAMLCouldTakeItForMore(_ name: String, _ inRecipe: String) {
    #expect(recipeName(name) == inRecipe)
  }
}
