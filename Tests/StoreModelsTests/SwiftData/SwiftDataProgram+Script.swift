import StoreModels
import StorePlatform
import TestSupport

extension SwiftDataProgram {
  /// A program that is a shell script.
  static func script(
    _ text: String, in folder: TemporaryFolder, timeout: Duration = .seconds(60), limit: Int = 1 << 20
  ) throws -> SwiftDataProgram {
    let path = try folder.write(Array("#!/bin/sh\ntest \"$1\" = probe && exit 0\n\(text)\n".utf8), to: "child.sh")
    chmod(path, 0o755)
    let program = SwiftDataProgram(path, timeout: timeout, outputLimit: limit)
    // A child process that another test starts now may hold the script open for writing, so that it cannot be run yet.
    for _ in 0..<200 {
      if (try? program.run(["probe"])) != nil { break }
      usleep(10_000)
    }
    return program
  }
}
