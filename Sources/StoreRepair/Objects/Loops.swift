import StoreScanning
import StoreWords
import StoreSQLite

/// A loop: objects of which each leads to the next along a to-one relationship, and the last to the first.
struct ObjectLoop: Hashable {
  /// Their keys, the lowest first.
  var keys: [Int64]

  /// "1 > 2 > 1"; a long one is cut.
  var text: String {
    let shown = keys.prefix(Obstacle.maximumKeys).map(String.init)
    let rest = keys.count > shown.count ? ["… (\(keys.count) objects)"] : []
    return (shown + rest + keys.prefix(1).map(String.init)).joined(separator: " > ")
  }

  /// All loops of a graph in which every object leads to at most one other, in order of their lowest key.
  static func all(in next: [Int64: Int64]) -> [ObjectLoop] {
    var seen: Set<Int64> = []
    seen.reserveCapacity(next.count)
    var loops: [ObjectLoop] = []
    for start in next.keys where !seen.contains(start) {
      var path: [Int64] = []
      var key = start
      while seen.insert(key).inserted {
        path.append(key)
        guard let following = next[key] else { break }
        key = following
      }
      // The walk ended at an object it had met itself: from there on it is a loop.
      guard next[path.last ?? key] == key, let entry = path.lastIndex(of: key) else { continue }
      loops.append(ObjectLoop(from: path[entry...]))
    }
    return loops.sorted { ($0.keys.first ?? 0) < ($1.keys.first ?? 0) }
  }

  private init(from keys: ArraySlice<Int64>) {
    let first = keys.indices.min { keys[$0] < keys[$1] } ?? keys.startIndex
    self.keys = Array(keys[first...] + keys[..<first])
  }
}

extension Workbench {
  /// The keys of to-one relationships that lead into the table they are in: `Folder.parent`. Not one that is its own
  /// inverse, which leads there and back by its nature.
  func loopPlaces(in table: String) -> [KeyColumn.Place] {
    LinkPlaces(self).keys.filter { place in
      place.table == table && place.targetTable == table && map.inverse(of: place.relationship) != place.relationship
    }
  }

  /// Whether a place is one side of a one-to-one relationship.
  func isOneToOne(_ place: KeyColumn.Place) -> Bool {
    !place.isHidden && map.inverse(of: place.relationship)?.layout.isToMany == false
  }

  /// The key that each row holds there; rows without one are left out.
  func keys(of place: KeyColumn.Place) throws -> [Int64: Int64] {
    let column = quotedIdentifier(place.column)
    let rows = try connection.prepare(
      "SELECT Z_PK, \(column) FROM \(quotedIdentifier(place.table)) NOT INDEXED WHERE typeof(\(column)) = 'integer'")
    var keys: [Int64: Int64] = [:]
    while try rows.step() { keys[rows.int64(0)] = rows.int64(1) }
    return keys
  }

  /// Loops that some operations would make, as obstacles to the whole plan: the last look at a decision. Repairs leave
  /// out by themselves the rows they know of.
  func loopObstacles(_ operations: [Operation]) throws -> [Obstacle] {
    var obstacles: [Obstacle] = []
    let edits = operations.compactMap { if case .rows(let edit) = $0.edit { edit } else { nil } }
    for table in Set(edits.map(\.table)).sorted(by: codeUnitsPrecede) {
      for place in loopPlaces(in: table) {
        let writers = edits.filter { $0.table == table && $0.setColumns.contains(place.column) }
        guard !writers.isEmpty else { continue }
        var keys = try keys(of: place)
        let before = Set(ObjectLoop.all(in: keys).flatMap(\.keys))
        for edit in writers { edit.apply(to: &keys, place.column) }
        for edit in edits where edit.table == table && edit.action == .delete {
          for key in edit.objectKeys { keys[key] = nil }
        }
        let loops = ObjectLoop.all(in: keys).filter { !before.isSuperset(of: $0.keys) }
        guard let first = loops.first else { continue }
        obstacles.append(
          .loop(
            operations.last?.repair ?? .dedupe, at: place, keys: loops.flatMap(\.keys), loop: first, verb: "would be",
            refusesPlan: true))
      }
    }
    return obstacles
  }
}

extension RowEdit {
  /// Follows what the edit does to one column, by `Z_PK`.
  fileprivate func apply(to keys: inout [Int64: Int64], _ column: String) {
    guard keyColumns == ["Z_PK"], let place = setColumns.firstIndex(of: column) else { return }
    for start in stride(from: 0, to: rows.count - width + 1, by: max(width, 1)) {
      guard case .integer(let row) = rows[start] else { continue }
      let value = shared.map { $0[place] } ?? rows[start + 1 + place]
      if case .integer(let key) = value { keys[row] = key } else { keys[row] = nil }
    }
  }
}

extension Obstacle {
  /// Objects that would be their own ancestors.
  static func loop(
    _ repair: Repair, at place: KeyColumn.Place, keys: [Int64], loop: ObjectLoop, verb: String, refusesPlan: Bool
  ) -> Obstacle {
    Obstacle(
      repair, entity: place.relationship.owner.name, property: place.relationship.layout.name, count: keys.count,
      keys: keys.sorted(),
      "\(counted(keys.count, "object")) \(verb) on a loop of \(quoted(place.relationship.description)), their own "
        + "ancestors (\(loop.text)); change these links first, or leave the objects out", refusesPlan: refusesPlan)
  }
}
