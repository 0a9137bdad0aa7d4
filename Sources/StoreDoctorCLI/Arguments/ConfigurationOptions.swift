import StoreWords
import StoreDataModel
import StoreDiagnosis
import ArgumentParser
import StoreSQLite

/// Which configuration to use; shared by the commands that have one.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Follow this configuration; the nearest .storedoctor.yaml from the working directory upwards unless said "
        + "otherwise, but none that lies in the store's own folder.", valueName: "file"), completion: .file())
  var config: String?

  @Flag(name: .customLong("no-config"), help: "Follow no configuration.")
  var ignoresConfiguration = false

  func validate() throws {
    if config != nil && ignoresConfiguration { throw ValidationError("--config or --no-config, not both") }
  }

  /// The configuration for a store. One that is found and not used is reported on standard error.
  ///
  /// - Parameters:
  ///   - store: the store's main file.
  ///   - given: the path the user gave.
  /// - Throws: `ConfigurationError`.
  func load(forStore store: PosixPath, given: PosixPath) throws -> Configuration? {
    try load { ConfigurationLocator(forStore: store, given: given) }
  }

  /// The configuration for source, which may be beside the stores.
  ///
  /// - Throws: `ConfigurationError`.
  func load(forSourceBeside stores: [PosixPath]) throws -> Configuration? {
    try load { ConfigurationLocator(forSourceBeside: stores) }
  }

  /// The configuration that was named; nil where there is none, or `--no-config` was given.
  ///
  /// - Throws: `ConfigurationError`.
  func named() throws -> Configuration? {
    guard !ignoresConfiguration, let config else { return nil }
    return try Configuration(PosixPath(argument: config))
  }

  /// What is told of Swift source besides its files: by the command line first, then by the configuration.
  ///
  /// - Throws: `ConfigurationError`.
  func terms(define: [String], assume: [AssumedType], beside stores: [PosixPath]) throws -> [String] {
    let settings = try load(forSourceBeside: stores)
    return define + (assume + (settings?.defaults.assume ?? [])).map(\.term)
  }

  private func load(_ find: () -> ConfigurationLocator) throws -> Configuration? {
    try ignoresConfiguration || config != nil ? named() : load(find())
  }

  /// The result of a search. Configurations found and not used are reported on standard error.
  ///
  /// - Throws: `ConfigurationError`.
  func load(_ search: ConfigurationLocator) throws -> Configuration? {
    for path in search.refused {
      standardError(
        "storedoctor: \(quoted(path.description)) is not used, since it lies in the store's own folder; "
          + "if it is yours, name it with --config")
    }
    return try search.found.map { path throws(ConfigurationError) in try Configuration(path) }
  }
}
