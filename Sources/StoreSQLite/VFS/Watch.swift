import CStoreSQLite
import StorePlatform
import Synchronization

/// Tells a connection when to stop: at its deadline, after its limit of instructions, or on request.
final class Watch: Sendable {
  private let deadline: UInt64
  /// Instructions of SQLite's virtual machine since the last statement was compiled, and in total.
  private let work = Atomic<Int>(0)
  private let totalWork = Atomic<Int>(0)
  private let workLimit: Int

  /// The limit of all statements together, in limits of one: a connection to a thoroughly hostile database ends soon.
  private static let exhaustedStatements = 8
  private static let interval = 1000

  /// A watch with a deadline `duration` from now, and a limit of instructions for each statement; nil for none.
  init(deadline duration: Duration? = nil, instructionLimit: Int? = nil) {
    workLimit = instructionLimit ?? .max
    deadline = duration.map(Self.instant(after:)) ?? .max
  }

  /// Starts counting a new statement's instructions.
  func beginStatement() { work.store(0, ordering: .relaxed) }

  /// Why the connection should stop now; nil when it may continue.
  var interruption: SQLiteError.Interruption? {
    if work.load(ordering: .relaxed) > workLimit
      || totalWork.load(ordering: .relaxed) / Self.exhaustedStatements > workLimit
    {
      return .work
    }
    return deadline != .max && Self.now() >= deadline ? .deadline : nil
  }

  /// Makes SQLite ask at regular intervals whether to stop.
  func attach(to handle: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_progress_handler(
      handle, Int32(Self.interval),
      { context in
        guard let context else { return 0 }
        return Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue().mayGoOn() ? 0 : 1
      }, context)
  }

  private func mayGoOn() -> Bool {
    work.add(Self.interval, ordering: .relaxed)
    totalWork.add(Self.interval, ordering: .relaxed)
    return interruption == nil
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
