import StoreText
import StoreWords

/// Where everything of a picture is, in pixels.
struct PictureLayout {
  /// The place of a box.
  struct Frame: Equatable {
    var (x, y, width, height) = (0, 0, 0, 0)
  }

  /// A line from box to box: its points, and on which side of its boxes it ends.
  struct Path: Equatable {
    /// The edge, by its number.
    var edge: Int
    /// From the source to the destination.
    var points: [(x: Int, y: Int)]
    /// 1 where it leaves the source to the right, -1 to the left; the same of the destination.
    var sides: (source: Int, destination: Int)

    static func == (left: Self, right: Self) -> Bool {
      left.edge == right.edge && left.sides == right.sides
        && left.points.elementsEqual(right.points, by: { $0 == $1 })
    }
  }

  private(set) var frames: [Frame]
  private(set) var paths: [Path] = []
  private(set) var size = (width: 0, height: 0)

  static let headHeight = 26
  static let lineHeight = 17
  private static let gap = 14
  private static let passingHeight = 6
  /// The width that a screen has for the picture.
  private static let screen = 1160

  /// Whether letters of 12 pixels have at least 9 on a screen, to which wider pictures are made narrower.
  var isReadable: Bool { size.width * 3 <= Self.screen * 4 }

  private let picture: ModelPicture

  init(_ picture: ModelPicture) {
    self.picture = picture
    frames = picture.boxes.map { box in
      Frame(
        x: 0, y: 0, width: Self.width(of: box),
        height: Self.headHeight + (box.lines.isEmpty ? 0 : box.lines.count * Self.lineHeight + 6))
    }
    var shelf = (x: 0, y: 0, height: 0)
    for part in parts {
      let extent = place(part)
      if shelf.x > 0, shelf.x + extent.width > Self.screen { shelf = (0, shelf.y + shelf.height + 2 * Self.gap, 0) }
      move(part, by: (shelf.x, shelf.y))
      shelf.x += extent.width + 2 * Self.gap
      shelf.height = max(shelf.height, extent.height)
      size = (max(size.width, shelf.x - 2 * Self.gap), shelf.y + shelf.height)
    }
  }

  /// The width of a box by its longest line.
  private static func width(of box: ModelPicture.Box) -> Int {
    let head = width(shown(box.name)) * 4 / 3 + (box.remark.isEmpty ? 0 : 12 + width(shown(box.remark)))
    let lines = box.lines.map { width(shown($0.name)) + 16 + width(shown($0.detail, most: 36)) }
    return max(head, lines.max() ?? 0, 60) + 24
  }

