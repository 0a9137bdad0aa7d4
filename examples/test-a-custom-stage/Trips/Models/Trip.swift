import Foundation
import SwiftData

@Model final class Trip {
  var name: String
  var startDate: Date?
  var isArchived: Bool = false
  var budget: Double?
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
