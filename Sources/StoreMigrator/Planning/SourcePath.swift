import StoreCoreData
import StoreDataModel
import StoreSQLite

/// SQL that follows paths of the source, whose tables have been put aside.
struct SourcePaths {
  let source: SourceTables
  /// The name that a table of the source has while the target is written.
  let aside: (String) -> String

  private func entity(_ name: String) -> EntityLayout? {
    source.store.layout.entities.first { ($0.modelName ?? $0.name) == name && !$0.id.isInternal }
  }

  /// The table of an entity's objects.
  func table(of name: String) -> String? { entity(name).map { aside($0.table) } }

  /// The value at the end of a path, for the row that `alias` stands for.
  ///
  /// - Parameter leaf: the element of a composite; empty for a plain attribute.
  func value(_ path: [String], leaf: [String], of name: String, alias: String) -> String? {
    value(path[...], leaf: leaf, of: name, alias: alias, depth: 0)
  }

  private func value(
    _ path: ArraySlice<String>, leaf: [String], of name: String, alias: String, depth: Int
  ) -> String? {
    guard let first = path.first, let entity = entity(name) else { return nil }
    if path.count == 1 {
      let attribute = entity.attributes.first { $0.property.name == first }
      let column = attribute?.columns.first { $0.leaf == leaf }?.name
      return column.map { "\(alias).\(identifier($0))" }
    }
    guard let relationship = entity.relationships.first(where: { $0.name == first }),
      case .key(let column?, _, _) = relationship.storage, let destination = relationship.destination,
      let table = self.entity(destination)?.table
    else { return nil }
    let next = "p\(depth)"
    guard
      let rest = value(
        path.dropFirst(), leaf: leaf, of: modelName(destination), alias: next, depth: depth + 1)
    else { return nil }
    return "(SELECT \(rest) FROM \(aside(table)) AS \(next) WHERE \(next).Z_PK = \(alias).\(identifier(column)))"
  }

  private func modelName(_ name: String) -> String {
    source.store.layout.entity(named: name).map { $0.modelName ?? $0.name } ?? name
  }

  /// The links of relationships one after the other, as rows `a` (key of the first object), `b` (key of the last) and `o`
  /// (the place of `b` in an ordered list; NULL where there is none).
  func links(_ path: [String], of name: String) -> String? {
    var name = name
    var joined: String?
    for (step, relationship) in path.enumerated() {
      guard let layout = entity(name)?.relationships.first(where: { $0.name == relationship }),
        let destination = layout.destination, let links = links(layout, to: modelName(destination))
      else { return nil }
      joined =
        joined.map { before in
          "SELECT DISTINCT x\(step).a AS a, y\(step).b AS b, NULL AS o FROM (\(before)) AS x\(step) JOIN (\(links)) AS "
            + "y\(step) ON y\(step).a = x\(step).b"
        } ?? links
      name = modelName(destination)
    }
    return joined
  }

  private func links(_ relationship: RelationshipLayout, to destination: String) -> String? {
    func select(_ a: String, _ b: String, order: String?, from table: String, where condition: String) -> String {
      let order = order.map(identifier) ?? "NULL"
      return "SELECT \(a) AS a, \(b) AS b, \(order) AS o FROM \(table) WHERE \(condition) IS NOT NULL"
    }
    switch relationship.storage {
    case .key(let column, _, _):
      guard let column = column.map(identifier), let table = table(of: relationship.declaredBy) else { return nil }
      return select("Z_PK", column, order: nil, from: table, where: column)
    case .inverseKey(let table, let column):
      guard let column = column.map(identifier) else { return nil }
      let inverse = entity(destination)?.relationships.first { $0.name == relationship.inverse }
      var order: String?
      if case .key(_, _, let orderKey)? = inverse?.storage { order = orderKey }
      return select(column, "Z_PK", order: order, from: aside(table), where: column)
    case .hiddenKey(let table, let column, let orderKey):
      guard let column = column.map(identifier) else { return nil }
      return select(column, "Z_PK", order: orderKey, from: aside(table), where: column)
    case .joinTable(let table):
      guard let join = source.joins.first(where: { $0.name == table }) else { return nil }
      let isSource = join.source.entity == relationship.declaredBy && join.source.relationship == relationship.name
      let (own, other) = isSource ? (join.source, join.destination) : (join.destination, join.source)
      return select(
        identifier(own.column), identifier(other.column), order: own.orderColumn, from: aside(join.name),
        where: identifier(own.column))
    case .none: return nil
    }
  }
}
