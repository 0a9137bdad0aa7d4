import Foundation
import TestSupport
import Testing

/// `scripts/one-home` finds a copy of each fact, and names file and line.
@Suite(.enabled(if: Python.isPresent, "needs python3"))
struct OneHomeTests {
  private static let copies = [
    ("seconds between 1970 and 2001", "let seconds = moment + 978_307_200"),
    ("seconds between 1970 and 2001", "let seconds = moment - 978307200.0"),
    ("date spelling", #"let text = "\(year)-\(month)-\(day)T\(hour):\(minute)""#),
    ("date spelling", "gmtime_r(&now, &parts)"),
    ("date spelling", "let text = date.formatted(.iso8601)"),
    ("date spelling", "let era = days / 146_097"),
    ("base64 alphabet", #"let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/""#),
    ("numbers of history's entities", #"let sql = "SELECT 1 FROM ACHANGE WHERE Z_ENT = 16001""#),
    ("Z_FOK_", #"let column = "Z_FOK_" + name"#),
    ("varint decoding", "value = value << 7 | UInt64(byte & 0x7F)"),
    ("offsets of SQLite's header", "let encoding = header.word(56)"),
    ("offsets of SQLite's header", "let counter = bytes[24..<28]"),
  ]

  @Test(arguments: copies)
  func findsACopy(_ fact: String, _ line: String) throws {
    let folder = try TemporaryFolder()
    try write("// In a comment: \(line)\nlet harmless = 1\n\(line)\n", to: "Sources/StoreWords/Copy.swift", in: folder)
    let (status, output) = try oneHome(folder.path)
    #expect(status == 1)
    #expect(output.contains("Sources/StoreWords/Copy.swift:3: \(fact): the home is Sources/"), "\(output)")
    #expect(output.contains("one-home: 1 copies"), "\(output)")
  }

  @Test func acceptsTheHome() throws {
    let folder = try TemporaryFolder()
    try write("let seconds = 978_307_200\n", to: "Sources/StoreText/Dates/Home.swift", in: folder)
    try write("let text = \"seconds + 978_307_200\"\n", to: "Sources/StoreStageFunctions/StageValue.swift", in: folder)
    #expect(try oneHome(folder.path).status == 0)
  }

  @Test func aFolderWithoutSourcesIsNoSuccess() throws {
    #expect(try oneHome(try TemporaryFolder().path).status == 1)
  }

  private func write(_ text: String, to name: String, in folder: TemporaryFolder) throws {
    let path = URL(fileURLWithPath: folder(name))
    try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: path)
  }

  private func oneHome(_ root: String) throws -> (status: Int, output: String) {
    let script = """
      import subprocess, sys
      ended = subprocess.run([sys.executable, *sys.argv[1:]], capture_output=True, text=True)
      print(ended.returncode, ended.stdout + ended.stderr)
      """
    let output = String(decoding: try Python.run(script, [Project.path("scripts/one-home"), root]), as: UTF8.self)
    let parts = output.split(separator: " ", maxSplits: 1)
    return (Int(parts[0]) ?? -1, String(parts.last ?? ""))
  }
}
