import StoreDataModel
import StoreGenerator

/// A model of trips with every kind of relationship.
enum TripModel {
  /// - Parameter change: changes the entities for a test.
  static func model(_ change: (inout [Entity]) -> Void = { _ in }) throws -> Model {
    var entities = [
      Entity(
        name: "Country",
        properties: [.attribute("name", .string), .toMany("trips", "Trip", inverse: "country", deleteRule: .deny)]),
      Entity(
        name: "Note",
        properties: [
          .attribute("text", .string), .toOne("trip", "Trip", inverse: "notes"),
          .toMany("answers", "Note", inverse: "question", deleteRule: .cascade),
          .toOne("question", "Note", inverse: "answers"),
        ]),
      Entity(name: "Photo", properties: [.attribute("data", .binary) { $0.allowsExternalStorage = true }]),
      Entity(
        name: "Tag",
        properties: [.attribute("name", .string), .toMany("trips", "Trip", inverse: "tags", ordered: true)]),
      Entity(
        name: "Ticket",
        properties: [.attribute("number", .string), .toOne("trip", "Trip", inverse: "ticket")]),
      Entity(
        name: "Trip",
        properties: [
          .attribute("name", .string), .attribute("place", .string), .attribute("updatedAt", .date),
          .composite("size", [.attribute("days", .integer32), .attribute("people", .integer32)]),
          .toOne("country", "Country", inverse: "trips"),
          .toMany("notes", "Note", inverse: "trip", ordered: true, deleteRule: .cascade),
          .toMany("photos", "Photo", deleteRule: .cascade), .toMany("related", "Trip", inverse: "related"),
          .toMany("tags", "Tag", inverse: "trips", ordered: true), .toOne("ticket", "Ticket", inverse: "trip"),
        ]),
      Entity(name: "Cruise", parent: "Trip", properties: [.attribute("rating", .string)]),
      Entity(name: "Hike", parent: "Trip", properties: [.attribute("rating", .integer32)]),
    ]
    change(&entities)
    return try Model(entities: entities)
  }
}

extension [Entity] {
  /// Changes a property of an entity.
  mutating func change(_ entity: String, _ property: String, _ change: (inout Property) -> Void) {
    guard let place = firstIndex(where: { $0.name == entity }),
      let index = self[place].properties.firstIndex(where: { $0.name == property })
    else { return }
    change(&self[place].properties[index])
  }

  /// Changes what a relationship says.
  mutating func changeRelationship(_ entity: String, _ property: String, _ change: (inout Relationship) -> Void) {
    self.change(entity, property) { property in
      guard case .relationship(var relationship) = property.kind else { return }
      change(&relationship)
      property.kind = .relationship(relationship)
    }
  }
}
