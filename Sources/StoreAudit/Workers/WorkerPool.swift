import StoreModels
import StorePlatform
import StoreSystem

/// The workers of an audit, one for each job. They are started when there is work, and again after they ended.
final class WorkerPool {
  /// The fate of an entry that a worker had.
  enum Event {
    /// The worker's answer.
    case answered(AuditSlot, [UInt8])
    /// The worker ended, or was ended, while working on it.
    case failed(AuditSlot, AuditProblem)
    /// The worker ended before it came to these.
    case returned([AuditSlot])
  }

  private let options: AuditOptions
  private lazy var command = Result { try WorkerProcess.Command(options) }
  private let timeout: Duration
  private let interruption: Int32?
  private var workers: [WorkerProcess?]
  /// How many workers in a row ended, or gave up, without answering anything.
  private var failedStarts = 0

  init(_ options: AuditOptions) {
    self.options = options
    timeout = options.timeout
    interruption = options.interruption
    workers = Array(repeating: nil, count: options.jobs)
  }

  /// Hands entries to workers with room for them.
  ///
  /// - Throws: `AuditError`, and what `makeRequest` throws.
  func giveOut(_ waiting: inout AuditQueue, makeRequest: (AuditSlot) throws -> WorkerRequest) throws {
    defer { for worker in workers { worker?.send() } }
    if waiting.isEmpty, hasIdleWorker { takeBack(&waiting) }
    // Each worker gets one before any gets a second.
    for room in 0..<WorkerProcess.mostEntries {
      for position in workers.indices where !waiting.isEmpty {
        let worker = try workers[position] ?? start(position)
        guard worker.load == room, room < worker.capacity, let slot = waiting.first else { continue }
        // Unpacked archives take disk space until their stores are done, so they are not handed out ahead.
        if room > 1, case .archive = slot.item.kind { return }
        worker.give(slot, request: try makeRequest(slot))
        waiting.removeFirst()
      }
    }
  }

  /// With nothing waiting and an idle worker, takes back what a busy worker has not begun. Not where copies are
  /// written: a request handled twice would find its own copy in the way.
  private func takeBack(_ waiting: inout AuditQueue) {
    guard !options.writesCopies, let busy = workers.first(where: { $0?.keepsOthersWaiting == true }) ?? nil else {
      return
    }
    waiting.prepend(busy.takeBack())
  }

  private var hasIdleWorker: Bool { workers.contains { $0.map { $0.load == 0 && !$0.isLeaving } ?? true } }

  private func start(_ position: Int) throws(AuditError) -> WorkerProcess {
    do {
      let worker = try WorkerProcess(command.get())
      workers[position] = worker
      return worker
    } catch let failure as ChildProcess.Failure {
      throw .noWorker("'\(failure.program)' \(failure.message)")
    } catch {
      throw .noWorker("\(error)")
    }
  }

  // MARK: Waiting

  /// Waits until a worker answers or exceeds its time, or the audit is to end.
  ///
  /// - Parameter list: a descriptor that becomes readable when there are more entries; nil for none.
  /// - Throws: `AuditError`.
  func wait(also list: Int32?) throws(AuditError) -> [Event] {
    letAnswersGather()
    let running = workers.indices.filter { workers[$0]?.isLeaving == false }
    var polled = running.compactMap { workers[$0]?.polled }
    if let list { polled.append(pollfd(fd: list, events: Int16(POLLIN), revents: 0)) }
    if let interruption { polled.append(pollfd(fd: interruption, events: Int16(POLLIN), revents: 0)) }
    let patience = timeToWait
    let start = ContinuousClock.now
    guard poll(&polled, nfds_t(polled.count), patience) >= 0 || errno == EINTR else { return [] }
    excuse(ContinuousClock.now - start - .milliseconds(patience))
    if interruption != nil, polled.last?.revents != 0 { throw .interrupted }
    var events: [Event] = []
    for (position, state) in zip(running, polled) where state.revents != 0 {
      workers[position]?.send()
      events += try read(position)
    }
    // Workers just heard from may have finished long ago, while the reader of our lines kept this process waiting.
    for (position, state) in zip(running, polled) where state.revents & Int16(POLLIN) == 0 {
      events += try endIfOverTime(position)
    }
    for position in workers.indices where workers[position]?.isGone == true {
      events += try bury(position) { AuditProblem(endOf: $0) }
    }
    return events
  }

