import StoreDataModel
import Testing

/// What each element and attribute of Xcode's `contents` file becomes, and its default.
@Suite struct XcodeReadingTests {
  private func read(_ inside: String) throws -> XcodeModel {
    try XcodeModel(Array("<model>\(inside)</model>".utf8))
  }

  private func property(_ element: String) throws -> Property {
    let model = try read(
      """
      <entity name="E">\(element)<relationship name="back" maxCount="1" destinationEntity="E"/></entity>
      <composite name="Point"><attribute name="x" attributeType="Double"/></composite>
      """
    ).model
    return try #require(model.entity(named: "E")?.properties.first { $0.name == "p" })
  }

  private func attribute(_ fields: String, _ inside: String = "") throws -> Attribute {
    try #require(property("<attribute name='p' \(fields)>\(inside)</attribute>").attribute)
  }

  private func relationship(_ fields: String) throws -> Relationship {
    try #require(property("<relationship name='p' destinationEntity='E' \(fields)/>").relationship)
  }

  @Test func givesEntitiesTheirDefaults() throws {
    let entity = try #require(read("<entity name='E'/>").model.entity(named: "E"))
    #expect(entity == Entity(name: "E"))
  }

  @Test func readsWhatAnEntitySays() throws {
    let entity = try #require(
      read(
        """
        <entity name="E" parentEntity="P" isAbstract="YES" representedClassName=".Thing" versionHashModifier="m"
          elementID="Old" renamingIdentifier="Older" syncable="YES" codeGenerationType="class">
          <fetchIndex name="byDate">
            <fetchIndexElement property="d" type="Binary" order="descending"/>
            <fetchIndexElement property="x" type="RTree" order="ascending"/>
          </fetchIndex>
          <compoundIndexes><compoundIndex><index value="d"/><index value="x"/></compoundIndex></compoundIndexes>
          <uniquenessConstraints>
            <uniquenessConstraint><constraint value="x"/><constraint value="d"/></uniquenessConstraint>
            <uniquenessConstraint><constraint value="d"/></uniquenessConstraint>
            <uniquenessConstraint/>
          </uniquenessConstraints>
          <userInfo><entry key="k" value="v"/></userInfo>
        </entity>
        <entity name="P"/>
        """
      ).model.entity(named: "E"))
    var expected = Entity(
      name: "E", parent: "P", isAbstract: true, className: ".Thing", uniquenessConstraints: [["x", "d"], ["d"]],
      compoundIndexes: [["d", "x"]], versionHashModifier: "m", renamingIdentifier: "Old")
    expected.indexes = [
      FetchIndex(name: "byDate", elements: [.init("d", isAscending: false), .init("x", kind: .rTree)])
    ]
    #expect(entity == expected)
    #expect(entity.userInfo == ["k": "v"])
    #expect(entity.sourceFields == ["syncable": "YES", "codeGenerationType": "class"])
  }

  @Test func givesAttributesTheirDefaults() throws {
    #expect(
      try property("<attribute name='p'/>") == Property(name: "p", kind: .attribute(Attribute(type: .undefined))))
  }

  @Test(arguments: [
    "Undefined", "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "String", "Boolean", "Date",
    "Binary", "UUID", "URI", "Transformable",
  ])
  func knowsTheType(_ name: String) throws {
    #expect(try attribute("attributeType='\(name)'").type.name == name)
  }

  @Test func readsMarksOfProperties() throws {
    let property = try property(
      "<attribute name='p' optional='YES' transient='YES' versionHashModifier='m' renamingIdentifier='q'/>")
    #expect(property.isOptional && property.isTransient && !property.isReadOnly)
    #expect(property.versionHashModifier == "m" && property.renamingIdentifier == "q")
    for (fields, identifier) in [
      ("elementID='q'", "q"), ("elementID='q' renamingIdentifier='r'", "q"),
      ("elementID='' renamingIdentifier='r'", "r"),
      ("elementID='p' renamingIdentifier='r'", nil),
    ] {
      let attribute = try self.property("<attribute name='p' \(fields)/>")
      #expect(attribute.renamingIdentifier == identifier, "\(fields)")
      let link = try self.property("<relationship name='p' destinationEntity='E' \(fields)/>")
      #expect(link.renamingIdentifier == identifier, "\(fields)")
    }
    let plain = try self.property("<attribute name='p' optional='NO' versionHashModifier='' renamingIdentifier='p'/>")
    #expect(!plain.isOptional && plain.versionHashModifier == nil && plain.renamingIdentifier == nil)
  }

  @Test func readsWhatAnAttributeSays() throws {
    let attribute = try attribute(
      """
      attributeType='Binary' allowsExternalBinaryDataStorage='YES' preserveAfterDeletion='YES' indexed='YES'
      customClassName='Clock' valueTransformerName='T'
      """,
      "<userInfo><entry key='_NSLocationAttributeDerivedComponents' value='latitude, longitude'/></userInfo>")
    #expect(
      attribute
        == Attribute(
          type: .binary, allowsExternalStorage: true, preservesValueInHistory: true, isIndexed: true,
          valueClassName: "Clock", valueTransformerName: "T", locationComponents: ["latitude", "longitude"]))
  }

  @Test(arguments: [
    ("primaryLabel.code", "primaryLabel.code", true), ("pages.@count", "count:(pages)", true),
    (" pages.@count ", "count:(pages)", true), ("größe", "größe", true),
    ("lines.price.@sum", "sum:(lines.price)", false), ("canonical:(name)", "canonical:(name)", false),
    ("now()", "now()", true), ("a + b", "a + b", false), ("lines.@sum.price", "lines.@sum.price", false),
    ("SELF", "SELF", false), ("@count", "@count", false), ("f(a, b)", "f(a, b)", false), ("1a", "1a", false),
  ])
  func hashesTheDerivation(_ text: String, _ hashed: String, isProven: Bool) throws {
    let field = "attributeType='String' derived='YES' derivationExpression='\(text)'"
    let property = try property("<attribute name='p' \(field)/>")
    #expect(property.isReadOnly)
    #expect(property.attribute?.derivation?.expression.description == hashed)
    let rules = try Model(entities: [Entity(name: "E", properties: [property])]).unprovenRules(of: "E")
    #expect(rules == (isProven ? [] : [.derivationText]))
  }

  @Test func leavesOutADerivationThatIsSwitchedOff() throws {
    #expect(try attribute("attributeType='String' derivationExpression='a.b'").derivation == nil)
  }

  @Test(arguments: [
    ("Integer 16", "7", DefaultValue.integer(7)), ("Integer 64", "-9223372036854775808", .integer(.min)),
    ("Integer 32", "7.0", .integer(7)), ("Integer 32", "NO", .integer(0)), ("Integer 16", "YES", .integer(1)),
    ("Double", "0.5", .real(0.5)), ("Float", "2", .real(2)),
    ("Decimal", "12.50", .decimal("12.5")), ("Decimal", "0.0", .decimal("0")), ("Decimal", "-1e3", .decimal("-1000")),
    ("Decimal", "0.0250", .decimal("0.025")), ("Decimal", "+007", .decimal("7")), ("Double", "3e-300", .real(3e-300)),
    ("Date", "2001-01-01 00:00:00 +0000", .date(0)), ("Date", "2014-02-28 13:30:00 +0100", .date(415_283_400)),
    ("Date", "1582-10-15 00:00:00 +0000", .date(-13_197_600_000)), ("Boolean", "YES", .boolean(true)),
    ("Boolean", "0", .boolean(false)),
    ("String", "", .string("")), ("String", "a &amp;&#10;b", .string("a &\nb")), ("URI", "a:b", .uri("a:b")),
    ("UUID", "00010203-0405-0607-0809-0a0B0c0D0e0F", .uuid(Array(0...15))),
  ])
  func typesTheDefault(_ type: String, _ text: String, _ value: DefaultValue) throws {
    #expect(try attribute("attributeType='\(type)' defaultValueString='\(text)'").defaultValue == value)
  }

  @Test func readsTheDefaultOfADate() throws {
    #expect(try attribute("attributeType='Date' defaultDateTimeInterval='-1.5'").defaultValue == .date(-1.5))
  }

  @Test(arguments: [
    ("Integer 16", "many"), ("Integer 64", "1e300"), ("Boolean", "maybe"), ("UUID", "1234"), ("Double", "nan"),
    ("Decimal", "one"), ("Binary", "00"), ("Integer 16", "32768"), ("Integer 32", "7.5"), ("Integer 64", ""),
    ("Double", "0x10"), ("Decimal", "1,5"), ("Decimal", "1e200"), ("Date", "today"),
    ("Date", "2014-02-29 00:00:00 +0000"),
    ("URI", ""), ("Boolean", "2"),
  ])
  func keepsAndListsADefaultOfAnotherType(_ type: String, _ text: String) throws {
    let xcode = try read(
      "<entity name='E'><attribute name='p' attributeType='\(type)' defaultValueString='\(text)'/></entity>")
    let property = try #require(xcode.model.property("p", of: "E"))
    #expect(property.attribute?.defaultValue == .unreadable(text))
    #expect(property.sourceFields == [:])
    // It goes back into the XML as it was.
    let written = XcodeModelWriter(xcode.model)
    #expect(
      written.lost == []
        && written.text.contains("default\(type == "Date" ? "DateTimeInterval" : "ValueString")=\"\(text)\""))
    #expect(xcode.unknown.map(\.item) == [.value(attribute: "defaultValueString", text)])
    #expect(xcode.unknown.map(\.place) == ["E.p"])
  }

  @Test(arguments: [
    ("Integer 16", "minValueString='1' maxValueString='8.0'", "SELF >= 1 & SELF <= 8"),
    ("Double", "minValueString='1' maxValueString='2.5'", "SELF >= 1.0 & SELF <= 2.5"),
    ("Decimal", "minValueString='1' maxValueString='2.5'", "SELF >= 1 & SELF <= 2.5"),
    (
      "Date", "minDateTimeInterval='0' maxDateTimeInterval='9'",
      #"SELF >= CAST(0.0, "NSDate") & SELF <= CAST(9.0, "NSDate")"#
    ),
    (
      "String", "minValueString='3' maxValueString='50' regularExpressionString='[a-z]+'",
      #"length >= 3 & length <= 50 & SELF MATCHES "[a-z]+""#
    ),
  ])
  func makesPredicatesOfBounds(_ type: String, _ fields: String, _ expected: String) throws {
    let attribute = try attribute("attributeType='\(type)' \(fields)")
    #expect(attribute.validationPredicates.map(\.description).joined(separator: " & ") == expected)
    #expect(attribute.validationTexts == nil)
  }

  @Test(arguments: [("Boolean", "1"), ("Integer 16", "0.5"), ("Decimal", "0.10"), ("Double", "inf")])
  func keepsABoundThatIsNoNumberOfTheTypeAsText(_ type: String, _ text: String) throws {
    let attribute = try attribute("attributeType='\(type)' minValueString='\(text)'")
    #expect(attribute.validationPredicates == [])
    #expect(attribute.validationTexts == ValidationTexts(minimum: text))
  }

  @Test(
    arguments: [
      ("", 0, 1), ("toMany='YES'", 0, 0), ("minCount='1'", 1, 1), ("toMany='YES' maxCount='-1'", 0, -1),
      ("toMany='YES' minCount='2' maxCount='10000'", 2, 10000), ("optional='NO' maxCount='1'", 0, 1),
    ] as [(String, Int32, Int32)])
  func countsARelationship(_ fields: String, _ minimum: Int32, _ maximum: Int32) throws {
    let relationship = try relationship(fields)
    #expect(relationship.minimumCount == minimum)
    #expect(relationship.maximumCount == maximum)
    #expect(!relationship.isOrdered && relationship.inverse == nil)
  }

  @Test(arguments: [
    ("", Relationship.DeleteRule.nullify), ("deletionRule='Nullify'", .nullify), ("deletionRule='Cascade'", .cascade),
    ("deletionRule='Deny'", .deny), ("deletionRule='No Action'", .noAction),
  ])
  func knowsTheDeleteRule(_ fields: String, _ rule: Relationship.DeleteRule) throws {
    #expect(try relationship(fields).deleteRule == rule)
  }

  @Test func readsAnInverseAndAnOrder() throws {
    let relationship = try relationship("toMany='YES' ordered='YES' inverseName='p' inverseEntity='E'")
    #expect(relationship.inverse == "p" && relationship.isOrdered)
  }

  @Test func readsAFetchedProperty() throws {
    let property = try property(
      """
      <fetchedProperty name="p" optional="YES">
        <fetchRequest name="fetchedPropertyFetchRequest" entity="E" predicateString="a == $FETCH_SOURCE.b"/>
      </fetchedProperty>
      """)
    #expect(
      property
        == Property(
          name: "p", isOptional: true, isTransient: true, isReadOnly: true,
          kind: .fetched(FetchedProperty(entityName: "E", predicate: .text("a == $FETCH_SOURCE.b")))))
  }

  @Test func readsCompositesInComposites() throws {
    let model = try read(
      """
      <entity name="E"><attribute name="p" attributeType="Composite" composite="Outer"/></entity>
      <composite name="Inner"><attribute name="x" attributeType="Double"/></composite>
      <composite name="Outer">
        <attribute name="a" optional="YES" attributeType="Composite" composite="Inner"/>
        <attribute name="b" attributeType="String"/>
      </composite>
      """
    ).model
    let x = Property(name: "x", kind: .attribute(Attribute(type: .double)))
    let a = Property(name: "a", isOptional: true, kind: .attribute(Attribute(type: .composite, elements: [x])))
    let b = Property(name: "b", kind: .attribute(Attribute(type: .string)))
    #expect(model.property("p", of: "E")?.attribute?.elements == [a, b])
  }

  @Test func readsWhatIsBesideTheEntities() throws {
    let xcode = try XcodeModel(
      Array(
        """
        <model userDefinedModelVersionIdentifier="7" lastSavedToolsVersion="20086">
          <entity name="E"/>
          <fetchRequest name="all" entity="E" predicateString="TRUEPREDICATE"/>
          <configuration name="Cloud" usedWithCloudKit="YES"><memberEntity name="E"/></configuration>
        </model>
        """.utf8))
    #expect(xcode.model.versionIdentifiers == ["7"])
    #expect(xcode.model.configurations == ["Cloud": ["E"]])
    #expect(xcode.model.fetchRequests == [FetchRequest(name: "all", entityName: "E", predicate: .constant(true))])
    #expect(xcode.sourceFields == ["lastSavedToolsVersion": "20086"])
    #expect(xcode.unknown == [])
    #expect(try read("").model.versionIdentifiers == [])
  }

  @Test func listsAndKeepsWhatItDoesNotKnow() throws {
    let xcode = try read(
      """
      <entity name="E" sparkle="9"><attribute name="p" attributeType="String" glow="YES"><halo/></attribute></entity>
      <relationship name="r" destinationEntity="E" deletionRule="Explode"/>
      <galaxy/>
      """)
    #expect(
      xcode.unknown.map(\.description) == [
        "'E' has an unknown attribute 'sparkle' (line 1, column 8)",
        "'E.p' has an unknown attribute 'glow' (line 1, column 37)",
        "'E.p' has an unknown element 'halo' (line 1, column 91)",
        "the model has an unknown element 'relationship' (line 2, column 1)",
        "the model has an unknown element 'galaxy' (line 3, column 1)",
      ])
    #expect(xcode.model.entity(named: "E")?.sourceFields == ["sparkle": "9"])
    #expect(xcode.model.property("p", of: "E")?.sourceFields == ["glow": "YES"])
  }

  /// It is not known how Core Data sorts names outside ASCII, so the hash is marked.
  @Test func readsNamesOutsideASCII() throws {
    let contents = """
      <model><entity name="Straße"><attribute name="名前" attributeType="String"/>
      <attribute name="&#x1F600;" attributeType="String"/></entity></model>
      """
    for bytes in [Array(contents.utf8), utf16(contents)] {
      let model = try XcodeModel(bytes).model
      #expect(model.entity(named: "Straße")?.properties.map(\.name) == ["名前", "😀"])
      #expect(model.unprovenRules(of: "Straße") == [.nonASCIIName])
    }
  }

  private func utf16(_ text: String) -> [UInt8] {
    [0xFF, 0xFE] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
  }
}
