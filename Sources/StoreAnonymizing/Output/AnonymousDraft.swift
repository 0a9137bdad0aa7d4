import StorePublishing
import StoreSQLite
import StoreSystem
import Synchronization

/// The new database with the rows of a store and other values.
struct AnonymousDraft {
  private let connection: Connection

  /// Rows come in the order of their keys, and few pages are read again. As much is taken to sort the keys of an index.
  private static let cacheBytes = 12 << 20

  /// Creates a file like that of the store.
  init(creating path: PosixPath, like header: DatabaseHeader) throws(SQLiteError) {
    connection = try newDatabase(path, like: header, cacheBytes: Self.cacheBytes)
    // Where a tree grows, its root would keep what it had in the space between its cells.
    try connection.runOwn("PRAGMA secure_delete=ON")
  }

  /// Writes the schema and the rows, and closes the file.
  ///
  /// - Parameters:
  ///   - rows: writes the rows of all tables but those of `others`.
  ///   - others: writes the rest, with which other threads have little to do.
  ///   - meanwhile: called on another thread when `rows` are in the file, while the others are written and the indexes are made. It
  ///     can ask whether they are, since this is waited for.
  /// - Throws: `AnonymizingError` where SQLite refuses a part of the schema, and what `rows` and `meanwhile` throw.
  func write<Seen: Sendable>(
    _ objects: [SchemaObject], rows: (Connection) throws -> Void, others: (Connection) throws -> Void,
    meanwhile: @escaping @Sendable (_ isFinished: () -> Bool) throws -> Seen
  ) throws -> Seen {
    try connection.writeWhole(inParts: {
      let shadows = AnonymizingPlan.shadowTables(objects)
      let virtual = objects.filter(\.isVirtualTable)
      // The triggers of R-trees fill these again; all others come after the rows, whose counts they would change.
      let filling = objects.filter { object in
        object.type == .trigger && virtual.contains { object.name.hasPrefix($0.name + "_") }
      }
      try connection.writePart {
        for object in virtual { try create(object) }
        for object in objects where object.isOrdinaryTable && !shadows.contains(object.name.lowercased()) {
          // SQLite makes its own tables.
          if !object.name.lowercased().hasPrefix("sqlite_") { try create(object) }
        }
        for trigger in filling { try create(trigger) }
        if !filling.isEmpty { try connection.learnSchema() }
        try rows(connection)
      }
      let end = End()
      return try beside {
        try meanwhile { end.isReached.load(ordering: .relaxed) }
      } meanwhile: {
        defer { end.isReached.store(true, ordering: .relaxed) }
        try connection.writePart {
          try others(connection)
          for kind in [SchemaObject.Kind.index, .view, .trigger] {
            for object in objects where object.type == kind && object.sql != nil {
              if !filling.contains(object) { try create(object) }
            }
          }
        }
      }.0
    })
  }

  private final class End: Sendable {
    let isReached = Atomic(false)
  }

  private func create(_ object: SchemaObject) throws {
    guard let sql = object.sql else { return }
    do throws(SQLiteError) {
      let statement = try connection.prepare(sql)
      while try statement.step() {}
    } catch {
      guard error.isRefusal || error.isConstraint else { throw error }
      throw AnonymizingError("the \(object.type) '\(object.name)' cannot be made again: \(error.message)")
    }
  }
}
