import StoreWords
import StoreSystem
import StoreDataModel
import StoreJSON
import StoreSQLite
import StoreSwiftDataSchemas

/// A self-contained copy of a schema, its classes and value types, as the source of a `VersionedSchema`.
package struct FrozenSchema: Sendable {
  /// The name of the schema that was copied.
  package var schema: String
  /// The name of the copy.
  package var name: String
  /// Swift source in the words of the original. Read back, it gave the version hashes of the schema, as far as they are
  /// known.
  package var text: String
  /// The references of the copy to the outside, and why an entity in ``unchecked`` is there, with places.
  package var notes: [SourceProblem]
  /// The entities whose hash the source does not tell for sure, so that equal hashes are not proved.
  package var unchecked: [String]
}

/// Why a schema cannot be frozen.
package enum FreezeError: Error, CustomStringConvertible {
  /// There is already a schema of that name.
  case taken(String)
  /// It is not a valid name of a Swift type.
  case noName(String)
  /// The parts of the source that cannot be copied, at their places.
  case obstacles(schema: String, [SourceProblem])
  /// The copy is derived differently for these entities.
  case differs([String])

  /// The sentence shown to people; of obstacles one line each.
  package var description: String {
    switch self {
    case .taken(let name):
      "there is another \(quoted(name)) already; give the copy the name of the version that it copies, to take its "
        + "place, or an unused one"
    case .noName(let name): "\(quoted(name)) is no name of a Swift type"
    case .obstacles(let schema, let problems):
      "\(quoted(schema)) cannot be copied as it is:"
        + problems.prefix(20).map { problem in
          "\n  " + (problem.place.map { "\(escapedForTerminal("\($0.file)")):\($0.line): " } ?? "") + problem.message
        }.joined() + (problems.count > 20 ? "\n  and \(problems.count - 20) more" : "")
    case .differs(let entities):
      "the copy would be another model for \(entities.map(quoted).joined(separator: ", ")), so it is not printed; "
        + "please report it"
    }
  }
}

/// Copies a schema of Swift source as it is now, so that later edits of its classes do not change a shipped version.
///
/// The declarations are copied in the words of the source, without what is computed; what cannot be copied is named at
/// its line, and then there is no copy.
///
/// - Parameters:
///   - schema: its name; nil for the current version.
///   - name: the name of the copy: an unused one, or the schema's own; nil for the next in sequence, such as `SchemaV3`
///     after `SchemaV2`.
/// - Throws: `FreezeError`, or what reading the source throws.
package func freeze(
  _ paths: [String], defines: [String] = [], schema: String? = nil, as name: String? = nil
) throws -> FrozenSchema {
  let program = try SwiftDataProgram.installed()
  let reading = try readSwiftDataSource(paths, defines: defines, with: program)
  let version =
    try schema.flatMap { reading.schema(named: $0)?.name } ?? deciding(reading, schema: schema, paths: paths)
  let taken = Set(reading.schemas.filter { $0.origin == .versioned }.map { lastName($0.name) })
  let next = nextName(after: taken)
  let copy = name ?? next
  guard SwiftName.isIdentifier(copy) else { throw FreezeError.noName(copy) }
  // Under its own name it takes the version's place.
  guard !taken.contains(copy) || copy == lastName(version) else { throw FreezeError.taken(copy) }
  // A copy that does not get the next name replaces the version it copies, so it keeps that version's identifier.
  let own = copy == next ? nil : reading.schemas.first { $0.origin == .versioned && $0.name == version }
  let identifier = own?.identifier.text ?? nextIdentifier(after: reading.schemas.compactMap(\.identifier.text))
  let made = try sourceCopy(
    of: version, as: copy, identifier: identifier, paths: paths, defines: defines, program: program)
  guard made.obstacles.isEmpty else { throw FreezeError.obstacles(schema: version, made.obstacles) }
  guard made.differing.isEmpty else { throw FreezeError.differs(made.differing) }
  let imports = made.modules.map { "import \($0)\n" }.joined()
  let head = "// \(version) as it was in \(origin(of: made.files)); written by 'storedoctor lint --freeze'.\n"
  return FrozenSchema(
    schema: version, name: copy, text: head + imports + "\n" + made.text, notes: made.notes, unchecked: made.unchecked)
}

/// The version that a path without a name means, or the error that says which there are.
private func deciding(_ reading: SourceReading, schema: String?, paths: [String]) throws -> String {
  let all = try ModelSource(reading, path: paths.joined(separator: " "))
  let source = try schema.map { name throws(ModelSourceError) in try all.only(name) } ?? all
  return try source.judgeable(ignoresPlan: true).source.decidingVersion().name
}

private func sourceCopy(
  of schema: String, as name: String, identifier: String, paths: [String], defines: [String],
  program: SwiftDataProgram
) throws -> SourceCopy {
  let answer = try program.run(
    ["copy", "--schema", schema, "--as", name, "--identifier", identifier] + defines.flatMap { ["--define", $0] } + [
      "--"
    ]
      + paths)
  do throws(JSONError) {
    return try SourceCopy(answer)
  } catch {
    throw SwiftDataProgramError.garbled(error.description)
  }
}

/// "Trip.swift and Stop.swift at commit 1a2b3c4d5e", on one line; the commit if the files are in git.
private func origin(of files: [String]) -> String {
  let names = files.map { escapedForTerminal(lastComponent($0)) }
  let shown = names.prefix(4).joined(separator: ", ") + (names.count > 4 ? " and \(names.count - 4) more files" : "")
  guard let first = files.first, let slash = first.lastIndex(of: "/").map({ String(first[..<$0]) }) ?? Optional("."),
    let repository = try? GitRepository(path: slash.isEmpty ? "/" : slash), let commit = try? repository.currentCommit()
  else { return shown }
  let areCommitted = files.allSatisfy { (try? GitRepository.isCommitted($0)) ?? false }
  return "\(shown) at commit \(commit.description.prefix(10))\(areCommitted ? "" : " with changes since")"
}

private func lastComponent(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

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
