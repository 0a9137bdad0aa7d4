import StoreDataModel
import StoreCoreData
import StoreSQLite
import StoreWords

/// The mapping models an app has: those given by path, and those found around its models (`ProjectSearch`).
package struct MappingSources: Sendable {
  /// The mapping models; those given by path first.
  package private(set) var mappings: [MappingModel] = []
  /// Files that could not be read, and folders that could not be looked through; one sentence each, and one for all files
  /// that cannot be read for the same reason.
  package var problems: [String] { searchProblems + unread.flatMap(Self.sentences) }
  /// Whether there is a mapping model that could not be read, so that one between any two versions may be missed.
  package var areUnread: Bool { !unread.isEmpty }
  private var searchProblems: [String] = []
  /// The mapping models that could not be read, by reason.
  private var unread: [(reason: String, errors: [ModelSourceError])] = []
  /// The mapping models that were given by path, or lie in a folder that was given.
  package private(set) var given: [String] = []
  private var folders: Set<[UInt8]> = []
  /// The mapping models that were read, without links.
  private var files: Set<[UInt8]> = []
  /// The folders that were looked through, without links, and whether all of each was.
  private var roots: [[UInt8]: Bool] = [:]

  /// The most mapping models that are read; the largest project seen has about forty.
  static let maximumCount = 1_000

  /// No mapping model.
  package init() {}

  /// Reads the mapping models at these paths, and those below the folders among them.
  ///
  /// - Throws: `ModelSourceError` for one that cannot be read, and for a folder without any.
  package init(_ paths: [PosixPath]) throws(ModelSourceError) {
    for path in paths {
      if let members = ArchivedMappings(path) {
        guard !members.found.isEmpty else {
          throw ModelSourceError(
            path.description, .unsupported,
            message: "an archive without a mapping model in it (no '.cdm', no '.xcmappingmodel')")
        }
        take(members)
        continue
      }
      guard FileSystem.kind(of: path) == .folder,
        FileSystem.kind(of: path.appending(component: Array("xcmapping.xml".utf8))) == nil
      else {
        mappings.append(try MappingModel.read(path.description))
        files.insert(path.withoutLinks)
        continue
      }
      let search = ProjectSearch(below: path)
      guard !search.mappings.isEmpty else {
        throw ModelSourceError(
          path.description, .unsupported,
          message: "a folder without a mapping model in it or below it (no '.cdm', no '.xcmappingmodel')")
      }
      searchProblems += search.problems
      for path in search.mappings { read(path) }
    }
    given = mappings.map(\.path)
  }

  /// Adds the mapping models around a model: in its bundle, beside it, and everywhere in its project or app.
  package mutating func addFound(around source: ModelSource) {
    guard source.format.isBuiltOrXcode else { return }
    let path = PosixPath(source.path)
    if FileSystem.kind(of: path) == nil, let members = ArchivedMappings(around: path) { return take(members) }
    let isBundle = source.format == .compiledBundle || source.format == .xcodeBundle
    if isBundle { addFound(in: path) }
    let parent = path.folder
    addFound(in: parent)
    // For a single version inside a bundle, the folder of the bundle is searched too.
    let bundle = !isBundle && parent.isModelBundle ? parent : path
    if bundle != path { addFound(in: parent.folder) }
    guard let root = ProjectRoot(around: bundle) else { return }
    let isWhole = addFound(below: root.folder, limits: root.limits)
    // A search that was cut off may not have come to the folders near the model.
    if !isWhole { _ = addFound(below: bundle.folder, limits: root.limits) }
  }

  private mutating func take(_ members: ArchivedMappings) {
    searchProblems += members.problems.filter { !searchProblems.contains($0) }
    for member in members.found {
      let path = PosixPath(member.path)
      read(path) { () throws(ModelSourceError) in try MappingModel.read(member.bytes, path: member.path) }
    }
  }

  /// Removes the mapping models with these paths.
  mutating func leaveOut(_ paths: [String]) {
    let left = Set(paths.map { PosixPath($0).withoutLinks })
    mappings.removeAll { left.contains(PosixPath($0.path).withoutLinks) }
  }

  private mutating func addFound(in folder: PosixPath) {
    guard folders.insert(folder.bytes).inserted else { return }
    guard let names = FileSystem.names(in: folder) else {
      searchProblems.append("'\(folder)' cannot be listed: whether there are mapping models in it is not known")
      return
    }
    for path in names.map(folder.child).filter(\.isMappingModel).sorted(by: { $0.description < $1.description }) {
      read(path)
    }
  }

  /// - Returns: whether everything below the folder was looked at.
  private mutating func addFound(below folder: PosixPath, limits: ProjectSearch.Limits) -> Bool {
    let key = folder.withoutLinks
    if let isWhole = roots[key] { return isWhole }
    let search = ProjectSearch(below: folder, limits: limits)
    roots[key] = search.isWhole
    searchProblems += search.problems.filter { !searchProblems.contains($0) }
    for path in search.mappings { read(path) }
    return search.isWhole
  }

  private mutating func read(_ path: PosixPath) {
    read(path) { () throws(ModelSourceError) in try MappingModel.read(path.description) }
  }

  private mutating func read(_ path: PosixPath, _ model: () throws(ModelSourceError) -> MappingModel) {
    guard files.insert(path.withoutLinks).inserted else { return }
    guard mappings.count < Self.maximumCount else {
      let problem = "there are more than \(Self.maximumCount) mapping models: the rest are left out"
      if !searchProblems.contains(problem) { searchProblems.append(problem) }
      return
    }
    do throws(ModelSourceError) {
      mappings.append(try model())
    } catch {
      if let position = unread.firstIndex(where: { $0.reason == error.message }) {
        unread[position].errors.append(error)
      } else {
        unread.append((error.message, [error]))
      }
    }
  }

  private static func sentences(_ reason: String, _ errors: [ModelSourceError]) -> [String] {
    guard errors.count > 2, let first = errors.first else {
      return errors.map { "a mapping model is left out: \($0.description)" }
    }
    let others = errors.dropFirst().map { String(decoding: PosixPath($0.path).name, as: UTF8.self) }
    let named = others.prefix(2).map(quoted).joined(separator: ", ")
    let more = others.count > 2 ? " and \(others.count - 2) more" : ""
    return ["\(errors.count) mapping models are left out: \(first.description); so are \(named)\(more)"]
  }
}

extension ModelSource.Format {
  fileprivate var isBuiltOrXcode: Bool {
    switch self {
    case .compiled, .compiledBundle, .xcode, .xcodeBundle: true
    case .json, .store, .swift: false
    }
  }
}

extension PosixPath {
  /// The path with all links resolved, as far as that can be done: the same for two ways to one file.
  fileprivate var withoutLinks: [UInt8] { ((try? resolved()) ?? self).bytes }
}
