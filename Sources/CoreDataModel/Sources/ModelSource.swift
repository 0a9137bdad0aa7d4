/// The model, or the versions of a model, at a path.
///
/// What is there is told by its content, not its name: a compiled model (`.mom`), a bundle of them (`.momd`), Xcode's
/// model (`.xcdatamodel`, or the `contents` file in it) and Xcode's bundle (`.xcdatamodeld`).
///
/// ```swift
/// let source = try ModelSource.read("Notes.app/Notes.momd")
/// source.versions.map(\.name)        // ["Notes", "Notes 2", "Notes 10"]
/// source.current?.model.versionHashes
/// ```
public struct ModelSource: Sendable {
  /// Where the source is, as it was given.
  public let path: String
  /// What was found there.
  public let format: Format
  /// All versions, by name with numbers compared as numbers: "V2" before "V10". Never empty.
  public let versions: [Version]
  /// The name of the version an app would use. A source of one version has no other; a bundle of several says which,
  /// or nothing is known.
  public let currentVersionName: String?
  /// Versions that `VersionInfo.plist` or `.xccurrentversion` names and that are not there, in order.
  public let missingVersionNames: [String]

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
  }

  /// What `VersionInfo.plist` says of a version; whether it is true is for others to judge.
  public struct RecordedHashes: Sendable, Equatable {
    /// `NSManagedObjectModel_VersionHashes`.
    public var hashes: VersionHashes?
    /// `NSManagedObjectModel_VersionChecksums`: 32 bytes, from recent Xcode.
    public var checksum: [UInt8]?
  }

  /// Reads the model at a path.
  ///
  /// - Throws: ``ModelSourceError`` with the path of the part that cannot be read, and the place in it.
  public static func read(_ path: String) throws(ModelSourceError) -> ModelSource {
    var reader = ModelSourceReader(files: try ModelFiles(path: path))
    return try reader.read()
  }
}
