import StoreDataModel

/// The versions of the notes model, as in an app's `.xcdatamodeld`: an earlier one, the one that `corpus/Notes.sqlite`
/// was made with, and the next one.
extension SampleModels {
  /// The versions by name, in order; the last is current.
  package static func notesVersions() throws -> [(name: String, model: Model)] {
    [("Notes", try firstNotes()), ("Notes 2", try notes()), ("Notes 3", try nextNotes())]
  }

  /// Before checklists, attachments, folders in folders and unique names.
  private static func firstNotes() throws -> Model {
    try Model(
      entities: [
        Entity(
          name: "Folder", className: "Folder",
          properties: [
            .attribute("name", .string, optional: false),
            .toMany("notes", "Note", inverse: "folder", deleteRule: .cascade),
          ]),
        Entity(
          name: "Note", className: "Note",
          properties: [
            .attribute("body", .string),
            .attribute("createdAt", .date, optional: false),
            .toOne("folder", "Folder", inverse: "notes"),
            .attribute("isPinned", .boolean, optional: false),
            .toMany("tags", "Tag", inverse: "notes"),
            .attribute("title", .string, optional: false),
          ]),
        Entity(
          name: "Tag", className: "Tag",
          properties: [.attribute("name", .string, optional: false), .toMany("notes", "Note", inverse: "tags")]),
      ],
      versionIdentifiers: ["1"])
  }

  /// Contains common mistakes: a required attribute without a default, so that migration fails as soon as there is a
  /// note; `body` renamed to `bodyText` without a renaming identifier, which loses its values; and `Attachment` renamed
  /// properly.
  private static func nextNotes() throws -> Model {
    let notes = try notes()
    var entities = notes.entities.filter { $0.name != "Attachment" }
    guard let note = entities.firstIndex(where: { $0.name == "Note" }),
      let tag = entities.firstIndex(where: { $0.name == "Tag" })
    else { return notes }
    entities[note].properties.removeAll { $0.name == "attachments" || $0.name == "body" }
    entities[note].properties += [
      .toMany("attachments", "Document", inverse: "note", ordered: true, deleteRule: .cascade),
      .attribute("modifiedAt", .date, optional: false),
      .attribute("bodyText", .string),
    ]
    entities[tag].properties.append(.attribute("color", .integer16, optional: false) { $0.defaultValue = .integer(0) })
    entities.append(
      Entity(
        name: "Document", className: "Document", properties: notes.entity(named: "Attachment")?.properties ?? [],
        renamingIdentifier: "Attachment"))
    return try Model(entities: entities, versionIdentifiers: ["3"])
  }
}
