extension RuleCase {
  /// Structs, enums and collections.
  static let composites: [RuleCase] = [
    RuleCase(
      "an enum with raw values is a composite with one optional leaf; a required to-one without inverse", "Ingredient",
      "4a3b9f32df42aee19eb186b6ad03ad57c96cd3fb4532671a4063da2002cfc61a",
      #"""
      @Model final class Ingredient {
        var id: UUID; var unit: MeasurementUnit; var value: Double; var ingredientBase: IngredientBase
      }
      @Model final class IngredientBase {  }
      enum MeasurementUnit: String, Codable { case first, second }
      """#),
    RuleCase(
      "arrays in a struct are Binary; leaves of an optional property are optional", "IngredientBase",
      "b7204663387a5680bdfd9bed01991300dbeccf23d6a9eba4f9902b6341dfac0e",
      #"""
      @Model final class IngredientBase {
        #Unique<IngredientBase>([\.name])
        var name: String; var info: String?; var prep: Prep?; var tags: Tags?; var isCustom: Bool
        var category: Category
      }
      struct Instruction: Codable { var id = UUID(); var step: Int; var method: String }
      struct Prep: Codable { var id = UUID(); var prepIngredientName: String; var prepRecipe: [Instruction] }
      struct Tags: Codable {
        var flavors: [Flavor]?; var profiles: [Profile]?; var styles: [Style]?; var booze: [Booze]?
        var nA: [NAIngredients]?
      }
      enum Flavor: String, Codable { case first, second }
      enum Profile: String, Codable { case first, second }
      enum Style: String, Codable { case first, second }
      enum Booze: String, Codable { case first, second }
      enum NAIngredients: String, Codable { case first, second }
      enum Category: String, Codable { case first, second }
      """#),
    RuleCase(
      "Color.Resolved has required leaves; [String]? is Transformable", "CocktailImage",
      "e5242d181d1eb8e5b999d0e19f84b74db5c473219db44416e51022dfab605201",
      #"""
      @Model final class CocktailImage {
        var backgroundColor: Color.Resolved; var drinkColor: Color.Resolved; var drinkLayer: String
        var glassBackLayer: String; var glassReflection: String; var iceLayer: String?; var innerRim: String
        var straw: String?; var garnishes: [String]?; var inDrinkComponents: [String]?
      }
      """#),
    RuleCase(
      "an enum without raw values has a leaf for each case; @Transient is nothing; types are inferred", "Cocktail",
      "78b8be45a61c914cccf034ad2da209e146fce08f2c5906a791c1091761613590",
      #"""
      @Model final class Cocktail {
        @Transient var tags: Tags = Tags(); var compiledTags: Tags = Tags()
        @Attribute(.unique) var cocktailName: String; var id = UUID(); var author: Author?; var buildOrder: Build?
        var glasswareType: Glassware; var ice: Ice?; var variation: Variation?; var collection: CocktailCollection?
        var collectionName: String; var titleCocktail: Bool?; @Relationship(deleteRule: .cascade) var spec: [Ingredient]
        @Relationship(deleteRule: .nullify, inverse: \Garnish.cocktails) var garnish: [Garnish]
        var isCustomCocktail: Bool; var notes: String?; var variationName: String?; var favorite: Bool
        var historicSpec: HistoricSpec?
      }
      @Model final class Garnish { var cocktails: [Cocktail]? }
      @Model final class Ingredient {  }
      struct Author: Codable { var id = UUID(); var person: String?; var place: String?; var year: String? }
      struct Instruction: Codable { var id = UUID(); var step: Int; var method: String }
      struct Build: Codable { var instructions: [Instruction] }
      struct Tags: Codable {
        var flavors: [Flavor]?; var profiles: [Profile]?; var styles: [Style]?; var booze: [Booze]?
        var nA: [NAIngredients]?
      }
      enum Glassware: String, Codable { case first, second }
      enum Ice: String, Codable { case first, second }
      enum Variation: String, Codable { case first, second }
      enum Flavor: String, Codable { case first, second }
      enum Profile: String, Codable { case first, second }
      enum Style: String, Codable { case first, second }
      enum Booze: String, Codable { case first, second }
      enum NAIngredients: String, Codable { case first, second }
      enum CocktailCollection: Int, Codable { case first, second }
      enum HistoricSpec: Codable {
        case algonquin; case alaska; case betweenTheSheets; case bloodAndSand; case bramble; case bobbyBurns
        case chocolateCocktail; case elDiablo; case fogCutter; case ginFizz; case gimlet; case silverFizz; case hotToddy
        case mexicanFiringSquad; case modernCocktail
      }
      """#),
    RuleCase(
      "structs in structs, a dictionary of structs, @Relationship on one-to-many", "PersistentToken",
      "85dacb8b1556f06c9ece6bac94e185e0fdbd8f62554f2b5eca444c121649567c",
      #"""
      @Model final class PersistentToken {
        @Attribute(.unique) var id: Data; var allowTransferToFrozenBalance: Bool; var baseSupply: String
        var contractId: Data; var conventionsChangeRules: ChangeControlRules?; var createdAt: Date
        var dataContract: PersistentDataContract?; var decimals: Int; var destroyFrozenFundsRules: ChangeControlRules?
        var distributionChangeRules: TokenDistributionChangeRules?; var emergencyActionRules: ChangeControlRules?
        var freezeRules: ChangeControlRules?; var isPaused: Bool; var keepsBurningHistory: Bool
        var keepsDirectPricingHistory: Bool; var keepsDirectPurchaseHistory: Bool; var keepsFreezingHistory: Bool
        var keepsMintingHistory: Bool; var keepsTransferHistory: Bool; var lastUpdatedAt: Date
        var localizations: [String: TokenLocalization]?; var mainControlGroupCanBeModified: String?
        var mainControlGroupPosition: Int?; var manualBurningRules: ChangeControlRules?
        var manualMintingRules: ChangeControlRules?; var maxSupply: String?
        var maxSupplyChangeRules: ChangeControlRules?; var mintingAllowChoosingDestination: Bool; var name: String
        var newTokensDestinationIdentity: Data?; var perpetualDistribution: TokenPerpetualDistribution?
        var position: Int; var preProgrammedDistribution: TokenPreProgrammedDistribution?; var tokenDescription: String?
        var tradeMode: TokenTradeMode; var tradeModeChangeRules: ChangeControlRules?
        var unfreezeRules: ChangeControlRules?
        @Relationship(deleteRule: .cascade) var balances: [PersistentTokenBalance]?
        @Relationship(deleteRule: .cascade) var historyEvents: [PersistentTokenHistoryEvent]?
      }
      @Model final class PersistentTokenBalance { @Relationship(inverse: \PersistentToken.balances) var token: PersistentToken? }
      @Model final class PersistentDataContract { @Relationship(inverse: \PersistentToken.dataContract) var tokens: [PersistentToken]? }
      @Model final class PersistentTokenHistoryEvent { @Relationship(inverse: \PersistentToken.historyEvents) var token: PersistentToken? }
      struct ChangeControlRules: Codable {
        var authorizedToMakeChange: String; var adminActionTakers: String
        var changingAuthorizedActionTakersToNoOneAllowed: Bool; var changingAdminActionTakersToNoOneAllowed: Bool
        var selfChangingAdminActionTakersAllowed: Bool
      }
      struct TokenPerpetualDistribution: Codable {
        var distributionType: String; var distributionRecipient: String; var enabled: Bool
        var lastDistributionTime: Date?; var nextDistributionTime: Date?
      }
      struct TokenPreProgrammedDistribution: Codable {
        var distributionSchedule: [DistributionEvent]; var currentEventIndex: Int; var totalDistributed: String
        var remainingToDistribute: String; var isActive: Bool; var isPaused: Bool; var isCompleted: Bool
      }
      struct DistributionEvent: Codable { var id: UUID; var amount: String }
      struct TokenDistributionChangeRules: Codable {
        var perpetualDistributionRules: ChangeControlRules?; var newTokensDestinationIdentityRules: ChangeControlRules?
        var mintingAllowChoosingDestinationRules: ChangeControlRules?
        var changeDirectPurchasePricingRules: ChangeControlRules?
      }
      enum TokenTradeMode: String, Codable { case notTradeable = "NotTradeable" }
      struct TokenLocalization: Codable { let singularForm: String; let pluralForm: String; let description: String? }
      """#),
  ]
}
