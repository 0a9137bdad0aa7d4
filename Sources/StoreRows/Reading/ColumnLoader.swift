import StoreCoreData
import StoreDataModel
import StoreScanning
import StoreSQLite
import StoreWords

/// Reads what the rows of other tables contribute, once each: links of to-many relationships, and values at the end of
/// paths through to-ones.
final class ColumnLoader {
  let store: Store
  let map: StoreMap
  private var knownLinks: [StoredRelationship: LinkTable] = [:]
  private var knownColumns: [Place: LoadedColumn] = [:]
  private var mirror: Mirror?
  private var depth = 0
  /// Whether links that cannot be read are left out, and `unread` says so.
  var toleratesDamage = false
  /// Links that were left out, in a sentence each.
  private var unreadLinks: [String] = []
  /// For each table, the keys that could not be read, in the order of reading; neighbours in one.
  private var unreadable: [String: [ClosedRange<Int64>]] = [:]

  private var unreadableKeys: UnreadableKeys??

  /// How often reading of a table went on behind damage.
  private var detours: [String: Int] = [:]
  private static let mostDetours = 1_000

  /// The keys that cannot be read where a read of a table stopped behind `key`; nil where nothing can be read any more.
  func unreadableKeys(behind key: Int64?, in table: String) -> ClosedRange<Int64>? {
    store.noteUnreadable(table)
    let finder = unreadableKeys ?? UnreadableKeys(store)
    unreadableKeys = .some(finder)
    guard let keys = finder?.behind(key, in: table) else { return nil }
    detours[table, default: 0] += 1
    // A table that is damaged everywhere is not read to its end.
    return detours[table, default: 0] > Self.mostDetours ? keys.lowerBound...(.max) : keys
  }

