import StoreCoreData
import StoreWords

/// Whether the objects of a store that comes from the other have other keys there.
///
/// A migration with a mapping model and an import make every row anew, so a key is another object's afterwards, although
/// both stores have one UUID (`docs/format/migration-on-disk.md`). A key is a number that the store gave; what the app gave,
/// unique attributes and content, tells which objects are the same.
extension Comparer {
  /// For each entity the key in the second store for each key, and the reason in words.
  struct KeysGivenAnew {
    var translations: [EntityID: [Int64: Int64]]
    var words: String
  }

  /// Nil where keys were kept, or nothing tells.
  func keysGivenAnew() throws -> KeysGivenAnew? {
    let pairs = pairing.pairs.filter { !$0.before.isAbstract || !$0.after.isAbstract }
    guard try pairs.contains(where: { try isDoubtful($0) }) else { return nil }
    var translations: [EntityID: [Int64: Int64]] = [:]
    var (byUnique, byContent): ([String], [String]) = ([], [])
    for pair in pairs {
      let unique = try attribute(for: pair)
      let match = try match(pair, by: unique)
      translations[pair.before.id] = match.keys
      guard match.moved > match.stayed else {
        // What has a unique attribute and keeps its keys speaks against all others.
        if unique != nil, match.stayed > 0 { return nil }
        continue
      }
      if let unique {
        byUnique.append("\(pair.name).\(unique)")
      } else if match.moved > 2 {
        byContent.append(pair.name)
      }
    }
    guard !byUnique.isEmpty || !byContent.isEmpty else { return nil }
    let paired = byUnique.isEmpty ? "by equal content" : "by \(byUnique.joined(separator: ", ")), then by equal content"
    return KeysGivenAnew(
      translations: translations,
      words:
        "keys were given anew, as a migration with a mapping model does it: objects are paired \(paired), then by key")
  }

  /// How many keys of an entity are looked at before its keys are taken as kept.
  private static let probed = 1_000

  /// Whether many keys have another object's values in the second store, or no key is in both.
  private func isDoubtful(_ pair: ModelPairing.EntityPair) throws -> Bool {
    guard let readers = try identifying(pair, by: attribute(for: pair)) else { return false }
    let (left, right) = (try readers.before.cursor(), try readers.after.cursor())
    var (one, other) = (try left.next(), try right.next())
    guard one != nil, other != nil else { return false }
    var (same, different, single) = (0, 0, 0)
    while let row = one, let match = other, same + different + single < Self.probed {
      if row.key < match.key {
        single += 1
        one = try left.next()
      } else if match.key < row.key {
        single += 1
        other = try right.next()
      } else {
        if readers.digest(row) == readers.digest(match) { same += 1 } else { different += 1 }
        (one, other) = (try left.next(), try right.next())
      }
    }
    return same + different == 0 || 10 * different > same
  }

  /// Readers of what tells an object: its unique attribute, or else all its attributes.
  private struct Identifying {
    let before: RowReader, after: RowReader
    let columns: Int

    /// Nil for an object that has nothing of it.
    func digest(_ row: RowReader.Row) -> Digest? {
      guard (0..<columns).contains(where: { !row.value($0).isEmpty }) else { return nil }
      return Digest { hasher in for column in 0..<columns { row.value(column).hash(into: &hasher) } }
    }
  }

  private func identifying(_ pair: ModelPairing.EntityPair, by unique: String?) throws -> Identifying? {
    let columns = pair.columns.filter { column in
      if let unique { return column.after.name == unique }
      if case .attribute = column.after.content { return true }
      return false
    }
    guard !columns.isEmpty else { return nil }
    return Identifying(
      before: try RowReader(
        pair.before, columns: columns.map(\.before.name), includesSubentities: false, readsBinary: true,
        loader: loaders.before),
      after: try RowReader(
        pair.after, columns: columns.map(\.after.name), includesSubentities: false, readsBinary: true,
        loader: loaders.after), columns: columns.count)
  }

  /// The objects of an entity that are in both stores, and how many of those that are told have their key, or another.
  private struct Match {
    var keys: [Int64: Int64] = [:]
    var (stayed, moved) = (0, 0)
  }

  private func match(_ pair: ModelPairing.EntityPair, by unique: String?) throws -> Match {
    var match = Match()
    var (left, right) = (try keys(of: pair.before, loaders.before), try keys(of: pair.after, loaders.after))
    let passes = unique == nil ? [nil] : [unique, nil]
    for pass in passes {
      guard let readers = try identifying(pair, by: pass) else { continue }
      let after = try digests(readers.after, readers, among: right)
      for (digest, keys) in try digests(readers.before, readers, among: left) {
        guard let others = after[digest] else { continue }
        if keys.count == 1, others.count == 1 {
          if keys[0] == others[0] { match.stayed += 1 } else { match.moved += 1 }
        } else if pass != nil {
          // Twins of what should be unique are told by the rest.
          continue
        }
        pairUp(keys, others, into: &match.keys)
      }
      left.subtract(match.keys.keys)
      right.subtract(match.keys.values)
    }
    for key in left.intersection(right) { match.keys[key] = key }
    return match
  }

  /// Objects of equal content: those with one key first, then in the order of keys.
  private func pairUp(_ keys: [Int64], _ others: [Int64], into pairs: inout [Int64: Int64]) {
    let shared = Set(keys).intersection(others)
    for key in shared { pairs[key] = key }
    let rest = zip(keys.filter { !shared.contains($0) }.sorted(), others.filter { !shared.contains($0) }.sorted())
    for (key, other) in rest { pairs[key] = other }
  }

  private func keys(of entity: EntityLayout, _ loader: ColumnLoader) throws -> Set<Int64> {
    var keys: Set<Int64> = []
    try RowReader(entity, columns: [], includesSubentities: false, loader: loader).forEach { keys.insert($0.key) }
    return keys
  }

  private func digests(_ reader: RowReader, _ readers: Identifying, among wanted: Set<Int64>) throws -> [Digest:
    [Int64]]
  {
    var found: [Digest: [Int64]] = [:]
    try reader.forEach { row in
      guard wanted.contains(row.key), let digest = readers.digest(row) else { return }
      found[digest, default: []].append(row.key)
    }
    return found
  }
}
