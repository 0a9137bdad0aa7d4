import StoreScanning
import StoreWords
import StoreDataModel
import StoreCoreData
import StoreSQLite

/// The first rows of each operation of a plan.
///
/// - Parameters:
///   - store: the store the plan is for, unchanged.
///   - examples: how many groups or rows of each operation.
///   - showsValues: whether values of attributes are read; otherwise keys and names alone.
/// - Throws: `SQLiteError` where the store cannot be read.
package func review(
  _ plan: RepairPlan, of store: Store, examples: Int, showsValues: Bool
) throws -> PlanReview {
  let reviewing = Reviewing(plan, store, examples: examples, showsValues: showsValues)
  return PlanReview(operations: try plan.operations.indices.map(reviewing.operation))
}

/// More groups than these are not compared with one another; the first by key are shown.
private let maximumComparedGroups = 20_000

private struct Reviewing {
  let plan: RepairPlan
  let store: Store
  let map: StoreMap
  let examples: Int
  let showsValues: Bool
  /// By table, the object that each merged one becomes.
  private var becomes: [String: [Int64: Int64]] = [:]

  init(_ plan: RepairPlan, _ store: Store, examples: Int, showsValues: Bool) {
    (self.plan, self.store, self.examples, self.showsValues) = (plan, store, max(examples, 0), showsValues)
    map = StoreMap(store)
    for operation in plan.operations where operation.mergesGroups {
      guard let table = operation.rows?.table else { continue }
      for group in operation.groups {
        for key in group.others { becomes[table, default: [:]][key] = group.survivor }
      }
    }
  }

  func operation(_ index: Int) throws -> PlanReview.Operation {
    let operation = plan.operations[index]
    guard let edit = operation.rows, examples > 0 else { return PlanReview.Operation() }
    let entity = operation.entity.flatMap(map.entity(named:)) ?? map.entity(ofTable: edit.table)
    guard !operation.groups.isEmpty, let entity else {
      return PlanReview.Operation(total: edit.count, rows: try rows(edit, operation: operation, entity: entity))
    }
    return try groups(of: index, edit: edit, entity: entity)
  }
}

extension Operation {
  fileprivate var rows: RowEdit? {
    if case .rows(let edit) = edit { edit } else { nil }
  }
}

// MARK: Groups

/// The members of a group as they are in the store now.
private struct Members {
  var twins: Twins
  var entities: [Int64: EntityID] = [:]
  /// By key, the values of all columns.
  var values: [Int64: [SQLiteValue]] = [:]
}

extension Reviewing {
  private func groups(of index: Int, edit: RowEdit, entity: EntityLayout) throws -> PlanReview.Operation {
    let all = plan.operations[index].groups
    let columns = ObjectColumns(of: map.kinds(of: entity.id), map)
    var review = PlanReview.Operation(total: all.count, comparedAll: all.count <= maximumComparedGroups)
    let candidates = review.comparedAll ? all : Array(all.prefix(examples))
    let reader = try reader(of: edit.table, columns.names)
    var names: [[String]] = []
    var counts: [String: Int] = [:]
    for twins in candidates {
      let differing = differing(try members(twins, reader: reader), columns: columns)
      for name in differing { counts[name, default: 0] += 1 }
      names.append(differing)
    }
    // A wrong group differs in something that few groups differ in: its weight is the inverse of how many do.
    let weights = names.map { $0.reduce(0) { $0 + 1 / Double(counts[$1] ?? 1) } }
    let order = candidates.indices.sorted {
      (-weights[$0], -candidates[$0].others.count, candidates[$0].survivor)
        < (-weights[$1], -candidates[$1].others.count, candidates[$1].survivor)
    }.prefix(examples)
    let shown = Set(order.map { candidates[$0].survivor })
    let moves = moves(to: shown, in: edit.table, after: index)
    for position in order {
      let members = try members(candidates[position], reader: reader)
      let twins = members.twins
      var group = PlanReview.Group(
        kept: try object(twins.survivor, members: members, entity: entity), others: [],
        isMerged: plan.operations[index].mergesGroups)
      for key in twins.others { group.others.append(try object(key, members: members, entity: entity)) }
      group.moved = (moves.links[twins.survivor] ?? [:]).sorted { codeUnitsPrecede($0.key, $1.key) }
        .map { ($0.key, $0.value) }
      group.filled = filled(moves.fills[twins.survivor] ?? [], members: members, columns: columns)
      group.differences = names[position].sorted { (counts[$0] ?? 0, $0) < (counts[$1] ?? 0, $1) }.map { name in
        PlanReview.Difference(
          property: name, groups: counts[name] ?? 0,
          values: showsValues ? values(of: name, members: members, columns: columns) : [])
      }
      review.groups.append(group)
    }
    return review
  }

  /// A statement for one object's row: `Z_ENT`, then the columns.
  private func reader(of table: String, _ columns: [String]) throws -> Statement {
    let list = (["Z_ENT"] + columns).map(quotedIdentifier).joined(separator: ", ")
    return try store.connection.prepare("SELECT \(list) FROM \(quotedIdentifier(table)) WHERE Z_PK = ?1")
  }

