import CoreDataStore
import JSON
import SQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// How an audit works
// ------------------
//
//   AuditInput ─► AuditItems ─► slots, in order ─► workers, one entry at a time each ─► lines, in the order of slots
//
// The audit itself reads no store. Whatever a store does to the process that reads it costs that process and one line.
// What is in the air is bounded: so many slots, so many bytes of lines that wait for an earlier one. Nothing grows with
// the number of stores.

/// How an audit is run.
public struct AuditOptions: Sendable {
  /// What is audited.
  public var input: AuditInput
  /// How many workers there are.
  public var jobs: Int
  /// The most time one entry may take.
  public var timeout: Duration
  /// The program that is started as a worker, and its arguments; it calls ``serveAudit(_:memory:line:)``.
  public var worker: (program: String, arguments: [String])
  /// What workers find in their environment.
  public var environment: [String: String]
  /// Swift source that was read for the models; workers find it with ``SourceReadings/init(handedOver:)``.
  public var readings: SourceReadings
  /// Where archives are unpacked to, in folders of their own.
  public var temporaryFolder: PosixPath
  /// What is known of an entry beforehand: fingerprints of findings and words of verdicts that its line leaves out.
  public var known: @Sendable (_ key: [UInt8]) -> Set<String>
  /// A descriptor that can be read when the audit is to end early; nil for none.
  public var interruption: Int32?

  /// An audit with as many workers as there are cores, of 60 seconds a store.
  public init(
    _ input: AuditInput, worker: (program: String, arguments: [String]), environment: [String: String],
    readings: SourceReadings = SourceReadings(), jobs: Int? = nil, timeout: Duration = .seconds(60),
    temporaryFolder: PosixPath = PosixPath("/tmp"),
    known: @escaping @Sendable (_ key: [UInt8]) -> Set<String> = { _ in [] }, interruption: Int32? = nil
  ) {
    self.input = input
    self.worker = worker
    self.environment = environment
    self.readings = readings
    self.jobs = max(jobs ?? sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)
    self.timeout = timeout
    self.temporaryFolder = temporaryFolder
    self.known = known
    self.interruption = interruption
  }
}

/// Audits stores.
///
/// - Parameters:
///   - earlier: lines of a run that was cut, which are not made again; nil for none.
///   - problemLine: makes the line of an entry of which nothing can be said but why.
///   - write: takes the lines, in the order of the input, each with its line feed.
/// - Throws: `AuditError` when the run itself fails, and whatever `write` throws.
public func audit(
  _ options: AuditOptions, after earlier: EarlierLines? = nil,
  problemLine: @escaping (AuditItem, AuditProblem) -> String,
  write: @escaping ([UInt8]) throws -> Void
) throws {
  let run = AuditRun(options, earlier, problemLine: problemLine, write: write)
  try run.work()
}

/// Why an audit as a whole cannot go on.
public enum AuditError: Error, CustomStringConvertible {
  /// Workers end before they can work.
  case noWorker(String)
  /// It was told to end.
  case interrupted
  /// The lines of an earlier run are not those of this input.
  case otherInput(line: Int, found: String, expected: String?)
  /// The temporary folder cannot be written.
  case noTemporaryFolder(String)

  /// The sentence shown to people.
  public var description: String {
    switch self {
    case .noWorker(let message): "cannot start a worker: \(message)"
    case .interrupted: "interrupted; what was written is whole, and --resume goes on from there"
    case .otherInput(let line, let found, let expected):
      "cannot resume: line \(line) is about \(quoted(found)), and the input has "
        + (expected.map { "\(quoted($0)) there" } ?? "nothing there")
        + "; give the input of the first run, or a new file"
    case .noTemporaryFolder(let path):
      "cannot make a private folder in \(quoted(path)); set TMPDIR to one that can be written"
    }
  }
}

/// How many entries an input has, without looking into its archives; nil where it cannot be told, or `isUnwanted` says
/// that nobody waits for it any more.
public func countEntries(_ input: AuditInput, isUnwanted: () -> Bool) -> Int? {
  let items = AuditItems(input)
  var count = 0
  do {
    while try items.next() != nil {
      count += 1
      if isUnwanted() { return nil }
    }
    return count
  } catch {
    return nil
  }
}

/// An audit in the course of being done.
private final class AuditRun {
  private let options: AuditOptions
  private let problemLine: (AuditItem, AuditProblem) -> String
  private let write: ([UInt8]) throws -> Void
  private let items: AuditItems
  private let earlier: EarlierLines?
  private var hasMore = true

