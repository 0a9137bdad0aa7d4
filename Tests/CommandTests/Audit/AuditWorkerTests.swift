import Foundation
import StorePlatform
import TestSupport
import Testing

/// Crashes, hangs and the like, which debug builds can be asked for by the name of a file (see `WorkerFault`).
@Suite(.enabled(if: ProcessInfo.processInfo.environment["STOREDOCTOR"] == nil, "skipped: not a debug build"))
struct AuditWorkerTests {
  private let faults = ["STOREDOCTOR_FAULTS": "1"]

  private func folder(_ names: [String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in names { _ = try folder.copyStore(Project.path("corpus/School.sqlite"), as: name) }
    return folder
  }

  @Test(arguments: [1, 2, 5]) func aStoreThatEndsItsWorkerCostsOneLine(jobs: Int) throws {
    let folder = try folder([
      "a.sqlite", "b.crash-11@opening.sqlite", "c.sqlite", "d.crash-6@checking.sqlite", "e.crash-9@writing.sqlite",
      "f.exit-3@checking.sqlite", "g.crash-7@opening.sqlite", "h.crash-5@checking.sqlite", "i.sqlite",
    ])
    let run = try AuditRun([folder.path, "--jobs", "\(jobs)"], environment: faults)
    #expect(
      try run.table(below: folder.path) == """
        a.sqlite  audited  healthy
        b.crash-11@opening.sqlite  crashed  crashed  opening  signal 11
        c.sqlite  audited  healthy
        d.crash-6@checking.sqlite  crashed  crashed  checking  signal 6
        e.crash-9@writing.sqlite  crashed  crashed  writing  signal 9
        f.exit-3@checking.sqlite  crashed  crashed  checking
        g.crash-7@opening.sqlite  crashed  crashed  opening  signal 7
        h.crash-5@checking.sqlite  crashed  crashed  checking  signal 5
        i.sqlite  audited  healthy
        """)
    #expect(run.status == 1)
    #expect(try run.lines.flatMap { $0.findings ?? [] }.map(\.id) == Array(repeating: "SD101", count: 6))
  }

