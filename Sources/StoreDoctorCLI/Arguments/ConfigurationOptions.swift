import StoreWords
import StoreDiagnosis
import ArgumentParser
import StoreSQLite

/// Which configuration holds; shared by the commands that follow one.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Follow this configuration; the nearest .storedoctor.yaml from the working directory upwards unless said "
        + "otherwise, but none that lies in the store's own folder.", valueName: "file"))
  var config: String?

  @Flag(name: .customLong("no-config"), help: "Follow no configuration.")
  var ignoresConfiguration = false

  func validate() throws {
    if config != nil && ignoresConfiguration { throw ValidationError("--config or --no-config, not both") }
  }

  /// The configuration for a store; what is found and not used is said on standard error.
  ///
  /// - Parameters:
  ///   - store: the store's main file.
  ///   - given: what the user named to get there.
  /// - Throws: `ConfigurationError`.
  func load(forStore store: PosixPath, given: PosixPath) throws -> Configuration? {
    try load { ConfigurationLocator(forStore: store, given: given) }
  }

  /// The configuration for source, which may lie beside it.
  ///
  /// - Throws: `ConfigurationError`.
  func load(forSourceBeside stores: [PosixPath]) throws -> Configuration? {
    try load { ConfigurationLocator(forSourceBeside: stores) }
  }

  /// The configuration that was named; nil where there is none, or none is to be followed.
  ///
  /// - Throws: `ConfigurationError`.
  func named() throws -> Configuration? {
    guard !ignoresConfiguration, let config else { return nil }
    return try Configuration(PosixPath(argument: config))
  }

  private func load(_ find: () -> ConfigurationLocator) throws -> Configuration? {
    try ignoresConfiguration || config != nil ? named() : load(find())
  }

  /// What a search came to; what was met and is not used is said on standard error.
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
