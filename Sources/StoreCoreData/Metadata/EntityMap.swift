import StoreDataModel
import StoreSQLite

/// An entity's number: `Z_ENT` in rows and in `Z_PRIMARYKEY`.
package struct EntityID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number; 1 and up for the model's entities, more than any model has for history and CloudKit.
  package var number: Int64

  /// The entity with that number.
  package init(_ number: Int64) { self.number = number }

  /// By number.
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }

  /// Persistent history and CloudKit mirroring use numbers that no model reaches.
  package var isInternal: Bool { number >= HistoryTable.firstEntityNumber }

  /// The number in decimal.
  package var description: String { String(number) }
}

/// `Z_PRIMARYKEY`: which entity has which number, who its parent is, and the highest key handed out.
package struct EntityMap: Sendable, Equatable {
  /// One row of the table.
  package struct Row: Sendable, Equatable {
    /// `Z_ENT`.
    package var id: EntityID
    /// `Z_NAME`; empty when it is NULL.
    package var name: String
    /// `Z_SUPER`; nil for 0 or NULL.
    package var parent: EntityID?
    /// `Z_MAX`, kept in the root entity's row only.
    package var highWater: Int64?

    /// More keys than a store ever hands out: a thousand objects a second for eleven days. A larger `Z_MAX` is damage, or
    /// was put there, and counts nothing.
    package static let mostKeys: Int64 = 1_000_000_000

    /// The keys that were handed out; nil where `Z_MAX` cannot be their number.
    package var keysHandedOut: Int64? { highWater.flatMap { (0...Self.mostKeys).contains($0) ? $0 : nil } }

    /// A row as read.
    package init(id: EntityID, name: String, parent: EntityID?, highWater: Int64?) {
      self.id = id
      self.name = name
      self.parent = parent
      self.highWater = highWater
    }
  }

  /// What is said of a store that has lost the table.
  package static let lost =
    "the table Z_PRIMARYKEY is missing: entities have the numbers that Core Data gives those of the model"

  /// The rows by number.
  package let rows: [Row]
  /// Whether the table is lost, and the numbers are those that Core Data gives the model's entities.
  package internal(set) var isNumberedByModel = false
  private let positions: [EntityID: Int]
  private let roots: [EntityID: EntityID]

  /// A map of these rows; a number that occurs twice keeps its first row.
  package init(rows: [Row]) {
    var positions: [EntityID: Int] = [:]
    var unique: [Row] = []
    for row in rows.sorted(by: { $0.id < $1.id }) where positions[row.id] == nil {
      positions[row.id] = unique.count
      unique.append(row)
    }
    self.rows = unique
    self.positions = positions
    roots = Self.roots(of: unique)
  }

  /// The root of each entity. Looks at each row only once, since a hostile map has 100,000 levels.
  private static func roots(of rows: [Row]) -> [EntityID: EntityID] {
    let parents = Dictionary(rows.map { ($0.id, $0.parent) }) { first, _ in first }
    var roots: [EntityID: EntityID] = [:]
    for row in rows where roots[row.id] == nil {
      var path = [row.id]
      var seen: Set = [row.id]
      while let last = path.last, roots[last] == nil, let parent = parents[last] ?? nil, parents[parent] != nil {
        guard seen.insert(parent).inserted else { break }
        path.append(parent)
      }
      guard let last = path.last else { continue }
      let root = roots[last] ?? last
      for id in path { roots[id] = root }
    }
    return roots
  }

  /// The row with a number.
  package subscript(id: EntityID) -> Row? { positions[id].map { rows[$0] } }

  /// The first row of that name.
  package func row(named name: String) -> Row? { rows.first { $0.name == name } }

  /// The number of the root entity of `id`; the search ends at a cycle or an unknown parent.
  package func root(of id: EntityID) -> EntityID { roots[id] ?? id }

  /// `id` and its ancestors, nearest first; ends at a cycle or an unknown parent.
  func lineage(of id: EntityID) -> [EntityID] {
    var lineage = [id]
    while lineage.count <= Model.maximumInheritanceDepth, let last = lineage.last {
      guard let parent = self[last]?.parent, self[parent] != nil, !lineage.contains(parent) else { break }
      lineage.append(parent)
    }
    return lineage
  }

  /// The most rows that are read; the largest real map has 92.
  static let maximumRows = 100_000

  /// Missing columns are read as NULL; without numbers there are no entities.
  init(reading connection: Connection, shape: Shape) throws {
    guard let table = shape.tables["Z_PRIMARYKEY"], table.has("Z_ENT") else {
      self.init(rows: [])
      return
    }
    let columns = ["Z_ENT", "substr(Z_NAME, 1, 1000)", "Z_SUPER", "Z_MAX"]
    let names = ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"]
    let list = zip(columns, names).map { table.has($1) ? $0 : "NULL" }.joined(separator: ", ")
    let statement = try connection.prepare(
      "SELECT \(list) FROM Z_PRIMARYKEY ORDER BY Z_ENT LIMIT \(Self.maximumRows)")
    var rows: [Row] = []
    while try statement.step() {
      let parent = statement.int64(2)
      rows.append(
        Row(
          id: EntityID(statement.int64(0)), name: statement.string(1) ?? "",
          parent: parent == 0 ? nil : EntityID(parent),
          highWater: statement.isNull(3) ? nil : statement.int64(3)))
    }
    self.init(rows: rows)
  }
}
