/// A text whose lines a mail, a chat or a terminal broke, with the breaks within one entry of a log taken out.
///
/// Lines belong to one entry where they are as wide as breaking them makes them: all but the last exactly as wide as each
/// other (a terminal, `fold`), or each without room for the first word of the next (a mail). A line that begins as an
/// entry does, an indented or an empty one is never joined to the one before. Marks of a quoted mail (`> `) are left out.
struct UnwrappedText {
  /// The text.
  private(set) var bytes: [UInt8] = []
  /// The line breaks that were taken out, in order.
  private(set) var breaks: [Break] = []

  /// A line break that is no longer there.
  struct Break: Equatable {
    /// The offset of the space that stands for it, or of what followed it.
    var offset: Int
    /// Whether nothing stands for it: the line may have been broken within a word.
    var isWithinWord: Bool
  }

  /// The narrowest line that is taken for a broken one, in characters.
  private static let narrowest = 40
  /// The most lines that one entry is put together from.
  private static let mostLines = 64

  /// The width that a terminal broke lines at.
  private enum Fold: Equatable {
    case characters(Int)
    case bytes(Int)

    func fills(_ line: Line) -> Bool {
      switch self {
      case .characters(let width): line.characters == width
      case .bytes(let width): line.text.count == width
      }
    }

    func holds(_ line: Line) -> Bool {
      switch self {
      case .characters(let width): line.characters <= width
      case .bytes(let width): line.text.count <= width
      }
    }
  }

  /// - Parameter text: any bytes; the time grows linearly with their number.
  init(_ text: ArraySlice<UInt8>) {
    bytes.reserveCapacity(text.count)
    let fold = Self.fold(of: text)
    var lines = LineWindow(text)
    while let first = lines[0] {
      let (count, isWithinWord) = Self.entry(first, &lines, fold)
      bytes += first.text
      for index in 1..<count {
        guard let line = lines[index] else { break }
        breaks.append(Break(offset: bytes.count, isWithinWord: isWithinWord))
        if !isWithinWord { bytes.append(UInt8(ascii: " ")) }
        bytes += line.text
      }
      lines.drop(count)
      if lines[0] != nil { bytes.append(newline) }
    }
  }

  /// The width that a text was broken at: no line is wider, since none is left whole. An entry of two lines tells no width: that of
  /// the others counts for it.
  private static func fold(of text: ArraySlice<UInt8>) -> Fold? {
    var lines = LineWindow(text)
    var (characters, bytes) = (0, 0)
    while let line = lines[0] {
      (characters, bytes) = (max(characters, line.characters), max(bytes, line.text.count))
      lines.drop(1)
    }
    lines = LineWindow(text)
    while let first = lines[0] {
      if let fold = fold(of: first, &lines), fold == .characters(characters) || fold == .bytes(bytes) { return fold }
      lines.drop(1)
    }
    return nil
  }

  /// The width that an entry was broken at, where two of its lines or more are equally wide, and the next is not wider.
  private static func fold(of first: Line, _ lines: inout LineWindow) -> Fold? {
    guard first.characters >= narrowest, let second = lines[1], second.mayContinue(first), let third = lines[2],
      third.mayContinue(first)
    else { return nil }
    return [.characters(first.characters), .bytes(first.text.count)].first { $0.fills(second) && $0.holds(third) }
  }

  /// How many lines make an entry, and whether they were broken within words.
  private static func entry(
    _ first: Line, _ lines: inout LineWindow, _ fold: Fold?
  ) -> (lines: Int, isWithinWord: Bool) {
    if let fold {
      var (count, last) = (1, first)
      while count < mostLines, fold.fills(last), let line = lines[count], line.mayContinue(first), fold.holds(line) {
        (count, last) = (count + 1, line)
      }
      if count > 1 { return (count, true) }
    }
    var (found, count) = (1, 1)
    var (widest, room, last) = (0, Int.max, first)
    while count < mostLines, let line = lines[count], line.mayContinue(first) {
      widest = max(widest, last.characters)
      room = min(room, last.characters + 1 + line.firstWord)
      guard widest < room else { break }
      count += 1
      if line.characters <= widest, widest >= narrowest, count > 2 || first.isOpen { found = count }
      last = line
    }
    return (found, false)
  }
}

