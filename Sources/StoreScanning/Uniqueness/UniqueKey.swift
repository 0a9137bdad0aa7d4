import StoreWords
import StoreDataModel
import StoreCoreData

/// Properties of an entity whose values together should be unique, as in `--unique Trip.name,startDate`.
package struct UniqueKey: Sendable, Hashable, CustomStringConvertible {
  /// The entity, by its name in `Z_PRIMARYKEY` or in the model.
  package var entity: String
  /// Attributes and to-one relationships.
  package var properties: [String]

  /// Properties of an entity.
  package init(entity: String, properties: [String]) {
    self.entity = entity
    self.properties = properties
  }

  /// Parses `Entity.a` or `Entity.a,b`; nil for anything else.
  package init?(_ text: String) {
    guard let dot = text.firstIndex(of: ".") else { return nil }
    let properties = text[text.index(after: dot)...].split(separator: ",", omittingEmptySubsequences: false)
    guard dot > text.startIndex, properties.allSatisfy({ !$0.isEmpty }) else { return nil }
    self.init(entity: String(text[..<dot]), properties: properties.map(String.init))
  }

  /// "Trip.name,startDate".
  package var description: String { "\(entity).\(properties.joined(separator: ","))" }
}

/// A requested property that its entity does not have.
package struct UnknownProperty: Error, CustomStringConvertible {
  /// The entity's name.
  package var entity: String
  /// The name that was asked for.
  package var name: String
  /// The names of what can be asked for.
  package var known: [String]

  /// A name that is not among `known`.
  package init(entity: String, name: String, known: [String]) {
    self.entity = entity
    self.name = name
    self.known = known
  }

  /// The message for the user, with the names that exist.
  package var description: String {
    "no attribute or to-one relationship \(quoted(name)) in \(quoted(entity)); it has "
      + known.sorted().map(quoted).joined(separator: ", ")
  }
}

extension EntityLayout {
  /// The columns of properties that can be part of a unique key, by name: attributes, leaves of composite ones
  /// ("size.width") and to-one relationships.
  package var uniqueColumns: [String: String] {
    var columns: [String: String] = [:]
    for attribute in attributes {
      for column in attribute.columns {
        columns[([attribute.property.name] + column.leaf).joined(separator: ".")] = column.name
      }
    }
    for relationship in relationships {
      if case .key(let column, _, _) = relationship.storage { columns[relationship.name] = column }
    }
    return columns
  }
}
