import StorePlatform
import StoreSystem

/// A run of a command for an assistant, in a process of its own that ends with this one.
struct MCPRun {
  /// What it printed; its messages where that is nothing.
  let text: String
  /// Whether it could not do the work.
  let isError: Bool

  /// How long it may take, and how much it may print.
  private static let timeout = Duration.seconds(600)
  private static let mostBytes = 32 << 20

  /// - Throws: `ChildProcess.Failure`.
  init(_ words: [String]) throws {
    var environment = workerEnvironment
    environment[EndWithInput.variable] = "1"
    environment["NO_COLOR"] = "1"
    let child = try ChildProcess(programPath, words, environment: environment, input: .written)
    let output: [UInt8]?
    do {
      output = try child.readAll(atMost: Self.mostBytes, until: .now + Self.timeout)
    } catch is ChildProcess.TooLong {
      (text, isError) = (
        "the answer is longer than \(Self.mostBytes >> 20) MiB; ask for less, or run the command", true
      )
      return
    }
    guard let output else {
      // It ends with its input, and removes what it made.
      _ = try? child.wait()
      (text, isError) = ("there was no answer within \(Self.timeout.components.seconds) s; run the command", true)
      return
    }
    let ending = try child.wait()
    isError = ending != .exited(0) && ending != .exited(1)
    let messages = child.messageText
    if output.isEmpty {
      text = messages.isEmpty ? "the command ended without an answer" : messages
    } else {
      text = String(decoding: output, as: UTF8.self)
    }
  }
}

/// A process that another one waits for has no reason to go on where that one has ended.
enum EndWithInput {
  /// Says that the standard input is that of a process which waits.
  static let variable = "STOREDOCTOR_ENDS_WITH_INPUT"

  /// Ends this process, as a signal does, where its standard input ends, if the environment asks for that.
  static func beginIfAsked() {
    guard getenv(variable) != nil else { return }
    unsetenv(variable)
    _ = Platform.startThread(stackBytes: 1 << 16) {
      var byte: UInt8 = 0
      while true {
        let count = StorePlatform.read(STDIN_FILENO, &byte, 1)
        if count > 0 || (count < 0 && errno == EINTR) { continue }
        kill(getpid(), SIGTERM)
        return
      }
    }
  }
}
