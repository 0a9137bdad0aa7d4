import SwiftData

/// The next release: the classes that the app uses today.
enum TripsV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
}
