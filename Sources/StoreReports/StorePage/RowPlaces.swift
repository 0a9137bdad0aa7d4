import StoreWords

/// Where the rows of a store are in a folder of pages: pages by entity, and for each the keys it begins and ends with.
///
/// Names of files are made of numbers: names from a store could be anything.
struct RowPlaces: Equatable {
  /// The rows of one entity.
  private struct Entity: Equatable {
    var number: Int64
    /// In order, each once.
    var keys: [Int64]
    var perPage: Int
  }

  /// By the number of their table.
  private var entities: [Int: [Entity]] = [:]

  /// Notes the keys of an entity.
  ///
  /// - Parameters:
  ///   - place: the number of its table.
  ///   - columns: how many columns its rows have, since a page of wide rows has fewer.
  mutating func note(_ keys: [Int64], of number: Int64, in place: Int, columns: Int) {
    entities[place, default: []].append(
      Entity(number: number, keys: Set(keys).sorted(), perPage: max(200, min(4_000, 40_000 / max(columns, 1)))))
  }

  /// The files of an entity; one where it has no rows.
  func files(of number: Int64, in place: Int) -> [String] {
    guard let entity = entities[place]?.first(where: { $0.number == number }) else { return [] }
    let count = max(1, (entity.keys.count + entity.perPage - 1) / entity.perPage)
    return (0..<count).map { Self.file(number, page: $0) }
  }

  /// The page of an entity that a key is on, counted from 0; the last one for a key beyond all.
  func page(of key: Int64, number: Int64, in place: Int) -> Int {
    guard let entity = entities[place]?.first(where: { $0.number == number }) else { return 0 }
    return entity.keys.firstPosition(notBelow: key) / entity.perPage
  }

  /// The file with the row of a key; nil where no entity of the table has it.
  func file(of key: Int64, in place: Int) -> String? {
    for entity in entities[place] ?? [] {
      let position = entity.keys.firstPosition(notBelow: key)
      if position < entity.keys.count, entity.keys[position] == key {
        return Self.file(entity.number, page: position / entity.perPage)
      }
    }
    return nil
  }

  private static func file(_ number: Int64, page: Int) -> String {
    page == 0 ? "rows-\(number).html" : "rows-\(number)-\(page + 1).html"
  }
}

extension [Int64] {
  /// The first position, in a list in order, of a number that is not below another; the end where all are.
  fileprivate func firstPosition(notBelow key: Int64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
