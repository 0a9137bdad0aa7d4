import StoreModels
import ArgumentParser
import StoreDataModel
import StoreSQLite

/// The model that describes a store in place of its model cache, for a command that takes no other model.
struct StoreModelArguments: ParsableArguments {
  @Option(
    name: .customLong("store-model"),
    help: ArgumentHelp(
      "Describe the store with this model in place of its model cache: a model, or a bundle with its version.",
      valueName: "model"), completion: .file())
  var path: String?

  @Option(help: defineHelp) var define: [String] = []

  @Option(help: assumeHelp) var assume: [AssumedType] = []

  /// The model, if one is given.
  func source() throws -> ModelSource? {
    try path.map {
      try readModel(PosixPath(argument: $0), readings: SourceReadings(defines: define + assume.map(\.term)))
    }
  }
}
