import StorePlatform
import StoreSystem
import StoreSQLite

/// `storedoctor-swiftdata`, which parses Swift source in a process of its own: its parser takes minutes to build, and
/// source that overflows its stack ends only that process.
package struct SwiftDataProgram: Sendable {
  /// The program's name.
  package static let name = "storedoctor-swiftdata"

  /// The path of its executable.
  package var path: String
  /// How long it may take.
  package var timeout: Duration
  /// How many bytes it may print.
  package var outputLimit: Int

  /// The program at a path.
  package init(_ path: String, timeout: Duration = .seconds(300), outputLimit: Int = 64 << 20) {
    self.path = path
    self.timeout = timeout
    self.outputLimit = outputLimit
  }

  /// The installed program: beside the running one, else in `PATH`.
  ///
  /// - Throws: ``SwiftDataProgramError/notInstalled``.
  package static func installed() throws(SwiftDataProgramError) -> SwiftDataProgram {
    let beside = runningProgram.map { $0.sibling(named: Array(name.utf8)) }
    let folders = getenv("PATH").map { String(cString: $0) }?.split(separator: ":") ?? []
    // An empty entry of `PATH` means the working directory; it is skipped, so that nothing in there is run.
    for path in [beside].compactMap(\.self) + folders.map({ PosixPath("\($0)/\(name)") })
    where path.withCString({ access($0, X_OK) }) == 0 {
      return SwiftDataProgram(path.description)
    }
    throw .notInstalled
  }

  /// Runs it.
  ///
  /// - Returns: what it prints.
  /// - Throws: ``SwiftDataProgramError``; for bad input, with the program's own message.
  package func run(_ arguments: [String]) throws(SwiftDataProgramError) -> [UInt8] {
    do {
      let child = try ChildProcess(path, arguments, environment: Self.environment)
      guard let all = try child.readAll(atMost: outputLimit, until: .now + timeout) else { throw Ended.tooSlow }
      switch try child.wait() {
      case .exited(0): return all
      case .exited(let status): throw Ended.failed(child.messageText, status)
      case .signalled(let signal): throw Ended.signalled(signal)
      }
    } catch let ending as Ended {
      throw error(ending)
    } catch is ChildProcess.TooLong {
      throw .tooLong(bytes: outputLimit)
    } catch {
      throw .failed((error as? ChildProcess.Failure).map { "\(Self.name) \($0.message)" } ?? "\(error)")
    }
  }

  /// Starts it to answer one question after the other.
  ///
  /// - Throws: ``SwiftDataProgramError/failed(_:)`` where it cannot be started.
  func start(_ arguments: [String]) throws(SwiftDataProgramError) -> ChildProcess {
    do {
      return try ChildProcess(path, arguments, environment: Self.environment, input: .written)
    } catch {
      throw .failed((error as? ChildProcess.Failure).map { "\(Self.name) \($0.message)" } ?? "\(error)")
    }
  }

  /// The next line that it prints; where it ends, or does not answer in time, why.
  ///
  /// - Throws: ``SwiftDataProgramError``; then it is of no use any more.
  func answer(of child: ChildProcess) throws(SwiftDataProgramError) -> [UInt8] {
    do {
      if let line = try child.read(until: UInt8(ascii: "\n"), atMost: outputLimit, by: .now + timeout) { return line }
      switch try child.wait() {
      case .exited(let status): throw Ended.failed(child.messageText, status)
      case .signalled(let signal): throw Ended.signalled(signal)
      }
    } catch let ending as Ended {
      throw error(ending)
    } catch is ChildProcess.TooLate {
      throw error(.tooSlow)
    } catch {
      throw .failed((error as? ChildProcess.Failure).map { "\(Self.name) \($0.message)" } ?? "\(error)")
    }
  }

  private enum Ended: Error, CustomStringConvertible {
    case tooSlow
    case failed(String, Int32)
    case signalled(Int32)

    var description: String {
      switch self {
      case .tooSlow: "it took too long"
      case .failed(_, let status): "it ended with status \(status)"
      case .signalled(let signal): "it was ended by signal \(signal)"
      }
    }
  }

  private func error(_ ending: Ended) -> SwiftDataProgramError {
    switch ending {
    case .tooSlow: return .tooSlow(seconds: timeout.components.seconds)
    case .signalled(let signal): return .crashed(signal: signal)
    case .failed(let text, let status):
      // "storedoctor-swiftdata: cannot read 'Models': No such file or directory"
      guard let first = text.split(whereSeparator: \.isNewline).first, !first.isEmpty else {
        return .failed("\(Self.name) ended with status \(status)")
      }
      let prefixes = ["\(Self.name): ", "Error: "]
      let prefix = prefixes.first { first.hasPrefix($0) }
      return .failed(String(prefix.map { first.dropFirst($0.count) } ?? first))
    }
  }

  /// Passes on where the Swift libraries are; turns backtraces off, which would delay the report of a crash.
  private static var environment: [String: String] {
    var environment = ["SWIFT_BACKTRACE": "enable=no", "LC_ALL": "C.UTF-8"]
    for name in ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"] {
      if let value = getenv(name) { environment[name] = String(cString: value) }
    }
    return environment
  }

  /// The running program's file.
  private static var runningProgram: PosixPath? {
    Platform.programFile.flatMap { try? PosixPath(bytes: $0).resolved() }
  }
}

/// Why Swift source could not be read.
package enum SwiftDataProgramError: Error, Equatable, CustomStringConvertible {
  /// It is neither beside the running program nor in `PATH`.
  case notInstalled
  /// It was ended by a signal.
  case crashed(signal: Int32)
  /// It was stopped after that time.
  case tooSlow(seconds: Int64)
  /// Its output has more than that many bytes.
  case tooLong(bytes: Int)
  /// Its own error message, or why it could not be run.
  case failed(String)
  /// Its output could not be understood.
  case garbled(String)

  /// The sentence shown to people.
  package var description: String {
    let name = SwiftDataProgram.name
    return switch self {
    case .notInstalled:
      "cannot read Swift source: '\(name)' is neither beside storedoctor nor in PATH; 'make install' installs both"
    case .crashed(let signal):
      "cannot read Swift source: \(name) was ended by signal \(signal); give fewer files to find the one it cannot read, "
        + "and please report it"
    case .tooSlow(let seconds):
      "cannot read Swift source: \(name) had no answer after \(seconds) seconds; give only the folders with the models"
    case .tooLong(let bytes):
      "cannot read Swift source: what it says of models takes more than \(bytes >> 20) MiB; give only the folders with the "
        + "models and their versions, or a few of them at a time"
    case .failed(let message): message
    case .garbled(let message):
      "cannot read Swift source: the answer of \(name) is not understood (\(message)); "
        + "'make install' installs both"
    }
  }
}
