import StoreText
import StoreWords

extension ModelPicture {
  /// The picture for a page that has the style of its classes.
  ///
  /// - Parameter label: what it shows, for those who do not see it.
  package func svg(label: String) -> PictureMarkup { PictureMarkup(self, label: label, isAlone: false) }

  /// The picture as a file.
  package func svgFile(label: String) -> String { PictureMarkup(self, label: label, isAlone: true).text }
}

/// The markup of a picture, in which no name can act.
package struct PictureMarkup: InertMarkup, Sendable {
  package private(set) var text = ""
  private let picture: ModelPicture
  private let layout: PictureLayout

  fileprivate init(_ picture: ModelPicture, label: String, isAlone: Bool) {
    self.picture = picture
    layout = PictureLayout(picture)
    let (width, height) = (layout.size.width + 2 * Self.margin, layout.size.height + 2 * Self.margin)
    let space = isAlone ? " xmlns=\"http://www.w3.org/2000/svg\"" : ""
    text +=
      "<svg\(space) class=\"er\" role=\"\(isAlone ? "img" : "group")\" aria-label=\"\(HTML.inert(label))\" width=\"\(width)\" height=\"\(height)\" "
    text += "viewBox=\"\(-Self.margin) \(-Self.margin) \(width) \(height)\">\n"
    if isAlone { text += "<style>\(Self.fileStyle)</style>\n" }
    for path in layout.paths { write(path) }
    for (number, box) in picture.boxes.enumerated() { write(box, layout.frames[number]) }
    text += "</svg>\n"
  }

  private static let margin = 10

  // MARK: Lines

  private mutating func write(_ path: PictureLayout.Path) {
    let edge = picture.edges[path.edge]
    let isBranch = edge.relationship == nil
    let isMany = edge.relationship.map { $0.there.isMany && $0.back?.isMany == true } ?? false
    text += "<g class=\"\(isBranch ? "inh" : isMany ? "mm" : "one")\"><title>\(HTML.inert(title(of: edge)))</title>"
    text += "<path class=\"edge\" d=\"\(curve(path))\"/>"
    if let ends = edge.relationship {
      if let back = ends.back, let first = path.points.first { write(back, at: first, side: path.sides.source) }
      if let last = path.points.last { write(ends.there, at: last, side: path.sides.destination) }
    } else if let last = path.points.last {
      let out = last.x + 11 * path.sides.destination
      text += "<path class=\"tri\" d=\"M\(last.x) \(last.y)L\(out) \(last.y - 6)L\(out) \(last.y + 6)Z\"/>"
    }
    text += "</g>\n"
  }

  private func title(of edge: ModelPicture.Edge) -> String {
    let (source, destination) = (picture.boxes[edge.source].name, picture.boxes[edge.destination].name)
    guard let ends = edge.relationship else { return "\(source) inherits from \(destination)" }
    func rule(_ end: ModelPicture.End?) -> String { end?.rule.map { " (on delete: \($0.words))" } ?? "" }
    return "\(source).\(ends.name) leads to \(destination)" + rule(ends.there)
      + (ends.inverse.map { ", back by \($0)" + rule(ends.back) } ?? ", without inverse")
  }

  private func curve(_ path: PictureLayout.Path) -> String {
    guard let first = path.points.first else { return "" }
    var text = "M\(first.x) \(first.y)"
    // Corners of a line that goes round are straight.
    let isRound = path.sides.source == path.sides.destination
    for (one, other) in zip(path.points, path.points.dropFirst()) {
      if isRound || one.y == other.y {
        text += "L\(other.x) \(other.y)"
      } else {
        let bend = (other.x - one.x) / 2
        text += "C\(one.x + bend) \(one.y) \(other.x - bend) \(other.y) \(other.x) \(other.y)"
      }
    }
    return text
  }

  private mutating func write(_ end: ModelPicture.End, at point: (x: Int, y: Int), side: Int) {
    let (x, y) = (point.x, point.y)
    if end.isMany {
      text += "<path class=\"end\" d=\"M\(x + 10 * side) \(y)L\(x) \(y - 5)M\(x + 10 * side) \(y)L\(x) \(y + 5)\"/>"
    } else {
      text += "<path class=\"end\" d=\"M\(x + 7 * side) \(y - 5)V\(y + 5)\"/>"
    }
    if end.isOptional {
      text += "<circle class=\"opt\" cx=\"\(x + 14 * side)\" cy=\"\(y)\" r=\"3.5\"/>"
    } else {
      text += "<path class=\"end\" d=\"M\(x + 12 * side) \(y - 5)V\(y + 5)\"/>"
    }
  }

  // MARK: Boxes

  private mutating func write(_ box: ModelPicture.Box, _ frame: PictureLayout.Frame) {
    let (x, y, right) = (frame.x, frame.y, frame.x + frame.width - 10)
    if let target = box.target { text += "<a href=\"#e-\(target)\">" }
    text += "<g class=\"box\(box.isFaint ? " none" : "")\"><title>\(HTML.inert(box.name))</title>"
    text += "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(frame.width)\" height=\"\(frame.height)\" rx=\"4\"/>"
    text += "<text class=\"h\" x=\"\(x + 10)\" y=\"\(y + 17)\">\(HTML.inert(PictureLayout.shown(box.name)))</text>"
    text += "<text class=\"n\" x=\"\(right)\" y=\"\(y + 17)\">\(HTML.inert(PictureLayout.shown(box.remark)))</text>"
    if !box.lines.isEmpty {
      text += "<path class=\"rule\" d=\"M\(x) \(y + PictureLayout.headHeight)h\(frame.width)\"/>"
    }
    for (number, line) in box.lines.enumerated() {
      let base = y + PictureLayout.headHeight + number * PictureLayout.lineHeight + 14
      text += "<text x=\"\(x + 10)\" y=\"\(base)\">\(HTML.inert(PictureLayout.shown(line.name)))</text>"
      text +=
        "<text class=\"t\" x=\"\(right)\" y=\"\(base)\">\(HTML.inert(PictureLayout.shown(line.detail, most: 36)))</text>"
    }
    text += "</g>" + (box.target == nil ? "" : "</a>") + "\n"
  }

  /// The look of a picture by itself, in light and dark.
  private static let fileStyle = """
    svg{--bg:#fff;--ink:#15181c;--soft:#57606b;--mid:#b9c0c8;--accent:#2346b8;background:var(--bg);
    font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
    @media(prefers-color-scheme:dark){svg{--bg:#0f1215;--ink:#e6e9ed;--soft:#9ea8b4;--mid:#4b545f;--accent:#9ab6ff}}
    \(style.text)
    """

  /// The look of the classes, for a page that has the colours.
  static let style: HTML = """
    .er text{font-size:12px;fill:var(--ink)}.er .h{font-size:13px;font-weight:650}.er .n,.er .t{text-anchor:end;fill:var(--soft)}
    .er .t{font-size:11px}.er .box rect{fill:var(--bg);stroke:var(--mid)}.er a:hover rect,.er a:focus rect{stroke:var(--accent);stroke-width:2}
    .er .none rect{stroke-dasharray:3 3}.er .none .h{fill:var(--soft)}.er .rule{stroke:var(--mid);fill:none}
    .er .edge{fill:none;stroke:var(--soft);stroke-width:1.15}.er .mm .edge,.er .mm .end{stroke:var(--accent)}.er .inh .edge{stroke-dasharray:5 3}
    .er .end{fill:none;stroke:var(--soft);stroke-width:1.3}.er .opt,.er .tri{fill:var(--bg);stroke:var(--soft)}
    """
}
