import SwiftSyntax
import SwiftParser

/// Which targets the files of a project are built into. Classes of the same name in different targets are different
/// classes.
///
/// The targets are read from Xcode's projects, whether these list files or folders, and from package manifests.
struct SourceTargets: Sendable {
  /// A target. Several projects may have targets of the same name.
  struct Target: Hashable, Sendable {
    /// The folder of its project or package.
    var root: String
    var name: String

    init(root: String, name: String) {
      self.root = root
      self.name = name
    }

    /// The target according to the folders of a package: `Notes` for `Sources/Notes/Model.swift`.
    init?(byFolderOf path: String) {
      let parts = path.split(separator: "/")
      guard let sources = parts.lastIndex(of: "Sources"), sources + 2 < parts.count else { return nil }
      self.init(root: parts[..<sources].joined(separator: "/"), name: String(parts[sources + 1]))
    }

    /// The module name used in imports: `Meshtastic_TV` for "Meshtastic TV".
    var moduleName: String { String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" }) }
  }

  /// The targets of files that are listed individually.
  private var files: [String: Set<Target>] = [:]
  /// Folders that are built with everything in them, except for the paths in `leftOut`.
  private var folders: [(folder: String, target: Target, leftOut: Set<String>)] = []
  private var remainingEntries = 1_000_000
  /// The projects and packages that state all their source, by the folder that each stands for.
  private var complete: [(folder: String, path: String)] = []
  /// The folders of others: files below them may be built all the same.
  private var incomplete: [String] = []

  /// More folders than any project has; each file is compared with all of them.
  private static let mostFolders = 2_000

  /// No targets known.
  init() {}

  /// - Parameters:
  ///   - projects: `project.pbxproj` files.
  ///   - manifests: `Package.swift` files.
  init(projects: [FoundFile], manifests: [FoundFile]) {
    for file in projects {
      let before = self
      // Half of a project would say that the other half is built into nothing.
      let isWhole = read(project: file)
      if !isWhole { self = before }
      let folder = folderOf(folderOf(plainPath(file.path)))
      if isWhole, statesAll(project: file) {
        complete.append((folder, file.path))
      } else {
        incomplete.append(folder)
      }
    }
    for (file, targets) in zip(manifests, Self.targets(in: manifests)) {
      let root = folderOf(plainPath(file.path))
      // Where a target without `path:` lies depends on the tools.
      incomplete.append(root)
      for (name, path) in targets where folders.count < Self.mostFolders {
        folders.append((joined(root, path), Target(root: root, name: name), []))
      }
    }
  }

  /// The project around a file that has no target with it; nil where none says which files it has, or another may have
  /// this one.
  func projectWithout(_ path: String) -> String? {
    let path = plainPath(path)
    guard targets(of: path).isEmpty, !incomplete.contains(where: { isBelow(path, folder: $0) }) else { return nil }
    return complete.filter { isBelow(path, folder: $0.folder) }.max { $0.folder.utf8.count < $1.folder.utf8.count }?
      .path
  }

  /// The targets of a file; empty if no project lists it.
  func targets(of path: String) -> Set<Target> {
    let path = plainPath(path)
    var found = files[path] ?? []
    for (folder, target, leftOut) in folders where isBelow(path, folder: folder) {
      if leftOut.isEmpty || !pathAndFolders(path).contains(where: leftOut.contains) { found.insert(target) }
    }
    return found
  }

  /// The path, and those of all folders around it.
  private func pathAndFolders(_ path: String) -> [String] {
    [path] + path.indices.filter { path[$0] == "/" }.map { String(path[..<$0]) }
  }

  private func isBelow(_ path: String, folder: String) -> Bool {
    folder.isEmpty || path.hasPrefix(folder + "/")
  }

  // MARK: Projects of Xcode

  /// - Returns: whether it was read whole; a project beyond all measure is not.
  private mutating func read(project file: FoundFile) -> Bool {
    guard let list = OldStyleList(file.bytes), let objects = list["objects"], case .dictionary(let all) = objects
    else { return true }
    let folder = folderOf(folderOf(plainPath(file.path)))
    let places = ProjectPlaces(all, project: list["rootObject"]?.text.flatMap { all[$0] }, folder: folder)
    for (id, object) in all where object["isa"]?.text?.hasSuffix("Target") ?? false {
      guard let name = object["name"]?.text else { continue }
      let target = Target(root: folder, name: name)
      for phase in object["buildPhases"]?.texts ?? [] where all[phase]?["isa"]?.text == "PBXSourcesBuildPhase" {
        let entries = all[phase]?["files"]?.texts ?? []
        guard spend(entries.count + 1) else { return false }
        for path in entries.compactMap({ all[$0]?["fileRef"]?.text.flatMap { places[$0] } }) {
          files[path, default: []].insert(target)
        }
      }
      guard readFolders(of: object, id, target: target, all: all, places: places) else { return false }
    }
    return true
  }

