import StoreDataModel

/// A column of the result: a fact about every object that is shown.
package struct RowColumn: Sendable, Equatable {
  /// Its name: that of the property, "address.city" for a leaf of a composite attribute, "folder.name" for an attribute
  /// of what a to-one leads to. Names that begin with "_" are of the object itself and never of a property.
  package var name: String
  /// Its content.
  package var content: Content

  /// The kinds of content of a column.
  package enum Content: Sendable, Equatable {
    /// `Z_PK`.
    case key
    /// The name of the object's own entity.
    case entity
    /// `Z_OPT`, the number of times the object was saved.
    case version
    /// Whether the object is there: "live", or what is left of it, such as "deleted proved".
    case state
    /// The state of its record in CloudKit: "uploaded", "waiting", "to be deleted" or "none".
    case cloudKit
    /// The name of that record.
    case recordName
    /// Where it comes from, as the history of a mirrored store tells: "import" or "here".
    case origin
    /// Values of an attribute, or of one leaf.
    case attribute(AttributeType)
    /// The key of one object of the destination.
    case toOne(destination: String?)
    /// The keys of any number of objects of the destination, in order if it is ordered.
    case toMany(destination: String?, isOrdered: Bool)
    /// A column of a table that no model describes, as stored.
    case stored
  }

  /// `Z_PK`, under the name `_key`.
  package static let key = RowColumn(name: "_key", content: .key)
  /// The entity's name, `_entity`.
  static let entity = RowColumn(name: "_entity", content: .entity)
  /// `Z_OPT`, `_version`.
  static let version = RowColumn(name: "_version", content: .version)

  /// `_state`.
  static let state = RowColumn(name: "_state", content: .state)

  /// The columns about CloudKit: `_cloudkit`, `_record` and `_origin`.
  static let ofCloudKit = [
    RowColumn(name: "_cloudkit", content: .cloudKit), RowColumn(name: "_record", content: .recordName),
    RowColumn(name: "_origin", content: .origin),
  ]

  /// Whether it is a to-many relationship.
  package var isToMany: Bool { if case .toMany = content { true } else { false } }

  /// The type in words, as Xcode has them: "String", "to-one Folder".
  package var typeName: String {
    switch content {
    case .key: "key"
    case .entity: "entity"
    case .version: "version"
    case .state: "state"
    case .cloudKit: "CloudKit state"
    case .recordName: "record name"
    case .origin: "origin"
    case .attribute(let type): type.name
    case .toOne(let destination): "to-one \(destination ?? "?")"
    case .toMany(let destination, let isOrdered): "\(isOrdered ? "ordered " : "")to-many \(destination ?? "?")"
    case .stored: "stored"
    }
  }
}
