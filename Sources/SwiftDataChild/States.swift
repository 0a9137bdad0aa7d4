import ArgumentParser
import StoreJSON
import StoreSwiftDataSchemas
import SwiftDataSource

struct States: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "states",
    abstract: "Read states of a project, one for each line of standard input, and print a line for each.",
    discussion: """
      A line of input is the name of a file in the folder: '<content> <count> <path> NUL' and so many bytes for each file \
      of the state; '-' and no bytes where the state before has that content. The line printed is what 'read' prints, or \
      an object with an error. Where an entity equals one of the line before, its number there stands in its place.
      """)

  @Option(help: "What '#if NAME' is: NAME holds, NAME=false does not. May be given more than once.")
  var define: [String] = []

  @Argument(help: "The folder with the states.")
  var folder: String

  func run() throws {
    let states = SourceStates(folder: folder, defines: define)
    var last: SourceReading?
    while let list = readLine() {
      let reading: SourceReading
      do throws(SourceFileError) {
        reading = try states.read(list)
      } catch {
        guard write(JSONValue.object([("error", .string(error.description))]).lineText, to: .output) else { return }
        continue
      }
      guard reading.writeLine(after: last, { write($0, to: .output) }) else { return }
      last = reading
    }
  }
}
