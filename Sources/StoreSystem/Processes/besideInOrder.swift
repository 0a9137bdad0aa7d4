import Dispatch
import StorePlatform
import Synchronization

/// Does a job for each of many items on threads of their own, and takes what came of them on this one, in the order of the items.
///
///     try besideInOrder(threads: 2, most: 1 << 20, weight: \.count, worker: { { bytes in digest(bytes) } }) { add in
///       while try rows.step() { try add(rows.blob(0)) }
///     } take: { try write($0) }
///
/// It returns when all threads have ended, whatever happens; where the system gives none, each item is done as it comes.
///
/// - Parameters:
///   - most: the weight of all items that are on their way, at most; one that weighs more is so alone.
///   - weight: what an item weighs.
///   - worker: makes the job of a thread, which may have a state of its own.
///   - items: calls its argument with each item.
/// - Throws: what `items` and `take` throw, and a job's error in the place of what would have come of its item.
package func besideInOrder<Item: Sendable, Done: Sendable>(
  threads: Int, most: Int, weight: @escaping (Item) -> Int, worker: @escaping @Sendable () -> (Item) throws -> Done,
  items: (_ add: (Item) throws -> Void) throws -> Void, take: (Done) throws -> Void
) throws {
  let queue = JobQueue<Item, Done>()
  var started = 0
  defer { queue.end(threads: started) }
  lazy var own = worker()
  try withoutActuallyEscaping(take) { take in
    var waiting: [(job: Job<Item, Done>, weight: Int)] = []
    var total = 0
    try items { item in
      // No more threads than items.
      if started < threads, Platform.startThread(stackBytes: 8 << 20, run: { queue.work(worker()) }) { started += 1 }
      guard started > 0 else { return try take(own(item)) }
      let weight = max(weight(item), 1)
      while let first = waiting.first, total > most - weight {
        waiting.removeFirst()
        total -= first.weight
        try take(first.job.wait())
      }
      let job = Job<Item, Done>(item)
      waiting.append((job, weight))
      total += weight
      queue.add(job)
    }
    for (job, _) in waiting { try take(job.wait()) }
  }
}

/// An item, and what came of it.
private final class Job<Item: Sendable, Done: Sendable>: Sendable {
  private let item: Mutex<Item?>
  private let done = Mutex<Result<Done, any Error>?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  init(_ item: Item) { self.item = Mutex(item) }

  func run(_ body: (Item) throws -> Done) {
    let item = item.withLock { item in
      defer { item = nil }
      return item
    }
    if let item {
      let result = Result { try body(item) }
      done.withLock { $0 = result }
    }
    ended.signal()
  }

  func wait() throws -> Done {
    ended.wait()
    guard let done = try done.withLock({ try $0?.get() }) else { throw CancellationError() }
    return done
  }
}

/// The items that no thread has taken yet.
private final class JobQueue<Item: Sendable, Done: Sendable>: Sendable {
  private let jobs = Mutex<[Job<Item, Done>]>([])
  private let isEnding = Atomic<Bool>(false)
  private let available = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  func add(_ job: Job<Item, Done>) {
    jobs.withLock { $0.append(job) }
    available.signal()
  }

  /// What a thread does until there is nothing to be done any more.
  func work(_ body: (Item) throws -> Done) {
    while true {
      available.wait()
      guard !isEnding.load(ordering: .acquiring) else { break }
      let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      job?.run(body)
    }
    ended.signal()
  }

  /// Leaves what was not begun, and waits for the threads.
  func end(threads: Int) {
    isEnding.store(true, ordering: .releasing)
    for _ in 0..<threads { available.signal() }
    for _ in 0..<threads { ended.wait() }
  }
}
