import StoreWords

/// The part of a line of source that fits into a terminal: what is marked first, then as much as there is room for of what
/// stands around it.
struct ExcerptPart {
  private(set) var before: String
  private(set) var marked: String
  private(set) var after: String

  private static let gap = "..."
  /// A narrower terminal gets lines that are too long.
  private static let smallestWidth = 24

  init(before: String, marked: String, after: String, width: Int) {
    (self.before, self.marked, self.after) = (before, marked, after)
    let width = max(width, Self.smallestWidth)
    guard before.displayWidth + marked.displayWidth + after.displayWidth > width else { return }
    // A third of the room for what stands before, unless the rest needs less.
    let mark = min(marked.displayWidth, width - 2 * Self.gap.count)
    let room = width - mark
    let rest = marked.displayWidth - mark + after.displayWidth
    let lead = min(before.displayWidth, max(room / 3, room - rest))
    self.before = Self.end(of: before, lead)
    let left = width - self.before.displayWidth
    if marked.displayWidth + (after.isEmpty ? 0 : Self.gap.count) > left {
      self.marked = Self.start(of: marked, left)
      self.after = ""
    } else {
      self.after = Self.start(of: after, left - marked.displayWidth)
    }
  }

  private static func start(of text: String, _ width: Int) -> String {
    text.displayWidth <= width ? text : fitting(text, width: width - gap.count) + gap
  }

  private static func end(of text: String, _ width: Int) -> String {
    text.displayWidth <= width
      ? text : gap + String(fitting(String(text.reversed()), width: width - gap.count).reversed())
  }

  /// As many of the first characters as there is room for.
  private static func fitting(_ text: String, width: Int) -> String {
    var (taken, columns) = ("", 0)
    for character in text {
      columns += String(character).displayWidth
      if columns > width { break }
      taken.append(character)
    }
    return taken
  }
}
