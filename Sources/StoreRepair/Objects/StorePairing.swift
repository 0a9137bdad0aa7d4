import StoreCoreData
import StoreDataModel
import StoreScanning
import StoreSQLite
import StoreText
import StoreWords

/// Finds the objects that two stores of one model both have, and keys for those that only the older one has.
///
///     attributes that were given, else what is unique     the same values, all of them there
///     one of those is NULL, or there are none             the same key, where the stores' UUIDs are equal
///                                                          else the same values in all attributes, where one is NULL
///
/// Two stores can have an object several times: the first is the same as the first, the second as the second. Objects of
/// different entities are never the same. A row takes 16 bytes.
struct StorePairing {
  /// For each table of objects the key here of each object of the other store.
  private(set) var keys: [String: [KeyPair]] = [:]
  private(set) var obstacles: [Obstacle] = []
  private(set) var notices: [String] = []
  private let item: Recipe.MergedStore
  private let old: Workbench
  private let new: Workbench
  private let isSameStore: Bool

  private struct HashedRow {
    var hash: UInt64
    var key: Int64
  }

  init(_ item: Recipe.MergedStore, old: Workbench, new: Workbench) {
    (self.item, self.old, self.new) = (item, old, new)
    isSameStore = new.store.metadata.uuid != nil && new.store.metadata.uuid == old.store.metadata.uuid
  }

  mutating func run() throws {
    let entities = new.store.layout.entities.filter { $0.tableExists && !$0.id.isInternal }
    var undecided: [String] = []
    for (table, kinds) in Dictionary(grouping: entities, by: \.table).sorted(by: { $0.key < $1.key }) {
      guard old.store.shape.tables[table] != nil else { continue }
      var paired: [Int64: Int64] = [:]
      var taken: Set<Int64> = []
      for entity in kinds.sorted(by: { $0.id < $1.id }) {
        let ways = ways(of: entity)
        if ways.isEmpty, try has(entity, old), try has(entity, new) { undecided.append(entity.name) }
        for way in ways {
          for pair in try pairs(entity, way) where paired[pair.first] == nil && !taken.contains(pair.second) {
            paired[pair.first] = pair.second
            taken.insert(pair.second)
          }
        }
      }
      keys[table] = try withFreeKeys(table, paired)
      if !paired.isEmpty {
        let names = kinds.filter { $0.parent == nil }.map(\.name).joined(separator: ", ")
        notices.append(
          "\(counted(paired.count, "object")) of \(names) \(paired.count == 1 ? "is" : "are") in both stores")
      }
    }
    guard !undecided.isEmpty else { return }
    let names = undecided.sorted(by: codeUnitsPrecede)
    let list =
      names.prefix(5).map(quoted).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
    obstacles.append(
      Obstacle(
        .merge, entity: names.first, count: names.count,
        "nothing says which objects of \(list) are the same in both stores: their UUIDs differ, so that keys do not, and nothing "
          + "is unique; name attributes that do, as in 'by: {\(names.first ?? ""): [name]}' (--by \(names.first ?? "").name)",
        refusesPlan: true))
  }

  // MARK: Ways to tell

  private enum Way {
    /// The same values in columns, none of them NULL.
    case values([String])
    /// The same values in all columns, of rows of which one of `unless` is NULL.
    case content([String], unless: [String])
    case key
  }

  private func ways(of entity: EntityLayout) -> [Way] {
    let own = lineage(of: entity)
    if let names = own.lazy.compactMap({ item.by[$0.name] ?? $0.modelName.flatMap { item.by[$0] } }).first {
      let columns = columns(names, of: entity)
      return columns.isEmpty ? [] : [.values(columns)] + whereNull(columns, entity)
    }
    let unique = own.flatMap(\.uniquenessConstraints).map { columns($0, of: entity) }.filter { !$0.isEmpty }
    guard let first = unique.first else { return isSameStore ? [.key] : [] }
    return unique.map { .values($0) } + whereNull(first, entity)
  }

  private func whereNull(_ columns: [String], _ entity: EntityLayout) -> [Way] {
    if isSameStore { return [.key] }
    let all = ObjectColumns(of: [entity.id], new.map)
    let names = (all.attributes[entity.id] ?? []).flatMap(\.indexes).map { all.names[$0] }
    return [.content(names, unless: columns)]
  }

  /// The columns of attributes; none where one is a relationship or unknown.
  private func columns(_ names: [String], of entity: EntityLayout) -> [String] {
    let toOnes = Set(entity.relationships.map(\.name))
    let known = entity.uniqueColumns
    let columns = names.compactMap { toOnes.contains($0) ? nil : known[$0] }
    return columns.count == names.count ? columns : []
  }

  /// The entity and those above it.
  private func lineage(of entity: EntityLayout) -> [EntityLayout] { new.lineage(of: entity) }

  private func has(_ entity: EntityLayout, _ bench: Workbench) throws -> Bool {
    let rows = try bench.connection.prepare("SELECT 1 FROM \(quotedIdentifier(entity.table)) WHERE Z_ENT = ?1 LIMIT 1")
    try rows.bind(entity.id.number, at: 1)
    return try rows.step()
  }

