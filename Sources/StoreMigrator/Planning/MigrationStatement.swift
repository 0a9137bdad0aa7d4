import StoreSQLite
import StoreWords

/// One statement of a migration, with the values it is bound to.
package struct MigrationStatement: Sendable, Equatable {
  /// Its purpose.
  package var purpose: Purpose
  /// The SQL, as Core Data would write it where that is known (`docs/format/migration-on-disk.md`).
  package var sql: String
  /// The values of its parameters, in order.
  package var values: [SQLiteValue]
  /// For a statement that adds a column or gives a table or a column another name: the same.
  private(set) var edit: SchemaEdit?
  /// For the statement that is run for each change of history whose bits move: how they do.
  package private(set) var bits: HistoryBits?

  /// For a statement that looks whether what was written can stay: what is refused where it finds anything. Its first column
  /// is how many objects it found.
  package private(set) var refusal: MigrationRefusal?

  /// The purposes of statements, in the order in which they run.
  package enum Purpose: String, Sendable, CaseIterable {
    /// An index is dropped, to be made anew if the target has it.
    case dropIndex = "drop-index"
    /// A join table gets the name of the target, in two hops.
    case renameJoinTable = "rename-join-table"
    /// A table is renamed with its entity.
    case renameTable = "rename-table"
    /// A table is made anew and its rows are copied.
    case remakeTable = "re-make-table"
    /// A table of a new entity or relationship.
    case createTable = "create-table"
    /// A column of a table that is kept.
    case addColumn = "add-column"
    /// A column of a table that is kept gets another name.
    case renameColumn = "rename-column"
    /// Rows get the default of a new attribute, or the number of a link's entity.
    case fill
    /// Entity numbers in rows, companions and history.
    case renumber
    /// Rows of an entity that the target does not have.
    case deleteRows = "delete-rows"
    /// A table of a removed entity or relationship.
    case dropTable = "drop-table"
    /// An index that does not exist yet.
    case createIndex = "create-index"
    /// `Z_PRIMARYKEY` is made anew.
    case entityMap = "entity-map"
    /// Version hashes and model cache.
    case metadata
    /// The transaction in history that says who did it.
    case history
  }

  /// A statement; without values if it has no parameters.
  package init(_ purpose: Purpose, _ sql: String, _ values: [SQLiteValue] = []) {
    self.purpose = purpose
    self.sql = sql
    self.values = values
  }

  /// A change of the schema that leaves every row as it is.
  init(_ purpose: Purpose, _ edit: SchemaEdit) {
    self.init(purpose, edit.sql)
    self.edit = edit
  }

  /// Whether it puts a table aside that is made anew.
  var putsAside: Bool {
    guard purpose == .remakeTable, case .renameTable? = edit else { return false }
    return true
  }

  /// Writes the bits of each change of history anew.
  init(rewriting bits: HistoryBits) {
    self.init(.history, HistoryBits.sql)
    self.bits = bits
  }

  /// Counts what cannot stay as it was written.
  init(refusing refusal: MigrationRefusal, where sql: String) {
    self.init(.remakeTable, sql)
    self.refusal = refusal
  }

  /// Whether it is about a table that vanishes with the connection.
  private var isTemporary: Bool { sql.hasPrefix("CREATE TEMP ") || sql.hasPrefix("DROP TABLE temp.") }

  /// Whether it is one of those that raise SQLite's schema cookie by 1.
  package var changesSchema: Bool {
    ["CREATE ", "ALTER ", "DROP "].contains { sql.hasPrefix($0) } && !isTemporary
  }
}

/// A change that is not performed, because it is not known what Core Data would write.
public struct MigrationRefusal: Sendable, Equatable {
  /// The entity it is about, by the target's name, or by the store's if the target has none.
  public var entity: String?
  /// The property, if it is about one.
  public var property: String?
  /// Why; lower case, no full stop.
  public var reason: String
  /// Advice on what to do instead; lower case, no full stop.
  public var advice: String

  /// A refusal, by default with the advice that fits most.
  package init(
    _ entity: String?, _ property: String? = nil, _ reason: String,
    advice: String = "migrate a copy on a device or simulator, or go through a version that avoids this change"
  ) {
    self.entity = entity
    self.property = property
    self.reason = reason
    self.advice = advice
  }

  /// The same about a number of objects, which its reason goes on from.
  func about(_ count: Int64) -> MigrationRefusal {
    var refusal = self
    refusal.reason = "\(counted(count, "object")) \(reason)"
    return refusal
  }

  /// "Note.title: why".
  public var message: String {
    let place = [entity, property].compactMap(\.self).joined(separator: ".")
    return place.isEmpty ? reason : "\(place): \(reason)"
  }
}
