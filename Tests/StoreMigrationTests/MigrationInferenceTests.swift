import StoreMigration
import StoreDataModel
import StoreTestSupport
import TestSupport
import Testing

/// The rules of lightweight migration with examples written by hand, which a plain clone can check.
@Suite struct MigrationInferenceTests {
  struct Example: Sendable, CustomTestStringConvertible {
    var old: [String]
    var new: [String]
    var rows: [String: [[String: JSONTree]]]
    var outcome: String
    var testDescription: String { new.joined(separator: " | ") + " \(rows)" }

    init(_ old: [String], _ new: [String], _ rows: [String: [[String: JSONTree]]], _ outcome: String) {
      (self.old, self.new, self.rows, self.outcome) = (old, new, rows, outcome)
    }
  }

  @Test(arguments: examples) func automaticOpening(_ example: Example) throws {
    let model = try ModelNotation.model(example.old)
    let inference = MigrationInference(ModelDifference(from: model, to: try ModelNotation.model(example.new)))
    let outcome = inference.outcome(rows: ShownRows(model: model, rows: example.rows))
    #expect(outcome.line == example.outcome)
  }

  static let two: [String: [[String: JSONTree]]] = [
    "Note": [
      ["pk": .integer(1), "title": .string("a"), "body": .string("x")], ["pk": .integer(2), "title": .string("b")],
    ]
  ]

  static let examples = [
    Example(["Note: title String; n I16=0 "], ["Note: title String; n I16=5"], [:], "opens documented"),
    Example(["Note: n I16=0"], ["Note: n I16=0 max(9)"], two, "opens observed, at risk 1 2"),
    Example(["Note: title String"], ["Note: title String; mood String?"], two, "migrates documented"),
    Example(["Note: title String"], ["Note: title String; stars I16?=3"], two, "migrates observed"),
    Example(["Note: title String"], ["Note: title String; author String"], two, "blocked-by-data 134110 observed 1 2"),
    Example(["Note: title String"], ["Note: title String; author String"], [:], "migrates assumed"),
    Example(
      ["Note: title String; body String?"], ["Note: title String; body String"], two,
      "blocked-by-data 134110 observed 2"),
    Example(["Note: body String?"], ["Note: body String=\"\""], two, "migrates assumed, at risk 2"),
    Example(["Note: title String"], ["Note: heading String was(title)"], two, "migrates documented"),
    Example(["Note: title String"], ["Note: heading String"], two, "blocked-by-data 134110 observed 1 2, at risk 1 2"),
    Example(["Note: body String?"], ["Note: body Binary?"], two, "needs-custom-stage 134140 observed"),
    Example(
      ["Note: n I64?"], ["Note: n I16?"], ["Note": [["pk": .integer(1), "n": .integer(70000)]]],
      "migrates assumed, at risk 1"),
    Example(
      ["Note: n I64?"], ["Note: n I16?"], ["Note": [["pk": .integer(1), "n": .integer(7)]]], "migrates observed"),
    Example(
      ["Note: k String?"], ["Note unique(k): k String?"],
      ["Note": [["pk": .integer(1), "k": .string("a")], ["pk": .integer(2), "k": .string("a")]]],
      "blocked-by-data 134110 observed 1 2"),
    Example(
      ["Note: k String?"], ["Note unique(k): k String?"], ["Note": [["pk": .integer(1)], ["pk": .integer(2)]]],
      "migrates observed"),
    Example(
      ["Cat: n String", "Dog: n String"], ["Pet abstract: n String", "Cat<Pet", "Dog<Pet"], [:],
      "needs-custom-stage 134140 documented"),
    Example(
      ["Folder: name String", "Note: title String"], ["Folder: name String", "Note: title String; folder ->Folder"],
      two,
      "blocked-by-data 134110 observed 1 2"),
    // A parent's new attribute needs values in the rows of its children too.
    Example(
      ["Doc abstract: title String", "Note<Doc"], ["Doc abstract: title String; owner String", "Note<Doc"], two,
      "blocked-by-data 134110 observed 1 2"),
  ]

  @Test func withoutRowsItListsWhatItWouldHaveToKnow() throws {
    let inference = MigrationInference(
      ModelDifference(
        from: try ModelNotation.model(["Note: title String?; k String?"]),
        to: try ModelNotation.model(["Memo unique(k) was(Note): heading String was(title); k String?; author String"])))
    #expect(inference.isInferable)
    #expect(
      inference.blockingRules.map(\.condition) == [
        .noDuplicates(entity: "Note", among: ["Note"], properties: ["k"], nullsAreEqual: false), .noRows(["Note"]),
        .noNulls(["Note"], property: "title"),
      ])
    #expect(inference.outcome(rows: nil).unanswered.count == 3)
    #expect(inference.outcome(rows: nil).verdict == .migrates)
  }

  /// Of a destination that becomes a subentity of the old one, no link is lost that fits.
  @Test func linksToASubentityAreKept() throws {
    func losses(_ destination: String) throws -> [Loss.Kind] {
      let models = try ["Item", destination].map {
        try ModelNotation.model(["Item: n String?", "Note: at ->\($0)?", "Other: n String?", "Sub<Item: m String?"])
      }
      return MigrationInference(ModelDifference(from: models[0], to: models[1])).losses.map(\.kind)
    }
    #expect(try losses("Sub") == [])
    #expect(try losses("Other") == [.links])
  }

  @Test func typesConvertWithinTheNumericFamilyOnly() throws {
    let types: [(String, AttributeType)] = [
      ("I16", .integer16), ("I64", .integer64), ("Double", .double), ("Date", .date),
    ]
    let cells = try types.flatMap { from in
      try types.filter { $0.0 != from.0 }.map { to in
        let inference = MigrationInference(
          ModelDifference(
            from: try ModelNotation.model(["E: v \(from.0)?"]), to: try ModelNotation.model(["E: v \(to.0)?"])))
        return "\(from.0)>\(to.0) \(inference.isInferable ? "yes" : "no") \(inference.effects[0].grade.rawValue)"
      }
    }
    #expect(
      cells == [
        "I16>I64 yes B", "I16>Double yes C", "I16>Date no D", "I64>I16 yes B", "I64>Double yes C", "I64>Date no D",
        "Double>I16 yes C", "Double>I64 yes C", "Double>Date no D", "Date>I16 no D", "Date>I64 no D",
        "Date>Double no D",
      ])
  }
}

extension MigrationOutcome {
  /// "verdict code basis keys, at risk keys".
  fileprivate var line: String {
    let keys = blocking.flatMap(\.violations).flatMap(\.keys).map(String.init)
    let risky = atRisk.flatMap(\.violations).flatMap(\.keys).map(String.init)
    let words = [verdict.rawValue] + [failure?.code.map(String.init), basis.rawValue].compactMap { $0 } + keys
    return words.joined(separator: " ") + (risky.isEmpty ? "" : ", at risk " + risky.joined(separator: " "))
  }
}