  /// In the order of lines; the first is the next to be written.
  private var slots = AuditQueue()
  /// Those that no worker has, in the order they are given out.
  private var waiting = AuditQueue()
  private var waitingBytes = 0
  private var workers: [WorkerProcess?]
  private lazy var readings = Result { try options.readings.file(for: options.worker.program) }
  private var archives: DisposableFolder?
  private var archivesMade = 0
  private var idleDeaths = 0

  /// As many slots as may be open.
  private static let mostSlots = 4096
  /// As many bytes of lines as may wait for an earlier one.
  private static let mostWaitingBytes = 64 << 20

  init(
    _ options: AuditOptions, _ earlier: EarlierLines?, problemLine: @escaping (AuditItem, AuditProblem) -> String,
    write: @escaping ([UInt8]) throws -> Void
  ) {
    self.options = options
    self.earlier = earlier
    self.problemLine = problemLine
    self.write = write
    items = AuditItems(options.input)
    workers = Array(repeating: nil, count: options.jobs)
  }

  func work() throws {
    while true {
      try fill()
      try giveOut()
      try writeFinished()
      if slots.isEmpty && !hasMore { return }
      try wait()
    }
  }

  // MARK: Entries

  /// Opens slots for the next entries, as far as there is room.
  private func fill() throws {
    while hasMore, waiting.count < 2 * workers.count, slots.count < Self.mostSlots,
      waitingBytes < Self.mostWaitingBytes
    {
      guard let item = try items.next() else {
        hasMore = false
        try earlier?.expectEnd()
        return
      }
      try open(item)
    }
  }

  private func open(_ item: AuditItem) throws {
    let slot = AuditSlot(item)
    if let earlier {
      switch try earlier.standing(of: item) {
      case .isDone: return
      case .isBegun(let lines): slot.linesBefore = lines
      case .isNew: break
      }
    }
    append(slot)
  }

  private func append(_ slot: AuditSlot) {
    slots.append(slot)
    if case .problem(let problem) = slot.item.kind {
      finish(slot, problem)
    } else {
      waiting.append(slot)
    }
  }

  private func finish(_ slot: AuditSlot, _ problem: AuditProblem) {
    finish(slot, Array(problemLine(slot.item, problem).utf8))
  }

  private func finish(_ slot: AuditSlot, _ line: [UInt8]) {
    slot.line = line
    slot.folder = nil
    waitingBytes += line.count
  }

  private func writeFinished() throws {
    while let first = slots.first {
      if let entries = first.entries {
        slots.removeFirst()
        slots.prepend(entries)
      } else if let line = first.line {
        slots.removeFirst()
        waitingBytes -= line.count
        try write(line)
      } else {
        return
      }
    }
  }

  // MARK: Workers

  private func giveOut() throws {
    // One each before anybody gets a second.
    for room in 0..<WorkerProcess.capacity {
      for position in workers.indices where !waiting.isEmpty {
        let worker = try workers[position] ?? startWorker(position)
        guard worker.entries.count == room, let slot = waiting.first else { continue }
        waiting.removeFirst()
        try give(slot, to: worker)
      }
    }
  }

  private func give(_ slot: AuditSlot, to worker: WorkerProcess) throws {
    var request = WorkerRequest(slot.item, known: options.known(slot.item.key))
    if case .archive = slot.item.kind { request.folder = try newFolder(slot) }
    // A worker that has ended shows when it is read.
    _ = worker.give(slot, request)
  }

  private func startWorker(_ position: Int) throws -> WorkerProcess {
    do {
      let worker = try WorkerProcess(
        .init(
          program: options.worker.program, arguments: options.worker.arguments, environment: options.environment,
          readings: try readings.get()))
      workers[position] = worker
      return worker
    } catch let failure as ChildProcess.Failure {
      throw AuditError.noWorker("'\(failure.program)' \(failure.message)")
    }
  }

  private func newFolder(_ slot: AuditSlot) throws -> PosixPath {
    if archives == nil {
      guard let folder = newPrivateFolder(named: "storedoctor-audit", in: options.temporaryFolder) else {
        throw AuditError.noTemporaryFolder(options.temporaryFolder.description)
      }
      archives = DisposableFolder(folder)
    }
    guard let archives else { throw AuditError.noTemporaryFolder(options.temporaryFolder.description) }
    archivesMade += 1
    let path = archives.path.appending(component: Array("\(archivesMade)".utf8))
    guard path.withCString({ mkdir($0, 0o700) }) == 0 else {
      throw AuditError.noTemporaryFolder(options.temporaryFolder.description)
    }
    slot.folder = DisposableFolder(path)
    return path
  }

