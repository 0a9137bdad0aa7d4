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
  let project = try SourceProject(paths: paths, defines: defines, limits: limits)
  var reading = project.reading
  let targets = DeploymentTargets(project.surroundings)
  for schema in reading.schemas.indices {
    for entity in reading.schemas[schema].entities.indices {
      let systems = targets.nearest(to: reading.schemas[schema].entities[entity].place.file)
      guard !systems.isEmpty else { continue }
      reading.schemas[schema].entities[entity].details.hasUniqueMacro = systems.allSatisfy(\.hasUniqueMacro)
    }
  }
  return reading
}
