import StoreSystem
import Synchronization
import Testing

/// Two jobs at the same time: both end before it returns, and the error of the one beside comes first.
@Suite struct BesideTests {
  private struct Mistake: Error, Equatable { var name: String }

  private final class Counter: Sendable {
    private let counted = Mutex(0)
    var number: Int { counted.withLock { $0 } }
    func count() { counted.withLock { $0 += 1 } }
  }

  @Test func givesWhatBothGive() throws {
    let (first, second) = try beside {
      1
    } meanwhile: {
      "two"
    }
    #expect(first == 1 && second == "two")
  }

  @Test func waitsForBothWhicheverFails() throws {
    let ended = Counter()
    func run(_ first: String?, _ second: String?) throws {
      _ = try beside {
        ended.count()
        if let first { throw Mistake(name: first) }
      } meanwhile: {
        ended.count()
        if let second { throw Mistake(name: second) }
      }
    }
    #expect(throws: Mistake(name: "beside")) { try run("beside", nil) }
    #expect(throws: Mistake(name: "here")) { try run(nil, "here") }
    #expect(throws: Mistake(name: "beside")) { try run("beside", "here") }
    #expect(ended.number == 6)
  }
}
