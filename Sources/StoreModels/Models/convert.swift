import StoreDataModel
import StoreJSON

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
  /// One reason per version omitted because its source is incomplete.
  public var leftOut: [String] = []
  /// What is drawn by the likeliest of several readings.
  public var readings: [String] = []
}

/// Writes the version that stands for a source in another form; in JSON all its versions that are known whole.
///
/// - Parameter toolVersion: named in JSON as the writer.
/// - Throws: `ModelSourceError` where it is not known which version stands for the source, or that one is not known whole.
public func convert(_ source: ModelSource, to form: ModelForm, toolVersion: String? = nil) throws -> ConvertedModel {
  switch form {
  case .json:
    let (versions, leftOut) = try source.wholeVersions()
    let document = try ModelDocument(
      versions: versions.map { ModelDocument.Version(name: $0.name, model: $0.model) },
      currentVersion: source.currentVersionName)
    return ConvertedModel(text: document.json(toolVersion: toolVersion).text, losses: [], leftOut: leftOut)
  case .xcdatamodel:
    let written = XcodeModelWriter(try source.decidingVersion().whole().model)
    return ConvertedModel(text: written.text, losses: written.lost)
  case .swift:
    let version = try source.decidingVersion().whole()
    let written = SwiftDataWriter(version.model, schemaName: version.name, details: version.details)
    return ConvertedModel(text: written.text, losses: written.lost)
  case .mermaid: return try picture(of: source) { MermaidDiagram($0).text }
  case .dot: return try picture(of: source) { DotDiagram($0).text }
  }
}

/// A picture leaves out most of a model, and nobody expects otherwise; no hash rests on how it was read.
private func picture(of source: ModelSource, draw: (Model) -> String) throws(ModelSourceError) -> ConvertedModel {
  let version = try source.decidingVersion()
  if let gaps = version.doubt?.gaps, !gaps.isEmpty { throw version.incomplete(gaps) }
  return ConvertedModel(text: draw(version.model), losses: [], readings: version.doubts.map(\.message))
}
