import StoreDataModel
import StoreGenerator
import TestSupport
import Testing

/// Models in all spellings, some with faults: they are read as intended, faults are listed, and none is rejected.
@Suite struct XcodeSpellingTests {
  @Test func readsRandomModels() throws {
    var (unreadable, faulty) = (0, 0)
    for seed in LongRuns.seeds(500, whole: 20_000) {
      let spelled = XcodeSpelledModel(seed: seed)
      let xcode = try XcodeModel(Array(spelled.text.utf8))
      let model = xcode.model
      var found: [String: (String, DefaultValue?)] = [:]
      var renamed: [String: String] = [:]
      var relationships: [String: (String, String?)] = [:]
      for entity in model.entities {
        renamed[entity.name] = entity.renamingIdentifier
        for property in entity.properties {
          let place = "\(entity.name).\(property.name)"
          renamed[place] = property.renamingIdentifier
          if let attribute = property.attribute { found[place] = (attribute.type.name, attribute.defaultValue) }
          if let relationship = property.relationship {
            relationships[place] = (relationship.destination, relationship.inverse)
          }
        }
      }
      #expect(found.keys.sorted() == spelled.attributes.keys.sorted(), "seed \(seed)")
      for (place, expected) in spelled.attributes {
        #expect(found[place]?.0 == expected.type && found[place]?.1 == expected.value, "seed \(seed): \(place)")
      }
      #expect(renamed == spelled.renamed, "seed \(seed)")
      #expect(relationships.keys.sorted() == spelled.relationships.keys.sorted(), "seed \(seed)")
      for (place, expected) in spelled.relationships {
        #expect(relationships[place]?.0 == expected.destination, "seed \(seed): \(place)")
        #expect(relationships[place]?.1 == expected.inverse, "seed \(seed): \(place)")
      }
      #expect(model.faults.map(\.description).sorted() == spelled.faults, "seed \(seed)")
      // An unreadable default is listed as unknown too.
      let places = spelled.attributes.filter { $0.value.value?.isUnreadable == true }.map(\.key).sorted()
      #expect(xcode.unknown.map(\.place).sorted() == places, "seed \(seed)")
      // Faults and defaults survive both forms, JSON and XML.
      let document = try ModelDocument(versions: [.init(name: "v", model: model)])
      #expect(try ModelDocument(Array(document.json().text.utf8)).versions[0].model == model, "seed \(seed)")
      let written = XcodeModelWriter(model)
      #expect(written.lost == [], "seed \(seed)")
      #expect(try XcodeModel(Array(written.text.utf8)).model == model, "seed \(seed)")
      unreadable += places.count
      faulty += spelled.faults.isEmpty ? 0 : 1
    }
    #expect(unreadable > 100 && faulty > 100, "the models are of use")
  }

  /// Only the name of an inverse is hashed; what the other end states does not matter.
  @Test func hashesDoNotDependOnWhatTheOtherEndStates() throws {
    func hash(_ other: String) throws -> VersionHash? {
      let text = """
        <model><entity name='A'><relationship name='b' optional='YES' maxCount='1' destinationEntity='B' inverseName='a'/>
        </entity><entity name='B'>\(other)</entity></model>
        """
      return try XcodeModel(Array(text.utf8)).model.versionHashes.byEntity["A"]
    }
    let sound = try hash("<relationship name='a' optional='YES' destinationEntity='A' inverseName='b'/>")
    #expect(sound != nil)
    #expect(try hash("<relationship name='a' optional='YES' destinationEntity='A' inverseName='c'/>") == sound)
    #expect(try hash("<relationship name='a' optional='YES' destinationEntity='A'/>") == sound)
    #expect(try hash("") == sound)
  }

  /// JSON documents of earlier versions have `elementID` and unparsed defaults among the source fields.
  @Test func takesTheRenamingIdentifierFromDocumentsOfEarlierBuilds() throws {
    let text = """
      {"schema": "storedoctor.model/1", "versions": [{"name": "1", "model": {"entities": [
        {"name": "LuxuryCar", "sourceFields": {"elementID": "ExpensiveSportCar", "syncable": "YES"},
         "attributes": [
           {"name": "muted", "type": "Integer 32", "sourceFields": {"defaultValueString": "NO"}},
           {"name": "kept", "type": "String", "renamingIdentifier": "x", "sourceFields": {"elementID": "kept"}},
           {"name": "when", "type": "Date", "sourceFields": {"defaultDateTimeInterval": "today"}},
           {"name": "price", "type": "Decimal", "default": {"decimal": "12.50"}}],
         "relationships": [
           {"name": "owner", "destination": "LuxuryCar", "maximumCount": 1, "sourceFields": {"elementID": "driver"}}]}]}}]}
      """
    let entity = try ModelDocument(Array(text.utf8)).versions[0].model.entities[0]
    #expect(entity.renamingIdentifier == "ExpensiveSportCar" && entity.sourceFields == ["syncable": "YES"])
    #expect(entity.property(named: "muted")?.attribute?.defaultValue == .integer(0))
    #expect(entity.property(named: "kept")?.renamingIdentifier == nil)
    #expect(entity.property(named: "when")?.attribute?.defaultValue == .unreadable("today"))
    #expect(entity.property(named: "price")?.attribute?.defaultValue == .decimal("12.5"))
    #expect(entity.property(named: "owner")?.renamingIdentifier == "driver")
    #expect(entity.properties.allSatisfy { $0.sourceFields.isEmpty })
    let written = try XcodeModelWriter(Model(entities: [entity]))
    #expect(written.text.contains("elementID=\"ExpensiveSportCar\"") && written.text.contains("elementID=\"driver\""))
  }
}
