/// Decides which of two relationships states the inverse; SwiftData requires that only one does: the first by entity
/// and name.
struct SwiftDataInverses {
  private let model: Model

  init(_ model: Model) { self.model = model }

  /// How a relationship states its inverse.
  enum Inverse {
    /// `inverse: \Note.folder`
    case stated(entity: String, property: String)
    /// The other side states it.
    case statedThere
    /// It is its own inverse, which the macro cannot express because it would refer to itself.
    case itself
  }

  /// Nil for a relationship without inverse.
  func inverse(of name: String, in entity: String) -> Inverse? {
    guard let relationship = model.entity(named: entity)?.property(named: name)?.relationship,
      let inverse = relationship.inverse,
      let declarer = model.topmostDeclarer(of: inverse, in: relationship.destination)
    else { return nil }
    if (declarer, inverse) == (entity, name) { return .itself }
    let back = model.property(inverse, of: relationship.destination)?.relationship
    let isMutual = back?.inverse == name && back.map { model.entity(entity, isKindOf: $0.destination) } == true
    // Of two mutual inverses only the first states it.
    if isMutual, (declarer, inverse) < (entity, name) { return .statedThere }
    return .stated(entity: declarer, property: inverse)
  }
}
