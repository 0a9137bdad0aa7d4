import Foundation
@testable import StoreText
import TestSupport
import Testing

/// Foundation's regular expressions are ICU's, as those of Core Data and `NSPredicate` are.
@Suite struct PatternOracleTests {
  /// 10,000 patterns with ten texts each; 100,000 pairs and more where nothing is refused.
  @Test func agreesWithFoundation() throws {
    var tally = Tally()
    for seed in LongRuns.seeds(300, whole: 14_000) { try compare(seed, &tally) }
    print("patterns: \(tally.pairs) pairs compared, \(tally.matches) of them match; refused: \(tally.refusedInWords)")
    #expect(tally.matches > tally.pairs / 4 && tally.matches < tally.pairs * 3 / 4)
    if LongRuns.areWanted { #expect(tally.pairs >= 100_000) }
  }

  private struct Tally {
    var pairs = 0
    var matches = 0
    /// What ICU accepts and is refused here, by construct.
    var refused: [String: Int] = [:]

    var refusedInWords: String {
      refused.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) of \($0.key)" }.joined(
        separator: ", ")
    }
  }

  private func compare(_ seed: UInt64, _ tally: inout Tally) throws {
    var maker = RandomPattern(SeededGenerator(seed: seed))
    let text = maker.pattern()
    let isPattern = (try? NSRegularExpression(pattern: text)) != nil
    let ours: TextPattern
    do throws(PatternError) { ours = try TextPattern(text) } catch {
      if isPattern { tally.refused[error.reason.noun, default: 0] += 1 }
      return
    }
    #expect(isPattern, "seed \(seed): Foundation refuses \(text.debugDescription)")
    guard isPattern, let theirs = try? NSRegularExpression(pattern: "\\A(?:\(text))\\z") else { return }
    for _ in 0..<10 {
      let example = ours.text { Int.random(in: 0..<$0, using: &maker.random) }
      let candidate = maker.text(like: example)
      let range = NSRange(location: 0, length: candidate.utf16.count)
      let expected = theirs.firstMatch(in: candidate, range: range) != nil
      tally.pairs += 1
      tally.matches += expected ? 1 : 0
      #expect(
        ours.matches(candidate) == expected,
        "seed \(seed): \(text.debugDescription) and \(candidate.debugDescription)")
    }
  }

  /// Every scalar by itself, against classes and with the flag `i`.
  @Test(arguments: [
    "\\w", "\\d", "\\s", "\\h", "\\v", ".", "\\p{L}", "\\p{Lu}", "(?i)\\p{Lu}", "(?i)\\P{Ll}", "(?i)[\\P{Lu}&&\\p{Ll}]",
    "[[:punct:]]", "[[:alpha:]]", "[[:graph:]]", "[[:print:]]", "[[:xdigit:]]", "[[:blank:]]", "[[:cntrl:]]",
    "[[:alnum:]]",
    "(?i)[a-zß-ÿσ]", "(?i)k", "(?i)σ", "(?i)ﬆ", "\\p{Cf}|\\p{M}|\\p{N}|\\p{S}|\\p{Z}", "\\b.\\b", "\\B.\\B",
  ])
  func knowsEveryScalar(_ text: String) throws {
    let ours = try TextPattern(text)
    let theirs = try NSRegularExpression(pattern: "\\A(?:\(text))\\z")
    var wrong: [String] = []
    for value in UInt32(0)...0x10FFFF where LongRuns.areWanted || value < 0x600 || value % 211 == 0 {
      // Foundation's ICU knows Unicode 15.1; what was assigned later is something else to it.
      guard let scalar = Unicode.Scalar(value), scalar.isOlderThanUnicode16 else { continue }
      let candidate = String(scalar)
      let range = NSRange(location: 0, length: candidate.utf16.count)
      let expected = theirs.firstMatch(in: candidate, range: range) != nil
      if ours.matches(candidate) != expected { wrong.append(String(value, radix: 16)) }
    }
    #expect(wrong.isEmpty, "\(text): \(wrong.count) scalars: \(wrong.prefix(40))")
  }
}

extension Unicode.Scalar {
  /// And so are those that it is in other cases; U+0295 was a lower-case letter until then.
  fileprivate var isOlderThanUnicode16: Bool {
    value != 0x295
      && CaseFolding.equivalents(of: value).allSatisfy { value in
        Unicode.Scalar(value)?.properties.age.map { $0.major < 16 } ?? true
      }
  }
}
