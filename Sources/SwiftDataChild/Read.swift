import ArgumentParser
import StoreJSON
import StoreSwiftDataSchemas
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
        ? paths.allSatisfy { writeLine($0, defines) }
        : try readSwiftData(paths, defines: defines).writeLine { write($0, to: .output) }
    }
  }

  private func writeLine(_ path: String, _ defines: [String]) -> Bool {
    let reading: SourceReading
    do throws(SourceFileError) {
      reading = try readSwiftData([path], defines: defines)
    } catch {
      return write(JSONValue.object([("error", .string(error.description))]).lineText, to: .output)
    }
    return reading.writeLine { write($0, to: .output) }
  }
}

extension SourceFileError {
  /// For a terminal: file names can hold control characters, which JSON escapes.
  var sentence: String {
    String(JSONValue.string(description).lineText.dropFirst().dropLast(2))
  }
}
