import StoreModels
import StoreSwiftDataSchemas
import TestSupport
import Testing

@Suite struct SwiftDataProgramTests {
  private let folder = try? TemporaryFolder()

  private func program(_ script: String, timeout: Duration = .seconds(60), limit: Int = 1 << 20) throws
    -> SwiftDataProgram
  {
    try .script(script, in: #require(folder), timeout: timeout, limit: limit)
  }

  private func error(_ script: String, timeout: Duration = .seconds(60), limit: Int = 1 << 20) throws
    -> SwiftDataProgramError?
  {
    let program = try program(script, timeout: timeout, limit: limit)
    return #expect(throws: SwiftDataProgramError.self) { try readSwiftDataSource(["Models"], with: program) }
  }

  @Test func givesPathsAndDefinesAndReadsTheDocument() throws {
    let reading = try readSwiftDataSource(
      ["-Models", "App.swift"], defines: ["DEBUG"],
      with: program(
        """
        test "$*" = "read --define DEBUG -- -Models App.swift" || exit 9
        echo '{"schema": "storedoctor.swiftdata/1", "fileCount": 2, "parsedFileCount": 1}'
        """))
    #expect(reading == SourceReading(fileCount: 2, parsedFileCount: 1))
  }

  @Test func saysWhatTheProgramSays() throws {
    let words = "cannot read 'Models': No such file or directory"
    #expect(try error("echo \"storedoctor-swiftdata: \(words)\" >&2; exit 2") == .failed(words))
    #expect(try error("exit 3") == .failed("storedoctor-swiftdata ended with status 3"))
  }

  @Test func takesACrashForAnAnswer() throws {
    #expect(try error("kill -SEGV $$") == .crashed(signal: 11))
  }

  @Test func endsAProgramThatTakesTooLong() throws {
    #expect(try error("echo '{'; exec sleep 30", timeout: .milliseconds(1200)) == .tooSlow(seconds: 1))
  }

  @Test func endsAProgramThatPrintsWithoutEnd() throws {
    let error = try error("exec yes", limit: 3 << 20)
    #expect(error == .tooLong(bytes: 3 << 20))
    #expect(error?.description.contains("takes more than 3 MiB; give only the folders with the models") ?? false)
  }

  @Test(arguments: ["echo hello", "echo '{}'", "echo '{\"schema\": \"storedoctor.swiftdata/9\"}'", "true"])
  func doesNotGuessAtOtherDocuments(script: String) throws {
    guard case .garbled(let message)? = try error(script) else {
      Issue.record("read as something")
      return
    }
    #expect(!message.isEmpty)
  }

  @Test func saysHowToGetIt() {
    #expect("\(SwiftDataProgramError.notInstalled)".contains("make install"))
    #expect(throws: SwiftDataProgramError.self) {
      try SwiftDataProgram("/nonexistent/storedoctor-swiftdata").run([])
    }
  }
}