  /// Sleeps while all workers have enough to do, because waking up for each answer costs more than small stores do.
  /// Only briefly, since interruptions are not noticed meanwhile.
  private func letAnswersGather() {
    let time = workers.map { $0?.timeToSpare ?? .zero }.min() ?? .zero
    guard time >= .microseconds(300) else { return }
    usleep(useconds_t(min(time, .milliseconds(10)) / .microseconds(1)))
  }

  /// Excludes a time from the workers' limits: this process was woken later than requested, so it was stopped, or the
  /// machine slept or stalled, and the workers with it.
  private func excuse(_ time: Duration) {
    guard time > .zero else { return }
    for worker in workers { worker?.excuse(time) }
  }

  /// Milliseconds until the next deadline. At most a second, since a late wake-up cannot be noticed in a long sleep;
  /// shorter while a worker is leaving, because nothing announces its end.
  private var timeToWait: Int32 {
    if workers.contains(where: { $0?.isLeaving == true }) { return 1 }
    let next = workers.compactMap { $0?.deadline(timeout) }.min()
    var time = next.map { min($0 - .now, .seconds(1)) } ?? .seconds(1)
    if hasIdleWorker, workers.contains(where: { ($0?.load ?? 0) > 1 }) { time = min(time, WorkerProcess.longInHand) }
    return Int32(max(time, .zero) / .milliseconds(1)) + 1
  }

  private func read(_ position: Int) throws(AuditError) -> [Event] {
    guard let worker = workers[position] else { return [] }
    switch worker.read() {
    case .lines(let lines):
      let retires = lines.last?.elementsEqual(WorkerWord.retires.line.utf8) == true
      let events = (retires ? lines.dropLast() : lines[...]).compactMap { answer($0, from: worker) }
      return retires ? events + (try replace(position)) : events
    case .ended:
      worker.leave()
      return []
    }
  }

  private func answer(_ line: [UInt8], from worker: WorkerProcess) -> Event? {
    guard worker.isReady else {
      worker.becomeReady()
      return nil
    }
    failedStarts = 0
    let slot = worker.takeAnswered()
    if line.elementsEqual(WorkerWord.returned.line.utf8) { return slot.map { .returned([$0]) } }
    return slot.map { .answered($0, line) }
  }

  private func endIfOverTime(_ position: Int) throws(AuditError) -> [Event] {
    guard let worker = workers[position], let deadline = worker.deadline(timeout), ContinuousClock.now >= deadline,
      // It may have answered since all were polled.
      !worker.hasSpoken
    else { return [] }
    return try bury(position) { AuditProblem(over: timeout, $0) }
  }

  /// Handles a worker that has ended or has to: the entry it was working on gets a problem, and its other entries go to
  /// another worker.
  private func bury(_ position: Int, problem: (WorkerProcess) -> AuditProblem) throws(AuditError) -> [Event] {
    guard let worker = workers[position] else { return [] }
    worker.end()
    workers[position] = nil
    let (first, others) = worker.takeAll()
    guard worker.isReady else {
      try noteFailedStart { worker.lastMessages.firstLine ?? "it ended at once" }
      return [.returned([first].compactMap(\.self) + others)]
    }
    failedStarts = 0
    return [.returned(others)] + (first.map { [.failed($0, problem(worker))] } ?? [])
  }

  /// Ends a worker that cannot continue through no fault of its entries, which are all returned.
  private func replace(_ position: Int) throws(AuditError) -> [Event] {
    guard let worker = workers[position] else { return [] }
    worker.end()
    workers[position] = nil
    // An answer in between resets the count.
    try noteFailedStart { "it has no file descriptors left; raise the limit ('ulimit -n')" }
    let (first, others) = worker.takeAll()
    return [.returned([first].compactMap(\.self) + others)]
  }

  private func noteFailedStart(_ reason: () -> String) throws(AuditError) {
    failedStarts += 1
    if failedStarts >= 3 { throw .noWorker(reason()) }
  }
}

extension WorkerProcess.Command {
  /// The models' readings are written for the workers once, here.
  fileprivate init(_ options: AuditOptions) throws {
    program = options.worker.program
    arguments = options.worker.arguments
    environment = options.environment
    readings = try options.readings.file(for: program)
  }
}

extension String {
  fileprivate var firstLine: String? { split(whereSeparator: \.isNewline).first.map(String.init) }
}
