import StoreSystem
import Synchronization
import Testing

/// Items done on other threads come back in their order, no more at a time than may be on their way, and all ends with an error.
@Suite struct BesideInOrderTests {
  private struct Mistake: Error, Equatable { var number: Int }

  private final class Counter: Sendable {
    private let numbers = Mutex((now: 0, most: 0))
    var most: Int { numbers.withLock { $0.most } }
    var now: Int { numbers.withLock { $0.now } }
    func add(_ number: Int) {
      numbers.withLock {
        $0.now += number
        $0.most = max($0.most, $0.now)
      }
    }
  }

  @Test(arguments: [0, 1, 2, 5], [1, 3, 100]) func resultsComeInOrder(threads: Int, most: Int) throws {
    var taken: [Int] = []
    try besideInOrder(threads: threads, most: most, weight: { _ in 1 }) {
      var done = 0
      return { (number: Int) in
        // Some take longer than those behind them, and a thread has a state of its own.
        done += number % 7 == 0 ? (0..<20_000).reduce(0) { $0 ^ $1 } & 1 : 1
        return number * 2
      }
    } items: { add in
      for number in 0..<500 { try add(number) }
    } take: {
      taken.append($0)
    }
    #expect(taken == (0..<500).map { $0 * 2 })
  }

  @Test func noMoreIsOnItsWayThanMayBe() throws {
    let counter = Counter()
    try besideInOrder(threads: 3, most: 10, weight: { $0 }) {
      { (number: Int) in number }
    } items: { add in
      for number in [1, 2, 3, 4, 5, 50, 1, 9, 10, 11, 1] + Array(repeating: 3, count: 100) {
        try add(number)
        // What was added before was taken by now, or all of it is no more than ten.
        counter.add(number)
        #expect(counter.now <= max(10, number))
      }
    } take: {
      counter.add(-$0)
    }
    #expect(counter.now == 0 && counter.most == 50)
  }

  @Test func anErrorEndsAllOfIt() {
    let begun = Counter()
    for failing in [0, 7, 99] {
      #expect(throws: Mistake(number: failing)) {
        try besideInOrder(threads: 2, most: 4, weight: { _ in 1 }) {
          { (number: Int) in
            begun.add(1)
            if number == failing { throw Mistake(number: number) }
            return number
          }
        } items: { add in
          for number in 0..<100 { try add(number) }
        } take: { number in
          #expect(number < failing)
        }
      }
    }
    #expect(throws: Mistake(number: 3)) {
      try besideInOrder(threads: 2, most: 4, weight: { _ in 1 }) {
        { (number: Int) in number }
      } items: { add in
        for number in 0..<100 { try add(number) }
      } take: {
        if $0 == 3 { throw Mistake(number: 3) }
      }
    }
    #expect(throws: Mistake(number: 5)) {
      try besideInOrder(threads: 2, most: 4, weight: { _ in 1 }) {
        { (number: Int) in number }
      } items: { add in
        for number in 0..<5 { try add(number) }
        throw Mistake(number: 5)
      } take: { _ in
      }
    }
    // Nothing runs on behind it.
    let count = begun.now
    #expect(count >= 100 && begun.now == count)
  }
}
