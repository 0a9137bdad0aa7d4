import StoreDataModel
import StoreSQLite

/// A save, as persistent history has it.
package struct HistoryTransaction: Sendable, Equatable {
  /// Its key.
  package var key: Int64
  /// Seconds since 2001-01-01 UTC; nil where there is no number.
  package var time: Double?
  /// Who saved, by the app's own words.
  package var author: String?
  /// The context's name.
  package var context: String?
  /// The app's bundle identifier.
  package var bundle: String?
  /// The process.
  package var process: String?
}

/// A change of one object, as persistent history has it.
package struct HistoryChange: Sendable, Equatable {
  /// Its key.
  package var key: Int64
  /// The kind of change.
  package var kind: Kind
  /// The entity's number.
  package var entity: EntityID
  /// The object's key.
  package var object: Int64
  /// The transaction's key.
  package var transaction: Int64
  /// Of an update, the changed properties by name; nil where they are not known.
  package var properties: [String]?
  /// Of a deletion, the values that are kept, by attribute. Where no model names them, by column.
  package var tombstones: [Tombstone]

  /// The kinds of change to an object.
  package enum Kind: Sendable, Equatable {
    case insert, update, delete
    /// A number that Core Data is not known to write.
    case other(Int64)
  }

  /// A value kept after deletion.
  package struct Tombstone: Sendable, Equatable {
    /// The attribute; the column where it is not known.
    package var name: String
    /// The attribute's type; nil where it is not known.
    package var type: AttributeType?
    /// The value.
    package var value: SQLiteValue
  }
}

extension Store {
  /// Calls `body` with each transaction of persistent history, by key.
  ///
  /// - Throws: `SQLiteError` where it cannot be read whole.
  package func forEachHistoryTransaction(_ body: (HistoryTransaction) -> Void) throws {
    guard let table = shape.table(.transaction) else { return }
    let strings = try historyStrings()
    let names = ["AUTHOR", "CONTEXTNAME", "BUNDLEID", "PROCESSID"]
    let columns = ["Z_PK", "ZTIMESTAMP"] + names.map { "Z\($0)" } + names.map { "Z\($0)TS" }
    let list = columns.map { table.has($0) ? $0 : "NULL" }.joined(separator: ", ")
    let rows = try connection.prepare("SELECT \(list) FROM \(HistoryTable.transaction) NOT INDEXED ORDER BY rowid")
    while try rows.step() {
      let words = names.indices.map { index in
        // Frameworks from 973 on keep the texts in a table of their own.
        rows.string(2 + index)
          ?? (rows.kind(2 + names.count + index) == .integer ? strings[rows.int64(2 + names.count + index)] : nil)
      }
      body(
        HistoryTransaction(
          key: rows.int64(0), time: rows.seconds(1), author: words[0], context: words[1], bundle: words[2],
          process: words[3]))
    }
  }

  /// Calls `body` with each change of persistent history, by key.
  ///
  /// - Throws: `SQLiteError` where it cannot be read whole.
  package func forEachHistoryChange(_ body: (HistoryChange) -> Void) throws {
    guard var changes = try HistoryChanges(self) else { return }
    while let change = try changes.next() { body(change) }
  }

  /// The bits and tombstones of an entity; nil where no model describes it.
  package func historyProperties(of entity: EntityID) -> HistoryProperties? {
    guard let model, let layout = layout.entities.first(where: { $0.id == entity }) else { return nil }
    return HistoryProperties(layout, of: model, shape: shape)
  }

  fileprivate func type(ofAttribute name: String, of entity: EntityID) -> AttributeType? {
    layout.entities.first { $0.id == entity }?.attributes.first { $0.property.name == name }?.property.attribute?.type
  }

  private func historyStrings() throws -> [Int64: String] {
    guard let table = shape.table(.transactionString), table.has("ZNAME") else { return [:] }
    let rows = try connection.prepare("SELECT rowid, ZNAME FROM \(HistoryTable.transactionString) NOT INDEXED")
    var strings: [Int64: String] = [:]
    while try rows.step() { strings[rows.int64(0)] = rows.string(1) }
    return strings
  }

  /// A date attribute of an entity, and the column with its values.
  package struct DateColumn: Sendable, Equatable {
    /// The attribute; of a composite one with its leaf: "stay.from".
    package var attribute: String
    /// The column.
    package var column: String
  }

