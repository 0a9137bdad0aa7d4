import StoreMigration
import StoreDataModel
import TestSupport
import Testing

/// What a successful migration removes, and the rows that are affected.
@Suite struct LossTests {
  private func inference(_ old: [String], _ new: [String]) throws -> MigrationInference {
    MigrationInference(ModelDifference(from: try ModelNotation.model(old), to: try ModelNotation.model(new)))
  }

  private func words(_ losses: [Loss]) -> [String] {
    losses.map { "\($0.kind.rawValue) \([$0.entity, $0.property].compactMap { $0 }.joined(separator: "."))" }
  }

  @Test(arguments: [
    (["N: a String?"], ["N: a String?; b String?"], []),
    (["N: a String?; b String?"], ["N: a String?"], ["values N.b"]),
    (["N: a String?", "O: b UUID?"], ["N: a String?"], ["rows O"]),
    (["N: a String?; o ->O?", "O: b UUID?"], ["N: a String?", "O: b UUID?"], ["links N.o"]),
    (["N: a String?; b String?"], ["N: a String?; c String? was(b)"], []),
    (["N: a String?; b String? transient"], ["N: a String?"], []),
    (["N: a String?; b String?"], ["N: a String?; b String? transient"], ["values N.b"]),
    (["P: a Date?", "Q<P: b Bool?"], ["P", "Q<P: b Bool?; a Date?"], ["someValues P.a"]),
    (["P abstract: a Date?", "Q<P: b Bool?"], ["P abstract", "Q<P: b Bool?; a Date?"], []),
    (["P abstract", "Q: b Bool?"], ["Q: b Bool?"], []),
  ])
  func namesWhatIsGone(_ old: [String], _ new: [String], _ losses: [String]) throws {
    #expect(try words(inference(old, new).losses) == losses)
  }

  @Test func asksTheRowsOfSubentitiesToo() throws {
    let old = ["P: a Date?; p Bool?", "Q<P: q Bool?", "R<P: r Bool?"]
    let removed = try inference(old, ["P: p Bool?", "Q<P: q Bool?", "R<P: r Bool?"])
    #expect(conditions(removed) == [.noValues(["P", "Q", "R"], property: "a")])
    let movedDown = try inference(old, ["P: p Bool?", "Q<P: q Bool?; a Date?", "R<P: r Bool?"])
    #expect(conditions(movedDown) == [.noValues(["P", "R"], property: "a")])
  }

  private func conditions(_ inference: MigrationInference) -> [RowCondition] {
    inference.effects.flatMap(\.rules).filter { $0.consequence == .loses }.map(\.condition)
  }
}
