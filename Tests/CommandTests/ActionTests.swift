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

  /// The inputs of the action with `inputs` in place of their defaults; what the job prints, and its status.
  private func job(_ inputs: [String: String]) throws -> (output: String, status: Int32) {
    let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: Project.path("action.yml"))))
    let action = try #require(try YAMLNode.reading(bytes)).members([
      "name", "description", "inputs", "runs",
    ])
    var values: [String: String] = [:]
    for input in try #require(action["inputs"]).entries() {
      let fields = try input.value.members(["description", "default"])
      values["inputs.\(input.name)"] = inputs[input.name] ?? (try? fields["default"]?.text()) ?? ""
    }
    var output = ""
    var path = "/usr/bin:/bin"
    for step in try #require(action["runs"]).members(["using", "steps"])["steps"]?.elements() ?? [] {
      let step = try step.members(["name", "id", "if", "shell", "env", "run", "uses", "with", "continue-on-error"])
      let condition = try step["if"]?.text() ?? ""
      guard let script = try step["run"]?.text() else { continue }
      if condition.contains("inputs.pins") && values["inputs.pins"] == "" { continue }
      if condition.contains("outputs.report") && values["steps.lint.outputs.report"] == nil { continue }
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
      guard run.status == 0 else { return (output, run.status ?? -1) }
      for added in try String(contentsOfFile: folder("path"), encoding: .utf8).split(separator: "\n") {
        path = "\(added):\(path)"
      }
      for line in try String(contentsOfFile: folder("output"), encoding: .utf8).split(separator: "\n") {
        let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
        values["steps.\(try step["id"]?.text() ?? "").outputs.\(parts[0])"] = parts.last
      }
    }
    return (output, 0)
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

  @Test func saysThatStoredoctorIsNotThere() throws {
    let job = try job([:])
    #expect(job.status == 2 && job.output.contains("::error title=storedoctor::storedoctor is not on this runner"))
  }
}
