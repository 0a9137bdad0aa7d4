import StoreDataModel

/// A SwiftData app whose classes are in `corpus/Trips/Models`, with the stores of its releases. The models are written
/// here a second time, so that the stores do not depend on how the source is read.
extension SampleModels {
  /// The app's builds that made a store.
  package enum TripsBuild: String, CaseIterable, Sendable {
    /// Made with `TripsV1`.
    case release1 = "1.0.store"
    /// Made with `TripsV2`.
    case release2 = "2.0.store"
    /// Made with `TripsV2` after somebody added `Trip.rating` to it.
    case editedRelease2 = "2.1-beta.store"
  }

  /// The model that SwiftData builds from the classes of a build.
  package static func trips(_ build: TripsBuild) throws -> Model {
    var trip = Entity(
      name: "Trip",
      properties: [
        .attribute("name", .string, optional: false), .attribute("startDate", .date),
        .toMany("stops", "Stop", inverse: "trip", optional: false, deleteRule: .cascade),
      ])
    var stop = Entity(
      name: "Stop",
      properties: [
        .attribute("place", .string, optional: false),
        .attribute("position", .integer64, optional: false) { $0.defaultValue = .integer(0) },
        .toOne("trip", "Trip", inverse: "stops"),
      ])
    if build != .release1 {
      trip.properties.append(.attribute("isArchived", .boolean, optional: false) { $0.defaultValue = .boolean(false) })
      stop.properties.append(.attribute("notes", .string, optional: false) { $0.defaultValue = .string("") })
    }
    if build == .editedRelease2 {
      trip.properties.append(.attribute("rating", .integer64, optional: false) { $0.defaultValue = .integer(0) })
    }
    return try Model(entities: [stop, trip], versionIdentifiers: [build == .release1 ? "1.0.0" : "2.0.0"])
  }
}

extension SampleStores {
  /// The store of a build: 2 trips with 3 stops.
  package static func writeTrips(of build: SampleModels.TripsBuild, to path: String) throws {
    let model = try SampleModels.trips(build)
    let store = try StoreWriter(
      creating: path,
      StoreDescription(
        model: model, framework: 1526, uuid: "5C0FFEE0-0000-4000-8000-0000000071B5", usesWAL: false))
    for (number, (name, places)) in [("Lakes", ["Como", "Lugano"]), ("Harbours", ["Bergen"])].enumerated() {
      let startDate = StoredValue.date(770_000_000 + Double(number) * 86_400)
      var values: [String: StoredValue] = ["name": .text(name), "startDate": startDate]
      if build != .release1 { values["isArchived"] = .integer(0) }
      if build == .editedRelease2 { values["rating"] = .integer(5) }
      let trip = try store.insert("Trip", values)
      for (position, place) in places.enumerated() {
        var values: [String: StoredValue] = ["place": .text(place), "position": .integer(Int64(position))]
        if build != .release1 { values["notes"] = .text("") }
        try store.link(trip, "stops", to: try store.insert("Stop", values))
      }
    }
    try store.finish()
  }
}
