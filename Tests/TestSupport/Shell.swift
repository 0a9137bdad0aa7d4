import Foundation
import StorePlatform

/// The shell, run without `popen` and `system`, which Swift does not have on macOS.
package enum Shell {
  /// What a command printed, and its exit status; nil where it could not be run or was ended by a signal.
  package static func run(_ command: String) -> (output: [UInt8], status: Int32)? {
    guard let folder = try? TemporaryFolder() else { return nil }
    let text: [String] = ["sh", "-c", "exec >\"$1\"; eval \"$0\"", command, folder("out")]
    var words: [UnsafeMutablePointer<CChar>?] = text.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    guard posix_spawnp(&process, "sh", nil, nil, &words, environ) == 0 else { return nil }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    guard status & 0x7F == 0, let output = try? Data(contentsOf: URL(fileURLWithPath: folder("out"))) else {
      return nil
    }
    return (Array(output), status >> 8 & 0xFF)
  }
}
