import ArgumentParser
import JSON
import SwiftDataLint
import SwiftDataSchemas
import SwiftDataSource

struct Lint: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print what 'read' prints, and in a second line the mistakes found (storedoctor.swiftdata-lint/1).")

  @Option(help: "What '#if NAME' is: NAME holds, NAME=false does not. May be given more than once.")
  var define: [String] = []

  @Argument(help: "Swift files, folders or packages; tests and build folders in them are left out.")
  var paths: [String]

  func run() throws {
    do {
      let (reading, lint) = SwiftDataLint.lint(try SourceProject(paths: paths, defines: define))
      guard reading.writeLine({ write($0, to: .output) }), write(lint.json.lineText, to: .output) else {
        throw ExitCode(2)
      }
    } catch let error as SourceFileError {
      write("storedoctor-swiftdata: \(error.sentence)\n", to: .error)
      throw ExitCode(2)
    }
  }
}
