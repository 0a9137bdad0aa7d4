import StoreJSON
import StoreRepair
import StoreSQLite
import StoreWords

/// The tools that an assistant can call: each a command that reads.
struct MCPTools {
  let root: RootedPaths
  let allowsValues: Bool

  /// Arguments that do not fit their tool, or are refused.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// What a tool takes.
  private struct Parameter {
    enum Kind { case path, paths, text, texts, flag }
    let name: String
    let kind: Kind
    let isRequired: Bool
    let help: String
    /// How it stands in the command line: an option, or nil for an argument.
    let option: String?

    init(_ name: String, _ kind: Kind, option: String? = nil, isRequired: Bool = false, _ help: String) {
      self.name = name
      self.kind = kind
      self.isRequired = isRequired
      self.help = help
      self.option = option
    }
  }

  private struct Tool {
    let name: String
    let words: [String]
    let help: String
    let parameters: [Parameter]
  }

  private static let store = Parameter(
    "store", .path, isRequired: true, "The SQLite file of the app, or a folder or archive with one, below the root.")
  private static let models = Parameter(
    "models", .paths, option: "--model",
    "Models the app may open the store with: .momd, .mom, .xcdatamodeld, .ipa or Swift source.")
  private static let toVersion = Parameter(
    "toVersion", .text, option: "--to-version", "The version to migrate to, where the model has several.")
  private static let showsValues = Parameter(
    "showValues", .flag, option: "--show-values",
    "Show values too; refused unless the server was started with --allow-values.")

  private static let all = [
    Tool(
      name: "inspect", words: ["inspect", "--no-config"],
      help:
        "What is in a Core Data or SwiftData store: entities with rows and relationships, metadata, versions, files.",
      parameters: [store, Parameter("entities", .texts, option: "--entity", "Only these entities."), showsValues]),
    Tool(
      name: "diagnose", words: ["diagnose", "--no-config"],
      help: "What is wrong with a store, down to the rows, and whether given models open or migrate it.",
      parameters: [
        store, models,
        Parameter(
          "storeModel", .path, option: "--store-model", "The model of the store itself, where its own is missing."),
        Parameter("unique", .texts, option: "--unique", "Entity.attribute: look for duplicates as if it were unique."),
      ]),
    Tool(
      name: "modelDiff", words: ["model", "diff", "--no-config"],
      help: "What differs between two models, and whether lightweight migration can do it.",
      parameters: [
        Parameter("from", .path, isRequired: true, "The older model."),
        Parameter("to", .path, isRequired: true, "The newer model."),
      ]),
    Tool(
      name: "modelMatch", words: ["model", "match", "--no-config"],
      help: "Which of the given models made a store, and what differs where none did.",
      parameters: [store, Parameter("models", .paths, isRequired: true, "The models to compare with.")]),
    Tool(
      name: "lint", words: ["lint", "--no-config"],
      help: "Mistakes in SwiftData versions, plans and classes, in Swift source.",
      parameters: [Parameter("path", .path, isRequired: true, "A folder or file of Swift source.")]),
    Tool(
      name: "explain", words: ["explain"],
      help: "What an error of Core Data, a check, or a log of a crash means.",
      parameters: [
        Parameter("codes", .texts, "Error numbers such as 134110, or checks such as SD806."),
        Parameter("log", .path, option: "--log", "The log of a crash."),
        Parameter("store", .path, option: "--store", "The store that the log is about."),
      ]),
    Tool(
      name: "rehearse", words: ["rehearse", "--no-config"],
      help: "Perform the migration of a store on a copy that is thrown away, and say what each entity keeps and loses.",
      parameters: [
        store, Parameter("models", .paths, option: "--model", isRequired: true, models.help), toVersion,
      ]),
    Tool(
      name: "planRepair", words: ["repair"],
      help: "What a repair would change, as a plan; nothing is written. Safe repairs, or those of a recipe.",
      parameters: [
        store, models, toVersion,
        Parameter("recipe", .path, option: "--recipe", "A recipe; without one the safe repairs are planned."),
        showsValues,
      ]),
  ]

