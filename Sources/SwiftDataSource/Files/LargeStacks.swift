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
  let job = Job(items: items, work: work)
  let cores = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  let threads = (0..<min(cores, items.count, max(1, most))).compactMap { _ in startThread { job.run() } }
  for thread in threads { pthread_join(thread, nil) }
  // Where no thread could be had, here.
  if threads.isEmpty { job.run() }
  return job.results.withLock { $0.compactMap(\.self) }
}

private final class Job<Item: Sendable, Made: Sendable>: Sendable {
  let items: [Item]
  let work: @Sendable (Item) -> Made
  let next = Atomic<Int>(0)
  let results: Mutex<[Made?]>

  init(items: [Item], work: @escaping @Sendable (Item) -> Made) {
    self.items = items
    self.work = work
    results = Mutex(Array(repeating: nil, count: items.count))
  }

  func run() {
    while true {
      let position = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard position < items.count else { return }
      let made = work(items[position])
      results.withLock { $0[position] = made }
    }
  }
}

private final class Body {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

#if canImport(Darwin)
  private typealias ThreadArgument = UnsafeMutableRawPointer
#else
  private typealias ThreadArgument = UnsafeMutableRawPointer?
#endif

private func enter(_ argument: ThreadArgument) -> UnsafeMutableRawPointer? {
  let pointer: UnsafeMutableRawPointer? = argument
  if let pointer { Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run() }
  return nil
}

/// Nil where the system refuses a thread.
private func startThread(_ run: @escaping @Sendable () -> Void) -> pthread_t? {
  var attributes = pthread_attr_t()
  guard pthread_attr_init(&attributes) == 0 else { return nil }
  defer { pthread_attr_destroy(&attributes) }
  guard pthread_attr_setstacksize(&attributes, 512 << 20) == 0 else { return nil }
  let body = Unmanaged.passRetained(Body(run))
  #if canImport(Darwin)
    var thread: pthread_t?
    let failed = pthread_create(&thread, &attributes, enter, body.toOpaque()) != 0
  #else
    var thread = pthread_t()
    let failed = pthread_create(&thread, &attributes, enter, body.toOpaque()) != 0
  #endif
  guard !failed else {
    body.release()
    return nil
  }
  return thread
}
