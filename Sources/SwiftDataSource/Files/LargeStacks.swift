import Dispatch
import StoreSystem
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What a piece of work makes of each item, in the items' order, on as many threads as the machine has cores.
///
/// The parser calls itself for what stands inside something, and some of that (`else if` behind `else if`) it does not
/// limit. The threads have stacks for a whole file of it; memory that is not touched costs nothing.
///
/// - Parameter most: as many threads at most.
func onLargeStacks<Item: Sendable, Made: Sendable>(
  _ items: [Item], most: Int = .max, _ work: @escaping @Sendable (Item) -> Made
) -> [Made] {
  onLargeStacks(items, most: most, eachWithin: .seconds(1 << 20), work).compactMap(\.self)
}

/// The same, of items that may take too long.
///
/// - Parameter limit: how long one item may take.
/// - Returns: nil for each item that takes longer. Its thread cannot be stopped and goes on until the process ends.
func onLargeStacks<Item: Sendable, Made: Sendable>(
  _ items: [Item], most: Int = .max, eachWithin limit: Duration, _ work: @escaping @Sendable (Item) -> Made
) -> [Made?] {
  let job = Job(items: items, work: work)
  let cores = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  let threads = (0..<min(cores, items.count, max(1, most))).count { _ in startLargeThread { job.run() } }
  // Where no thread could be had, here.
  if threads == 0 { job.run() }
  while let deadline = job.deadline(within: limit) {
    let seconds = max(.zero, deadline - .now) / .seconds(1)
    guard job.isDone.wait(timeout: .now() + seconds) == .timedOut else { break }
    let late = job.giveUp(on: limit)
    for _ in 0..<late where !startLargeThread({ job.run() }) { job.run() }
  }
  return job.made
}

/// Starts a thread with room for a whole file of nested syntax; whether the system gives one.
private func startLargeThread(_ run: @escaping @Sendable () -> Void) -> Bool {
  startThread(stackBytes: 512 << 20, run)
}

/// Work on a list of items, which threads take one after the other.
private final class Job<Item: Sendable, Made: Sendable>: Sendable {
  private enum Progress {
    case waiting
    case begun(ContinuousClock.Instant)
    case done(Made)
    case tooLate
  }

  private struct State {
    var progress: [Progress]
    var next = 0
    var remaining: Int
  }

  private let items: [Item]
  private let work: @Sendable (Item) -> Made
  private let state: Mutex<State>
  /// Signalled when nothing remains.
  let isDone = DispatchSemaphore(value: 0)

  init(items: [Item], work: @escaping @Sendable (Item) -> Made) {
    self.items = items
    self.work = work
    state = Mutex(State(progress: Array(repeating: .waiting, count: items.count), remaining: items.count))
  }

  /// What was made of each item; nil of those that were given up.
  var made: [Made?] {
    state.withLock { state in
      state.progress.map { if case .done(let made) = $0 { made } else { nil } }
    }
  }

  /// When the item that was begun first is too late; nil where nothing remains.
  func deadline(within limit: Duration) -> ContinuousClock.Instant? {
    state.withLock { state in
      guard state.remaining > 0 else { return nil }
      let begun = state.progress.compactMap { if case .begun(let start) = $0 { start } else { nil } }
      return (begun.min() ?? .now) + limit
    }
  }

  /// Gives up the items that take longer than that.
  ///
  /// - Returns: how many they are.
  func giveUp(on limit: Duration) -> Int {
    let now = ContinuousClock.now
    return state.withLock { state in
      var count = 0
      for position in state.progress.indices {
        guard case .begun(let start) = state.progress[position], now - start >= limit else { continue }
        state.progress[position] = .tooLate
        state.remaining -= 1
        count += 1
      }
      return count
    }
  }

  /// Works until no item waits, or until an item was given up meanwhile: another thread came for that.
  func run() {
    while let position = begin(), finish(position, work(items[position])) {}
  }

  private func begin() -> Int? {
    state.withLock { state in
      guard state.next < items.count else { return nil }
      state.progress[state.next] = .begun(.now)
      state.next += 1
      return state.next - 1
    }
  }

  private func finish(_ position: Int, _ made: Made) -> Bool {
    state.withLock { state in
      guard case .begun = state.progress[position] else { return false }
      state.progress[position] = .done(made)
      state.remaining -= 1
      if state.remaining == 0 { isDone.signal() }
      return true
    }
  }
}
