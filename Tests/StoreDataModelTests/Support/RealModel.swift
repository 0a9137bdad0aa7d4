import StoreDataModel
import Testing

/// Entities of real models, with the version hashes that Apple's frameworks stored for them.
///
/// The hash of an entity depends on itself and its ancestors only, so other destinations of relationships are empty
/// entities.
struct RealModel: CustomTestStringConvertible {
  /// The store or compiled model they are from.
  var source: String
  var entities: [Entity]
  var hashes: [String: String]

  init(_ source: String, entities: [Entity], hashes: [String: String]) {
    (self.source, self.entities, self.hashes) = (source, entities, hashes)
  }

  var testDescription: String { source }

  /// The entities with their destinations.
  func model() throws -> Model {
    let names = Set(entities.map(\.name))
    var others: [String: Entity] = [:]
    for entity in entities {
      for case (let name, let relationship?) in entity.properties.map({ ($0.name, $0.relationship) })
      where !names.contains(relationship.destination) {
        var other = others[relationship.destination] ?? Entity(name: relationship.destination)
        if let inverse = relationship.inverse {
          let back = Relationship(destination: entity.name, inverse: name)
          other.properties.append(Property(name: inverse, kind: .relationship(back)))
        }
        others[other.name] = other
      }
    }
    return try Model(entities: entities + others.values)
  }
}

