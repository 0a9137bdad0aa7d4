import Foundation
import SwiftDataSource
import TestSupport
import Testing

@testable import SwiftDataLint

/// The Swift that the pages and the examples show compiles as far as SD981 knows: its classes have initialisers.
@Suite struct OwnSourceTests {
  /// A block of a page, or a file, with where it begins.
  private struct Piece {
    let place: String
    let text: String
  }

  /// What shows the mistake itself.
  private static let bad: Set<String> = ["docs/checks/SD981.md"]

  private static func paths(_ folder: String, _ suffix: String) -> [String] {
    let found = (try? FileManager.default.subpathsOfDirectory(atPath: Project.path(folder))) ?? []
    return found.filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }.sorted()
  }

  private static func pieces() throws -> [Piece] {
    let pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] + paths("docs", ".md") + paths("examples", ".md")
    let blocks = try pages.flatMap { page in
      let text = try String(contentsOfFile: Project.path(page), encoding: .utf8)
      return text.matches(of: #/(?s)```swift\n(.*?)\n *```/#).enumerated().map { number, match in
        Piece(place: "\(page), block \(number + 1)", text: String(match.1))
      }
    }
    let files = try (paths("examples", ".swift") + paths("corpus", ".swift")).map { path in
      Piece(place: path, text: try String(contentsOfFile: Project.path(path), encoding: .utf8))
    }
    return blocks + files
  }

  @Test func everyClassHasAnInitializer() throws {
    let pieces = try Self.pieces()
    let models = pieces.filter { $0.text.contains("@Model") }
    #expect(models.count > 40, "\(models.count)")
    for piece in models where !Self.bad.contains(where: piece.place.hasPrefix) {
      #expect(findings(.missingInitializer, piece.text) == [], "\(piece.place)")
    }
    // The search finds what lacks one.
    for page in Self.bad {
      #expect(models.contains { $0.place.hasPrefix(page) && !findings(.missingInitializer, $0.text).isEmpty })
    }
  }
}
