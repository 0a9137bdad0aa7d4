import StoreCoreData
import StoreSQLite

/// What CloudKit's mirroring knows of a store's objects; empty where the store is not mirrored.
final class Mirror {
  fileprivate let records: MirrorRecords?
  fileprivate let origins: MirrorOrigins?
  private let names: Statement?

  /// - Throws: `MirrorError` and `SQLiteError` where it cannot be read.
  init(_ store: Store) throws {
    records = try store.mirrorRecords()
    origins = records == nil ? nil : try store.mirrorOrigins()
    names =
      records == nil
      ? nil
      : try store.connection.prepare(
        "SELECT \(MirrorTable.recordName) FROM \(MirrorTable.records) WHERE rowid = ?")
  }

  /// The name of a record, which is read when it is shown; valid until the next one.
  fileprivate func name(of record: MirrorRecords.Record) -> RowValue {
    guard let names else { return .absent }
    names.reset()
    guard (try? names.bind(record.row, at: 1)) != nil, (try? names.step()) == true, names.kind(0) == .text else {
      return .null
    }
    return .text(names[0].withBytes { $0 })
  }
}

/// What CloudKit knows of the objects of one entity.
struct MirroredObjects {
  /// A column about CloudKit.
  enum Part { case state, name, origin }

  private let mirror: Mirror
  private let entity: EntityID
  private let table: String

  init(_ mirror: Mirror, of entity: EntityLayout) {
    self.mirror = mirror
    self.entity = entity.id
    table = entity.table
  }

  /// A value of the object with a key.
  func value(_ part: Part, of key: Int64) -> RowValue {
    guard let records = mirror.records else { return .absent }
    let record = records.record(of: key, in: table)
    switch part {
    case .state: return .entity(record?.state.rawValue ?? "none")
    case .name: return record.map(mirror.name) ?? .null
    case .origin: return mirror.origins?.origin(of: key, entity: entity).map { .entity($0.rawValue) } ?? .null
    }
  }
}
