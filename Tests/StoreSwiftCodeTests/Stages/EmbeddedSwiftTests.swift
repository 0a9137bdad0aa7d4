import Foundation
import TestSupport
import Testing

@testable import StoreSwiftCode

/// The functions that stages contain are those of `StoreStageFunctions`.
@Suite struct EmbeddedSwiftTests {
  @Test func embeddedTextIsThatOfTheFiles() throws {
    let folder = Project.path("Sources/StoreStageFunctions")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
    #expect(Set(files) == Set(embeddedSwift.keys), "run make docs")
    for file in files {
      let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      #expect(embeddedSwift[file].map { $0 + "\n" } == text, "\(file) was changed: run make docs")
    }
  }

  /// Every function is in a piece of its own name, and names the pieces that it calls.
  @Test func piecesNameWhatTheyNeed() {
    let values = StageSupport.pieces(in: "StageValue.swift")
    #expect(values.count > 40)
    for file in ["StageValue+CoreData.swift", "StageValue+SwiftData.swift"] {
      let pieces = StageSupport.pieces(in: file) + values
      let names = Set(pieces.map(\.name))
      for piece in pieces {
        let words = Set(piece.text.split { !($0.isLetter || $0.isNumber) }.map(String.init))
        #expect(words.contains(piece.name), "\(file): \(piece.name)")
        #expect(names.isSuperset(of: piece.needs), "\(file): \(piece.name)")
      }
    }
  }
}
