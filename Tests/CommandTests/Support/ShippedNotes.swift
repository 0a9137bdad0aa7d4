import Foundation
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

  /// A model whose last version is thought to migrate, which nobody has seen: a Boolean becomes an Integer 32. It has a new
  /// constraint too.
  static func withWiderNumbers(in folder: TemporaryFolder) throws -> String {
    let path = folder("Notes.xcdatamodeld")
    try FileManager.default.copyItem(atPath: Project.path("examples/mend-then-ship/Notes.xcdatamodeld"), toPath: path)
    let contents = "\(path)/Notes 3.xcdatamodel/contents"
    let text = try String(contentsOfFile: contents, encoding: .utf8)
    let wider = text.replacing(
      "name=\"isPinned\" attributeType=\"Boolean\"", with: "name=\"isPinned\" attributeType=\"Integer 32\"")
    #expect(wider != text)
    try wider.write(toFile: contents, atomically: true, encoding: .utf8)
    return path
  }
}
