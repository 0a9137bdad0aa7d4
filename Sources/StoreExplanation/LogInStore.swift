import StoreScanning
import StoreWords
import StoreDataModel
import StoreCoreData
import StoreSQLite

/// The statements of a log, compared with the store it is about.
package struct LogInStore: Sendable, Equatable {
  /// The store.
  package var store: StoreIdentity
  /// The statements found, in the order of the log.
  package var statements: [Statement]

  /// The store's path.
  package var path: String { store.path }

  /// One thing the log names, with what the store has of it.
  package struct Statement: Sendable, Equatable {
    /// The thing the log names: an object's URI, an entity or property, a table or column, an entity's hash.
    package var subject: String
    /// Whether the store has it as the log suggests; nil if that cannot be determined.
    package var holds: Bool?
    /// The state of it in the store; lower case, no full stop.
    package var words: String

    init(_ subject: String, holds: Bool?, words: String) {
      self.subject = subject
      self.holds = holds
      self.words = words
    }
  }

  /// Looks up in a store what a log names.
  ///
  /// - Throws: `SQLiteError` if reading was stopped.
  package init(_ log: LogFacts, in store: Store) throws {
    self.store = StoreIdentity(store)
    statements = []
    for object in log.objects {
      statements.append(try Self.reading(object.text) { try Self.object(object, in: store) })
    }
    for place in log.places.map({ Self.resolved($0, in: store) })
    where store.layout.entity(named: place.entity) != nil {
      statements.append(try Self.reading(place.text) { try Self.place(place, in: store) })
    }
    for name in log.relationships { statements += try Self.relationships(named: name, store) }
    statements += log.schemaNames.map { Self.schemaName($0, in: store) }
    statements += log.hashes.sorted { codeUnitsPrecede($0.key, $1.key) }.map {
      Self.hash(of: $0.key, $0.value, in: store)
    }
    statements += log.destinationHashes.sorted { codeUnitsPrecede($0.key, $1.key) }.map { name, hash in
      Self.destinationHash(of: name, hash, source: log.hashes[name], in: store)
    }
    statements += Self.statements(log.statements, in: store)
  }

  /// A place whose entity's name was broken, with the entity of the store that is called as its first part or else the
  /// only one that begins so, and has the property.
  private static func resolved(_ place: LogFacts.Place, in store: Store) -> LogFacts.Place {
    guard let part = place.brokenEntity, store.layout.entity(named: place.entity) == nil else { return place }
    let names = store.entityMap.rows.map(\.name).filter { name in
      guard name.hasPrefix(part), let entity = store.layout.entity(named: name) else { return false }
      return place.property.map { entity.column(of: $0) != nil } ?? true
    }
    guard let name = names.contains(part) ? part : names.count == 1 ? names.first : nil else { return place }
    return LogFacts.Place(entity: name, property: place.property)
  }

  /// Something unreadable is reported as such and does not stop the rest.
  static func reading(_ subject: String, look: () throws -> Statement) throws -> Statement {
    do {
      return try look()
    } catch let error as SQLiteError where !error.endsReading {
      return Statement(subject, holds: nil, words: "cannot be read: \(error.message)")
    }
  }

  private static func object(_ object: LogFacts.ObjectURI, in store: Store) throws -> Statement {
    if let uuid = store.metadata.uuid, uuid.uppercased() != object.store.uppercased() {
      return Statement(object.text, holds: nil, words: "is an object of another store; this one is \(uuid)")
    }
    guard let entity = store.layout.entity(named: object.entity) else {
      return Statement(object.text, holds: false, words: "the store has no entity \(quoted(object.entity))")
    }
    guard store.shape.tables[entity.table] != nil else {
      return Statement(object.text, holds: false, words: "there is no table \(entity.table)")
    }
    let rows = try store.connection.prepare(
      "SELECT Z_ENT FROM \(quotedIdentifier(entity.table)) WHERE Z_PK = \(object.primaryKey)")
    guard try rows.step() else {
      return Statement(object.text, holds: false, words: absence(of: object.primaryKey, entity, in: store))
    }
    let number = EntityID(rows.int64(0))
    guard number == entity.id else {
      let kind = store.entityMap[number]?.name ?? "entity \(number)"
      return Statement(
        object.text, holds: true, words: "row \(object.primaryKey) of \(entity.table) is there, as \(kind)")
    }
    return Statement(object.text, holds: true, words: "row \(object.primaryKey) of \(entity.table) is there")
  }

  /// What it means that there is no row with a key: that it was deleted only where the key was handed out and all was read.
  private static func absence(of key: Int64, _ entity: EntityLayout, in store: Store) -> String {
    let words = "there is no row \(key) in \(entity.table)"
    let reading = Reading(store)
    guard reading.complete == .yes, reading.sound != .no else {
      return "\(words), as far as the store was read: it was deleted, or is in what was not read"
    }
    guard let most = keysHandedOut(entity.id, in: store) else {
      return "\(words): it was deleted, or never in this store"
    }
    guard key <= most else {
      return
        "\(words), and only \(most) keys were handed out so far: it was saved after this copy was made, or elsewhere"
    }
    return "\(words): it was deleted"
  }

  /// The largest key of an entity's table that was handed out, which the row of its root entity keeps.
  private static func keysHandedOut(_ id: EntityID, in store: Store) -> Int64? {
    var next: EntityID? = id
    for _ in 0..<100 {
      guard let current = next, let row = store.entityMap[current] else { return nil }
      guard let parent = row.parent else { return row.keysHandedOut }
      next = parent
    }
    return nil
  }

  /// Counts the rows of an entity, and those without a value.
  private static func place(_ place: LogFacts.Place, in store: Store) throws -> Statement {
    guard let entity = store.layout.entity(named: place.entity) else {
      return Statement(place.text, holds: false, words: "the store has no such entity")
    }
    let kinds = store.entityMap.rows.filter { row in
      var id: EntityID? = row.id
      while let current = id, current != entity.id { id = store.entityMap[current]?.parent }
      return id == entity.id
    }
    let among = kinds.map { "\($0.id.number)" }.joined(separator: ", ")
    guard store.shape.tables[entity.table] != nil else {
      return Statement(place.entity, holds: false, words: "there is no table \(entity.table)")
    }
    let from = "FROM \(quotedIdentifier(entity.table)) WHERE Z_ENT IN (\(among))"
    let rows = try count("SELECT count(*) \(from)", in: store)
    guard let property = place.property else {
      return Statement(place.entity, holds: rows > 0, words: "\(counted(rows, "row")) in \(entity.table)")
    }
    let subject = place.text
    guard let column = entity.column(of: property), store.shape.tables[entity.table]?.has(column) == true else {
      return Statement(
        subject, holds: false,
        words: "the store's version has no column for it: all \(counted(rows, "row")) would be without a value"
      )
    }
    let nulls = try count("SELECT count(*) \(from) AND \(quotedIdentifier(column)) IS NULL", in: store)
    return Statement(
      subject, holds: nulls == 0,
      words: "\(nulls) of \(counted(rows, "row")) \(nulls == 1 ? "has" : "have") NULL in \(column)")
  }

  static func count(_ query: String, in store: Store) throws -> Int64 {
    let rows = try store.connection.prepare(query)
    return try rows.step() ? rows.int64(0) : 0
  }

  private static func schemaName(_ name: String, in store: Store) -> Statement {
    let parts = name.split(separator: ".").map(String.init)
    guard let table = parts.first else { return Statement(name, holds: nil, words: "is no name") }
    // "t0.ZTITLE": SQLite names the alias of the query, not the table.
    let isAlias = parts.count == 2 && table.hasPrefix("t") && Int(table.dropFirst()) != nil
    if isAlias || (parts.count == 1 && store.shape.tables[table] == nil && !table.hasPrefix("Z_")) {
      let column = parts[parts.count - 1]
      let owners = store.shape.tables.values.filter { $0.has(column) }.map(\.name).sorted(by: codeUnitsPrecede)
      if isAlias || !owners.isEmpty {
        return Statement(
          name, holds: !owners.isEmpty,
          words: owners.isEmpty
            ? "no table has a column \(column)" : "\(owners.joined(separator: ", ")) has a column \(column)")
      }
    }
    guard let shape = store.shape.tables[table] else {
      return Statement(name, holds: false, words: "there is no table \(table)")
    }
    guard parts.count > 1 else { return Statement(name, holds: true, words: "table \(table) is there") }
    return Statement(
      name, holds: shape.has(parts[1]),
      words: shape.has(parts[1]) ? "\(table) has the column" : "\(table) has no column \(parts[1])")
  }

  private static func hash(of entity: String, _ hash: LogFacts.PartialHash, in store: Store) -> Statement {
    let words = "hash of \(quoted(entity))"
    guard let stored = store.metadata.hashes?.byEntity[entity] else {
      return Statement(words, holds: false, words: "the store's metadata has no such entity")
    }
    let isEqual = hash.mayBe(Array(stored.bytes))
    let part = hash.last.isEmpty ? "" : " (\(hash.first.count + hash.last.count) of 32 bytes are in the log)"
    return Statement(words, holds: isEqual, words: "the store's is \(isEqual ? "the same" : "another")\(part)")
  }

  /// Compares the store with the hash of the migration's destination model.
  private static func destinationHash(
    of entity: String, _ hash: LogFacts.PartialHash, source: LogFacts.PartialHash?, in store: Store
  ) -> Statement {
    let words = "hash of \(quoted(entity)) the migration leads to"
    guard let stored = store.metadata.hashes?.byEntity[entity] else {
      return Statement(
        words, holds: nil, words: "the store's metadata has no such entity: the migration would add it, or has not run")
    }
    guard hash.mayBe(Array(stored.bytes)) else {
      return Statement(
        words, holds: nil, words: "another than the store's: the migration would change the entity, or has not run")
    }
    let isUnchanged = source.map { $0.mayBe(Array(stored.bytes)) } ?? false
    return Statement(
      words, holds: true, words: isUnchanged ? "the store's: the migration leaves the entity" : "the store's already")
  }
}
