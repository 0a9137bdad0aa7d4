import StoreAudit
import Dispatch
import Synchronization

/// The progress of an audit on a terminal: stores, stores a second, and the remaining time.
final class AuditProgress: Sendable {
  private let line: ProgressLine
  private let total = Atomic<Int>(-1)
  private let done = Atomic<Int>(0)
  /// The number of lines from an earlier run that is continued.
  private let before = Atomic<Int>(0)
  private let start = ContinuousClock.now

  /// - Parameter verb: what is done to the stores.
  init?(_ input: AuditInput, isQuiet: Bool, verb: String = "auditing") {
    guard let line = ProgressLine(verb, isQuiet: isQuiet) else { return nil }
    self.line = line
    // Lists can be read only once.
    guard input.lists.isEmpty else { return }
    DispatchQueue.global(qos: .utility).async { [weak self] in
      let count = countEntries(input) { self == nil }
      if let count { self?.total.store(count, ordering: .relaxed) }
    }
  }

  /// Notes how many lines an earlier run has done.
  func goOn(after lines: Int) { before.store(lines, ordering: .relaxed) }

  func count() {
    let new = done.add(1, ordering: .relaxed).newValue
    let done = new + before.load(ordering: .relaxed)
    let seconds = Double((ContinuousClock.now - start).components.seconds) + 1
    let total = total.load(ordering: .relaxed)
    let rate = Double(new) / seconds
    let rest = total > done && new > 20 ? ", " + timeLeft(Double(total - done) / rate) : ""
    line.reportStep("\(done)\(total >= done ? " of \(total)" : "") stores, \(Int(rate)) a second\(rest)")
  }

  func clear() { line.clear() }

  private func timeLeft(_ seconds: Double) -> String {
    seconds < 90 ? "\(Int(seconds) + 1) s left" : "\(Int(seconds / 60) + 1) min left"
  }
}
