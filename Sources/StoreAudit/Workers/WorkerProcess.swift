import StoreSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A process that looks at one store after the other, seen from the audit.
///
/// It has up to two entries at a time: the one it works on, and the next, so that it need not wait for the audit between
/// them; more while stores take it next to no time.
final class WorkerProcess {
  /// What it was given and has not answered, in order; it works on the first. Nil for what was taken back, which it will
  /// say that it left out.
  private var entries: [AuditSlot?] = []
  /// How many entries it has answered.
  private var answered = 0
  /// Since when it has worked on the first, or been starting.
  private var since: ContinuousClock.Instant
  /// How long the last entries took it, each.
  private var pace = Duration.seconds(1)
  /// Whether it has said that it can work.
  private(set) var isReady = false

  private let process: pid_t
  private let connection: ChildProcess.Descriptor
  private let messages: ChildProcess.Descriptor
  private let stages: ChildProcess.Descriptor
  private var buffer: [UInt8] = []
  private var searched = 0
  /// Requests the connection had no room for yet.
  private var unsent: ArraySlice<UInt8> = []
  /// Whether it was ended: its number may be another process's from then on.
  private var isOver = false
  /// When it closed its connection.
  private var leftAt: ContinuousClock.Instant?
  /// The signal that ended it before it was told to; nil where it ended otherwise, or has not.
  private(set) var signal: Int32?

  /// As many entries as it may have. Those it has no other worker can take when one of them turns out to be large.
  var capacity: Int { isLeaving ? 0 : isQuick ? Self.mostEntries : 2 }

  /// How many entries it has.
  var load: Int { entries.count }
  /// As many entries as any worker may have. The more there are, the longer the audit can sleep; they are dealt out one each
  /// in turn, so that large ones among them are spread over all workers.
  static let mostEntries = 16

  /// How long it can be left alone: until half of its entries are done.
  var timeToSpare: Duration { isQuick && !isLeaving && entries.count >= 4 ? pace * (entries.count / 2) : .zero }

  private var isQuick: Bool { pace < .milliseconds(5) }

  /// How a worker is started.
  struct Command {
    /// The program, by its path.
    var program: String
    var arguments: [String]
    var environment: [String: String]
    /// Models that were read for it; nil for none.
    var readings: ChildProcess.Descriptor?
  }

  /// Starts a worker.
  ///
  /// - Throws: `ChildProcess.Failure` when it cannot be started.
  init(_ command: Command) throws {
    let (own, child) = try ChildProcess.connection(command.program)
    messages = try ChildProcess.temporaryFile(command.program)
    stages = try ChildProcess.temporaryFile(command.program)
    process = try ChildProcess.spawn(
      command.program, command.arguments, command.environment, input: child.number, output: child, messages: messages,
      further: [stages] + [command.readings].compactMap(\.self), leadsGroup: true)
    connection = own
    since = .now
    _ = fcntl(own.number, F_SETFL, fcntl(own.number, F_GETFL) | O_NONBLOCK)
  }

  deinit { end() }

