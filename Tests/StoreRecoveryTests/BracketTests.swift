import Testing

@testable import StoreRecovery

/// Whether what ended between two moments may have ended within limits; moments as whole numbers.
@Suite struct BracketTests {
  @Test(
    arguments: [
      // after, before, since, until, may lie inside
      (10, 20, nil, nil, true), (10, 20, 20, nil, true), (10, 20, 21, nil, false), (10, 20, nil, 10, true),
      (10, 20, nil, 9, false), (10, 20, 12, 13, true), (10, nil, 99, nil, true), (10, nil, nil, 9, false),
      (nil, 20, nil, 1, true), (nil, 20, 21, nil, false), (nil, nil, 1, 2, true),
      // A clock that was set back: the last life is later than the end.
      (20, 10, 12, 13, true), (20, 10, 21, nil, false), (20, 10, nil, 9, false),
    ] as [(Int?, Int?, Int?, Int?, Bool)])
  func liesWithin(_ after: Int?, _ before: Int?, _ since: Int?, _ until: Int?, _ expected: Bool) {
    let bracket = Bracket(after: after.map(Double.init), before: before.map(Double.init))
    #expect(bracket.mayLieWithin(since: since.map(Double.init), until: until.map(Double.init)) == expected)
  }

  @Test func aRowHasTheLastLifeAndTheFirstAbsence() {
    var row = RecoveredRow(kind: .deleted, grade: .proved)
    for (shows, time) in [
      (RecoveredRow.Witness.Shows.present, 3.0), (.present, 5), (.absent, 9), (.absent, 7), (.absent, -.infinity),
      (.present, .infinity), (.present, nil),
    ] as [(RecoveredRow.Witness.Shows, Double?)] {
      row.witnesses.append(.init(shows: shows, what: "", time: time))
    }
    #expect(row.bracket == Bracket(after: 5, before: 7))
    row.witnesses = []
    #expect(!row.bracket.isKnown)
  }

  /// Last seen at 5, deleted at 8 by a change of the history, seen to be gone at 20.
  @Test(arguments: [(8.0, 8.0, 1), (9, 19, 0), (5, 7, 0), (nil, 7.5, 0), (7.5, nil, 1)] as [(Double?, Double?, Int)])
  func aDeletionOfTheHistoryHasItsMoment(since: Double?, until: Double?, stay: Int) {
    var row = RecoveredRow(kind: .deleted, grade: .proved)
    row.witnesses = [.init(shows: .present, what: "", time: 5), .init(shows: .absent, what: "", time: 8)]
    row.witnesses[1].isDeletion = true
    row.witnesses.append(.init(shows: .absent, what: "", time: 20))
    var recovery = Recovery()
    recovery.rows = [row]
    recovery.limit(since: since, until: until)
    #expect(recovery.rows.count == stay)
  }

  @Test func whatHasNoTimeIsCountedAndNotHidden() {
    var recovery = Recovery()
    recovery.rows = [RecoveredRow(kind: .deleted, grade: .shown), RecoveredRow(kind: .deleted, grade: .implied)]
    recovery.limit(since: nil, until: nil)
    #expect(recovery.rows.count == 2 && recovery.notes.isEmpty)
    recovery.limit(since: 0, until: nil)
    #expect(recovery.rows.isEmpty)
    #expect(
      recovery.notes == [
        "2 results of whose time nothing is known were left out by --since or --until; they may lie inside"
      ])
  }
}
