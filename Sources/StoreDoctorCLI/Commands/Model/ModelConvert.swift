import StoreWords
import StoreModels
import ArgumentParser
import StoreDataModel
import StoreSQLite
import StoreReports

/// `storedoctor model convert M --to FORMAT`.
struct ModelConvert: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write a model in another form.",
    discussion: """
      xcdatamodel is Xcode's folder with a 'contents' file whose hashes are the same; json is storedoctor's own form, \
      which holds everything; swift is source of SwiftData's @Model classes; mermaid, dot and plantuml are diagrams, and svg is \
      a picture of one. What a \
      form cannot hold is listed on standard error. Of Swift source json has the versions that are known whole; with others \
      left out, which are named, the exit status is 2.

      EXAMPLES
        storedoctor model convert Notes.sqlite --to xcdatamodel \\
          --output Notes.xcdatamodel
        storedoctor model convert Notes.momd --to json --output Notes.json
        storedoctor model convert Notes.momd --to mermaid
        storedoctor model convert Notes.momd --to dot | dot -Tsvg > Notes.svg
        storedoctor model convert Notes.momd --to svg --output Notes.svg
        storedoctor model convert Notes.momd --to plantuml \\
          --entity Note --no-attributes
        storedoctor model convert Sources/#SchemaV3 --to swift
      """)

  @Argument(help: "The model; of a bundle the current version, of json all versions.", completion: .file())
  var model: String

  @Option(name: .customLong("to"), help: "xcdatamodel, json, swift, mermaid, dot, plantuml or svg.")
  var form: ConvertedForm

  @Option(help: ArgumentHelp("Where it goes; by default to standard output.", valueName: "path"), completion: .file())
  var output: String?

  @Flag(help: "Replace the file if it exists.")
  var force = false

  @Option(
    name: .customLong("entity"),
    help: ArgumentHelp(
      "Draw this entity and its neighbours alone: what relationships and inheritance join it with. Repeatable.",
      valueName: "name"), completion: .entities)
  var entities: [String] = []

  @Flag(name: .customLong("no-attributes"), help: "Draw entities and their relationships without attributes.")
  var withoutAttributes = false

  @Option(
    name: .customLong("deployment-target"),
    help: ArgumentHelp(
      """
      With --to swift: the oldest system that it is for, as in iOS=17.0; before iOS 18 there is no #Unique. By default what \
      Package.swift or the Xcode project around the source says. Repeatable.
      """, valueName: "system"))
  var systems: [DeploymentArgument] = []

  @OptionGroup(title: HelpGroup.source) var source: SourceArguments

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func validate() throws {
    if form == .xcdatamodel && output == nil {
      throw ValidationError("an .xcdatamodel is a folder: name it with --output")
    }
    if !form.isDiagram, !entities.isEmpty || withoutAttributes {
      throw ValidationError("--entity and --no-attributes are for diagrams: mermaid, dot, plantuml and svg")
    }
    if form != .swift, !systems.isEmpty { throw ValidationError("--deployment-target is for --to swift") }
  }

  /// Whether all systems that are named have `#Unique`; nil where none is.
  private var hasUniqueMacro: Bool? { systems.isEmpty ? nil : systems.allSatisfy(\.system.hasUniqueMacro) }

  func run() throws {
    try reported {
      let path = PosixPath(argument: model)
      let source = try self.source.model(model)
      let drawing = DiagramOptions(entities: entities, showsAttributes: !withoutAttributes)
      var converted = try convert(
        source, to: form.ofModels, toolVersion: toolVersion,
        drawing: drawing, hasUniqueMacro: hasUniqueMacro)
      if form == .svg {
        let version = try source.decidingVersion()
        converted.text = ModelPicture(version.model, drawing).svgFile(label: version.name)
      }
      for loss in converted.losses { standardError("storedoctor: not kept: \(escapedForTerminal(loss.description))") }
      var target = output.map(PosixPath.init(argument:))
      if form == .xcdatamodel, let folder = target {
        target = try newFolder(folder).appending(component: Array("contents".utf8))
      }
      try write(
        converted.text, to: target, replacing: force, madeFrom: [path],
        canReplace: true)
      for assumed in converted.assumed { standardError("storedoctor: assumed: \(escapedForTerminal(assumed))") }
      for reading in converted.readings {
        standardError("storedoctor: drawn as it is most likely: \(escapedForTerminal(reading))")
      }
      try endReportingLeftOut(converted.leftOut)
    }
  }
}

/// The forms of a model, and the picture that is laid out here.
enum ConvertedForm: String, ExpressibleByArgument, CaseIterable {
  case xcdatamodel, json, swift, mermaid, dot, plantuml, svg

  /// The form that is written; for a picture one that has the same limits.
  var ofModels: ModelForm {
    switch self {
    case .xcdatamodel: .xcdatamodel
    case .json: .json
    case .swift: .swift
    case .mermaid, .svg: .mermaid
    case .dot: .dot
    case .plantuml: .plantuml
    }
  }

  /// Whether it is a picture, which has of a model what is asked for.
  var isDiagram: Bool { ofModels.isDiagram }
}

/// `iOS=17.0`
struct DeploymentArgument: ExpressibleByArgument {
  let system: SwiftDataSystem

  init?(argument: String) {
    let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, let system = SwiftDataSystem(String(parts[0]), version: String(parts[1])) else {
      return nil
    }
    self.system = system
  }
}