  private func members(_ twins: Twins, reader: Statement) throws -> Members {
    var members = Members(twins: twins)
    for key in twins.all {
      reader.reset()
      try reader.bind(key, at: 1)
      guard try reader.step() else { continue }
      members.entities[key] = EntityID(reader.int64(0))
      members.values[key] = (1..<max(reader.columnCount, 1)).map(reader.value)
    }
    return members
  }

  /// The attributes and to-ones of the kept object, with the values that an object has in them.
  private func parts(_ members: Members, columns: ObjectColumns) -> [ObjectColumns.Part] {
    let entity = members.entities[members.twins.survivor]
    return entity.map { (columns.attributes[$0] ?? []) + (columns.toOnes[$0] ?? []) } ?? []
  }

  private func values(_ part: ObjectColumns.Part, of key: Int64, members: Members) -> [SQLiteValue] {
    guard let row = members.values[key] else { return [] }
    let values = part.indexes.map { $0 < row.count ? row[$0] : .null }
    guard let entity = members.entities[members.twins.survivor].flatMap(map.entity), values.count == 1,
      case .integer(let target) = values[0],
      let table = entity.relationships.first(where: { $0.name == part.property })?.destination
        .flatMap(map.entity(named:))?.table
    else { return values }
    return [.integer(becomes[table]?[target] ?? target)]
  }

  /// The properties in which two of them have different values.
  private func differing(_ members: Members, columns: ObjectColumns) -> [String] {
    var names: [String] = []
    for part in parts(members, columns: columns) {
      let all = members.twins.all.map { values(part, of: $0, members: members) }
        .filter { values in !values.allSatisfy { $0 == .null } }
      if let first = all.first, all.dropFirst().contains(where: { $0 != first }) { names.append(part.property) }
    }
    if Set(members.entities.values).count > 1 { names.append("entity") }
    return names
  }

  private func values(of name: String, members: Members, columns: ObjectColumns) -> [PlanReview.Keyed] {
    guard let part = parts(members, columns: columns).first(where: { $0.property == name }),
      let first = part.indexes.first,
      let entity = members.entities[members.twins.survivor].flatMap(map.entity)
    else { return [] }
    let kind = entity.kind(of: name)
    return members.twins.all.compactMap { key in
      guard let row = members.values[key], first < row.count, row[first] != .null else { return nil }
      return PlanReview.Keyed(key: key, value: PlanReview.Value(stored: row[first], kind: kind))
    }
  }

  private func object(_ key: Int64, members: Members, entity: EntityLayout) throws -> PlanReview.Object {
    let own = members.entities[key].flatMap(map.entity) ?? entity
    return PlanReview.Object(entity: own.name, key: key, title: try title(of: key, own))
  }

  private func filled(
    _ fills: [(property: String, column: String, value: SQLiteValue)], members: Members, columns: ObjectColumns
  ) -> [(property: String, from: Int64?)] {
    fills.compactMap { fill in
      guard let part = parts(members, columns: columns).first(where: { $0.property == fill.property }) else {
        return nil
      }
      // A key that is only led to what its object became is nothing that was filled.
      guard values(part, of: members.twins.survivor, members: members).allSatisfy({ $0 == .null }) else { return nil }
      let index = columns.names.firstIndex(of: fill.column).flatMap(part.indexes.firstIndex)
      let from = index.flatMap { index in
        members.twins.others.first { key in
          let theirs = values(part, of: key, members: members)
          return index < theirs.count && theirs[index] == fill.value
        }
      }
      return (fill.property, from)
    }
  }

  private typealias Moves = (
    links: [Int64: [String: Int]], fills: [Int64: [(property: String, column: String, value: SQLiteValue)]]
  )

  /// The effects of the operations of the same merge on these objects: the links that they lead to them, and the values
  /// that they give them.
  private func moves(to survivors: Set<Int64>, in table: String, after index: Int) -> Moves {
    var moves: Moves = ([:], [:])
    for operation in plan.operations[(index + 1)...] {
      guard operation.repair == plan.operations[index].repair, operation.groups.isEmpty else { break }
      guard let edit = operation.rows, edit.action == .update, let property = operation.property else { continue }
      let name = [operation.entity, property].compactMap(\.self).joined(separator: ".")
      if edit.keyColumns == ["Z_PK"] {
        let owner = operation.entity.flatMap(map.entity(named:))
        let target = owner?.relationships.first { $0.name == property }?.destination.flatMap(map.entity(named:))
        edit.forEachRow { keys, values in
          guard case .integer(let row)? = keys.first, let value = values.first, let column = edit.setColumns.first
          else { return }
          if edit.table == table, survivors.contains(row) {
            moves.fills[row, default: []].append((property, column, value))
          }
          if target?.table == table, case .integer(let key) = value, survivors.contains(key), row != key {
            moves.links[key, default: [:]][name, default: 0] += 1
          }
        }
      } else if let join = store.layout.joinTables.first(where: { $0.name == edit.table }) {
        let ends = [join.source, join.destination].filter { map.entity(named: $0.entity)?.table == table }
        edit.forEachRow { keys, values in
          for end in ends {
            guard let old = edit.keyColumns.firstIndex(of: end.column),
              let new = edit.setColumns.firstIndex(of: end.column), old < keys.count, new < values.count,
              keys[old] != values[new], case .integer(let key) = values[new], survivors.contains(key)
            else { continue }
            moves.links[key, default: [:]][name, default: 0] += 1
          }
        }
      }
    }
    return moves
  }
}

