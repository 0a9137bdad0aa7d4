import Foundation
import StorePublishing
import StoreSQLite
import Synchronization
import TestSupport
import Testing

/// A new file under a name: whole, or not there, whatever fails.
@Suite struct PublishNewTests {
  @Test func everyCallThatFailsLeavesNothingOrAll() throws {
    for replaces in [false, true] {
      var failed = 0
      // The first run counts the calls: none is the one with that number.
      let calls = try run(failing: .max, replaces).calls
      #expect(calls > 3)
      for call in 0..<calls {
        let outcome = try run(failing: call, replaces)
        failed += outcome.files == ["Sample.sqlite"] && outcome.isNew ? 0 : 1
        // Once the old one has been removed for --force, nothing is left; never a part.
        let kept = replaces ? [[], ["Sample.sqlite"]] : [[]]
        #expect(outcome.isNew ? outcome.files == ["Sample.sqlite"] : kept.contains(outcome.files), "call \(call)")
      }
      #expect(failed > 0)
    }
  }

  private func run(failing call: Int, _ replaces: Bool) throws -> (calls: Int, files: [String], isNew: Bool) {
    let folder = try TemporaryFolder.inMemory()
    let target = folder("Sample.sqlite")
    if replaces { try folder.write([7], to: "Sample.sqlite") }
    let calls = Counter()
    let files = FileActions(vfs: nil) { _ in calls.next() == call ? ENOSPC : nil }
    do {
      try publishNew(to: OutputTarget(PosixPath(target), replaces: replaces), files: files) { draft in
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: draft.description))
      } verify: { draft in
        let written = try contents(of: draft.description)
        #expect(written == [1, 2, 3])
      }
    } catch {}
    let there = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      !$0.hasPrefix(".storedoctor-")
    }
    let bytes = there == ["Sample.sqlite"] ? try contents(of: target) : []
    #expect([[], [7], [1, 2, 3]].contains(bytes))
    return (calls.count, there, bytes == [1, 2, 3])
  }
}

/// Counts from any thread.
private final class Counter: Sendable {
  private let value = Mutex(0)
  var count: Int { value.withLock { $0 } }
  func next() -> Int {
    value.withLock { number in
      defer { number += 1 }
      return number
    }
  }
}