  /// Synchronized folders: all files in them belong to their targets, and exceptions invert the membership of single
  /// files, so that one of another target's folder can be added too.
  private mutating func readFolders(
    of object: OldStyleList, _ id: String, target: Target, all: [String: OldStyleList], places: ProjectPlaces
  ) -> Bool {
    let own = Set(object["fileSystemSynchronizedGroups"]?.texts ?? [])
    for (group, folder) in places.synchronized {
      let sets = all[group]?["exceptions"]?.texts ?? []
      guard spend(sets.count + 1) else { return false }
      let exceptions = sets.compactMap { all[$0] }.filter { $0["target"]?.text == id }
        .flatMap { $0["membershipExceptions"]?.texts ?? [] }
      guard spend(exceptions.count) else { return false }
      let paths = exceptions.map { joined(folder, $0) }
      if own.contains(group) {
        guard folders.count < Self.mostFolders else { return false }
        folders.append((folder, target, Set(paths)))
      } else {
        for path in paths { files[path, default: []].insert(target) }
      }
    }
    return true
  }

  /// Whether a project's targets name all that they are built of: none is built by another program, and each that has a
  /// phase for source has source.
  private func statesAll(project file: FoundFile) -> Bool {
    guard let objects = OldStyleList(file.bytes)?["objects"], case .dictionary(let all) = objects else { return false }
    let kinds = all.values.compactMap { $0["isa"]?.text }.filter { $0.hasSuffix("Target") }
    return kinds.contains("PBXNativeTarget") && !kinds.contains("PBXLegacyTarget")
  }

  private mutating func spend(_ entries: Int) -> Bool {
    remainingEntries -= entries
    return remainingEntries >= 0
  }

  // MARK: Packages

  private static let targetCalls: Set<String> = ["target", "executableTarget", "testTarget", "macro", "plugin"]

  /// The names and folders of the targets that each manifest declares; none of one that cannot be parsed in time.
  private static func targets(in manifests: [FoundFile]) -> [[(name: String, path: String)]] {
    onLargeStacks(manifests, eachWithin: .seconds(10)) { file in
      SourceNesting.isTooDeep(file.bytes) ? [] : targets(in: file)
    }.map { $0 ?? [] }
  }

  private static func targets(in manifest: FoundFile) -> [(name: String, path: String)] {
    let tree = Parser.parse(source: String(decoding: manifest.bytes, as: UTF8.self))
    return tree.tokens(viewMode: .sourceAccurate).filter { targetCalls.contains($0.text) }.compactMap { token in
      guard let call = token.parent?.parent?.parent?.as(FunctionCallExprSyntax.self) else { return nil }
      var texts: [String: String] = [:]
      for argument in call.arguments {
        guard let label = argument.label?.text else { continue }
        texts[label] = argument.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
      }
      guard let name = texts["name"] else { return nil }
      let usual =
        if token.text == "testTarget" {
          "Tests/"
        } else if token.text == "plugin" {
          "Plugins/"
        } else {
          "Sources/"
        }
      return (name, texts["path"] ?? usual + name)
    }
  }
}

/// The paths of the files and groups of an Xcode project.
private struct ProjectPlaces {
  private var paths: [String: String] = [:]
  /// The synchronized folders among them.
  private(set) var synchronized: [(id: String, path: String)] = []

  /// Bytes of a path; each group inside another makes it longer.
  private static let longestPath = 1024

  init(_ objects: [String: OldStyleList], project: OldStyleList?, folder: String) {
    let root = joined(folder, project?["projectDirPath"]?.text ?? "")
    var rest = [(id: project?["mainGroup"]?.text ?? "", around: root)]
    while let (id, around) = rest.popLast() {
      guard paths[id] == nil, let object = objects[id] else { continue }
      let path = object["path"]?.text ?? ""
      guard around.utf8.count + path.utf8.count < Self.longestPath else { continue }
      switch object["sourceTree"]?.text {
      case "<group>": paths[id] = joined(around, path)
      case "SOURCE_ROOT": paths[id] = joined(root, path)
      case "<absolute>": paths[id] = plainPath(path)
      // Products, and files of the system or SDK.
      default: continue
      }
      if object["isa"]?.text == "PBXFileSystemSynchronizedRootGroup", let path = paths[id] {
        synchronized.append((id, path))
      }
      rest += (object["children"]?.texts ?? []).map { ($0, paths[id] ?? root) }
    }
  }

  subscript(_ id: String) -> String? { paths[id] }
}

// MARK: Paths

private func folderOf(_ path: String) -> String {
  path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
}

private func joined(_ folder: String, _ path: String) -> String {
  if folder.isEmpty { return plainPath(path) }
  return plainPath(path.isEmpty ? folder : folder + "/" + path)
}

/// A path without `.`, `..` and doubled slashes, as far as possible without looking at the file system.
private func plainPath(_ path: String) -> String {
  var parts: [Substring] = []
  for part in path.split(separator: "/") where part != "." {
    if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
  }
  return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
}