  /// The date attributes of an entity, by name.
  package func dateColumns(of entity: EntityLayout) -> [DateColumn] {
    entity.attributes.flatMap { attribute in
      attribute.columns.compactMap { leaf in
        guard let column = leaf.name, leaf.type(below: attribute.property) == .date else { return nil }
        return DateColumn(attribute: ([attribute.property.name] + leaf.leaf).joined(separator: "."), column: column)
      }
    }
  }

  /// Calls `body` with key, entity number and dates (seconds since 2001; nil for NULL) of each row of a table.
  ///
  /// - Throws: `SQLiteError` where it cannot be read whole.
  package func forEachDate(
    in table: String, columns: [String], _ body: (Int64, EntityID, Int, Double) -> Void
  ) throws {
    guard let shape = shape.tables[table], shape.has("Z_PK"), shape.has("Z_ENT") else { return }
    let list = (["Z_PK", "Z_ENT"] + columns.filter(shape.has).map { quotedIdentifier($0) }).joined(separator: ", ")
    let rows = try connection.prepare("SELECT \(list) FROM \(quotedIdentifier(table)) NOT INDEXED")
    let present = columns.indices.filter { shape.has(columns[$0]) }
    var last = Int64.min
    var count: Int64 = 0
    while try rows.step() {
      count &+= 1
      // In a sound table no key follows a larger one.
      if rows.int64(0) < last { noteDamage() }
      last = rows.int64(0)
      for (position, index) in present.enumerated() {
        guard let time = rows.seconds(2 + position) else { continue }
        body(rows.int64(0), EntityID(rows.int64(1)), index, time)
      }
    }
    compareRows(count, of: table)
  }
}

/// The changes of persistent history, one at a time, by key.
package struct HistoryChanges {
  private let store: Store
  private let rows: Statement
  private let tombstones: [String]
  private var known: [EntityID: HistoryProperties?] = [:]

  private static let columns = ["Z_PK", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS"]

  /// Of a store; nil where it has no table of changes.
  ///
  /// - Throws: `SQLiteError`.
  package init?(_ store: Store) throws {
    guard let table = store.shape.table(.change) else { return nil }
    self.store = store
    tombstones = table.tombstoneColumns
    let list = (Self.columns.map { table.has($0) ? $0 : "NULL" } + tombstones.map { quotedIdentifier($0) })
      .joined(separator: ", ")
    rows = try store.connection.prepare("SELECT \(list) FROM \(HistoryTable.change) NOT INDEXED ORDER BY rowid")
  }

  /// The next change; nil after the last.
  ///
  /// - Throws: `SQLiteError` where it cannot be read.
  package mutating func next() throws -> HistoryChange? {
    guard try rows.step() else { return nil }
    let entity = EntityID(rows.int64(2))
    if known[entity] == nil { known[entity] = .some(store.historyProperties(of: entity)) }
    let properties = known[entity] ?? nil
    var change = HistoryChange(
      key: rows.int64(0), kind: .init(rows.kind(1) == .integer ? rows.int64(1) : -1), entity: entity,
      object: rows.int64(3), transaction: rows.int64(4), properties: nil, tombstones: [])
    if change.kind == .update, let bytes = rows.blob(5) { change.properties = properties?.changed(bytes) }
    for (index, column) in tombstones.enumerated() where rows.kind(Self.columns.count + index) != .null {
      let name = properties.flatMap { $0.tombstones.indices.contains(index) ? $0.tombstones[index] : nil }
      change.tombstones.append(
        .init(
          name: name ?? column, type: name.flatMap { store.type(ofAttribute: $0, of: entity) },
          value: rows.value(Self.columns.count + index)))
    }
    return change
  }
}

extension HistoryChange.Kind {
  init(_ number: Int64) {
    switch number {
    case 0: self = .insert
    case 1: self = .update
    case 2: self = .delete
    default: self = .other(number)
    }
  }
}

extension AttributeLayout.LeafColumn {
  /// The type of this leaf of an attribute.
  fileprivate func type(below property: Property) -> AttributeType? {
    leaf.reduce(Optional(property)) { property, name in
      property?.attribute?.elements?.first { $0.name == name }
    }?.attribute?.type
  }
}

extension Statement {
  /// A date's number of seconds; nil for what is no number.
  fileprivate func seconds(_ column: Int) -> Double? {
    kind(column) == .real || kind(column) == .integer ? double(column) : nil
  }
}
