import Foundation
import TestSupport
import Testing

/// What an assistant gets over standard input and output, by hand-written lines.
@Suite struct MCPTests {
  private let folder: TemporaryFolder
  private let root: String

  init() throws {
    folder = try TemporaryFolder()
    root = folder("root")
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Project.path("corpus/Notes.sqlite"), toPath: root + "/Notes.sqlite")
    try FileManager.default.copyItem(atPath: Project.path("corpus/Notes.sqlite"), toPath: folder("Outside.sqlite"))
    try FileManager.default.copyItem(
      atPath: Project.path("corpus/Notes.xcdatamodeld"), toPath: root + "/Notes.xcdatamodeld")
  }

  /// An answer.
  private struct Answer: Decodable {
    struct Failure: Decodable { var code: Int }
    struct Content: Decodable {
      var type: String
      var text: String
    }
    struct Tool: Decodable { var name: String }
    struct Result: Decodable {
      var content: [Content]?
      var isError: Bool?
      var protocolVersion: String?
      var tools: [Tool]?
    }
    var id: Int?
    var error: Failure?
    var result: Result?
  }

  private func run(_ input: [UInt8], _ options: [String] = []) throws -> Program.Outcome {
    let file = try folder.write(input, to: "input")
    return try Program.launch(
      ["sh", "-c", #"input=$1; shift; exec "$@" < "$input""#, "sh", file, Program.path, "mcp", "--root", root] + options
    )
  }

  private func answers(_ lines: [String], _ options: [String] = []) throws -> [Answer] {
    let outcome = try run(Array(lines.map { $0 + "\n" }.joined().utf8), options)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    // A message a line, and nothing between them.
    #expect(!outcome.output.contains("\n\n"))
    return try outcome.output.split(separator: "\n").map { try JSONDecoder().decode(Answer.self, from: Data($0.utf8)) }
  }

  private func call(_ name: String, _ arguments: String) -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(name)","arguments":\#(arguments)}}"#
  }

  /// The text of the only answer, and whether it is an error.
  private func result(_ name: String, _ arguments: String, _ options: [String] = []) throws -> (String, Bool) {
    let answer = try #require(try answers([call(name, arguments)], options).first)
    let result = try #require(answer.result, "\(String(describing: answer.error))")
    return (try #require(result.content?.first?.text), result.isError ?? true)
  }

  @Test func greetsAndListsItsTools() throws {
    let answers = try answers([
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{}}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"ping"}"#,
      #"{"jsonrpc":"2.0","id":4,"method":"tools/list"}"#,
    ])
    #expect(answers.map(\.id) == [1, 2, 3, 4])
    #expect(answers[0].result?.protocolVersion == "2025-03-26")
    #expect(answers[1].result?.protocolVersion == "2025-06-18")
    #expect(
      answers[3].result?.tools?.map(\.name) == [
        "inspect", "diagnose", "modelDiff", "modelMatch", "lint", "explain", "rehearse", "planRepair",
      ])
  }

  /// Of a damaged store an assistant reads what could be saved, and of one that cannot be opened, too.
  @Test func whatCouldBeSavedIsSaid() throws {
    var bytes = try contents(of: Project.path("corpus/Notes.sqlite"))
    bytes.replaceSubrange(0..<100, with: repeatElement(0, count: 100))
    try Data(bytes).write(to: URL(fileURLWithPath: root + "/Lost.sqlite"))
    let (sentence, isError) = try result("diagnose", #"{"store":"Lost.sqlite"}"#)
    #expect(isError && sentence.contains("'storedoctor salvage' would save 15 of Note, 6 of Tag"), "\(sentence)")
    let last = try contents(of: Project.path("corpus/Notes.sqlite"))
    try Data(last.prefix(4096 * 5) + [UInt8](repeating: 0, count: 4096) + last.dropFirst(4096 * 6))
      .write(to: URL(fileURLWithPath: root + "/Damaged.sqlite"))
    let (text, isDamagedError) = try result("diagnose", #"{"store":"Damaged.sqlite"}"#)
    #expect(try !isDamagedError && (JSONTree(text)["savable"]?["saved"]?.wholeNumber ?? 0) > 30, "\(text)")
  }

  /// One judge: an assistant reads what a person would.
  @Test func anAnswerIsTheCommandsOwnJSON() throws {
    let store = try #require(realpath(root + "/Notes.sqlite", nil).map { String(cString: $0) })
    let model = try #require(realpath(root + "/Notes.xcdatamodeld", nil).map { String(cString: $0) })
    let cases: [(String, String, [String])] = [
      ("inspect", #"{"store":"Notes.sqlite"}"#, ["inspect", store]),
      ("inspect", #"{"store":"Notes.sqlite","entities":["Tag"]}"#, ["inspect", store, "--entity", "Tag"]),
      (
        "diagnose", #"{"store":"\#(store)","models":["Notes.xcdatamodeld"]}"#,
        ["diagnose", store, "--model", model]
      ),
      (
        "modelDiff", #"{"from":"Notes.sqlite","to":"Notes.xcdatamodeld"}"#, ["model", "diff", store, model]
      ),
      (
        "modelMatch", #"{"store":"Notes.sqlite","models":["./Notes.xcdatamodeld"]}"#, ["model", "match", store, model]
      ),
      ("explain", #"{"codes":["134110","SD806"]}"#, ["explain", "134110", "SD806"]),
      (
        "rehearse", #"{"store":"Notes.sqlite","models":["Notes.xcdatamodeld"]}"#,
        ["rehearse", store, "--model", model]
      ),
    ]
    for (tool, arguments, command) in cases {
      let expected = try Program.run(command + ["--format", "json"])
      let (text, isError) = try result(tool, arguments)
      #expect(!isError && withoutTimes(text) == withoutTimes(expected.output), "\(tool)")
    }
    let (plan, isError) = try result("planRepair", #"{"store":"Notes.sqlite"}"#)
    #expect(!isError && plan.contains(#""schema": "storedoctor.plan/"#), "\(plan)")
  }

  /// No two runs take the same time.
  private func withoutTimes(_ text: String) -> String { text.replacing(/"milliseconds": \d+/, with: "") }

  @Test func whatLiesOutsideOfTheRootIsRefused() throws {
    let outside = folder("Outside.sqlite")
    try FileManager.default.createSymbolicLink(atPath: root + "/link.sqlite", withDestinationPath: outside)
    try FileManager.default.createDirectory(atPath: root + "/App", withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: outside, toPath: root + "/App/App.sqlite")
    try FileManager.default.createSymbolicLink(atPath: root + "/App/App.sqlite-wal", withDestinationPath: outside)
    #expect(mkfifo(root + "/pipe", 0o600) == 0)
    for path in ["../Outside.sqlite", outside, "link.sqlite", "App", "App/App.sqlite", "..", "/"] {
      let (text, isError) = try result("inspect", #"{"store":"\#(path)"}"#)
      #expect(isError && text.hasPrefix("refusing to read '\(path)': "), "\(path): \(text)")
    }
    let (pipe, isError) = try result("inspect", #"{"store":"pipe"}"#)
    #expect(isError && pipe == "refusing to read 'pipe': it is no file and no folder")
    let (device, _) = try result("inspect", #"{"store":"/dev/zero"}"#)
    #expect(device == "refusing to read '/dev/zero': it lies outside of --root")
    for arguments in [
      #"{"store":"Notes.sqlite","models":["../Outside.sqlite"]}"#,
      #"{"store":"Notes.sqlite","storeModel":"link.sqlite"}"#,
    ] {
      #expect(try result("diagnose", arguments).1, "\(arguments)")
    }
    // Nor does a recipe lead there.
    for word in ["restore", "merge"] {
      try "version: 1\n\(word):\n  - {from: \(outside)}\n".write(
        toFile: root + "/recipe.yaml", atomically: true, encoding: .utf8)
      let (text, isError) = try result("planRepair", #"{"store":"Notes.sqlite","recipe":"recipe.yaml"}"#)
      #expect(isError && text.hasPrefix("refusing a recipe that takes objects of other stores"), "\(word): \(text)")
    }
    // A link that stays inside is one.
    try FileManager.default.createSymbolicLink(atPath: root + "/inside.sqlite", withDestinationPath: "Notes.sqlite")
    #expect(try !result("inspect", #"{"store":"inside.sqlite"}"#).1)
  }

  @Test func valuesAreShownOnlyWhereTheUserAllowsIt() throws {
    for tool in ["inspect", "planRepair"] {
      let (text, isError) = try result(tool, #"{"store":"Notes.sqlite","showValues":true}"#)
      #expect(isError && text.hasPrefix("values are not shown: "), "\(text)")
      #expect(try !result(tool, #"{"store":"Notes.sqlite","showValues":true}"#, ["--allow-values"]).1)
      #expect(try !result(tool, #"{"store":"Notes.sqlite","showValues":false}"#).1)
    }
  }

  @Test(
    arguments: [
      ("", nil), ("{", -32700), ("[1,2]", -32600), ("\"text\"", -32600), ("{}", -32600),
      (#"{"jsonrpc":"2.0","id":1}"#, -32600), (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600), (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
      (#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, -32601),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32602),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}"#, -32602),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"repair"}}"#, -32602),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"inspect"}}"#, -32602),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"inspect","arguments":{"store":1}}}"#, -32602),
      (
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"inspect","arguments":{"store":"a","x":1}}}"#,
        -32602
      ),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"explain","arguments":{}}}"#, -32602),
      (#"{"jsonrpc":"2.0","method":"nothing"}"#, nil), (#"{"jsonrpc":"2.0","id":1,"result":{}}"#, nil),
    ] as [(String, Int?)])
  func whatIsNoRequestIsAnError(line: String, code: Int?) throws {
    // The next request is answered all the same.
    let answers = try answers([line, #"{"jsonrpc":"2.0","id":9,"method":"ping"}"#])
    #expect(answers.dropLast().map(\.error?.code) == (code.map { [$0] } ?? []))
    #expect(answers.last?.id == 9 && answers.last?.result != nil)
  }

  @Test func aLineHasALimit() throws {
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20)
    let ping = Array((#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#).utf8)
    let outcome = try run(long + [0x0A] + ping)
    #expect(outcome.status == 0)
    #expect(outcome.output.split(separator: "\n").count == 2)
    #expect(outcome.output.hasPrefix(#"{"error": {"code": -32600,"message": "a message has at most 1048576 bytes"}"#))
    let deep = try answers([String(repeating: "[", count: 100_000)])
    #expect(deep.map(\.error?.code) == [-32700])
  }

  @Test func namesAreNoOptions() throws {
    let (text, isError) = try result("explain", #"{"codes":["--help"]}"#)
    #expect(isError && !text.contains("USAGE"), "\(text)")
    let (other, otherIsError) = try result("inspect", #"{"store":"Notes.sqlite","entities":["--custody"]}"#)
    #expect(otherIsError && other.contains("--custody"), "\(other)")
  }

  /// 1,000 requests with bytes exchanged, left out and doubled: an answer or none, and the next one is answered.
  @Test func alteredRequestsNeverEndIt() throws {
    var random = SeededGenerator(seed: 59)
    let requests = [
      #"{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}"#, #"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}"#,
      call("inspect", #"{"store":"None.sqlite","entities":["Note"]}"#), call("explain", #"{"codes":[]}"#),
    ].map { Array($0.utf8) }
    var input: [UInt8] = []
    for number in 0..<1000 {
      var line = requests[number % requests.count]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: line.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: line[place] = UInt8.random(in: .min ... .max, using: &random)
        case 1: line.remove(at: place)
        case 2: line.insert(line[place], at: place)
        default: line.removeSubrange(place..<min(place + 7, line.count))
        }
        if line.isEmpty { line = [0x20] }
      }
      input += line.filter { $0 != 0x0A } + [0x0A]
    }
    let outcome = try run(input + Array((#"{"jsonrpc":"2.0","id":9999,"method":"ping"}"# + "\n").utf8))
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count > 500)
    for line in lines {
      let answer = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(answer["jsonrpc"] as? String == "2.0" && (answer["result"] == nil) != (answer["error"] == nil))
    }
    #expect(lines.last == #"{"id": 9999,"jsonrpc": "2.0","result": {}}"#)
  }

  @Test func aRootThatIsNoFolderIsSaid() throws {
    let outcome = try Program.run(["mcp", "--root", root + "/Notes.sqlite"])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("--root has to be a folder"))
    #expect(try Program.run(["mcp"]).status == 64)
  }

  /// A command that runs for an assistant ends with the program that started it, whatever ended that.
  @Test func noCommandOutlivesTheServer() throws {
    // Its standard input, which is the server's, has ended; nobody reads what it prints, so that it cannot end by itself.
    let pipe = folder("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let outcome = try Program.launch(
      ["sh", "-c", #"exec 5<>"$1"; "$0" --experimental-dump-help < /dev/null > "$1"; echo $?"#, Program.path, pipe],
      environment: ["STOREDOCTOR_ENDS_WITH_INPUT": "1"])
    #expect(outcome.output == "\(128 + SIGTERM)\n")
  }
}
