import StoreSQLite

/// How far the objects of one entity are mirrored to CloudKit.
public struct MirrorCounts: Sendable, Equatable {
  /// The entity, by its name in `Z_PRIMARYKEY`.
  public var entity: String
  /// Its objects, without those of subentities.
  public var objects: Int64 = 0
  /// Objects whose record the server has, as the mirror believes.
  public var uploaded: Int64 = 0
  /// Objects that are still to be sent, or have a change that is.
  public var waiting: Int64 = 0
  /// Records to be deleted on the server, and objects to be deleted here.
  public var toBeDeleted: Int64 = 0
  /// Records without an object that are not marked for deletion.
  public var ghosts: Int64 = 0
  /// Objects without a record.
  public var withoutRecord: Int64 = 0
}

extension Store {
  /// For each entity of the model how far its objects are mirrored; nil where the store is not mirrored. Each table is read
  /// once.
  ///
  /// - Throws: as ``mirrorRecords()``.
  package func mirrorCounts() throws -> (byEntity: [MirrorCounts], strangers: Int64)? {
    guard let records = try mirrorRecords() else { return nil }
    let own = layout.entities.filter { !$0.id.isInternal }
    var counts = Dictionary(own.map { ($0.id, MirrorCounts(entity: $0.name)) }) { first, _ in first }
    for (table, members) in Dictionary(grouping: own, by: \.table) where members.contains(where: \.tableExists) {
      try count(table, records: records.byTable[table] ?? [], into: &counts)
    }
    return (own.compactMap { counts[$0.id] }, Int64(records.strangers.count))
  }

  private func count(
    _ table: String, records: [MirrorRecords.Record], into counts: inout [EntityID: MirrorCounts]
  ) throws {
    guard let shape = shape.tables[table], shape.has("Z_PK"), shape.has("Z_ENT") else { return }
    var hasObject = [Bool](repeating: false, count: records.count)
    let rows = try connection.prepare("SELECT Z_PK, Z_ENT FROM \(quotedIdentifier(table)) NOT INDEXED")
    // Rows come in the order of their keys, as records are; a damaged table begins again.
    var (position, last) = (0, Int64.min)
    while try rows.step() {
      let (key, entity) = (rows.int64(0), EntityID(rows.int64(1)))
      if key < last { position = 0 }
      last = key
      while position < records.count, records[position].key < key { position += 1 }
      counts[entity]?.objects += 1
      guard position < records.count, records[position].key == key else {
        counts[entity]?.withoutRecord += 1
        continue
      }
      hasObject[position] = true
      switch records[position].state {
      case .uploaded: counts[entity]?.uploaded += 1
      case .waiting: counts[entity]?.waiting += 1
      case .toBeDeleted: counts[entity]?.toBeDeleted += 1
      }
    }
    for (record, hasObject) in zip(records, hasObject) where !hasObject {
      if record.state == .toBeDeleted {
        counts[record.entity]?.toBeDeleted += 1
      } else {
        counts[record.entity]?.ghosts += 1
      }
    }
  }
}
