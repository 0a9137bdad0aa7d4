import StoreFindings
import StoreCoreData

/// A to-many relationship, with its links as seen from the objects that have it.
package struct ToMany {
  /// The relationship, by the entity that declares it.
  package let relationship: StoredRelationship
  /// The table of the objects that have it.
  package let owners: TableScan
  /// The entities of those objects.
  package let ownerKinds: Set<EntityID>
  private let links: Links

  private enum Links {
    /// The owners' keys are stored in the rows of the objects.
    case keys(KeyColumn)
    case join(JoinLinks, isSource: Bool)
  }

  /// The tables that must be complete for counting links.
  private var tables: [TableScan] {
    switch links {
    case .keys(let column): [owners, column.holder]
    case .join(let join, _): [owners, join.table, join.source, join.destination]
    }
  }

  /// The owner of every link whose two objects exist, ascending; nil where not all links could be read.
  ///
  /// Takes 8 bytes a link.
  package func ownersOfLinks(_ scan: Scan) -> [Int64]? {
    var found: [Int64] = []
    guard forEachLink(scan, body: { owner, _ in found.append(owner) }) else { return nil }
    return found.sorted()
  }

  /// Calls `body` with the owner and the other object of every link whose two objects exist; false where not all links
  /// could be read.
  package func forEachLink(_ scan: Scan, body: (_ owner: Int64, _ other: Int64) -> Void) -> Bool {
    guard tables.allSatisfy({ $0.damage == nil }) else { return false }
    let existing = owners.keys(of: ownerKinds)
    func see(_ owner: Int64, _ other: Int64) { if existing.contains(owner) { body(owner, other) } }
    switch links {
    case .keys(let column): column.forEachLink { link in if let key = link.key { see(key, link.row) } }
    case .join(let join, let isSource):
      guard let (sources, destinations) = join.targets(scan) else { return false }
      join.forEachLink { link in
        guard let source = link.source, let destination = link.destination, sources.all.contains(source),
          destinations.all.contains(destination)
        else { return }
        if isSource { see(source, destination) } else { see(destination, source) }
      }
    }
    return true
  }

  /// The table of the objects at the other end.
  package var others: TableScan {
    switch links {
    case .keys(let column): column.holder
    case .join(let join, let isSource): isSource ? join.destination : join.source
    }
  }

  /// An example object that has the relationship.
  package func example(_ owner: Int64, in scan: Scan, facts: [String: Finding.Fact?] = [:]) -> Finding.Example {
    let entity = scan.entityName(of: owner, in: owners, besides: relationship.owner.id)
    return .init(owner, facts.merging(["entity": entity]) { $1 })
  }
}

extension Scan {
  /// Every to-many relationship with a known place, by entity number and name; its links are filled by the read.
  package func toManys() -> [ToMany] {
    let columns = Dictionary(keyColumns().map { ([$0.place.table, $0.place.column], $0) }) { first, _ in first }
    let joins = Dictionary(joinLinks().map { ($0.place.table, $0) }) { first, _ in first }
    return map.relationships.compactMap { relationship in
      guard let owners = self.table(relationship.owner.table) else { return nil }
      let kinds = map.kinds(of: relationship.owner.id)
      switch relationship.layout.storage {
      case .none, .key: return nil
      case .inverseKey(let table, let column), .hiddenKey(let table, let column, _):
        return column.flatMap { columns[[table, $0]] }.map {
          ToMany(relationship, owners: owners, kinds: kinds, keys: $0)
        }
      case .joinTable(let name):
        return name.flatMap { joins[$0] }.map { ToMany(relationship, owners: owners, kinds: kinds, join: $0) }
      }
    }
  }
}

extension ToMany {
  fileprivate init(
    _ relationship: StoredRelationship, owners: TableScan, kinds: Set<EntityID>, keys column: KeyColumn
  ) {
    self.init(relationship: relationship, owners: owners, ownerKinds: kinds, links: .keys(column))
  }

  fileprivate init(
    _ relationship: StoredRelationship, owners: TableScan, kinds: Set<EntityID>, join: JoinLinks
  ) {
    let isSource = join.place.source.relationship == relationship
    self.init(relationship: relationship, owners: owners, ownerKinds: kinds, links: .join(join, isSource: isSource))
  }
}
