@testable import StoreModels
import StoreSwiftDataSchemas
import TestSupport
import Testing

@Suite struct SourceReadingsTests {
  /// A program that counts its runs in a file, and reports one more file read each time.
  private func program(in folder: TemporaryFolder) throws -> SwiftDataProgram {
    try .script(
      """
      echo run >> '\(folder("log"))'
      echo '{"schema": "storedoctor.swiftdata/1", "fileCount": '$(grep -c run '\(folder("log"))')', "parsedFileCount": 0}'
      """, in: folder)
  }

  @Test func sourceIsReadOnce() throws {
    let folder = try TemporaryFolder()
    let program = try program(in: folder)
    let readings = SourceReadings()
    #expect(readings.isEmpty)
    let counts = try ["A", "B", "A", "A"].map { try readings.reading(of: $0, with: program).fileCount }
    #expect(counts == [1, 2, 1, 1])
    #expect(!readings.isEmpty)
  }

  @Test func whatIsHandedOverNeedsNoProgram() throws {
    let folder = try TemporaryFolder()
    let program = try program(in: folder)
    let readings = SourceReadings()
    let paths = ["Sources", "Ümlaut \n #V1", ""]
    for path in paths { _ = try readings.reading(of: path, with: program) }
    let handed = try SourceReadings(readings.bytes)
    let none = SwiftDataProgram("/nonexistent")
    #expect(try paths.map { try handed.reading(of: $0, with: none).fileCount } == [1, 2, 3])
    #expect(throws: SwiftDataProgramError.self) { try handed.reading(of: "Other", with: none) }
  }

  @Test func aCutHandoverIsRefused() throws {
    let folder = try TemporaryFolder()
    let readings = SourceReadings()
    _ = try readings.reading(of: "Sources", with: program(in: folder))
    let bytes = readings.bytes
    for length in bytes.indices {
      #expect(throws: SwiftDataProgramError.self, "\(length) bytes") { try SourceReadings(Array(bytes[..<length])) }
    }
  }
}
