@testable import StoreModels
import Foundation
import StoreSwiftDataSchemas
import TestSupport
import Testing

@Suite struct TypeAnnotationTests {
  @Test(
    arguments: [
      ("var price: Money? = nil", "Money?"), ("var price :[ Money ] // of all", "[Money]"),
      ("@Attribute(.unique) var price: Swift.Array<Money>; var b: Int", "Swift.Array<Money>"),
      ("var price: Money { willSet {} }", "Money"), ("var price: Money }", "Money"),
      // A type on the next line is not found.
      ("var price:\n  Money", nil), ("var price: [\nMoney]", nil), ("var price = Money()", nil),
      ("var price, cost: Money", nil), ("var price: (Int, Int)", nil), ("var price: Pair<Int, Int>", nil),
      ("var prices: Money", nil), ("var price", nil),
    ] as [(String, String?)])
  func isWhatStandsBehindTheName(line: String, type: String?) throws {
    let folder = try TemporaryFolder()
    let text = "// é\n" + line
    let file = try folder.write(Array(text.utf8), to: "Models.swift")
    let start = try #require(text.range(of: "price")?.lowerBound)
    let place = SourcePlace(
      file: file, line: 2, column: 1, offset: text.utf8.distance(from: text.startIndex, to: start), length: 5)
    #expect(typeAnnotation(of: "price", at: place) == type)
  }

  @Test func aPlaceThatIsNotThereHasNone() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Array("var price: Money".utf8), to: "Models.swift")
    for (path, offset) in [(file, -1), (file, 16), (file, .max), (file, 5), (folder("None.swift"), 4)] {
      let place = SourcePlace(file: path, line: 1, column: 1, offset: offset, length: 5)
      #expect(typeAnnotation(of: "price", at: place) == nil)
    }
  }
}
