/// Limits on the amount of source. Real apps have a few hundred files of some ten kilobytes.
package struct SourceLimits: Sendable {
  /// The largest file in bytes; larger ones are skipped and reported.
  package var fileSize = 4 << 20
  /// The number of Swift files.
  package var files = 20_000
  /// Bytes of all files.
  package var bytes = 256 << 20
  /// The size of the files that concern models, which are parsed; the results take some twenty times that.
  package var parsedBytes = 64 << 20
  /// The deepest nesting of folders.
  package var depth = 64
  /// The number of names in all folders.
  package var names = 500_000

  /// The default limits.
  package init() {}
}
