import StoreDataModel
import StoreCoreData
import StoreSQLite

/// The mapping models an app has: those that are given, and those found in and beside bundles of models.
public struct MappingSources: Sendable {
  /// The mapping models, those that are given first.
  public private(set) var mappings: [MappingModel] = []
  /// What was found and could not be read, or not looked through; sentences.
  public private(set) var problems: [String] = []
  private var folders: Set<[UInt8]> = []

  /// The most mapping models that are read; the most seen in one project are about forty.
  static let maximumCount = 1_000

  /// No mapping model.
  public init() {}

  /// Reads mapping models that are named.
  ///
  /// - Throws: `ModelSourceError` for one that cannot be read.
  public init(_ paths: [PosixPath]) throws(ModelSourceError) {
    for path in paths { mappings.append(try MappingModel.read(path.description)) }
  }

  /// Adds what lies in a bundle of models and in the folder it is in: `.cdm`, as an app has them beside its `.momd`, and
  /// `.xcmappingmodel`, as a project has them beside its `.xcdatamodeld`.
  public mutating func addFound(beside source: ModelSource) {
    guard source.format.isBuiltOrXcode else { return }
    let path = PosixPath(source.path)
    let isBundle = source.format == .compiledBundle || source.format == .xcodeBundle
    if isBundle { addFound(in: path) }
    let parent = path.folder
    addFound(in: parent)
    // One version of a bundle stands for the bundle.
    if !isBundle, parent.isModelBundle { addFound(in: parent.folder) }
  }

  /// Leaves out what is known by its path already.
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
      // What is given by name too is there once.
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

  /// What is in a folder under a name.
  fileprivate func child(_ name: [UInt8]) -> PosixPath {
    self == PosixPath(".") ? PosixPath(bytes: name) : appending(component: name)
  }

  private func hasEnding(_ ending: String) -> Bool { bytes.reversed().starts(with: ending.utf8.reversed()) }
}
