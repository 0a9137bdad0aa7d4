/// The layers of one part of a picture in which everything hangs together, and the order within each.
///
/// 1. Layers: the longest way over the lines, in which those that would close a circle are turned. Where that makes more
///    layers than a screen is wide, the entity with the most lines stands in the middle, and the others left and right of it by
///    their distance.
/// 2. A line over several layers has a place of its own in each between.
/// 3. Order: each layer is sorted by the middle of what its members lead to, to and fro; the order with the fewest crossings
///    is kept, and neighbours change places while that makes fewer.
struct PictureLayers {
  /// A place in a layer: a box, or a line that passes.
  enum Node: Hashable {
    case box(Int)
    case passing(edge: Int, layer: Int)
  }

  /// The nodes of each layer, in order.
  private(set) var layers: [[Node]]
  /// The way of each line from layer to layer; from left to right, empty within a layer.
  private(set) var ways: [Int: [Node]] = [:]
  /// The layer of each box.
  let layer: [Int: Int]

  private var neighbours: [Node: [Node]] = [:]

  /// - Parameters:
  ///   - boxes: those of the part.
  ///   - edges: the lines between them, by their numbers.
  init(_ boxes: [Int], _ edges: [(number: Int, from: Int, to: Int)], most: Int) {
    var layer = Self.longestWays(boxes, edges)
    if (layer.values.max() ?? 0) >= most { layer = Self.around(boxes, edges, sides: max(most / 2, 1)) }
    self.layer = layer
    layers = Array(repeating: [], count: (layer.values.max() ?? 0) + 1)
    for box in boxes { layers[layer[box] ?? 0].append(.box(box)) }
    for edge in edges {
      guard let one = layer[edge.from], let other = layer[edge.to], one != other else { continue }
      let (left, right) = one < other ? (edge.from, edge.to) : (edge.to, edge.from)
      var way = [Node.box(left)]
      for between in min(one, other) + 1..<max(one, other) {
        let node = Node.passing(edge: edge.number, layer: between)
        layers[between].append(node)
        way.append(node)
      }
      way.append(.box(right))
      ways[edge.number] = way
      for (near, far) in zip(way, way.dropFirst()) {
        neighbours[near, default: []].append(far)
        neighbours[far, default: []].append(near)
      }
    }
    order()
  }

  /// What a node leads to in a layer.
  func neighbours(of node: Node) -> [Node] { neighbours[node] ?? [] }

  func layer(of node: Node) -> Int {
    switch node {
    case .box(let box): layer[box] ?? 0
    case .passing(_, let layer): layer
    }
  }

  // MARK: Layers

  private static func longestWays(
    _ boxes: [Int], _ edges: [(number: Int, from: Int, to: Int)]
  ) -> [Int: Int] {
    var following: [Int: [Int]] = [:]
    for edge in edges where edge.from != edge.to { following[edge.from, default: []].append(edge.to) }
    // Depth first: a line back to a box on the way is turned, by leaving it out here.
    var forward: [Int: [Int]] = [:]
    var finished: [Int] = []
    var state: [Int: Bool] = [:]
    for start in boxes where state[start] == nil {
      var stack = [(box: start, next: 0)]
      state[start] = false
      while let top = stack.last {
        let all = following[top.box] ?? []
        guard top.next < all.count else {
          state[top.box] = true
          finished.append(top.box)
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].next += 1
        let next = all[top.next]
        switch state[next] {
        case false?: break
        case true?: forward[top.box, default: []].append(next)
        case nil:
          forward[top.box, default: []].append(next)
          state[next] = false
          stack.append((next, 0))
        }
      }
    }
    var layer = Dictionary(boxes.map { ($0, 0) }, uniquingKeysWith: { first, _ in first })
    for box in finished.reversed() {
      for next in forward[box] ?? [] { layer[next] = max(layer[next] ?? 0, (layer[box] ?? 0) + 1) }
    }
    // Whatever nothing leads to moves to what it leads to.
    let reached = Set(forward.values.joined())
    for box in boxes where !reached.contains(box) {
      if let nearest = (forward[box] ?? []).compactMap({ layer[$0] }).min() { layer[box] = max(nearest - 1, 0) }
    }
    return compact(layer)
  }

