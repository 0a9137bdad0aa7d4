import ArgumentParser
import StoreJSON
import SwiftDataLint
import StoreSwiftDataSchemas
import SwiftDataSource

struct Lint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Print what 'read' prints, and in a second line the mistakes found (storedoctor.swiftdata-lint/1).")

  @OptionGroup var source: SourceArguments

  func run() throws {
    try source.answer { paths, defines in
      let (reading, lint) = SwiftDataLint.lint(try SourceProject(paths: paths, defines: defines, looksAround: true))
      return reading.writeLine { write($0, to: .output) } && write(lint.json.lineText, to: .output)
    }
  }
}
