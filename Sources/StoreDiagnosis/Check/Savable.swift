import StoreCoreData
import StoreFindings
import StoreWords

/// What `salvage` would save of a damaged store: the counts are those of the rows that it would write.
package struct Savable: Sendable, Equatable {
  /// The tables that have rows, or had some, in the order of the schema.
  package var tables: [Table]
  /// Leaves that are damaged in part and may have had more rows than can be found.
  package var damagedPages: Int

  /// Tables, and leaves that are damaged in part.
  package init(tables: [Table], damagedPages: Int) { (self.tables, self.damagedPages) = (tables, damagedPages) }

  /// A table of the store.
  package struct Table: Sendable, Equatable {
    /// Its name.
    package var name: String
    /// The rows by entity; one without a name for a table that is none of an entity's.
    package var entities: [Entity]
    /// Rows that are doubtful or torn: left out unless `salvage --doubtful` asks for them.
    package var doubtful: Int
    /// Rows of which a part is lost; they are among the doubtful ones.
    package var torn: Int
    /// Keys that lie on pages that cannot be read, ascending; what was there is lost.
    package var lost: [ClosedRange<Int64>]
    /// The largest key that was handed out, by `Z_MAX`; nil where that is not known.
    package var largestKey: Int64?

    /// The rows of a table.
    package init(
      name: String, entities: [Entity], doubtful: Int, torn: Int, lost: [ClosedRange<Int64>], largestKey: Int64?
    ) {
      (self.name, self.entities, self.doubtful, self.torn) = (name, entities, doubtful, torn)
      (self.lost, self.largestKey) = (lost, largestKey)
    }

    /// The rows that are saved.
    package var saved: Int { entities.reduce(0) { $0 + $1.saved } }

    /// How many keys of the lost ranges were handed out at most; nil where that is not known.
    package var lostKeys: Int64? {
      guard let largestKey else { return lost.isEmpty ? 0 : nil }
      return lost.reduce(0) { sum, keys in
        let (first, last) = (max(1, keys.lowerBound), min(keys.upperBound, largestKey))
        return last >= first ? sum + (last - first + 1) : sum
      }
    }
  }

  /// The saved rows of one entity.
  package struct Entity: Sendable, Equatable {
    /// Its name; nil where the table is none of an entity's.
    package var name: String?
    /// Rows that are written.
    package var saved: Int

    /// The rows of an entity.
    package init(name: String?, saved: Int) { (self.name, self.saved) = (name, saved) }
  }

  /// The rows that are saved.
  package var saved: Int { tables.reduce(0) { $0 + $1.saved } }

  /// A range of keys in words: "200 to 391".
  package static func words(_ keys: ClosedRange<Int64>) -> String {
    switch (keys.lowerBound <= 1, keys.upperBound == .max) {
    case (true, true): "any"
    case (false, true): "from \(keys.lowerBound) on"
    case (true, false): "up to \(keys.upperBound)"
    case (false, false): "\(keys.lowerBound) to \(keys.upperBound)"
    }
  }

  /// The rows of the app's objects that are saved, by entity, the most first: "300 of Note, 20 of Tag"; nil for none.
  package var objectWords: String? {
    var counts: [String: Int] = [:]
    for entity in tables.filter({ OwnTable($0.name) == nil }).flatMap(\.entities) {
      if let name = entity.name { counts[name, default: 0] += entity.saved }
    }
    let sorted = counts.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    guard !sorted.isEmpty else { return nil }
    let shown = sorted.prefix(Self.mostEntities).map { "\(grouped(Int64($0.value))) of \($0.key)" }
    let more = sorted.count > Self.mostEntities ? " and of \(sorted.count - Self.mostEntities) more entities" : ""
    return shown.joined(separator: ", ") + more
  }

  /// The most entities that a sentence names.
  private static let mostEntities = 6
}

/// Who finds out what could be saved of a store that is open.
package typealias SavableReader = @Sendable (Store) throws -> Savable

extension Savable.Table {
  /// The most ranges of keys that a sentence lists.
  private static let mostRanges = 4

  /// "300 rows of Note, 20 rows of Task and leaves out 3 doubtful rows; the keys 200 to 391 are lost".
  package var words: String {
    let rows = entities.map { "\(counted($0.saved, "row")) of \($0.name ?? name)" }
    let doubt = doubtful > 0 ? " and leaves out \(counted(doubtful, "doubtful row"))" : ""
    return (rows.isEmpty ? "no row of \(name)" : rows.joined(separator: ", ")) + doubt + lostWords
  }

  private var lostWords: String {
    lost.isEmpty ? "" : "; lost are keys \(lostKeyWords)"
  }

  /// The keys that are lost: "200 to 391, from 402 on".
  package var lostKeyWords: String {
    let more = lost.count > Self.mostRanges ? " and \(counted(lost.count - Self.mostRanges, "more range"))" : ""
    return lost.prefix(Self.mostRanges).map(Savable.words).joined(separator: ", ") + more
  }
}

extension Finding {
  /// The finding of damage in a table, with what could be saved of that table.
  func saying(_ savable: Savable) -> Finding {
    guard id == CheckID.corruptPage.rawValue, let table = savable.tables.first(where: { $0.name == table }) else {
      return self
    }
    var finding = self
    finding.message += "; 'storedoctor salvage' saves \(table.words)"
    return finding
  }
}
