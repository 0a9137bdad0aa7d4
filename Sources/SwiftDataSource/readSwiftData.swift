import StoreSwiftDataSchemas

/// Reads Swift source and derives the models SwiftData would build from it. No code of it is run.
///
/// ```swift
/// let reading = try readSwiftData(["Sources/Notes"])
/// try reading.schema(named: "SchemaV2")?.model().versionHashes.checksum
/// ```
///
/// - Parameter defines: values for `#if` names: "DEBUG", "BETA=false".
/// - Throws: ``SourceFileError`` for a path that does not exist, or more source than ``SourceLimits`` allows.
package func readSwiftData(
  _ paths: [String], defines: [String] = [], limits: SourceLimits = SourceLimits()
) throws(SourceFileError) -> SourceReading {
  try SourceProject(paths: paths, defines: defines, limits: limits).reading
}
