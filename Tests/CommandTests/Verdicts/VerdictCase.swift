import Foundation
import StoreDataModel
import StoreGenerator
import TestSupport

/// A bundle of versions with a store of the first of them, made by a test.
struct VerdictCase {
  let folder: TemporaryFolder
  let bundle: String
  let store: String

  /// - Parameters:
  ///   - versions: in the notation of `ModelNotation`; the last is current.
  ///   - version: the name of the store's version; the first by default.
  ///   - fill: writes the rows.
  init(
    _ versions: [(name: String, model: [String])], storeAt version: String? = nil, fill: (StoreWriter) throws -> Void
  ) throws {
    folder = try TemporaryFolder()
    bundle = folder("Shop.xcdatamodeld")
    store = folder("old.sqlite")
    try ModelBundle.write(versions, to: bundle)
    let model = versions.first { $0.name == version }?.model ?? versions.first?.model ?? []
    let writer = try StoreWriter(
      creating: store, StoreDescription(model: ModelNotation.model(model), usesWAL: false))
    try fill(writer)
    try writer.finish()
  }

  /// Runs a command on the store with the bundle; lines are not broken.
  func run(_ command: String, _ more: [String] = []) throws -> Program.Outcome {
    try Program.run([command, store, "--model", bundle] + more, environment: ["COLUMNS": "400"])
  }

  /// The first line of a diagnosis.
  func verdict(_ more: [String] = []) throws -> String {
    try run("diagnose", more).output.split(separator: "\n").first.map(String.init) ?? ""
  }

  /// The path of a version of the bundle, for commands on models.
  func version(_ name: String) -> String { "\(bundle)#\(name)" }
}
