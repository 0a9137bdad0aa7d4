import StoreDigests
import StoreJSON
import StoreText
import StoreDataModel
import StoreGenerator
import Testing

/// The hashes of a real store, `CoreDataMigration_Example_1.sqlite` (wibosco/CoreDataMigration-Example, MIT): one
/// entity with three optional attributes.
@Suite struct VersionHashTests {
  private let post = Entity(
    name: "Post",
    properties: [.attribute("color", .string), .attribute("date", .date), .attribute("postID", .string)])

  @Test func equalsTheWorkedExample() throws {
    let hashes = try Model(entities: [post]).versionHashes
    #expect(
      hashes.byEntity["Post"]?.description == "b9f1d1b43446f1ad118ca4a03e226e05f98c899c98b524c13f02f6514ded5e80")
    #expect(
      base64(hashes.digest)
        == "d8cX9OpsHm20PKtiaU9T8VvAe6o/DssnqlIdrzt5IZrUeM1KaAU6p64yLAYYIiKMkOoO23GhfePUqVTvNUDC+A==")
    #expect(base64(hashes.checksum) == "a+8jCKAKKwc9kGZsnEGCjO2xVIIxBAiRd/5T6wHi9c4=")
  }

  /// Not in the order of the model.
  @Test func theChecksumIsOfAllHashesByName() throws {
    let hashes = try Model(entities: [post, Entity(name: "Author")]).versionHashes
    let (author, other) = (try #require(hashes.byEntity["Author"]), try #require(hashes.byEntity["Post"]))
    #expect(hashes.checksum == Digests.sha256(author.bytes + other.bytes))
    #expect(hashes.digest == Digests.sha512(Array("Author".utf8) + author.bytes + Array("Post".utf8) + other.bytes))
  }

  @Test func doesNotDependOnTheOrderOfTheSource() throws {
    var reversed = post
    reversed.properties.reverse()
    #expect(try Model(entities: [reversed]).versionHashes == Model(entities: [post]).versionHashes)
  }

  @Test func ignoresWhatIsNotHashed() throws {
    var changed = post
    changed.className = "MyPost"
    changed.indexes = [FetchIndex(name: "byDate", elements: [.init("date")])]
    changed.compoundIndexes = [["date", "color"]]
    changed.renamingIdentifier = "OldPost"
    changed.properties.append(.attribute("cached", .string, transient: true))
    changed.properties[0] = .attribute("color", .string) {
      $0.defaultValue = .string("red")
      $0.isIndexed = true
      $0.valueClassName = "NSString"
    }
    #expect(try Model(entities: [changed]).versionHashes == Model(entities: [post]).versionHashes)
  }

  @Test(arguments: [
    Entity(name: "Post", isAbstract: true), Entity(name: "Post", versionHashModifier: "2"),
    Entity(name: "Post", uniquenessConstraints: [["color"]]),
  ])
  func changesWithWhatIsHashed(_ change: Entity) throws {
    var changed = change
    changed.properties = post.properties
    #expect(try Model(entities: [changed]).versionHashes != Model(entities: [post]).versionHashes)
  }

  /// Each flag of a property has its own bit.
  @Test func aReadOnlyAttributeHasAnotherHash() throws {
    var changed = post
    changed.properties[0].isReadOnly = true
    let model = try Model(entities: [changed])
    #expect(try model.versionHashes != Model(entities: [post]).versionHashes)
    #expect(model.versionHashes.byEntity["Post"]?.bytes == ReferenceHash(model).hash(of: changed))
  }

  @Test func saysWhichUnprovenRulesAHashRestsOn() throws {
    var changed = post
    changed.properties.append(.attribute("größe", .integer16))
    changed.properties.append(
      .attribute("photo", .binary) {
        $0.allowsExternalStorage = true
        $0.preservesValueInHistory = true
      })
    #expect(try Model(entities: [post]).unprovenRules(of: "Post") == [])
    #expect(try Model(entities: [changed]).unprovenRules(of: "Post") == [.bothMarks, .nonASCIIName])
  }
}
