import Foundation
import StorePlatform
import TestSupport
import Testing

/// The built `storedoctor`, run as a user runs it.
enum Program {
  /// What a run printed and used, and how it ended.
  struct Outcome {
    /// The exit status; nil when a signal ended it.
    var status: Int32?
    /// The signal that ended it.
    var signal: Int32?
    var output: String
    var errors: String
    /// Seconds of processor time, which do not depend on the load of the machine.
    var seconds: Double
    /// The highest memory that was seen, in bytes; sampled every millisecond, so a peak at the very end may be missed.
    var memory: Int
    /// Whether it was killed because it took too long, or too much processor time.
    var wasKilled: Bool
  }

  /// The binary beside the test bundle, or the one that `STOREDOCTOR` names (a release build, for the long runs).
  static let path =
    ProcessInfo.processInfo.environment["STOREDOCTOR"] ?? BuiltProducts.path(of: "storedoctor")

  /// Runs `storedoctor` with `arguments`.
  ///
  /// - Parameter work: seconds of processor time after which the system kills it; nil for no such limit.
  static func run(
    _ arguments: [String], as user: User = .current, environment: [String: String] = [:], work: Int? = nil,
    limit: Double = hanging
  ) throws -> Outcome {
    let limiter = work.map { ["sh", "-c", "ulimit -t \($0); exec \"$0\" \"$@\""] } ?? []
    return try launch(limiter + user.command + [path] + arguments, environment: environment, limit: limit)
  }

  /// Runs any program.
  static func launch(
    _ command: [String], environment: [String: String] = [:], limit: Double = hanging
  ) throws -> Outcome {
    let folder = try TemporaryOutput()
    let clock = ContinuousClock()
    let start = clock.now
    let process = try spawn(command, environment: environment, folder)
    var status: Int32 = 0
    var usage = rusage()
    var wasKilled = false
    var memory = 0
    var isLoaded = false
    while wait4(process, &status, WNOHANG, &usage) == 0 {
      isLoaded = isLoaded || !sharesMemory(process)
      if isLoaded { memory = max(memory, peakMemory(of: process)) }
      if !wasKilled, start.duration(to: clock.now) > .seconds(limit) {
        kill(process, SIGKILL)
        wasKilled = true
      }
      usleep(1000)
    }
    let signal = status & 0x7F
    wasKilled = wasKilled || signal == SIGXCPU
    return Outcome(
      status: signal == 0 ? (status >> 8) & 0xFF : nil, signal: signal == 0 ? nil : signal,
      output: try folder.text("out"), errors: try folder.text("err"),
      seconds: usage.ru_utime.seconds + usage.ru_stime.seconds, memory: memory == 0 ? peakMemory(usage) : memory,
      wasKilled: wasKilled)
  }

  /// A program that runs until it is stopped.
  final class Background {
    private let process: pid_t
    private let folder: TemporaryOutput

    init(_ command: [String]) throws {
      folder = try TemporaryOutput()
      process = try spawn(command, environment: [:], folder)
    }

    /// Whether it has not ended by itself.
    var isRunning: Bool { waitpid(process, nil, WNOHANG) == 0 }

    deinit {
      // SIGKILL, since the child may have inherited other signals as blocked.
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
  }

  /// Whether a child has not yet replaced the tests' program by its own; until then the memory it shows is that of the
  /// tests, some 1 GB.
  private static func sharesMemory(_ process: pid_t) -> Bool {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 2 * Int(PATH_MAX)) { bytes in
      guard let base = bytes.baseAddress else { return false }
      let half = Int(PATH_MAX)
      let own = readlink("/proc/self/exe", base, half)
      let other = readlink("/proc/\(process)/exe", base + half, half)
      return own > 0 && own == other && memcmp(base, base + half, own) == 0
    }
  }

  /// The most memory that a program has had since it was loaded; 0 where the system does not say.
  private static func peakMemory(of process: pid_t) -> Int {
    let descriptor = open("/proc/\(process)/status", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    // Without a `String`: this runs a thousand times a second, beside the program that is measured.
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { bytes in
      let count = read(descriptor, bytes.baseAddress, bytes.count - 1)
      bytes[max(count, 0)] = 0
      // "VmHWM:     12345 kB"
      guard count > 0, let start = bytes.baseAddress, let line = strstr(start, "VmHWM:") else { return 0 }
      return strtol(line + "VmHWM:".utf8.count, nil, 10) << 10
    }
  }

  /// The peak after the end. It may include the time before the program was loaded, and so the memory of the tests.
  private static func peakMemory(_ usage: rusage) -> Int {
    #if canImport(Darwin)
      Int(usage.ru_maxrss)
    #else
      // Not used: the tests' own peak would be reported. A program that ended before it was sampled used little.
      0
    #endif
  }

  private static func spawn(
    _ command: [String], environment: [String: String], _ folder: TemporaryOutput
  ) throws -> pid_t {
    var actions = Platform.newSpawnActions
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, folder.path + "/out", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, folder.path + "/err", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    variables["COLUMNS"] = environment["COLUMNS"] ?? "100"
    // The environment is passed on whole, with LD_PRELOAD and the like, as a shell does.
    var arguments = command.map { strdup($0) } + [nil]
    var settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in arguments + settings { free(pointer) } }
    // Swift's threads block most signals, and a child would inherit that; a shell blocks none.
    var attributes = Platform.newSpawnAttributes
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var process: pid_t = 0
    let code = posix_spawnp(&process, command[0], &actions, &attributes, &arguments, &settings)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
    return process
  }

  /// Whether a program can be found in `PATH`.
  static func exists(_ name: String) -> Bool { (try? launch(["sh", "-c", "command -v \(name)"]))?.status == 0 }

  /// Seconds after which a run counts as hanging and is killed; a busy machine may take a minute instead of a second.
  static let hanging = 300.0

  /// Seconds of processor time after which a run counts as hanging; a debug build is many times slower.
  #if DEBUG
    static let patience = 40
  #else
    static let patience = 10
  #endif

  /// Whether long runs are asked for.
  static let isLong = ProcessInfo.processInfo.environment["STOREDOCTOR_LONG"] == "1"
}

extension timeval {
  fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1_000_000 }
}

/// Who runs the program.
enum User {
  case current
  /// A user who owns nothing here: root may read everything, so that permissions show only to another.
  case ordinary

  var command: [String] {
    switch self {
    case .current: []
    case .ordinary: getuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"] : []
    }
  }

  /// Whether somebody without privileges can run the program; root needs `setpriv` for that.
  static let ordinaryIsPossible: Bool = {
    guard getuid() == 0 else { return true }
    return (try? Program.run(["--version"], as: .ordinary))?.status == 0
  }()
}

extension Trait where Self == ConditionTrait {
  /// Skips a test where the program cannot be run without root's privileges.
  static var needsOrdinaryUser: Self {
    .enabled(if: User.ordinaryIsPossible, "skipped: root, and no setpriv to run as another user")
  }

  /// Skips a test where a program it needs is missing.
  static func needs(_ program: String) -> Self {
    .enabled(if: Program.exists(program), "skipped: no \(program)")
  }
}

/// A folder for what one run prints.
private final class TemporaryOutput {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/storedoctor-run-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    // Another user writes to what is opened before, not to the folder.
    chmod(path, 0o700)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)), as: UTF8.self)
  }
}
