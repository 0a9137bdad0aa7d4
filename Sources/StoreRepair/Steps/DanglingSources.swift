import StoreScanning

extension Workbench {
  /// Deletes objects whose to-one relationship leads to a missing object (SD401), by the model's delete rules.
  func deleteDanglingSources() throws -> Decision {
    let scan = scan()
    let columns = scan.keyColumns().filter { !$0.place.isHidden }
    try scan.read()
    var decision = Decision()
    var objects: [String: Set<Int64>] = [:]
    for column in columns {
      guard let targets = column.targets(scan) else {
        decision.obstacles.append(.damaged(by: .dangling, column.place.relationship, table: column.place.table))
        continue
      }
      column.forEachLink { link in
        guard let key = link.key, targets.standing(of: key) == .missing else { return }
        objects[column.place.table, default: []].insert(link.row)
      }
    }
    guard !objects.isEmpty else { return decision }
    decision += try StoreRepair.deletion(of: objects.mapValues { $0.sorted() }, in: self, for: .dangling)
    return decision
  }
}
