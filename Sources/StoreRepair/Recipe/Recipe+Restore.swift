import StoreDataModel

extension Recipe {
  /// Deleted objects to put back from an older copy of the store, or from a report of what was recovered.
  package struct Restore: Sendable, Equatable {
    /// The older copy, as it was named: a store, or one with "@3" for the store as of commit 3; or the report.
    package var from: String
    /// Whether it is a report of `recover --format json`.
    package var isReport: Bool
    /// The entity; its subentities belong to it. Nil for all.
    package var entity: String?
    /// Keys (`Z_PK`) of the objects, ascending; empty for all. Without an entity there are none.
    package var keys: [Int64]
    /// Whether objects that are linked with them and are gone as well are put back, too.
    package var related: Bool
    /// The line in the recipe's file, from 1 on; nil without a file.
    @Uncompared package var line: Int?

    /// Objects of an entity; of all without one.
    package init(
      from: String, isReport: Bool = false, entity: String? = nil, keys: [Int64] = [], related: Bool = false,
      line: Int? = nil
    ) {
      (self.from, self.isReport, self.entity, self.related, self.line) = (from, isReport, entity, related, line)
      self.keys = Set(keys).sorted()
    }
  }
}
