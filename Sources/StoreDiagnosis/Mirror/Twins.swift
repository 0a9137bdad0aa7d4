import StoreCoreData
import StoreFindings
import StoreScanning

/// What CloudKit knows of rows with the same values: which came from another device, and which were made here.
struct Twins {
  private let scan: Scan
  private let mirror: MirrorScan
  private let records: RecordVisitor?

  /// Registers what it needs; nil where the store is not mirrored.
  init?(_ scan: Scan, mirror: MirrorScan) {
    guard scan.store.isMirrored else { return nil }
    self.scan = scan
    self.mirror = mirror
    records = mirror.records()
  }

  /// "origin" and "record" of a row, as far as they are known.
  func facts(of row: Int64, in table: String) throws -> [String: Finding.Fact?] {
    let entity = scan.table(table)?.entity(of: row)
    let origin = try entity.flatMap { try mirror.origin(of: row, entity: $0) }
    let record = records.map { $0.records.record(of: row, in: table)?.state.rawValue ?? "none" }
    return ["origin": origin.map { .text($0.rawValue) }, "record": record.map { .text($0) }]
  }

  /// "; by import: 9, 12; made here: 2".
  static func words(_ examples: [Finding.Example]) -> String {
    let origins: [(MirrorOrigins.Origin, String)] = [(.import, "came by import"), (.here, "made here")]
    return origins.map { origin, words in
      let keys = examples.filter { $0.facts["origin"] == .text(origin.rawValue) }.compactMap(\.primaryKey)
      guard !keys.isEmpty else { return "" }
      let more = keys.count > shownKeys ? " and \(keys.count - shownKeys) more" : ""
      return "; \(words): \(keys.prefix(shownKeys).map { String($0) }.joined(separator: ", "))\(more)"
    }.joined()
  }

  private static let shownKeys = 5
}
