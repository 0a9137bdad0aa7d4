import StoreDataModel
import StoreCoreData
import StoreSQLite

/// The mapping models an app has: those given by path, and those found in and beside model bundles.
package struct MappingSources: Sendable {
  /// The mapping models; those given by path first.
  package private(set) var mappings: [MappingModel] = []
  /// Files that could not be read, and folders that could not be listed; one sentence each.
  package private(set) var problems: [String] = []
  private var folders: Set<[UInt8]> = []

  /// The most mapping models that are read; the largest project seen has about forty.
  static let maximumCount = 1_000

  /// No mapping model.
  package init() {}

  /// Reads the mapping models at these paths.
  ///
  /// - Throws: `ModelSourceError` for one that cannot be read.
  package init(_ paths: [PosixPath]) throws(ModelSourceError) {
    for path in paths { mappings.append(try MappingModel.read(path.description)) }
  }

  /// Adds the mapping models in a model bundle and in the folder it is in: `.cdm`, which an app has beside its
  /// `.momd`, and `.xcmappingmodel`, which a project has beside its `.xcdatamodeld`.
  package mutating func addFound(beside source: ModelSource) {
    guard source.format.isBuiltOrXcode else { return }
    let path = PosixPath(source.path)
    let isBundle = source.format == .compiledBundle || source.format == .xcodeBundle
    if isBundle { addFound(in: path) }
    let parent = path.folder
    addFound(in: parent)
    // For a single version inside a bundle, the folder of the bundle is searched too.
    if !isBundle, parent.isModelBundle { addFound(in: parent.folder) }
  }

  /// Removes the mapping models with these paths.
  mutating func leaveOut(_ paths: [String]) { mappings.removeAll { paths.contains($0.path) } }

  private mutating func addFound(in folder: PosixPath) {
    guard folders.insert(folder.bytes).inserted else { return }
    guard let names = FileSystem.names(in: folder) else {
      problems.append("'\(folder)' cannot be listed: whether there are mapping models in it is not known")
      return
    }
    let found = names.map(folder.child).filter(\.isMappingModel).sorted { $0.description < $1.description }
    for path in found {
      guard mappings.count < Self.maximumCount else {
        problems.append("there are more than \(Self.maximumCount) mapping models: the rest are left out")
        return
      }
      // Skip those already given by path.
      guard !mappings.contains(where: { $0.path == path.description }) else { continue }
      do {
        mappings.append(try MappingModel.read(path.description))
      } catch {
        problems.append("a mapping model is left out: \(error.description)")
      }
    }
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
  fileprivate var isMappingModel: Bool { hasEnding(".cdm") || hasEnding(".xcmappingmodel") }
  fileprivate var isModelBundle: Bool { hasEnding(".momd") || hasEnding(".xcdatamodeld") }

  /// The folder it is in; "." for a bare name.
  fileprivate var folder: PosixPath {
    let folder = withoutFinalSlash.sibling(named: [])
    guard !folder.bytes.isEmpty else { return PosixPath(".") }
    let parent = folder.withoutFinalSlash
    return parent.bytes.isEmpty ? folder : parent
  }

  private var withoutFinalSlash: PosixPath {
    PosixPath(bytes: Array(bytes.reversed().drop { $0 == UInt8(ascii: "/") }.reversed()))
  }

  /// The path of an entry of a folder.
  fileprivate func child(_ name: [UInt8]) -> PosixPath {
    self == PosixPath(".") ? PosixPath(bytes: name) : appending(component: name)
  }

  private func hasEnding(_ ending: String) -> Bool { bytes.reversed().starts(with: ending.utf8.reversed()) }
}
