/// The functions by which a statement that walks a table asks for each row (`KeyedRows`).
enum RowFunctions {
  /// Names, with the number of arguments; -1 for any.
  static let arities: [(name: String, arity: Int32)] = [
    ("storedoctor_picks", -1), ("storedoctor_value", 2), ("storedoctor_keeps", 3),
  ]

  /// The names, for whoever decides what a statement may call.
  static let names = Set(arities.map(\.name))
}
