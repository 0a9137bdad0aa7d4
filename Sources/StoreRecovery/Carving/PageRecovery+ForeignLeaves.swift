import SQLitePages
import StoreCoreData

extension PageRecovery {
  /// Notes leaves that hang in the tree of another table: both do not show all their rows.
  func noteForeignLeaves() throws {
    let own = templates.filter { !$0.isFormer && !$0.isForeign && $0.root != nil }
    let foreign = ForeignLeaves(
      own.compactMap { RowShape($0.definition, table: $0.table, entities: $0.coreData?.entities ?? []) })
    let leaves = takeLeaves()
    for template in own {
      guard let entities = template.coreData?.entities, let byNumber = leaves[template.table] else { continue }
      var first: (page: UInt32, owner: String, key: Int64)?
      for page in byNumber.filter({ !entities.contains($0.key) }).values.joined().sorted() where first == nil {
        guard
          let owner = try view.page(page)?.withUnsafeBytes({ bytes in
            foreign.owner(ofLeaf: bytes, in: template.table, geometry: files.geometry)
          })
        else { continue }
        first = (page, owner.table, owner.firstKey)
      }
      guard let first else { continue }
      doubt(template.table, "has rows of \(first.owner) on page \(first.page) of its tree, in place of its own")
      guard let root = own.first(where: { $0.table == first.owner })?.root,
        try view.find(rowID: first.key, root: root) == nil
      else { continue }
      doubt(first.owner, "has rows on page \(first.page) of the tree of \(template.table)")
    }
  }
}
