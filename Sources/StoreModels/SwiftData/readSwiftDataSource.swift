import StoreJSON
import StoreSystem
import StoreSwiftDataSchemas

/// Reads the SwiftData schemas, plans and containers of Swift files, folders and packages.
///
/// - Parameters:
///   - paths: files and folders, also in archives (`ARCHIVE!folder`).
///   - defines: conditions for `#if`: `DEBUG`, or `DEBUG=false`.
///   - program: the program that parses; nil for the installed one.
/// - Throws: ``SwiftDataProgramError``.
package func readSwiftDataSource(
  _ paths: [String], defines: [String] = [], with program: SwiftDataProgram? = nil
) throws(SwiftDataProgramError) -> SourceReading {
  try SourceReading(answer: try answerOfSwiftData(paths, defines: defines, with: program))
}

/// The program's answer, not yet decoded.
func answerOfSwiftData(
  _ paths: [String], defines: [String] = [], with program: SwiftDataProgram? = nil
) throws(SwiftDataProgramError) -> [UInt8] {
  let program = if let program { program } else { try SwiftDataProgram.installed() }
  return try program.run(["read"] + defines.flatMap { ["--define", $0] }, on: paths)
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

/// `storedoctor-swiftdata`, reading states of one project one after the other; files that several of them have are parsed
/// once.
final class SwiftDataStates {
  private let program: SwiftDataProgram
  private let child: ChildProcess
  /// The last state that could be read: the program names its entities by their numbers.
  private var last: SourceReading?

  /// - Parameter folder: where the states lie.
  /// - Throws: ``SwiftDataProgramError`` where the program cannot be started.
  init(_ program: SwiftDataProgram, folder: String, defines: [String]) throws(SwiftDataProgramError) {
    self.program = program
    child = try program.start(["states"] + defines.flatMap { ["--define", $0] } + ["--", folder])
  }

  /// Asks for a state, without waiting for it.
  ///
  /// - Parameter name: the name of its file in the folder.
  func ask(_ name: String) {
    // Where the program has ended, its answer says so.
    try? child.write(Array("\(name)\n".utf8))
  }

  /// The answer to the oldest question without one; a failure inside costs that state alone.
  ///
  /// - Throws: ``SwiftDataProgramError`` where the program ended, and has no answer to further questions either.
  func answer() throws(SwiftDataProgramError) -> Result<SourceReading, SwiftDataProgramError> {
    let line = try program.answer(of: child)
    do throws(JSONError) {
      let place = JSONPlace(try JSONValue(line))
      if case .object(let members) = place.value, case .string(let message)? = members["error"] {
        return .failure(.failed(message))
      }
      let reading = try SourceReading(place, after: last)
      last = reading
      return .success(reading)
    } catch {
      throw .garbled(error.description)
    }
  }
}
