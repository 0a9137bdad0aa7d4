import ArgumentParser
import StoreReports
import StoreWords

/// `storedoctor schema KIND`.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of what a command writes or reads.",
    discussion: """
      Without KIND the kinds are listed. A document names its schema in the member 'schema', such as \
      storedoctor.diagnosis/2; that name is the schema's $id and stays as it is for as long as documents of that \
      shape are valid.

      EXAMPLES
        storedoctor schema
        storedoctor schema diagnosis
        storedoctor schema storedoctor.plan/1
      """)

  @Argument(
    help: ArgumentHelp("The kind, such as diagnosis, or the name in a document, such as storedoctor.diagnosis/2."),
    completion: .list(jsonSchemas.map(\.kind)))
  var kind: String?

  func run() throws {
    try reported {
      guard let kind else {
        let width = jsonSchemas.map(\.kind.count).max() ?? 0
        return try standardOutput(
          jsonSchemas.map { schema in
            schema.kind + String(repeating: " ", count: width - schema.kind.count + 2) + schema.id + "\n"
          }.joined())
      }
      guard let schema = jsonSchemas.first(where: { $0.kind == kind || $0.id == kind }) else {
        let names = jsonSchemas.map(\.kind)
        throw ValidationError("no schema \(quoted(kind)); there are \(names.joined(separator: ", "))")
      }
      try standardOutput(schema.text)
    }
  }
}
