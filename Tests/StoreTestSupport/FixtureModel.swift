import StoreModels
import StoreDataModel
import StoreSQLite
import TestSupport
import Testing

/// A bundled model with a few changes, as fixtures name it.
package enum FixtureModel {
  /// "Notes.sqlite; without Tag; Note.title is Binary".
  package static func read(_ text: String, name: String) throws -> ModelSource {
    let parts = text.split(separator: ";").map { $0.trimmingPrefix(" ") }
    let source = try readModel(PosixPath(Project.path("corpus/" + parts[0])))
    guard parts.count > 1 else { return source }
    var model = try source.decidingVersion().model
    for part in parts.dropFirst() { model = try changed(model, String(part)) }
    let document = try ModelDocument(versions: [.init(name: name, model: model)])
    return try ModelSource.read(Array(document.json().text.utf8), path: "\(name).json")
  }

  private static func changed(_ model: Model, _ change: String) throws -> Model {
    let words = change.split(separator: " ", maxSplits: 1).map(String.init)
    let names = Set(words[1].split(separator: ",").map { String($0.trimmingPrefix(" ")) })
    var entities = model.entities
    switch words[0] {
    case "only": entities.removeAll { !names.contains($0.name) }
    case "without": entities.removeAll { names.contains($0.name) }
    case "drop": drop(names, &entities)
    default:
      let place = words[0].split(separator: ".").map(String.init)
      let entity = try #require(entities.firstIndex { $0.name == place[0] })
      let property = try #require(entities[entity].properties.firstIndex { $0.name == place[1] })
      if words[1].hasPrefix("renamed ") {
        entities[entity].properties[property].name = String(words[1].trimmingPrefix("renamed "))
        entities[entity].properties[property].renamingIdentifier = place[1]
      } else {
        let type = try #require(AttributeType(named: String(words[1].trimmingPrefix("is "))))
        entities[entity].properties[property].kind = .attribute(Attribute(type: type))
      }
    }
    return try Model(entities: entities, versionIdentifiers: model.versionIdentifiers)
  }

  /// Removes properties; relationships whose inverse is removed have none then.
  private static func drop(_ places: Set<String>, _ entities: inout [Entity]) {
    for place in entities.indices {
      var entity = entities[place]
      let name = entity.name
      entity.properties.removeAll { places.contains("\(name).\($0.name)") }
      for property in entity.properties.indices {
        guard var relationship = entity.properties[property].relationship, let inverse = relationship.inverse,
          places.contains("\(relationship.destination).\(inverse)")
        else { continue }
        relationship.inverse = nil
        entity.properties[property].kind = .relationship(relationship)
      }
      entities[place] = entity
    }
  }
}
