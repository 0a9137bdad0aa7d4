import StoreCoreData
import StoreSQLite
import StoreGenerator
import TestSupport
import Testing

/// What can be inferred from the tables alone, for stores without a model cache.
@Suite struct InferredLayoutTests {
  @Test func findsEveryShapeOfRelationship() throws {
    let folder = try TemporaryFolder()
    let path = folder("Shapes.sqlite")
    try SampleStores.writeShapes(to: path)
    try Connection(writing: path, create: false).execute("DROP TABLE Z_MODELCACHE")
    #expect(
      try relationships(of: path) == """
        Animal.home → ? in ZHOME, possible
        Kitten.friends ⇉ Cat in Z_3FRIENDS, certain
        Kitten.home → ? in ZHOME, possible
        House.neighbourof ⇉ House in Z_5NEIGHBOURS, certain
        House.neighbours ⇉ House in Z_5NEIGHBOURS, certain
        House.pet → Animal in ZPET, certain
        House.rooms ⇉ Room in ZROOM.Z5ROOMS, likely
        """)
  }

  @Test func findsTypesByDeclarationAndContent() throws {
    let folder = try TemporaryFolder()
    let path = folder("Shapes.sqlite")
    try SampleStores.writeShapes(to: path)
    try Connection(writing: path, create: false).execute("DROP TABLE Z_MODELCACHE")
    let types = try Store(path: path).layout.entity(named: "Types")?.attributes.map { attribute in
      "\(attribute.property.name) \(attribute.property.attribute?.type.name ?? "") \(attribute.certainty?.rawValue ?? "")"
    }
    #expect(
      types == [
        "binary Binary likely", "boolean Boolean possible", "date Date certain", "decimal Decimal certain",
        "double Double likely", "float Double likely", "integer16 Integer 64 likely", "integer32 Integer 64 likely",
        "integer64 Integer 64 likely", "string String likely", "transformable Binary likely", "uri String likely",
        "uuid Binary likely",
      ])
  }

  @Test(.needsSharedData) func readsTheRecipesOf2009() throws {
    let path = SharedData.path("corpus-real/magicalrecord--recipes-89a906/Recipes.sqlite")
    #expect(
      try relationships(of: path) == """
        Image.recipe → Recipe in ZRECIPE, likely
        Ingredient.recipe → Recipe in ZRECIPE, likely
        Recipe.image → Image in ZIMAGE, likely
        Recipe.type → RecipeType in ZTYPE, likely
        """)
  }

  /// The digits at the end of a join table's column tell columns of the same name apart; they are no part of the
  /// relationship's name.
  @Test(.needsSharedData) func readsNumberedJoinColumns() throws {
    let path = SharedData.path("corpus-real/energy--artsypartner-1.4-3ad12c/ArtsyPartner_1.4.sqlite")
    let found = try relationships(of: path)
    #expect(found.contains("Show.artworks ⇉ Artwork in Z_3SHOWS, certain"))
    #expect(found.contains("Image.mainimageforartwork → Artwork in ZMAINIMAGEFORARTWORK, likely"))
  }

  private func relationships(of path: String) throws -> String {
    let layout = try Store(path: path).layout
    let lines = layout.entities.filter { $0.parent == nil || $0.name == "Kitten" }.flatMap { entity in
      entity.relationships.map { relationship in
        "\(entity.name).\(relationship.name) \(relationship.isToMany ? "⇉" : "→") \(relationship.destination ?? "?") "
          + "in \(place(relationship)), \(relationship.certainty?.rawValue ?? "from a model")"
      }
    }
    return lines.joined(separator: "\n")
  }

  private func place(_ relationship: RelationshipLayout) -> String {
    switch relationship.storage {
    case .key(let column, _, _): column ?? "none"
    case .hiddenKey(let table, let column, _), .inverseKey(let table, let column): "\(table).\(column ?? "none")"
    case .joinTable(let name): name ?? "none"
    case .none: "nowhere"
    }
  }
}
