import ArgumentParser
import JSON
import SwiftDataSchemas
import SwiftDataSource

struct Read: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the schemas, plans and containers of Swift source as JSON (storedoctor.swiftdata/1).")

  @Flag(help: "Read each path by itself, and print a line for each: its JSON, or an object with an error.")
  var each = false

  @OptionGroup var source: SourceArguments

  func run() throws {
    try source.answer { paths, defines in
      each
        ? paths.map { line($0, defines) }
        : [try readSwiftData(paths, defines: defines).json.lineText]
    }
  }

  private func line(_ path: String, _ defines: [String]) -> String {
    do {
      return try readSwiftData([path], defines: defines).json.lineText
    } catch {
      return JSONValue.object([("error", .string(error.description))]).lineText
    }
  }
}

extension SourceFileError {
  /// For a terminal: file names can hold control characters, which JSON escapes.
  var sentence: String {
    String(JSONValue.string(description).lineText.dropFirst().dropLast(2))
  }
}
