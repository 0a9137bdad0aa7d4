/// SQL functions that a statement over many rows calls for each of them (`KeyedRows`).
enum RowFunctions {
  /// Names, with the number of arguments; -1 for any.
  static let arities: [(name: String, arity: Int32)] = [
    ("storedoctor_picks", -1), ("storedoctor_value", 2), ("storedoctor_keeps", 3),
  ]

  /// Their names, for the rules on what a statement may call.
  static let names = Set(arities.map(\.name))
}
