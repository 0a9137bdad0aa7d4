import StoreFindings
import StoreDataModel
import StoreCoreData

/// A relationship of a store, once, by the entity that declares it; its rows are those of all that inherit it;
/// a class, since it is wide and part of every place.
package final class StoredRelationship: Hashable, CustomStringConvertible {
  /// The entity that declares it.
  package let owner: EntityLayout
  /// Where its links are.
  package let layout: RelationshipLayout
  /// The entity it leads to; nil where that is not known.
  package let destination: EntityLayout?
  /// What a model says of it; nil where it is inferred from the tables.
  package let model: Relationship?

  init(owner: EntityLayout, layout: RelationshipLayout, destination: EntityLayout?, model: Relationship?) {
    self.owner = owner
    self.layout = layout
    self.destination = destination
    self.model = model
  }

  /// "Note.folder".
  package var description: String { "\(owner.name).\(layout.name)" }

  /// What a statement about it rests on: a relationship that is only likely makes it an assumption.
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
