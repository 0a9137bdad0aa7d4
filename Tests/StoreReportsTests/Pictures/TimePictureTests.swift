import StoreInspection
import TestSupport
import Testing

@testable import StoreReports

/// Events on an axis: which columns there are, what is left out, and where everything is drawn.
@Suite struct TimePictureTests {
  private static let sync = TimePicture.Lane(name: "sync", kind: .history)
  private static let log = TimePicture.Lane(name: "write-ahead log", kind: .log)
  private static let day = 86_400.0

  private func picture(_ events: [(TimeEvent, Double?, TimePicture.Lane)]) -> TimePicture {
    var all = TimeEvents()
    for (what, time, lane) in events { all.add(what, time.map { .exact($0) } ?? .between(nil, nil), lane) }
    return TimePicture(all)
  }

  /// The columns as "title" or "// title" after a gap.
  private func columns(_ times: [Double]) -> [String] {
    picture(times.map { (.saved, $0, Self.sync) }).columns.map { ($0.isAfterGap ? "// " : "") + $0.title }
  }

  @Test func daysWithoutEventsAreLeftOut() {
    #expect(columns([0, 10, Self.day, 40 * Self.day]) == ["2001-01-01", "2001-01-02", "// 2001-02-10"])
  }

  @Test func spansFollowFromHowMuchThereIs() {
    #expect(columns([0, 90]) == ["2001-01-01 00:00", "2001-01-01 00:01"])
    #expect(columns((0..<40).map { Double($0) * 900 }).last == "2001-01-01 09:00")
    #expect(columns((0..<20).map { Double($0) * 3_600 }).last == "// 2001-01-01 19:00")
    #expect(columns((0..<100).map { Double($0) * Self.day })[1] == "week of 2001-01-08")
    #expect(columns((0..<800).map { Double($0) * Self.day }).last == "2003-03")
    #expect(columns((0..<4_000).map { Double($0) * Self.day }).last == "2011")
    #expect(
      columns([-63_113_904_000, 0, 1e9, 252_423_993_599]) == [
        "0001-01-01", "// 2001-01-01", "// 2032-09-09", "// 9999-12-31",
      ])
    #expect(columns((0..<200).map { Double($0) * 40 * 365 * Self.day })[1].hasSuffix("s"))
    for count in [1, 2, 3, 32, 33, 500, 3_000] {
      #expect(columns((0..<count).map { Double($0) * Self.day }).count <= 32)
    }
  }

  @Test func eventsOfALaneAndColumnAreOneMark() {
    let drawn = picture([
      (.commit, 5, Self.log), (.inserted, 1, Self.sync), (.inserted, 2, Self.sync), (.deleted(.proved), 3, Self.sync),
      (.updated, 9 * Self.day, Self.sync), (.updated, 18 * Self.day, Self.sync), (.date, nil, Self.log),
      (.date, .infinity, Self.log), (.date, 1e300, Self.log),
    ])
    #expect(drawn.lanes == [Self.sync, Self.log])
    #expect(
      drawn.marks.map { "\($0.lane) \($0.column) \($0.counts.words)" } == [
        "0 0 2 inserted, 1 deleted (proved)", "0 1 1 updated", "0 2 1 updated", "1 0 1 commit",
      ])
    #expect(drawn.undated.words == "3 dates")
  }

  /// Whatever there is, it fits the width, in order, and nothing lies upon another.
  @Test(arguments: [1, 2, 5, 31, 32, 33, 400]) func everythingIsWithinThePicture(count: Int) {
    let spread = (0..<count).map { Double($0 * $0) * Self.day }
    let drawn = picture(spread.map { (.inserted, $0, Self.sync) } + spread.map { (.commit, $0, Self.log) })
    let layout = TimeLayout(drawn)
    let places = drawn.columns.indices.map { layout.x(of: $0) }
    #expect(places == Array(Set(places)).sorted())
    #expect(places.allSatisfy { $0 >= TimeLayout.left && $0 + layout.most <= TimeLayout.width })
    #expect(
      layout.middle(of: 0) < layout.middle(of: 1) && layout.middle(of: 1) < layout.axis && layout.axis < layout.height)
  }

  @Test func namesAreInert() {
    let hostile = "</svg><script>alert(1)</script>\u{202E}\u{0}\""
    let lane = TimePicture.Lane(name: hostile, detail: hostile, kind: .history)
    let svg = picture([(.inserted, 0, lane), (.deleted(.shown), 0, lane)]).svg(label: hostile).text
    for acting in ["<script", "</svg><", "\u{202E}", "\u{0}"] { #expect(!svg.contains(acting), "\(acting)") }
    #expect(svg.contains("&lt;script&gt;"))
  }
}
