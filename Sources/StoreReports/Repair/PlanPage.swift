import StoreWords
import StoreRepair
import Mustache

// The data for the page's template, under the names it uses. Names differ from level to level, because the template
// looks up a name that a part does not have in the whole.

struct PlanPage {
  var title: String
  var answer: String
  var identity: [Fact]
  var steps: [Step]
  var hasObstacles: Bool
  var obstacleTitle: String
  var obstacles: [String]
  var counts: [Count]
  var hasCounts: Bool
  var findings: [Count]
  var hasFindings: Bool
  var notices: [String]
  var hasNotices: Bool
  var privacy: String
  var toolVersion: String

  struct Fact {
    var factName: String
    var factValue: String
  }

  struct Count {
    var countName: String
    var countBefore: String
    var countAfter: String
  }

  struct Step {
    var stepRepair: String
    var stepGrade: String
    var gradeStyle: String
    var stepChanges: String
    var stepSummary: String
    var hasGroups: Bool
    var groups: [Group]
    var hasRows: Bool
    var stepRows: [Row]
    var stepRemark: String
  }

  struct Group {
    var keptWords: String
    var otherWords: String
    var effectWords: String
    var groupDifferences: [Difference]
  }

  struct Difference {
    var differenceName: String
    var differenceWords: String
  }

  struct Row {
    var rowWords: String
  }
}

extension RepairPlan {
  /// The plan as a self-contained page for the person who signs it off: no script, no network.
  ///
  /// - Parameters:
  ///   - review: the rows to show.
  ///   - showsValues: whether the review shows values, which the page says at its end.
  /// - Throws: if the template is invalid, which a test excludes.
  package func html(review: PlanReview, showsValues: Bool) throws -> String {
    MustacheContentTypes.register(InertHTML(), named: InertHTML.name)
    return try PlanPageTemplate.parsed().render(page(review, showsValues: showsValues))
  }

  private func page(_ review: PlanReview, showsValues: Bool) -> PlanPage {
    let places = Set(before.rows.keys).union(after.rows.keys).sorted()
    let counts = places.map {
      PlanPage.Count(
        countName: $0, countBefore: "\(before.rows[$0] ?? 0)", countAfter: "\(after.rows[$0] ?? 0)")
    }.filter { $0.countBefore != $0.countAfter }
    let findings = changedFindings.map { finding in
      let place = [finding.entity, finding.property].compactMap(\.self).joined(separator: ".")
      return PlanPage.Count(
        countName: "\(finding.id) \(finding.name) at \(place.isEmpty ? "the store" : place)",
        countBefore: "\(finding.before)", countAfter: "\(finding.after)")
    }
    return PlanPage(
      title: "Repair of \(store.path)", answer: verdictLine, identity: identity,
      steps: zip(operations, review.operations).map(PlanPage.Step.init), hasObstacles: !obstacles.isEmpty,
      obstacleTitle: refusals.isEmpty ? "Not done" : "In the way",
      obstacles: obstacles.map { obstacle in
        let place = [obstacle.entity, obstacle.property].compactMap(\.self).joined(separator: ".")
        let keys = obstacle.keys.isEmpty ? "" : " (Z_PK \(obstacle.keys.map(String.init).joined(separator: ", ")))"
        return "\(obstacle.repair.rawValue)\(place.isEmpty ? "" : " of \(place)"): \(obstacle.message)\(keys)"
      }, counts: counts, hasCounts: !counts.isEmpty, findings: findings, hasFindings: !findings.isEmpty,
      notices: notices, hasNotices: !notices.isEmpty,
      privacy: showsValues ? "This page holds values of rows." : "This page holds keys, and no values of rows.",
      toolVersion: StoreReports.toolVersion)
  }

  private var identity: [PlanPage.Fact] {
    [
      PlanPage.Fact(factName: "store", factValue: store.path),
      PlanPage.Fact(factName: "UUID", factValue: store.uuid ?? "none"),
      PlanPage.Fact(factName: "SHA-256 of the content", factValue: store.fingerprint),
    ]
  }
}

extension PlanPage.Step {
  fileprivate init(_ operation: StoreRepair.Operation, _ review: PlanReview.Operation) {
    let hasDetails = review.rows.contains { !$0.changes.isEmpty || $0.ends.contains { $0.title != nil } }
    let rows = review.rows.map(\.words)
    self.init(
      stepRepair: operation.repair.rawValue, stepGrade: operation.grade.rawValue,
      gradeStyle: operation.grade == .safe ? "note" : operation.grade == .lossy ? "error" : "warning",
      stepChanges: counted(Int64(operation.expectedChanges), "change"), stepSummary: operation.summary,
      hasGroups: !review.groups.isEmpty,
      groups: review.groups.map { group in
        PlanPage.Group(
          keptWords: group.kept.words,
          otherWords: group.others.map { "\($0.key)" + ($0.title.map { " \($0.words)" } ?? "") }
            .joined(separator: ", "),
          effectWords: group.effects.joined(separator: "; "),
          groupDifferences: group.differences.map {
            PlanPage.Difference(differenceName: $0.property, differenceWords: $0.valueWords)
          })
      }, hasRows: !rows.isEmpty,
      stepRows: (hasDetails || rows.isEmpty ? rows : [rows.joined(separator: ", ")]).map(PlanPage.Row.init),
      stepRemark: review.remark ?? "")
  }
}