  /// A worker's connection closes before its exit status is known. Here that takes a third of a second, as on a busy
  /// machine; the audit must wait for it.
  @Test func theSignalIsOneThatTheWorkerEndedBy() throws {
    let folder = try folder(["a.sqlite", "b.leave-6@checking.sqlite", "c.sqlite"])
    let run = try AuditRun([folder.path], environment: faults)
    #expect(
      try run.table(below: folder.path) == """
        a.sqlite  audited  healthy
        b.leave-6@checking.sqlite  crashed  crashed  checking  signal 6
        c.sqlite  audited  healthy
        """)
  }

  /// A worker is sent several small files at once; a crash costs only the one it works on, and the others are done
  /// again.
  @Test func aCrashAmongManyCostsOneLine() throws {
    let folder = try TemporaryFolder()
    let names = (100..<300).map { $0 % 20 == 0 ? "\($0).crash-6@opening.sqlite" : "\($0).sqlite" }
    for name in names { _ = try folder.write([], to: name) }
    let run = try AuditRun([folder.path, "--jobs", "2"], environment: faults)
    let rows = try run.table(below: folder.path).split(separator: "\n").map { $0.split(separator: " ") }
    #expect(rows.map { $0[0] } == names.map { $0[...] })
    #expect(
      rows.filter { $0.contains("crashed") }.map { $0[0] } == names.filter { $0.contains("crash") }.map { $0[...] })
  }

  /// A worker that is busy with a slow store gives back the files that wait behind it; each has one line, in its place.
  @Test func whatWaitsBehindASlowStoreHasOneLineEach() throws {
    let folder = try folder((10..<60).map { $0 % 9 == 1 ? "\($0).slow@checking.sqlite" : "\($0).sqlite" })
    let whole = try AuditRun([folder.path, "--jobs", "1"])
    #expect(try whole.lines.count == 50)
    #expect(
      try AuditRun([folder.path, "--jobs", "3"], environment: faults).outcome.output == whole.outcome.output)
  }

  @Test func aStoreThatTakesTooLongIsGivenUp() throws {
    let folder = try folder(["a.sqlite", "b.hang@checking.sqlite", "c.sqlite", "d.slow@opening.sqlite", "e.sqlite"])
    let run = try AuditRun([folder.path, "--jobs", "2", "--timeout", "8"], environment: faults)
    #expect(
      try run.table(below: folder.path) == """
        a.sqlite  audited  healthy
        b.hang@checking.sqlite  timed-out  timed-out  checking
        c.sqlite  audited  healthy
        d.slow@opening.sqlite  audited  healthy
        e.sqlite  audited  healthy
        """)
  }

  /// A machine that sleeps, or a debugger, stops all processes, and they do not go on at the same moment.
  ///
  /// The time limit is short, so that a stop beyond it is. On a busy machine a store may need more than that for itself;
  /// then a longer one is tried. Time that is counted wrongly is beyond each of them.
  @Test(.needs("pgrep")) func timeInWhichNothingRunsIsNoStoresTime() throws {
    var lines = ""
    for (limit, stop, later) in [("0.8", "1", "0.1"), ("3", "3.5", "0.5"), ("12", "13", "1")] {
      let folder = try folder((10..<16).map { "\($0).slow@opening.sqlite" })
      let script = """
        "$0" audit --no-config --timeout \(limit) --jobs 2 "$1" --resume "$1/lines.jsonl" & audit=$!
        until [ -s "$1/lines.jsonl" ]; do sleep 0.02; done
        workers=$(pgrep -P $audit)
        kill -STOP $audit $workers; sleep \(stop)
        kill -CONT $audit; sleep \(later)
        kill -CONT $workers
        wait $audit
        """
      let run = try Program.launch(["sh", "-c", script, Program.path, folder.path], environment: faults)
      lines = try String(contentsOfFile: folder("lines.jsonl"), encoding: .utf8)
      #expect(lines.split(separator: "\n").count == 6)
      if run.status == 0, !lines.contains("timed-out") { return }
    }
    Issue.record("stopped time counts: \(lines)")
  }

  #if os(Linux)
    @Test func aStoreThatNeedsTooMuchMemoryIsGivenUp() throws {
      let folder = try folder(["a.sqlite", "b.eat@checking.sqlite", "c.sqlite"])
      let run = try AuditRun([folder.path, "--memory", "128"], environment: faults)
      #expect(
        try run.table(below: folder.path) == """
          a.sqlite  audited  healthy
          b.eat@checking.sqlite  over-memory  over-memory  checking
          c.sqlite  audited  healthy
          """)
    }
  #endif

  @Test func aWorkerThatCannotStartEndsTheRun() throws {
    let folder = try folder(["a.sqlite"])
    let run = try AuditRun([folder.path], environment: ["STOREDOCTOR_FAULTS": "start"])
    #expect(run.status == 2)
    #expect(run.outcome.errors.contains("cannot start a worker: it ended at once"))
    #expect(run.outcome.output == "")
  }

  /// Whenever an audit is killed, what it has written is a prefix of all lines, and resuming it gives all of them.
  @Test(arguments: LongRuns.seeds(6, whole: 100)) func aKilledRunGoesOnWhereItStopped(seed: UInt64) throws {
    let folder = try folder((10..<50).map { $0 % 7 == 0 ? "\($0).crash-6@checking.sqlite" : "\($0).sqlite" })
    let whole = try AuditRun([folder.path], environment: faults)
    let lines = folder("lines.jsonl")
    // Spread over the length of the run, whichever seeds are used.
    let moment = Double(seed * 37 % 100) / 100 * 2.5
    var kills = 0
    for _ in 0..<3 {
      let run = try AuditRun(
        [folder.path, "--resume", lines, "--jobs", "2"], environment: faults, limit: moment + 0.02)
      if run.outcome.wasKilled { kills += 1 }
      let written = (try? String(decoding: contents(of: lines), as: UTF8.self)) ?? ""
      #expect(whole.outcome.output.hasPrefix(written), "killed after \(moment) s")
    }
    let last = try AuditRun([folder.path, "--resume", lines], environment: faults)
    let written = try String(decoding: contents(of: lines), as: UTF8.self).split(separator: "\n")
    let expected = whole.outcome.output.split(separator: "\n")
    #expect(written.count == expected.count, "killed \(kills) times")
    for (line, other) in zip(written, expected) { #expect(line == other, "killed \(kills) times") }
    #expect(last.status == 1)
  }

  @Test func aTornLineIsMadeAgain() throws {
    let folder = try folder(["a.sqlite", "b.sqlite", "c.sqlite"])
    let whole = Array(try AuditRun([folder.path]).outcome.output.utf8)
    let store = try TemporaryFolder()
    let first = try #require(whole.firstIndex(of: UInt8(ascii: "\n"))) + 1
    for length in [0] + Array(stride(from: first, through: whole.count, by: 97)) {
      let lines = try store.write(Array(whole.prefix(length)), to: "lines")
      _ = try AuditRun([folder.path, "--resume", lines, "--quiet"])
      #expect(try contents(of: lines) == whole, "cut at \(length)")
    }
  }

  @Test(arguments: ["{\"name\": \"a package\"}", "{\"name\": \"a package\"}\nand more", "text\n", "{\"bytes\": 40"])
  func aFileOfSomethingElseIsNotTouched(content: String) throws {
    let folder = try folder(["a.sqlite"])
    let place = try TemporaryFolder()
    let file = try place.write(Array(content.utf8), to: "package.json")
    let run = try AuditRun([folder.path, "--resume", file])
    #expect(run.status == 2)
    #expect(run.outcome.errors.contains("its first line is none of an audit"))
    #expect(try contents(of: file) == Array(content.utf8))
  }

  @Test(.needs("python3")) func twoAuditsDoNotWriteToOneFile() throws {
    let folder = try folder(["a.sqlite"])
    let place = try TemporaryFolder()
    let other = """
      import fcntl, pathlib, sys, time
      file = open(sys.argv[1], "w")
      fcntl.flock(file, fcntl.LOCK_EX)
      pathlib.Path(sys.argv[2]).touch()
      time.sleep(600)
      """
    var holder: Program.Background? = try Program.Background(["python3", "-c", other, place("lines"), place("ready")])
    for _ in 0..<600 where !FileManager.default.fileExists(atPath: place("ready")) { usleep(50_000) }
    let run = try AuditRun([folder.path, "--resume", place("lines")])
    #expect(run.status == 2)
    #expect(run.outcome.errors.contains("another audit is writing to it; wait for its end"))
    #expect(holder?.isRunning == true)
    holder = nil
    #expect(try AuditRun([folder.path, "--resume", place("lines")]).status == 0)
  }

  @Test func linesOfAnotherRunAreNotGoneOnFrom() throws {
    let folder = try folder(["a.sqlite", "b.sqlite"])
    let place = try TemporaryFolder()
    let lines = place("lines")
    #expect(try AuditRun([folder("a.sqlite"), "--resume", lines]).status == 0)
    let other = try AuditRun([folder("b.sqlite"), "--resume", lines])
    #expect(other.status == 2)
    #expect(other.outcome.errors.contains("cannot resume: line 1 is about"))
    let options = try AuditRun([folder("a.sqlite"), "--resume", lines, "--examples", "1"])
    #expect(options.status == 2)
    #expect(options.outcome.errors.contains("was made with other models, checks or options"))
  }

  @Test func aSignalEndsTheRunAndLeavesWholeLines() throws {
    let folder = try folder((10..<60).map { "\($0).slow@opening.sqlite" })
    let lines = folder("lines.jsonl")
    let script = """
      "$0" audit --no-config "$1" --resume "$2" & audit=$!
      until [ -s "$2" ]; do sleep 0.1; done
      kill -TERM $audit; wait $audit
      """
    let run = try Program.launch(["sh", "-c", script, Program.path, folder.path, lines], environment: faults)
    #expect(run.status == 2)
    #expect(run.errors.contains("interrupted; what was written is whole"))
    let written = try String(decoding: contents(of: lines), as: UTF8.self)
    #expect(written.hasSuffix("}\n"))
    #expect(written.utf8.count { $0 == UInt8(ascii: "\n") } < 50)
  }
}