extension RealModel {
  static let all: [RealModel] = [
    RealModel(
      "CoreDataMigration_Example_1.sqlite (wibosco/CoreDataMigration-Example, MIT), the worked example",
      entities: [
        Entity(
          name: "Post",
          properties: [
            attribute("color", .string, [.optional]), attribute("date", .date, [.optional]),
            attribute("postID", .string, [.optional]),
          ])
      ],
      hashes: [
        "Post": "b9f1d1b43446f1ad118ca4a03e226e05f98c899c98b524c13f02f6514ded5e80"
      ]),
    RealModel(
      "SampleModel_V2.sqlite (alemar11/CoreDataPlus, MIT)",
      entities: [
        Entity(
          name: "Car",
          properties: [
            attribute("maker", .string, [.optional]), attribute("markedForDeletionAsOf", .date, [.optional]),
            attribute("model", .string, [.optional]), attribute("numberPlate", .string),
            relationship("owner", "Person", 0, 1, inverse: "cars", [.optional]),
          ], uniquenessConstraints: [["numberPlate"]]),
        Entity(name: "SportCar", parent: "Car", properties: []),
        Entity(
          name: "LuxuryCar", parent: "SportCar", properties: [attribute("isLimitedEdition", .boolean, [.optional])]),
        Entity(
          name: "Person",
          properties: [
            relationship("cars", "Car", 0, 0, inverse: "owner", [.optional]),
            attribute("firstName", .string, [.optional]), attribute("lastName", .string, [.optional]),
            attribute("updatedAt", .date),
          ], uniquenessConstraints: [["firstName", "lastName"]]),
      ],
      hashes: [
        "Car": "7e503efbf4b63cd93ff729e9675e21c63c65262d85a9889f59a2440af6481b93",
        "SportCar": "722a55b5bbcd51d74876a4dd8f8f7bbde57ddc61cb65a577ec5b0fbe978d7b8c",
        "LuxuryCar": "a873c5590010e4ea3f7bdf846786dfbf5cb095526b86aa0de2c569c4bb121886",
        "Person": "067ae62e1bd1014cb6559d990803ae58f354dd1b7ba7b7722a361c0c39f2134e",
      ]),
    RealModel(
      "SampleModel.mom (the same)",
      entities: [
        Entity(
          name: "Car",
          properties: [
            attribute("currentDrivingSpeed", .integer64, [.optional, .transient]),
            attribute("maker", .string, [.optional]), attribute("markedForDeletionAsOf", .date, [.optional]),
            attribute("model", .string, [.optional]), attribute("numberPlate", .string),
            relationship("owner", "Person", 0, 1, inverse: "cars", [.optional]),
          ], uniquenessConstraints: [["numberPlate"]]),
        Entity(name: "SportCar", parent: "Car", properties: []),
      ],
      hashes: [
        "Car": "7e503efbf4b63cd93ff729e9675e21c63c65262d85a9889f59a2440af6481b93",
        "SportCar": "722a55b5bbcd51d74876a4dd8f8f7bbde57ddc61cb65a577ec5b0fbe978d7b8c",
      ]),
    RealModel(
      "SampleModel2_V2.sqlite (the same)",
      entities: [
        Entity(name: "Writer", isAbstract: true, properties: [attribute("age", .integer16)]),
        Entity(
          name: "Author", parent: "Writer",
          properties: [
            attribute("alias", .string), relationship("books", "Book", 0, -1, inverse: "author", [.optional]),
            fetched("favFeedbacks"), fetched("feedbacks"),
          ], uniquenessConstraints: [["alias"]]),
        Entity(
          name: "Book",
          properties: [
            relationship("author", "Author", 1, 1, inverse: "books"), attribute("frontCover", .transformable),
            relationship("pages", "Page", 1, 10000, inverse: "book"),
            derived("pagesCount", .integer64, "count:(pages)", [.optional]), attribute("price", .decimal),
            attribute("publishedAt", .date), attribute("title", .string), attribute("uniqueID", .uuid),
          ], uniquenessConstraints: [["uniqueID"]]),
        Entity(name: "GraphicNovel", parent: "Book", properties: [attribute("isBlackAndWhite", .boolean)]),
      ],
      hashes: [
        "Writer": "d54efab5d39cb3f59df8018db5e4cb2912ced49ca0fdebb029a326cd70847b25",
        "Author": "a5af92dcedca236241e01baf51c0e97d806bcc3d28500abc6d03926d7e065b28",
        "Book": "33ac3733a780db28955479ba9f9989cd9acd0ee1dade9b545e4b746751730100",
        "GraphicNovel": "7073b5a03ae1be6509a5e88664a1a68805503b112176c4cceee9f30fdcdb72cc",
      ]),
    RealModel(
      "SampleModel2 V1 (the same)",
      entities: [
        Entity(
          name: "Page",
          properties: [
            relationship("book", "Book", 1, 1), attribute("content", .transformable),
            attribute("isBookmarked", .boolean), attribute("number", .integer32),
          ], uniquenessConstraints: [["number", "book"]])
      ],
      hashes: [
        "Page": "5882e08dd7cd5b7dd6e53d6375e34ff6be4fd0825ee406002a06b5e6b062c2c4"
      ]),
    RealModel(
      "Bookmarks_V3.sqlite (duckduckgo/BrowserServicesKit, Apache-2.0)",
      entities: [
        Entity(
          name: "BookmarkEntity",
          properties: [
            relationship("children", "BookmarkEntity", 0, 0, inverse: "parent", [.optional, .ordered]),
            relationship("favoriteFolder", "BookmarkEntity", 0, 1, inverse: "favorites", [.optional]),
            relationship("favorites", "BookmarkEntity", 0, 0, inverse: "favoriteFolder", [.optional, .ordered]),
            attribute("isFolder", .boolean), attribute("isPendingDeletion", .boolean, [.optional], modifier: "3"),
            attribute("modifiedAt", .date, [.optional]),
            relationship("parent", "BookmarkEntity", 0, 1, inverse: "children", [.optional]),
            attribute("title", .string, [.optional]), attribute("url", .string, [.optional], modifier: "3"),
            attribute("uuid", .string, modifier: "3"),
          ])
      ],
      hashes: [
        "BookmarkEntity": "698b764beb72a2bc90217ab9a670d90d9ce1663b71c15f675ccbfb46e7ff76a5"
      ]),
    RealModel(
      "DataUsage.sqlite (log2timeline/plaso, Apache-2.0)",
      entities: [
        Entity(
          name: "Process",
          properties: [
            attribute("bundleName", .string, [.optional]), attribute("firstTimeStamp", .date, [.optional]),
            relationship("hasLiveUsage", "LiveUsage", 0, 0, inverse: "hasProcess", [.optional]),
            relationship("hintLiveUsage", "LiveUsage", 1, 1, inverse: "hintedBy", [.optional, .transient]),
            attribute("procName", .string, [.optional]), attribute("timeStamp", .date, [.optional]),
          ])
      ],
      hashes: [
        "Process": "a54a1524d3abe30d2d56a87a9ac2ae06b05e9952043ea42d839b5f186be6fa85"
      ]),
    RealModel(
      "Photos of macOS 10.15 (osxphotos, MIT)",
      entities: [
        Entity(
          name: "Codec", properties: [attribute("fourCharCodeName", .string)],
          uniquenessConstraints: [["fourCharCodeName"]], versionHashModifier: "13102"),
        Entity(
          name: "SceneClassification",
          properties: [
            relationship(
              "assetAttributes", "AdditionalAssetAttributes", 0, 1, inverse: "sceneClassifications", [.optional]),
            attribute("confidence", .double),
            attribute("sceneIdentifier", .integer32, modifier: "radar35184237,35318904"),
          ], versionHashModifier: "radar35318904"),
        Entity(
          name: "Keyword",
          properties: [
            relationship("assetAttributes", "AdditionalAssetAttributes", 0, 0, inverse: "keywords", [.optional]),
            attribute("shortcut", .string, [.optional]), attribute("title", .string, [.optional]),
            attribute("uuid", .string, [.optional, .kept]),
          ], uniquenessConstraints: [["title"]], versionHashModifier: "11066"),
        Entity(
          name: "AlbumList",
          properties: [
            relationship("albums", "GenericAlbum", 0, 0, inverse: "albumLists", [.optional, .ordered]),
            attribute("identifier", .integer16, [.optional], modifier: "9203"),
            attribute("needsReorderingNumber", .boolean, [.optional]), attribute("uuid", .string, [.optional]),
          ], versionHashModifier: "11066"),
        Entity(
          name: "Person",
          properties: [
            attribute("ageType", .integer16),
            relationship("associatedFaceGroup", "DetectedFaceGroup", 0, 1, inverse: "associatedPerson", [.optional]),
            attribute("cloudDeleteState", .integer16, [.kept]), attribute("cloudLocalState", .integer16),
            attribute("cloudVerifiedType", .integer32, [.optional]),
            relationship("clusterRejectedFaces", "DetectedFace", 0, 0, inverse: "clusterRejectedPersons", [.optional]),
            attribute("contactMatchingDictionary", .transformable, [.optional]),
            relationship("detectedFaces", "DetectedFace", 0, 0, inverse: "person", [.optional]),
            attribute("displayName", .string, [.optional]), attribute("faceCount", .integer32, modifier: "2016113001"),
            relationship("faceCrops", "FaceCrop", 0, 0, inverse: "person", [.optional]),
            attribute("fullName", .string, [.optional]), attribute("genderType", .integer16),
            attribute("inPersonNamingModel", .boolean),
            relationship("invalidMergeCandidates", "Person", 0, 0, inverse: "invalidMergeCandidates", [.optional]),
            relationship("keyFace", "DetectedFace", 0, 1, inverse: "personBeingKeyFace", [.optional]),
            attribute("keyFacePickSource", .integer16), attribute("manualOrder", .integer32),
            relationship("mergeCandidates", "Person", 0, 0, inverse: "mergeCandidates", [.optional]),
            relationship("mergeSourcePersons", "Person", 0, 0, inverse: "mergeTargetPerson", [.optional]),
            relationship("mergeTargetPerson", "Person", 0, 1, inverse: "mergeSourcePersons", [.optional]),
            relationship("personReferences", "PersonReference", 0, 0, inverse: "person", [.optional]),
            attribute("personUUID", .string, [.optional, .kept]), attribute("personUri", .string, [.optional]),
            attribute("questionType", .integer16),
            relationship("rejectedFaces", "DetectedFace", 0, 0, inverse: "rejectedPersons", [.optional]),
            relationship(
              "rejectedFacesNeedingFaceCrops", "DetectedFace", 0, 0, inverse: "rejectedPersonsNeedingFaceCrops",
              [.optional]), attribute("type", .integer32, modifier: "2016092101"),
            attribute("verifiedType", .integer32),
          ], versionHashModifier: "11066"),
        Entity(
          name: "GenericAlbum", isAbstract: true,
          properties: [
            relationship("albumLists", "AlbumList", 0, 0, inverse: "albums", [.optional]),
            attribute("cachedCount", .integer32, [.optional]), attribute("cachedPhotosCount", .integer32, [.optional]),
            attribute("cachedVideosCount", .integer32, [.optional]), attribute("cloudDeleteState", .integer16, [.kept]),
            attribute("cloudGUID", .string, [.optional, .kept]), attribute("cloudLocalState", .integer16),
            attribute("creationDate", .date, [.optional]),
            relationship("customKeyAsset", "GenericAsset", 0, 1, inverse: "albumsBeingCustomKeyAssetFor", [.optional]),
            attribute("customSortAscending", .boolean), attribute("customSortKey", .integer32, [.optional]),
            attribute("endDate", .date, [.optional]), attribute("importSessionID", .string, [.optional]),
            attribute("isPinned", .boolean),
            relationship("keyAsset", "GenericAsset", 1, 1, inverse: "albumsBeingKeyAssetFor", [.optional]),
            attribute("kind", .integer16),
            relationship("parentFolder", "Folder", 0, 1, inverse: "childCollections", [.optional]),
            attribute("pendingItemsCount", .integer32, [.optional]),
            attribute("pendingItemsType", .integer32, [.optional]),
            relationship(
              "secondaryKeyAsset", "GenericAsset", 0, 1, inverse: "albumsBeingSecondaryKeyAssetFor", [.optional]),
            attribute("startDate", .date, [.optional]), attribute("syncEventOrderKey", .integer64, [.optional]),
            relationship(
              "tertiaryKeyAsset", "GenericAsset", 0, 1, inverse: "albumsBeingTertiaryKeyAssetFor", [.optional]),
            attribute("title", .string, [.optional]), attribute("trashedDate", .date, [.optional]),
            attribute("trashedState", .integer16), attribute("userQueryData", .binary, [.optional]),
            attribute("uuid", .string, [.optional, .kept]),
          ], versionHashModifier: "12096"),
        Entity(
          name: "Album", parent: "GenericAlbum",
          properties: [relationship("assets", "GenericAsset", 0, 0, inverse: "albums", [.optional, .ordered])]),
        Entity(
          name: "ProjectAlbum", parent: "Album",
          properties: [
            attribute("projectData", .binary, [.optional, .external]), attribute("projectDocumentType", .string),
            attribute("projectExtensionIdentifier", .string, [.optional]),
            attribute("projectRenderUuid", .string, [.optional]),
          ]),
      ],
      hashes: [
        "Codec": "63bb7d3bcc305552728d4e806dc8a1de4f384ff8017885b3faaeb50507d24f13",
        "SceneClassification": "08d353e54e67dc0aa9b113bd541136aad0a5b7a15cd94b0d01ee8aa203214e1b",
        "Keyword": "0b3bcaeecfecfa484497e75f6821c9dfb0963c9658a445fb2ae8f41b97c246bd",
        "AlbumList": "d200a101cddb32419b161e1a47584e03fe7d761f4f392cda88f6daa4bc406a36",
        "Person": "660167c5a8b78c0439d3a82c1287fed8ef61c4f280897a1d2882d680abaf89f3",
        "GenericAlbum": "bcc242da32df3f7042681e19e4193aa01eb02ac58ac4a63c1d5e960af5d2a6e1",
        "Album": "2a6282745f93008f5e4a50e598359f05c26e2c0d039e8d252d6173d52aab6a8d",
        "ProjectAlbum": "88d68d5b9c39afaf7baf53957737ff8528562bc63cef6d38169f83c3b118b092",
      ]),
    RealModel(
      "Photos of macOS 26 (the same)",
      entities: [
        Entity(
          name: "GraphLabel",
          properties: [
            attribute("alias", .string, [.optional]), attribute("code", .integer32, [.optional]),
            attribute("edgeExternalIdentifierDataHavingLabel", .binary, [.optional]),
            attribute("nodeExternalIdentifierDataHavingLabel", .binary, [.optional]),
          ], uniquenessConstraints: [["code"], ["alias"]]),
        Entity(
          name: "CloudSharedComment",
          properties: [
            attribute("cloudDeleteState", .integer16, [.kept]),
            relationship(
              "cloudFeedCommentEntry", "CloudFeedCommentsEntry", 1, 1, inverse: "entryComments", [.optional]),
            relationship(
              "cloudFeedLikeCommentEntry", "CloudFeedCommentsEntry", 1, 1, inverse: "entryLikeComments", [.optional]),
            attribute("cloudGUID", .string, [.optional, .kept]), attribute("cloudLocalState", .integer16),
            attribute("commentClientDate", .date, [.optional]), attribute("commentDate", .date, [.optional]),
            attribute("commentText", .string, [.optional]), attribute("commentType", .string, [.optional]),
            relationship("commentedAsset", "Asset", 1, 1, inverse: "cloudComments", [.optional]),
            attribute("commenterHashedPersonID", .string, [.optional]),
            attribute("isBatchComment", .boolean, [.optional]), attribute("isCaption", .boolean, [.optional]),
            attribute("isDeletable", .boolean, [.optional]), attribute("isLike", .boolean, [.optional, .kept]),
            attribute("isMyComment", .boolean, [.optional]),
            relationship("likedAsset", "Asset", 1, 1, inverse: "likeComments", [.optional]),
            relationship("shareParticipant", "ShareParticipant", 0, 1, inverse: "collectionShareComments", [.optional]),
          ], versionHashModifier: "11066"),
      ],
      hashes: [
        "GraphLabel": "201e820c6a7a72d7eed9cc9f2f911973e2b3187be0184b2f49b7ab9efd635190",
        "CloudSharedComment": "ab62c926cff394a58272f0b9c7fca2c004f8ea3b89c31e5f6a759acb5e7bb727",
      ]),
    RealModel(
      "preloadedCocktails.store (MatthewHunt84/MetaCocktailsSwiftData), SwiftData",
      entities: [
        Entity(
          name: "Ingredient",
          properties: [
            attribute("id", .uuid), relationship("ingredientBase", "IngredientBase", 0, 1),
            composite("unit", [attribute("unit", .string, [.optional])]), attribute("value", .double),
          ]),
        Entity(
          name: "IngredientBase",
          properties: [
            attribute("baseCategory", .string), attribute("id", .uuid), attribute("info", .string, [.optional]),
            attribute("isCustom", .boolean), attribute("name", .string),
            composite(
              "prep",
              [
                attribute("id", .uuid, [.optional]), attribute("prepIngredientName", .string, [.optional]),
                attribute("prepRecipe", .binary, [.optional]),
              ], [.optional]), attribute("specialtyCategory", .string),
            composite(
              "tags",
              [
                attribute("flavors", .binary, [.optional]), attribute("profiles", .binary, [.optional]),
                attribute("styles", .binary, [.optional]), attribute("booze", .binary, [.optional]),
                attribute("nA", .binary, [.optional]),
              ], [.optional]), attribute("umbrellaCategory", .string),
          ], uniquenessConstraints: [["name"]]),
      ],
      hashes: [
        "Ingredient": "4a3b9f32df42aee19eb186b6ad03ad57c96cd3fb4532671a4063da2002cfc61a",
        "IngredientBase": "a017653989a9a1b642674e178f21d0f983180ef6b26dc16736063535ab22e615",
      ]),
  ]
}