  /// The tools as `tools/list` gives them.
  var list: JSONValue {
    .array(
      Self.all.map { tool in
        .object([
          ("name", .string(tool.name)), ("description", .string(tool.help)),
          ("inputSchema", Self.schema(of: tool)),
          ("annotations", .object([("readOnlyHint", .bool(true)), ("openWorldHint", .bool(false))])),
        ])
      })
  }

  private static func schema(of tool: Tool) -> JSONValue {
    let properties = tool.parameters.map { parameter -> (String, JSONValue?) in
      let type: [(String, JSONValue?)] =
        switch parameter.kind {
        case .path, .text: [("type", .string("string"))]
        case .paths, .texts: [("type", .string("array")), ("items", .object([("type", .string("string"))]))]
        case .flag: [("type", .string("boolean"))]
        }
      return (parameter.name, .object(type + [("description", .string(parameter.help))]))
    }
    return .object([
      ("type", .string("object")), ("properties", .object(properties)),
      ("required", .nonEmpty(tool.parameters.filter(\.isRequired).map(\.name))),
      ("additionalProperties", .bool(false)),
    ])
  }

  /// Whether there is such a tool.
  func has(_ name: String) -> Bool { Self.all.contains { $0.name == name } }

  /// The words of the command line that a call stands for; nil where there is no such tool.
  ///
  /// - Throws: `JSONError` for arguments of another form, `Refusal`, `RootedPaths.Refusal`.
  func words(of name: String, _ arguments: JSONPlace) throws -> [String]? {
    guard let tool = Self.all.first(where: { $0.name == name }) else { return nil }
    let given = try arguments.members(Set(tool.parameters.map(\.name)))
    var options = tool.words + ["--format", "json"]
    var operands: [String] = []
    for parameter in tool.parameters {
      guard let place = given[parameter.name] else {
        if parameter.isRequired { _ = try given.required(parameter.name) }
        continue
      }
      let values: [String]
      switch parameter.kind {
      case .path: values = [try root.path(try place.string())]
      case .paths: values = try place.strings().map { try root.path($0) }
      case .text: values = [try Self.text(place)]
      case .texts: values = try place.elements().map { try Self.text($0) }
      case .flag:
        guard try place.bool() else { continue }
        guard allowsValues else {
          throw Refusal(
            description:
              "values are not shown: 'storedoctor mcp' was started without --allow-values, which only its user adds")
        }
        options.append(parameter.option ?? "")
        continue
      }
      if parameter.isRequired, values.isEmpty { throw place.error("at least one is needed") }
      guard values.count <= Self.mostValues else { throw place.error("at most \(Self.mostValues) are taken") }
      if parameter.name == "recipe" { try values.forEach(Self.requireOneStore) }
      if let option = parameter.option { options += values.map { "\(option)=\($0)" } } else { operands += values }
    }
    if name == "planRepair", given["recipe"] == nil { options.append("--safe") }
    if name == "explain", operands.isEmpty, given["log"] == nil { throw arguments.error("codes or a log are needed") }
    return options + (operands.isEmpty ? [] : ["--"] + operands)
  }

  /// A recipe can name other stores, by paths that nobody held against the root.
  private static func requireOneStore(_ recipe: String) throws(Refusal) {
    // What cannot be read is the command's to say.
    guard let recipe = try? Recipe(PosixPath(recipe)), !recipe.restore.isEmpty || !recipe.merge.isEmpty else { return }
    throw Refusal(
      description:
        "refusing a recipe that takes objects of other stores ('restore', 'merge'); plan it with the command")
  }

  private static let mostValues = 100

  /// A name or a code: one line.
  private static func text(_ place: JSONPlace) throws(JSONError) -> String {
    let text = try place.string()
    guard !text.isEmpty, text.utf8.count <= 1000, !text.utf8.contains(where: { $0 < 0x20 }) else {
      throw place.error("a name in one line is expected")
    }
    return text
  }
}
