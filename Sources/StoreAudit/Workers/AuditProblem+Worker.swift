import StoreText

extension AuditProblem {
  /// The problem when a worker ended during its work.
  init(endOf worker: WorkerProcess) {
    // Messages of Swift's runtime and of the C library.
    let messages = worker.lastMessages
    if messages.contains("failed to allocate") || messages.contains("Could not allocate memory")
      || messages.contains("Cannot allocate memory")
    {
      self.init(.overMemory, "needs more memory than a store may take; give it more with --memory", stage: worker.stage)
    } else {
      let how = worker.signal.map { "was ended by signal \($0)" } ?? "ended"
      let when = worker.stage.map { " while \($0.name)" } ?? ""
      self.init(
        .crashed, "the process that read it \(how)\(when); please report this", stage: worker.stage,
        signal: worker.signal)
    }
  }

  /// The problem when a worker exceeded the time limit.
  init(over timeout: Duration, _ worker: WorkerProcess) {
    self.init(
      .timedOut, "took longer than \(timeout.words); give it more time with --timeout", stage: worker.stage)
  }
}

extension Duration {
  /// "60 s", "0.05 s": with as many digits as needed.
  var words: String {
    let (seconds, attoseconds) = components
    let digits = String(attoseconds.magnitude)
    var fraction = String(repeating: "0", count: 18 - digits.count) + digits
    while fraction.last == "0" { fraction.removeLast() }
    return fraction.isEmpty ? "\(seconds) s" : "\(seconds).\(fraction) s"
  }
}
