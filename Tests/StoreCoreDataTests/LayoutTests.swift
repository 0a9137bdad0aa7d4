import StoreDataModel
import StoreCoreData
import StoreSQLite
import StoreGenerator
import TestSupport
import Testing

/// Where each property of a model lives in a store, for every shape `docs/format/store-layout.md` knows.
@Suite struct LayoutTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder("Shapes.sqlite")
    try SampleStores.writeShapes(to: path)
  }

  @Test func mapsEveryShape() throws {
    let layout = try Store(path: path).layout
    let house = try #require(layout.entity(named: "House"))
    let storage = Dictionary(uniqueKeysWithValues: house.relationships.map { ($0.name, $0.storage) })
    #expect(storage["pet"] == .key(column: "ZPET", companion: "Z1_PET", orderKey: nil))
    #expect(storage["cats"] == .inverseKey(table: "ZANIMAL", column: "ZHOME"))
    #expect(storage["rooms"] == .hiddenKey(table: "ZROOM", column: "Z5ROOMS", orderKey: nil))
    #expect(storage["neighbours"] == .joinTable(name: "Z_5NEIGHBOURS"))
    let cat = try #require(layout.entity(named: "Cat"))
    #expect(
      cat.relationships.first { $0.name == "home" }?.storage
        == .key(column: "ZHOME", companion: nil, orderKey: "Z_FOK_HOME"))
    #expect(columns(of: "weight", in: "Bird", layout) == ["ZWEIGHT"])
    #expect(columns(of: "weight", in: "Kitten", layout) == ["ZWEIGHT1"])
    #expect(columns(of: "size", in: "Room", layout) == ["ZDEPTH", "ZWIDTH", "ZNAME1"])
    #expect(columns(of: "location", in: "House", layout) == [])
  }

  @Test func listsWhatNothingAccountsFor() throws {
    let database = try Connection(writing: path, create: false)
    try database.execute(
      """
      ALTER TABLE ZHOUSE ADD COLUMN ZEXTRA INTEGER;
      ALTER TABLE ZROOM ADD COLUMN ZTWICE INTEGER GENERATED ALWAYS AS (Z_PK * 2);
      CREATE TABLE MYOWN (A, B);
      CREATE VIEW ZNICE AS SELECT 1;
      """)
    database.close()
    let found = try Store(path: path).layout.unexplained
    #expect(
      found == [
        Unexplained(.table("MYOWN"), "no entity or relationship accounts for it"),
        Unexplained(.column(table: "ZHOUSE", "ZEXTRA"), "no property accounts for it"),
        Unexplained(.table("ZNICE"), "a view, never read"),
        Unexplained(
          .column(table: "ZROOM", "ZTWICE"), "a generated column, which Core Data never makes; not read"),
      ])
  }

  @Test func resolvesARenamedEntityThroughItsRenamingIdentifier() throws {
    let database = try Connection(writing: path, create: false)
    try database.execute("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Cottage' WHERE Z_NAME = 'House'")
    database.close()
    // Without a renaming identifier in the model, numbers and parents show it, where the metadata names the model's entities.
    let unlike = try Store(path: path)
    #expect(unlike.layout.problems == ["'Cottage' in Z_PRIMARYKEY is 'House' in the model (renamed)"])
    #expect(unlike.layout.entity(named: "House")?.table == "ZHOUSE")
    // Where it does not, nothing shows that Cottage is House.
    #expect(
      try Layout(model: SampleModels.shapes(), entityMap: unlike.entityMap, shape: unlike.shape).problems == [
        "entity 'Cottage' (5) of Z_PRIMARYKEY is not in the model",
        "entity 'House' of the model is not in Z_PRIMARYKEY",
      ])

    let renamed = try Model(
      entities: SampleModels.shapes().entities.map { entity in
        var entity = entity
        if entity.name == "House" { entity.renamingIdentifier = "Cottage" }
        return entity
      })
    let store = try Store(path: path)
    let layout = Layout(model: renamed, entityMap: store.entityMap, shape: store.shape)
    #expect(layout.entity(named: "Cottage")?.modelName == "House")
    #expect(layout.entity(named: "Cottage")?.table == "ZHOUSE")
    #expect(layout.unexplained == [])
  }

  @Test func keepsColumnsWhoseNumbersAreOfAnOlderVersion() throws {
    let database = try Connection(writing: path, create: false)
    // As a migration that renumbered entities may leave it.
    try database.execute("ALTER TABLE ZHOUSE RENAME COLUMN Z1_PET TO Z9_PET")
    try database.execute("ALTER TABLE ZROOM RENAME COLUMN Z5ROOMS TO Z4ROOMS")
    database.close()
    let layout = try Store(path: path).layout
    let storage = layout.entity(named: "House")?.relationships.map(\.storage) ?? []
    #expect(storage.contains(.key(column: "ZPET", companion: "Z9_PET", orderKey: nil)))
    #expect(storage.contains(.hiddenKey(table: "ZROOM", column: "Z4ROOMS", orderKey: nil)))
    #expect(layout.unexplained == [])
  }

  @Test(arguments: ["Z_FOK_1STICKERS", "Z_FOK_7STICKERS", "Z_FOK_1STICKERS1"])
  func findsTheOrderKeyBesideAHiddenKey(_ column: String) throws {
    let path = folder("Album.sqlite")
    let writer = try StoreWriter(
      creating: path,
      StoreDescription(
        model: try Model(
          entities: [
            Entity(name: "Album", properties: [.toMany("stickers", "Sticker", ordered: true)]),
            Entity(name: "Sticker", properties: [.attribute("name", .string)]),
          ]), framework: 1526, usesWAL: false))
    try writer.finish()
    let database = try Connection(writing: path, create: false)
    try database.execute("ALTER TABLE ZSTICKER RENAME COLUMN Z_FOK_1STICKERS TO \(column)")
    database.close()
    let layout = try Store(path: path).layout
    #expect(
      layout.entity(named: "Album")?.relationships.map(\.storage)
        == [.hiddenKey(table: "ZSTICKER", column: "Z1STICKERS", orderKey: column)])
    #expect(layout.unexplained == [] && layout.lacking == [])
  }

  private func columns(of attribute: String, in entity: String, _ layout: Layout) -> [String]? {
    layout.entity(named: entity)?.attributes.first { $0.property.name == attribute }?.columns.compactMap(\.name)
  }
}
