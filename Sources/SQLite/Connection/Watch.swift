import CSQLite
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Says when a connection has worked long enough: after its deadline, or when somebody asks it to stop.
final class Watch: Sendable {
  private let deadline = Atomic<UInt64>(.max)
  private let isStopRequested = Atomic<Bool>(false)

  /// A watch with the deadline `duration` from now; nil for none.
  init(deadline duration: Duration? = nil) {
    setDeadline(duration)
  }

  /// Sets the deadline `duration` from now; nil for none.
  func setDeadline(_ duration: Duration?) {
    deadline.store(duration.map(Self.instant(after:)) ?? .max, ordering: .relaxed)
  }

  /// Asks the connection to stop. May be called from any thread.
  func requestStop(_ requested: Bool = true) {
    isStopRequested.store(requested, ordering: .relaxed)
  }

  /// Why the connection should stop now, nil when it may go on.
  var interruption: SQLiteError.Interruption? {
    if isStopRequested.load(ordering: .relaxed) { return .request }
    let deadline = deadline.load(ordering: .relaxed)
    return deadline != .max && Self.now() >= deadline ? .deadline : nil
  }

  /// Lets SQLite ask at regular intervals whether to stop.
  func attach(to handle: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    let instructions: Int32 = 1000
    sqlite3_progress_handler(
      handle, instructions,
      { context in
        guard let context else { return 0 }
        return Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue().interruption == nil ? 0 : 1
      }, context)
  }

  /// Monotonic time in nanoseconds.
  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
  }

  private static func instant(after duration: Duration) -> UInt64 {
    let (seconds, attoseconds) = duration.components
    guard seconds >= 0 else { return now() }
    let (nanoseconds, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return .max }
    let (sum, tooLate) = nanoseconds.addingReportingOverflow(UInt64(clamping: attoseconds / 1_000_000_000))
    let (instant, beyond) = sum.addingReportingOverflow(now())
    return tooLate || beyond ? .max : instant
  }
}
