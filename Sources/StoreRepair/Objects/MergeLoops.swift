import StoreScanning
import StoreWords

/// The loops that merging would make, and the ways around them.
///
/// A survivor takes the first link in the order of its group that leads into no loop; a group that has links, but none
/// of that kind, is not merged.
struct MergeLoops {
  /// By column: rows whose key no survivor takes.
  private(set) var avoided: [String: Set<Int64>] = [:]
  /// Groups that are not merged, by the key of their survivor.
  private(set) var refused: Set<Int64> = []
  /// Why.
  private(set) var obstacles: [Obstacle] = []

  private let twins: [Twins]
  private let merging: Merging
  private let groups: [Int64: Twins]

  /// The most rounds. Each goes around, or refuses, at least one group of every loop; real stores need one or two.
  private static let maximumRounds = 50

  /// Looks for the loops that merging these groups would make.
  init(_ twins: [Twins], in table: String, _ bench: Workbench) throws {
    self.twins = twins
    let places = bench.loopPlaces(in: table).filter { !bench.isOneToOne($0) }
    merging = try Merging(places.isEmpty ? [] : twins, in: table, bench)
    groups = Dictionary(twins.map { ($0.survivor, $0) }) { first, _ in first }
    guard !places.isEmpty, !twins.isEmpty else { return }
    var keys = try places.map(bench.keys)
    for index in keys.indices { keys[index] = keys[index].filter { $0.value != 0 } }
    let before = keys.map { Set(ObjectLoop.all(in: $0).flatMap(\.keys)) }
    for _ in 0..<Self.maximumRounds {
      var isQuiet = true
      for (index, place) in places.enumerated() where goRound(place, keys: keys[index], before: before[index]) {
        isQuiet = false
      }
      if isQuiet { return }
    }
    refused = Set(twins.map(\.survivor))
    obstacles = [
      Obstacle(
        .dedupe, count: refused.count, keys: refused.sorted(),
        "\(counted(refused.count, "group")) not merged: they make loops in too many ways to go round; merge fewer at a time",
        refusesPlan: false)
    ]
  }

  /// Goes round the loops of a relationship, or refuses groups; false where there are none.
  private mutating func goRound(_ place: KeyColumn.Place, keys: [Int64: Int64], before: Set<Int64>) -> Bool {
    var old: Set<Int64> = []
    for key in before { old.insert(survivor(of: key)) }
    let (next, chosen) = after(place, keys: keys)
    var found = false
    var given: [(Twins, ObjectLoop)] = []
    for loop in ObjectLoop.all(in: next) where !old.isSuperset(of: loop.keys) {
      let merged = loop.keys.compactMap { key in isMerged(key) ? groups[key] : nil }
      guard !merged.isEmpty else { continue }
      found = true
      let other = merged.first { group in
        group.all.contains { $0 != chosen[group.survivor] && claims($0, group: group, place: place, keys: keys) }
      }
      if let other, let row = chosen[other.survivor] {
        avoided[place.column, default: []].insert(row)
      } else {
        for group in merged { given.append((group, loop)) }
      }
    }
    if let first = given.first {
      for (group, _) in given { refused.insert(group.survivor) }
      obstacles.append(
        .loop(
          .dedupe, at: place, keys: given.flatMap(\.0.all), loop: first.1, verb: "not merged, because they would be",
          refusesPlan: false))
    }
    return found
  }

  private func isMerged(_ survivor: Int64) -> Bool { groups[survivor] != nil && !refused.contains(survivor) }

  private func survivor(of key: Int64) -> Int64 {
    let survivor = merging.survivor(of: key, in: merging.table)
    return isMerged(survivor) ? survivor : key
  }

  /// Whether the survivor of a group may take the key of a member.
  private func claims(_ member: Int64, group: Twins, place: KeyColumn.Place, keys: [Int64: Int64]) -> Bool {
    guard let key = keys[member], avoided[place.column]?.contains(member) != true,
      !merging.areTwins(member, key, in: (merging.table, merging.table))
    else { return false }
    return merging.mayBecome(place.targets, key: key, in: merging.table)
      && merging.mayBecome(place.holders, key: member, in: merging.table)
  }

  /// The object that each object leads to after the merge, and the row from which each survivor takes its key.
  private func after(
    _ place: KeyColumn.Place, keys: [Int64: Int64]
  ) -> (next: [Int64: Int64], chosen: [Int64: Int64]) {
    var next: [Int64: Int64] = [:]
    var chosen: [Int64: Int64] = [:]
    next.reserveCapacity(keys.count)
    for (row, key) in keys where !isMerged(merging.survivor(of: row, in: merging.table)) {
      next[row] = survivor(of: key)
    }
    for group in twins where isMerged(group.survivor) {
      guard let row = group.all.first(where: { claims($0, group: group, place: place, keys: keys) }),
        let key = keys[row]
      else { continue }
      next[group.survivor] = survivor(of: key)
      chosen[group.survivor] = row
    }
    return (next, chosen)
  }
}
