/// The model, or the versions of a model, at a path.
///
/// What is there is told by its content, not its name: a compiled model (`.mom`), a bundle of them (`.momd`), Xcode's
/// model (`.xcdatamodel`, or the `contents` file in it), Xcode's bundle (`.xcdatamodeld`) and storedoctor's own JSON.
///
/// ```swift
/// let source = try ModelSource.read("Notes.app/Notes.momd")
/// source.versions.map(\.name)        // ["Notes", "Notes 2", "Notes 10"]
/// source.current?.model.versionHashes
/// try ModelSource.read("Notes.app/Notes.momd#Notes 2").versions.map(\.name)        // ["Notes 2"]
/// ```
public struct ModelSource: Sendable {
  /// Where the source is, as it was given.
  public let path: String
  /// What was found there.
  public let format: Format
  /// All versions, by name with numbers compared as numbers: "V2" before "V10". Never empty.
  public package(set) var versions: [Version]
  /// The name of the version an app would use. A source of one version has no other; a bundle of several says which,
  /// or nothing is known.
  public let currentVersionName: String?
  /// Versions that `VersionInfo.plist`, `.xccurrentversion` or a migration plan names and that are not there, in order.
  public let missingVersionNames: [String]
  /// The migration plan that comes with the versions, as Swift source has one.
  public package(set) var plan: Plan?
  /// Why that version is the current one, where the source does not say so itself; lower case, no full stop.
  public let currentBasis: String?

  /// The version an app would use, if it is known and there.
  public var current: Version? { versions.first { $0.name == currentVersionName } }

  /// The forms of a model.
  public enum Format: String, Sendable, CaseIterable {
    /// A keyed archive, binary or XML (`.mom`).
    case compiled = "mom"
    /// A folder of compiled models with `VersionInfo.plist` (`.momd`).
    case compiledBundle = "momd"
    /// A folder with Xcode's `contents`, or that file (`.xcdatamodel`).
    case xcode = "xcdatamodel"
    /// A folder of Xcode's models (`.xcdatamodeld`).
    case xcodeBundle = "xcdatamodeld"
    /// storedoctor's own JSON of one or more versions (``ModelDocument``).
    case json = "json"
    /// A store, which carries its model in `Z_MODELCACHE`; read by those who can open stores.
    case store = "store"
    /// Swift source with `@Model` classes; read by those who have its parser.
    case swift = "swift"
  }

  /// Whether such a source can have several versions.
  public var isBundle: Bool {
    switch format {
    case .compiledBundle, .xcodeBundle, .json, .swift: true
    case .compiled, .xcode, .store: false
    }
  }

  /// A source of one version that was read elsewhere.
  package init(path: String, format: Format, version name: String, model: Model) {
    self.init(
      path: path, format: format, versions: [Version(name: name, path: path, model: model)], currentVersionName: name,
      missingVersionNames: [])
  }

  /// A source of versions that were read elsewhere.
  package init(
    path: String, format: Format, versions: [Version], currentVersionName: String?, missingVersionNames: [String],
    plan: Plan? = nil, currentBasis: String? = nil
  ) {
    self.path = path
    self.format = format
    self.versions = versions
    self.currentVersionName = currentVersionName
    self.missingVersionNames = missingVersionNames
    self.plan = plan
    self.currentBasis = currentBasis
  }

  /// A plan in the words of the source, in the order of its versions.
  public struct Plan: Sendable, Equatable {
    /// The plan's name.
    public var name: String
    /// Names of versions, oldest first.
    public var versions: [String]
    /// Stages as `light:V1,V2` and `custom:V1>V2`, in their order; empty where the plan has none.
    public var stages: [String]
    /// Those of them that run code of the app before they migrate.
    public var prepared: [String]
    /// Why its versions or stages are not known whole; lower case, no full stop. Nil when they are.
    public var problem: String?

    /// A plan.
    package init(
      name: String, versions: [String], stages: [String], prepared: [String] = [], problem: String? = nil
    ) {
      self.name = name
      self.versions = versions
      self.stages = stages
      self.prepared = prepared
      self.problem = problem
    }
  }

