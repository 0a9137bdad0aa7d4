import StorePlatform
import StoreWords
import StoreCoreData
import Synchronization

/// A line on the terminal with the progress of a long work, which is erased when the work is done.
///
/// Shown only where standard error is a terminal, and after the work has taken a second.
final class ProgressLine: Sendable {
  private let label: String
  private let nextUpdate: Mutex<ContinuousClock.Instant>
  private let state = Mutex(State())

  private struct State {
    /// The current step of a longer work; empty for none.
    var step = ""
    /// Bytes read so far, and before the current step.
    var bytesRead: Int64 = 0
    var readBefore: Int64 = 0
  }

  /// Whether such a line stands on the terminal. All share it, since there is one terminal: what else is written there
  /// erases the line first.
  private static let isShown = Mutex(false)

  /// A line that begins with `label`; nil where none is wanted.
  init?(_ label: String, isQuiet: Bool) {
    guard !isQuiet, isatty(STDERR_FILENO) == 1 else { return nil }
    self.label = escapedForTerminal(label)
    nextUpdate = Mutex(.now + .seconds(1))
  }

  /// Receives the progress of reading.
  var report: @Sendable (Store.ReadProgress) -> Void { { self.show($0) } }

  /// Receives the steps of a longer work.
  var reportStep: @Sendable (String) -> Void { { self.begin($0) } }

  /// Receives the share of the current step that is done, from 0 to 1.
  var reportShare: @Sendable (Double) -> Void { { self.show("\(self.state.withLock(\.step)), \(percent($0)) %") } }

  private func begin(_ step: String) {
    state.withLock { state in
      state.step = step
      state.readBefore = state.bytesRead
    }
    show(step)
  }

  /// Shows the share of bytes that have been read, in the current step if there are steps.
  private func show(_ progress: Store.ReadProgress) {
    let (step, before) = state.withLock { state in
      state.bytesRead = Int64(clamping: progress.bytesRead)
      return (state.step, state.readBefore)
    }
    // Bytes may be read twice and are counted twice, so it never shows 100 %.
    let share = Double(Int64(clamping: progress.bytesRead) - before) / Double(max(progress.totalBytes, 1))
    show(step.isEmpty ? "\(percent(share)) % of \(progress.totalBytes >> 20) MiB" : "\(step), \(percent(share)) %")
  }

  private func show(_ text: String) {
    let isDue = nextUpdate.withLock { next in
      guard ContinuousClock.now >= next else { return false }
      next = .now + .milliseconds(200)
      return true
    }
    guard isDue else { return }
    let line = "\(label): \(text)"
    Self.isShown.withLock { isShown in
      isShown = true
      terminalText("\r\u{1B}[K" + String(line.suffix(TerminalWidth.ofStandardError - 1)))
    }
  }

  /// Erases the line.
  func clear() { Self.erasing {} }

  /// Erases the line that is shown, if there is one, and writes something else before another is.
  static func erasing(_ write: () -> Void) {
    isShown.withLock { isShown in
      if isShown { terminalText("\r\u{1B}[K") }
      isShown = false
      write()
    }
  }
}

/// A share in percent, never 100: there is something left while it is shown.
private func percent(_ share: Double) -> Int { share.isFinite ? min(99, Int(max(0, min(share, 1)) * 100)) : 0 }

/// Measures the steps of a work, for `--verbose`; prints a line on standard error for each.
final class StepTimes: Sendable {
  private let state: Mutex<(name: String, since: ContinuousClock.Instant)?>

  /// Nil where it is not wanted.
  init?(isWanted: Bool) {
    guard isWanted else { return nil }
    state = Mutex(nil)
  }

  /// Ends the last step, and begins another.
  func begin(_ name: String?) {
    let now = ContinuousClock.now
    state.withLock { state in
      if let done = state {
        let (seconds, attoseconds) = (now - done.since).components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        standardError("\(done.name): \(milliseconds) ms")
      }
      state = name.map { ($0, now) }
    }
  }
}
