import StoreDataModel
import Testing

/// Documents that are no models, or that are made to harm.
@Suite struct XcodeHostileTests {
  private func message(_ contents: String) -> String {
    message(Array(contents.utf8))
  }

  private func message(_ bytes: [UInt8]) -> String {
    do {
      _ = try XcodeModel(bytes)
      return "no error"
    } catch {
      return error.description
    }
  }

  @Test(arguments: [
    "<!DOCTYPE model><model/>", "<!DOCTYPE model SYSTEM 'file:///etc/passwd'><model/>",
    "<!DOCTYPE m [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><model>&a;</model>",
    "<!DOCTYPE m [<!ENTITY % a SYSTEM 'http://127.0.0.1/'> %a;]><model/>",
    "<!DOCTYPE m [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;&b;'>]>"
      + "<model>&c;</model>",
  ])
  func refusesADocumentType(_ contents: String) {
    #expect(message(contents).hasSuffix("a document type (<!DOCTYPE>), which no model needs"))
    #expect(message(contents).hasPrefix("line 1, column "))
  }

  @Test(arguments: [
    ("", "line 1, column 1: no element found"), ("<model>", "line 1, column 8: no element found"),
    ("<model/><model/>", "line 1, column 9: junk after document element"),
    ("<model>\n<entity></model>", "line 2, column 11: mismatched tag"),
    ("<model a='1' a='2'/>", "line 1, column 14: duplicate attribute"),
    ("<model>&lol;</model>", "line 1, column 8: undefined entity"),
    ("<model>\0</model>", "line 1, column 8: not well-formed (invalid token)"),
    ("<model a='&#0;'/>", "line 1, column 11: reference to invalid character number"),
    ("<?xml version='1.0' encoding='EBCDIC-X'?><model/>", "line 1, column 31: unknown encoding"),
    ("<?xml version='1.0' encoding='UTF-16'?><model/>", "line 1, column 31: encoding specified in XML declaration"),
    ("bplist00", "line 1, column 1: syntax error"),
  ])
  func saysWhereTheXMLIsBroken(_ contents: String, _ expected: String) {
    #expect(message(contents).hasPrefix(expected), "\(message(contents))")
  }

  @Test func refusesBytesThatAreNotInTheirEncoding() {
    #expect(message(Array("<model a='".utf8) + [0xFF, 0xFE] + Array("'/>".utf8)).contains("not well-formed"))
    // Latin-1 that is declared as such can be read.
    let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><model><entity name='".utf8) + [0xE4]
    #expect(throws: Never.self) { try XcodeModel(latin + Array("'/></model>".utf8)) }
  }

  @Test func stopsAtItsLimits() {
    let deep = String(repeating: "<a>", count: 100_000)
    #expect(message("<model>" + deep) == "line 1, column 197: elements nested deeper than 64")
    let attributes = (0..<200).map { "a\($0)=''" }.joined(separator: " ")
    #expect(message("<model \(attributes)/>").hasSuffix("an element with more than 128 attributes"))
    let many = String(repeating: "<a/>", count: 500_001)
    #expect(message("<model>\(many)</model>").hasSuffix("more than 500000 elements"))
    let text = String(repeating: "text", count: 4 << 20) + "s"
    #expect(message("<model>\(text)</model>").hasSuffix("more than 16777216 bytes of text"))
    #expect(message([UInt8](repeating: 32, count: (64 << 20) + 1)).hasSuffix("more than the limit of 67108864"))
  }

  /// One name of 20 MB: expat before 2.6 would take hours for it if it came in pieces.
  @Test func readsALongNameInOneGo() {
    #expect(message("<model><entity name='" + String(repeating: "x", count: 20 << 20)).hasSuffix("unclosed token"))
  }

  @Test(arguments: [
    ("<plist/>", "line 1, column 1: the document holds <plist>, not <model>"),
    ("<model><entity/></model>", "line 1, column 8: <entity> without 'name'"),
    ("<model>\n <entity name='A' parentEntity='B'/></model>", "line 2, column 2: parent entity 'B' of 'A' is not"),
    ("<model><entity name='A'/><entity name='A'/></model>", "line 1, column 26: entity 'A' occurs twice"),
    (
      "<model><entity name='A'><attribute name='x' attributeType='Integer 8'/></entity></model>",
      "line 1, column 25: A.x: an attribute of unknown type 'Integer 8'"
    ),
    (
      "<model><entity name='A'><attribute name='x' optional='perhaps'/></entity></model>",
      "line 1, column 25: A.x: 'optional' is 'perhaps', neither YES nor NO"
    ),
    (
      "<model><entity name='A'><attribute name='x' derived='YES'/></entity></model>",
      "line 1, column 25: A.x: a derived attribute without 'derivationExpression'"
    ),
    (
      "<model><entity name='A'><relationship name='x' destinationEntity='A' maxCount='4294967296'/></entity></model>",
      "line 1, column 25: A.x: 'maxCount' is '4294967296', which is no count"
    ),
    (
      "<model><entity name='A'><attribute name='x' attributeType='Composite' composite='C'/></entity></model>",
      "line 1, column 25: A.x: composite 'C' is not in the model"
    ),
    (
      """
      <model><composite name='C'><attribute name='c' attributeType='Composite' composite='C'/></composite>
      <entity name='A'><attribute name='x' attributeType='Composite' composite='C'/></entity></model>
      """, "line 1, column 28: A.x.c: composite 'C' contains itself"
    ),
    ("<model><composite name='C'/><composite name='C'/></model>", "line 1, column 29: composite 'C' occurs twice"),
  ])
  func saysWhereTheModelIsWrong(_ contents: String, _ expected: String) {
    #expect(message(contents).hasPrefix(expected), "\(message(contents))")
  }

  /// Released apps contain such models, and their stores have the hashes of these models.
  @Test(arguments: [
    ("<relationship name='x'/>", "'A.x' has no destination entity"),
    ("<relationship name='x' destinationEntity='B'/>", "destination entity 'B' of 'A.x' is not in the model"),
    (
      "<relationship name='x' destinationEntity='A' inverseName='y'/>",
      "inverse 'y' of 'A.x' is not a relationship of 'A'"
    ),
    (
      "<relationship name='x' destinationEntity='A' inverseName='y'/><relationship name='y' destinationEntity='A'/>",
      "inverse of 'A.x' is 'A.y', whose inverse is not stated"
    ),
  ])
  func takesAModelWhoseRelationshipsLeadNowhere(_ relationships: String, _ fault: String) throws {
    let model = try XcodeModel(Array("<model><entity name='A'>\(relationships)</entity></model>".utf8)).model
    #expect(model.faults.map(\.description) == [fault])
  }

  /// Forty composites, each of which contains the next one twice, would have 2⁴⁰ elements.
  @Test func refusesCompositesThatMultiply() {
    let composites = (0..<40).map { level in
      let next = "attributeType='Composite' composite='C\(level + 1)'"
      return "<composite name='C\(level)'><attribute name='a' \(next)/><attribute name='b' \(next)/></composite>"
    }
    let contents = """
      <model>\(composites.joined())<composite name='C40'><attribute name='x'/></composite>
      <entity name='A'><attribute name='x' attributeType='Composite' composite='C0'/></entity></model>
      """
    #expect(message(contents).hasSuffix("composites expand beyond all bounds"))
  }

  @Test func listsNoMoreUnknownThingsThanAPersonCanRead() throws {
    let many = String(repeating: "<a/>", count: 20_000)
    #expect(try XcodeModel(Array("<model>\(many)</model>".utf8)).unknown.count == XcodeModel.maximumUnknown)
  }
}