  // MARK: Pairs

  /// The old key and the new one of each object that is in both, in order.
  private func pairs(_ entity: EntityLayout, _ way: Way) throws -> [KeyPair] {
    let (columns, unless): ([String], [String]) =
      switch way {
      case .values(let columns): (columns, [])
      case .content(let columns, let unless): (columns, unless)
      case .key: (["Z_PK"], [])
      }
    let isByContent = if case .content = way { true } else { false }
    let theirs = try rows(entity, columns, unless, isByContent, old)
    let ours = try rows(entity, columns, unless, isByContent, new)
    var pairs: [KeyPair] = []
    var (left, right) = (theirs[...], ours[...])
    while let one = left.first, let other = right.first {
      guard one.hash == other.hash else {
        if one.hash < other.hash { left = left.dropFirst() } else { right = right.dropFirst() }
        continue
      }
      let (these, those) = (left.prefix { $0.hash == one.hash }, right.prefix { $0.hash == one.hash })
      (left, right) = (left.dropFirst(these.count), right.dropFirst(those.count))
      var waiting: [[SQLiteValue]: ArraySlice<Int64>] = [:]
      for row in those { waiting[try values(of: row.key, entity, columns, new), default: []].append(row.key) }
      for row in these {
        let values = try values(of: row.key, entity, columns, old)
        guard let key = waiting[values]?.popFirst() else { continue }
        pairs.append(KeyPair(row.key, key))
      }
    }
    return pairs
  }

  /// A hash of the values of each object that can be told by them, in order of hash and key.
  private func rows(
    _ entity: EntityLayout, _ columns: [String], _ unless: [String], _ isByContent: Bool, _ bench: Workbench
  ) throws -> [HashedRow] {
    let list = (["Z_PK"] + columns + unless).map(quotedIdentifier).joined(separator: ", ")
    let rows = try bench.connection.prepare(
      "SELECT \(list) FROM \(quotedIdentifier(entity.table)) NOT INDEXED WHERE Z_ENT = ?1")
    try rows.bind(entity.id.number, at: 1)
    var found: [HashedRow] = []
    while try rows.step() {
      if isByContent {
        guard unless.indices.contains(where: { rows.isNull($0 + 1 + columns.count) }) else { continue }
      } else if columns.indices.contains(where: { rows.isNull($0 + 1) }) {
        continue
      }
      var hasher = Hasher()
      for index in columns.indices { hasher.combine(rows.value(index + 1).normalized) }
      found.append(HashedRow(hash: UInt64(bitPattern: Int64(hasher.finalize())), key: rows.int64(0)))
    }
    found.sort { ($0.hash, $0.key) < ($1.hash, $1.key) }
    return found
  }

  private func values(
    of key: Int64, _ entity: EntityLayout, _ columns: [String], _ bench: Workbench
  ) throws -> [SQLiteValue] {
    let list = columns.map(quotedIdentifier).joined(separator: ", ")
    let row = try bench.connection.prepare("SELECT \(list) FROM \(quotedIdentifier(entity.table)) WHERE Z_PK = ?1")
    try row.bind(key, at: 1)
    return try row.step() ? columns.indices.map { row.value($0).normalized } : []
  }

  // MARK: Keys

  /// The keys of all objects of a table: of pairs those here, of others their own where it is free, else new ones.
  private func withFreeKeys(_ table: String, _ paired: [Int64: Int64]) throws -> [KeyPair] {
    var used: Set<Int64> = []
    var highest = Int64(0)
    let ours = try new.connection.prepare("SELECT Z_PK FROM \(quotedIdentifier(table))")
    while try ours.step() {
      used.insert(ours.int64(0))
      highest = max(highest, ours.int64(0))
    }
    if let root = new.map.entity(ofTable: table) {
      highest = max(highest, new.store.entityMap[root.id]?.highWater ?? 0)
    }
    let theirs = try old.connection.prepare("SELECT Z_PK FROM \(quotedIdentifier(table)) ORDER BY Z_PK")
    var all: [KeyPair] = []
    var homeless: [Int64] = []
    while try theirs.step() {
      let key = theirs.int64(0)
      highest = max(highest, key)
      if let same = paired[key] {
        all.append(KeyPair(key, same))
      } else if key > 0, used.insert(key).inserted {
        all.append(KeyPair(key, key))
      } else {
        homeless.append(key)
      }
    }
    for key in homeless {
      let (next, isTooLarge) = highest.addingReportingOverflow(1)
      guard !isTooLarge else { throw RepairPlanError.noEnd }
      highest = next
      all.append(KeyPair(key, next))
    }
    return all
  }
}

extension Workbench {
  /// An entity and those above it, the nearest first.
  func lineage(of entity: EntityLayout) -> [EntityLayout] {
    var lineage = [entity]
    while let parent = lineage.last?.parent.flatMap({ map.entity(named: $0) }),
      !lineage.contains(where: { $0.id == parent.id })
    {
      lineage.append(parent)
    }
    return lineage
  }
}
