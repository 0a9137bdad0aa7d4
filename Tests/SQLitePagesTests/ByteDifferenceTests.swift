import TestSupport
import Testing

/// The message of a failing comparison of pages.
@Suite struct ByteDifferenceTests {
  @Test func saysWhereBytesDifferAndShowsBothSides() {
    let page = [UInt8](repeating: 7, count: 4096)
    var other = page
    other[100] = 0xd
    #expect(byteDifference(page, from: page) == nil)
    #expect(byteDifference(other, from: page, shown: 3) == "at byte 100 of 4096 and 4096: 0d 07 07, expected 07 07 07")
    #expect(byteDifference([1], from: [1, 2]) == "at byte 1 of 1 and 2: nothing, expected 02")
  }
}
