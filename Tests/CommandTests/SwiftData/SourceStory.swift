import StoreDataModel
import StoreGenerator
import TestSupport
import Testing

/// The source of an app, and the stores that its releases left on devices.
struct SourceStory {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A Swift file of the app.
  func source(_ text: String, _ name: String = "Sources/Models.swift") throws -> String {
    try XcodeFiles.write("import SwiftData\n" + text, to: folder(name))
    return folder(name)
  }

  /// A store as written by a release whose source had this version.
  func store(
    _ version: String, of source: String, framework: Int = 1526, rows: (StoreWriter) throws -> Void = { _ in }
  ) throws -> String {
    let json = try Program.run(["model", "convert", "\(source)#\(version)", "--to", "json"])
    #expect(json.status == 0, "\(json.errors)")
    let document = try ModelDocument(Array(json.output.utf8))
    let model = try #require(document.versions.first { $0.name == version }?.model)
    let path = folder("\(version)-\(framework).store")
    let writer = try StoreWriter(creating: path, StoreDescription(model: model, framework: framework, usesWAL: false))
    try rows(writer)
    try writer.finish()
    return path
  }

  func diagnose(_ store: String, _ source: String, _ options: [String] = []) throws -> Program.Outcome {
    try Program.run(["diagnose", store, "--model", source] + options, environment: ["COLUMNS": "200"])
  }

  /// A version of one class `Note`.
  static func version(_ number: Int, _ properties: String, models: String = "Note.self") -> String {
    """
    enum SchemaV\(number): VersionedSchema {
      static let versionIdentifier = Schema.Version(\(number), 0, 0)
      static var models: [any PersistentModel.Type] { [\(models)] }
      \(properties.isEmpty ? "" : "@Model final class Note { init() {}; \(properties) }")
    }

    """
  }

  /// A plan with a lightweight stage from each version to the next.
  static func plan(_ numbers: Int...) -> String {
    let stages = zip(numbers, numbers.dropFirst()).map {
      ".lightweight(fromVersion: SchemaV\($0).self, toVersion: SchemaV\($1).self)"
    }
    return """
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [\(numbers.map { "SchemaV\($0).self" }.joined(separator: ", "))] }
        static var stages: [MigrationStage] { [\(stages.joined(separator: ", "))] }
      }

      """
  }
}
