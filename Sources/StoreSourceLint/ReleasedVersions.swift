import StoreModels
import StoreDataModel
import StoreSourceChecks
import StoreSystem
import StoreSQLite
import StoreSwiftDataSchemas
import StoreText

/// A repository with what was shipped from it: tags, tips of branches, commits.
package struct SourceReleases: Sendable {
  /// The repository, bare or not.
  package var repository: String
  /// The pattern of the tags that are releases, as for git: `v*`; nil for all tags, or none where others are named.
  package var tags: String?
  /// The pattern of the branches whose tips are releases, as for git: `release/*`.
  package var branches: String?
  /// Commits that are releases: "1a2b3c4", "main~3", or "v1..main" for all of a range that changed Swift files.
  package var commits: [String]
  /// Where a private folder is made for the source of one release after the other.
  package var temporaryFolder: PosixPath

  /// All tags of a repository unless others are named.
  package init(
    repository: String, tags: String? = nil, branches: String? = nil, commits: [String] = [],
    temporaryFolder: PosixPath
  ) {
    self.repository = repository
    self.tags = tags
    self.branches = branches
    self.commits = commits
    self.temporaryFolder = temporaryFolder
  }
}

/// The versions in the source of a repository's releases.
struct ReleasedVersions {
  fileprivate struct Release {
    /// "the tag 'v1'"
    var name: String
    var schemas: [SourceSchema]
    /// The names of the versions that its stores have: the last of each plan; nil where that is not known.
    var current: Set<String>?

    init(name: String, _ reading: SourceReading, _ state: CommittedSource.State) {
      self.name = name
      schemas = reading.schemas.filter { $0.origin == .versioned }.map(state.inRepository)
      let areKnown = !reading.plans.isEmpty && reading.plans.allSatisfy { $0.schemasProblem == nil }
      current = areKnown ? Set(reading.plans.compactMap(\.schemaNames.last)) : nil
    }
  }

  /// The newest first, tags before branches before commits.
  private var releases: [Release] = []
  /// The objects that could not be looked at.
  private(set) var skipped: [SourceLint.Skipped] = []

  /// - Throws: `GitError` when the repository cannot be read, `SwiftDataProgramError` when no program reads Swift
  /// source.
  init(_ source: SourceReleases, defines: [String]) throws {
    let repository = try GitRepository(path: source.repository)
    let shipped = try revisions(of: source, in: repository)
    guard let folder = newPrivateFolder(named: "storedoctor-tags", in: source.temporaryFolder) else {
      skip("no private folder can be made in the folder for temporary files", isUndecided: true)
      return
    }
    defer { try? removeFolder(folder) }
    var reader = try CommittedSource(repository, folder: folder, defines: defines)
    let states = try reader.read(shipped.map(\.commit)) { state in
      state.reading.map { Release(name: "", $0, state) }
    }
    for (revision, state) in zip(shipped, states) {
      switch state {
      case .success(var release):
        release.name = revision.name
        releases.append(release)
      case .failure(let error):
        skip("the source at \(revision.name) cannot be read: \(error)", isUndecided: true)
      }
    }
  }

  private mutating func revisions(
    of source: SourceReleases, in repository: GitRepository
  ) throws -> [(name: String, commit: GitObjectID)] {
    var all: [(name: String, commit: GitObjectID)] = []
    if source.tags != nil || (source.branches == nil && source.commits.isEmpty) {
      let tags = try repository.tags(matching: source.tags)
      note(tags, as: "tag" + (source.tags.map { " like \($0)" } ?? ""), of: source)
      all += tags.found.map { ("the tag '\($0.name)'", $0.commit) }
    }
    if let pattern = source.branches {
      let branches = try repository.branches(matching: pattern)
      note(branches, as: "branch like \(pattern)", of: source)
      all += branches.found.map { ("the branch '\($0.name)'", $0.commit) }
    }
    for text in source.commits {
      let commits = try repository.commits(text)
      note(
        commits, as: text.contains("..") ? "commit in \(text) that changed Swift files" : "commit \(text)", of: source)
      all += commits.found.map { ("the commit '\($0.name)'", $0.commit) }
    }
    return all
  }

  /// Says where there are none, and where there are more than are looked at: nothing that was not read has passed.
  private mutating func note(_ revisions: GitRevisions, as what: String, of source: SourceReleases) {
    if revisions.found.isEmpty { skip("the repository '\(source.repository)' has no \(what)") }
    if revisions.areMore {
      skip(
        "the repository '\(source.repository)' has more than \(revisions.found.count) of them: \(what); only the newest "
          + "were read")
    }
  }

