import Foundation
import StoreYAML
import TestSupport
import Testing

/// The shell steps of `action.yml`, run one after the other as a runner does; the upload of SARIF is left out.
@Suite(.needs("bash")) struct ActionTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: Project.path("corpus/Trips/Models"), toPath: folder("Models"))
    let pinned = try Program.run(["model", "pin", folder("Models") + "#TripsV2", "--output", folder("v2.json")])
    #expect(pinned.status == 0, "\(pinned.errors)")
  }

  /// The inputs of the action with `inputs` in place of their defaults; what the job prints, and its status. A step that is
  /// another action, as the upload, ends with the outcome `uploads`.
  private func job(_ inputs: [String: String], uploads: String = "failure") throws -> (output: String, status: Int32) {
    let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: Project.path("action.yml"))))
    let action = try #require(try YAMLNode.reading(bytes)).members([
      "name", "description", "inputs", "runs",
    ])
    var values: [String: String] = [:]
    for input in try #require(action["inputs"]).entries() {
      let fields = try input.value.members(["description", "default"])
      values["inputs.\(input.name)"] = inputs[input.name] ?? (try? fields["default"]?.text()) ?? ""
    }
    #expect(inputs.keys.filter { values["inputs.\($0)"] == nil } == [])
    var (output, status, path) = ("", Int32(0), "/usr/bin:/bin")
    for step in try #require(action["runs"]).members(["using", "steps"])["steps"]?.elements() ?? [] {
      let step = try step.members(["name", "id", "if", "shell", "env", "run", "uses", "with", "continue-on-error"])
      guard try isRun(step["if"]?.text() ?? "", values, hasFailed: status != 0) else { continue }
      let id = try step["id"]?.text() ?? ""
      guard let script = try step["run"]?.text() else {
        values["steps.\(id).outcome"] = uploads
        let mayFail = try step["continue-on-error"]?.text() == "true"
        #expect(mayFail || uploads == "success")
        continue
      }
      var environment = [
        "PATH": path, "RUNNER_TEMP": folder.path, "GITHUB_PATH": folder("path"), "GITHUB_OUTPUT": folder("output"),
      ]
      for variable in try step["env"]?.entries() ?? [] {
        let name = try variable.value.text().dropFirst("${{ ".count).dropLast(" }}".count)
        environment[variable.name] = values[String(name)] ?? ""
      }
      for file in ["path", "output"] { try Data().write(to: URL(fileURLWithPath: folder(file))) }
      let run = try Program.launch(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", "cd '\(folder.path)'\n" + script],
        environment: environment)
      output += run.output + run.errors
      values["steps.\(id).outcome"] = run.status == 0 ? "success" : "failure"
      if run.status != 0, try step["continue-on-error"]?.text() != "true" { status = max(status, run.status ?? -1) }
      for added in try String(contentsOfFile: folder("path"), encoding: .utf8).split(separator: "\n") {
        path = "\(added):\(path)"
      }
      for line in try String(contentsOfFile: folder("output"), encoding: .utf8).split(separator: "\n") {
        let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
        values["steps.\(id).outputs.\(parts[0])"] = parts.last
      }
    }
    return (output, status)
  }

  /// Whether a step with this condition runs: terms such as `inputs.path != ''`, joined by `&&`.
  private func isRun(_ condition: String, _ values: [String: String], hasFailed: Bool) throws -> Bool {
    if condition.isEmpty { return !hasFailed }
    let terms = condition.replacing("${{ ", with: "").replacing(" }}", with: "").components(separatedBy: " && ")
    guard !hasFailed || terms.contains("!cancelled()") else { return false }
    return try terms.filter { $0 != "!cancelled()" }.allSatisfy { term in
      let match = try #require(term.wholeMatch(of: /([a-z0-9.-]+) ([!=])= '([a-z]*)'/), "\(term)")
      let (_, name, sign, word) = match.output
      return (values[String(name)] ?? "" == word) == (sign == "=")
    }
  }

  private var binaries: String { (Program.path as NSString).deletingLastPathComponent }

  @Test func passesWhereNothingIsWrong() throws {
    let job = try job(["binaries": binaries, "pins": "v2.json\n", "path": "Models"])
    #expect(job.status == 0 && !job.output.contains("::error"), "\(job.output)")
    #expect(job.output.contains("::notice file=Models/TripsV3.swift,line=6,title=SD903"))
  }

  /// The gate comes after the annotations, and what the source says gives the runner no commands.
  @Test func annotatesAndFails() throws {
    let version = folder("Models/TripsV2.swift")
    let text = try String(contentsOfFile: version, encoding: .utf8)
    let edited = text.replacing("    var isArchived", with: "    var description = \"::error::\"\n    var isArchived")
    try folder.write(Array(edited.utf8), to: "Models/TripsV2.swift")
    let job = try job(["binaries": binaries, "pins": "v2.json"])
    #expect(job.status == 1, "\(job.output)")
    #expect(job.output.contains("::error title=storedoctor::a released version changed"))
    #expect(job.output.contains("::error file=Models/TripsV2.swift,line="))
    let token = try #require(job.output.firstMatch(of: /::stop-commands::([0-9a-f]{32})\n/)).1
    #expect(job.output.contains("::\(token)::\n"))
  }

  @Test func storesOfACoreDataModelAreAGateWithoutSource() throws {
    for (name, copy) in [("Notes.sqlite", "Notes 2.sqlite"), ("Notes.xcdatamodeld", "Notes.xcdatamodeld")] {
      try FileManager.default.copyItem(atPath: Project.path("corpus/\(name)"), toPath: folder(copy))
    }
    let inputs = ["binaries": binaries, "path": "", "stores": "Notes 2.sqlite\n", "models": "Notes.xcdatamodeld\n"]
    for uploads in ["failure", "success"] {
      let job = try job(inputs, uploads: uploads)
      #expect(job.status == 1 && job.output.contains("stores: status 1\n"), "\(job.output)")
      #expect(job.output.contains("SD806 Note.modifiedAt") && !job.output.contains("lint: status"))
      #expect(try contents(of: folder("storedoctor-stores.sarif")).count > 100)
    }
    #expect(try job(inputs.merging(["models": ""]) { $1 }).status == 0)
    let missing = try job(inputs.merging(["stores": "nothing\n"]) { $1 })
    #expect(missing.status == 2, "\(missing.output)")
  }

  @Test(.needs("sha256sum")) func takesAReleaseWithTheRightSumAlone() throws {
    try FileManager.default.createDirectory(atPath: folder("release/s-0/bin"), withIntermediateDirectories: true)
    _ = try folder.writeScript("exec '\(Program.path)' \"$@\"", to: "release/s-0/bin/storedoctor")
    try FileManager.default.copyItem(atPath: Project.path("corpus/Notes.sqlite"), toPath: folder("Notes.sqlite"))
    let packed = try Program.launch([
      "sh", "-c", "cd \"$0\" && tar -czf release.tar.gz -C release s-0 && sha256sum release.tar.gz", folder.path,
    ])
    let inputs = ["path": "", "stores": "Notes.sqlite", "archive": "release.tar.gz"]
    let sum = String(packed.output.prefix(64))
    #expect(try job(inputs.merging(["sha256": sum]) { $1 }).status == 0)
    for wrong in ["", "abc", String(repeating: "0", count: 64)] {
      let job = try job(inputs.merging(["sha256": wrong]) { $1 })
      #expect(job.status == 2 && job.output.contains("::error title=storedoctor::"), "\(wrong): \(job.output)")
    }
  }

  @Test func askingNothingIsNoPass() throws {
    #expect(try job(["binaries": binaries, "path": ""]).status == 2)
  }

  @Test func saysThatStoredoctorIsNotThere() throws {
    let job = try job([:])
    #expect(job.status == 2 && job.output.contains("::error title=storedoctor::storedoctor is not on this runner"))
  }
}
