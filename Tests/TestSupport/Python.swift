import Foundation
import StorePlatform

/// Python, to compare with as an independent reader.
package enum Python {
  /// Whether there is one.
  package static let isPresent = (try? run("print(1)")) == Array("1\n".utf8)

  /// A script that failed.
  package struct Failure: Error {
    /// Its exit status, or what `posix_spawnp` returned.
    package var status: Int32
  }

  /// The bytes a script prints.
  ///
  /// Not with `Process`: its `waitUntilExit` needs a run loop, which Swift's own threads do not have, and did hang.
  package static func run(_ script: String, _ arguments: [String] = [], input: [UInt8] = []) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let input = try folder.write(input, to: "in")
    let script = try folder.write(Array(script.utf8), to: "script.py")
    let shell = #"input=$1; output=$2; shift 2; exec python3 "$@" <"$input" >"$output""#
    var words = (["sh", "-c", shell, "sh", input, folder("out"), script] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, "sh", nil, nil, &words, environ)
    guard code == 0 else { throw Failure(status: code) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    guard status == 0 else { throw Failure(status: status) }
    return Array(try Data(contentsOf: URL(fileURLWithPath: folder("out"))))
  }
}
