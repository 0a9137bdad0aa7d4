import TestSupport
import Testing

/// Stores of an update that loses values: one as shipped, and one that the update migrated.
enum ShippedNotes {
  /// The update's model.
  static let model = Project.path("examples/what-a-migration-loses/Notes.xcdatamodeld")

  /// `Notes.sqlite`, which migrates, and `Migrated.sqlite`, which opens.
  static func stores() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let migrated = try Program.run(["migrate", store, "--model", model, "--output", folder("Migrated.sqlite")])
    #expect(migrated.status == 0, "\(migrated.errors)")
    return folder
  }
}
