import StoreJSON
import StoreSwiftDataSchemas

/// Reads the SwiftData schemas, plans and containers of Swift files, folders and packages.
///
/// - Parameters:
///   - paths: files and folders.
///   - defines: conditions for `#if`: `DEBUG`, or `DEBUG=false`.
///   - program: the program that parses; nil for the installed one.
/// - Throws: ``SwiftDataProgramError``.
public func readSwiftDataSource(
  _ paths: [String], defines: [String] = [], with program: SwiftDataProgram? = nil
) throws(SwiftDataProgramError) -> SourceReading {
  try SourceReading(answer: try answerOfSwiftData(paths, defines: defines, with: program))
}

/// The program's answer, not yet decoded.
func answerOfSwiftData(
  _ paths: [String], defines: [String] = [], with program: SwiftDataProgram? = nil
) throws(SwiftDataProgramError) -> [UInt8] {
  let program = if let program { program } else { try SwiftDataProgram.installed() }
  return try program.run(["read"] + defines.flatMap { ["--define", $0] } + ["--"] + paths)
}

extension SourceReading {
  /// Decodes the program's answer.
  init(answer: [UInt8]) throws(SwiftDataProgramError) {
    do throws(JSONError) {
      self = try SourceReading(answer)
    } catch {
      throw .garbled(error.description)
    }
  }
}

/// Reads each of several places separately, in one run of the program: starting it takes longer than reading a few
/// files.
///
/// - Returns: for each path its source, or why it cannot be read.
/// - Throws: ``SwiftDataProgramError`` if the program failed as a whole.
func readEachSwiftDataSource(
  _ paths: [String], defines: [String], with program: SwiftDataProgram
) throws(SwiftDataProgramError) -> [Result<SourceReading, SwiftDataProgramError>] {
  let lines = try program.run(["read", "--each"] + defines.flatMap { ["--define", $0] } + ["--"] + paths).split(
    separator: UInt8(ascii: "\n"))
  guard lines.count == paths.count else { throw .garbled("\(lines.count) lines about \(paths.count) places") }
  return lines.map { line in
    do throws(JSONError) {
      guard line.starts(with: "{\"error\"".utf8) else { return .success(try SourceReading(Array(line))) }
      guard case .object(let members) = try JSONValue(Array(line)), case .string(let message)? = members["error"] else {
        return .failure(.garbled("an error without words"))
      }
      return .failure(.failed(message))
    } catch {
      return .failure(.garbled(error.description))
    }
  }
}
