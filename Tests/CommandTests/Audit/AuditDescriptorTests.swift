import Foundation
import TestSupport
import Testing

/// Running out of file descriptors is an error of the process and is never reported as a finding in a store.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["STOREDOCTOR"] == nil, "skipped: not a debug build"))
struct AuditDescriptorTests {
  /// The bundle has three versions, of which the store is the first.
  private let models = Project.path("corpus/School.xcdatamodeld")

  /// An audit under `ulimit -n`, which the workers inherit and cannot raise. What other tests start at the same moment
  /// may leave it descriptors of theirs, which would count: they are closed.
  private func audit(_ arguments: [String], descriptors: Int) throws -> AuditRun {
    let script = """
      for number in {3..99}; do eval "exec $number>&-"; done
      ulimit -n \(descriptors) && exec "$0" audit --no-config "$@"
      """
    return AuditRun(
      try Program.launch(
        ["bash", "-c", script, Program.path] + arguments, environment: ["STOREDOCTOR_FAULTS": "1"]))
  }

  @Test(arguments: [1, 2]) func everyStoreOfAFleetIsAnswered(jobs: Int) throws {
    let folder = try TemporaryFolder()
    for number in 100..<(LongRuns.areWanted ? 2100 : 700) {
      _ = try folder.copyStore(Project.path("corpus/School.sqlite"), as: "\(number).sqlite")
    }
    let run = try audit([folder.path, "--model", models, "--jobs", "\(jobs)"], descriptors: 64)
    let lines = try run.lines
    #expect(lines.count == (LongRuns.areWanted ? 2000 : 600))
    #expect(Set(lines.map(\.status)) == ["audited"] && Set(lines.map(\.verdict)) == ["needs-custom-stage"])
    #expect(run.status == 1)
  }

  @Test func aWorkerThatRunsOutIsReplaced() throws {
    let folder = try TemporaryFolder()
    let names = (10..<40).map { $0 % 4 == 0 ? "\($0).leak-15@checking.sqlite" : "\($0).sqlite" }
    for name in names { _ = try folder.copyStore(Project.path("corpus/School.sqlite"), as: name) }
    let run = try audit([folder.path, "--jobs", "2"], descriptors: 64)
    #expect(try run.lines.map(\.status) == names.map { _ in "audited" })
    #expect(run.status == 0)
  }

  /// With 25 descriptors, a store that cannot be opened could not be told from one for which no descriptor is left.
  @Test func tooFewEndTheRun() throws {
    let folder = try TemporaryFolder()
    _ = try folder.copyStore(Project.path("corpus/School.sqlite"))
    let run = try audit([folder.path], descriptors: 25)
    #expect(run.status == 2 && run.outcome.output == "")
    #expect(run.outcome.errors.contains("a store may take 32; raise the limit ('ulimit -n')"))
  }
}
