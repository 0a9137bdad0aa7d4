import ArgumentParser
import StoreJSON
import StoreSwiftDataSchemas
import SwiftDataSource

struct Read: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read",
    abstract: "Print the schemas, plans and containers of Swift source as JSON (storedoctor.swiftdata/1).")

  @OptionGroup var source: SourceArguments

  func run() throws {
    try source.answer { paths, defines in
      try readSwiftData(paths, defines: defines).writeLine { write($0, to: .output) }
    }
  }
}

extension SourceFileError {
  /// For a terminal: file names can hold control characters, which JSON escapes.
  var sentence: String {
    String(JSONValue.string(description).lineText.dropFirst().dropLast(2))
  }
}
