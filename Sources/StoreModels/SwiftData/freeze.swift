import StoreWords
import StoreSystem
import StoreDataModel
import StoreSQLite
import StoreSwiftDataSchemas

/// A self-contained copy of a schema, its classes and value types, as the source of a `VersionedSchema`.
public struct FrozenSchema: Sendable {
  /// The name of the schema that was copied.
  public var schema: String
  /// The name of the copy.
  public var name: String
  /// Swift source. Read back, it gave the version hashes of the schema.
  public var text: String
  /// Parts of the schema that the copy cannot express; none of them affects a hash.
  public var losses: [ConversionLoss]
}

/// Why a schema cannot be frozen.
public enum FreezeError: Error, CustomStringConvertible {
  /// There is already a schema of that name.
  case taken(String)
  /// It is not a valid name of a Swift type.
  case noName(String)
  /// The copy would have other hashes for these entities.
  case differs([String], losses: [ConversionLoss])
  /// No temporary folder could be made to read the copy back from.
  case noFolder(String)

  /// The sentence shown to people.
  public var description: String {
    switch self {
    case .taken(let name):
      "there is a \(quoted(name)) already; give the copy another name with --as, or write one to take its "
        + "place with 'storedoctor model convert PATH#\(name) --to swift'"
    case .noName(let name): "\(quoted(name)) is no name of a Swift type"
    case .differs(let entities, let losses):
      "the copy would have other hashes for \(entities.map(quoted).joined(separator: ", ")): "
        + losses.prefix(3).map(\.description).joined(separator: "; ")
    case .noFolder(let path): "no private folder can be made in \(quoted(path))"
    }
  }
}

/// Copies a schema of Swift source as it is now, so that later edits of its classes do not change a shipped version.
///
/// - Parameters:
///   - schema: its name; nil for the current version.
///   - name: the name of the copy; nil for the next in sequence, such as `SchemaV3` after `SchemaV2`.
///   - temporaryFolder: where the copy is written briefly, to read it back.
/// - Throws: `FreezeError`, or what reading the source throws. An incompletely derived schema is not copied.
public func freeze(
  _ paths: [String], defines: [String] = [], schema: String? = nil, as name: String? = nil, temporaryFolder: PosixPath
) throws -> FrozenSchema {
  let reading = try readSwiftDataSource(paths, defines: defines)
  let all = try ModelSource(reading, path: paths.joined(separator: " "))
  let source = try schema.map { name throws(ModelSourceError) in try all.only(name) } ?? all
  let version = try source.judgeable(ignoresPlan: true).source.decidingVersion()
  let taken = Set(reading.schemas.filter { $0.origin == .versioned }.map { lastName($0.name) })
  let next = nextName(after: taken)
  let copy = name ?? next
  guard SwiftName.isIdentifier(copy) else { throw FreezeError.noName(copy) }
  guard !taken.contains(copy) else { throw FreezeError.taken(copy) }
  // A copy that does not get the next name replaces the version it copies, so it keeps that version's identifier.
  let own = copy == next ? nil : reading.schemas.first { $0.origin == .versioned && $0.name == version.name }
  let identifier = own?.identifier.text ?? nextIdentifier(after: reading.schemas.compactMap(\.identifier.text))
  let model = try Model(entities: version.model.entities, versionIdentifiers: [identifier])
  let written = SwiftDataWriter(model, schemaName: copy, details: version.details)
  let differing = try differences(between: model.versionHashes, and: written.text, in: temporaryFolder)
  guard differing.isEmpty else { throw FreezeError.differs(differing, losses: written.lost) }
  return FrozenSchema(schema: version.name, name: copy, text: written.text, losses: written.lost)
}

/// Entities whose hashes differ when the text is read back.
private func differences(
  between hashes: VersionHashes, and text: String, in temporaryFolder: PosixPath
) throws -> [String] {
  guard let folder = newPrivateFolder(named: "storedoctor-freeze", in: temporaryFolder) else {
    throw FreezeError.noFolder(temporaryFolder.description)
  }
  defer { try? removeFolder(folder) }
  let file = try EntryPath(Array("Frozen.swift".utf8), limits: .standard)
  try PrivateFolder(folder).create(file).write(Array(text.utf8)[...], at: 0)
  let reading = try readSwiftDataSource([folder.description])
  let version = try ModelSource(reading, path: folder.description).decidingVersion()
  // Whatever is open in the schema is open in its copy too; one reading of the copy must have the same hashes.
  let model = version.doubt?.settle(hashes, nil).model ?? version.model
  let comparison = HashComparison(store: hashes, model: model.versionHashes, gaps: version.doubt?.gaps ?? [])
  return comparison.different + comparison.onlyInStore + comparison.onlyInModel + comparison.unknown
}

/// The name without the types it is nested in.
private func lastName(_ name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }

/// The name with the highest number, incremented: `SchemaV3` after `SchemaV2`.
private func nextName(after names: Set<String>) -> String {
  let numbered = names.compactMap { name -> (stem: String, number: Int)? in
    let digits = name.reversed().prefix { ("0"..."9").contains($0) }.count
    guard digits > 0, let number = Int(name.suffix(digits)), number < .max else { return nil }
    return (String(name.dropLast(digits)), number)
  }
  let last = numbered.max { ($0.number, $0.stem) < ($1.number, $1.stem) }
  return last.map { "\($0.stem)\($0.number + 1)" } ?? "SchemaV1"
}

/// The next major version: "3.0.0" after "2.1.0".
private func nextIdentifier(after identifiers: [String]) -> String {
  let majors = identifiers.compactMap { $0.split(separator: ".").first.flatMap { UInt16($0) } }
  return "\((majors.max() ?? 0) &+ 1).0.0"
}
