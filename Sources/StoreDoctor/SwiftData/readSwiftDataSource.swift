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
  let program = if let program { program } else { try SwiftDataProgram.installed() }
  let output = try program.run(["read"] + defines.flatMap { ["--define", $0] } + ["--"] + paths)
  do throws(JSONError) {
    return try SourceReading(output)
  } catch {
    throw .garbled(error.description)
  }
}
