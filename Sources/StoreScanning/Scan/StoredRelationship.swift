import StoreFindings
import StoreDataModel
import StoreCoreData

/// A relationship in a store, represented once, by the entity that declares it. A class, because it is large and part
/// of every place.
package final class StoredRelationship: Hashable, CustomStringConvertible {
  /// The entity that declares it.
  package let owner: EntityLayout
  /// Where its links are stored.
  package let layout: RelationshipLayout
  /// The entity it leads to; nil where that is not known.
  package let destination: EntityLayout?
  /// The model's description; nil where it was inferred from the tables.
  package let model: Relationship?

  init(owner: EntityLayout, layout: RelationshipLayout, destination: EntityLayout?, model: Relationship?) {
    self.owner = owner
    self.layout = layout
    self.destination = destination
    self.model = model
  }

  /// "Note.folder".
  package var description: String { "\(owner.name).\(layout.name)" }

  /// The basis of statements about it: an assumption, if the relationship itself is not certain.
  package var basis: Basis { layout.certainty.map { $0 < .certain } == true ? .assumed : .observed }

  /// Whether both are the same relationship of the same store.
  package static func == (left: StoredRelationship, right: StoredRelationship) -> Bool {
    left.owner.id == right.owner.id && left.layout.name == right.layout.name
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(owner.id)
    hasher.combine(layout.name)
  }
}
