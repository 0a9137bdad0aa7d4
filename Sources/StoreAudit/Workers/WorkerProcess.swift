import StorePlatform
import StoreSystem

/// A worker process, as seen by the audit.
///
/// It has up to two entries, the one it works on and the next, so that it does not wait for the audit in between; more
/// while stores take almost no time.
final class WorkerProcess {
  /// The entries it has not answered, in order; it works on the first. Nil stands for one that was taken back, which it
  /// will report as left out.
  private var entries: [AuditSlot?] = []
  /// How many entries it has answered.
  private var answered = 0
  /// When it started on the first entry, or was started.
  private var since: ContinuousClock.Instant
  /// How long its last entries took, on average.
  private var pace = Duration.seconds(1)
  /// Whether it has reported that it can work.
  private(set) var isReady = false

  private let process: pid_t
  private let connection: ChildProcess.Descriptor
  /// The end of a connection on which nothing is sent: when it closes, the worker knows that the audit is gone.
  private let presence: ChildProcess.Descriptor
  private let messages: ChildProcess.Descriptor
  private let stages: ChildProcess.Descriptor
  private var buffer: [UInt8] = []
  private var searched = 0
  /// Requests that did not fit into the connection yet.
  private var unsent: ArraySlice<UInt8> = []
  /// Whether it was ended and waited for; its process number may belong to another process from then on.
  private var isOver = false
  /// When it closed its connection.
  private var leftAt: ContinuousClock.Instant?
  /// The signal that ended it before it was told to end; nil otherwise.
  private(set) var signal: Int32?

  /// The most entries it may have now. If one of them turns out to be large, no other worker can take those it was
  /// given.
  var capacity: Int {
    if isLeaving {
      0
    } else if isQuick {
      Self.mostEntries
    } else {
      2
    }
  }

  /// How many entries it has.
  var load: Int { entries.count }
  /// The most entries any worker may have. The more there are, the longer the audit can sleep; they are dealt out in
  /// turn, so that large ones are spread over all workers.
  static let mostEntries = 16

  /// How long it needs no attention: until half of its entries are done.
  var timeToSpare: Duration { isQuick && !isLeaving && entries.count >= 4 ? pace * (entries.count / 2) : .zero }

  private var isQuick: Bool { pace < .milliseconds(5) }

  /// How a worker is started.
  struct Command {
    /// The program, by its path.
    var program: String
    var arguments: [String]
    var environment: [String: String]
    /// The models' readings for it; nil for none.
    var readings: ChildProcess.Descriptor?
  }

  /// Starts a worker.
  ///
  /// - Throws: `ChildProcess.Failure` when it cannot be started.
  init(_ command: Command) throws {
    let (own, child) = try ChildProcess.connection(command.program)
    let (presence, watched) = try ChildProcess.connection(command.program, above: OrphanWatch.descriptor)
    self.presence = presence
    messages = try ChildProcess.temporaryFile(command.program)
    stages = try ChildProcess.temporaryFile(command.program)
    process = try ChildProcess.spawn(
      command.program, arguments: command.arguments, environment: command.environment, input: child.number,
      output: child, messages: messages,
      further: [stages, watched] + [command.readings].compactMap(\.self), leadsGroup: true)
    connection = own
    since = .now
    _ = fcntl(own.number, F_SETFL, fcntl(own.number, F_GETFL) | O_NONBLOCK)
  }

  deinit { end() }

  /// The events to wait for.
  var polled: pollfd {
    pollfd(fd: connection.number, events: Int16(unsent.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0)
  }

  /// Queues an entry, to be sent with the next `send()`.
  func give(_ slot: AuditSlot, request: WorkerRequest) {
    if entries.isEmpty, isReady { since = .now }
    entries.append(slot)
    unsent += request.line.utf8
  }

  /// Sends as much as fits now. A request may be larger than the connection's buffer, and the worker may not be reading
  /// yet; the rest is sent later. That a worker has ended is noticed when reading.
  func send() {
    while !unsent.isEmpty {
      let sent = unsent.withUnsafeBytes { Self.sendBytes(connection.number, $0.baseAddress, $0.count) }
      if sent < 0 && errno == EINTR { continue }
      guard sent > 0 else { return }
      unsent.removeFirst(sent)
    }
    unsent = []
  }

  /// The result of reading from it.
  enum Reading {
    /// All complete lines that have arrived.
    case lines([[UInt8]])
    /// It has ended, or sent something no worker sends.
    case ended
  }

  /// Reads what has arrived.
  func read() -> Reading {
    var (count, code) = (0, Int32(0))
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { piece in
      repeat {
        count = recv(connection.number, piece.baseAddress, piece.count, 0)
        code = errno
      } while count < 0 && code == EINTR
      buffer += piece.prefix(max(count, 0))
    }
    if count < 0, code == EAGAIN || code == EWOULDBLOCK { return .lines([]) }
    guard count > 0, buffer.count <= Self.longestAnswer else { return .ended }
    let lines = takeLines()
    if isReady, !lines.isEmpty { pace = (.now - since) / lines.count }
    return .lines(lines)
  }

  /// The longest answer: a line with all findings of a store, or the entries of an archive.
  private static let longestAnswer = 256 << 20

  private func takeLines() -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var start = 0
    while let end = buffer[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(Array(buffer[start...end]))
      start = end + 1
      searched = start
    }
    if start > 0 { buffer.removeFirst(start) }
    searched = buffer.count
    return lines
  }

