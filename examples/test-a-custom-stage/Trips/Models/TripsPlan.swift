import SwiftData

enum TripsPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] {
    [TripsV1.self, TripsV2.self, TripsV3.self]
  }

  static var stages: [MigrationStage] {
    [
      .lightweight(fromVersion: TripsV1.self, toVersion: TripsV2.self),
      .custom(
        fromVersion: TripsV2.self, toVersion: TripsV3.self, willMigrate: nil,
        didMigrate: { context in
          for trip in try context.fetch(FetchDescriptor<Trip>()) { trip.budget = 100 }
          try context.save()
        }),
    ]
  }
}