  /// About as wide as a font without serifs makes it at 12 pixels, on the safe side.
  private static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { sum, scalar in
      switch scalar {
      case "i", "l", "j", "t", "f", ".", ",", " ", "I", "'", "|", "r": sum + 4
      case "m", "w", "M", "W", "@": sum + 11
      case "A"..."Z": sum + 9
      case "\0"..."\u{2FF}": sum + 7
      default: sum + 13
      }
    }
  }

  /// A name as it is drawn: what is too long is cut, and what acts on a terminal or a page is spelled.
  static func shown(_ name: String, most: Int = 30) -> String {
    let text = escapedForTerminal(name)
    return text.unicodeScalars.count > most
      ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(most - 1))) + "…" : text
  }

  // MARK: Parts

  /// Boxes that hang together; those with the most first, single ones last.
  private var parts: [[Int]] {
    var linked: [Int: [Int]] = [:]
    for edge in picture.edges {
      linked[edge.source, default: []].append(edge.destination)
      linked[edge.destination, default: []].append(edge.source)
    }
    var seen: Set<Int> = []
    var parts: [[Int]] = []
    for start in picture.boxes.indices where seen.insert(start).inserted {
      var (part, position) = ([start], 0)
      while position < part.count {
        for next in linked[part[position]] ?? [] where seen.insert(next).inserted { part.append(next) }
        position += 1
      }
      parts.append(part.sorted())
    }
    return parts.sorted { ($1.count, $0.first ?? 0) < ($0.count, $1.first ?? 0) }
  }

  private mutating func move(_ part: [Int], by offset: (x: Int, y: Int)) {
    let members = Set(part)
    for box in part {
      frames[box].x += offset.x
      frames[box].y += offset.y
    }
    for path in paths.indices where members.contains(picture.edges[paths[path].edge].source) {
      paths[path].points = paths[path].points.map { ($0.x + offset.x, $0.y + offset.y) }
    }
  }

  /// Lays out a part from the origin on; how large it is.
  private mutating func place(_ part: [Int]) -> (width: Int, height: Int) {
    let members = Set(part)
    let edges = picture.edges.enumerated().filter { members.contains($1.source) }
    // From the one to the many, from parent to child.
    let directed = edges.map { number, edge -> (number: Int, from: Int, to: Int) in
      let isTurned = edge.relationship.map { !$0.there.isMany } ?? true
      return isTurned
        ? (number, edge.destination, edge.source) : (number, edge.source, edge.destination)
    }
    let layers = PictureLayers(part, directed, most: 5)
    let heights = heights(layers)
    var x = 0
    var passing: [PictureLayers.Node: (x: Int, y: Int, width: Int)] = [:]
    for layer in layers.layers {
      let width = layer.map { node in if case .box(let box) = node { frames[box].width } else { 0 } }.max() ?? 0
      for node in layer {
        let y = heights[node] ?? 0
        switch node {
        case .box(let box):
          frames[box].x = x
          frames[box].y = y
          frames[box].width = width
        case .passing: passing[node] = (x, y + Self.passingHeight / 2, width)
        }
      }
      x += width + channel(edges.count)
    }
    for (number, _) in edges { paths.append(path(number, layers, passing)) }
    let bottom = part.map { frames[$0].y + frames[$0].height }.max() ?? 0
    // Lines round a box, and those that pass below the last one.
    let points = paths.filter { members.contains(picture.edges[$0.edge].source) }.flatMap(\.points)
    let loops = points.map(\.x).max() ?? 0
    return (max(x - channel(edges.count), loops), max(bottom, points.map(\.y).max() ?? 0))
  }

  private func channel(_ edges: Int) -> Int {
    picture.boxes.count > ModelPicture.mostUnfolded ? 48 : 84 + min(edges, 20)
  }

  // MARK: Heights

  private func height(of node: PictureLayers.Node) -> Int {
    if case .box(let box) = node { frames[box].height } else { Self.passingHeight }
  }

  /// The height at which each node begins: as near to what it leads to as its order and its distance allow.
  private func heights(_ layers: PictureLayers) -> [PictureLayers.Node: Int] {
    var tops: [PictureLayers.Node: Double] = [:]
    for layer in layers.layers {
      var y = 0.0
      for node in layer {
        tops[node] = y
        y += Double(height(of: node) + Self.gap)
      }
    }
    for sweep in 0..<12 {
      let order = sweep % 2 == 0 ? Array(layers.layers.indices) : layers.layers.indices.reversed()
      for index in order {
        let layer = layers.layers[index]
        let wanted = layer.map { node -> Double in
          let near = layers.neighbours(of: node)
          guard !near.isEmpty else { return tops[node] ?? 0 }
          let middles = near.map { (tops[$0] ?? 0) + Double(height(of: $0)) / 2 }
          return middles.reduce(0, +) / Double(middles.count) - Double(height(of: node)) / 2
        }
        for (node, top) in zip(layer, spread(wanted, heights: layer.map(height(of:)))) { tops[node] = top }
      }
    }
    let least = tops.values.min() ?? 0
    return tops.mapValues { Int(($0 - least).rounded()) }
  }

  /// The tops nearest to those wanted that keep order and distance: neighbours that would overlap become one block.
  private func spread(_ wanted: [Double], heights: [Int]) -> [Double] {
    var offsets: [Double] = []
    var offset = 0.0
    for height in heights {
      offsets.append(offset)
      offset += Double(height + Self.gap)
    }
    var blocks: [(sum: Double, count: Int)] = []
    for (want, offset) in zip(wanted, offsets) {
      blocks.append((want - offset, 1))
      while blocks.count > 1 {
        let (last, before) = (blocks[blocks.count - 1], blocks[blocks.count - 2])
        guard before.sum / Double(before.count) > last.sum / Double(last.count) else { break }
        blocks.removeLast(2)
        blocks.append((before.sum + last.sum, before.count + last.count))
      }
    }
    let levels = blocks.flatMap { block in
      Array(repeating: block.sum / Double(block.count), count: block.count)
    }
    return zip(levels, offsets).map { $0 + $1 }
  }

  // MARK: Lines

  /// The height at which a line ends at a box: at the line that names the relationship, or at the head of one that is folded.
  private func port(_ box: Int, name: String?) -> Int {
    let frame = frames[box]
    if let name, let line = picture.boxes[box].lines.lastIndex(where: { $0.name == name }) {
      return frame.y + Self.headHeight + line * Self.lineHeight + Self.lineHeight / 2 + 2
    }
    return frame.y + Self.headHeight / 2
  }

  private func path(
    _ number: Int, _ layers: PictureLayers, _ passing: [PictureLayers.Node: (x: Int, y: Int, width: Int)]
  ) -> Path {
    let edge = picture.edges[number]
    let (source, destination) = (frames[edge.source], frames[edge.destination])
    var start = port(edge.source, name: edge.relationship?.name)
    let end = port(edge.destination, name: edge.relationship?.inverse)
    guard let way = layers.ways[number] else {
      // Within a layer, or back to the same box: by the channel on the right.
      let right = source.x + source.width
      if edge.source == edge.destination, start == end { start -= 8 }
      let out = right + 22 + number % 4 * 7
      return Path(
        edge: number, points: [(right, start), (out, start), (out, end), (right, end)], sides: (1, 1))
    }
    let goesRight = way.first == .box(edge.source)
    let nodes = goesRight ? way : way.reversed()
    var points = [(x: goesRight ? source.x + source.width : source.x, y: start)]
    for node in nodes {
      guard let place = passing[node] else { continue }
      let ends = [(x: place.x, y: place.y), (x: place.x + place.width, y: place.y)]
      points += goesRight ? ends : ends.reversed()
    }
    points.append((x: goesRight ? destination.x : destination.x + destination.width, y: end))
    return Path(edge: number, points: points, sides: goesRight ? (1, -1) : (-1, 1))
  }
}