// MARK: Rows

extension Reviewing {
  private func rows(_ edit: RowEdit, operation: Operation, entity: EntityLayout?) throws -> [PlanReview.Row] {
    var rows: [PlanReview.Row] = []
    let join = store.layout.joinTables.first { $0.name == edit.table }
    let isObject = edit.keyColumns == ["Z_PK"]
    let old =
      isObject && edit.action == .update && !edit.setColumns.isEmpty
      ? try reader(of: edit.table, edit.setColumns) : nil
    try edit.forEachRow(upTo: examples) { keys, values in
      guard isObject else {
        let ends = zip(edit.keyColumns, keys).map { column, key in
          let end = [join?.source, join?.destination].compactMap(\.self).first { $0.column == column }
          return PlanReview.End(entity: end?.entity, key: key.objectKey)
        }
        rows.append(PlanReview.Row(ends: ends))
        return
      }
      guard let key = keys.first?.objectKey else { return }
      var end = PlanReview.End(entity: entity?.name, key: key)
      if let entity, edit.action != .insert { end.title = try title(of: key, entity) }
      var row = PlanReview.Row(ends: [end])
      if let entity, edit.action != .delete {
        row.changes = try changes(edit, operation: operation, entity: entity, key: key, values: values, old: old)
      }
      rows.append(row)
    }
    return rows
  }

  private func changes(
    _ edit: RowEdit, operation: Operation, entity: EntityLayout, key: Int64, values: [SQLiteValue],
    old: Statement?
  ) throws -> [PlanReview.Change] {
    var changes: [PlanReview.Change] = []
    old?.reset()
    try old?.bind(key, at: 1)
    let exists = try old?.step() ?? false
    for (index, (column, value)) in zip(edit.setColumns, values).enumerated() {
      // Beside a key stand the number of its entity and its place in an order, which follow from it.
      guard let property = entity.property(in: column) else { continue }
      let kind = entity.kind(of: property)
      guard showsValues || kind == .key else { continue }
      let before = exists ? old.map { PlanReview.Value(stored: $0.value(index + 1), kind: kind) } : nil
      changes.append(
        PlanReview.Change(name: property, before: before, after: PlanReview.Value(stored: value, kind: kind)))
    }
    return changes
  }

  /// The title by which a person knows an object: its first text of a usual name, else its first text.
  private func title(of key: Int64, _ entity: EntityLayout) throws -> PlanReview.Value? {
    guard showsValues, let column = entity.titleColumn else { return nil }
    let reader = try reader(of: entity.table, [column])
    try reader.bind(key, at: 1)
    guard try reader.step(), case .text = reader.value(1) else { return nil }
    return PlanReview.Value(stored: reader.value(1), kind: .plain)
  }
}

extension EntityLayout {
  /// The column of the attribute that looks like a title.
  fileprivate var titleColumn: String? {
    let texts = attributes.filter { $0.property.attribute?.type == .string && $0.columns.count == 1 }
    let usual = ["title", "name", "displayName", "fullName", "label", "subject", "heading"]
    let chosen = usual.lazy.compactMap { name in texts.first { $0.property.name == name } }.first ?? texts.first
    return chosen?.columns.first?.name
  }

  /// The property whose value a column holds; nil for columns beside a key.
  fileprivate func property(in column: String) -> String? {
    for attribute in attributes {
      for leaf in attribute.columns where leaf.name == column {
        return ([attribute.property.name] + leaf.leaf).joined(separator: ".")
      }
    }
    return relationships.first {
      if case .key(column, _, _) = $0.storage { true } else { false }
    }?.name
  }

  fileprivate func kind(of property: String) -> PlanReview.Value.Kind {
    if relationships.contains(where: { $0.name == property }) { return .key }
    switch attributes.first(where: { $0.property.name == property })?.property.attribute?.type {
    case .date: return .date
    case .uuid: return .uuid
    case .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .binary, .uri,
      .transformable, .objectID, .composite, .unknown, nil:
      return .plain
    }
  }
}

extension SQLiteValue {
  fileprivate var objectKey: Int64? {
    if case .integer(let key) = self { key } else { nil }
  }
}

extension RowEdit {
  /// Calls `body` with the values of the key columns and of `setColumns` of each row.
  fileprivate func forEachRow(
    upTo limit: Int = .max, _ body: (_ keys: [SQLiteValue], _ values: [SQLiteValue]) throws -> Void
  ) rethrows {
    for number in 0..<min(count, limit) {
      let start = number * width
      let keys = (start..<start + keyColumns.count).map { rows[$0] }
      try body(keys, shared ?? (start + keyColumns.count..<start + width).map { rows[$0] })
    }
  }
}
