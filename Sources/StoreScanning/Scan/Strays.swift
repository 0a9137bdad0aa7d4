import StoreFindings
import StoreCoreData

extension Scan {
  /// The rows of a table whose entity number satisfies a condition; nil stands for NULL.
  package func strays(in table: TableScan, where isMeant: (EntityID?) -> Bool) -> ExampleTally {
    let meant = table.groups.filter { isMeant($0.entity) }
    var rows = ExampleTally(limit: exampleLimit)
    guard !meant.isEmpty else { return rows }
    for key in meant.reduce(KeySet(), { $0.union($1.keys) }) {
      rows.add(.init(key, ["number": meant.first { $0.keys.contains(key) }?.entity.map { .number($0.number) }]))
    }
    return rows
  }
}
