import StoreScanning
import StoreText
import StoreWords
import StoreCoreData
import StoreSQLite

extension Workbench {
  /// Adds the links that a list of texts names: "red, green" gives links to the tags with these names.
  func relinkToMany(
    _ relationship: StoredRelationship, of entity: EntityLayout, pairs: [Recipe.Relink.Pair], item: Recipe.Relink
  ) throws -> Decision {
    guard let pair = pairs.first, pairs.count == 1, let destination = relationship.destination,
      case .joinTable(let name?) = relationship.layout.storage, let join = joinPlace(name)
    else {
      return .refusal(
        .relink,
        message: "\(quoted(relationship.description)) is not a many-to-many relationship with one attribute to match by"
      )
    }
    let objects = try objects(of: destination, named: pair.destination, item.compare)
    var found: [KeyPair] = []
    var missing = ListedRows()
    var ambiguous = ListedRows()
    for kind in map.entities(of: entity) {
      guard let path = map.path(pair.own, of: kind) else { continue }
      var query = ValueQuery(kind.table)
      let (key, text) = (query.add(column: "Z_PK"), query.add(path))
      let rows = try connection.prepare(query.sql(where: isOfKind([kind.id])))
      while try rows.step() {
        guard rows.kind(text) == .text else { continue }
        for part in parts(of: rows.string(text) ?? "", item.separator) {
          switch objects[KeyValue.text(Array(part.utf8)).seen(by: item.compare)] {
          case .one(let object)?: found.append(KeyPair(rows.int64(key), object))
          case .several?: ambiguous.add(rows.int64(key))
          case nil: missing.add(rows.int64(key))
          }
        }
      }
    }
    var decision = Decision(
      obstacles: [
        missing.obstacle(relationship, what: "no \(destination.name) has"),
        ambiguous.obstacle(relationship, what: "more than one \(destination.name) has"),
      ].compactMap(\.self))
    if let links = try newLinks(found, in: join, isSource: join.source.relationship == relationship) {
      decision.operations.append(
        Operation(
          .relink, summary: "add \(counted(links.count, "link")) of \(relationship)", entity: relationship.owner.name,
          property: relationship.layout.name, .rows(links)))
    }
    return decision
  }

  private func parts(of text: String, _ separator: String?) -> [String] {
    guard let separator, !separator.isEmpty else { return [text] }
    return text.split(by: separator).map { String($0).trimmed }.filter { !$0.isEmpty }
  }

  /// Where a join table keeps its links.
  func joinPlace(_ name: String) -> JoinLinks.Place? {
    scan().joinPlace(name)
  }

  private enum NamedObject {
    case one(Int64)
    case several
  }

  private func objects(
    of entity: EntityLayout, named name: String, _ compare: KeyComparison
  ) throws -> [KeyValue: NamedObject] {
    var objects: [KeyValue: NamedObject] = [:]
    for kind in map.entities(of: entity) {
      guard let path = map.path(name, of: kind) else { continue }
      var query = ValueQuery(kind.table)
      let (key, value) = (query.add(column: "Z_PK"), query.add(path))
      let rows = try connection.prepare(query.sql(where: isOfKind([kind.id])))
      while try rows.step() {
        guard let value = KeyValue(rows, value)?.seen(by: compare) else { continue }
        objects[value] = objects[value] == nil ? .one(rows.int64(key)) : .several
      }
    }
    return objects
  }

  /// The links to insert; nil where all exist. A relationship that is its own inverse gets both directions.
  private func newLinks(_ links: [KeyPair], in join: JoinLinks.Place, isSource: Bool) throws -> RowEdit? {
    let present = try connection.prepare(
      """
      SELECT 1 FROM \(quotedIdentifier(join.table)) WHERE \(quotedIdentifier(join.source.column)) = ?1 \
      AND \(quotedIdentifier(join.destination.column)) = ?2
      """)
    var rows = RowEdit(
      .insert, join.table, key: [join.source.column, join.destination.column],
      set: [join.source.orderColumn, join.destination.orderColumn].compactMap(\.self))
    var sourceOrder = NextOrderKeys(join.source.orderColumn, of: join.source.column, in: join.table, on: connection)
    var destinationOrder = NextOrderKeys(
      join.destination.orderColumn, of: join.destination.column, in: join.table, on: connection)
    var seen: Set<KeyPair> = []
    for link in links {
      let pair = isSource ? link : link.mirrored
      for pair in join.isReflexive && pair.first != pair.second ? [pair, pair.mirrored] : [pair]
      where seen.insert(pair).inserted {
        present.reset()
        try present.bind(pair.first, at: 1)
        try present.bind(pair.second, at: 2)
        guard try !present.step() else { continue }
        let order = [try sourceOrder?.next(for: pair.first), try destinationOrder?.next(for: pair.second)]
        rows.add(
          key: [.integer(pair.first), .integer(pair.second)],
          set: order.compactMap { $0.map(SQLiteValue.integer) })
      }
    }
    return rows.count > 0 ? rows : nil
  }
}

/// Rows to list in an obstacle, each once.
private struct ListedRows {
  private var keys: Set<Int64> = []
  private var texts = 0

  mutating func add(_ key: Int64) {
    texts += 1
    keys.insert(key)
  }

  func obstacle(_ relationship: StoredRelationship, what: String) -> Obstacle? {
    guard !keys.isEmpty else { return nil }
    return Obstacle(
      .relink, entity: relationship.owner.name, property: relationship.layout.name, count: keys.count,
      keys: keys.sorted(),
      "\(counted(keys.count, "object")) with \(counted(texts, "name")) that \(what): no link for \(texts == 1 ? "it" : "them")",
      refusesPlan: false)
  }
}
