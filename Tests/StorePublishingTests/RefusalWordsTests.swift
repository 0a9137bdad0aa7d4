import StorePlatform
import StorePublishing
import StoreSQLite
import Testing

/// Why nothing could be written, told apart: who may not, and where nobody may.
struct RefusalWordsTests {
  @Test(arguments: [
    (EACCES, "permission denied for '/case/'; use 'output' with a path in a folder of your own"),
    (EROFS, "the file system of '/case/' is read-only; use 'output' with a path elsewhere"),
  ])
  func aFileSystemThatIsReadOnlyIsNoLackOfPermission(code: Int32, reason: String) throws {
    let failure = FileActionError(action: .create, path: "/case/New.sqlite", code: code)
    let error = PublishingError.explaining(failure, writing: PosixPath("/case/New.sqlite"))
    let refusal = try #require(error as? PublishingError)
    #expect(refusal.description == "cannot write '/case/New.sqlite': \(reason)")
  }
}
