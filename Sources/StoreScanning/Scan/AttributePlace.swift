import StoreFindings
import StoreDataModel
import StoreCoreData

/// A column with the values of an attribute, or of one leaf of a composite one. A class, because it is large and widely
/// shared.
package final class AttributePlace: CustomStringConvertible {
  /// The entity that declares the attribute, or re-declares it differently.
  package let owner: EntityLayout
  /// The attribute in the model.
  package let property: Property
  /// The property in the column: the attribute itself, or the leaf.
  package let leaf: Property
  /// The names from the attribute to the leaf; empty if it is not composite.
  package let path: [String]
  /// The table with the column.
  package let table: String
  /// The column's name.
  package let column: String
  /// The entities whose rows have the value in this column; another subentity may have a column of its own for a
  /// property of the same name.
  package fileprivate(set) var holders: Set<EntityID>
  /// How certain the attribute is, if it was inferred from the tables.
  let certainty: Certainty?
  /// The defects its values can have.
  private(set) lazy var possibleDefects = defectsOfType()

  fileprivate init(
    owner: EntityLayout, property: Property, leaf: Property, path: [String], column: String, certainty: Certainty?
  ) {
    self.owner = owner
    self.property = property
    self.leaf = leaf
    self.path = path
    table = owner.table
    self.column = column
    holders = [owner.id]
    self.certainty = certainty
  }

  /// "size.width".
  package var name: String { ([property.name] + path).joined(separator: ".") }

  /// "Room.size.width".
  package var description: String { "\(owner.name).\(name)" }

  /// Whether an object cannot be saved without a value here.
  ///
  /// In the model archive, leaves are optional even when the composite attribute is required, so a leaf counts as
  /// required only if it says so itself; and where the composite is optional, all its leaves may be missing.
  var isRequired: Bool { !property.isOptional && !leaf.isOptional }

  /// The basis of statements about it.
  package var basis: Basis { certainty.map { $0 < .certain } == true ? .assumed : .observed }
}

extension AttributePlace {
  /// All such columns of a store, by entity number and name, and the attributes without a known column.
  package static func places(in layout: Layout) -> (places: [AttributePlace], withoutColumn: [String]) {
    var places: [AttributePlace] = []
    var known: [Place: [Int]] = [:]
    var withoutColumn: [String] = []
    for entity in layout.entities where !entity.id.isInternal && entity.tableExists {
      for attribute in entity.attributes {
        for column in attribute.columns {
          guard let leaf = attribute.property.leaf(column.leaf[...]) else { continue }
          guard let name = column.name else {
            if attribute.declaredBy == entity.modelName ?? entity.name {
              withoutColumn.append("\(entity.name).\(([attribute.property.name] + column.leaf).joined(separator: "."))")
            }
            continue
          }
          let place = Place(table: entity.table, column: name, attribute: attribute.property.name)
          // Entities come parents first, and most inherit an attribute unchanged.
          if let same = known[place]?.first(where: { places[$0].property == attribute.property }) {
            places[same].holders.insert(entity.id)
          } else {
            known[place, default: []].append(places.count)
            places.append(
              AttributePlace(
                owner: entity, property: attribute.property, leaf: leaf, path: column.leaf, column: name,
                certainty: attribute.certainty))
          }
        }
      }
    }
    return (places, withoutColumn)
  }

  private struct Place: Hashable {
    var table: String, column: String, attribute: String
  }
}

extension Property {
  /// The element of a composite attribute at a path; the attribute itself for an empty path.
  package func leaf(_ path: ArraySlice<String>) -> Property? {
    guard let first = path.first else { return self }
    return attribute?.elements?.first { $0.name == first }?.leaf(path.dropFirst())
  }
}
