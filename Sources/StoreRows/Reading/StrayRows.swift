import StoreWords

/// Rows of a table whose `Z_ENT` is of no entity that belongs there: they are of no object, and not shown.
struct StrayRows {
  /// How many they are.
  private(set) var count: Int64 = 0
  /// What they have in `Z_ENT`, nil for no number; the first ones that were met.
  private var numbers: [Int64?] = []
  private var hasMore = false

  /// The most numbers that are named.
  private static let limit = 8

  /// Takes note of rows.
  ///
  /// - Parameter number: what they have in `Z_ENT`; nil where that is no number.
  mutating func add(_ number: Int64?, rows: Int64 = 1) {
    count &+= rows
    guard !numbers.contains(number) else { return }
    if numbers.count < Self.limit { numbers.append(number) } else { hasMore = true }
  }

  /// What is said of them: lower case, no full stop; nil without any.
  ///
  /// - Parameter fate: what is not done with them: "shown".
  func words(_ table: String, fate: String) -> String? {
    guard count > 0 else { return nil }
    let named =
      numbers.map { $0.map(String.init) ?? "no number" }.joined(separator: ", ") + (hasMore ? " and others" : "")
    return "\(counted(count, "row")) of \(table) \(count == 1 ? "has" : "have") a number in Z_ENT that is of no"
      + " entity there (\(named)), and \(count == 1 ? "is" : "are") not \(fate)"
  }
}
