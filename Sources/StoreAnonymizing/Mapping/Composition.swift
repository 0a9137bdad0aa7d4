/// Letters with marks that are one character.
final class Composition: @unchecked Sendable {
  static let shared = Composition()

  /// A small letter with marks as one character, and its capital.
  struct Composed {
    let small: UInt32
    let upper: UInt32?
  }

  private let parts: [UInt32: (letter: UInt32, marks: UInt16)]
  private let whole: [UInt64: Composed]

  /// The number of marks that no other letter has: one that has them stays as it is.
  static let fixed = UInt16.max

  // Made once and never changed.
  private init() {
    var parts: [UInt32: (letter: UInt32, marks: UInt16)] = [:]
    var whole: [UInt64: Composed] = [:]
    for (row, number) in zip(Self.table, 0 as UInt16..<Self.fixed) {
      for pair in row.letters.unicodeScalars.split(separator: " ") {
        guard let letter = pair.first?.value, let found = pair.dropFirst().first else { continue }
        let capital = Alphabets.simpleCapital(found)
        parts[found.value] = (letter, number)
        if let capital { parts[capital.value] = (letter, number) }
        whole[Self.key(letter, number)] = Composed(small: found.value, upper: capital?.value)
      }
    }
    (self.parts, self.whole) = (parts, whole)
  }

  private static func key(_ letter: UInt32, _ marks: UInt16) -> UInt64 { UInt64(letter) << 16 | UInt64(marks) }

  /// The small letter and the number of the marks that a character consists of; nil for others.
  func decomposed(_ value: UInt32) -> (letter: UInt32, marks: UInt16)? { parts[value] }

  /// The character for a small letter with these marks; nil where there is none.
  func composed(_ letter: UInt32, _ marks: UInt16) -> Composed? { whole[Self.key(letter, marks)] }

