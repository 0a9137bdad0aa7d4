import StoreModels
import StoreSourceChecks
import StoreSystem
import StoreSQLite
import StoreSwiftDataSchemas

/// A git repository whose tags mark releases.
public struct SourceReleases: Sendable {
  /// The repository, bare or not.
  public var repository: String
  /// The pattern of the release tags, as git takes it: `v*`; nil for all tags.
  public var tags: String?
  /// Where a private folder for the source of the tags is made.
  public var temporaryFolder: PosixPath

  /// By default all tags are releases.
  public init(repository: String, tags: String? = nil, temporaryFolder: PosixPath) {
    self.repository = repository
    self.tags = tags
    self.temporaryFolder = temporaryFolder
  }
}

/// The versions in the source of a repository's tags.
struct TaggedVersions {
  fileprivate struct Release {
    var tag: String
    var schemas: [SourceSchema]
  }

  /// The newest first.
  private var releases: [Release] = []
  /// Tags that could not be read.
  private(set) var skipped: [SourceLint.Skipped] = []

  /// - Throws: `GitError` if the repository cannot be read, `SwiftDataProgramError` if the parser of Swift source is
  ///   not installed.
  init(_ source: SourceReleases, defines: [String]) throws {
    let repository = try GitRepository(path: source.repository)
    let tags = try repository.tags(matching: source.tags)
    if tags.isEmpty {
      skip("the repository '\(source.repository)' has no tag" + (source.tags.map { " like \($0)" } ?? ""))
    }
    guard let folder = newPrivateFolder(named: "storedoctor-tags", in: source.temporaryFolder) else {
      skip("no private folder can be made in the folder for temporary files")
      return
    }
    defer { try? removeFolder(folder) }
    var reader = try CommittedSource(repository, folder: folder, defines: defines)
    let states = try reader.read(tags.map(\.commit)) { state in
      state.reading.map { reading in reading.schemas.filter { $0.origin == .versioned }.map(state.inRepository) }
    }
    for (tag, state) in zip(tags, states) {
      switch state {
      case .success(let schemas): releases.append(Release(tag: tag.name, schemas: schemas))
      case .failure(let error): skip("the source at the tag '\(tag.name)' cannot be read: \(error)")
      }
    }
  }

  private mutating func skip(_ reason: String) {
    skipped.append(.init(check: SourceCheck.editedShippedVersion.id, reason: reason))
  }

  /// The shipped version at the newest tag where it differs from the source; nil if it is equal at all tags.
  func shipped(_ version: SourceSchema, _ skipped: inout [SourceLint.Skipped]) -> ShippedVersion? {
    var found: (release: ShippedVersion, tag: String)?
    var others = 0
    for release in releases {
      guard let shipped = release.schema(like: version) else { continue }
      if let reason = shipped.reasonNotComparable(to: version) {
        skipped.append(
          .init(
            check: SourceCheck.editedShippedVersion.id,
            reason: "whether \(version.name) is as at the tag '\(release.tag)' is not known: \(reason)",
            place: version.place))
        continue
      }
      let hashes = shipped.entities.compactMap { entity in entity.variants.first?.hash.map { (entity.name, $0) } }
      let known = ShippedVersion(
        "the tag '\(release.tag)'", hashes: Dictionary(hashes) { first, _ in first }, model: try? shipped.model())
      guard version.differences(from: known.hashes) != .none else { continue }
      if found == nil { found = (known, release.tag) } else { others += 1 }
    }
    guard others > 0, let found else { return found?.release }
    var shipped = found.release
    shipped.witness = "the tag '\(found.tag)' and \(others) older \(others == 1 ? "one" : "ones")"
    return shipped
  }
}

extension CommittedSource.State {
  /// A schema with the path that its file has in the repository.
  fileprivate func inRepository(_ schema: SourceSchema) -> SourceSchema {
    var schema = schema
    schema.place.file = pathInRepository(schema.place.file)
    return schema
  }
}

extension TaggedVersions.Release {
  /// The version of the same name; if there are several, the one in the same file.
  fileprivate func schema(like version: SourceSchema) -> SourceSchema? {
    let named = schemas.filter { $0.name == version.name }
    guard named.count > 1 else { return named.first }
    let inFile = named.filter {
      version.place.file.hasSuffix("/" + $0.place.file) || version.place.file == $0.place.file
    }
    return inFile.count == 1 ? inFile[0] : nil
  }
}

extension SourceSchema {
  /// Why its hashes cannot be compared with another state of the same version; nil if they can.
  fileprivate func reasonNotComparable(to version: SourceSchema) -> String? {
    if let listProblem { return listProblem }
    for entity in entities {
      if let reason = entity.reasons.first {
        return "\(entity.name): \([reason.property, reason.message].compactMap(\.self).joined(separator: ": "))"
      }
      let now = version.entities.first { $0.name == entity.name }
      let readings = Set(entity.variants.map(\.hash))
      if let rule = entity.openRules.first, let now, Set(now.variants.map(\.hash)) != readings {
        return "\(entity.name) rests on an open rule (\(rule.rawValue))"
      }
    }
    return nil
  }
}
