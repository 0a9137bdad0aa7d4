import StorePropertyLists
import StoreSQLite
import TestSupport

/// Fills notes and attachments with values that are rare.
struct UnusualValues {
  private let seed: UInt64

  init(_ seed: UInt64) { self.seed = seed }

  private static let scripts = [
    "abcdefghijklmnopqrstuvwxyz", "ABCDEFGH ijk 0123456789", "äöüßéèçñÅØæœﬁﬀ", "αβγδεζηθΣςΆ", "привет МИР ёй",
    "שלום עולם ־", "مرحبا بالعالم",
    "日本語かなカナがぎぐ", "한국어문장입니다", "नमस्ते दुनिया", "👩‍👩‍👧‍👦❤️😀😁🇩🇪👍🏽", "𝒜𝒷𝒸 𐐷𐐨", "e\u{301}o\u{308}\u{323}", "\u{200f}abc\u{202e}def",
    "{\"a\": [true, 12.5, null]}",
    "a\tb\nc\r\n", "--- *** ###",
  ]

  func fill(_ connection: Connection) throws {
    var random = SeededGenerator(seed: seed)
    func text() -> String {
      let letters = Array(Self.scripts.randomElement(using: &random).map { $0.unicodeScalars.map(\.self) } ?? [])
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        if let letter = letters.randomElement(using: &random) { text.append(letter) }
      }
      return String(text)
    }
    for key in 1...18 as ClosedRange<Int64> {
      let row = try connection.prepare("UPDATE ZNOTE SET ZTITLE = ?, ZBODY = ?, ZCREATEDAT = ? WHERE Z_PK = ?")
      try row.bind(text(), at: 1)
      try row.bind(text() + text(), at: 2)
      let dates: [Double] = [
        -63_114_076_800, 63_113_904_000, -62_135_769_600 - 978_307_200, 252_423_993_599, 0.5, 700_000_000.25, 1e12,
      ]
      try row.bind(dates.randomElement(using: &random), at: 3)
      try row.bind(key, at: 4)
      _ = try row.step()
    }
    for key in 1...4 as ClosedRange<Int64> {
      let inner = PropertyListValue.dictionary(["name": .string(text()), "when": .date(1), "count": .integer(.max)])
      let values: [[UInt8]] = [
        PropertyListValue.array([.string(text()), .data(inner.binaryPropertyList())]).binaryPropertyList(),
        inner.xmlPropertyList(), Array("{\"text\": \"\(key) words of JSON\", \"list\": [false, -0.5e3]}".utf8),
        Array(text().utf8),
        Array("bplist00 is not one".utf8), (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }, [0xff],
        [],
      ]
      let row = try connection.prepare("UPDATE ZATTACHMENT SET ZDATA = ?, ZFILENAME = ? WHERE Z_PK = ?")
      // An attribute with external storage: its value follows the byte 1.
      try row.bind([1] + (values.randomElement(using: &random) ?? []), at: 1)
      try row.bind(text(), at: 2)
      try row.bind(key, at: 3)
      _ = try row.step()
    }
  }
}