  /// Marks, and letters of the Latin, Greek and Cyrillic alphabets that are one character with all of them: each letter with what it
  /// becomes. To find them among all characters takes about as long as all else does of a small store.
  ///
  /// The canonical compositions of the Unicode Character Database, which a test compares it with.
  static let table: [(marks: String, letters: String)] = [
    ("\u{300}", "aà eè iì nǹ oò uù wẁ yỳ αὰ εὲ ηὴ ιὶ οὸ υὺ ωὼ еѐ иѝ"),
    ("\u{300}\u{31b}", "oờ uừ"),
    ("\u{300}\u{345}", "αᾲ ηῂ ωῲ"),
    ("\u{301}", "aá cć eé gǵ ií kḱ lĺ mḿ nń oó pṕ rŕ sś uú wẃ yý zź αά εέ ηή ιί οό υύ ωώ гѓ кќ æǽ øǿ"),
    ("\u{301}\u{307}", "sṥ"),
    ("\u{301}\u{31b}", "oớ uứ"),
    ("\u{301}\u{327}", "cḉ"),
    ("\u{301}\u{345}", "αᾴ ηῄ ωῴ"),
    ("\u{302}", "aâ cĉ eê gĝ hĥ iî jĵ oô sŝ uû wŵ yŷ zẑ"),
    ("\u{302}\u{300}", "aầ eề oồ"),
    ("\u{302}\u{301}", "aấ eế oố"),
    ("\u{302}\u{303}", "aẫ eễ oỗ"),
    ("\u{302}\u{309}", "aẩ eể oổ"),
    ("\u{302}\u{323}", "aậ eệ oộ"),
    ("\u{303}", "aã eẽ iĩ nñ oõ uũ vṽ yỹ"),
    ("\u{303}\u{301}", "oṍ uṹ"),
    ("\u{303}\u{304}", "oȭ"),
    ("\u{303}\u{308}", "oṏ"),
    ("\u{303}\u{31b}", "oỡ uữ"),
    ("\u{304}", "aā eē gḡ iī oō uū yȳ αᾱ ιῑ υῡ иӣ уӯ æǣ"),
    ("\u{304}\u{300}", "eḕ oṑ"),
    ("\u{304}\u{301}", "eḗ oṓ"),
    ("\u{304}\u{308}", "uṻ"),
    ("\u{304}\u{328}", "oǭ"),
    ("\u{306}", "aă eĕ gğ iĭ oŏ uŭ αᾰ ιῐ υῠ аӑ еӗ жӂ ий уў"),
    ("\u{306}\u{300}", "aằ"),
    ("\u{306}\u{301}", "aắ"),
    ("\u{306}\u{303}", "aẵ"),
    ("\u{306}\u{309}", "aẳ"),
    ("\u{306}\u{323}", "aặ"),
    ("\u{306}\u{327}", "eḝ"),
    ("\u{307}", "aȧ bḃ cċ dḋ eė fḟ gġ hḣ mṁ nṅ oȯ pṗ rṙ sṡ tṫ wẇ xẋ yẏ zż"),
    ("\u{307}\u{304}", "aǡ oȱ"),
    ("\u{307}\u{323}", "sṩ"),
    ("\u{308}", "aä eë hḧ iï oö tẗ uü wẅ xẍ yÿ ιϊ υϋ аӓ её жӝ зӟ иӥ оӧ уӱ чӵ ыӹ эӭ"),
    ("\u{308}\u{300}", "uǜ ιῒ υῢ"),
    ("\u{308}\u{304}", "aǟ oȫ uǖ"),
    ("\u{308}\u{30c}", "uǚ"),
    ("\u{308}\u{342}", "ιῗ υῧ"),
    ("\u{309}", "aả eẻ iỉ oỏ uủ yỷ"),
    ("\u{309}\u{31b}", "oở uử"),
    ("\u{30a}", "aå uů wẘ yẙ"),
    ("\u{30a}\u{301}", "aǻ"),
    ("\u{30b}", "oő uű уӳ"),
    ("\u{30c}", "aǎ cč dď eě gǧ hȟ iǐ jǰ kǩ lľ nň oǒ rř sš tť uǔ zž"),
    ("\u{30c}\u{307}", "sṧ"),
    ("\u{30f}", "aȁ eȅ iȉ oȍ rȑ uȕ"),
    ("\u{311}", "aȃ eȇ iȋ oȏ rȓ uȗ"),
    ("\u{313}", "αἀ εἐ ηἠ ιἰ οὀ ρῤ υὐ ωὠ"),
    ("\u{313}\u{300}", "αἂ εἒ ηἢ ιἲ οὂ υὒ ωὢ"),
    ("\u{313}\u{300}\u{345}", "αᾂ ηᾒ ωᾢ"),
    ("\u{313}\u{301}", "αἄ εἔ ηἤ ιἴ οὄ υὔ ωὤ"),
    ("\u{313}\u{301}\u{345}", "αᾄ ηᾔ ωᾤ"),
    ("\u{313}\u{342}", "αἆ ηἦ ιἶ υὖ ωὦ"),
    ("\u{313}\u{342}\u{345}", "αᾆ ηᾖ ωᾦ"),
    ("\u{313}\u{345}", "αᾀ ηᾐ ωᾠ"),
    ("\u{314}", "αἁ εἑ ηἡ ιἱ οὁ ρῥ υὑ ωὡ"),
    ("\u{314}\u{300}", "αἃ εἓ ηἣ ιἳ οὃ υὓ ωὣ"),
    ("\u{314}\u{300}\u{345}", "αᾃ ηᾓ ωᾣ"),
    ("\u{314}\u{301}", "αἅ εἕ ηἥ ιἵ οὅ υὕ ωὥ"),
    ("\u{314}\u{301}\u{345}", "αᾅ ηᾕ ωᾥ"),
    ("\u{314}\u{342}", "αἇ ηἧ ιἷ υὗ ωὧ"),
    ("\u{314}\u{342}\u{345}", "αᾇ ηᾗ ωᾧ"),
    ("\u{314}\u{345}", "αᾁ ηᾑ ωᾡ"),
    ("\u{31b}", "oơ uư"),
    ("\u{31b}\u{323}", "oợ uự"),
    ("\u{323}", "aạ bḅ dḍ eẹ hḥ iị kḳ lḷ mṃ nṇ oọ rṛ sṣ tṭ uụ vṿ wẉ yỵ zẓ"),
    ("\u{323}\u{304}", "lḹ rṝ"),
    ("\u{324}", "uṳ"),
    ("\u{325}", "aḁ"),
    ("\u{326}", "sș tț"),
    ("\u{327}", "cç dḑ eȩ gģ hḩ kķ lļ nņ rŗ sş tţ"),
    ("\u{328}", "aą eę iį oǫ uų"),
    ("\u{32d}", "dḓ eḙ lḽ nṋ tṱ uṷ"),
    ("\u{32e}", "hḫ"),
    ("\u{330}", "eḛ iḭ uṵ"),
    ("\u{331}", "bḇ dḏ hẖ kḵ lḻ nṉ rṟ tṯ zẕ"),
    ("\u{342}", "αᾶ ηῆ ιῖ υῦ ωῶ"),
    ("\u{342}\u{345}", "αᾷ ηῇ ωῷ"),
    ("\u{344}", "iḯ uǘ ιΐ υΰ"),
    ("\u{345}", "αᾳ ηῃ ωῳ"),
  ]
}
