/// The model, or all versions of a model, at a path.
///
/// The content decides, not the name: a compiled model (`.mom`), a bundle of them (`.momd`), Xcode's model
/// (`.xcdatamodel`, or the `contents` file in it), Xcode's bundle (`.xcdatamodeld`) or storedoctor's own JSON.
///
/// ```swift
/// let source = try ModelSource.read("Notes.app/Notes.momd")
/// source.versions.map(\.name)        // ["Notes", "Notes 2", "Notes 10"]
/// source.current?.model.versionHashes
/// try ModelSource.read("Notes.app/Notes.momd#Notes 2").versions.map(\.name)        // ["Notes 2"]
/// ```
public struct ModelSource: Sendable {
  /// The path of the source, as given.
  package let path: String
  /// The format found there.
  package let format: Format
  /// All versions, sorted by name with numbers compared as numbers: "V2" before "V10". Never empty.
  package var versions: [Version]
  /// The name of the version an app uses. For a source with a single version, that one; a bundle of several states it,
  /// or it is not known (nil).
  package private(set) var currentVersionName: String?
  /// Versions named by `VersionInfo.plist`, `.xccurrentversion` or a migration plan that do not exist, in order.
  package let missingVersionNames: [String]
  /// The migration plan of Swift source, if there is one.
  package var plan: Plan?
  /// All plans of Swift source that has several, by name; otherwise empty. If none of them is chosen, ``plan`` is nil.
  package var plans: [Plan] = []
  /// The folder of a project or app that was given, in which the source was found; nil if the source itself was given.
  package var foundBelow: String?
  /// Bundles of models in the folder whose Swift source was read instead; their paths.
  package var passedOver: [String] = []
  /// What a person has to know of the files that a store's model was read from; lower case, no full stop.
  package var remarks: [String] = []
  /// Why that version is the current one, if the source does not state it itself; lower case, no full stop.
  package private(set) var currentBasis: String?

  /// The current version, if it is known and exists.
  package var current: Version? { versions.first { $0.name == currentVersionName } }

  /// The same source, as if the app used a version of that name.
  package func using(_ version: String) -> ModelSource {
    var source = self
    (source.currentVersionName, source.currentBasis) = (version, "it was asked for")
    return source
  }

  /// The formats of a source.
  package enum Format: String, Sendable, CaseIterable {
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
    /// A store, whose `Z_MODELCACHE` contains a model; read in a module that can open stores.
    case store = "store"
    /// Swift source with `@Model` classes; read in a module that can parse it.
    case swift = "swift"
  }

  /// Whether such a source can have several versions.
  package var isBundle: Bool {
    switch format {
    case .compiledBundle, .xcodeBundle, .json, .swift: true
    case .compiled, .xcode, .store: false
    }
  }

  /// A source with one version that was read elsewhere.
  package init(path: String, format: Format, version name: String, model: Model) {
    self.init(
      path: path, format: format, versions: [Version(name: name, path: path, model: model)], currentVersionName: name,
      missingVersionNames: [])
  }

  /// A source with versions that were read elsewhere.
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

