import StoreCoreData
import StoreFindings
import StoreScanning
import StoreSQLite

/// What CloudKit's mirroring knows of a store, which several checks ask for; its table is read once, with the others.
final class MirrorScan {
  private let scan: Scan
  private var known: RecordVisitor?
  private var origins: MirrorOrigins??

  init(_ scan: Scan) { self.scan = scan }

  /// The records, filled by the read; nil where the store is not mirrored, or, as is noted, where they cannot be read.
  func records() -> RecordVisitor? {
    guard scan.store.isMirrored else { return nil }
    if let missing = scan.store.shape.missingForRecords {
      scan.skip("what CloudKit knows of the rows cannot be read: \(missing)")
      return nil
    }
    guard let table = scan.table(MirrorTable.records) else { return nil }
    if let known { return known }
    let visitor = scan.visit(table, entities: nil, columns: MirrorTable.recordColumns) {
      RecordVisitor(scan.store.layout, table: table, indexes: $0)
    }
    known = visitor
    return visitor
  }

  /// Where objects come from. The history is read when this is first asked, since only a store with twins needs it.
  func origin(of key: Int64, entity: EntityID) throws -> MirrorOrigins.Origin? {
    if let origins { return origins?.origin(of: key, entity: entity) }
    do {
      let read = try scan.store.mirrorOrigins()
      origins = .some(read)
      return read?.origin(of: key, entity: entity)
    } catch let error as SQLiteError {
      if error.endsReading { throw error }
      origins = .some(nil)
      scan.skip("the history cannot be read, which tells what came by import: \(error.message)")
      return nil
    }
  }
}

/// Collects the records of CloudKit's mirroring.
final class RecordVisitor: RowVisitor {
  let table: TableScan
  private var builder: MirrorRecords.Builder
  private let indexes: [Int]
  private(set) lazy var records = builder.finished()

  init(_ layout: Layout, table: TableScan, indexes: [Int]) {
    builder = MirrorRecords.Builder(layout)
    self.table = table
    self.indexes = indexes
  }

  override func visit(_ row: Row) {
    builder.add(row.key) { place in
      let value = row[indexes[place]]
      return (value.kind, value.int64)
    }
  }
}
