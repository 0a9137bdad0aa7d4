import JSON
import SwiftDataSchemas

/// Reads the SwiftData schemas, plans and containers of Swift files, folders and packages.
///
/// - Parameters:
///   - paths: files and folders.
///   - defines: what `#if` asks for: `DEBUG`, or `DEBUG=false`.
///   - program: the program that reads; the installed one unless given.
/// - Throws: ``SwiftDataProgramError``.
public func readSwiftDataSource(
  _ paths: [String], defines: [String] = [], with program: SwiftDataProgram? = nil
) throws(SwiftDataProgramError) -> SourceReading {
  try SourceReading(answer: try answerOfSwiftData(paths, defines: defines, with: program))
}

/// The same before it is understood.
func answerOfSwiftData(
  _ paths: [String], defines: [String] = [], with program: SwiftDataProgram? = nil
) throws(SwiftDataProgramError) -> [UInt8] {
  let program = if let program { program } else { try SwiftDataProgram.installed() }
  return try program.run(["read"] + defines.flatMap { ["--define", $0] } + ["--"] + paths)
}

extension SourceReading {
  /// What the program answered.
  init(answer: [UInt8]) throws(SwiftDataProgramError) {
    do throws(JSONError) {
      self = try SourceReading(answer)
    } catch {
      throw .garbled(error.description)
    }
  }
}
