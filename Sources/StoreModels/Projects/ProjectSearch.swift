import StoreCoreData
import StorePlatform
import StoreSQLite

// Where models and mapping models are looked for
// ----------------------------------------------
//
//   the folder of a project or app      given as --model or --mapping: everything below it
//   a bundle of models                  in and beside it, then below the root of its project or app (`ProjectRoot`)
//
// Folders are looked through level by level, so that limits cut off what is deepest. Links are not followed: what they
// lead to inside the folder is found where it is. Hidden folders and folders of built or foreign code are passed over.

/// Looks through a folder for what projects and apps keep of Core Data: models, bundles of them, and mapping models.
///
/// Finding nothing proves nothing: `problems` says what was not looked at because of a limit, and what is passed over
/// was never looked at.
package struct ProjectSearch: Sendable {
  /// Models and bundles of models, but not the versions in a bundle; those nearest to the folder first, then by name.
  package private(set) var models: [PosixPath] = []
  /// Mapping models, in the same order.
  package private(set) var mappings: [PosixPath] = []
  /// Whether there is a Swift file.
  package private(set) var hasSwift = false
  /// Folders that could not be listed, and the limit that ended the search; one sentence each.
  package private(set) var problems: [String] = []

  /// Whether no limit ended the search.
  package private(set) var isWhole = true

  /// How much is looked at.
  package struct Limits: Sendable {
    /// The most entries of folders.
    package var entries = 200_000
    /// The most levels below the folder.
    package var levels = 24
    /// The most seconds.
    package var seconds = 10.0
    /// Whether it is said when one of them ends the search.
    package var areSaid = true

    /// The limits for the folder of a project or app.
    package init() {}

    /// The limits for a folder that nothing shows to be a project.
    static var nearby: Limits {
      var limits = Limits()
      (limits.entries, limits.levels, limits.seconds, limits.areSaid) = (5_000, 3, 2, false)
      return limits
    }
  }

  private let folder: PosixPath
  private let limits: Limits
  /// Whether the folder itself was built, so that nothing in it is passed over for that.
  private let isInApp: Bool
  private var looked = 0

  /// Looks through a folder and everything below it.
  package init(below folder: PosixPath, limits: Limits = Limits()) {
    self.folder = folder
    self.limits = limits
    isInApp = folder.isBuilt
    search()
  }

  /// Names of folders that hold what was built, or the code of others.
  private static let foreign: Set<String> = [
    "Pods", "Carthage", "node_modules", "DerivedData", "build", "Build", "SourcePackages", "xcuserdata",
  ]

  private mutating func search() {
    let clock = ContinuousClock()
    let start = clock.now
    var level = [folder]
    var depth = 0
    while !level.isEmpty {
      guard depth <= limits.levels else { return end("\(limits.levels) levels of folders") }
      var next: [PosixPath] = []
      for folder in level {
        guard looked < limits.entries else { return end("\(limits.entries) files and folders") }
        guard start.duration(to: clock.now) < .seconds(limits.seconds) else {
          return end("\(Int(limits.seconds)) seconds")
        }
        next += folders(in: folder)
      }
      level = next
      depth += 1
    }
  }

  private mutating func end(_ limit: String) {
    isWhole = false
    guard limits.areSaid else { return }
    problems.append(
      "the search below '\(folder)' ended after \(limit): mapping models and models further down were not looked for")
  }

  /// Looks at the entries of a folder, and gives the folders to look at next.
  private mutating func folders(in folder: PosixPath) -> [PosixPath] {
    guard let entries = FileSystem.entries(in: folder) else {
      // One that is gone since has none.
      if FileSystem.sight(of: folder) != .nothing {
        problems.append("'\(folder)' cannot be listed: whether there are mapping models in it is not known")
      }
      return []
    }
    looked += entries.count
    var next: [PosixPath] = []
    if !hasSwift { hasSwift = entries.contains { $0.kind != .folder && Self.isSwift($0.name) } }
    let wanted = entries.filter { $0.kind != .file || Self.mayBeModel($0.name) }
    for entry in wanted.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
      guard entry.name.first != UInt8(ascii: ".") else { continue }
      let path = folder.child(entry.name)
      let kind = entry.kind ?? FileSystem.kind(of: path, followingLinks: false)
      switch kind {
      case .folder: if let inner = look(at: path, in: folder) { next.append(inner) }
      case .file: look(atFile: path, in: folder)
      case .link, .other, nil: break
      }
    }
    return next
  }

  /// Whether a file of that name may be a compiled model (`.mom`) or mapping model (`.cdm`).
  private static func mayBeModel(_ name: [UInt8]) -> Bool { name.last == UInt8(ascii: "m") }

  private static func isSwift(_ name: [UInt8]) -> Bool {
    name.last == UInt8(ascii: "t") && name.suffix(6).elementsEqual(".swift".utf8)
  }

  /// - Returns: the folder itself if it is to be looked through.
  private mutating func look(at path: PosixPath, in folder: PosixPath) -> PosixPath? {
    if path.hasEnding(".xcmappingmodel") {
      mappings.append(path)
      return nil
    }
    if path.isModelBundle {
      models.append(path)
      // Mapping models may lie in it.
      return path
    }
    if path.hasEnding(".xcdatamodel") {
      if !folder.isModelBundle { models.append(path) }
      return nil
    }
    let isForeign = Self.foreign.contains(String(decoding: path.name, as: UTF8.self)) || path.isBuilt
    return isForeign && !isInApp ? nil : path
  }

  private mutating func look(atFile path: PosixPath, in folder: PosixPath) {
    if path.hasEnding(".cdm") {
      mappings.append(path)
    } else if path.hasEnding(".mom") {
      if !folder.isModelBundle { models.append(path) }
    }
  }
}

extension PosixPath {
  /// Whether its name is that of a mapping model, compiled or Xcode's.
  var isMappingModel: Bool { hasEnding(".cdm") || hasEnding(".xcmappingmodel") }
  /// Whether its name is that of a bundle of models, compiled or Xcode's.
  var isModelBundle: Bool { hasEnding(".momd") || hasEnding(".xcdatamodeld") }
  /// Whether its name is that of something Xcode builds.
  var isBuilt: Bool {
    [".app", ".appex", ".framework", ".xcframework", ".xcarchive", ".bundle"].contains(where: hasEnding)
  }

  /// The folder it is in; "." for a bare name, ".." for ".".
  var folder: PosixPath {
    let path = withoutFinalSlash
    guard path.bytes != Array(".".utf8) else { return PosixPath("..") }
    guard path.name != Array("..".utf8) else { return path.appending(component: Array("..".utf8)) }
    let folder = path.sibling(named: [])
    guard !folder.bytes.isEmpty else { return PosixPath(".") }
    let parent = folder.withoutFinalSlash
    return parent.bytes.isEmpty ? folder : parent
  }

  var withoutFinalSlash: PosixPath {
    PosixPath(bytes: Array(bytes.reversed().drop { $0 == UInt8(ascii: "/") }.reversed()))
  }

  /// The path of an entry of a folder.
  func child(_ name: [UInt8]) -> PosixPath {
    self == PosixPath(".") ? PosixPath(bytes: name) : appending(component: name)
  }

  /// Whether its name ends so; a slash at the end does not count.
  package func hasEnding(_ ending: String) -> Bool {
    withoutFinalSlash.bytes.reversed().starts(with: ending.utf8.reversed())
  }
}
