import Testing

@testable import StoreReports

/// Numbers as `xsd:decimal` is written: without an exponent, and the same number when read again.
@Suite struct DecimalTests {
  @Test(arguments: [
    0, -0.0, 1, -1, 0.1, 1.5e-7, -2.5e-300, .leastNonzeroMagnitude, 1.23e25, 1e16, 9_007_199_254_740_994, 123_456.789,
    .greatestFiniteMagnitude, -1.7976931348623157e+308, 700_100_000.5, 1e-5, 12345e-9,
  ]) func isReadAgainAsItself(_ number: Double) throws {
    let text = try #require(decimal(number))
    #expect(Double(text) == number, "\(text)")
    #expect(text.allSatisfy { $0 == "-" || $0 == "." || $0.isNumber } && text.count { $0 == "." } == 1)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity]) func whatIsNoNumberHasNone(_ number: Double) {
    #expect(decimal(number) == nil)
  }
}
