import Testing

@testable import StoreCoreData

/// Orders that were measured in real steps between versions (`docs/format/store-layout.md` §8).
@Suite struct ToManyOrderTests {
  private static let highlights = [
    "assets", "childDayGroupPhotosHighlights", "childPhotosHighlights", "dayGroupAssets", "dayGroupExtendedAssets",
    "dayGroupSummaryAssets", "extendedAssets", "moments", "summaryAssets",
  ]

  /// Nine relationships that are the same in two versions changed their places when the table grew.
  @Test func aLargerTableHasAnotherOrder() {
    func order(_ properties: Int) -> [String] {
      ToManyOrder(Self.highlights, properties: properties).names { _ in true }
    }
    let before = order(71)
    #expect(
      before == [
        "childPhotosHighlights", "summaryAssets", "assets", "dayGroupSummaryAssets", "moments", "extendedAssets",
        "dayGroupExtendedAssets", "dayGroupAssets", "childDayGroupPhotosHighlights",
      ])
    #expect(order(82) == before)
    #expect(order(83) == [6, 4, 2, 0, 8, 7, 5, 3, 1].map { before[$0] })
  }

  @Test func allNamesHaveAPlace() {
    let names = (0..<20_000).map { "relationship\($0)" }
    let order = ToManyOrder(names, properties: names.count).names { _ in true }
    #expect(order.count == names.count)
    #expect(Set(order) == Set(names))
  }
}
