import Foundation
import SwiftData

/// Release 2.0.
enum TripsV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }

  @Model final class Trip {
    var name: String
    var startDate: Date?
    var isArchived: Bool = false
    @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []

    init(name: String) { self.name = name }
  }

  @Model final class Stop {
    var place: String
    var position: Int = 0
    var notes: String = ""
    var trip: Trip?

    init(place: String) { self.place = place }
  }
}
