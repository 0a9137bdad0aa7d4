extension AuditProblem {
  /// A worker ended in the middle of its work.
  init(endOf worker: WorkerProcess) {
    // The words of Swift's runtime and of the C library.
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

  /// A worker was ended in the middle of its work.
  init(over timeout: Duration, _ worker: WorkerProcess) {
    self.init(
      .timedOut, "took longer than \(timeout.words); give it more time with --timeout", stage: worker.stage)
  }
}

extension Duration {
  /// "60 s", "0.5 s".
  fileprivate var words: String {
    let (seconds, attoseconds) = components
    let tenths = attoseconds / 100_000_000_000_000_000
    return tenths == 0 ? "\(seconds) s" : "\(seconds).\(tenths) s"
  }
}
