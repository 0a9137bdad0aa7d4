import CoreDataStore

extension Scan {
  /// The rows of a table whose entity number is one of those meant; nil stands for NULL.
  func strays(in table: TableScan, where isMeant: (EntityID?) -> Bool) -> ExampleTally {
    let meant = table.keysByEntity.filter { isMeant($0.key) }
    var rows = ExampleTally(limit: exampleLimit)
    guard !meant.isEmpty else { return rows }
    for key in meant.values.reduce(KeySet(), { $0.union($1) }) {
      rows.add(.init(key, ["number": meant.first { $0.value.contains(key) }?.key.map { .number($0.number) }]))
    }
    return rows
  }
}