// MARK: - Short forms for properties

private enum Mark { case optional, transient, external, kept, ordered }

private func property(_ name: String, _ kind: Property.Kind, _ marks: [Mark], _ modifier: String?) -> Property {
  Property(
    name: name, isOptional: marks.contains(.optional), isTransient: marks.contains(.transient),
    versionHashModifier: modifier, kind: kind)
}

private func attribute(
  _ name: String, _ type: AttributeType, _ marks: [Mark] = [], modifier: String? = nil
) -> Property {
  let attribute = Attribute(
    type: type, allowsExternalStorage: marks.contains(.external), preservesValueInHistory: marks.contains(.kept))
  return property(name, .attribute(attribute), marks, modifier)
}

/// An expression is a key path, or the count of one: "count:(pages)".
private func derived(
  _ name: String, _ type: AttributeType, _ text: String, _ marks: [Mark] = [], modifier: String? = nil
) -> Property {
  let expression: Expression =
    text.hasPrefix("count:(")
    ? .function("count:", operand: nil, [.keyPath(String(text.dropFirst(7).dropLast()))]) : .keyPath(text)
  var derived = property(
    name, .attribute(Attribute(type: type, derivation: Derivation(expression: expression))), marks, modifier)
  derived.isReadOnly = true
  return derived
}

private func composite(
  _ name: String, _ elements: [Property], _ marks: [Mark] = [], modifier: String? = nil
) -> Property {
  property(name, .attribute(Attribute(type: .composite, elements: elements)), marks, modifier)
}

private func relationship(
  _ name: String, _ destination: String, _ minimum: Int32, _ maximum: Int32, inverse: String? = nil,
  _ marks: [Mark] = [], modifier: String? = nil
) -> Property {
  let relationship = Relationship(
    destination: destination, inverse: inverse, minimumCount: minimum, maximumCount: maximum,
    isOrdered: marks.contains(.ordered))
  return property(name, .relationship(relationship), marks, modifier)
}

private func fetched(_ name: String) -> Property {
  Property(name: name, isTransient: true, isReadOnly: true, kind: .fetched(FetchedProperty()))
}