  /// Leaves out keys of a table that cannot be read.
  func addUnreadable(_ keys: ClosedRange<Int64>, of table: String) {
    var ranges = unreadable[table] ?? []
    if ranges.contains(where: { $0.lowerBound <= keys.lowerBound && $0.upperBound >= keys.upperBound }) { return }
    if let last = ranges.last, last.upperBound < .max, last.upperBound + 1 == keys.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound...keys.upperBound
    } else if ranges.count < Self.mostDetours {
      ranges.append(keys)
    }
    unreadable[table] = ranges
  }

  /// What was left out, in a sentence each.
  var unread: [String] {
    unreadLinks
      + unreadable.sorted { codeUnitsPrecede($0.key, $1.key) }.map { table, ranges in
        if ranges == [.min ... .max] { return "\(table) is damaged: nothing of it can be read" }
        let words = ranges.prefix(10).map { range in
          if range.lowerBound == .min { return "up to \(range.upperBound)" }
          if range.upperBound == .max { return "from \(range.lowerBound) on" }
          return range.lowerBound == range.upperBound
            ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
        }
        return
          "\(table) is damaged: not shown, because they cannot be read, are the keys \(words.joined(separator: ", "))"
          + (ranges.count > 10 ? " and \(ranges.count - 10) more ranges" : "")
      }
  }

  private struct Place: Hashable {
    var entity: EntityID
    var path: String
  }

  init(_ store: Store, _ map: StoreMap) {
    self.store = store
    self.map = map
  }

  /// The links of a to-many relationship that the entity declares or inherits; nil where their place is not known.
  func links(_ name: String, of entity: EntityLayout) throws -> LinkTable? {
    guard let relationship = map.relationship(name, of: entity.name), relationship.layout.hasPlace else { return nil }
    if let known = knownLinks[relationship] { return known }
    do {
      let table = try LinkTable(relationship, in: store, map)
      knownLinks[relationship] = table
      return table
    } catch let error as SQLiteError where error.isCorrupt && toleratesDamage {
      let sentence = "the links of \(entity.name).\(name) are not shown: their table is damaged"
      store.noteDamage()
      if !unreadLinks.contains(sentence) { unreadLinks.append(sentence) }
      return nil
    }
  }

  /// What CloudKit knows of the objects of an entity. Its tables are read once for all entities.
  func mirrored(_ entity: EntityLayout) throws -> MirroredObjects {
    let mirror = try self.mirror ?? Mirror(store)
    self.mirror = mirror
    return MirroredObjects(mirror, of: entity)
  }

  /// The values of a property, or path, of all objects of an entity.
  func loaded(_ path: String, of entity: EntityLayout) throws -> LoadedColumn {
    let place = Place(entity: entity.id, path: path)
    if let known = knownColumns[place] { return known }
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.longestPath else {
      throw RowQueryError("a path may lead through \(Self.longestPath) relationships at most")
    }
    var builder = LoadedColumn.Builder()
    let reader = try RowReader(entity, columns: [path], loader: self)
    try reader.forEach { builder.add($0.key, value: $0.value(0)) }
    let column = builder.column()
    knownColumns[place] = column
    return column
  }

  private static let longestPath = 8

  /// The column that a name stands for: a property, a leaf, or a path through to-ones; nil if it means nothing.
  func column(_ name: String, of entity: EntityLayout) throws -> RowColumn? {
    if let (_, leaf, _) = entity.attributePlace(name) {
      return RowColumn(name: name, content: .attribute(leaf.attribute?.type ?? .undefined))
    }
    if let relationship = entity.relationships.first(where: { $0.name == name && $0.hasPlace }) {
      return RowColumn(relationship)
    }
    if !entity.isDescribed, store.shape.tables[entity.table]?.has(name) == true {
      return RowColumn(name: name, content: .stored)
    }
    guard let (first, rest) = name.splitAtFirstDot,
      let relationship = entity.relationships.first(where: { $0.name == first })
    else { return nil }
    guard !relationship.isToMany else {
      throw RowQueryError("\(quoted(first)) leads to many objects; a path leads through to-one relationships only")
    }
    guard let target = relationship.destination.flatMap({ map.entity(named: $0) }) else {
      throw RowQueryError("the destination of \(quoted("\(entity.name).\(first)")) is not known")
    }
    if rest == RowColumn.key.name || rest == RowColumn.entity.name {
      return RowColumn(name: name, content: rest == RowColumn.key.name ? .key : .entity)
    }
    // Properties of subentities are of some of the objects it may lead to.
    for kind in map.kinds(of: target.id).sorted().compactMap({ map.entity($0) }) {
      if let found = try column(rest, of: kind) { return RowColumn(name: name, content: found.content) }
    }
    throw unknownProperty(rest, of: [target])
  }

  /// The property that a name of a former version became, as its renaming identifier says.
  private func presentName(_ name: String, of kinds: [EntityLayout]) -> String? {
    kinds.lazy.compactMap { [store] kind in
      store.model?.properties(of: kind.modelName ?? kind.name).filter { $0.value.property.renamingIdentifier == name }
        .keys.min()
    }.first
  }

  /// The error for a name that no entity has, with the nearest that there is.
  func unknownProperty(_ name: String, of kinds: [EntityLayout]) -> RowQueryError {
    let entity = kinds.first?.name ?? "?"
    var names: [String] = []
    for kind in kinds {
      for attribute in kind.attributes {
        for column in attribute.columns where column.name != nil {
          names.append(([attribute.property.name] + column.leaf).joined(separator: "."))
        }
      }
      names += kind.relationships.filter(\.hasPlace).map(\.name)
    }
    let isTransient = kinds.contains { kind in
      kind.attributes.contains { $0.property.name == name && $0.property.isTransient }
        || kind.relationships.contains { $0.name == name && $0.storage == .none }
    }
    if isTransient { return RowQueryError("\(quoted("\(entity).\(name)")) is transient: a store has no values of it") }
    if let now = presentName(name, of: kinds) {
      return RowQueryError(
        "\(entity) has no property \(quoted(name)); did you mean \(quoted(now)), which was \(quoted(name))?")
    }
    let near = didYouMean(name, among: names)
    let known = Set(names).sorted()
    let list =
      near.isEmpty && !known.isEmpty && known.count <= 20 ? "; it has \(known.map(quoted).joined(separator: ", "))" : ""
    return RowQueryError("\(entity) has no property \(quoted(name))\(near)\(list)")
  }
}
