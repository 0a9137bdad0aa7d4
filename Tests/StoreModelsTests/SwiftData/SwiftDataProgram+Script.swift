import StoreModels
import TestSupport

extension SwiftDataProgram {
  /// A program that is a shell script.
  static func script(
    _ text: String, in folder: TemporaryFolder, timeout: Duration = .seconds(60), limit: Int = 1 << 20
  ) throws -> SwiftDataProgram {
    let path = try folder.writeScript(text, to: "child.sh")
    return SwiftDataProgram(path, timeout: timeout, outputLimit: limit)
  }
}
