/// All ways to pair ends along edges so that no end is used twice: no pair first, then in the order of the edges.
///
/// - Returns: the indexes of edges; nil where there are more ways than the limit.
func matchings(_ edges: [(left: Int, right: Int)], limit: Int) -> [[Int]]? {
  var all: [[Int]] = [[]]
  for (position, edge) in edges.enumerated() {
    let extended = all.filter { chosen in
      chosen.allSatisfy { other in
        let taken = edges[other]
        return taken.left != edge.left && taken.right != edge.right && taken.left != edge.right
          && taken.right != edge.left
      }
    }
    guard all.count + extended.count <= limit else { return nil }
    all += extended.map { $0 + [position] }
  }
  return all.sorted { ($0.count, $0.first ?? -1) < ($1.count, $1.first ?? -1) }
}
