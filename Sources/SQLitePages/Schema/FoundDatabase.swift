/// What was found of a database in its pages, where the way to its tables is lost.
package struct FoundDatabase: Sendable {
  /// The pages; they have a header, which was made where there is none.
  package var files: PageFiles
  /// The schema, with the roots that were found; 0 where a table has none.
  package var schema: PageSchema
  /// By table the leaves whose rows are its own, whether its root leads to them or not.
  package var leaves: [String: [UInt32]]
  /// Pages that are known to be free, besides those in the list of free pages.
  package var free: PageSet
  /// Tables that may have rows on other pages, with the reason; lower case, no full stop.
  package var doubted: [String: String]

  /// What a search of pages found.
  package init(
    _ files: PageFiles, schema: PageSchema, leaves: [String: [UInt32]], free: PageSet, doubted: [String: String]
  ) {
    (self.files, self.schema, self.leaves, self.free, self.doubted) = (files, schema, leaves, free, doubted)
  }
}
