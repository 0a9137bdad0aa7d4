import StoreScanning
import StoreWords
import StoreCoreData

/// Which objects of one table are merged into which.
struct Merging {
  /// The table the merged objects are in.
  let table: String
  /// `members`: all objects of all groups, survivors included. `gone`: those merged into another and deleted.
  let members: KeySet, gone: KeySet
  /// The entity of each member.
  let entities: [Int64: EntityID]
  private let places: [Int64: Place]

  private struct Place {
    var survivor: Int64
    /// 0 for the survivor, then 1, 2, … for the others in their order.
    var rank: Int
  }

  /// Merges the others of each group into its survivor.
  init(_ twins: [Twins], in table: String, _ bench: Workbench) throws {
    self.table = table
    var places: [Int64: Place] = [:]
    for group in twins {
      for (rank, key) in group.all.enumerated() { places[key] = Place(survivor: group.survivor, rank: rank) }
    }
    self.places = places
    members = KeySet(places.keys)
    gone = KeySet(twins.flatMap(\.others))
    entities = try bench.entities(of: members, in: table)
  }

  /// The key of the object that `key` is merged into; `key` itself if it stays.
  func survivor(of key: Int64, in table: String) -> Int64 {
    table == self.table ? places[key]?.survivor ?? key : key
  }

  /// The object's place in its group: 0 for the survivor, and for an object of no group.
  func rank(of key: Int64, in table: String) -> Int { table == self.table ? places[key]?.rank ?? 0 : 0 }

  /// Whether an object is merged into another and deleted.
  func isGone(_ key: Int64, in table: String) -> Bool { rank(of: key, in: table) > 0 }

  /// Whether two different objects are merged into the same one.
  func areTwins(_ left: Int64, _ right: Int64, in tables: (String, String)) -> Bool {
    guard left != right, tables.0 == table, tables.1 == table, let group = places[left]?.survivor else { return false }
    return places[right]?.survivor == group
  }

  /// Whether the object that `key` is merged into is of one of `kinds`; always true for an object that stays.
  func mayBecome(_ kinds: Set<EntityID>, key: Int64, in table: String) -> Bool {
    guard rank(of: key, in: table) > 0 else { return true }
    return entities[survivor(of: key, in: table)].map(kinds.contains) ?? false
  }

  /// All members if `table` is the table of the merge, else none.
  func keys(in table: String) -> KeySet { table == self.table ? members : KeySet() }

  /// The entity number to store beside a key that leads to this object; `known` for objects that take no part.
  func companion(of key: Int64, in table: String, otherwise known: Int64?) -> Int64? {
    table == self.table ? entities[key]?.number ?? known : known
  }
}

/// Properties in which objects of one group differ, so that the merge loses a value or a link.
struct Conflicts {
  private var keys: [String: [Int64]] = [:]
  /// Objects that become one of another entity, by the two entities' names.
  private var entities: [[String]: [Int64]] = [:]

  /// Notes that the survivor `key` keeps its own value or link of a property, and another is lost.
  mutating func note(_ property: String, at key: Int64) { keys[property, default: []].append(key) }

  /// Notes that an object is merged into one of another entity.
  mutating func note(_ key: Int64, of entity: String?, becomes survivor: Int64, other: String?) {
    entities[[entity ?? "no entity", other ?? "no entity"], default: []].append(key)
  }

  /// Whether nothing is lost.
  var isEmpty: Bool { keys.isEmpty && entities.isEmpty }

  /// One sentence for each property.
  ///
  /// - Parameter loose: properties compared loosely, whose values differ only in spelling.
  func notices(loose: Set<String>) -> [String] {
    let changed = entities.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { names, keys in
      let first = keys.sorted().prefix(Obstacle.maximumKeys).map(String.init).joined(separator: ", ")
      return "\(counted(keys.count, "object")) of \(quoted(names[0])) \(keys.count == 1 ? "becomes" : "become") one of "
        + "\(quoted(names[1])), another entity: \(first)\(keys.count > Obstacle.maximumKeys ? ", …" : "")"
    }
    return changed
      + keys.sorted { codeUnitsPrecede($0.key, $1.key) }.map { property, keys in
        let objects = Set(keys).sorted()
        let first = objects.prefix(Obstacle.maximumKeys).map(String.init).joined(separator: ", ")
        return "conflict in \(quoted(property)): \(counted(keys.count, "differing value")) "
          + (loose.contains(property) ? "(spelled in another way) " : "")
          + "\(keys.count == 1 ? "is" : "are") lost in favour of "
          + "\(objects.count == 1 ? "that" : "those") of \(first)\(objects.count > Obstacle.maximumKeys ? ", …" : "")"
      }
  }
}
