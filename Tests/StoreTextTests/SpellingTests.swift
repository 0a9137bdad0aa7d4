import Foundation
import StoreText
import TestSupport
import Testing

/// UUIDs and base64, against Foundation's.
@Suite struct SpellingTests {
  @Test func writesAndReadsUUIDsAsFoundationDoes() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<500 {
      let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      let text = UUIDText.text(bytes)
      let theirs = try #require(UUID(uuidString: text))
      #expect(theirs.uuidString == text && UUIDText.bytes(text) == bytes)
      #expect(UUIDText.bytes(text.lowercased()) == bytes)
      let bare = text.replacing("-", with: "")
      #expect(UUIDText.bytes(bare) == nil && UUIDText.bytes(bare, mayLackHyphens: true) == bytes)
    }
  }

  @Test(arguments: [
    "", "E621E1F8-C36C-495A-93FC-0C247A3E6E5", "E621E1F8-C36C-495A-93FC-0C247A3E6E5FF",
    "E621E1F8C-36C-495A-93FC-0C247A3E6E5F",
    "G621E1F8-C36C-495A-93FC-0C247A3E6E5F", "{621E1F8-C36C-495A-93FC-0C247A3E6E5F}",
    "-----------------------------------",
    "１621E1F8-C36C-495A-93FC-0C247A3E6",
  ])
  func readsNoOtherUUIDs(_ text: String) { #expect(UUIDText.bytes(text, mayLackHyphens: true) == nil) }

  @Test func fewerThanSixteenBytesAreWrittenAsTheyAre() { #expect(UUIDText.text([1, 2, 3, 4, 5]) == "01020304-05") }

  @Test func writesAndReadsBase64AsFoundationDoes() {
    var random = SeededGenerator(seed: 2)
    for length in 0..<200 {
      let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      let text = base64(bytes)
      #expect(text == Data(bytes).base64EncodedString())
      #expect(decoded(base64: Array(text.utf8)[...]) == bytes && Base64.decode(text) == bytes)
      let spaced = text.map { String($0) }.joined(separator: "\n ")
      #expect(Base64.decode(spaced) == bytes && (length == 0 || decoded(base64: Array(spaced.utf8)[...]) == nil))
      #expect(Base64.decode(text.replacing("=", with: "")) == bytes)
    }
  }

  @Test(arguments: ["A", "AQ=I", "A-==", "AQI==", "=", "====", "AA=A", "A==="])
  func readsNoOtherBase64(_ text: String) {
    #expect(Base64.decode(text) == nil && decoded(base64: Array(text.utf8)[...]) == nil)
  }
}
