import ArgumentParser
import SwiftDataSource

/// The source that is read, shared by the commands.
struct SourceArguments: ParsableArguments {
  @Option(help: "What '#if NAME' is: NAME holds, NAME=false does not. May be given more than once.")
  var define: [String] = []

  @Argument(help: "Swift files, folders or packages; tests and build folders in them are left out.")
  var paths: [String]

  /// Prints what is made of the source, line by line; of source that cannot be read, why.
  func answer(_ lines: (_ paths: [String], _ defines: [String]) throws -> [String]) throws {
    do {
      for line in try lines(paths, define) {
        guard write(line, to: .output) else { throw ExitCode(2) }
      }
    } catch let error as SourceFileError {
      write("storedoctor-swiftdata: \(error.sentence)\n", to: .error)
      throw ExitCode(2)
    }
  }
}