/// The lines of a text from one on; each is looked at a few times and then dropped.
private struct LineWindow {
  private let text: ArraySlice<UInt8>
  private var lines: ArraySlice<Line> = []
  /// Where the first line that was not read yet starts; nil behind the last.
  private var next: Int?
  /// How many marks of a quotation the line before it begins with.
  private var marksBefore = 0

  init(_ text: ArraySlice<UInt8>) {
    self.text = text
    next = text.startIndex
  }

  /// A line, counted from the first that was not dropped; nil behind the last.
  subscript(_ index: Int) -> Line? {
    mutating get {
      while lines.count <= index, let start = next {
        let line = text[start...].prefix { $0 != newline }
        next = line.endIndex < text.endIndex ? line.endIndex + 1 : nil
        let (marks, marksBehind) = (Line.marks(line), next.map { Line.marks(text[$0...]) } ?? 0)
        // A line alone that begins so is not quoted: what was broken does by chance.
        lines.append(Line(line, marks: min(marks, max(marksBefore, marksBehind))))
        marksBefore = marks
      }
      return index < lines.count ? lines[lines.startIndex + index] : nil
    }
  }

  mutating func drop(_ count: Int) { lines = lines.dropFirst(count) }
}

/// A line without its end and the marks of a quotation.
private struct Line {
  let text: ArraySlice<UInt8>
  /// How many characters it has, as far as UTF-8 tells.
  let characters: Int
  /// Whether it is empty, indented, or begins as an entry does: with a date, a time or a known word.
  private let standsForItself: Bool

  private static let starts = [
    "0000-00-00", "0000/00/00", "00:00:", "[", "***", "CoreData: ", "Error Domain=", "error: ", "* ", "- ", "  ", "\t",
  ].map { Array($0.utf8) }

  /// How many marks of a quotation a text begins with.
  static func marks(_ text: ArraySlice<UInt8>) -> Int {
    var (marks, rest) = (0, text)
    while rest.first == UInt8(ascii: ">") {
      let next = rest.dropFirst().first ?? newline
      guard [UInt8(ascii: " "), UInt8(ascii: ">"), newline, 0x0d].contains(next) else { break }
      (marks, rest) = (marks + 1, rest.dropFirst(next == UInt8(ascii: " ") ? 2 : 1))
    }
    return marks
  }

  init(_ line: ArraySlice<UInt8>, marks: Int) {
    var text = line.last == 0x0d ? line.dropLast() : line
    for _ in 0..<marks { text = text.dropFirst(text.dropFirst().first == UInt8(ascii: " ") ? 2 : 1) }
    self.text = text
    characters = text.count { $0 & 0xc0 != 0x80 }
    standsForItself =
      text.isEmpty
      || Self.starts.contains { start in
        text.count >= start.count
          && zip(text, start).allSatisfy { $0 == $1 || ($1 == 0x30 && (0x30...0x39).contains($0)) }
      }
  }

  /// The bytes of its first word.
  var firstWord: Int { text.prefix { $0 != UInt8(ascii: " ") }.count }

  /// Whether a quote, brace or bracket is open at its end.
  var isOpen: Bool {
    var (depth, isQuoted) = (0, false)
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: "{"), UInt8(ascii: "("): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: ")"): depth -= 1
      default: break
      }
    }
    return isQuoted || depth > 0
  }

  /// Whether it may be the rest of an entry with this first line; lines that begin alike are entries of one kind.
  func mayContinue(_ first: Line) -> Bool {
    !standsForItself && !text.prefix(12).elementsEqual(first.text.prefix(12))
  }
}

private let newline = UInt8(ascii: "\n")
