import StoreDataModel
import StoreGenerator
import TestSupport
import Testing

@Suite struct XcodeModelWriterTests {
  private func lost(_ entities: [Entity], _ requests: [FetchRequest] = []) throws -> [String] {
    XcodeModelWriter(try Model(entities: entities, fetchRequests: requests)).lost.map(\.description)
  }

  private func lost(_ properties: Property...) throws -> [String] {
    try lost([Entity(name: "E", properties: properties)])
  }

  @Test func writesAsXcodeDoes() throws {
    var title = Property.attribute("title", .string, optional: false) {
      $0.defaultValue = .string("<\"a\" & 'b'>\n\t\r")
    }
    title.renamingIdentifier = "t1"
    var note = Entity(
      name: "Note", className: "Note",
      properties: [
        title, .attribute("count", .integer16) { $0.validationPredicates = [atLeast(1)] },
        .toOne("folder", "Folder", inverse: "notes"),
      ], uniquenessConstraints: [["title", "count"]])
    note.userInfo = ["k": "v"]
    note.indexes = [
      FetchIndex(
        name: "byTitle", elements: [.init("title", isAscending: false), .init("SELF", expression: .evaluatedObject)])
    ]
    let unit = Property.attribute("unit", .composite) { $0.elements = [.attribute("unit", .string)] }
    let folder = Entity(
      name: "Folder", isAbstract: true, properties: [.toMany("notes", "Note", inverse: "folder"), unit])
    let written = XcodeModelWriter(
      try Model(entities: [note, folder], configurations: ["C": ["Note"]], versionIdentifiers: ["2"]),
      fields: ["lastSavedToolsVersion": "20086"])
    #expect(written.lost == [])
    #expect(
      written.text == """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model documentVersion="1.0" lastSavedToolsVersion="20086" minimumToolsVersion="Automatic" \
        sourceLanguage="Swift" type="com.apple.IDECoreDataModeler.DataModel" userDefinedModelVersionIdentifier="2">
            <entity name="Folder" isAbstract="YES">
                <attribute name="unit" optional="YES" attributeType="Composite" composite="Unit"/>
                <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Note" inverseName="folder" inverseEntity="Note"/>
            </entity>
            <entity name="Note" representedClassName="Note">
                <attribute name="count" optional="YES" attributeType="Integer 16" minValueString="1"/>
                <attribute name="title" attributeType="String" \
        defaultValueString="&lt;&quot;a&quot; &amp; 'b'&gt;&#10;&#9;&#13;" elementID="t1"/>
                <relationship name="folder" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Folder" inverseName="notes" inverseEntity="Folder"/>
                <fetchIndex name="byTitle">
                    <fetchIndexElement property="title" type="Binary" order="descending"/>
                    <fetchIndexElement expression="SELF" type="Binary" order="ascending"/>
                </fetchIndex>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="title"/>
                        <constraint value="count"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
                <userInfo>
                    <entry key="k" value="v"/>
                </userInfo>
            </entity>
            <configuration name="C">
                <memberEntity name="Note"/>
            </configuration>
            <composite name="Unit">
                <attribute name="unit" optional="YES" attributeType="String"/>
            </composite>
        </model>

        """)
  }

  private func atLeast(_ value: Int64) -> Predicate {
    .comparison(.init(.evaluatedObject, .greaterThanOrEqual, .constant(.integer(value))))
  }

  // MARK: What is lost

  @Test(arguments: [
    (DefaultValue.data([1, 2]), AttributeType.binary, "2 bytes"),
    (.object(className: "Cover"), .transformable, "which is of class 'Cover'"),
    (.real(.infinity), .double, "the number inf"),
    (.integer(1), .double, "the whole number 1"), (.uri(""), .uri, "a URI"),
    (.decimal("many"), .decimal, "the decimal number many"),
    (.uuid([1]), .uuid, "a UUID"), (.date(0), .string, "a date"),
  ])
  func listsADefaultThatHasNoText(_ value: DefaultValue, _ type: AttributeType, _ what: String) throws {
    #expect(try lost(.attribute("p", type) { $0.defaultValue = value }) == ["E.p: the default value, \(what)"])
  }

  @Test func listsRulesAndFormsThatHaveNoText() throws {
    let rule = Predicate.comparison(.init(.evaluatedObject, .contains, .constant(.string("a"))))
    #expect(
      try lost(.attribute("p", .string) { $0.validationPredicates = [rule, atLeast(3)] }) == [
        "E.p: the validation rule 'SELF >= 3'", #"E.p: the validation rule 'SELF CONTAINS "a"'"#,
      ])
    var derived = Property.attribute("p", .string) {
      $0.derivation = Derivation(expression: .path(of: .variable("X"), "a"), filter: .constant(true))
    }
    derived.isReadOnly = true
    #expect(
      try lost(derived) == [
        "E: its version hash; the entity that is written has another",
        "E.p: the filter 'TRUEPREDICATE' of the derivation", "E.p: the form of the expression '$X.a', kept as text",
      ])
    let predicate = Predicate.comparison(.init(.keyPath("a"), .equal, .constant(.integer(1))))
    #expect(
      try lost([Entity(name: "E")], [FetchRequest(name: "all", predicate: predicate)]) == [
        "all: the form of the predicate 'a == 1', kept as text"
      ])
  }

  @Test func listsWhatIndexesLose() throws {
    var entity = Entity(name: "E", properties: [.attribute("p", .string)])
    entity.indexes = [
      FetchIndex(
        name: "i", elements: [.init("expression3", expression: .evaluatedObject)], partialPredicate: .constant(true))
    ]
    #expect(
      try lost([entity]) == [
        "E.i: the index's predicate 'TRUEPREDICATE', as it is not known how Xcode spells it",
        "E.i: the name 'expression3' of the expression 'SELF'",
      ])
  }

  @Test func listsMarksAndTypesXcodeDoesNotHave() throws {
    #expect(
      try lost(.attribute("p", AttributeType(rawValue: 1234))) == [
        "E: its version hash; the entity that is written has another",
        "E.p: the type 1234, for which Xcode has no name",
      ])
    #expect(
      try lost(Property(name: "p", isReadOnly: true, kind: .attribute(Attribute(type: .string)))) == [
        "E: its version hash; the entity that is written has another", "E.p: the read-only mark",
      ])
    #expect(
      try lost(.attribute("p", .composite)) == [
        "E: its version hash; the entity that is written has another",
        "E.p: that the composite has no list of elements",
      ])
  }

  @Test func listsCharactersThatXMLForbids() throws {
    let written = XcodeModelWriter(
      try Model(entities: [Entity(name: "A\u{1}", properties: [.toOne("x", "A\u{1}")]), Entity(name: "B")]))
    #expect(written.text.contains("destinationEntity=\"A\u{FFFD}\""))
    #expect(
      written.lost.map(\.description) == [
        "characters that XML cannot hold; each is U+FFFD now",
        "A\u{1}: a part of it, such as an empty text, comes back differently",
        "A\u{1}: its version hash; the entity that is written has another",
      ])
  }

  /// Reading the text back notices losses that no rule of the writer foresees.
  @Test func listsWhatComesBackDifferently() throws {
    let odd = Entity(name: "E", className: "", uniquenessConstraints: [[]])
    #expect(
      try lost([odd]) == [
        "E: an empty list among its uniquenessConstraints", "E: that its class name is an empty text",
      ])
    #expect(
      try lost([Entity(name: "E", renamingIdentifier: "")]) == [
        "E: a part of it, such as an empty text, comes back differently"
      ]
    )
    #expect(try lost([Entity(name: "")]).first?.hasPrefix("all of it: the document cannot be read back") == true)
    var entity = Entity(name: "E")
    entity.sourceFields = ["a b": "1"]
    #expect(try lost([entity]) == ["E: the field 'a b', which is no XML name"])
    let several = XcodeModelWriter(try Model(entities: [], versionIdentifiers: ["1", "2"])).lost
    #expect(several.map(\.description) == ["version identifiers but the first: 2"])
  }

  /// With every kind of value, the text can be read, and each difference is listed.
  @Test func listsEveryPlaceThatComesBackDifferently() throws {
    let model = try EveryValue.model()
    let written = XcodeModelWriter(model)
    let read = try XcodeModel(Array(written.text.utf8)).model
    let places = Set(written.lost.map(\.place))
    for property in try #require(model.entity(named: "E")).properties
    where read.property(property.name, of: "E") != property {
      #expect(places.contains("E.\(property.name)"))
    }
    #expect(places.isSuperset(of: ["", "E", "E.i", "all", "E.all", "E.d0", "E.d12"]))
  }
}
