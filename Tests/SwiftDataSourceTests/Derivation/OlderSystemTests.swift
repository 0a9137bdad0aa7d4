import Foundation
import StoreDataModel
import StoreSwiftDataSchemas
import Testing

@testable import SwiftDataSource

/// Sources of our own with the shapes of two apps, whose stores record the hashes that older systems computed.
@Suite struct OlderSystemTests {
  /// A source, and what a store of a framework says of it.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let framework: Int
    let source: String
    let hashes: [String: String]
    let checksum: String
    let digest: String
    var testDescription: String { name }
  }

  /// Stores of frameworks 1345 and 1419: two macros without `inverse:` are inverses, attributes are stored externally,
  /// `[UUID]` is Transformable, and a class is called like a type of Foundation.
  static let cards = Case(
    name: "cards", framework: 1419,
    source: #"""
      @Model final class Author { var name: String; var cards: [StereoCard] = []; init(name: String) { self.name = name } }
      @Model final class Subject { var name: String; var cards: [StereoCard] = []; init(name: String) { self.name = name } }
      @Model final class Date { var text: String; var cards: [StereoCard]? = []; init(text: String) { self.text = text } }
      @Model final class Title {
        var text: String
        var cards: [StereoCard] = []
        var picks: [StereoCard] = []
        init(text: String) { self.text = text }
      }
      @Model final class Collection {
        @Attribute(.unique) var id: UUID
        var name: String
        var createdAt: Foundation.Date
        var updatedAt: Foundation.Date
        var cardOrder: [UUID] = []
        var cards: [StereoCard] = []
        init() {}
      }
      @Model final class Crop {
        var x0: Float
        var x1: Float
        var y0: Float
        var y1: Float
        var score: Float
        var side: String
        @Relationship(deleteRule: .cascade) var card: StereoCard?
        init() {}
      }
      @Model final class StereoCard {
        @Attribute(.unique) var uuid: UUID
        @Attribute(.externalStorage) var backStandardData: Data?
        @Attribute(.externalStorage) var backThumbnailData: Data?
        @Attribute(.externalStorage) var frontStandardData: Data?
        @Attribute(.externalStorage) var frontThumbnailData: Data?
        var cardColor: String = "#F5E6D3"
        var colorOpacity: Double
        var imageBackId: String?
        var imageFrontId: String?
        @Relationship(inverse: \Author.cards) var authors: [Author] = []
        @Relationship(inverse: \Collection.cards) var collections: [Collection] = []
        @Relationship var crops: [Crop] = []
        @Relationship(inverse: \Date.cards) var dates: [Date] = []
        @Relationship(inverse: \Subject.cards) var subjects: [Subject] = []
        @Relationship(inverse: \Title.picks) var titlePick: Title?
        @Relationship(deleteRule: .cascade, inverse: \Title.cards) var titles: [Title] = []
        init() {}
      }
      """#,
    hashes: [
      "Author": "13d2a483bd9e7876d00f33effbcaec624640759fcbc0b7e8bbf8b3fef3aae456",
      "Collection": "9cc28c4e0766bb90a995b3bba0b9f0b6595dbd2269033ff50f4ed4936c6836f1",
      "Crop": "57da8232c2c9ba3d9d3dfa3b2d346f8f4c6ed860aa9dfddba69ce6d85a4c390d",
      "Date": "f8c59bb59b794527f505807039f52a958eef8600c64d1c0754425f0f29ca38e3",
      "StereoCard": "a01687ce301f06a8c63f66f59b16c81c68bd0d75904cd4d969a036396ddd62c5",
      "Subject": "2482c8051c2b8546bf9fc6819232c355fd9276200d1d3e9bec6473492838f277",
      "Title": "2fa49a0ab7a1756ca43784c07b6383eda7d20fe4e99a8961116df48f496b6a12",
    ],
    checksum: "ISnh4qWvADgSwrXUkyMtYjGMLZuJ3vRC3ThOLE4akPI=",
    digest: "sVhV4E0SG/sV9p2Z9TVkfF1Eb5K/g/5PgsjIrCItDrHJBEwWTBkIEQLbwW972K4H+iiqBfzAYhJ2t4fjoS6VAw==")

  /// A store of framework 1327: a required enum without raw values has an optional leaf for each case, `[Data]` is
  /// Transformable, references are weak, classes are nested in classes, and one points at itself.
  static let recipes = Case(
    name: "recipes", framework: 1327,
    source: #"""
      @Model final class SDAboutSection {
        @Attribute(.unique) let id: UUID
        weak var parentRecipe: SDRecipe?
        var name: String = ""
        var description_: String = ""
        init() {}
      }
      @Model final class SDFolder {
        enum Kind: Codable { case systemAll, systemStandard, systemRecentlyDeleted, user }
        @Attribute(.unique) let id: UUID
        var name: String
        var imageData: Data?
        var folderType: Kind
        weak var parentFolder: SDFolder?
        @Relationship(deleteRule: .cascade, inverse: \SDFolder.parentFolder) var folders: [SDFolder]
        @Relationship(deleteRule: .cascade, inverse: \SDRecipe.parentFolder) var recipes: [SDRecipe]
        init() {}
      }
      @Model final class SDRecipe {
        @Attribute(.unique) let id: UUID
        weak var parentFolder: SDFolder?
        var name: String = ""
        var imageData: [Data] = []
        @Relationship(deleteRule: .cascade, inverse: \SDAboutSection.parentRecipe) var aboutSections: [SDAboutSection]
        @Relationship(deleteRule: .cascade, inverse: \SDIngredientSection.parentRecipe) var ingredientSections: [SDIngredientSection]
        @Relationship(deleteRule: .cascade, inverse: \SDStepSection.parentRecipe) var stepSections: [SDStepSection]
        init() {}
        @Model final class SDIngredientSection {
          @Attribute(.unique) let id: UUID
          weak var parentRecipe: SDRecipe?
          var name: String = ""
          @Relationship(deleteRule: .cascade, inverse: \SDIngredient.parentIngredientSection) var ingredients: [SDIngredient]
          init() {}
          @Model final class SDIngredient {
            @Attribute(.unique) let id: UUID
            weak var parentIngredientSection: SDIngredientSection?
            var name: String = ""
            var amount: Double = 0
            var measure: String = ""
            init() {}
          }
        }
        @Model final class SDStepSection {
          @Attribute(.unique) let id: UUID
          weak var parentRecipe: SDRecipe?
          var name: String = ""
          @Relationship(deleteRule: .cascade, inverse: \SDStep.parentStepSection) var steps: [SDStep]
          init() {}
        }
      }
      @Model final class SDStep {
        @Attribute(.unique) let id: UUID
        weak var parentStepSection: SDRecipe.SDStepSection?
        var description_: String = ""
        var imageData: [Data] = []
        init() {}
      }
      """#,
    hashes: [
      "SDAboutSection": "e5f3c533b7c0f252577afda8c63d11e4ed09a813c5b3eb0f1075158704256599",
      "SDFolder": "8f260b112d83d0cedb48a9bfccf2d54b6b9b4c61e44fac4a64f7c757e6969714",
      "SDIngredient": "fd228484d88aa0e72886d5b961de1d11d38a67b89791da0e3ffcf064d5bc7f60",
      "SDIngredientSection": "859b1b4d42c04db6e9fb64fbeb411d875483429f343b64fc3830b08a84597c5f",
      "SDRecipe": "bf93fcbb2b4d50c140ab43c183011d973829881e911f0d81050ae021db8d608d",
      "SDStep": "8aa29ab57fb03623d2e4e9907466d8dc99a940f29491a440748198c98c7c9aba",
      "SDStepSection": "c8600d0355e3ce7fa1ff9b0dd3ec536a69a1226d2c073f4f1ac3122289dd4cd1",
    ],
    checksum: "Xce4i16Ij5O4fXKLO50+H+MPUirBp/8zTEs4l0M0gQA=",
    digest: "FAr/r1tJbF6KHh1N768bt919alGbvIm8rDZ6dXeNs3UDjcSNilfd/8YJ824VEdTUXOqsVWH7679LLbjC1ujSgQ==")

  @Test(arguments: [cards, recipes]) func theSystemOfTheStoreMakesItsModel(_ app: Case) throws {
    let reading = SourceProject(texts: ["App.swift": "import Foundation\nimport SwiftData\n" + app.source]).reading
    let schema = try #require(reading.schemas.first)
    var choices: [String: Int] = [:]
    for entity in schema.entities {
      #expect(entity.certainty == .derived, "\(entity.name): \(entity.openRules) \(entity.reasons)")
      #expect(entity.unmeasured.isEmpty || entity.unmeasured == [.manyToManyNotInferred], "\(entity.unmeasured)")
      let likeliest = try #require(entity.variants(framework: app.framework).first)
      choices[entity.name] = entity.variants.firstIndex(of: likeliest)
    }
    let hashes = try schema.model(choosing: choices).versionHashes
    #expect(hashes.byEntity.mapValues(\.description) == app.hashes)
    #expect(Data(hashes.checksum).base64EncodedString() == app.checksum)
    #expect(Data(hashes.digest).base64EncodedString() == app.digest)
  }

  /// On today's systems two macros without `inverse:` are no inverses, and what has none of them is as it was.
  @Test func todaysSystemsMakeAnotherModelOfTwoMacros() throws {
    for (app, others) in [(Self.cards, ["Crop", "StereoCard"]), (Self.recipes, [])] {
      let reading = SourceProject(texts: ["App.swift": "import Foundation\nimport SwiftData\n" + app.source]).reading
      let entities = try #require(reading.schemas.first).entities
      let other = entities.filter { $0.versionHash?.description != app.hashes[$0.name] }.map(\.name)
      #expect(other == others)
    }
  }
}
