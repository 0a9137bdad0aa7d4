import StoreCoreData
import StoreDataModel
import StoreScanning
import StoreSQLite
import StoreWords

/// Objects that two stores both have, with different values: which one counts, by the rule of a recipe.
///
/// The copy of the other store has the keys of this one already, so that both tables are read side by side.
struct DifferingPairs {
  private let item: Recipe.MergedStore
  private let restoring: Restoring
  private let old: Workbench
  private let new: Workbench
  private var decision = Decision()
  private var bytes = 0

  /// What becomes of the objects of one entity that differ.
  private struct Counts {
    var taken = 0
    var kept = 0
    /// Those for which there is no rule.
    var undecided: [Int64] = []
  }

  init(_ item: Recipe.MergedStore, _ restoring: Restoring, old: Workbench, new: Workbench) {
    (self.item, self.restoring, self.old, self.new) = (item, restoring, old, new)
  }

  mutating func decide() throws -> Decision {
    let entities = new.store.layout.entities.filter { $0.tableExists && !$0.id.isInternal }
    for entity in entities.sorted(by: { $0.id < $1.id }) where old.store.shape.tables[entity.table] != nil {
      guard try compare(entity) else { return decision }
    }
    return decision
  }

  private enum Rule {
    case newest(column: Int)
    case keep(Recipe.MergedStore.Side)
  }

  private func rule(_ entity: EntityLayout, _ columns: inout [String]) -> Rule? {
    for ancestor in new.lineage(of: entity) {
      guard let name = item.newest[ancestor.name] ?? ancestor.modelName.flatMap({ item.newest[$0] }),
        let column = entity.uniqueColumns[name]
      else { continue }
      if !columns.contains(column) { columns.append(column) }
      return columns.firstIndex(of: column).map { .newest(column: $0) }
    }
    return item.keep.map { .keep($0) }
  }

  /// False where there is more than is held.
  private mutating func compare(_ entity: EntityLayout) throws -> Bool {
    let all = ObjectColumns(of: [entity.id], new.map)
    let parts = all.attributes[entity.id] ?? []
    var columns = parts.flatMap(\.indexes).map { all.names[$0] }
    let external = Set(parts.flatMap(\.external).map { all.names[$0] })
    let compared = columns.count
    let rule = rule(entity, &columns)
    guard compared > 0 else { return true }
    let list = (["Z_PK"] + columns).map(quotedIdentifier).joined(separator: ", ")
    let sql = "SELECT \(list) FROM \(quotedIdentifier(entity.table)) WHERE Z_ENT = ?1 ORDER BY Z_PK"
    let (ours, theirs) = try (new.connection.prepare(sql), old.connection.prepare(sql))
    try ours.bind(entity.id.number, at: 1)
    try theirs.bind(entity.id.number, at: 1)
    var counts = Counts()
    var edit = RowEdit.objects(entity.table, set: Array(columns[..<compared]))
    var (hasOurs, hasTheirs) = try (ours.step(), theirs.step())
    while hasOurs, hasTheirs {
      let (own, other) = (ours.int64(0), theirs.int64(0))
      if own != other {
        if own < other { hasOurs = try ours.step() } else { hasTheirs = try theirs.step() }
        continue
      }
      let before = columns.indices.map { ours.value($0 + 1) }
      var after = columns.indices.map { theirs.value($0 + 1) }
      if try differ(before, after, columns[..<compared], external) {
        switch rule {
        case nil: counts.undecided.append(own)
        case .keep(.new)?: counts.kept += 1
        case .newest(let column)? where !isLater(after[column], than: before[column]): counts.kept += 1
        case .keep(.old)?, .newest?:
          for (index, column) in columns[..<compared].enumerated() where external.contains(column) {
            if let content = try restoring.inlined(after[index]) { after[index] = content }
          }
          bytes += after.reduce(0) { $0 + $1.byteCount }
          guard bytes <= Restoring.mostBytes else {
            decision = Decision(obstacles: [
              Obstacle(
                .merge, entity: entity.name,
                "the objects that differ have more than \(Restoring.mostBytes >> 20) MiB of values, which is more than is "
                  + "changed at once; keep those of the store (keep: new)", refusesPlan: true)
            ])
            return false
          }
          edit.add(own, set: Array(after[..<compared]))
          counts.taken += 1
        }
      }
      (hasOurs, hasTheirs) = try (ours.step(), theirs.step())
    }
    note(counts, edit, entity)
    return true
  }

  private mutating func note(_ counts: Counts, _ edit: RowEdit, _ entity: EntityLayout) {
    if !counts.undecided.isEmpty {
      decision.obstacles.append(
        Obstacle(
          .merge, entity: entity.name, count: counts.undecided.count, keys: counts.undecided,
          "\(counted(counts.undecided.count, "object")) of \(quoted(entity.name)) that \(counts.undecided.count == 1 ? "is" : "are") "
            + "in both stores \(counts.undecided.count == 1 ? "has" : "have") other values in each: say which counts, with "
            + "'keep: new', 'keep: old' or 'newest: {\(entity.name): modifiedAt}' (--conflicts keep:new, "
            + "--conflicts newest:\(entity.name).modifiedAt)", refusesPlan: true))
    }
    if edit.count > 0 {
      decision.operations.append(
        Operation(
          .merge,
          summary: "give \(counted(edit.count, "object")) of \(entity.name) the values of \(quoted(item.from))",
          entity: entity.name, .rows(edit), grade: .named))
    }
    if counts.kept > 0 {
      decision.notices.append(
        "\(counted(counts.kept, "object")) of \(entity.name) \(counts.kept == 1 ? "has" : "have") other values in "
          + "\(quoted(item.from)), which by the rule are not taken")
    }
  }

  private func differ(
    _ ours: [SQLiteValue], _ theirs: [SQLiteValue], _ columns: ArraySlice<String>, _ external: Set<String>
  ) throws -> Bool {
    try columns.indices.contains { index in
      guard ours[index].normalized != theirs[index].normalized else { return false }
      guard external.contains(columns[index]) else { return true }
      return try new.store.content(of: ours[index]) != old.store.content(of: theirs[index])
    }
  }

  /// Whether a date, number or text is later; NULL is earlier than any, and kinds are not compared with each other.
  private func isLater(_ one: SQLiteValue, than other: SQLiteValue) -> Bool {
    switch (one, other) {
    case (.null, _): false
    case (_, .null): true
    case (.integer(let left), .integer(let right)): left > right
    case (.integer(let left), .real(let right)): Double(left) > right
    case (.real(let left), .integer(let right)): left > Double(right)
    case (.real(let left), .real(let right)): left > right
    case (.text(let left), .text(let right)): right.lexicographicallyPrecedes(left)
    case (_, _): false
    }
  }
}

extension Store {
  /// What a value of an attribute that may lie in a file stands for; the value itself where the file is lost.
  fileprivate func content(of value: SQLiteValue) throws -> SQLiteValue {
    guard case .blob(let bytes) = value, let first = bytes.first else { return value }
    if first == 1 { return .blob(Array(bytes.dropFirst())) }
    guard let name = value.externalFileName, let file = externalFile(name), file.size <= Int64(Restoring.mostBytes)
    else {
      return value
    }
    return .blob(try file.read(at: 0, count: Int(file.size)))
  }
}