  /// A migration plan as declared in the source.
  package struct Plan: Sendable, Equatable {
    /// The plan's name.
    package var name: String
    /// Names of versions, oldest first.
    package var versions: [String]
    /// The stages as `light:V1,V2` and `custom:V1>V2`, in order; empty if the plan has none.
    package var stages: [String]
    /// The stages that run code of the app before the migration.
    package var prepared: [String]
    /// Why its versions or stages are not completely known; lower case, no full stop. Nil if they are.
    package var problem: String?

    /// Creates a plan.
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
  package struct Version: Sendable {
    /// The version's name: its file name without extension.
    package var name: String
    /// Where it was read from.
    package var path: String
    /// The model.
    package var model: Model
    /// The hashes that `VersionInfo.plist` records for it, with the checksum if there is one.
    package var recorded: RecordedHashes?
    /// Unknown parts of Xcode's XML; empty for compiled models.
    package var unknown: [XcodeModel.Unknown] = []
    /// The facts about it that could not be determined; nil if everything is known.
    package var doubt: Doubt?
    /// Why it could not be read at all; then its model has no entities and ``doubt`` says so. Nil if it was read.
    package internal(set) var failure: ModelSourceError?
    /// Whether it is the list of classes given to a `ModelContainer`. Several such lists are not older or newer
    /// versions of each other.
    package var isContainer = false
    /// Further details of classes in Swift source, by entity.
    package var details: [String: SwiftDataDetails] = [:]
    /// The models that Swift source is on one system and another, oldest first; empty where it is the same on all.
    package var systems: [SystemModel] = []

    package init(name: String, path: String, model: Model, unknown: [XcodeModel.Unknown] = []) {
      self.name = name
      self.path = path
      self.model = model
      self.unknown = unknown
    }
  }

  /// The gaps in the knowledge of a version: facts that Swift source alone does not tell (`swiftdata-source.md`), or
  /// everything if it cannot be read.
  package struct Doubt: Sendable {
    /// Why entities, or the list of entities, are incompletely known. With any of these the model is not that of the
    /// app.
    package var gaps: [Gap]
    /// Facts that depend on an undecided rule; the model is the likeliest reading.
    package var open: [Gap]
    /// Facts that the hashes of a store decided, one sentence each; empty before a store is used.
    package var decided: [String] = []
    /// Gaps that were filled with what a store has, one sentence each; this is not proved.
    package var assumed: [String] = []
    /// The entities with a property whose type the user said: nothing proves their hashes.
    package var assumedEntities: Set<String> = []
    /// The known facts about each doubtful entity, by its name.
    package var entities: [String: DoubtfulEntity] = [:]
    /// Gives the reading that agrees best with a store's hashes and framework version, and what the store decided. The
    /// framework is that of the system that wrote the store, or of another that is to read the source, as the last argument
    /// says: of that one, readings of other systems do not count, whatever hashes the store has.
    package var settle: @Sendable (VersionHashes, Int64?, _ isReader: Bool) -> (model: Model, decided: [String])
    /// Gives the model with the chosen reading of each entity, by position; the likeliest if none is chosen. Nil if the
    /// readings contradict each other.
    package var choose: @Sendable ([String: Int]) -> Model?

    package init(
      gaps: [Gap], open: [Gap],
      settle: @escaping @Sendable (VersionHashes, Int64?, _ isReader: Bool) -> (model: Model, decided: [String]),
      choose: @escaping @Sendable ([String: Int]) -> Model?
    ) {
      self.gaps = gaps
      self.open = open
      self.settle = settle
      self.choose = choose
    }

    /// Something that could not be determined.
    package struct Gap: Sendable, Equatable {
      /// The entity; nil if the list of entities is incomplete.
      package var entity: String?
      /// The gap, its place, and how to settle it; lower case, no full stop.
      package var message: String

      package init(entity: String?, _ message: String) {
        self.entity = entity
        self.message = message
      }
    }
  }

  /// The hashes that `VersionInfo.plist` records for a version; they are not checked here.
  package struct RecordedHashes: Sendable, Equatable {
    /// `NSManagedObjectModel_VersionHashes`.
    package var hashes: VersionHashes?
    /// `NSManagedObjectModel_VersionChecksums`: 32 bytes, from recent Xcode.
    package var checksum: [UInt8]?
  }

  /// Reads the model at a path; `PATH#VERSION` reads only that version of a bundle, which becomes the current one.
  ///
  /// The part after `#` is only a version's name if no file has the whole text as its path.
  ///
  /// - Throws: ``ModelSourceError`` with the path of the unreadable part and the place in it; for a missing version,
  ///   with the names of the existing ones.
  package static func read(_ path: String) throws(ModelSourceError) -> ModelSource {
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

  /// The ways to split a path and a version's name at a `#`, longest path first, because both may contain a `#`.
  package static func versionSpellings(of path: String) -> [(path: String, version: String)] {
    path.indices.reversed().filter { path[$0] == "#" }.prefix(16)
      .map { (String(path[..<$0]), String(path[path.index(after: $0)...])) }
      .filter { !$0.0.isEmpty && !$0.1.isEmpty }
  }

  /// Reads a model whose files lie in memory, by their names in it; "" is that of a single file.
  ///
  /// - Parameters:
  ///   - path: gives its name and is used in errors.
  ///   - version: the only version to read; nil for all.
  package static func read(
    _ members: [String: [UInt8]], path: String, version: String? = nil
  ) throws(ModelSourceError) -> ModelSource {
    var reader = ModelSourceReader(files: ModelFiles(path: path, members: members), version: version)
    return try reader.read()
  }

  /// Reads a model from the bytes of one file; `path` gives its name and is used in errors.
  ///
  /// - Throws: ``ModelSourceError`` as for files.
  package static func read(_ bytes: [UInt8], path: String) throws(ModelSourceError) -> ModelSource {
    try ModelSourceReader.source(of: bytes, path: path)
  }

  /// The largest file that is read, in bytes; the largest real model archive (Photos) has 1 MB.
  package static let maximumFileSize = ModelFiles.maximumFileSize
}
