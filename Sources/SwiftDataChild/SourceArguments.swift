import ArgumentParser
import SwiftDataSource

/// The source that is read, shared by the commands.
struct SourceArguments: ParsableArguments {
  @Option(help: "What '#if NAME' is: NAME holds, NAME=false does not. May be given more than once.")
  var define: [String] = []

  @Argument(help: "Swift files, folders or packages; tests and build folders in them are left out.")
  var paths: [String]

  /// Prints what is made of the source; of source that cannot be read, why.
  ///
  /// - Parameter print: writes it, and returns whether all could be written.
  func answer(_ print: (_ paths: [String], _ defines: [String]) throws -> Bool) throws {
    do {
      guard try print(paths, define) else { throw ExitCode(2) }
    } catch let error as SourceFileError {
      write("storedoctor-swiftdata: \(error.sentence)\n", to: .error)
      throw ExitCode(2)
    }
  }
}