  /// One version of a model.
  public struct Version: Sendable {
    /// The version's name: that of its file without extension.
    public var name: String
    /// Where it was read from.
    public var path: String
    /// The model.
    public var model: Model
    /// The hashes `VersionInfo.plist` records for it: entity name to 32 bytes, with the checksum if there is one.
    public var recorded: RecordedHashes?
    /// What Xcode's XML holds that was not known; empty for compiled models.
    public var unknown: [XcodeModel.Unknown] = []
    /// What Swift source does not tell; nil for models that say all.
    public var doubt: Doubt?
    /// Whether it is the classes of a container, of which there may be others beside it: those are no older or newer ones.
    public var isContainer = false
    /// What Swift source says besides, by entity.
    package var details: [String: SwiftDataDetails] = [:]

    package init(name: String, path: String, model: Model, unknown: [XcodeModel.Unknown] = []) {
      self.name = name
      self.path = path
      self.model = model
      self.unknown = unknown
    }
  }

  /// What Swift source alone does not tell of a model.
  public struct Doubt: Sendable {
    /// Why entities, or the list of them, are not known whole. With one of these the model is not the app's.
    public var gaps: [Gap]
    /// What rests on a rule that nothing has decided; the model is the likeliest reading.
    public var open: [Gap]
    /// What the hashes of a store decided, one sentence each; empty before there is one.
    package var decided: [String] = []
    /// What was a gap and is taken to be as a store has it, one sentence each; nothing proves it.
    package var assumed: [String] = []
    /// What is known of each entity that is in doubt, by its name.
    package var entities: [String: DoubtfulEntity] = [:]
    /// The reading that agrees best with a store's hashes, written by a framework version, and what the store decided.
    package var settle: @Sendable (VersionHashes, Int64?) -> (model: Model, decided: [String])
    /// The model with a reading of each entity, by its position; the likeliest where nothing is said. Nil where they
    /// contradict one another.
    package var choose: @Sendable ([String: Int]) -> Model?

    package init(
      gaps: [Gap], open: [Gap],
      settle: @escaping @Sendable (VersionHashes, Int64?) -> (model: Model, decided: [String]),
      choose: @escaping @Sendable ([String: Int]) -> Model?
    ) {
      self.gaps = gaps
      self.open = open
      self.settle = settle
      self.choose = choose
    }

    /// Something that is not known.
    public struct Gap: Sendable, Equatable {
      /// The entity; nil where the list of entities is not known whole.
      public var entity: String?
      /// What is not known, where, and what would settle it; lower case, no full stop.
      public var message: String

      package init(entity: String?, _ message: String) {
        self.entity = entity
        self.message = message
      }
    }
  }

  /// What `VersionInfo.plist` says of a version; whether it is true is for others to judge.
  public struct RecordedHashes: Sendable, Equatable {
    /// `NSManagedObjectModel_VersionHashes`.
    public var hashes: VersionHashes?
    /// `NSManagedObjectModel_VersionChecksums`: 32 bytes, from recent Xcode.
    public var checksum: [UInt8]?
  }

  /// Reads the model at a path; `PATH#VERSION` reads only that version of a bundle, which then is the current one.
  ///
  /// What stands behind `#` is a version's name only where no file has the whole text for its name.
  ///
  /// - Throws: ``ModelSourceError`` with the path of the part that cannot be read, and the place in it; for a version
  ///   that is not there, with the names of those that are.
  public static func read(_ path: String) throws(ModelSourceError) -> ModelSource {
    let missing: ModelSourceError
    do {
      var reader = ModelSourceReader(files: try ModelFiles(path: path))
      return try reader.read()
    } catch {
      guard error.kind == .missing, error.path == path else { throw error }
      missing = error
    }
    for (path, version) in versionSpellings(of: path) {
      guard let files = try? ModelFiles(path: path) else { continue }
      var reader = ModelSourceReader(files: files, version: version)
      return try reader.read()
    }
    throw missing
  }

  /// Where `#` may part a path from a version's name, the longest path first: both may have a `#` of their own.
  package static func versionSpellings(of path: String) -> [(path: String, version: String)] {
    path.indices.reversed().filter { path[$0] == "#" }.prefix(16)
      .map { (String(path[..<$0]), String(path[path.index(after: $0)...])) }
      .filter { !$0.0.isEmpty && !$0.1.isEmpty }
  }

  /// Reads the model in the bytes of one file that came from elsewhere; `path` is for its name and for errors.
  ///
  /// - Throws: ``ModelSourceError`` as for files.
  public static func read(_ bytes: [UInt8], path: String) throws(ModelSourceError) -> ModelSource {
    try ModelSourceReader.source(of: bytes, path: path)
  }

  /// The largest file that is read, in bytes; the largest real model archive (Photos) has 1 MB.
  public static let maximumFileSize = ModelFiles.maximumFileSize
}
