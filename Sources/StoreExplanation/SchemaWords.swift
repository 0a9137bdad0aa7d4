import StoreFindings
import StoreCoreData
import StoreDataModel
import StoreWords

/// Describes the tables and columns of a store in terms of its model.
struct SchemaWords {
  private let store: Store

  /// The meaning of a column.
  struct Meaning {
    /// "attribute Note.title", "relationship Note.folder to Folder".
    var words: String
    /// The to-one relationship whose keys it holds.
    var relationship: RelationshipLayout?
    /// The entity that declares it.
    var entity: String
  }

  private let meanings: [LoggedStatement.Column: Meaning]

  init(_ store: Store) {
    self.store = store
    var meanings: [LoggedStatement.Column: Meaning] = [:]
    func add(
      _ words: String, table: String, column: String?, entity: String, relationship: RelationshipLayout? = nil
    ) {
      guard let column else { return }
      let place = LoggedStatement.Column(table: table, name: column)
      if meanings[place] == nil { meanings[place] = Meaning(words: words, relationship: relationship, entity: entity) }
    }
    for entity in store.layout.entities {
      for attribute in entity.attributes {
        for column in attribute.columns {
          let name = ([attribute.declaredBy, attribute.property.name] + column.leaf).joined(separator: ".")
          add("attribute \(name)", table: entity.table, column: column.name, entity: attribute.declaredBy)
        }
      }
      for relationship in entity.relationships {
        let name = "\(relationship.declaredBy).\(relationship.name)"
        switch relationship.storage {
        case .key(let column, let companion, let orderKey):
          add(
            "relationship \(relationship.words)", table: entity.table, column: column, entity: relationship.declaredBy,
            relationship: relationship)
          add(
            "the entity number of what \(name) leads to", table: entity.table, column: companion,
            entity: relationship.declaredBy)
          add(
            "the object's place in \(relationship.inverseWords)", table: entity.table, column: orderKey,
            entity: relationship.declaredBy)
        case .hiddenKey(let table, let column, let orderKey):
          add(
            "relationship \(relationship.words), without inverse", table: table, column: column,
            entity: relationship.declaredBy, relationship: relationship)
          add("the object's place in \(name)", table: table, column: orderKey, entity: relationship.declaredBy)
        case .inverseKey, .joinTable, .none: break
        }
      }
    }
    for join in store.layout.joinTables {
      for end in [join.source, join.destination] {
        add(
          "the key of the \(end.entity) whose \(end.relationship) has the link", table: join.name, column: end.column,
          entity: end.entity)
        add(
          "the link's place in \(end.entity).\(end.relationship)", table: join.name, column: end.orderColumn,
          entity: end.entity)
      }
    }
    self.meanings = meanings
  }

  /// The meaning of a column; nil if no property of the store's model explains it.
  func meaning(of column: LoggedStatement.Column) -> Meaning? { meanings[column] }

  /// The entity, or entities, whose rows are in a table; nil for other tables.
  func entities(of table: String) -> String? {
    let names = store.layout.entities.filter { $0.table == table && !$0.id.isInternal }
      .sorted { ($0.parent == nil ? 0 : 1, $0.id) < ($1.parent == nil ? 0 : 1, $1.id) }.map { $0.modelName ?? $0.name }
    return names.isEmpty ? nil : named(names)
  }

  /// The relationships whose links are in a table: "Note.tags and Tag.notes".
  func links(in table: String) -> String? {
    store.layout.joinTables.first { $0.name == table }.map { join in
      var names = [join.source, join.destination].map { "\($0.entity).\($0.relationship)" }
      if names[0] == names[1] { names.removeLast() }
      return names.joined(separator: " and ")
    }
  }

  /// The relationship that Core Data follows by a column of a join table: "Note.tags".
  func relationship(linkedBy column: LoggedStatement.Column) -> String? {
    let join = store.layout.joinTables.first { $0.name == column.table }
    let end = join.flatMap { join in [join.source, join.destination].first { $0.column == column.name } }
    return end.map { "\($0.entity).\($0.relationship)" }
  }

  /// The purpose of a table of Core Data itself; nil for other tables.
  static func ownTable(_ table: String) -> String? {
    let name = table.uppercased()
    return switch OwnTable(name) {
    case .metadata: "the store's metadata: UUID, version hashes"
    case .entityMap: "the entities' numbers, and the highest key of each"
    case .modelCache: "the model, kept in the store"
    case .history: "persistent history"
    case .mirroring: "CloudKit mirroring"
    case nil where ["SQLITE_MASTER", "SQLITE_SCHEMA"].contains(name): "SQLite's list of tables and indexes"
    case nil where name.hasPrefix("_Z_INTARRAY"): "keys that are handed to a query, kept nowhere"
    case nil where name.hasPrefix("Z_RT_"): "the index of places of an entity"
    case nil: nil
    }
  }

  /// The purpose of a column that Core Data adds to every entity's table; nil for other columns.
  static func ownColumn(_ column: String) -> String? {
    switch column.uppercased() {
    case "Z_PK": "the object's key"
    case "Z_ENT": "the number of the object's entity"
    case "Z_OPT": "how often the object was saved, by which a save notices that somebody else changed it"
    default: nil
    }
  }

  /// Why the store lacks something, as far as its model tells.
  func reasonForLack(of object: Lacking.Object) -> String {
    guard store.model != nil else { return "without a model nobody knows whether it should be there" }
    if let lacking = store.layout.lacking.first(where: { $0.object == object }) {
      let place = [lacking.entity, lacking.property].compactMap(\.self).joined(separator: ".")
      let check =
        switch object {
        case .table: CheckID.missingTable
        case .column: CheckID.missingColumn
        case .joinTable: CheckID.missingJoinTable
        }
      return "although the store's model has \(quoted(place)) (\(check.rawValue))"
    }
    return
      "nothing in the store's model asks for it: the app that printed this has another model (SD801), or a migration "
      + "had not added it yet, or has dropped it since"
  }
}

extension RelationshipLayout {
  /// "Note.folder to Folder, inverse of Folder.notes".
  fileprivate var words: String {
    let target = destination.map { " to \(isToMany ? "many " : "")\($0)" } ?? ""
    let back = inverse == nil ? "" : ", inverse of \(inverseWords)"
    return "\(declaredBy).\(name)\(target)\(back)"
  }

  /// "Folder.notes".
  var inverseWords: String { [destination, inverse].compactMap(\.self).joined(separator: ".") }
}

/// "Note", "Note and Checklist", "Note, Checklist and 3 others".
private func named(_ names: [String]) -> String {
  let shown = names.count > 4 ? Array(names.prefix(3)) + ["\(names.count - 3) others"] : names
  guard let last = shown.last, shown.count > 1 else { return shown.first ?? "" }
  return shown.dropLast().joined(separator: ", ") + " and " + last
}
