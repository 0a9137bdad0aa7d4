import StoreText

/// The functions that the Swift of a recipe calls: for each one of the expression language, with the same meaning for nil
/// and the same errors. Only those that are used are written.
struct StageSupport {
  private var used: Set<String> = []
  let isSwiftData: Bool

  init(isSwiftData: Bool) { self.isSwiftData = isSwiftData }

  /// The name of the enum that holds the functions.
  static let namespace = "StageValue"

  /// Notes a function as used, with those that it uses, and gives the name it is called by.
  mutating func call(_ name: String) -> String {
    if used.insert(name).inserted {
      for piece in pieces where piece.name == name { for need in piece.needs { _ = call(need) } }
    }
    return "\(Self.namespace).\(name)"
  }

  /// The functions in use, as lines.
  var lines: [String] {
    let wanted = pieces.filter { used.contains($0.name) }
    guard !wanted.isEmpty else { return [] }
    var lines = [
      "", "/// What the stages call: the expression language of recipes, where nil stands for NULL.",
      "private enum \(Self.namespace) {",
    ]
    for (position, piece) in wanted.enumerated() {
      if position > 0 { lines.append("") }
      lines += piece.text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  " + $0 }
    }
    return lines + ["}"]
  }

  struct Piece {
    var name: String
    var needs: [String]
    var text: String

    init(_ name: String, _ needs: [String] = [], _ text: String) {
      (self.name, self.needs, self.text) = (name, needs, text)
    }
  }

  private var pieces: [Piece] { (isSwiftData ? Self.swiftData : Self.coreData) + Self.values }

  private static let swiftData = pieces(in: "StageValue+SwiftData.swift")
  private static let coreData = pieces(in: "StageValue+CoreData.swift")
  private static let values = pieces(in: "StageValue.swift")

  /// The pieces of a file of `StoreStageFunctions`: each begins with a comment, "piece: key; needs Failure", and ends before
  /// an empty line and the next one, or the brace that closes the enum.
  static func pieces(in file: String) -> [Piece] {
    let mark = "// piece: "
    var pieces: [Piece] = []
    var indentation = 0
    for line in (embeddedSwift[file] ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
      if let heading = line.firstRange(of: mark) {
        let words = line[heading.upperBound...].split { ",; ".contains($0) }.map(String.init)
        indentation = line.utf8.distance(from: line.startIndex, to: heading.lowerBound)
        pieces.append(Piece(words.first ?? "", Array(words.dropFirst(2)), ""))
      } else if let last = pieces.indices.last {
        if line.utf8.count < indentation, !line.isEmpty { break }
        if !line.contains("// swift-format-ignore") { pieces[last].text += line.dropFirst(indentation) + "\n" }
      }
    }
    for place in pieces.indices {
      while pieces[place].text.last == "\n" { pieces[place].text.removeLast() }
    }
    return pieces
  }
}
