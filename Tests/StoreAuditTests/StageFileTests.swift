@testable import StoreAudit
@testable import StoreSystem
import StorePlatform
import Testing

@Suite struct StageFileTests {
  /// A request is either begun or taken back, whichever comes first, but never both.
  @Test func whatWasTakenBackIsNotBegun() throws {
    let open = try ChildProcess.temporaryFile("test")
    defer { withExtendedLifetime(open) {} }
    let file = open.number
    #expect(StageFile.begin(1, in: file) && StageFile.begin(2, in: file))
    // The worker has begun two requests; those from the third on are taken back.
    #expect(StageFile.takeBack(3...6, in: file) == 2)
    #expect((3...6).allSatisfy { !StageFile.begin($0, in: file) })
    #expect(StageFile.begin(7, in: file))
    #expect(StageFile.takeBack(8...8, in: file) == 7)
    #expect(!StageFile.begin(8, in: file) && StageFile.begin(9, in: file))
  }
}
