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

  @OptionGroup var configuration: ConfigurationOptions

  /// The model, if one is given; of Swift source, types are taken for what the configuration says, too.
  func source(of store: String) throws -> ModelSource? {
    try path.map {
      let terms = try configuration.terms(define: define, assume: assume, beside: [PosixPath(argument: store)])
      return try readModel(PosixPath(argument: $0), readings: SourceReadings(defines: terms))
    }
  }
}
