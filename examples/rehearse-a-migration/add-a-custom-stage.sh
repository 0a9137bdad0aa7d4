# The notes are there again, and the last stage has code of the app.
sed -i.old 's/^  var position: Int = 0$/&\
  var notes: String = ""/' Sources/Models/Trip.swift && rm Sources/Models/Trip.swift.old
sed -i.old 's/.lightweight(fromVersion: TripsV2.self, toVersion: TripsV3.self),/.custom(\
        fromVersion: TripsV2.self, toVersion: TripsV3.self, willMigrate: nil,\
        didMigrate: { context in\
          for trip in try context.fetch(FetchDescriptor<Trip>()) { trip.budget = 100 }\
          try context.save()\
        }),/' Sources/Models/TripsPlan.swift && rm Sources/Models/TripsPlan.swift.old
