import CoreDataModel
import Testing

/// Models written by hand in Xcode's form, with the hashes Apple's framework stored for the same entities.
@Suite struct XcodeKnownHashTests {
  private func hashes(_ contents: String) throws -> [String: String] {
    try XcodeModel(Array(contents.utf8)).model.versionHashes.byEntity.mapValues(\.description)
  }

  /// `CoreDataMigration_Example_1.sqlite` (wibosco/CoreDataMigration-Example, MIT), the worked example.
  @Test func equalsTheWorkedExample() throws {
    let contents = """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Post" representedClassName="Post" syncable="YES">
              <attribute name="color" optional="YES" attributeType="String" syncable="YES"/>
              <attribute name="date" optional="YES" attributeType="Date" usesScalarValueType="NO" syncable="YES"/>
              <attribute name="postID" optional="YES" attributeType="String" syncable="YES"/>
          </entity>
          <elements>
              <element name="Post" positionX="-63" positionY="-18" width="128" height="90"/>
          </elements>
      </model>
      """
    #expect(try hashes(contents) == ["Post": "b9f1d1b43446f1ad118ca4a03e226e05f98c899c98b524c13f02f6514ded5e80"])
    #expect(try XcodeModel(Array(contents.utf8)).unknown == [])
  }

  /// Inheritance over three levels and constraints of one and of two properties: `SampleModel_V2.sqlite`
  /// (alemar11/CoreDataPlus, MIT).
  @Test func knowsInheritanceAndConstraints() throws {
    let contents = """
      <model>
        <entity name="Car">
          <attribute name="maker" optional="YES" attributeType="String"/>
          <attribute name="markedForDeletionAsOf" optional="YES" attributeType="Date"/>
          <attribute name="model" optional="YES" attributeType="String"/>
          <attribute name="numberPlate" attributeType="String"/>
          <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Person" inverseName="cars"/>
          <uniquenessConstraints>
            <uniquenessConstraint><constraint value="numberPlate"/></uniquenessConstraint>
          </uniquenessConstraints>
        </entity>
        <entity name="LuxuryCar" parentEntity="SportCar">
          <attribute name="isLimitedEdition" optional="YES" attributeType="Boolean"/>
        </entity>
        <entity name="Person">
          <relationship name="cars" optional="YES" toMany="YES" destinationEntity="Car" inverseName="owner"/>
          <attribute name="firstName" optional="YES" attributeType="String"/>
          <attribute name="lastName" optional="YES" attributeType="String"/>
          <attribute name="updatedAt" attributeType="Date"/>
          <uniquenessConstraints>
            <uniquenessConstraint><constraint value="firstName"/><constraint value="lastName"/></uniquenessConstraint>
          </uniquenessConstraints>
        </entity>
        <entity name="SportCar" parentEntity="Car"/>
      </model>
      """
    #expect(
      try hashes(contents) == [
        "Car": "7e503efbf4b63cd93ff729e9675e21c63c65262d85a9889f59a2440af6481b93",
        "LuxuryCar": "a873c5590010e4ea3f7bdf846786dfbf5cb095526b86aa0de2c569c4bb121886",
        "Person": "067ae62e1bd1014cb6559d990803ae58f354dd1b7ba7b7722a361c0c39f2134e",
        "SportCar": "722a55b5bbcd51d74876a4dd8f8f7bbde57ddc61cb65a577ec5b0fbe978d7b8c",
      ])
  }

  /// Abstract, derived, fetched, counts with limits, a maximum of -1: `SampleModel2_V2.sqlite`
  /// (alemar11/CoreDataPlus, MIT).
  @Test func knowsAbstractDerivedFetchedAndCounts() throws {
    let contents = """
      <model>
        <entity name="Writer" isAbstract="YES"><attribute name="age" attributeType="Integer 16"/></entity>
        <entity name="Author" parentEntity="Writer">
          <attribute name="alias" attributeType="String"/>
          <relationship name="books" optional="YES" toMany="YES" maxCount="-1" deletionRule="Cascade"
            destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
          <fetchedProperty name="feedbacks" optional="YES">
            <fetchRequest name="fetchedPropertyFetchRequest" entity="Feedback"
              predicateString="authorAlias == $FETCH_SOURCE.alias"/>
          </fetchedProperty>
          <uniquenessConstraints>
            <uniquenessConstraint><constraint value="alias"/></uniquenessConstraint>
          </uniquenessConstraints>
        </entity>
        <entity name="Book">
          <relationship name="author" minCount="1" maxCount="1" destinationEntity="Author" inverseName="books"/>
          <attribute name="frontCover" attributeType="Transformable" customClassName="Cover"/>
          <relationship name="pages" toMany="YES" minCount="1" maxCount="10000" destinationEntity="Page"
            inverseName="book"/>
          <attribute name="pagesCount" optional="YES" attributeType="Integer 64" derived="YES"
            derivationExpression="pages.@count"/>
          <attribute name="price" attributeType="Decimal"/>
          <attribute name="publishedAt" attributeType="Date"/>
          <attribute name="title" attributeType="String"/>
          <attribute name="uniqueID" attributeType="UUID"/>
          <uniquenessConstraints>
            <uniquenessConstraint><constraint value="uniqueID"/></uniquenessConstraint>
          </uniquenessConstraints>
        </entity>
        <entity name="Feedback">
          <attribute name="authorAlias" attributeType="String"/>
          <attribute name="bookID" attributeType="UUID"/>
          <attribute name="comment" optional="YES" attributeType="String"/>
          <attribute name="rating" attributeType="Double"/>
        </entity>
        <entity name="GraphicNovel" parentEntity="Book">
          <attribute name="isBlackAndWhite" attributeType="Boolean"/>
        </entity>
        <entity name="Page">
          <relationship name="book" minCount="1" maxCount="1" destinationEntity="Book" inverseName="pages"/>
          <attribute name="content" attributeType="Transformable"/>
          <attribute name="isBookmarked" attributeType="Boolean"/>
          <attribute name="number" attributeType="Integer 32"/>
        </entity>
      </model>
      """
    #expect(
      try hashes(contents) == [
        "Author": "a5af92dcedca236241e01baf51c0e97d806bcc3d28500abc6d03926d7e065b28",
        "Book": "33ac3733a780db28955479ba9f9989cd9acd0ee1dade9b545e4b746751730100",
        "Feedback": "cb46793d66db0168baed7998db3de0d4f69fdedabb160d5f32072175685031cc",
        "GraphicNovel": "7073b5a03ae1be6509a5e88664a1a68805503b112176c4cceee9f30fdcdb72cc",
        "Page": "9ee9445f9060dc0ae0737ca930dd312246afc97362869cb5b7875e5bc9899171",
        "Writer": "d54efab5d39cb3f59df8018db5e4cb2912ced49ca0fdebb029a326cd70847b25",
      ])
  }

  /// Ordered relationships to the own entity and modifiers: `Bookmarks_V3.sqlite` (duckduckgo/BrowserServicesKit,
  /// Apache-2.0).
  @Test func knowsOrderAndModifiers() throws {
    let contents = """
      <model>
        <entity name="BookmarkEntity">
          <relationship name="children" optional="YES" toMany="YES" ordered="YES" destinationEntity="BookmarkEntity"
            inverseName="parent"/>
          <relationship name="favoriteFolder" optional="YES" maxCount="1" destinationEntity="BookmarkEntity"
            inverseName="favorites"/>
          <relationship name="favorites" optional="YES" toMany="YES" ordered="YES" destinationEntity="BookmarkEntity"
            inverseName="favoriteFolder"/>
          <attribute name="isFolder" attributeType="Boolean"/>
          <attribute name="isPendingDeletion" optional="YES" attributeType="Boolean" versionHashModifier="3"/>
          <attribute name="modifiedAt" optional="YES" attributeType="Date"/>
          <relationship name="parent" optional="YES" maxCount="1" destinationEntity="BookmarkEntity"
            inverseName="children"/>
          <attribute name="title" optional="YES" attributeType="String"/>
          <attribute name="url" optional="YES" attributeType="String" versionHashModifier="3"/>
          <attribute name="uuid" attributeType="String" versionHashModifier="3"/>
        </entity>
      </model>
      """
    #expect(
      try hashes(contents)["BookmarkEntity"] == "698b764beb72a2bc90217ab9a670d90d9ce1663b71c15f675ccbfb46e7ff76a5")
  }

  /// A composite of one element, as a SwiftData store (MatthewHunt84/MetaCocktailsSwiftData) has it; its destination
  /// enters the hash by name alone.
  @Test func knowsComposites() throws {
    let contents = """
      <model>
        <entity name="Ingredient">
          <attribute name="id" attributeType="UUID"/>
          <relationship name="ingredientBase" maxCount="1" destinationEntity="IngredientBase"/>
          <attribute name="unit" attributeType="Composite" composite="Unit"/>
          <attribute name="value" attributeType="Double"/>
        </entity>
        <entity name="IngredientBase"/>
        <composite name="Unit"><attribute name="unit" optional="YES" attributeType="String"/></composite>
      </model>
      """
    #expect(
      try hashes(contents)["Ingredient"] == "4a3b9f32df42aee19eb186b6ad03ad57c96cd3fb4532671a4063da2002cfc61a")
  }
}
