import StoreDataModel

// Short notations for the properties of a model.
extension Property {
  /// An attribute.
  package static func attribute(
    _ name: String, _ type: AttributeType, optional: Bool = true, transient: Bool = false,
    configure: (inout Attribute) -> Void = { _ in }
  ) -> Property {
    var attribute = Attribute(type: type)
    configure(&attribute)
    return Property(
      name: name, isOptional: optional, isTransient: transient, isReadOnly: attribute.derivation != nil,
      kind: .attribute(attribute))
  }

  /// A to-one relationship.
  package static func toOne(
    _ name: String, _ destination: String, inverse: String? = nil, optional: Bool = true,
    deleteRule: Relationship.DeleteRule = .nullify
  ) -> Property {
    Property(
      name: name, isOptional: optional,
      kind: .relationship(
        Relationship(
          destination: destination, inverse: inverse, minimumCount: optional ? 0 : 1, maximumCount: 1,
          deleteRule: deleteRule)))
  }

  /// A to-many relationship; a `count` of `n...(.max)` means at least n.
  package static func toMany(
    _ name: String, _ destination: String, inverse: String? = nil, count: ClosedRange<Int32> = 0...0,
    ordered: Bool = false, optional: Bool = true, deleteRule: Relationship.DeleteRule = .nullify
  ) -> Property {
    Property(
      name: name, isOptional: optional,
      kind: .relationship(
        Relationship(
          destination: destination, inverse: inverse, minimumCount: count.lowerBound,
          maximumCount: count.upperBound == .max ? 0 : count.upperBound, isOrdered: ordered, deleteRule: deleteRule)))
  }

  /// A composite attribute.
  package static func composite(_ name: String, _ elements: [Property]) -> Property {
    .attribute(name, .composite) { $0.elements = elements }
  }
}

/// Models of the project's own, for the bundled stores and for tests.
package enum SampleModels {
  /// A notes app: folders in folders, notes and checklists, tags on both, attachments in order.
  package static func notes() throws -> Model {
    try Model(
      entities: [
        Entity(
          name: "Attachment", className: "Attachment",
          properties: [
            .attribute("data", .binary) { $0.allowsExternalStorage = true },
            .attribute("fileName", .string, optional: false),
            .toOne("note", "Note", inverse: "attachments"),
          ]),
        Entity(
          name: "Checklist", parent: "Note", className: "Checklist",
          properties: [
            .attribute("done", .integer16, optional: false), .attribute("total", .integer16, optional: false),
          ]),
        Entity(
          name: "Folder", className: "Folder",
          properties: [
            .toMany("children", "Folder", inverse: "parent", deleteRule: .cascade),
            .attribute("name", .string, optional: false),
            .toMany("notes", "Note", inverse: "folder", deleteRule: .cascade),
            .toOne("parent", "Folder", inverse: "children"),
          ],
          uniquenessConstraints: [["name"]]),
        Entity(
          name: "Note", className: "Note",
          properties: [
            .toMany("attachments", "Attachment", inverse: "note", ordered: true, deleteRule: .cascade),
            .attribute("body", .string),
            .attribute("createdAt", .date, optional: false),
            .toOne("folder", "Folder", inverse: "notes"),
            .attribute("isPinned", .boolean, optional: false),
            .toMany("tags", "Tag", inverse: "notes"),
            .attribute("title", .string, optional: false),
            .attribute("uuid", .uuid) { $0.preservesValueInHistory = true },
          ],
          indexes: [FetchIndex(name: "byCreationDate", elements: [.init("createdAt", isAscending: false)])]),
        Entity(
          name: "Tag", className: "Tag",
          properties: [.attribute("name", .string, optional: false), .toMany("notes", "Note", inverse: "tags")],
          uniquenessConstraints: [["name"]]),
      ],
      versionIdentifiers: ["2"])
  }

  /// Everything that store layouts distinguish: deep inheritance, numbered columns, companions, order keys, hidden
  /// keys, ordered and reflexive many-to-many, composites, derived and transient attributes, an R-tree, every type.
  package static func shapes() throws -> Model {
    try Model(
      entities: [
        Entity(name: "Animal", isAbstract: true, properties: [.attribute("name", .string)]),
        Entity(
          name: "Bird", parent: "Animal",
          properties: [.attribute("span", .double), .attribute("weight", .integer32)]),
        Entity(
          name: "Cat", parent: "Animal",
          properties: [
            .toMany("friends", "Cat", inverse: "friends"), .attribute("weight", .double),
            .toOne("home", "House", inverse: "cats"),
          ]),
        Entity(name: "Kitten", parent: "Cat", properties: [.attribute("born", .date)]),
        Entity(
          name: "House",
          properties: [
            .attribute("address", .string), .toMany("cats", "Cat", inverse: "home", ordered: true),
            .attribute("location", .undefined, transient: true) { $0.locationComponents = ["latitude", "longitude"] },
            .attribute("latitude", .double), .attribute("longitude", .double),
            .toMany("neighbours", "House", inverse: "neighbourOf", ordered: true),
            .toMany("neighbourOf", "House", inverse: "neighbours"),
            .toMany("rooms", "Room"), .toOne("pet", "Animal", inverse: nil),
          ]),
        Entity(
          name: "Room",
          properties: [
            .composite(
              "size", [.attribute("width", .double), .attribute("depth", .double), .attribute("name", .string)]),
            .attribute("name", .string),
          ],
          compoundIndexes: [["name"]]),
        Entity(
          name: "Types",
          properties: [
            .attribute("binary", .binary), .attribute("boolean", .boolean), .attribute("date", .date),
            .attribute("decimal", .decimal), .attribute("double", .double), .attribute("float", .float),
            .attribute("integer16", .integer16), .attribute("integer32", .integer32),
            .attribute("integer64", .integer64), .attribute("nothing", .undefined, transient: true),
            .attribute("string", .string) { $0.defaultValue = .string("text") },
            .attribute("transformable", .transformable) {
              $0.valueTransformerName = "NSSecureUnarchiveFromDataTransformer"
            },
            .attribute("uri", .uri), .attribute("uuid", .uuid),
          ],
          uniquenessConstraints: [["integer64", "string"], ["uuid"]],
          indexes: [
            FetchIndex(
              name: "recent", elements: [.init("date", isAscending: false), .init("string")],
              partialPredicate: .comparison(.init(.keyPath("boolean"), .equal, .constant(.integer(1))))),
            FetchIndex(name: "self", elements: [.init("expression1", expression: .evaluatedObject)]),
          ]),
      ],
      versionIdentifiers: ["1.0.0"])
  }
}
