import StorePlatform
import StoreSQLite

/// A program run beside this one, without a shell, with only the environment it is given.
///
/// It gets none of this program's descriptors but its own input, output and messages. It ends when this object goes
/// away.
package final class ChildProcess {
  /// The program's standard input.
  package enum Input {
    /// Nothing.
    case nothing
    /// The bytes passed to `write`.
    case written
    /// The output of another program.
    case output(of: ChildProcess)
    /// A file, from its first byte on, that no other program may read at the same time.
    case file(EvidenceFile)
  }

  /// Why a program could not be run, or failed.
  package struct Failure: Error, CustomStringConvertible {
    /// The program's name.
    package var program: String
    /// The problem; lower case, no full stop.
    package var message: String

    /// The program and the problem.
    package var description: String { "\(program): \(message)" }

    package init(program: String, message: String) {
      self.program = program
      self.message = message
    }
  }

  /// A program's output exceeded the limit.
  package struct TooLong: Error, CustomStringConvertible {
    /// A sentence.
    package var description: String { "the program printed more than may be read" }
  }

  /// A program had no answer in time.
  package struct TooLate: Error, CustomStringConvertible {
    /// A clause without its subject.
    package var description: String { "the program had no answer in time" }
  }

  private let program: String
  private let process: pid_t
  private let output: Descriptor
  private var input: Descriptor?
  private let messages: Descriptor
  private var buffer: [UInt8] = []
  private var bufferStart = 0
  private var status: Int32?

  /// Starts `program`, looked up in `PATH`.
  ///
  /// - Throws: `Failure` when it cannot be started.
  package init(_ program: String, _ arguments: [String], environment: [String: String], input: Input = .nothing) throws
  {
    self.program = program
    let (output, childOutput) = try Self.connection(program)
    messages = try Self.temporaryFile(program)
    let spawn = { [messages] input in
      try Self.spawn(
        program, arguments: arguments, environment: environment, input: input, output: childOutput, messages: messages)
    }
    switch input {
    case .nothing: (self.input, process) = (nil, try spawn(nil))
    case .written:
      let (own, child) = try Self.connection(program)
      (self.input, process) = (own, try spawn(child.number))
    case .output(let other): (self.input, process) = (nil, try spawn(other.output.number))
    case .file(let file): (self.input, process) = (nil, try file.lend(spawn))
    }
    self.output = output
  }

  deinit {
    guard status == nil else { return }
    kill(process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
  }
}

// MARK: - Reading and writing

extension ChildProcess {
  /// The bytes up to `separator`, which is consumed and left out; nil at the end of the output. Bytes after the last
  /// separator are returned too.
  ///
  /// - Parameter deadline: nil where it may take any time.
  /// - Throws: `TooLate` after the deadline.
  package func read(
    until separator: UInt8, atMost limit: Int, by deadline: ContinuousClock.Instant? = nil
  ) throws -> [UInt8]? {
    var searched = 0
    while true {
      if let end = buffer[(bufferStart + searched)...].firstIndex(of: separator) {
        defer { bufferStart = end + 1 }
        return Array(buffer[bufferStart..<end])
      }
      searched = buffer.count - bufferStart
      guard searched <= limit else { throw failure("printed more than \(limit) bytes without an end") }
      if let deadline, try !waitForOutput(until: deadline) { throw TooLate() }
      guard try fill() else { break }
    }
    guard bufferStart < buffer.count else { return nil }
    defer { bufferStart = buffer.count }
    return Array(buffer[bufferStart...])
  }

  /// The next 64 KiB of output, fewer only before its end; none at its end.
  package func readPart() throws -> [UInt8] {
    guard bufferStart == buffer.count else {
      defer { bufferStart = buffer.count }
      return Array(buffer[bufferStart...])
    }
    let size = 1 << 16
    var failed = false
    let part = [UInt8](unsafeUninitializedCapacity: size) { part, count in
      repeat {
        // Waits for all of it; otherwise a program that writes small pieces would be read in small pieces.
        let received = recv(output.number, part.baseAddress?.advanced(by: count), size - count, Platform.receiveWhole)
        if received < 0 && errno == EINTR { continue }
        failed = received < 0
        guard received > 0 else { return }
        count += received
      } while count < size
    }
    guard !failed || !part.isEmpty else { throw failure("cannot be read") }
    return part
  }

  /// Exactly `count` bytes.
  package func read(count: Int) throws -> [UInt8] {
    while buffer.count - bufferStart < count {
      guard try fill() else { throw failure("ended in the middle of its output") }
    }
    defer { bufferStart += count }
    return Array(buffer[bufferStart..<bufferStart + count])
  }

  /// Skips `count` bytes.
  package func skip(count: Int64) throws {
    var rest = count
    while rest > 0 {
      if bufferStart == buffer.count, try !fill() { throw failure("ended in the middle of its output") }
      let part = Int(min(rest, Int64(buffer.count - bufferStart)))
      bufferStart += part
      rest -= Int64(part)
    }
  }

  /// Writes to the program's input.
  package func write(_ bytes: [UInt8]) throws {
    guard let input else { return }
    var done = 0
    while done < bytes.count {
      // Not `write`: if the program has ended, SIGPIPE would end this process.
      let written = bytes[done...].withUnsafeBytes { send(input.number, $0.baseAddress, $0.count, Platform.sendFlags) }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { throw failure("stopped reading") }
      done += written
    }
  }

  /// Waits for the program to end.
  ///
  /// - Throws: `Failure` with the program's own message unless its exit status is 0.
  package func finish() throws {
    switch try wait() {
    case .exited(0): return
    case .exited(let status): throw failure("ended with status \(status)")
    case .signalled(let signal): throw failure("was ended by signal \(signal)")
    }
  }

  /// How a program ended.
  package enum Ending: Equatable {
    /// It exited with a status.
    case exited(Int32)
    /// A signal ended it.
    case signalled(Int32)
  }

  /// Waits for the program to end, in whatever way.
  package func wait() throws -> Ending {
    input = nil
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw failure("cannot be waited for") }
    }
    self.status = status
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
  }

  /// All output to its end; nil if that has not come by `deadline`.
  ///
  /// - Throws: `TooLong` when there is more than `limit`.
  package func readAll(atMost limit: Int, until deadline: ContinuousClock.Instant) throws -> [UInt8]? {
    while try waitForOutput(until: deadline) {
      guard try fill() else {
        defer { bufferStart = buffer.count }
        return Array(buffer[bufferStart...])
      }
      guard buffer.count - bufferStart <= limit else { throw TooLong() }
    }
    return nil
  }

  /// Waits for more output, or its end; false where neither has come by `deadline`.
  private func waitForOutput(until deadline: ContinuousClock.Instant) throws -> Bool {
    while true {
      let left = ContinuousClock.now.duration(to: deadline).components
      guard left.seconds >= 0, left.attoseconds >= 0 else { return false }
      let milliseconds = left.seconds.multipliedReportingOverflow(by: 1000)
      var waiting = pollfd(fd: output.number, events: Int16(POLLIN), revents: 0)
      let count = poll(&waiting, 1, milliseconds.overflow ? 1000 : Int32(clamping: milliseconds.partialValue + 1))
      if count == 0 || (count < 0 && errno == EINTR) { continue }
      return true
    }
  }

  /// The first 4 KiB that it wrote to standard error.
  package var messageText: String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = bytes.withUnsafeMutableBytes { pread(messages.number, $0.baseAddress, $0.count, 0) }
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  /// A failure with the first line that the program wrote to its standard error.
  private func failure(_ message: String) -> Failure {
    let first = messageText.split(whereSeparator: \.isNewline).first.map { ": \($0)" } ?? ""
    return Failure(program: program, message: message + first)
  }

  /// Reads more; false at the end.
  private func fill() throws -> Bool {
    if bufferStart > 1 << 16 {
      buffer.removeFirst(bufferStart)
      bufferStart = 0
    }
    let count = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { piece in
      var count = 0
      repeat {
        count = Self.readOnce(output.number, piece.baseAddress, piece.count)
      } while count < 0 && errno == EINTR
      if count > 0 { buffer.append(contentsOf: piece[..<count]) }
      return count
    }
    guard count >= 0 else { throw failure("cannot be read") }
    return count > 0
  }

  private static func readOnce(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    StorePlatform.read(descriptor, buffer, count)
  }
}

