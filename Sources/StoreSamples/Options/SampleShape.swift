import StoreCoreData
import StoreSQLite
import StoreWords

/// How much a store has of what, and none of its values: objects of each entity, objects without a value of each attribute, and
/// how many objects have how many links.
package struct SampleShape: Sendable, Equatable {
  /// The store's path.
  package let path: String
  /// By name of the entity, subentities counted apart.
  private(set) var objects: [String: Int] = [:]
  /// By entity and path of the attribute, such as "size.width": how many objects have no value.
  private var empty: [String: [String: Int]] = [:]
  /// By entity and relationship: how many objects have how many links.
  private var degrees: [String: [String: [Int: Int]]] = [:]
  /// What the numbers rest on, and what of the store was not counted, one sentence each.
  private(set) var limits: [String] = []

  /// Counts what a store has.
  ///
  /// - Throws: `SQLiteError` where a table cannot be read whole.
  package init(of store: Store) throws {
    path = store.path.description
    for entity in store.layout.entities where !entity.isAbstract && !entity.id.isInternal {
      if entity.tableExists {
        try count(entity, in: store)
      } else {
        limits.append("\(entity.modelName ?? entity.name) was not counted: its table is not in the store")
      }
    }
    if try !store.integrity(.quick).isOK {
      limits.append(
        "the store is damaged: rows that it does not show were not counted ('storedoctor salvage' reads them)")
    }
    limits += Reading(store).clauses
  }

  private mutating func count(_ entity: EntityLayout, in store: Store) throws {
    let name = entity.modelName ?? entity.name
    let leaves = entity.attributes.flatMap { attribute in
      attribute.columns.compactMap { leaf in
        leaf.name.map { (path: ([attribute.property.name] + leaf.leaf).joined(separator: "."), column: $0) }
      }
    }
    var single: [(name: String, column: String)] = []
    for relationship in entity.relationships {
      switch relationship.storage {
      case .key(let column?, _, _): single.append((relationship.name, column))
      case .inverseKey(let table, let column?), .hiddenKey(let table, let column?, _):
        degrees[name, default: [:]][relationship.name] = try Self.degrees(of: entity, table, column, in: store)
      case .joinTable(let table?):
        let ends = store.layout.joinTables.first { $0.name == table }.map { [$0.source, $0.destination] } ?? []
        if let end = ends.first(where: { $0.relationship == relationship.name && $0.entity == relationship.declaredBy })
        {
          degrees[name, default: [:]][relationship.name] = try Self.degrees(of: entity, table, end.column, in: store)
        } else {
          limits.append("\(name).\(relationship.name) has links that were not counted")
        }
      case .none: break
      default: limits.append("\(name).\(relationship.name) has no place in the store")
      }
    }
    // COUNT of a column counts what is not NULL.
    let columns = leaves.map(\.column) + single.map(\.column)
    let counts = ["COUNT(*)"] + columns.map { "COUNT(\(quotedIdentifier($0)))" }
    var numbers: [Int] = []
    for part in stride(from: 0, to: counts.count, by: Self.columnsAtOnce) {
      let some = counts[part..<min(part + Self.columnsAtOnce, counts.count)]
      let row = try store.connection.prepare(
        "SELECT \(some.joined(separator: ", ")) FROM \(quotedIdentifier(entity.table)) WHERE Z_ENT = \(entity.id.number)"
      )
      guard try row.step() else { continue }
      numbers += some.indices.map { Int(clamping: row.int64($0 - part)) }
    }
    guard numbers.count == counts.count else { return }
    let all = numbers[0]
    objects[name] = all
    for (leaf, filled) in zip(leaves, numbers.dropFirst()) { empty[name, default: [:]][leaf.path] = all - filled }
    for (link, filled) in zip(single, numbers.dropFirst(1 + leaves.count)) {
      degrees[name, default: [:]][link.name] = [0: all - filled, 1: filled]
    }
  }

  /// The most columns of one statement.
  private static let columnsAtOnce = 500

  /// How many objects of an entity occur how often in a column.
  private static func degrees(
    of entity: EntityLayout, _ table: String, _ column: String, in store: Store
  ) throws -> [Int: Int] {
    let rows = try store.connection.prepare(
      """
      SELECT n, COUNT(*) FROM (
        SELECT COUNT(l.\(quotedIdentifier(column))) AS n FROM \(quotedIdentifier(entity.table)) AS o
        LEFT JOIN \(quotedIdentifier(table)) AS l ON l.\(quotedIdentifier(column)) = o.Z_PK
        WHERE o.Z_ENT = \(entity.id.number) GROUP BY o.Z_PK)
      GROUP BY n
      """)
    var degrees: [Int: Int] = [:]
    while try rows.step() { degrees[Int(clamping: rows.int64(0))] = Int(clamping: rows.int64(1)) }
    return degrees
  }

  // MARK: Answers

  /// Whether an object is to have no value of an attribute: as many have none as in the store, spread evenly.
  ///
  /// - Parameter number: how many objects of the entity come before it.
  func isEmpty(_ entity: String, _ path: String, number: Int) -> Bool {
    guard let all = objects[entity], let none = empty[entity]?[path], none > 0, number < all else { return false }
    // Each attribute begins elsewhere, so that not the same objects lack all of them.
    let shift = path.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xffff } % all
    let place = (number + shift) % all
    let (now, next) = (place.multipliedFullWidth(by: none), (place + 1).multipliedFullWidth(by: none))
    return all.dividingFullWidth(next).quotient > all.dividingFullWidth(now).quotient
  }

  /// How many links each of some objects of an entity is to have, the fewest first; nil where that was not counted.
  func degrees(_ entity: String, _ relationship: String, count: Int) -> [Int]? {
    guard let counted = degrees[entity]?[relationship] else { return nil }
    var all: [Int] = []
    for (degree, objects) in counted.sorted(by: { $0.key < $1.key }) {
      all += repeatElement(degree, count: min(objects, count - all.count))
    }
    return repeatElement(0, count: count - all.count) + all
  }
}
