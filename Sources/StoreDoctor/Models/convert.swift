import CoreDataModel
import JSON

/// The forms a model can be written in.
public enum ModelForm: String, Sendable, CaseIterable {
  /// Xcode's `contents` file.
  case xcdatamodel
  /// storedoctor's own JSON, which holds everything and all versions.
  case json
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
  switch form {
  case .json: return ConvertedModel(text: try ModelDocument(source).json(toolVersion: toolVersion).text, losses: [])
  case .xcdatamodel:
    let written = XcodeModelWriter(try source.decidingVersion().model)
    return ConvertedModel(text: written.text, losses: written.lost)
  }
}