  // MARK: Waiting

  /// Waits until a worker has something to say, is over its time, or the audit is to end.
  private func wait() throws {
    let running = workers.indices.filter { workers[$0] != nil }
    var polled = running.map { pollfd(fd: workers[$0]?.descriptor ?? -1, events: Int16(POLLIN), revents: 0) }
    if let interruption = options.interruption {
      polled.append(pollfd(fd: interruption, events: Int16(POLLIN), revents: 0))
    }
    guard poll(&polled, nfds_t(polled.count), timeToNextDeadline) >= 0 || errno == EINTR else { return }
    if options.interruption != nil, polled.last?.revents != 0 { throw AuditError.interrupted }
    for (position, state) in zip(running, polled) where state.revents != 0 { try read(position) }
    for position in running { endIfOverTime(position) }
  }

  /// Milliseconds.
  private var timeToNextDeadline: Int32 {
    let now = ContinuousClock.now
    let deadlines = workers.compactMap { worker in
      worker.flatMap { $0.entries.isEmpty ? nil : $0.since + options.timeout }
    }
    guard let next = deadlines.min() else { return 1000 }
    let (seconds, attoseconds) = max(next - now, .zero).components
    return Int32(clamping: min(seconds, 3600) * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
  }

  private func read(_ position: Int) throws {
    guard let worker = workers[position] else { return }
    switch worker.read() {
    case .lines(let lines): for line in lines { try take(line, from: worker) }
    case .ended: try bury(position)
    }
  }

  private func take(_ line: [UInt8], from worker: WorkerProcess) throws {
    guard worker.isReady else {
      worker.becomeReady()
      idleDeaths = 0
      return
    }
    guard let slot = worker.takeAnswered() else { return }
    if case .archive = slot.item.kind { takeEntries(slot, line) } else { finish(slot, line) }
  }

  private func takeEntries(_ archive: AuditSlot, _ line: [UInt8]) {
    guard let folder = archive.folder,
      let found = try? UnpackedEntries(line, of: archive.item, in: folder.path)
    else { return finish(archive, AuditProblem(.crashed, "the worker gave an answer that makes no sense")) }
    if let problem = found.problem { return finish(archive, problem) }
    guard !found.items.isEmpty else {
      return finish(archive, AuditProblem(.noStore, "no store was found in this archive"))
    }
    let entries = found.items.map { AuditSlot($0, folder: folder) }.dropFirst(archive.linesBefore)
    archive.entries = Array(entries)
    archive.folder = nil
    for slot in entries {
      if case .problem(let problem) = slot.item.kind { finish(slot, problem) }
    }
    // Before any other archive is unpacked.
    waiting.prepend(entries.filter { $0.line == nil })
  }

  private func endIfOverTime(_ position: Int) {
    guard let worker = workers[position], !worker.entries.isEmpty, ContinuousClock.now >= worker.since + options.timeout
    else { return }
    let stage = worker.stage
    worker.end()
    workers[position] = nil
    let entries = worker.takeAll()
    waiting.prepend(Array(entries.dropFirst()))
    if let slot = entries.first {
      finish(
        slot,
        AuditProblem(
          .timedOut, "took longer than \(options.timeout.words); give it more time with --timeout", stage: stage))
    }
  }

  /// What a worker that has ended was working on is done with; what it would have come to next goes to another.
  private func bury(_ position: Int) throws {
    guard let worker = workers[position] else { return }
    worker.end()
    workers[position] = nil
    let entries = worker.takeAll()
    guard worker.isReady else {
      waiting.prepend(entries)
      idleDeaths += 1
      guard idleDeaths < 3 else { throw AuditError.noWorker(worker.lastMessages.firstLine ?? "it ended at once") }
      return
    }
    waiting.prepend(Array(entries.dropFirst()))
    if let slot = entries.first { finish(slot, AuditProblem(endOf: worker)) }
  }
}

extension AuditProblem {
  /// A worker ended in the middle of its work.
  fileprivate init(endOf worker: WorkerProcess) {
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
}

extension Duration {
  /// "60 s", "0.5 s".
  fileprivate var words: String {
    let (seconds, attoseconds) = components
    let tenths = attoseconds / 100_000_000_000_000_000
    return tenths == 0 ? "\(seconds) s" : "\(seconds).\(tenths) s"
  }
}

extension String {
  fileprivate var firstLine: String? { split(whereSeparator: \.isNewline).first.map(String.init) }
}
