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

  // MARK: Types

  /// Fragments that show what the compiler refuses, with a part of what it says.
  private static let refused = [
    "docs/checks/SD963.md, bad": "circular reference", "docs/checks/SD989.md, bad": "redeclaration",
    // A path of a file.
    "docs/checks/SD996.md, good": "store",
  ]

  /// The bad and the good part of each page of a check are what the compiler takes.
  @Test(.enabled(if: SwiftCompiler.isPresent)) func whatPagesShowTypeChecks() throws {
    var fragments: [(place: String, text: String)] = []
    for page in Self.paths("docs/checks", ".md") {
      let text = try String(contentsOfFile: Project.path(page), encoding: .utf8)
      for match in text.matches(of: #/(?s)```swift\n\/\/ bad\n(.*?)\n\/\/ good\n(.*?)\n *```/#) {
        fragments += [("\(page), bad", String(match.1)), ("\(page), good", String(match.2))]
      }
    }
    #expect(fragments.count > 130, "\(fragments.count)")
    let complaints = try FragmentStandIns.complaints(about: fragments).filter { complaint in
      !Self.refused.contains { complaint.hasPrefix($0.key) && complaint.contains($0.value) }
    }
    #expect(complaints == [])
    // The check finds what is wrong.
    #expect(
      try FragmentStandIns.complaints(about: [("here", "var count: Int = \"one\"\n@Attribute(.uniq) var id = 1")]).count
        == 2)
  }

  /// The Swift of each example is a module that the compiler takes.
  @Test(.enabled(if: SwiftCompiler.isPresent)) func examplesTypeCheck() throws {
    let files = Self.paths("examples", ".swift") + Self.paths("corpus", ".swift")
    var checked: Set<[String]> = []
    for (_, paths) in Dictionary(grouping: files, by: { $0.split(separator: "/").dropLast().joined(separator: "/") }) {
      let texts = try paths.sorted().map { try String(contentsOfFile: Project.path($0), encoding: .utf8) }
      // Of an app with Core Data, whose stand-ins are those of its tests.
      if texts.contains(where: { $0.contains("import CoreData") }) { continue }
      // Many examples have the same app.
      guard checked.insert(texts).inserted else { continue }
      #expect(try FragmentStandIns.complaints(aboutFiles: texts) == "", "\(paths)")
    }
    #expect(checked.count >= 3, "\(checked.count)")
  }
}