  private mutating func skip(_ reason: String, isUndecided: Bool = false) {
    skipped.append(
      .init(check: SourceCheck.editedShippedVersion.id, reason: reason, isUndecided: isUndecided))
  }

  /// The version at the newest release at which an entity of it surely differs from the source; nil where none does.
  ///
  /// Gaps in the knowledge of other releases are added to `skipped`, once for the version.
  ///
  /// - Parameter asWritten: the version before open rules were decided.
  func shipped(_ version: SourceSchema, asWritten: SourceSchema, skipped: inout [SourceLint.Skipped])
    -> ShippedVersion?
  {
    var edited: (first: ShippedVersion, others: Int)?
    var unknown: (first: String, reason: String, others: Int)?
    // Stores have a version as it was while it was the last: where it is so, another shape in later releases was a
    // mistake that is mended, or a class that had moved on.
    var inUse: (asNow: String?, isOtherwise: Bool) = (nil, false)
    var last: Comparison?
    for release in releases {
      guard let schema = release.schema(like: version) else { continue }
      // Most releases have a version as the one after them has it.
      let comparison =
        last.flatMap { $0.schema == schema ? $0 : nil } ?? Comparison(schema, with: version, asWritten: asWritten)
      last = comparison
      let differences = comparison.differences
      var shipped = comparison.shipped
      shipped.witness = release.name
      if release.current?.contains(version.name) ?? true {
        let isAsNow = differences.areNone && differences.readings.isEmpty
        if isAsNow, release.current != nil { inUse.asNow = inUse.asNow ?? release.name }
        inUse.isOtherwise = inUse.isOtherwise || !isAsNow
      }
      if !differences.entities.isEmpty {
        edited = (edited?.first ?? shipped, edited.map { $0.others + 1 } ?? 0)
      } else if let reason = differences.unknownWords ?? differences.readingWords {
        unknown = (
          unknown?.first ?? release.name, unknown?.reason ?? reason, unknown.map { $0.others + 1 } ?? 0
        )
      }
    }
    if let unknown {
      let reason = "whether \(version.name) is as at \(unknown.first)\(Self.older(unknown.others)) is not known: "
      skipped.append(
        .init(
          check: SourceCheck.editedShippedVersion.id, reason: reason + unknown.reason, place: version.place,
          isUndecided: true))
    }
    guard let edited else { return nil }
    var shipped = edited.first
    shipped.witness += Self.older(edited.others)
    if let release = inUse.asNow, !inUse.isOtherwise { shipped.asInUse = release }
    return shipped
  }

  /// A version at a release, and how the source's differs from it.
  private struct Comparison {
    let schema: SourceSchema
    let shipped: ShippedVersion
    let differences: Differences

    init(_ schema: SourceSchema, with version: SourceSchema, asWritten: SourceSchema) {
      self.schema = schema
      shipped = ShippedVersion("", schema, comparedTo: asWritten, decided: version)
      differences = version.differences(from: shipped)
    }
  }

  private static func older(_ count: Int) -> String {
    count == 0 ? "" : " and \(count) older \(count == 1 ? "one" : "ones")"
  }
}

extension ShippedVersion {
  /// A version as it is in the source of a release. An entity that is not known there costs itself alone.
  ///
  /// - Parameter decided: the version it is compared to, after open rules were decided.
  fileprivate init(
    _ witness: String, _ schema: SourceSchema, comparedTo version: SourceSchema, decided: SourceSchema
  ) {
    let decided = Dictionary(decided.entities.map { ($0.name, $0) }) { first, _ in first }
    var (hashes, unknown): ([String: VersionHash], [String: String]) = ([:], [:])
    var asNow: Set<String> = []
    let now = Dictionary(version.entities.map { ($0.name, $0) }) { first, _ in first }
    for entity in schema.entities {
      let readings = Set(entity.variants.map(\.hash))
      // The same readings of an open rule: whichever holds, nothing was edited.
      let isAsNow = entity.reasons.isEmpty && now[entity.name].map { Set($0.variants.map(\.hash)) == readings } ?? false
      if let reason = entity.reasonUnknown, !isAsNow {
        unknown[entity.name] = reason
      } else {
        if isAsNow { asNow.insert(entity.name) }
        // The fact that decides the rule now decided it then.
        hashes[entity.name] =
          (isAsNow ? decided[entity.name] : nil)?.variants.first?.hash ?? entity.variants.first?.hash
      }
    }
    self.init(witness, hashes: hashes, model: try? schema.model())
    self.unknown = unknown
    self.asNow = asNow
    properties = Dictionary(
      schema.entities.compactMap { entity in entity.propertyNames.map { (entity.name, $0) } }
    ) { first, _ in first }
    listProblem = schema.listProblem
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

extension ReleasedVersions.Release {
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
