@testable import StoreScanning
import StoreText
import StoreDataModel
import Testing

/// Validation predicates in the forms that real archives and Xcode have.
@Suite struct ValueRuleTests {
  @Test func boundsAreInclusiveWhereTheySaySo() throws {
    let atLeast = try rule(.evaluatedObject, .greaterThanOrEqual, .integer(1))
    #expect(holds(atLeast, .integer(1)) == true && holds(atLeast, .integer(0)) == false)
    #expect(holds(atLeast, .real(0.99)) == false && holds(atLeast, .real(1)) == true)
    let below = try rule(.evaluatedObject, .lessThan, .real(2.5))
    #expect(holds(below, .integer(2)) == true && holds(below, .real(2.5)) == false)
  }

  @Test func integersAreComparedWhole() throws {
    let most = try rule(.evaluatedObject, .lessThanOrEqual, .integer(9_007_199_254_740_992))
    #expect(holds(most, .integer(9_007_199_254_740_993)) == false)
  }

  @Test(arguments: [
    (Predicate.Operator.contains, "title", "a title b", true), (.contains, "title", "a Title", false),
    (.beginsWith, "ä", "äb", true), (.beginsWith, "b", "ab", false), (.endsWith, "b", "ab", true),
    (.equal, "é", "e\u{301}", true), (.notEqual, "a", "b", true), (.contains, "longer", "long", false),
  ])
  func textsAreComparedAsTheyAre(
    _ kind: Predicate.Operator, _ constant: String, _ text: String, _ expected: Bool
  ) throws {
    #expect(holds(try rule(.evaluatedObject, kind, .string(constant)), text) == expected)
  }

  @Test func lengthsAreThoseOfUTF16() throws {
    let rule = try rule(.keyPath("length"), .lessThanOrEqual, .integer(3))
    #expect(holds(rule, "a😀") == true && holds(rule, "ab😀") == false)
  }

  @Test func rulesAreCombined() throws {
    let small = Predicate.comparison(.init(.evaluatedObject, .lessThan, .constant(.integer(10))))
    let odd = Predicate.comparison(.init(.evaluatedObject, .in, .constant(.list([.integer(1), .integer(11)]))))
    #expect(holds(try ValueRule(.compound(.and, [small, odd])), .integer(11)) == false)
    #expect(holds(try ValueRule(.compound(.or, [small, odd])), .integer(11)) == true)
    #expect(holds(try ValueRule(.compound(.not, [odd])), .integer(2)) == true)
  }

  @Test(arguments: [
    Predicate.text("SELF > 1"), .other(className: "NSBlockPredicate"),
    .comparison(.init(.keyPath("name.length"), .equal, .constant(.integer(1)))),
    .comparison(.init(.evaluatedObject, .equal, .variable("NOW"))),
    .comparison(.init(.evaluatedObject, .contains, .constant(.string("a")), options: 2)),
    .comparison(.init(.evaluatedObject, .matches, .constant(.string("(?=a)")))),
    .comparison(.init(.evaluatedObject, .like, .constant(.string("a*")))),
    .comparison(.init(.evaluatedObject, .equal, .constant(.integer(1)), modifier: 2)),
  ])
  func whatCannotBeEvaluatedIsSaid(_ predicate: Predicate) {
    #expect(throws: ValueRule.NotEvaluable.self) { try ValueRule(predicate) }
  }

  private func rule(
    _ left: Expression, _ kind: Predicate.Operator, _ constant: Expression.Constant
  ) throws -> ValueRule { try ValueRule(.comparison(.init(left, kind, .constant(constant)))) }

  private func holds(_ rule: ValueRule, _ value: BorrowedValue) -> Bool? {
    var work = 1000
    return rule.holds(for: value, work: &work)
  }

  private func holds(_ rule: ValueRule, _ text: String) -> Bool? {
    Array(text.utf8).withUnsafeBytes { holds(rule, .text(TextBytes(bytes: $0))) }
  }
}
