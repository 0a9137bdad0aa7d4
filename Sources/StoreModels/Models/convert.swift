import StoreDataModel
import StoreFindings
import StoreJSON

/// The forms a model can be written in.
package enum ModelForm: String, Sendable, CaseIterable {
  /// Xcode's `contents` file.
  case xcdatamodel
  /// storedoctor's own JSON, which holds everything and all versions.
  case json
  /// Source of SwiftData's `@Model` classes.
  case swift
  /// A class diagram for Mermaid.
  case mermaid
  /// A graph for Graphviz.
  case dot
  /// A class diagram for PlantUML.
  case plantuml

  /// Whether it is a picture, which has of a model what is asked for.
  package var isDiagram: Bool {
    switch self {
    case .mermaid, .dot, .plantuml: true
    case .xcdatamodel, .json, .swift: false
    }
  }
}

/// A model in another form.
package struct ConvertedModel: Sendable, Equatable {
  /// The document.
  package var text: String
  /// The parts that the document does not contain, sorted.
  package var losses: [ConversionLoss]
  /// One reason per version omitted because its source is incomplete.
  package var leftOut: [String] = []
  /// Ambiguities of the source, drawn by their most likely reading.
  package var readings: [String] = []
  /// What types of Swift source were taken for, a few words each; nothing proves it.
  package var assumed: [String] = []
}

/// Writes the deciding version of a source in another form; JSON gets all versions that are completely known.
///
/// - Parameters:
///   - toolVersion: the version named in the JSON as the writer.
///   - options: what a diagram has.
///   - hasUniqueMacro: whether the systems that Swift is written for have `#Unique`; by default what the source says, and
///     otherwise that they have.
/// - Throws: `ModelSourceError` if it is not known which version decides, or that version is not completely known;
///   `UnknownEntity` for an entity that a diagram is to have and the model has not.
package func convert(
  _ source: ModelSource, to form: ModelForm, toolVersion: String? = nil,
  drawing options: DiagramOptions = DiagramOptions(), hasUniqueMacro: Bool? = nil
) throws -> ConvertedModel {
  switch form {
  case .json:
    let (versions, leftOut) = try source.wholeVersions()
    let document = try ModelDocument(
      versions: versions.map { ModelDocument.Version(name: $0.name, model: $0.model) },
      currentVersion: source.currentVersionName)
    return ConvertedModel(
      text: document.json(toolVersion: toolVersion).text, losses: [], leftOut: leftOut,
      assumed: versions.flatMap { $0.doubt?.assumed ?? [] })
  case .xcdatamodel:
    let version = try source.decidingVersion().whole()
    let written = XcodeModelWriter(version.model)
    return ConvertedModel(text: written.text, losses: written.lost, assumed: version.doubt?.assumed ?? [])
  case .swift:
    let version = try source.decidingVersion().whole()
    let written = SwiftDataWriter(
      version.model, schemaName: version.name, details: version.details, hasUniqueMacro: hasUniqueMacro)
    return ConvertedModel(text: written.text, losses: written.lost, assumed: version.doubt?.assumed ?? [])
  case .mermaid: return try picture(of: source, options) { MermaidDiagram($0, options).text }
  case .dot: return try picture(of: source, options) { DotDiagram($0, options).text }
  case .plantuml: return try picture(of: source, options) { PlantUMLDiagram($0, options).text }
  }
}

/// Diagrams leave out most of a model as a matter of course, so no losses are reported. An ambiguous version may be
/// drawn, because no hash is computed from a diagram.
private func picture(
  of source: ModelSource, _ options: DiagramOptions, draw: (Model) -> String
) throws -> ConvertedModel {
  let version = try source.decidingVersion()
  for name in options.entities where !version.model.entities.contains(where: { $0.name == name }) {
    throw UnknownEntity(name: name, known: version.model.entities.map(\.name), place: "model")
  }
  if let gaps = version.doubt?.gaps, !gaps.isEmpty { throw version.incomplete(gaps) }
  return ConvertedModel(
    text: draw(version.model), losses: [], readings: version.doubts.map(\.message),
    assumed: version.doubt?.assumed ?? [])
}
