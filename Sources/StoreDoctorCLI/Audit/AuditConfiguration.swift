import StoreWords
import StoreDiagnosis
import StoreSQLite

/// The configuration of a whole audit, loaded once for all workers and stores.
struct AuditConfiguration: Sendable {
  /// The configuration; nil where there is none.
  let settings: Configuration?
  /// The options that pass it to a worker, which does not search itself.
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

  /// Throws where a listed path is in one folder tree with the configuration that was found. A file that came with the
  /// evidence must not influence its examination, and this one already has.
  @Sendable func requireApart(_ path: PosixPath) throws {
    guard let search, let settings, search.isFound(inFolderOf: path) else { return }
    throw ConfigurationBesideStore(configuration: settings.path, store: path)
  }
}

/// Why a listed store cannot be audited: the configuration is beside it.
private struct ConfigurationBesideStore: Error, CustomStringConvertible {
  let configuration: PosixPath
  let store: PosixPath

  var description: String {
    "refusing to go on: \(quoted(store.description)), which a list names, has \(quoted(configuration.description)) in "
      + "its own folder; if that is yours, name it with --config, else leave it out with --no-config"
  }
}
