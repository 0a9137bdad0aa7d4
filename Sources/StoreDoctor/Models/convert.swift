import CoreDataModel
import JSON

/// The forms a model can be written in.
public enum ModelForm: String, Sendable, CaseIterable {
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
}

/// A model in another form.
public struct ConvertedModel: Sendable, Equatable {
  /// The document.
  public var text: String
  /// What is not in it, sorted.
  public var losses: [ConversionLoss]
}

/// Writes the version that stands for a source in another form; in JSON all its versions.
///
/// - Parameter toolVersion: named in JSON as the writer.
/// - Throws: `ModelSourceError` where it is not known which version stands for the source.
public func convert(_ source: ModelSource, to form: ModelForm, toolVersion: String? = nil) throws -> ConvertedModel {
  func version() throws -> ModelSource.Version { try source.decidingVersion().whole() }
  switch form {
  case .json:
    return ConvertedModel(text: try ModelDocument(source.whole()).json(toolVersion: toolVersion).text, losses: [])
  case .xcdatamodel:
    let written = XcodeModelWriter(try version().model)
    return ConvertedModel(text: written.text, losses: written.lost)
  case .swift:
    let version = try version()
    let written = SwiftDataWriter(version.model, schemaName: version.name)
    return ConvertedModel(text: written.text, losses: written.lost)
  // A picture leaves out most of a model, and nobody expects otherwise.
  case .mermaid: return ConvertedModel(text: MermaidDiagram(try version().model).text, losses: [])
  case .dot: return ConvertedModel(text: DotDiagram(try version().model).text, losses: [])
  }
}
