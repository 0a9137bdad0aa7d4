import StoreCoreData
import StoreDataModel
import StoreSQLite

/// Persistent history: the bits and the tombstones of its changes depend on the properties of a version, so both are
/// written anew for the target, as Core Data does it (`docs/format/migration-on-disk.md`).
extension MigrationPlanner {
  mutating func planChangeRecords() throws { try planChangeRecords(NamePairs(map)) }

  /// The same by other pairs of names than those of a lightweight step.
  mutating func planChangeRecords(_ pairs: NamePairs) throws {
    guard let changes = source.store.shape.table(.change), ["ZENTITY", "ZCHANGETYPE"].allSatisfy(changes.has) else {
      return
    }
    var moves: [Int64: HistoryBits.Move] = [:]
    for (entity, name) in pairs.entities {
      guard let old = source.numbers[entity], let new = numbers[name],
        let before = source.store.historyProperties(of: EntityID(old)), let after = historyProperties(of: name)
      else { continue }
      let pasts = after.tombstones.map { pairs.past($0, of: name) }
      try planTombstones(
        name, from: before, to: after, pasts: pasts, old: old, new: new, columns: changes.tombstoneColumns)
      guard changes.has("ZCOLUMNS") else { continue }
      let move = HistoryBits.Move(from: before, to: after)
      guard before.bits != after.bits || !sameLeaves(entity, name, pairs) else { continue }
      guard before.areBitsKnown, after.areBitsKnown else {
        if try hasChanges(of: old, where: "ZCHANGETYPE = 1 AND ZCOLUMNS IS NOT NULL") {
          assume(
            "\(name): its changes in history keep their bits, although which bit is which property is not known for "
              + "composite attributes")
        }
        continue
      }
      if try hasChanges(of: old, where: "ZCHANGETYPE = 1 AND ZCOLUMNS IS NOT NULL") { moves[new] = move }
    }
    guard !moves.isEmpty else { return }
    steps[.history, default: []].append(MigrationStatement(rewriting: HistoryBits(moves)))
  }

  /// The bits and tombstones of an entity of the target, in the tables as they are after this step.
  private func historyProperties(of entity: String) -> HistoryProperties? {
    guard let root = map.target.root(of: entity)?.name, let table = plan.tables.first(where: { $0.root == root }) else {
      return nil
    }
    let roles = Dictionary(table.columns.map { ($0.role, $0.name) }) { first, _ in first }
    return HistoryProperties(ofEntity: entity, in: map.target, tableColumns: columnsAfterwards(of: table)) { property in
      let id = TablePlan.PropertyID(map.target.topmostDeclarer(of: property, in: entity) ?? entity, property)
      guard roles[.key(id)] != nil else { return nil }
      return .init(companion: roles[.companion(id)], orderKey: roles[.orderKey(id)])
    }
  }

  /// The columns of a table of the target in their order in the file: those of a kept table stay where they are.
  private func columnsAfterwards(of table: TablePlan.Table) -> [String] {
    let planned = table.columns.map(\.name)
    let former = renamedTables.first { $0.value == table.name }?.key ?? table.name
    guard !newTables.contains(table.name), !goneTables.contains(former),
      let kept = source.store.shape.tables[former]?.columns.map(\.name)
    else { return planned }
    let renamed = kept.map { renamedColumns[former]?[$0] ?? $0 }
    return renamed + planned.filter { !renamed.contains($0) }
  }

  /// Whether the composite attributes of an entity have the same elements in both versions.
  private func sameLeaves(_ old: String, _ new: String, _ pairs: NamePairs) -> Bool {
    let (before, after) = (map.source.properties(of: old), map.target.properties(of: new))
    return after.allSatisfy { name, inherited in
      guard let elements = inherited.property.attribute?.elements else { return true }
      let past = pairs.past(name, of: new).flatMap { before[$0]?.property.attribute?.elements }
      return past == elements
    }
  }

