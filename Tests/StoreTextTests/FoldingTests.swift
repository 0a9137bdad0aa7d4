import Foundation
@testable import StoreText
import Testing

/// Folding, against Foundation's for every scalar.
@Suite struct FoldingTests {
  private static let scalars = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init)

  @Test func decomposesAsFoundationDoes() {
    var wrong: [String] = []
    for scalar in Self.scalars where scalar.value < 0x30000 {
      // With marks of two classes behind it, which have to be sorted.
      let text = String(scalar) + "\u{301}\u{327}\u{5B0}"
      if !Decomposition.scalars(of: text).elementsEqual(text.decomposedStringWithCanonicalMapping.unicodeScalars),
        scalar.properties.age.map({ $0.major < 16 }) ?? true
      {
        wrong.append(String(scalar.value, radix: 16))
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(40))")
  }

  @Test func foldsCaseAsFoundationDoes() {
    var wrong: [String] = []
    for scalar in Self.scalars {
      let text = String(scalar)
      let theirs = text.folding(options: .caseInsensitive, locale: nil)
      // Both ways: what Foundation makes of it is equal here, and what is made of it here is folded there.
      let ours = String(
        String.UnicodeScalarView(CaseFolding.folded(scalar.value).scalars.compactMap(Unicode.Scalar.init)))
      if TextFolding.folded(theirs, options: .caseInsensitive) != TextFolding.folded(text, options: .caseInsensitive)
        || TextFolding.folded(ours, options: .caseInsensitive) != TextFolding.folded(text, options: .caseInsensitive)
      {
        wrong.append(String(scalar.value, radix: 16))
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(40))")
  }

  /// Foundation takes diacritics from letters of Latin, Greek and Cyrillic, as here; where it differs, it leaves the scalar
  /// as it is, as it does marks without a letter, and `docs/predicates.md` says so.
  @Test func leavesOutDiacriticsAsFoundationDoes() {
    var (same, whole, wrong) = (0, 0, [String]())
    for scalar in Self.scalars {
      let text = String(scalar)
      let ours = TextFolding.folded(text, options: .diacriticInsensitive)
      let theirs = text.folding(options: .diacriticInsensitive, locale: nil).decomposedStringWithCanonicalMapping
      if ours == theirs.unicodeScalars.map(\.value) || (0xAC00...0xD7A3).contains(scalar.value) {
        same += 1
      } else if theirs.unicodeScalars.elementsEqual(text.decomposedStringWithCanonicalMapping.unicodeScalars)
        || ours.isEmpty
      {
        whole += 1
      } else {
        wrong.append(String(scalar.value, radix: 16))
      }
    }
    print("diacritics: \(same) scalars as in Foundation, \(whole) that it leaves whole")
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(40))")
    #expect(whole < 1_300)
    for scalar in Self.scalars where scalar.value < 0x530 && !(0x300...0x36F).contains(scalar.value) {
      let text = String(scalar)
      let theirs = text.folding(options: .diacriticInsensitive, locale: nil)
      if (0x483...0x487).contains(scalar.value) { continue }
      #expect(TextFolding.folded(text, options: .diacriticInsensitive) == theirs.unicodeScalars.map(\.value), "\(text)")
    }
  }

  @Test func equivalentsAreComplete() {
    var byFolding: [FoldedScalar: [UInt32]] = [:]
    for scalar in Self.scalars { byFolding[CaseFolding.folded(scalar.value), default: []].append(scalar.value) }
    for scalar in Self.scalars where scalar.properties.isCased || scalar.properties.changesWhenCaseMapped {
      #expect(
        CaseFolding.equivalents(of: scalar.value).sorted() == byFolding[CaseFolding.folded(scalar.value)]?.sorted(),
        "\(String(scalar.value, radix: 16))")
    }
  }

  @Test func foldsTheKeysOfDuplicatesInTheSameWay() {
    for scalar in Self.scalars {
      let text = "a" + String(scalar)
      #expect(text.casefolded.unicodeScalars.dropFirst().map(\.value) == CaseFolding.folded(scalar.value).scalars)
    }
    #expect("Straße".casefolded == "STRASSE".casefolded && "ı".casefolded != "I".casefolded)
  }
}
