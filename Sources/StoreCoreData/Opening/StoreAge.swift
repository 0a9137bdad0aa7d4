import StoreText
import StoreWords

/// How far the counters of a store have come, which only grow: of two states of one store the newer has no smaller one.
package struct StoreAge: Sendable, Equatable {
  /// The highest transaction of persistent history.
  var transactions: Int64?
  /// The keys that were handed out, of all entities.
  var keys: Int64?
  /// The change counter of the database's header.
  var changes: Int64?

  /// Whether it is newer than another state, by the counters that both have; nil where they do not tell, or contradict.
  func isNewer(than other: StoreAge) -> Bool? {
    let steps = [(transactions, other.transactions), (keys, other.keys), (changes, other.changes)].compactMap {
      own, other in
      own.flatMap { own in other.map { (own - min($0, own), $0 - min($0, own)) } }
    }
    let (isAhead, isBehind) = (steps.contains { $0.0 > 0 }, steps.contains { $0.1 > 0 })
    return isAhead == isBehind ? nil : isAhead
  }
}

extension StoreSummary {
  /// Of files that are states of one store: which, and which is the newest; a sentence for each store.
  static func states(_ stores: [StoreSummary]) -> [String] {
    let groups = Dictionary(grouping: stores.filter { $0.uuid?.isEmpty == false }) { $0.uuid ?? "" }
    return groups.values.filter { $0.count > 1 }.sorted { codeUnitsPrecede($0[0].path, $1[0].path) }.map { group in
      let names = group.prefix(4).map { quoted($0.path) }
      let more = group.count > names.count ? " and \(group.count - names.count) more" : ""
      let newest = group.indices.filter { one in
        group.indices.allSatisfy { $0 == one || group[one].age.isNewer(than: group[$0].age) == true }
      }
      let which =
        newest.first.map { "the newest, by its counters, is \(quoted(group[$0].path))" }
        ?? "which is the newest their counters do not tell"
      return "\(names.joined(separator: ", "))\(more) are states of one store (the same UUID); \(which)"
    }
  }
}