  /// The box with the most lines in the middle.
  private static func around(
    _ boxes: [Int], _ edges: [(number: Int, from: Int, to: Int)], sides: Int
  ) -> [Int: Int] {
    var linked: [Int: [Int]] = [:]
    for edge in edges where edge.from != edge.to {
      linked[edge.from, default: []].append(edge.to)
      linked[edge.to, default: []].append(edge.from)
    }
    let hub = boxes.max { (linked[$0]?.count ?? 0, $1) < (linked[$1]?.count ?? 0, $0) } ?? 0
    var place = [hub: 0]
    var loads = (left: 0, right: 0)
    // Each branch that hangs at the hub by itself stays on one side, the larger first.
    var seen: Set<Int> = [hub]
    var branches: [[Int]] = []
    for start in linked[hub] ?? [] where seen.insert(start).inserted {
      var (branch, position) = ([start], 0)
      while position < branch.count {
        for next in linked[branch[position]] ?? [] where seen.insert(next).inserted { branch.append(next) }
        position += 1
      }
      branches.append(branch)
    }
    for branch in branches.sorted(by: { ($1.count, $0.first ?? 0) < ($0.count, $1.first ?? 0) }) {
      let near = Set(linked[hub] ?? [])
      // A branch with more than half of all would make one side alone high: its parts near the hub go to both.
      let isSplit = branch.count * 2 > boxes.count
      let direct = branch.filter(near.contains)
      var frontier: [Int] = []
      for box in direct {
        let goesRight = loads.right <= loads.left
        if isSplit || frontier.isEmpty {
          place[box] = goesRight ? 1 : -1
        } else {
          place[box] = frontier.first.flatMap { place[$0] }
        }
        if place[box] == 1 { loads.right += 1 } else { loads.left += 1 }
        frontier.append(box)
      }
      var position = 0
      while position < frontier.count {
        let box = frontier[position]
        position += 1
        let distance = place[box] ?? 1
        for next in linked[box] ?? [] where place[next] == nil {
          let further = min(abs(distance) + 1, sides)
          place[next] = distance < 0 ? -further : further
          if distance < 0 { loads.left += 1 } else { loads.right += 1 }
          frontier.append(next)
        }
      }
    }
    return compact(place)
  }

  /// The layers numbered from 0, without gaps.
  private static func compact(_ layer: [Int: Int]) -> [Int: Int] {
    let used = Set(layer.values).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
    return layer.mapValues { numbers[$0] ?? 0 }
  }

  // MARK: Order

  private static let sweeps = 24

  private mutating func order() {
    var (best, fewest) = (layers, crossings(layers))
    for sweep in 0..<Self.sweeps where fewest > 0 {
      let forward = sweep % 2 == 0
      let order = forward ? Array(layers.indices.dropFirst()) : layers.indices.dropLast().reversed()
      for index in order { sort(index, by: forward ? index - 1 : index + 1) }
      let count = crossings(layers)
      if count < fewest { (best, fewest) = (layers, count) }
    }
    layers = best
    swapNeighbours()
  }

  private mutating func sort(_ index: Int, by fixed: Int) {
    let places = positions(layers[fixed])
    let middles = layers[index].enumerated().map { position, node -> (Node, Double, Int) in
      let found = neighbours(of: node).compactMap { places[$0] }
      let middle = found.isEmpty ? Double(position) : Double(found.reduce(0, +)) / Double(found.count)
      return (node, middle, position)
    }
    layers[index] = middles.sorted { ($0.1, $0.2) < ($1.1, $1.2) }.map(\.0)
  }

  private func positions(_ layer: [Node]) -> [Node: Int] {
    Dictionary(layer.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private func crossings(_ layers: [[Node]]) -> Int {
    zip(layers, layers.dropFirst()).reduce(0) { $0 + crossings($1.0, $1.1) }
  }

  private func crossings(_ left: [Node], _ right: [Node]) -> Int {
    let places = positions(right)
    let ends = left.flatMap { node in neighbours(of: node).compactMap { places[$0] }.sorted() }
    var count = 0
    for (index, end) in ends.enumerated() {
      for other in ends[..<index] where other > end { count += 1 }
    }
    return count
  }

  private mutating func swapNeighbours() {
    for _ in 0..<4 {
      var hasChanged = false
      for index in layers.indices {
        for position in layers[index].indices.dropLast() {
          let before = crossingsAround(index)
          guard before > 0 else { break }
          layers[index].swapAt(position, position + 1)
          if crossingsAround(index) < before { hasChanged = true } else { layers[index].swapAt(position, position + 1) }
        }
      }
      guard hasChanged else { return }
    }
  }

  private func crossingsAround(_ index: Int) -> Int {
    (index > 0 ? crossings(layers[index - 1], layers[index]) : 0)
      + (index + 1 < layers.count ? crossings(layers[index], layers[index + 1]) : 0)
  }
}
