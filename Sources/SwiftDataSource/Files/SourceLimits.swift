/// How much source is read. Real apps have a few hundred files of some ten kilobytes.
public struct SourceLimits: Sendable {
  /// Bytes of one file; larger ones are left out and reported.
  public var fileSize = 4 << 20
  /// Swift files in all.
  public var files = 20_000
  /// Bytes of all files.
  public var bytes = 256 << 20
  /// Bytes of the files that have to do with models, which are parsed; what is kept of them takes some twenty times that.
  public var parsedBytes = 64 << 20
  /// Folders inside one another.
  public var depth = 64
  /// Names in all folders.
  public var names = 500_000

  /// The default limits.
  public init() {}
}
