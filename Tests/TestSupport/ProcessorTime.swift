import StorePlatform

/// Seconds of processor time that this thread spends on `work`, which do not depend on the load of the machine.
public func processorTime(of work: () throws -> Void) rethrows -> Double {
  let start = processorTimeOfThread()
  try work()
  return processorTimeOfThread() - start
}

private func processorTimeOfThread() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
}
