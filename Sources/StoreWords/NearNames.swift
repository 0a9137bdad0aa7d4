/// "; did you mean 'Note'?", or nothing where no name is similar.
package func didYouMean(_ name: String, among known: [String]) -> String {
  let near = nearNames(to: name, among: known)
  guard !near.isEmpty else { return "" }
  return "; did you mean \(near.map(quoted).joined(separator: " or "))?"
}

/// Up to three known names similar to `name`, the most similar first.
func nearNames(to name: String, among known: [String]) -> [String] {
  let limit = max(1, name.count / 3)
  let ranked = Set(known).map { (name: $0, distance: distance(name, $0, limit: limit)) }
  return ranked.filter { $0.distance <= limit }
    .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
    .prefix(3).map(\.name)
}

/// The number of letters to change, insert, delete or swap with the next, ignoring case; `limit + 1` if there are more.
private func distance(_ left: String, _ right: String, limit: Int) -> Int {
  let (left, right) = (Array(left.lowercased()), Array(right.lowercased()))
  // Long names, as a store may have, are not compared.
  guard abs(left.count - right.count) <= limit, left.count <= 200 else { return limit + 1 }
  var before: [Int] = []
  var row = Array(0...right.count)
  for (line, letter) in left.enumerated() {
    var next = [line + 1]
    for (column, other) in right.enumerated() {
      var least = min(row[column] + (letter == other ? 0 : 1), row[column + 1] + 1, next[column] + 1)
      if line > 0, column > 0, letter == right[column - 1], left[line - 1] == other {
        least = min(least, before[column - 1] + 1)
      }
      next.append(least)
    }
    (before, row) = (row, next)
  }
  return row[right.count]
}
