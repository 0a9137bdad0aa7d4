import StoreScanning
import StoreWords
import StoreCoreData

/// Which objects of a table become which.
struct Merging {
  /// The table of all of them.
  let table: String
  /// Every object that takes part, and those of them that go.
  let members: KeySet, gone: KeySet
  /// The entities of those that take part.
  let entities: [Int64: EntityID]
  private let places: [Int64: Place]

  private struct Place {
    var survivor: Int64
    /// 0 for the object that stays, then the others as they follow.
    var rank: Int
  }

  /// The others of each group become the one that stays.
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

  /// What an object of a table becomes.
  func survivor(of key: Int64, in table: String) -> Int64 {
    table == self.table ? places[key]?.survivor ?? key : key
  }

  /// How many come before an object in its group; 0 for one of no group.
  func rank(of key: Int64, in table: String) -> Int { table == self.table ? places[key]?.rank ?? 0 : 0 }

  /// Whether an object becomes another.
  func isGone(_ key: Int64, in table: String) -> Bool { rank(of: key, in: table) > 0 }

  /// Whether two different objects of one table become one.
  func areTwins(_ left: Int64, _ right: Int64, in tables: (String, String)) -> Bool {
    guard left != right, tables.0 == table, tables.1 == table, let group = places[left]?.survivor else { return false }
    return places[right]?.survivor == group
  }

  /// Whether what an object becomes is of one of these entities; true for one that does not change.
  func mayBecome(_ kinds: Set<EntityID>, _ key: Int64, in table: String) -> Bool {
    guard rank(of: key, in: table) > 0 else { return true }
    return entities[survivor(of: key, in: table)].map(kinds.contains) ?? false
  }

  /// Whether objects of a table take part.
  func keys(in table: String) -> KeySet { table == self.table ? members : KeySet() }

  /// The entity number beside a key of an object.
  func companion(of key: Int64, in table: String, otherwise known: Int64?) -> Int64? {
    table == self.table ? entities[key]?.number ?? known : known
  }
}

/// What two objects that become one both have, and differently, so that one of the two is lost.
struct Conflicts {
  private var keys: [String: [Int64]] = [:]

  /// Notes that a value or link of a property is lost at the object that stays.
  mutating func note(_ property: String, at key: Int64) { keys[property, default: []].append(key) }

  /// Whether nothing is lost.
  var isEmpty: Bool { keys.isEmpty }

  /// One sentence a property.
  ///
  /// - Parameter loose: properties that were compared loosely, so that what differs is how they are spelled.
  func notices(loose: Set<String>) -> [String] {
    keys.sorted { codeUnitsPrecede($0.key, $1.key) }.map { property, keys in
      let objects = Set(keys).sorted()
      let first = objects.prefix(Obstacle.maximumKeys).map(String.init).joined(separator: ", ")
      return "conflict in \(quoted(property)): \(counted(keys.count, "differing value")) "
        + (loose.contains(property) ? "(spelled in another way) " : "")
        + "\(keys.count == 1 ? "is" : "are") lost in favour of "
        + "\(objects.count == 1 ? "that" : "those") of \(first)\(objects.count > Obstacle.maximumKeys ? ", …" : "")"
    }
  }
}
