import ArgumentParser
import JSON
import SwiftDataSchemas
import SwiftDataSource

struct Read: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the schemas, plans and containers of Swift source as JSON (storedoctor.swiftdata/1).")

  @Option(help: "What '#if NAME' is: NAME holds, NAME=false does not. May be given more than once.")
  var define: [String] = []

  @Argument(help: "Swift files, folders or packages; tests and build folders in them are left out.")
  var paths: [String]

  func run() throws {
    do {
      let reading = try readSwiftData(paths, defines: define)
      guard reading.writeLine({ write($0, to: .output) }) else { throw ExitCode(2) }
    } catch let error as SourceFileError {
      write("storedoctor-swiftdata: \(error.sentence)\n", to: .error)
      throw ExitCode(2)
    }
  }
}

extension SourceFileError {
  /// For a terminal: file names can hold control characters, which JSON escapes.
  var sentence: String {
    String(JSONValue.string(description).lineText.dropFirst().dropLast(2))
  }
}
