/// Who counts the rows of leaves while they are read to find out whose they are.
protocol LeafCounter: AnyObject {
  /// Counts the rows of a leaf that a tree leads to.
  func count(_ page: UnsafeRawBufferPointer, _ leaf: SalvageTable.Leaf, of table: Int) throws
  /// Counts the rows of a sound leaf that no tree leads to, which seems to be of a table.
  func countLoose(_ page: UnsafeRawBufferPointer, _ leaf: SalvageTable.Leaf, of table: Int) throws
  /// Adds a leaf that no tree leads to, now that it is taken for one of a table.
  func take(_ leaf: SalvageTable.Leaf, of table: Int) throws
}
