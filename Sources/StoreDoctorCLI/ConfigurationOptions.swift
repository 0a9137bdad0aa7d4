import ArgumentParser
import CoreDataStore
import SQLite
import StoreDoctor

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

  /// The configuration for an audit of these paths.
  ///
  /// - Throws: `ConfigurationError`.
  func load(forAudit paths: [PosixPath]) throws -> Configuration? {
    try load { ConfigurationLocator(forAudit: paths) }
  }

  /// The configuration for source, which may lie beside it.
  ///
  /// - Throws: `ConfigurationError`.
  func load(forSourceBeside stores: [PosixPath]) throws -> Configuration? {
    try load { ConfigurationLocator(forSourceBeside: stores) }
  }

  private func load(_ find: () -> ConfigurationLocator) throws -> Configuration? {
    if ignoresConfiguration { return nil }
    if let config { return try Configuration(PosixPath(argument: config)) }
    let search = find()
    for path in search.refused {
      standardError(
        "storedoctor: \(quoted(path.description)) is not used, since it lies in the store's own folder; "
          + "if it is yours, name it with --config")
    }
    return try search.found.map { path throws(ConfigurationError) in try Configuration(path) }
  }
}