  /// Notes that it can work. The time for starting, reading models, does not count for the first store.
  func becomeReady() {
    isReady = true
    since = .now
  }

  /// When its time is up; nil while it has nothing to do.
  func deadline(_ timeout: Duration) -> ContinuousClock.Instant? {
    guard !entries.isEmpty, !isLeaving else { return nil }
    return since + (isReady ? timeout : max(timeout, Self.longestStart))
  }

  /// Excludes a time from its limit.
  func excuse(_ time: Duration) { since += time }

  /// Whether something, or the end, can be read from it.
  var hasSpoken: Bool {
    var polled = polled
    return poll(&polled, 1, 0) != 0 && polled.revents & ~Int16(POLLOUT) != 0
  }

  /// The time it has for starting, unless the limit for a store is longer.
  private static let longestStart = Duration.seconds(60)

  /// Removes the entry it has answered; nil for one that was taken back.
  func takeAnswered() -> AuditSlot? {
    since = .now
    guard !entries.isEmpty else { return nil }
    answered += 1
    return entries.removeFirst()
  }

  /// Removes all entries it has not answered; the first is the one it worked on.
  func takeAll() -> (first: AuditSlot?, others: [AuditSlot]) {
    defer { entries = [] }
    return (entries.first ?? nil, entries.dropFirst().compactMap(\.self))
  }

  /// Whether it has been busy with one entry for some time, and has others that it has not begun.
  var keepsOthersWaiting: Bool {
    isReady && !isLeaving && entries.dropFirst().contains { $0 != nil } && .now - since >= Self.longInHand
  }

  /// How long it may work on an entry before other workers take over its other entries.
  static let longInHand = Duration.milliseconds(50)

  /// Takes back the entries it has not begun.
  func takeBack() -> [AuditSlot] {
    guard entries.count > 1 else { return [] }
    let begun = StageFile.takeBack(answered + 2...answered + entries.count, in: stages.number)
    let kept = min(max(begun - answered, 1), entries.count)
    let taken = entries[kept...].compactMap(\.self)
    for position in kept..<entries.count { entries[position] = nil }
    return taken
  }

  // MARK: Ending

  /// Notes that it has closed its connection. That happens as it ends; the cause is known only afterwards, on a busy
  /// machine a while later, and the audit continues meanwhile.
  func leave() { if leftAt == nil { leftAt = .now } }

  /// Whether it has closed its connection and is not known to have ended.
  var isLeaving: Bool { leftAt != nil }

  /// Whether a leaving worker has ended, or takes too long. The cause of its end is kept then.
  var isGone: Bool {
    guard let leftAt else { return false }
    let endedByItself = hasEnded
    guard endedByItself || ContinuousClock.now - leftAt >= Self.longestWayOut else { return false }
    let status = end()
    if endedByItself, let status, status & 0x7F != 0 { signal = status & 0x7F }
    return true
  }

  private static let longestWayOut = Duration.seconds(10)

  /// Whether it has ended. It is not waited for yet, so its process number, and its group, stay reserved.
  private var hasEnded: Bool {
    var information = siginfo_t()
    return waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) != 0
      || information.si_signo == SIGCHLD
  }

  /// Ends it, whatever it is doing. A process that hangs in a system call, for example on a lost file server, stays
  /// until that returns; it is not waited for.
  ///
  /// - Returns: the system's status of its end; nil where that is not known, or was returned before.
  @discardableResult func end() -> Int32? {
    guard !isOver else { return nil }
    isOver = true
    // It leads a group, so programs that it started to unpack an archive end with it.
    kill(-process, SIGKILL)
    kill(process, SIGKILL)
    for _ in 0..<100 {
      var status: Int32 = 0
      if waitpid(process, &status, WNOHANG) == process { return status }
      usleep(1000)
    }
    return nil
  }

  /// The stage of what it worked on.
  var stage: AuditStage? { StageFile.stage(in: stages.number) }

  /// The end of what it wrote to its standard error.
  var lastMessages: String {
    var bytes = [UInt8](repeating: 0, count: 16384)
    let length = max(lseek(messages.number, 0, SEEK_END), 0)
    let start = max(Int(length) - bytes.count, 0)
    let count = bytes.withUnsafeMutableBytes { pread(messages.number, $0.baseAddress, $0.count, off_t(start)) }
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  private static func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    StorePlatform.send(descriptor, bytes, count, Platform.sendFlags)
  }
}
