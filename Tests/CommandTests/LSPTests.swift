import Foundation
import TestSupport
import Testing

/// What an editor gets over standard input and output, by hand-written frames.
@Suite struct LSPTests {
  private let folder: TemporaryFolder

  /// The letter before the property is two units of UTF-16, and four bytes of UTF-8.
  private static let source = """
    enum V1: VersionedSchema {
      static var models: [any PersistentModel.Type] { [Note.self] }
      @Model final class Note {
        /* 𝒙 */ var description = ""
        init() {}
      }
    }

    """

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder("an app"), withIntermediateDirectories: true)
    try folder.write(Array(Self.source.utf8), to: "an app/V1.swift")
  }

  private func uri(_ name: String) -> String { "file://" + folder(name).replacing(" ", with: "%20") }

  private static func frame(_ text: String) -> String { "Content-Length: \(text.utf8.count)\r\n\r\n\(text)" }

  private func run(_ input: String, _ options: [String] = [], path: String? = nil) throws -> Program.Outcome {
    let file = try folder.write(Array(input.utf8), to: "input")
    let environment = path.map { ["PATH": $0] } ?? [:]
    return try Program.launch(
      ["/bin/sh", "-c", #"input=$1; shift; exec "$@" < "$input""#, "sh", file, Program.path, "lsp", "--no-config"]
        + options, environment: environment)
  }

  /// The messages of the server.
  private func messages(_ output: String) throws -> [JSONTree] {
    var (rest, messages): (Substring, [JSONTree]) = (output[...], [])
    while !rest.isEmpty {
      let head = try #require(rest.utf8.split(separator: 0x0D, maxSplits: 1).first.map { String(Substring($0)) })
      let length = try #require(Int(head.dropFirst("Content-Length: ".count)))
      let body = rest.utf8.dropFirst(head.utf8.count + 4)
      messages.append(try JSONTree(String(Substring(body.prefix(length)))))
      rest = Substring(body.dropFirst(length))
    }
    return messages
  }

  private func initialize(_ more: String = "") -> String {
    Self.frame(
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":"\#(uri("an app"))"\#(more)}}"#)
  }

  private static let end =
    frame(#"{"jsonrpc":"2.0","id":"e","method":"shutdown"}"#) + frame(#"{"jsonrpc":"2.0","method":"exit"}"#)

  private func notify(_ method: String, _ parameters: String) -> String {
    Self.frame(#"{"jsonrpc":"2.0","method":"textDocument/\#(method)","params":\#(parameters)}"#)
  }

  /// Whether SD983 was among what was shown of a file, each time that something was.
  private func marks(_ uri: String, _ messages: [JSONTree]) -> [Bool] {
    messages.compactMap { message -> Bool? in
      guard message["params"]?["uri"]?.string == uri else { return nil }
      let findings: [JSONTree] = message["params"]?["diagnostics"]?.list ?? []
      return findings.contains { $0["code"]?.string == "SD983" }
    }
  }

  /// An editor that sends each of `steps` after the server said so many times what it read, and something was done.
  private func talk(
    with program: String = Program.path, _ steps: [(send: String, reads: Int, then: () throws -> Void)]
  ) throws -> [JSONTree] {
    var script = #"mkfifo pipe; "$1" lsp --no-config < pipe > output & exec 3> pipe; "#
    for number in steps.indices {
      script += "cat step\(number) >&3; while [ ! -e go\(number) ]; do sleep 0.02; done; "
      try folder.write(Array(steps[number].send.utf8), to: "step\(number)")
    }
    let editor = try Program.Background(
      ["/bin/sh", "-c", #"cd "$0" && \#(script) exec 3>&-; wait"#, folder.path, program])
    let output = { (try? String(contentsOfFile: folder("output"), encoding: .utf8)) ?? "" }
    let reads = { output().matches(of: /(?: Swift files, |showMessage)/).count }
    for (number, step) in steps.enumerated() {
      for _ in 0..<3000 where reads() < step.reads { usleep(20_000) }
      try step.then()
      try folder.write([], to: "go\(number)")
    }
    for _ in 0..<3000 where editor.isRunning { usleep(20_000) }
    return try messages(output())
  }

  @Test func showsFindingsWhereTheyStand() throws {
    for (offer, unit, column) in [
      ("", "utf-16", 17), (#","capabilities":{"general":{"positionEncodings":["utf-16"]}}"#, "utf-16", 17),
      (#","capabilities":{"general":{"positionEncodings":["utf-8","utf-16"]}}"#, "utf-8", 19),
    ] {
      let outcome = try run(initialize(offer) + Self.frame(#"{"jsonrpc":"2.0","method":"initialized"}"#))
      #expect(outcome.status == 1 && outcome.errors.isEmpty, "\(outcome.errors)")
      let messages = try messages(outcome.output)
      #expect(messages.first?["result"]?["capabilities"]?["positionEncoding"]?.string == unit)
      let shown = try #require(messages.first { $0["method"]?.string == "textDocument/publishDiagnostics" }?["params"])
      #expect(shown["uri"]?.string == uri("an app/V1.swift"))
      let finding = try #require(shown["diagnostics"]?.list?.first { $0["code"]?.string == "SD983" })
      #expect(finding["severity"]?.wholeNumber == 1)
      #expect(finding["message"]?.string == "a property named description is refused [SD983 property-name-taken]")
      let range = finding["range"]
      #expect(range?["start"]?["line"]?.wholeNumber == 3 && range?["end"]?["line"]?.wholeNumber == 3)
      #expect(range?["start"]?["character"]?.wholeNumber == Int64(column))
      #expect(range?["end"]?["character"]?.wholeNumber == Int64(column + "description".count))
    }
  }

  /// One judge: an editor shows what the command finds, and logs what it did not check.
  @Test func showsWhatLintFinds() throws {
    let command = try Program.run(["lint", "--no-config", folder("an app"), "--format", "json"])
    let report = try JSONTree(command.output)
    let messages = try messages(try run(initialize()).output)
    let codes = messages.flatMap { $0["params"]?["diagnostics"]?.list ?? [] }.compactMap { $0["code"]?.string }
    let found = (report["findings"]?.list ?? []).compactMap { $0["id"]?.string }
    #expect(codes.sorted() == found.sorted() && !codes.isEmpty)
    let log = messages.compactMap { $0["params"]?["message"]?.string }.joined(separator: "\n")
    for skipped in report["skipped"]?.list ?? [] {
      #expect(log.contains("not checked: \(skipped["reason"]?.string ?? "?")"))
    }
    #expect(log.contains("1 Swift files, "))
  }

  @Test func aSaveIsReadAgainAndAClosedFileIsForgotten() throws {
    try folder.write(Array(Self.source.utf8), to: "Alone.swift")
    let alone = #"{"textDocument":{"uri":"\#(uri("Alone.swift"))"}}"#
    let mended = Array(Self.source.replacing("description", with: "text").utf8)
    let messages = try talk([
      (initialize(), 1, { try folder.write(mended, to: "an app/V1.swift") }),
      (notify("didSave", #"{"textDocument":{"uri":"\#(uri("an app/V1.swift"))"}}"#), 2, {}),
      (notify("didOpen", alone), 4, {}), (notify("didClose", alone), 5, {}), (Self.end, 5, {}),
    ])
    let (app, other) = (uri("an app/V1.swift"), uri("Alone.swift"))
    #expect(marks(app, messages).prefix(2) == [true, false])
    #expect(marks(other, messages) == [true, false])
    #expect(messages.last?["id"]?.string == "e")
  }

  /// Where the reader fails, the findings of before stay, and the editor says why; nothing looks mended.
  @Test func whatCannotBeReadKeepsItsFindings() throws {
    let program = try folder.copyProgram(Program.path, to: "storedoctor")
    _ = try folder.writeScript(
      "[ -e '\(folder("broken"))' ] && exit 3; exec '\(Program.path)-swiftdata' \"$@\"", to: "storedoctor-swiftdata")
    let app = uri("an app/V1.swift")
    let messages = try talk(
      with: program,
      [
        (initialize(), 1, { try folder.write([], to: "broken") }),
        (notify("didSave", #"{"textDocument":{"uri":"\#(app)"}}"#), 2, {}), (Self.end, 2, {}),
      ])
    #expect(marks(app, messages) == [true])
    #expect(messages.contains { $0["method"]?.string == "window/showMessage" })
  }

  /// A real editor, with the settings that the guide has for it, marks the word, and forgets it when a save mends it.
  @Test(.needs("nvim")) func neovimMarksWhatIsFound() throws {
    let guide = try String(contentsOfFile: Project.path("docs/guides/lint-in-an-editor.md"), encoding: .utf8)
    let settings = guide.matches(of: /```lua\n((?s).*?)```/).map { String($0.output.1) }
    try #require(settings.count == 2)
    try folder.write(Array(settings[0].utf8), to: "new.lua")
    try folder.write(Array(settings[1].utf8), to: "old.lua")
    try folder.write(
      Array("vim.cmd('filetype on | luafile ../' .. (vim.lsp.config and 'new.lua' or 'old.lua'))".utf8), to: "init.lua")
    let script = """
      local seen = {}
      local function wait_for(words)
        local function marked()
          for _, one in ipairs(vim.diagnostic.get(0)) do
            local line = vim.api.nvim_buf_get_lines(0, one.lnum, one.lnum + 1, false)[1]
            if one.message:find("SD983") then return one.severity .. " " .. line:sub(one.col + 1, one.end_col) end
          end
          return "nothing"
        end
        vim.wait(60000, function() return marked() == words end, 20)
        table.insert(seen, marked())
      end
      wait_for("1 description")
      vim.cmd("%s/description/text/ | write")
      wait_for("nothing")
      vim.cmd("%s/text/description/ | write")
      wait_for("1 description")
      vim.fn.writefile(seen, "../seen")
      vim.cmd("qa!")

      """
    try folder.write(Array(script.utf8), to: "script.lua")
    let outcome = try Program.launch(
      [
        "/bin/sh", "-c",
        "cd \"$0/an app\" && exec nvim --headless -n -i NONE -u ../init.lua -c 'luafile ../script.lua' V1.swift",
        folder.path,
      ],
      environment: [
        "PATH": (Program.path as NSString).deletingLastPathComponent + ":"
          + (ProcessInfo.processInfo.environment["PATH"] ?? ""), "HOME": folder.path,
      ])
    let seen = try String(contentsOfFile: folder("seen"), encoding: .utf8)
    #expect(seen == "1 description\nnothing\n1 description\n", "\(outcome.errors)")
  }

  @Test func endsAsTheProtocolAsksFor() throws {
    #expect(try run(initialize() + Self.end).status == 0)
    #expect(try run(initialize() + Self.frame(#"{"jsonrpc":"2.0","method":"exit"}"#)).status == 1)
    #expect(try run("").status == 1)
    let early = try run(Self.frame(#"{"jsonrpc":"2.0","id":7,"method":"shutdown"}"#))
    #expect(try messages(early.output).first?["error"]?["code"]?.wholeNumber == -32002)
    let unknown = try run(initialize() + Self.frame(#"{"jsonrpc":"2.0","id":8,"method":"textDocument/hover"}"#))
    let answer = try messages(unknown.output).first { $0["id"]?.wholeNumber == 8 }
    #expect(answer?["error"]?["code"]?.wholeNumber == -32601)
    let long = String(repeating: "a", count: 5000)
    for garbage in ["hello\n", "Content-Length: -1\r\n\r\n{}", "Content-Type: x\r\n\r\n", long] {
      let outcome = try run(garbage)
      #expect(outcome.status == 2 && outcome.errors.contains("is started by an editor"), "\(garbage.prefix(20))")
    }
    // What is too long is passed over, and the next message is read.
    let longest = Self.frame(String(repeating: " ", count: 16 << 20 | 1))
    #expect(try messages(try run(longest + Self.frame(#"{"id":3}"#)).output).count == 2)
  }

  @Test func saysThatTheReaderIsMissing() throws {
    let alone = try folder.copyProgram(Program.path, to: "storedoctor")
    let file = try folder.write(Array(initialize().utf8), to: "input")
    let outcome = try Program.launch(
      ["/bin/sh", "-c", "exec '\(alone)' lsp < '\(file)'"], environment: ["PATH": "/nowhere"])
    let said = try messages(outcome.output).first { $0["method"]?.string == "window/showMessage" }
    #expect(said?["params"]?["message"]?.string?.contains("'storedoctor-swiftdata' is neither") == true)
  }

  /// Whatever an editor sends, the server says something or ends with a reason.
  @Test func alteredMessagesEndNothing() throws {
    let whole = Array((initialize() + Self.end).replacing(uri("an app"), with: "file:///nowhere").utf8)
    var random = SeededGenerator(seed: 59)
    for _ in 0..<(LongRuns.areWanted ? 1000 : 40) {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let position = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[position] = .random(in: 0...255, using: &random)
        case 1: bytes.remove(at: position)
        default: bytes.insert(.random(in: 0x20...0x7E, using: &random), at: position)
        }
      }
      let file = try folder.write(bytes, to: "input")
      let outcome = try Program.launch(
        ["/bin/sh", "-c", #"exec "$0" lsp --no-config < "$1""#, Program.path, file], limit: 20)
      #expect(outcome.signal == nil && [0, 1, 2].contains(outcome.status), "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