  /// Moves what history keeps of deleted objects into the columns that the target's attributes have.
  private mutating func planTombstones(
    _ entity: String, from before: HistoryProperties, to after: HistoryProperties, pasts: [String?],
    old: Int64, new: Int64, columns: [String]
  ) throws {
    let places = Dictionary(before.tombstones.enumerated().map { ($1, $0) }) { first, _ in first }
    let origins = pasts.map { $0.flatMap { places[$0] } }
    let moved = zip(columns, origins).enumerated().filter { $0.offset != $0.element.1 }
    guard !moved.isEmpty || before.tombstones.count > after.tombstones.count else { return }
    for (place, name) in before.tombstones.enumerated() where columns.indices.contains(place) {
      let isOverwritten = moved.contains { $0.offset == place } && !origins.contains(place)
      guard isOverwritten, try hasChanges(of: old, where: "\(quotedIdentifier(columns[place])) IS NOT NULL") else {
        continue
      }
      refuse(
        TablePlan.PropertyID(entity, name),
        reason: "history keeps its values of deleted objects, and what becomes of them is not known")
    }
    let left = Set(origins.compactMap(\.self)).subtracting(origins.indices).filter(columns.indices.contains)
    let assignments =
      moved.map {
        "\(columns[$0.offset]) = \($0.element.1.flatMap { columns.indices.contains($0) ? columns[$0] : nil } ?? "NULL")"
      }
      + left.sorted().map { "\(columns[$0]) = NULL" }
    guard !assignments.isEmpty, try hasChanges(of: old, where: "ZCHANGETYPE = 2") else { return }
    add(
      .history,
      sql: "UPDATE \(HistoryTable.change) SET \(assignments.joined(separator: ", ")) WHERE ZENTITY = \(new) AND "
        + "ZCHANGETYPE = 2")
  }

  /// Whether history has a change of an entity, by its number in the source, that a condition holds for.
  private func hasChanges(of number: Int64, where condition: String) throws -> Bool {
    try source.store.connection.prepare(
      "SELECT 1 FROM \(HistoryTable.change) WHERE ZENTITY = \(number) AND \(condition) LIMIT 1"
    ).step()
  }
}

/// How the bits of changed properties (`ZCOLUMNS`) of all entities move from one version to the next.
package struct HistoryBits: Sendable, Equatable {
  /// By entity number of the target.
  package var moves: [Int64: Move]

  init(_ moves: [Int64: Move]) { self.moves = moves }

  /// How the bits of one entity move: by the property's name, so that one that was renamed loses its bit; and a property
  /// with more bits than one gets all of them. So it is in all records of seven steps between versions of Photos but 15.
  package struct Move: Sendable, Equatable {
    /// For each bit of the target the bits of the source that have the name of its property.
    var origins: [[Int]]
    /// How many bytes the source has.
    var sourceBytes: Int

    init(from before: HistoryProperties, to after: HistoryProperties) {
      let places = Dictionary(grouping: before.bits.indices) { before.bits[$0].property }
      origins = after.bits.map { places[$0.property] ?? [] }
      sourceBytes = before.byteCount
    }

    /// The bytes of a change as the target has them; nil for bytes that are not the source's.
    func moved(_ bytes: [UInt8]) -> [UInt8]? {
      guard bytes.count == sourceBytes else { return nil }
      var moved = [UInt8](repeating: 0, count: (origins.count + 7) / 8)
      for (bit, origin) in origins.enumerated() {
        guard origin.contains(where: { bytes[$0 / 8] & 0x80 >> UInt8($0 % 8) != 0 }) else { continue }
        moved[bit / 8] |= 0x80 >> UInt8(bit % 8)
      }
      return moved
    }
  }

  /// The statement that is run for each change.
  static let sql = "UPDATE \(HistoryTable.change) SET ZCOLUMNS = ?2 WHERE rowid = ?1"
  /// How many changes are read before they are written: what bounds the memory this takes.
  private static let batch = 1024

  /// Writes the bits of all changes anew. A change whose bytes are not those of its version keeps them.
  func perform(on connection: Connection) throws {
    let read = try connection.prepare(
      "SELECT rowid, ZENTITY, ZCOLUMNS FROM \(HistoryTable.change) WHERE rowid > ? AND ZCHANGETYPE = 1 "
        + "AND ZCOLUMNS IS NOT NULL ORDER BY rowid LIMIT \(Self.batch)")
    let write = try connection.prepare(Self.sql)
    var (last, isDone) = (Int64.min, false)
    while !isDone {
      var changes: [(row: Int64, bytes: [UInt8])] = []
      isDone = true
      try read.bind(.integer(last), at: 1)
      while try read.step() {
        (last, isDone) = (read.int64(0), false)
        if let bytes = read.blob(2), let moved = moves[read.int64(1)]?.moved(bytes), moved != bytes {
          changes.append((last, moved))
        }
      }
      read.reset()
      for change in changes {
        try write.bind(.integer(change.row), at: 1)
        try write.bind(.blob(change.bytes), at: 2)
        while try write.step() {}
        write.reset()
      }
    }
  }
}