  /// What can be waited for.
  var polled: pollfd {
    pollfd(fd: connection.number, events: Int16(unsent.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0)
  }

  /// Hands it an entry, with the next `send()`.
  func give(_ slot: AuditSlot, _ request: WorkerRequest) {
    if entries.isEmpty, isReady { since = .now }
    entries.append(slot)
    unsent += request.line.utf8
  }

  /// Sends what there is room for now. A request may be larger than the connection holds, and the worker not there yet to
  /// read it: what is left is for later. That a worker has ended shows when it is read.
  func send() {
    while !unsent.isEmpty {
      let sent = unsent.withUnsafeBytes { Self.sendBytes(connection.number, $0.baseAddress, $0.count) }
      if sent < 0 && errno == EINTR { continue }
      guard sent > 0 else { return }
      unsent.removeFirst(sent)
    }
    unsent = []
  }

  /// What reading from it gave.
  enum Reading {
    /// Whole lines, as many as have come.
    case lines([[UInt8]])
    /// It has ended, or says things no worker says.
    case ended
  }

  /// Takes what has come from it.
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

  /// Takes note that it can work. What it took to come there, reading models, is not the first store's time.
  func becomeReady() {
    isReady = true
    since = .now
  }

  /// When it is over its time; nil while it has nothing to do.
  func deadline(_ timeout: Duration) -> ContinuousClock.Instant? {
    guard !entries.isEmpty, !isLeaving else { return nil }
    return since + (isReady ? timeout : max(timeout, Self.longestStart))
  }

  /// Leaves a time out of what it has had.
  func excuse(_ time: Duration) { since += time }

  /// Whether there is something to read from it, or will never be.
  var hasSpoken: Bool {
    var polled = polled
    return poll(&polled, 1, 0) != 0 && polled.revents & ~Int16(POLLOUT) != 0
  }

  /// The least time it has for starting.
  private static let longestStart = Duration.seconds(60)

  /// Takes the entry it has answered, and turns to the next; nil for one that was taken back.
  func takeAnswered() -> AuditSlot? {
    since = .now
    guard !entries.isEmpty else { return nil }
    answered += 1
    return entries.removeFirst()
  }

  /// Takes all entries it has not answered; the first, which it worked on, apart.
  func takeAll() -> (first: AuditSlot?, others: [AuditSlot]) {
    defer { entries = [] }
    return (entries.first ?? nil, entries.dropFirst().compactMap(\.self))
  }

  /// Whether it has something in hand that takes its time, and more that it has not begun.
  var keepsOthersWaiting: Bool {
    isReady && !isLeaving && entries.dropFirst().contains { $0 != nil } && .now - since >= Self.longInHand
  }

  /// How long it works on an entry before another worker takes over what it has besides.
  static let longInHand = Duration.milliseconds(50)

  /// Takes back what it has not begun.
  func takeBack() -> [AuditSlot] {
    guard entries.count > 1 else { return [] }
    let begun = StageFile.takeBack(answered + 2...answered + entries.count, in: stages.number)
    let kept = min(max(begun - answered, 1), entries.count)
    let taken = entries[kept...].compactMap(\.self)
    for position in kept..<entries.count { entries[position] = nil }
    return taken
  }

  // MARK: Its end

  /// Takes note that it has closed its connection. It does so on its way out; what ended it is known only at the end of
  /// that, on a busy machine a while later, and the audit goes on meanwhile.
  func leave() { if leftAt == nil { leftAt = .now } }

  /// Whether it has closed its connection and has not been seen to end.
  var isLeaving: Bool { leftAt != nil }

  /// Whether one that is leaving has ended, or takes too long for that. What ended it is kept then.
  var isGone: Bool {
    guard let leftAt else { return false }
    let endedByItself = hasEnded
    guard endedByItself || ContinuousClock.now - leftAt >= Self.longestWayOut else { return false }
    let status = end()
    if endedByItself, let status, status & 0x7F != 0 { signal = status & 0x7F }
    return true
  }

  private static let longestWayOut = Duration.seconds(10)

  /// Whether it has ended. Its number stays its own: what it has started can still be ended with it.
  private var hasEnded: Bool {
    var information = siginfo_t()
    return waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) != 0
      || information.si_signo == SIGCHLD
  }

  /// Ends it, whatever it does. A process that hangs in the system, on a file server that is gone, stays until that
  /// answers; it is not waited for.
  ///
  /// - Returns: what the system says of its end, nil where that has not come or was told before.
  @discardableResult func end() -> Int32? {
    guard !isOver else { return nil }
    isOver = true
    // It leads a group: what it has started to unpack an archive ends with it.
    kill(-process, SIGKILL)
    kill(process, SIGKILL)
    for _ in 0..<100 {
      var status: Int32 = 0
      if waitpid(process, &status, WNOHANG) == process { return status }
      usleep(1000)
    }
    return nil
  }

  /// How far it had come with what it worked on.
  var stage: AuditStage? { StageFile.stage(in: stages.number) }

  /// The last it wrote to its standard error.
  var lastMessages: String {
    var bytes = [UInt8](repeating: 0, count: 16384)
    let length = max(lseek(messages.number, 0, SEEK_END), 0)
    let start = max(Int(length) - bytes.count, 0)
    let count = bytes.withUnsafeMutableBytes { pread(messages.number, $0.baseAddress, $0.count, off_t(start)) }
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  private static func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
      Glibc.send(descriptor, bytes, count, ChildProcess.sendFlags)
    #else
      Darwin.send(descriptor, bytes, count, ChildProcess.sendFlags)
    #endif
  }
}
