import StoreWords
import StoreDiagnosis
import StoreSQLite

/// The configuration of a whole audit: found once, and the same for all its workers and stores.
struct AuditConfiguration: Sendable {
  /// What it says; nil where there is none.
  let settings: Configuration?
  /// The options that tell a worker of it: it does not look by itself.
  let arguments: [String]
  private let search: ConfigurationLocator?

  /// - Throws: `ConfigurationError`.
  init(_ options: ConfigurationOptions, _ input: AuditInputArguments) throws {
    if options.config != nil || options.ignoresConfiguration {
      settings = try options.named()
      arguments = []
      search = nil
      return
    }
    let search = ConfigurationLocator(forAudit: input.path.map { PosixPath(argument: $0) })
    settings = try options.load(search)
    arguments = settings.map { ["--config", $0.path.description] } ?? ["--no-config"]
    self.search = search
  }

  /// Throws where what a list names lies in one folder tree with the configuration that was found: a file that came with
  /// the evidence must not steer its examination, and this one has steered what was looked at before.
  @Sendable func requireApart(_ path: PosixPath) throws {
    guard let search, let settings, search.isFound(inFolderOf: path) else { return }
    throw ConfigurationBesideStore(configuration: settings.path, store: path)
  }
}

/// A list names a store that the configuration lies with.
private struct ConfigurationBesideStore: Error, CustomStringConvertible {
  let configuration: PosixPath
  let store: PosixPath

  var description: String {
    "refusing to go on: \(quoted(store.description)), which a list names, has \(quoted(configuration.description)) in "
      + "its own folder; if that is yours, name it with --config, else leave it out with --no-config"
  }
}
