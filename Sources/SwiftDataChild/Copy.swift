import ArgumentParser
import StoreJSON
import StoreSwiftDataSchemas
import SwiftDataSource

struct Copy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Print a copy of a schema in the words of its source (storedoctor.swiftdata-copy/1).")

  @Option(help: "The whole name of the schema.")
  var schema: String

  @Option(name: .customLong("as"), help: "The name of the copy.")
  var name: String

  @Option(help: "The version of the copy, as in 3.0.0.")
  var identifier: String

  @OptionGroup var source: SourceArguments

  func run() throws {
    try source.answer { paths, defines in
      guard let copy = try SourceProject(paths: paths, defines: defines).copy(schema, as: name, identifier: identifier)
      else {
        write("storedoctor-swiftdata: no schema of that name\n", to: .error)
        return false
      }
      return write(copy.json.lineText, to: .output)
    }
  }
}
