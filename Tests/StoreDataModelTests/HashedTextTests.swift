import TestSupport
import Testing

@testable import StoreDataModel

/// The text of an entity contains exactly what is hashed: equal texts have equal hashes.
@Suite struct HashedTextTests {
  @Test(.needsSharedData) func wordsAndHashesOfAllVectorsGoTogether() throws {
    var pairs = Pairs()
    for file in try VersionHashVector.files() { pairs.add(try VersionHashVector(file: file).makeModel()) }
    #expect(pairs.wordsWithTwoHashes == [])
    #expect(pairs.hashesWithTwoWords == [])
    #expect(pairs.count > 2_000)
  }

  @Test func wordsAndHashesOfRandomModelsGoTogether() throws {
    var pairs = Pairs()
    for seed in UInt64(0)..<200 { pairs.add(try RandomModel.make(seed: seed)) }
    #expect(pairs.wordsWithTwoHashes == [])
    #expect(pairs.hashesWithTwoWords == [])
    #expect(pairs.count > 500)
  }

  @Test func readsLikeADescription() throws {
    let model = try Model(entities: [
      Entity(name: "Base", isAbstract: true, versionHashModifier: "2"),
      Entity(
        name: "Note", parent: "Base",
        properties: [
          Property(name: "cover", kind: .attribute(Attribute(type: .binary, allowsExternalStorage: true))),
          Property(
            name: "next", isOptional: true,
            kind: .relationship(Relationship(destination: "Note", inverse: "next", maximumCount: 1))),
          Property(
            name: "parts", isOptional: true,
            kind: .relationship(Relationship(destination: "Note", minimumCount: 2, maximumCount: 5, isOrdered: true))),
          Property(name: "shown", isTransient: true, kind: .attribute(Attribute(type: .undefined))),
        ], uniquenessConstraints: [["cover", "next"], ["cover"]]),
    ])
    #expect(model.hashedText(of: "Base")?.entity == "abstract, modifier '2'")
    let note = try #require(model.hashedText(of: "Note"))
    #expect(note.entity == "parent Base, unique [cover] [cover.next]")
    #expect(
      note.properties.mapValues(\.text) == [
        "cover": "Binary, required, external storage", "next": "to one Note, its own inverse, optional",
        "parts": "to many Note, at least 2, at most 5, ordered, optional",
      ])
  }
}

extension HashedTextTests {
  @Test(arguments: [nil, "2", "a, required; zip: b"])
  func membersOfACompositeAreReadBackFromItsText(modifier: String?) throws {
    let home = Attribute(
      type: .composite,
      elements: [
        Property(
          name: "zip", isOptional: true, versionHashModifier: modifier, kind: .attribute(Attribute(type: .string))),
        Property(name: "city", kind: .attribute(Attribute(type: .string))),
      ])
    let model = try Model(entities: [
      Entity(name: "Person", properties: [Property(name: "home", kind: .attribute(home))])
    ])
    let text = try #require(model.hashedText(of: "Person")?.properties["home"])
    let suffix = modifier.map { ", modifier '\($0)'" } ?? ""
    #expect(text.text == "composite {city: String, required; zip: String, optional\(suffix)}")
    #expect(
      text.members == [
        "city": .init(text: "String, required", isRequired: true),
        "zip": .init(text: "String, optional\(suffix)", isRequired: false),
      ])
    // A text in which a modifier reads like a member says nothing of the members, rather than something wrong.
    #expect(HashedText.Property(text.text).members == (modifier?.contains(";") == true ? nil : text.members))
  }
}

/// The hashes for each text, and the texts for each hash, over many models. A name belongs to both.
private struct Pairs {
  private var hashes: [[String]: Set<String>] = [:]
  private var words: [[String]: Set<String>] = [:]

  var count: Int { hashes.count }
  var wordsWithTwoHashes: [[String]] { hashes.filter { $0.value.count > 1 }.map(\.key) }
  var hashesWithTwoWords: [[String]] { words.filter { $0.value.count > 1 }.map { $0.key + $0.value.sorted() } }

  mutating func add(_ model: Model) {
    let versions = model.versionHashes
    for entity in model.entities {
      guard let text = model.hashedText(of: entity.name) else { continue }
      for (name, hash) in model.propertyHashes(of: entity.name) {
        add(name, text.properties[name]?.text ?? "", hash.description)
      }
      // The parent's hash enters its children's.
      let parent = entity.parent.flatMap { versions.byEntity[$0]?.description } ?? ""
      let all = text.properties.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text)" }
      // Not the other way round: the names of derived and composite attributes are in the text, but are not hashed.
      hashes[[entity.name, text.entity, parent] + all, default: []].insert(
        versions.byEntity[entity.name]?.description ?? "")
    }
  }

  private mutating func add(_ name: String, _ text: String, _ hash: String) {
    hashes[[name, text], default: []].insert(hash)
    // External storage and preservation after deletion each add the same byte, so their hashes are equal.
    words[[name, hash], default: []].insert(text.replacing("preserved after deletion", with: "external storage"))
  }
}
