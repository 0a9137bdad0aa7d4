import StorePropertyLists
import Testing

@Suite struct XMLPropertyListTests {
  @Test func readsAListAsXcodeWritesIt() throws {
    let list = try PropertyList(
      Array(
        """
        \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <!-- made by hand -->
        <plist version="1.0">
        <dict>
          <key>_XCCurrentVersionName</key>
          <string>Model 2.xcdatamodel</string>
        </dict>
        </plist>

        """.utf8))
    #expect(list.format == .xml)
    #expect(list.root["_XCCurrentVersionName"]?.string == "Model 2.xcdatamodel")
    #expect(list.root.offset == 189)
  }

  @Test(
    arguments: [
      ("<true/>", .boolean(true)), ("<false></false>", .boolean(false)), ("<true a='>'/>", .boolean(true)),
      ("<integer>42</integer>", .integer(42)), ("<integer> -0x1F </integer>", .integer(-31)),
      ("<integer>+9223372036854775808</integer>", .unsigned(1 << 63)),
      ("<integer>-9223372036854775808</integer>", .integer(.min)),
      ("<real>1.5e3</real>", .real(1_500)), ("<real>-inf</real>", .real(-.infinity)), ("<real>7</real>", .real(7)),
      ("<real>+Infinity</real>", .real(.infinity)),
      ("<date>2001-01-01T00:00:01Z</date>", .date(1)), ("<date>2000-02-29T12:00:00Z</date>", .date(-26_481_600)),
      ("<date>0001-01-01T00:00:00Z</date>", .date(-63_113_904_000)),
      ("<data>\n\tAQID\n\tBA==\n</data>", .data([1, 2, 3, 4])), ("<data>AQI</data>", .data([1, 2])),
      ("<data/>", .data([])),
      ("<string/>", .string("")), ("<string> a </string>", .string(" a ")),
      ("<string>&lt;&amp;&gt;&quot;&apos;&#65;&#x1F600;</string>", .string("<&>\"'A\u{1F600}")),
      ("<string>a<!-- b -->c<![CDATA[<&amp;]]>d</string>", .string("ac<&amp;d")),
      ("<string>1\r\n2\r3\n4&#13;</string>", .string("1\n2\n3\n4\r")),
      ("<array/>", .array([])),
      ("<array> <true/><!-- --><false/> </array>", .array([.boolean(true), .boolean(false)])),
      ("<dict></dict>", .dictionary([:])), ("<dict><key>a</key><true/></dict>", .dictionary(["a": .boolean(true)])),
      ("<dict><key>CF$UID</key><integer>7</integer></dict>", .uid(7)),
      ("<dict><key>CF$UID</key><integer>-7</integer></dict>", .dictionary(["CF$UID": .integer(-7)])),
    ] as [(String, PropertyListValue)])
  func readsEveryElement(text: String, value: PropertyListValue) throws {
    #expect(try PropertyList(xmlList(text)).value() == value)
  }

  @Test func readsWhatIsNotANumber() throws {
    #expect(try PropertyList(xmlList("<real>nan</real>")).root.real?.isNaN == true)
  }

  @Test(arguments: [
    ("", "a <plist> without a value"), ("<true/><true/>", "a second value beside the root"),
    ("text", "expected an element"), ("<array>text</array>", "expected an element"),
    ("<array>", "expected another end tag"), ("<array></dict>", "expected another end tag"),
    ("<dict><true/></dict>", "expected a <key>"), ("<dict><key>a</key></dict>", "a <key> without a value"),
    ("<dict><key>a</key><key>b</key></dict>", "a <key> in the wrong place"),
    ("<key>a</key>", "a <key> in the wrong place"),
    ("<string><true/></string>", "expected </string>"), ("<string>", "expected </string>"),
    ("<true>x</true>", "<true> without a readable value"), ("<integer/>", "<integer> without a readable value"),
    ("<integer>1 2</integer>", "<integer> without a readable value"),
    ("<integer>18446744073709551616</integer>", "<integer> without a readable value"),
    ("<real>0x1p3</real>", "<real> without a readable value"), ("<real>1.5f</real>", "<real> without a readable value"),
    ("<date>2001-02-29T00:00:00Z</date>", "<date> without a readable value"),
    ("<date>2001-01-01</date>", "<date> without a readable value"),
    ("<data>A</data>", "<data> that is not Base64"), ("<data>AQ=I</data>", "<data> that is not Base64"),
    ("<data>A-==</data>", "<data> that is not Base64"), ("<data>AQI==</data>", "<data> that is not Base64"),
    ("<string>&nbsp;</string>", "an unknown entity '&nbsp;'"), ("<string>&#0;</string>", "an unknown entity '&#0;'"),
    ("<string>&#xD800;</string>", "an unknown entity '&#xD800;'"),
    ("<string>&#+1;</string>", "an unknown entity '&#+1;'"),
    ("<string>a & b</string>", "'&' without an entity"),
    ("<string>\u{1}</string>", "a byte that is not UTF-8 text of XML"),
    ("<set/>", "an element 'set', which property lists do not have"), ("<!-- -- -->", "'--' inside a comment"),
    ("<true", "a tag that is not closed"), ("<!DOCTYPE plist><true/>", "a document type in the wrong place"),
  ])
  func refusesWhatIsWrong(text: String, message: String) {
    let error = #expect(throws: PropertyListError.self) { try PropertyList(xmlList(text)) }
    #expect(error?.message == message)
  }

