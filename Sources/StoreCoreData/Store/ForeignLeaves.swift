import SQLitePages
import StoreSQLite
import StoreWords

/// What all rows of one table of objects have, so that a leaf of it is known in the tree of another table.
package struct RowShape: Sendable {
  /// The table.
  package let table: String
  private let numbers: Set<Int64>
  private let entityColumn: Int
  /// For each value of a record the storage classes that it may have.
  private let masks: [UInt8]

  /// The shape of a table's rows; nil for a table without `Z_ENT`, or of no entity.
  ///
  /// - Parameter entities: the numbers of the entities that have rows in the table.
  package init?(_ definition: TableDefinition, table: String, entities: Set<Int64>) {
    let columns = definition.recordColumns
    guard !entities.isEmpty, let column = columns.firstIndex(where: { definition.columns[$0].name == "Z_ENT" }) else {
      return nil
    }
    self.table = table
    numbers = entities
    entityColumn = column
    masks = columns.map { index in
      let null = StorageClass.null.rawValue
      return index == definition.rowIDColumn ? null : null | definition.columns[index].affinity.mask
    }
  }

  /// Whether a row has the number of an entity of the table.
  fileprivate func hasNumber(_ record: Record, in page: UnsafeRawBufferPointer, at start: Int) -> Bool {
    record.integer(entityColumn, in: page, at: start).map(numbers.contains) ?? false
  }

  /// Whether a row can be one of the table: the number of its entity, how many values it has, and of which kinds.
  fileprivate func fits(_ record: Record, in page: UnsafeRawBufferPointer, at start: Int) -> Bool {
    record.count > entityColumn && record.count <= masks.count && hasNumber(record, in: page, at: start)
      && zip(record.fields, masks).allSatisfy { $0.type.kind.rawValue & $1 != 0 }
  }
}

/// Tells leaves that hang in the tree of another table, as SQLite's check does not: the page is a sound leaf of rows.
///
/// A number in `Z_ENT` that is of no entity of the table is no proof: real stores have such rows. That every row of a leaf is
/// one that a single other table can have is.
package struct ForeignLeaves {
  private let shapes: [RowShape]

  /// - Parameter shapes: those of all tables of objects.
  package init(_ shapes: [RowShape]) { self.shapes = shapes }

  /// Whether a number is one of an entity of another table.
  package func isOfOther(_ record: Record, in page: UnsafeRawBufferPointer, at start: Int, than table: String) -> Bool {
    shapes.contains { $0.table != table && $0.hasNumber(record, in: page, at: start) }
  }

  /// The table whose rows a leaf has; nil for a page of no rows, and unless all of them are of one table that is not `table`.
  ///
  /// - Returns: also the key of the first row.
  package func owner(
    ofLeaf page: UnsafeRawBufferPointer, in table: String, geometry: PageGeometry
  ) -> (table: String, firstKey: Int64)? {
    guard let header = BTreePage(page, isFirst: false, usableSize: geometry.usableSize), header.kind == .leafTable,
      header.cellCount > 0
    else { return nil }
    var record = Record()
    var (owner, firstKey): (RowShape?, Int64) = (nil, 0)
    for index in 0..<header.cellCount {
      guard let offset = header.cellOffset(index, in: page, usableSize: geometry.usableSize),
        let cell = Cell(page, at: offset, kind: header.kind, geometry: geometry), let key = cell.rowID,
        record.read(page, at: cell.payloadStart)
      else { return nil }
      if index == 0 {
        firstKey = key
        owner = shapes.first { $0.table != table && $0.fits(record, in: page, at: cell.payloadStart) }
      }
      guard let owner, owner.fits(record, in: page, at: cell.payloadStart) else { return nil }
    }
    return owner.map { ($0.table, firstKey) }
  }
}

/// Asks which tables of a store have a leaf of another one in their trees.
final class StoreForeignLeaves {
  private let view: PageView
  private let leaves: ForeignLeaves
  private var roots: [String: UInt32] = [:]
  /// By table, once they were asked for.
  private var known: [String: (page: UInt32, owner: String)?] = [:]

  /// Of a store; nil where its pages cannot be told.
  init?(_ store: Store) {
    guard let pages = try? PageFiles(store.files, usesWAL: store.connection.readsWAL) else { return nil }
    view = PageView(pages, commit: store.asOf?.commit)
    guard let schema = try? PageSchema(view) else { return nil }
    var numbers: [String: Set<Int64>] = [:]
    for entity in store.layout.entities where !entity.isAbstract {
      numbers[entity.table, default: []].insert(entity.id.number)
    }
    var shapes: [RowShape] = []
    for entry in schema.entries where entry.type == "table" && entry.root > 1 {
      guard let entities = numbers[entry.name], let definition = entry.sql.flatMap({ TableDefinition(sql: $0) }),
        let shape = RowShape(definition, table: entry.name, entities: entities)
      else { continue }
      shapes.append(shape)
      roots[entry.name] = entry.root
    }
    leaves = ForeignLeaves(shapes)
  }

  /// The first leaf in a table's tree that has the rows of another table; nil where there is none, or it cannot be told.
  func first(in table: String) -> (page: UInt32, owner: String)? {
    if let known = known[table] { return known }
    let found = (try? read(table)) ?? nil
    known[table] = .some(found)
    return found
  }

  private func read(_ table: String) throws -> (page: UInt32, owner: String)? {
    guard let root = roots[table] else { return nil }
    var walk = BTreeWalk(view, root: root, isTable: true)
    var found: (page: UInt32, owner: String)?
    try walk.run(readsOverflow: false) { number, page, header in
      // What a root leads to is for the schema to say.
      guard found == nil, number != root, header.kind == .leafTable,
        let owner = leaves.owner(ofLeaf: page, in: table, geometry: view.files.geometry)
      else { return }
      found = (number, owner.table)
    } entry: { _ in
      found == nil
    }
    return found
  }
}

extension Store {
  /// Tells that rows of a table were met with numbers in `Z_ENT` that are of none of its entities. Where a leaf of another
  /// table in its tree explains them, the table does not show its own rows.
  package func noteRowsOfOtherEntities(in table: String) {
    guard let pageWatcher, let leaf = foreignLeaves?.first(in: table) else { return }
    pageWatcher.note(
      disagreement: "has rows of \(leaf.owner) on page \(leaf.page) of its tree, in place of its own", of: table)
  }
}
