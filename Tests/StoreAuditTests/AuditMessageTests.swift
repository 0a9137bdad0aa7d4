@testable import StoreAudit
import StoreSQLite
import Testing

@Suite struct AuditMessageTests {
  @Test(arguments: [(60_000, "60 s"), (1500, "1.5 s"), (50, "0.05 s"), (1, "0.001 s"), (100_010, "100.01 s")])
  func aTimeHasAsManyDigitsAsItTakes(_ milliseconds: Int, _ words: String) {
    #expect(Duration.milliseconds(milliseconds).words == words)
  }

  /// Some messages contain paths verbatim, others with control characters escaped.
  @Test func noMessageNamesThePrivateFolder() {
    var item = AuditItem(
      PosixPath("/t\u{1B}/1/a.sqlite"), shown: PosixPath("b\u{1B}.zip!a.sqlite"), .store(wasNamed: false))
    item.unpacked = .init(folder: PosixPath("/t\u{1B}/1"), archive: PosixPath("b\u{1B}.zip"))
    #expect(item.shownText("cannot read '/t\u{1B}/1/a.sqlite'") == "cannot read 'b\u{1B}.zip!a.sqlite'")
    #expect(item.shownText(#"cannot read '/t\u{1b}/1/a.sqlite'"#) == #"cannot read 'b\u{1b}.zip!a.sqlite'"#)
    #expect(item.shownText(#"no room in '/t\u{1b}/1'"#) == #"no room in 'b\u{1b}.zip'"#)
  }
}
