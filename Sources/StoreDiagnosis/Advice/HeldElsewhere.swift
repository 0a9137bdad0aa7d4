import StoreCoreData
import StoreDataModel
import StoreSQLite
import StoreWords

/// Finds where the missing values of an attribute stand elsewhere in the store: in an attribute of the object that a to-one
/// relationship leads to.
///
/// The other attribute is of the same type, and the name of this one ends in its name. It is proposed only if it has a
/// value for every row in question, and the same value as every row that is filled.
struct HeldElsewhere {
  let store: Store
  let model: Model

  /// The path, as a recipe writes it ("shop.code"); nil if there is none, or several.
  func path(_ property: String, of entity: String) -> String? {
    let paths = candidates(property, of: entity).filter { isHeld(property, of: entity, at: $0) }
    guard let first = paths.first, paths.count == 1 else { return nil }
    return "\(first.relationship).\(first.attribute)"
  }

  private struct Path {
    var relationship: String
    var destination: String
    var attribute: String
  }

  /// More candidates are coincidences, and each costs a query.
  private static let most = 4

  private func candidates(_ property: String, of entity: String) -> [Path] {
    let properties = model.properties(of: entity)
    guard let type = properties[property]?.property.attribute?.type, type != .composite else { return [] }
    let name = property.lowercased()
    var found: [Path] = []
    for (relationship, inherited) in properties.sorted(by: { codeUnitsPrecede($0.key, $1.key) }) {
      guard let link = inherited.property.relationship, !link.isToMany, !inherited.property.isTransient else {
        continue
      }
      for (other, held) in model.properties(of: link.destination).sorted(by: { codeUnitsPrecede($0.key, $1.key) }) {
        guard let attribute = held.property.attribute, attribute.type == type, !held.property.isTransient,
          attribute.derivation == nil, other.utf8.count > 1, name.hasSuffix(other.lowercased())
        else { continue }
        found.append(Path(relationship: relationship, destination: link.destination, attribute: other))
      }
    }
    return found.count > Self.most ? [] : found
  }

  private func isHeld(_ property: String, of entity: String, at path: Path) -> Bool {
    guard let own = store.layout.entity(named: entity), let other = store.layout.entity(named: path.destination),
      let column = own.column(of: property), let held = other.column(of: path.attribute),
      case .key(let key?, _, _)? = own.relationships.first(where: { $0.name == path.relationship })?.storage
    else { return false }
    let kinds = model.entities.filter { model.entity($0.name, isKindOf: entity) }
      .compactMap { store.layout.entity(named: $0.name)?.id.number }
    let (mine, theirs) = ("t.\(quotedIdentifier(column))", "d.\(quotedIdentifier(held))")
    let sql = """
      SELECT sum(\(theirs) IS NULL), sum(\(mine) IS NOT NULL AND \(mine) IS NOT \(theirs)), sum(\(mine) IS NOT NULL) \
      FROM \(quotedIdentifier(own.table)) AS t LEFT JOIN \(quotedIdentifier(other.table)) AS d \
      ON d.Z_PK = t.\(quotedIdentifier(key)) WHERE t.Z_ENT IN (\(kinds.map { String($0) }.joined(separator: ", ")))
      """
    guard let rows = try? store.connection.prepare(sql), (try? rows.step()) == true else { return false }
    return rows.int64(0) == 0 && rows.int64(1) == 0 && rows.int64(2) > 0
  }
}
