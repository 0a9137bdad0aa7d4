import StoreSQLite

/// The number of rows of one root table by `Z_ENT`, from a single read of the table.
package struct RowCounts: Sendable, Equatable {
  /// Rows of each entity number; rows with NULL in `Z_ENT` are under nil.
  package var byEntity: [EntityID?: Int64] = [:]
  /// The highest `Z_PK`; nil for an empty table.
  package var highestKey: Int64?
  /// Whether each key was larger than the one before, as they are in a sound table.
  package var isInOrder = true
  /// References to external files among the columns that were asked for: 38 bytes, `02`, a UUID in text, `00` (seen in
  /// 93 values of 41 stores).
  package var externalReferences: [String] = []
  /// References beyond those kept in `externalReferences`.
  package var furtherExternalReferences: Int64 = 0
  /// For each requested column, the number of rows of each entity in which it is NULL.
  package var nullCounts: [String: [EntityID?: Int64]] = [:]

  /// The most references that are kept.
  static let maximumReferences = 100_000
}

extension RowCounts {
  /// Reads a root table once.
  ///
  /// `NOT INDEXED`, because an index may be damaged; only the table itself counts.
  /// - Parameters:
  ///   - externalColumns: columns that may hold references to external files.
  ///   - nullColumns: columns whose NULLs are counted.
  init(
    table: Shape.Table, externalColumns: [String] = [], nullColumns: [String] = [], reading connection: Connection
  ) throws {
    // `length` and `typeof` do not load the pages of a large value, so a column of photographs costs nothing.
    let external = externalColumns.map { column in
      let name = quotedIdentifier(column)
      return "CASE WHEN typeof(\(name)) = 'blob' AND length(\(name)) = 38 THEN \(name) END"
    }
    let own = ["Z_ENT", "Z_PK"].map { table.has($0) ? $0 : "NULL" }
    let columns = own + external + nullColumns.map(quotedIdentifier)
    let statement = try connection.prepare(
      "SELECT \(columns.joined(separator: ", ")) FROM \(quotedIdentifier(table.name)) NOT INDEXED")
    var tally = EntityTally()
    var nullTallies = nullColumns.map { _ in EntityTally() }
    let nullOffset = 2 + external.count
    while try statement.step() {
      let entity = statement.integer(0).map(EntityID.init)
      tally.add(entity)
      if let key = statement.integer(1) {
        if key > highestKey ?? .min { highestKey = key } else { isInOrder = false }
      }
      for position in external.indices {
        if let reference = statement.externalReference(position + 2) { keep(reference) }
      }
      for position in nullColumns.indices where statement.isNull(nullOffset + position) {
        nullTallies[position].add(entity)
      }
    }
    byEntity = tally.counts
    for (column, tally) in zip(nullColumns, nullTallies) { nullCounts[column] = tally.counts }
  }

  private mutating func keep(_ reference: String) {
    if externalReferences.count < Self.maximumReferences {
      externalReferences.append(reference)
    } else {
      furtherExternalReferences += 1
    }
  }
}

/// Counts runs of equal entities before accessing the dictionary: neighbouring rows are mostly of one entity.
private struct EntityTally {
  private(set) var finished: [EntityID?: Int64] = [:]
  private var current: EntityID??
  private var run: Int64 = 0

  mutating func add(_ entity: EntityID?) {
    if case .some(let same) = current, same == entity {
      run += 1
      return
    }
    close()
    current = .some(entity)
    run = 1
  }

  private mutating func close() {
    if case .some(let entity) = current { finished[entity, default: 0] += run }
  }

  var counts: [EntityID?: Int64] {
    var copy = self
    copy.close()
    return copy.finished
  }
}

extension Statement {
  /// The value as an integer, nil for NULL. Only a zero needs the second call.
  fileprivate func integer(_ index: Int) -> Int64? {
    let value = int64(index)
    return value == 0 && isNull(index) ? nil : value
  }

  /// The UUID of a reference to an external file, if column `index` holds one.
  fileprivate func externalReference(_ index: Int) -> String? {
    guard kind(index) == .blob, let bytes = blob(index), bytes.count == 38, bytes[0] == 2, bytes[37] == 0 else {
      return nil
    }
    return String(validating: bytes[1..<37], as: UTF8.self)
  }
}
