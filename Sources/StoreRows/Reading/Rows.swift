import StoreCoreData
import StoreFindings
import StoreScanning
import StoreSQLite
import StoreWords

/// The objects of one entity of a store that a query asks for.
package final class Rows {
  /// The store.
  package let store: Store
  /// The entity.
  package let entity: EntityLayout
  /// The columns of the result.
  package var columns: [RowColumn] { Array(reader.plan.columns.prefix(shown)) }
  /// How many objects were shown, after `forEach`.
  package private(set) var count: Int64 = 0
  /// How many of them are gone, or earlier versions.
  package private(set) var goneCount: Int64 = 0
  /// How many objects meet the condition, shown or not; nil where reading stopped before the end.
  package private(set) var total: Int64?
  /// The keys that were asked for and not come upon yet; nil where none was asked for, or not all rows were looked at.
  private var keysWithoutObject: Set<Int64>?
  private let query: RowQuery
  private let reader: RowReader
  private let shown: Int
  private let filter: RowFilter?
  private let loader: ColumnLoader

  /// One object, valid until the next one.
  package struct Row {
    fileprivate let row: RowReader.Row
    /// `Z_PK`.
    package var key: Int64 { row.key }
    /// The value of a column.
    @inline(__always)
    package func value(_ column: Int) -> RowValue { row.value(column) }
  }

  /// Prepares a query; tables that its columns lead to are read.
  ///
  /// - Throws: `UnknownEntity`, `RowQueryError`, and `SQLiteError` where a table cannot be read.
  package init(_ query: RowQuery, of store: Store, map: StoreMap? = nil) throws {
    guard let entity = store.layout.entity(named: query.entity) else {
      throw UnknownEntity(
        name: query.entity, known: store.layout.entities.filter { !$0.id.isInternal }.map(\.name), place: "store")
    }
    guard entity.tableExists else {
      throw RowQueryError("the store has no table \(entity.table) for \(quoted(entity.name))")
    }
    self.store = store
    self.entity = entity
    self.query = query
    keysWithoutObject = query.keys.map(Set.init)
    let loader = ColumnLoader(store, map ?? StoreMap(store))
    loader.toleratesDamage = true
    self.loader = loader
    let expanded = try query.expanded.map { try Self.expansion($0, of: entity, in: loader.map) }
      .filter { query.columns?.contains($0) != true }
    let filter = try query.condition.map { try RowFilter($0, of: entity, loader) }
    self.filter = filter
    reader = try RowReader(
      entity, columns: Self.names(query, of: entity, loader: loader),
      and: expanded + (filter?.paths ?? []),
      includesSubentities: query.includesSubentities, readsBinary: query.readsBinary,
      externalValues: query.externalValues, loader: loader)
    shown = reader.plan.columns.count - (filter?.paths.count ?? 0)
  }

  /// The columns by name: those that were asked for, or all, with the title before the others where it is wanted; nil for
  /// all as they are. The state and what CloudKit knows come after key and entity.
  private static func names(_ query: RowQuery, of entity: EntityLayout, loader: ColumnLoader) -> [String]? {
    let showsCloudKit = query.showsCloudKit && loader.store.isMirrored
    let further =
      (query.gone == nil ? [] : [RowColumn.state.name]) + (showsCloudKit ? RowColumn.ofCloudKit.map(\.name) : [])
    if let names = query.columns { return names + further.filter { !names.contains($0) } }
    let title = query.putsTitleFirst ? entity.titleAttribute : nil
    guard title != nil || !further.isEmpty else { return nil }
    let kinds = (query.includesSubentities ? loader.map.kinds(of: entity.id) : [entity.id]).sorted()
      .compactMap { loader.map.entity($0) }
    var names = RowPlan.allColumns(of: entity, kinds, in: loader.store).map(\.name)
    names.insert(
      contentsOf: further, at: names.prefix { $0 == RowColumn.key.name || $0 == RowColumn.entity.name }.count)
    return title.map { title in [title] + names.filter { $0 != title } } ?? names
  }

  /// "folder" as the path to the title of what it leads to; other paths as they are.
  private static func expansion(_ path: String, of entity: EntityLayout, in map: StoreMap) throws -> String {
    guard !path.contains("."), let relationship = entity.relationships.first(where: { $0.name == path }) else {
      return path
    }
    guard !relationship.isToMany else {
      throw RowQueryError("\(quoted(path)) leads to many objects, whose keys are shown; only a to-one can be expanded")
    }
    guard let target = relationship.destination.flatMap({ map.entity(named: $0) }) else {
      throw RowQueryError("the destination of \(quoted("\(entity.name).\(path)")) is not known")
    }
    guard let title = target.titleAttribute else {
      throw RowQueryError(
        "\(target.name) has no attribute that looks like a title; name one, as in '\(path).ATTRIBUTE'")
    }
    return "\(path).\(title)"
  }

  /// Calls `body` for each object of the result, in its order.
  ///
  /// - Throws: `SQLiteError` where the table cannot be read to its end, and what `body` throws.
  package func forEach(_ body: (Row) throws -> Void) throws {
    guard query.order.isEmpty else { return try forEachOrdered(body) }
    var seen: Int64 = 0
    let end = query.limit.map { Int64(clamping: $0).addingReportingOverflow(Int64(clamping: query.offset)) }
    do {
      try reader.forEach(keys: query.keys) { row in
        keysWithoutObject?.remove(row.key)
        if let filter, !filter.accepts(row, from: shown) { return }
        if let end, !end.overflow, seen >= end.partialValue { throw Stopped() }
        seen += 1
        guard seen > query.offset else { return }
        count += 1
        try body(Row(row: row))
      }
      try reader.forEachGone(query.gone ?? [], keys: query.keys) { row in
        keysWithoutObject?.remove(row.key)
        if let filter, !filter.accepts(row, from: shown, isGone: true) { return }
        if let end, !end.overflow, seen >= end.partialValue { throw Stopped() }
        seen += 1
        guard seen > query.offset else { return }
        count += 1
        goneCount += 1
        try body(Row(row: row))
      }
      total = loader.unread.isEmpty ? seen : nil
    } catch is Stopped { keysWithoutObject = nil }
  }

  /// Finds the keys of the result in their order first, and then reads the rows.
  private func forEachOrdered(_ body: (Row) throws -> Void) throws {
    let selection = try RowSelection(query, filter: filter, of: entity, loader)
    total = selection.total
    // Of those that do not meet the condition, or are beyond the limit, the keys are not known here.
    if filter != nil || query.limit != nil || query.offset > 0 { keysWithoutObject = nil }
    try reader.forEach(keys: selection.keys) { row in
      count += 1
      keysWithoutObject?.remove(row.key)
      try body(Row(row: row))
    }
  }

  /// There are more objects than were asked for.
  private struct Stopped: Error, CustomStringConvertible {
    var description: String { "there are more objects than were asked for" }
  }

  /// Objects for which the condition could not be decided, so that it is not known whether they belong to the result; known
  /// after `forEach`.
  package var undecided: Int64 { filter?.undecided ?? 0 }

  /// Remarks on values left out or shown otherwise than the model says, in a sentence each; known after `forEach`.
  package var remarks: [String] {
    let doubt =
      undecided == 0
      ? [] : ["of \(counted(undecided, "object")) it is not known whether the condition holds; not shown"]
    return doubt + (filter?.remarks ?? []) + missingKeys + unread + reader.remarks + unexplainedColumns
  }

  /// Which of the keys that were asked for no object has, in a sentence.
  private var missingKeys: [String] {
    guard let missing = keysWithoutObject, !missing.isEmpty else { return [] }
    let names = missing.sorted().prefix(20).map(String.init).joined(separator: ", ")
    let rest = missing.count > 20 ? " and \(missing.count - 20) more" : ""
    let keys = missing.count == 1 ? "key" : "keys"
    return [
      unread.isEmpty && !store.seenDamage.concerns(entity.table)
        ? "no object of \(entity.name) has the \(keys) \(names)\(rest)"
        : "no object of \(entity.name) with the \(keys) \(names)\(rest) could be read"
    ]
  }

  /// What could not be read, in a sentence each.
  package var unread: [String] { loader.unread }

  private var unexplainedColumns: [String] {
    let columns: [String] = store.layout.unexplained.compactMap {
      if case .column(let table, let name) = $0.object, table == entity.table { name } else { nil }
    }
    guard !columns.isEmpty, entity.isDescribed else { return [] }
    return [
      "no property accounts for \(columns.count == 1 ? "column" : "columns")"
        + " \(columns.prefix(5).map(quoted).joined(separator: ", "))\(columns.count > 5 ? " and \(columns.count - 5) more" : "")"
        + " of \(entity.table); not shown"
    ]
  }
}
