import StoreWords
import StoreCoreData

extension RecipeCheck {
  mutating func check(_ item: Recipe.Junction, in entity: EntityLayout) {
    guard let (links, other) = ends(of: item) else { return }
    if entity.isAbstract { mistake("\(entity.name) is abstract: there are no objects of it") }
    if item.source == item.destination { mistake("'source' and 'destination' are two relationships") }
    checkEnd(item.source, of: entity, leadsTo: links)
    checkEnd(item.destination, of: entity, leadsTo: other)
  }

  /// The entities at the two ends of the many-to-many relationship.
  private mutating func ends(of item: Recipe.Junction) -> (EntityLayout, EntityLayout)? {
    guard let (owner, name) = item.links else {
      mistake("an entity and a many-to-many relationship are expected in 'from', as in Student.courses")
      return nil
    }
    do throws(UnknownPath) {
      let owner = try layout.recipeEntity(owner)
      guard let relationship = relationship(name, of: owner) else { return nil }
      let place = "\(quoted(name)) of \(owner.name)"
      guard case .joinTable(.some) = relationship.storage else {
        mistake("\(place) is not many-to-many; a junction is made from links that have a table of their own")
        return nil
      }
      guard let destination = destination(of: relationship, place) else { return nil }
      if destination.id == owner.id, relationship.inverse == relationship.name {
        mistake("\(place) is its own inverse: nothing tells which end of a link is the 'source'")
      }
      return (owner, destination)
    } catch {
      mistake(error.description)
      return nil
    }
  }

  /// Checks a to-one relationship to an object of one end; its inverse must allow several junctions for that object.
  private mutating func checkEnd(_ name: String, of entity: EntityLayout, leadsTo end: EntityLayout) {
    guard let relationship = relationship(name, of: entity) else { return }
    let place = "\(quoted(name)) of \(entity.name)"
    guard case .key(.some, _, _) = relationship.storage else {
      return mistake("\(place) leads to many; a junction leads to one object at each end")
    }
    guard let destination = destination(of: relationship, place) else { return }
    guard layout.isKind(end, of: destination) else {
      return mistake("\(place) leads to \(destination.name), and the links to \(end.name)")
    }
    let inverse = destination.relationships.first { $0.name == relationship.inverse }
    if let inverse, !inverse.isToMany {
      mistake(
        "\(quoted(inverse.name)) of \(destination.name), the inverse of \(place), leads to one object, and there are as "
          + "many as links")
    }
  }
}

extension Layout {
  /// Whether an entity is another one, or a subentity of it.
  fileprivate func isKind(_ entity: EntityLayout, of ancestor: EntityLayout) -> Bool {
    var current: EntityLayout? = entity
    // More steps than entities would be a cycle.
    for _ in entities {
      guard let known = current else { return false }
      if known.id == ancestor.id { return true }
      current = known.parent.flatMap { name in entities.first { $0.name == name } }
    }
    return false
  }
}
