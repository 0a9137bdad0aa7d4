import StoreAudit
import StoreSQLite
import TestSupport
import Testing

@Suite struct AuditMergeTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func line(_ path: String, id: String? = nil, run: String = "r", _ rest: String = "") -> String {
    let id = id.map { #""id":"\#($0)","# } ?? ""
    return #"{\#(id)"path":"\#(path)"\#(rest),"run":"\#(run)","schema":"storedoctor.audit/2","status":"audited"}"#
  }

  private func merged(_ files: [[String]]) throws -> [String] {
    let paths = try files.enumerated().map { number, lines in
      PosixPath(try folder.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: "\(number)"))
    }
    var result: [String] = []
    try mergeAuditLines(paths) { result += $0.map { String(decoding: $0.dropLast(), as: UTF8.self) } }
    return result
  }

  private func message(_ files: [[String]]) -> String {
    do { return "merged \(try merged(files))" } catch { return "\(error)".replacing(folder.path + "/", with: "") }
  }

  @Test func linesComeInByteOrderOfIdOrPathAndAsTheyAre() throws {
    let lines = [line("b"), line("z", id: "a"), line("B", ##","later":[1, 2]"##), line("é"), line("z")]
    #expect(
      try merged([[lines[4], lines[0]], [], [lines[3], lines[1], lines[2]]]) == [
        lines[2], lines[1], lines[0], lines[4], lines[3],
      ])
  }

  @Test func pathsThatAreNotTextAreSortedByTheirBytes() throws {
    let lines = [
      line("a\u{FFFD}", #","pathBytes":"Yf8=""#), line("a\u{10000}"), line("a\u{FFFD}", #","pathBytes":"YYA=""#),
    ]
    #expect(try merged([lines]) == [lines[2], lines[1], lines[0]])
  }

  @Test func doublesAreFoldedWhateverTheyTook() throws {
    let (slow, quick) = (line("a", #","milliseconds":12"#), line("a", #","milliseconds":11"#))
    #expect(try merged([[slow, line("b")], [quick], [slow]]) == [quick, line("b")])
    #expect(try merged([[quick], [slow, line("b")]]) == [quick, line("b")])
  }

  @Test func doublesAreFoldedWhetherOrNotTheySayWhatTheyTook() throws {
    let (silent, timed) = (line("a"), line("a", #","milliseconds":12"#))
    let timedFirst = #"{"milliseconds":7,\#(silent.dropFirst())"#
    #expect(try merged([[silent], [timed]]) == [timed])
    #expect(try merged([[timed], [silent]]) == [timed])
    #expect(try merged([[silent], [timedFirst], [timed]]) == [timedFirst])
    #expect(message([[line("a", #","rows":1"#)], [timed]]).hasPrefix("refusing to merge"))
  }

  @Test func refusesWhatDoesNotBelongTogether() {
    #expect(
      message([[line("b"), line("a")], [line("a", #","rows":1"#)]])
        == "refusing to merge: line 2 of '0' and line 1 of '1' say different things of 'a'; "
        + "the store changed between two runs, remove one of the lines")
    #expect(
      message([[line("a")], [line("b"), line("c", run: "s")]])
        == "refusing to merge: line 1 of '0' and line 2 of '1' are of different runs "
        + "(tool, models, checks or options differ); audit the shards again with the same options")
    #expect(message([["", line("a"), "{}"]]) == "cannot read line 3 of '0': 'schema' is missing")
  }

  @Test func saysWhichFileIsMissing() {
    #expect(throws: FileError.self) { try mergeAuditLines([PosixPath(folder("none"))]) { _ in } }
  }

  @Test func readsMoreFilesThanMayBeOpen() throws {
    let lines = (0..<500).map { line(String($0 + 1000)) }
    let files = (0..<250).map { [lines[$0 * 2], lines[$0 * 2 + 1]] }
    #expect(try merged(files.reversed()) == lines)
  }
}
