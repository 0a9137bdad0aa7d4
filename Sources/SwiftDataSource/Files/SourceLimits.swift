/// Limits on the amount of source. Real apps have a few hundred files of some ten kilobytes.
public struct SourceLimits: Sendable {
  /// The largest file in bytes; larger ones are skipped and reported.
  public var fileSize = 4 << 20
  /// The number of Swift files.
  public var files = 20_000
  /// Bytes of all files.
  public var bytes = 256 << 20
  /// The size of the files that concern models, which are parsed; the results take some twenty times that.
  public var parsedBytes = 64 << 20
  /// The deepest nesting of folders.
  public var depth = 64
  /// The number of names in all folders.
  public var names = 500_000

  /// The default limits.
  public init() {}
}