  @Test(arguments: [
    (
      "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><true/></plist>", "declarations inside the document type are refused",
      16
    ),
    (
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist/>", "XML in the encoding 'ISO-8859-1'; only UTF-8 is read",
      0
    ),
    ("<plist><true/></plist><plist/>", "expected nothing after </plist>", 22),
    ("<!-- --><html/>", "an element 'html', which property lists do not have", 8),
    ("<!-- ", "a comment that is not closed", 0),
    ("<?xml ", "a processing instruction that is not closed", 0),
    ("<plist a=\"", "a quotation that is not closed", 0),
  ])
  func refusesDocuments(text: String, message: String, offset: Int) {
    #expect(throws: PropertyListError(message, at: offset)) { try PropertyList(Array(text.utf8)) }
  }

  @Test(arguments: [
    [0x80], [0xc0, 0xaf], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82],
    [0xef, 0xbf, 0xbf],
  ])
  func refusesBytesThatAreNotUTF8(bytes: [UInt8]) {
    let list = Array("<plist><string>".utf8) + bytes + Array("</string></plist>".utf8)
    #expect(throws: PropertyListError("a byte that is not UTF-8 text of XML", at: 15)) { try PropertyList(list) }
  }

  @Test func readsBackWhatItWrites() throws {
    #expect(try PropertyList(everything.xmlPropertyList()).value() == everything)
    let lines: PropertyListValue = .string("a\r\nb\rc")
    #expect(try PropertyList(lines.xmlPropertyList()).value() == lines)
  }

  @Test(
    arguments: [
      (0, "2001-01-01T00:00:00Z"), (-0.5, "2000-12-31T23:59:59Z"), (86_399.9, "2001-01-01T23:59:59Z"),
      (-63_113_904_001, "0000-12-31T23:59:59Z"), (-63_145_526_400 - 31_536_000, "-0001-01-01T00:00:00Z"),
      (252_423_993_599, "9999-12-31T23:59:59Z"), (252_423_993_600, "10000-01-01T00:00:00Z"),
      (.nan, "2001-01-01T00:00:00Z"),
    ] as [(Double, String)])
  func writesDates(seconds: Double, text: String) {
    let list = String(decoding: PropertyListValue.date(seconds).xmlPropertyList(), as: UTF8.self)
    #expect(list.contains("<date>\(text)</date>"), "\(list)")
  }

  @Test func readsBackDaysOfEightHundredYears() throws {
    let days: PropertyListValue = .array(stride(from: -146_097, to: 146_097, by: 11).map { .date($0 * 86_400 + 1) })
    #expect(try PropertyList(days.xmlPropertyList()).value() == days)
  }

  @Test func writesDatesThatAreOutOfTheWorld() {
    for seconds in [Double.infinity, -.infinity, 1e300, -.greatestFiniteMagnitude] {
      #expect(!PropertyListValue.date(seconds).xmlPropertyList().isEmpty)
    }
  }

  @Test func saysWhatXMLCannot() throws {
    let value: PropertyListValue = .array([.null, .set([.integer(1)]), .string("a\u{0}b"), .uid(9)])
    let read = try PropertyList(value.xmlPropertyList()).value()
    #expect(read == .array([.string("$null"), .array([.integer(1)]), .string("a\u{fffd}b"), .uid(9)]))
  }
}
