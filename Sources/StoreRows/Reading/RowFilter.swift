/// Which objects of a result to show.
struct RowFilter {
  /// The columns it looks at, which are read after those that are shown.
  let paths: [String]
  /// Whether an object is shown.
  ///
  /// - Parameter first: the first of the columns it looks at.
  let accepts: (_ row: RowReader.Row, _ first: Int) -> Bool
}