// MARK: - Starting

extension ChildProcess {
  /// An open file, closed when this object goes away.
  package final class Descriptor {
    package let number: Int32
    init(_ number: Int32) { self.number = number }
    deinit { close(number) }
  }

  /// A connection between this program and a child. Not a pipe: a child started at the same moment on another thread
  /// could inherit its write end and keep it open.
  ///
  /// - Parameter lowest: the child's end is a higher descriptor than this.
  package static func connection(
    _ program: String, above lowest: Int32 = 2
  ) throws -> (own: Descriptor, child: Descriptor) {
    let failure = Failure(program: program, message: tooManyFiles)
    guard let ends = Platform.socketPair() else { throw failure }
    let (own, child) = (Descriptor(ends.0), Descriptor(ends.1))
    guard child.number <= lowest else { return (own, child) }
    let higher = fcntl(child.number, F_DUPFD_CLOEXEC, lowest + 1)
    guard higher >= 0 else { throw failure }
    return (own, Descriptor(higher))
  }

  /// A nameless file for the program's messages. A pipe that nobody reads would block the program when full.
  ///
  /// - Parameter lowest: the result is a higher descriptor than this.
  package static func temporaryFile(_ program: String, above lowest: Int32 = 2) throws -> Descriptor {
    let file = newNamelessFile()
    defer { if file >= 0 { close(file) } }
    let descriptor = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, lowest + 1)
    guard descriptor >= 0 else {
      throw Failure(
        program: program,
        message: errno == EMFILE || errno == ENFILE
          ? tooManyFiles : "cannot be started: no temporary file; set TMPDIR to a folder that can be written")
    }
    return Descriptor(descriptor)
  }

  private static let tooManyFiles = "cannot be started: too many open files; raise the limit ('ulimit -n')"

  /// In the folder of `TMPDIR`, else in `/tmp`; negative where it cannot be created. `tmpfile` would only use `/tmp`,
  /// and Glibc declares `memfd_create` only with `_GNU_SOURCE`.
  private static func newNamelessFile() -> Int32 {
    let wanted = getenv("TMPDIR").map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? []
    for folder in [wanted, Array("/tmp".utf8)] where !folder.isEmpty {
      let name = PosixPath(bytes: folder).appending(component: Array("storedoctor-XXXXXX".utf8))
      var path = name.bytes.map { CChar(bitPattern: $0) } + [0]
      let descriptor = mkstemp(&path)
      guard descriptor >= 0 else { continue }
      unlink(path)
      return descriptor
    }
    return -1
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - further: descriptors that the program gets as 3 and on. Later ones must not have the numbers of earlier
  ///     places.
  ///   - leadsGroup: whether it gets a process group of its own: signals from the terminal do not reach it, and what it
  ///     starts can be ended with it. It does not get a session: Linux divides processor time between sessions
  ///     (`sched_autogroup`), so each worker would weigh as much as everything else its user runs; under 6.18, on a
  ///     busy processor, workers in their own sessions were seen to wait 20 s for 0.2 s of work.
  package static func spawn(
    _ program: String, arguments: [String], environment: [String: String], input: Int32?,
    output: Descriptor, messages: Descriptor, further: [Descriptor] = [], leadsGroup: Bool = false
  ) throws -> pid_t {
    let descriptors = [input, output.number, messages.number] + further.map(\.number)
    do {
      return try Platform.startProgram(
        [program] + arguments, environment: environment, descriptors: descriptors, leadsGroup: leadsGroup)
    } catch {
      let code = error.code
      throw Failure(
        program: program,
        message: code == ENOENT
          ? "is not installed, or not in PATH"
          : "cannot be started: \(strerror(code).map { String(cString: $0) } ?? "error \(code)")")
    }
  }
}
