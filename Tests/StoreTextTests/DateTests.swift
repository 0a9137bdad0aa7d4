import Foundation
@testable import StoreText
import TestSupport
import Testing

/// One writer and one reader of dates, whatever the number.
@Suite struct DateTests {
  @Test(
    arguments: [
      (0, "2001-01-01T00:00:00Z"), (-1, "2000-12-31T23:59:59Z"), (-0.5, "2000-12-31T23:59:59Z"),
      (-63_113_904_000, "0001-01-01T00:00:00Z"), (-63_114_249_600, "0000-12-28T00:00:00Z"),
      (-63_145_526_400, "0000-01-01T00:00:00Z"), (-63_145_526_401, "-0001-12-31T23:59:59Z"),
      (252_423_993_599, "9999-12-31T23:59:59Z"), (252_423_993_600, "+10000-01-01T00:00:00Z"),
      (253_402_300_799, "+10030-12-31T23:59:59Z"), (.infinity, nil), (.nan, nil), (1e14, nil),
      (-9.9e13, "-3135177-03-24T03:12:00Z"),
    ] as [(Double, String?)])
  func writesYearsWithFourDigitsOrASign(_ seconds: Double, _ text: String?) {
    guard let text else { return #expect(DateText.text(secondsSince2001: seconds) == nil) }
    if abs(seconds) < 9e13 { #expect(DateText.text(secondsSince2001: seconds) == text) }
    // Of 64 bits nothing is lost that the calendar has.
    let written = DateText.text(secondsSince2001: seconds) ?? ""
    #expect(DateReading.seconds(written) == seconds.rounded(.down), "\(written)")
  }

  @Test(
    arguments: [
      ("2026-03-01", 794_016_000, 86_400), ("2026-03-01T12:30", 794_061_000, 60), ("2026-03-01 12:30", 794_061_000, 60),
      ("2026-03-01T12:30:00", 794_061_000, 1), ("2026-03-01 12:30:00Z", 794_061_000, 1),
      ("2026-03-01T12:30:00.5Z", 794_061_000.5, 0), ("2026-03-01T12:30:00.250+02:00", 794_053_800.25, 0),
      ("2026-03-01T12:30-0330", 794_073_600, 60), ("2026-03-01 12:30:00 +0100", 794_057_400, 1),
      ("+2026-03-01", 794_016_000, 86_400), ("0000-12-30T00:00:00Z", -63_114_076_800, 1),
      ("-0001-01-01", -63_177_062_400, 86_400), ("+10031-01-01", 253_402_300_800, 86_400),
      ("10031-01-01", 253_402_300_800, 86_400),
    ] as [(String, Double, Double)])
  func readsWhatAPersonWrites(_ text: String, _ seconds: Double, _ length: Double) throws {
    let reading = try #require(DateReading(text))
    #expect(reading.seconds == seconds && reading.length == length, "\(reading)")
  }

  @Test(arguments: [
    "", "2026", "2026-3-1", "2026-02-29", "2026-13-01", "2026-00-01", "2026-01-00", "26-01-01", "2026-01-01T",
    "2026-01-01T24:00", "2026-01-01T12", "2026-01-01T12:60", "2026-01-01T12:00:60", "2026-01-01T12:00:00.",
    "2026-01-01T12:00:00.0123456789", "2026-01-01T12:00X", "2026-01-01T12:00+25:00", "2026-01-01Z",
    "2026-01-01T12:00ZZ",
    "yesterday", "--2026-01-01", "2026-01-01T12:00:00,5", "1234567890-01-01", "２０２６-01-01",
  ])
  func readsNothingElse(_ text: String) { #expect(DateReading(text) == nil) }

  @Test func everyStyleReadsBack() throws {
    var random = SeededGenerator(seed: 20_260_301)
    for _ in 0..<20_000 {
      let range = 9.0e13 / pow(10, Double.random(in: 0...8, using: &random))
      let seconds = Double.random(in: -range...range, using: &random)
      let whole = try #require(DateText.text(secondsSince2001: seconds))
      #expect(DateReading.seconds(whole) == seconds.rounded(.down), "\(seconds) \(whole)")
      let thousandths = try #require(DateText.text(secondsSince2001: seconds, fraction: .milliseconds))
      #expect(
        abs((DateReading.seconds(thousandths) ?? .nan) - seconds) <= 0.001 + seconds.ulp, "\(seconds) \(thousandths)")
    }
  }

  /// Foundation's calendar is the Gregorian one from 1582 on.
  @Test func agreesWithFoundation() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<5_000 {
      let seconds = Double(Int64.random(in: -13_200_000_000...252_423_993_599, using: &random))
      let theirs = Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
      #expect(DateText.text(secondsSince2001: seconds) == theirs)
      #expect(DateText.day(secondsSince2001: seconds) == String(theirs.prefix(10)))
    }
  }

  @Test func writesPartsOfSeconds() {
    #expect(DateText.text(nanosecondsSince1970: -1) == "1969-12-31T23:59:59.999999999Z")
    #expect(DateText.text(nanosecondsSince1970: .min) == "1677-09-21T00:12:43.145224192Z")
    #expect(DateText.compact(secondsSince1970: 1_783_851_300) == "20260712T101500Z")
    #expect(
      DateText.text(secondsSince1970: 0, fraction: 42, places: 6, zone: "+00:00") == "1970-01-01T00:00:00.000042+00:00")
    #expect(DateText.text(secondsSince1970: .max).hasPrefix("+3168"))
    #expect(DateText.text(secondsSince2001: 0.125, fraction: .milliseconds) == "2001-01-01T00:00:00.125Z")
    #expect(DateText.text(secondsSince2001: 0.1, fraction: .whole) == "2001-01-01T00:00:00.1Z")
  }
}
