import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreGenerator
import StoreModels
import StorePublishing
import StoreSQLite
import TestSupport
import Testing

@testable import StoreMigrator

/// Each numeric type becomes each other one: numbers are the same by SQL before and after, or the step is refused.
@Suite struct NumberTypeTests {
  private static let types = ["I16", "I32", "I64", "Decimal", "Double", "Float", "Bool"]

  /// Numbers of a type, as SQL, of which the last are at its edges.
  private static let values: [String: [String]] = [
    "I16": ["0", "1", "-5", "32767"], "I32": ["0", "1", "-5", "16777217", "2147483647"],
    "I64": ["0", "1", "-5", "2147483648", "9007199254740992", "9007199254740993"], "Decimal": ["0", "1", "2.5"],
    "Double": ["0.0", "1.0", "2.5", "5000000000.0"], "Float": ["0.0", "1.0", "2.5"], "Bool": ["0", "1"],
  ]

  /// Whether an object that holds a number of this text has the same number when it is read as another type.
  private static func fits(_ text: String, in type: String) -> Bool {
    let number = Double(text) ?? 0
    switch type {
    case "Bool": return ["0", "1", "0.0", "1.0"].contains(text)
    case "I16": return number.rounded() == number && abs(number) < 32768
    case "I32": return number.rounded() == number && abs(number) < 2_147_483_648
    case "I64": return number.rounded() == number
    // What is a fraction already loses no more than the width of its type.
    case "Double": return text != "9007199254740993"
    case "Float": return !["9007199254740993", "16777217", "2147483647"].contains(text)
    default: return true
    }
  }

  @Test(arguments: types.flatMap { old in types.filter { $0 != old }.map { [old, $0] } })
  func numbersStayOrAreRefused(_ pair: [String]) throws {
    let models = try pair.map { try ModelNotation.model(["A: v \($0)?; w String?"]) }
    for text in try #require(Self.values[pair[0]]) {
      let folder = try TemporaryFolder()
      let writer = try StoreWriter(
        creating: folder("old.sqlite"), StoreDescription(model: models[0], keepsHistory: false, usesWAL: false))
      for key in 1...2 { try writer.insert("A", ["w": .text("w\(key)")], key: Int64(key)) }
      try writer.database.execute("UPDATE ZA SET ZV = \(text) WHERE Z_PK = 2")
      try writer.finish()
      let candidates = CandidateOptions(models: try [("old", models[0]), ("new", models[1])].map(modelSource))
      let store = try Store(path: folder("old.sqlite"))
      do {
        _ = try migrate(
          store, to: OutputTarget(PosixPath(folder("new.sqlite"))),
          run: MigrationRun(candidates, allowsAssumed: true, now: 0))
        #expect(Self.fits(text, in: pair[1]), "\(pair) \(text)")
        let after = try Store(path: folder("new.sqlite"))
        let same = try store.connection.prepare("SELECT ZV = ? FROM ZA WHERE Z_PK = 2")
        let found = try after.connection.prepare(
          "SELECT ZV, (SELECT ZV IS NULL FROM ZA WHERE Z_PK = 1) FROM ZA WHERE Z_PK = 2")
        let isThere = try found.step()
        try #require(isThere)
        try same.bind(found.value(0), at: 1)
        let isSame = try same.step() && same.int64(0) == 1 && found.int64(1) == 1
        let rows = try lines("SELECT Z_PK, ZV, ZW FROM ZA ORDER BY 1", after)
        #expect(isSame, "\(pair) \(text): \(rows)")
      } catch let refused as MigrationRefused {
        #expect(!Self.fits(text, in: pair[1]), "\(pair) \(text): \(refused.refusals.map(\.message))")
      }
    }
  }
}
