import StoreDataModel
import StoreScanning
import StoreText
import StoreWriting

extension SampleLeaf {
  /// Values at the bounds of the type and of the model's rules, and those that programs often get wrong.
  func edgeValues(_ random: inout SampleRandom) -> [StoredValue] {
    switch attribute.type {
    case .integer16: whole(Int64(Int16.min), to: Int64(Int16.max))
    case .integer32: whole(Int64(Int32.min), to: Int64(Int32.max))
    case .integer64: whole(.min, to: .max)
    case .boolean: [.integer(0), .integer(1)]
    case .decimal:
      [.integer(0), .integer(-1), .real(0.01), .integer(.max), .integer(.min), .real(-99_999_999.99), .real(1e38)]
        + bounds.map { Int64(exactly: $0).map(StoredValue.integer) ?? .real($0) }
    case .double:
      ([
        0, -0.5, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0.1,
        9_007_199_254_740_992,
      ]
        + bounds).map(StoredValue.real)
    case .float:
      ([0, -0.5, Float.leastNormalMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0.1].map(Double.init)
        + bounds).map(StoredValue.real)
    case .date: (Self.dates + bounds).map(StoredValue.date)
    case .string: texts
    case .uri:
      [
        "x:", "file:///private/a%20b", "mailto:a@example.com", "relative/path?q=1#f",
        "https://example.com/%F0%9F%98%80",
        "https://example.com/" + String(repeating: "a", count: 2_000),
      ].map(StoredValue.text)
    case .uuid:
      [.blob([UInt8](repeating: 0, count: 16)), .blob([UInt8](repeating: 255, count: 16)), .blob(random.uuid())]
    case .binary:
      [[], [0], (0...255).map { UInt8($0) }, random.bytes(20_000)].map { attribute.stored($0) }
    case .transformable: [0, 1, 2, 3].map { attribute.stored(archivedSample(for: attribute, $0)) }
    case .undefined, .objectID, .composite, .unknown: []
    }
  }

  private func whole(_ least: Int64, to most: Int64) -> [StoredValue] {
    let range = rules.integers
    return [least, most, 0, 1, -1, range.lowerBound, range.upperBound].map(StoredValue.integer)
  }

  /// The smallest and largest number that the rules allow, where they say so.
  private var bounds: [Double] {
    [rules.reals.lowerBound, rules.reals.upperBound].filter { abs($0) < .greatestFiniteMagnitude }
  }

  /// Distant past and future as Foundation has them, both sides of 1970 and 2001, a leap day, the end of 32 bits.
  private static let dates: [Double] = [
    -63_114_076_800, 64_092_211_200, 0, -0.001, -Double(secondsFrom1970To2001), -Double(secondsFrom1970To2001) - 1,
    730_857_599.999, 1_169_176_447,
  ]

  private var texts: [StoredValue] {
    let lengths = rules.lengths
    var texts = [
      "", " ", "Duplicate", "Duplicate", "Zoë Müller", "Zoe\u{308} Mu\u{308}ller", "👩‍👩‍👧‍👦 🏳️‍🌈", "שלום עולם", "日本語",
      #"O'Brien "Bob" \ %@ %n"#, "line one\nline two\r\n\tthird", "NULL", "0", "İstanbul ß ﬁ", longText(20_000),
    ]
    if (1...1_000_000).contains(lengths.lowerBound) { texts.append(longText(lengths.lowerBound)) }
    if lengths.upperBound <= 1_000_000 { texts.append(longText(lengths.upperBound)) }
    return texts.map(StoredValue.text)
  }
}
