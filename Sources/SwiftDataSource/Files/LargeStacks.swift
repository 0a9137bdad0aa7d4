import Dispatch
import StorePlatform
import StoreSystem
import Synchronization

/// Runs work on each item, on as many threads as the machine has cores; results are in the items' order.
///
/// The parser recurses for nested code, and does not limit some of it (`else if` after `else if`). The threads' stacks
/// are large enough for a whole file of that; memory that is not used costs nothing.
///
/// - Parameter most: the most threads.
func onLargeStacks<Item: Sendable, Made: Sendable>(
  _ items: [Item], most: Int = .max, work: @escaping @Sendable (Item) -> Made
) -> [Made] {
  onLargeStacks(items, most: most, eachWithin: .seconds(1 << 20), work: work).compactMap(\.self)
}

/// The same for items that may take too long.
///
/// - Parameter limit: the time limit for one item.
/// - Returns: nil for each item that exceeds it. Its thread cannot be stopped, and runs until the process ends.
func onLargeStacks<Item: Sendable, Made: Sendable>(
  _ items: [Item], most: Int = .max, eachWithin limit: Duration, work: @escaping @Sendable (Item) -> Made
) -> [Made?] {
  let job = Job(items: items, work: work)
  let threads = (0..<min(Platform.cores, items.count, max(1, most))).count { _ in startLargeThread { job.run() } }
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
  Platform.startThread(stackBytes: 512 << 20, run: run)
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

  /// The results; nil for items that were given up.
  var made: [Made?] {
    state.withLock { state in
      state.progress.map { if case .done(let made) = $0 { made } else { nil } }
    }
  }

  /// When the item that was started first exceeds the limit; nil where nothing remains.
  func deadline(within limit: Duration) -> ContinuousClock.Instant? {
    state.withLock { state in
      guard state.remaining > 0 else { return nil }
      let begun = state.progress.compactMap { if case .begun(let start) = $0 { start } else { nil } }
      return (begun.min() ?? .now) + limit
    }
  }

  /// Gives up the items that have exceeded the limit.
  ///
  /// - Returns: the number of them.
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

  /// Works until no item is waiting, or until this thread's item was given up, since another thread has replaced it
  /// then.
  func run() {
    while let position = begin(), finish(position, with: work(items[position])) {}
  }

  private func begin() -> Int? {
    state.withLock { state in
      guard state.next < items.count else { return nil }
      state.progress[state.next] = .begun(.now)
      state.next += 1
      return state.next - 1
    }
  }

  private func finish(_ position: Int, with made: Made) -> Bool {
    state.withLock { state in
      guard case .begun = state.progress[position] else { return false }
      state.progress[position] = .done(made)
      state.remaining -= 1
      if state.remaining == 0 { isDone.signal() }
      return true
    }
  }
}
