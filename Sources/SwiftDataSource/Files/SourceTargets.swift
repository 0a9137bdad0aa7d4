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

  /// No targets known.
  init() {}

  /// - Parameters:
  ///   - projects: `project.pbxproj` files.
  ///   - manifests: `Package.swift` files.
  init(projects: [FoundFile], manifests: [FoundFile]) {
    for file in projects { read(project: file) }
    for file in manifests { read(manifest: file) }
  }

  /// The targets of a file; empty if no project lists it.
  func targets(of path: String) -> Set<Target> {
    let path = plainPath(path)
    var found = files[path] ?? []
    for (folder, target, leftOut) in folders where isBelow(path, folder) {
      if !leftOut.contains(where: { path == $0 || isBelow(path, $0) }) { found.insert(target) }
    }
    return found
  }

  private func isBelow(_ path: String, _ folder: String) -> Bool {
    folder.isEmpty || path.hasPrefix(folder + "/")
  }

  // MARK: Projects of Xcode

  private mutating func read(project file: FoundFile) {
    guard let list = OldStyleList(file.bytes), let objects = list["objects"], case .dictionary(let all) = objects
    else { return }
    let folder = folderOf(folderOf(plainPath(file.path)))
    let places = ProjectPlaces(all, project: list["rootObject"]?.text.flatMap { all[$0] }, folder: folder)
    for object in all.values where object["isa"]?.text?.hasSuffix("Target") ?? false {
      guard let name = object["name"]?.text else { continue }
      let target = Target(root: folder, name: name)
      for phase in object["buildPhases"]?.texts ?? [] where all[phase]?["isa"]?.text == "PBXSourcesBuildPhase" {
        for entry in all[phase]?["files"]?.texts ?? [] {
          guard let path = all[entry]?["fileRef"]?.text.flatMap({ places[$0] }) else { continue }
          files[path, default: []].insert(target)
        }
      }
    }
    readFolders(all, places, folder)
  }

  /// Synchronized folders: all files in them belong to their targets, and exceptions invert the membership of single
  /// files.
  private mutating func readFolders(
    _ all: [String: OldStyleList], _ places: ProjectPlaces, _ root: String
  ) {
    for (owner, object) in all {
      guard let name = object["name"]?.text else { continue }
      let target = Target(root: root, name: name)
      for group in object["fileSystemSynchronizedGroups"]?.texts ?? [] {
        guard let folder = places[group] else { continue }
        let exceptions = Self.exceptions(of: all[group], for: owner, all).map { joined(folder, $0) }
        folders.append((folder, target, Set(exceptions)))
      }
      // An exception can also add a file from another target's folder.
      guard object["isa"]?.text?.hasSuffix("Target") ?? false else { continue }
      let own = Set(object["fileSystemSynchronizedGroups"]?.texts ?? [])
      for (group, folder) in places.synchronized where !own.contains(group) {
        for path in Self.exceptions(of: all[group], for: owner, all) {
          files[joined(folder, path), default: []].insert(target)
        }
      }
    }
  }

  private static func exceptions(
    of group: OldStyleList?, for target: String, _ all: [String: OldStyleList]
  ) -> [String] {
    (group?["exceptions"]?.texts ?? []).compactMap { all[$0] }.filter { $0["target"]?.text == target }
      .flatMap { $0["membershipExceptions"]?.texts ?? [] }
  }

  // MARK: Packages

  private static let targetCalls: Set<String> = ["target", "executableTarget", "testTarget", "macro", "plugin"]

  private mutating func read(manifest file: FoundFile) {
    guard !SourceNesting.isTooDeep(file.bytes) else { return }
    let root = folderOf(plainPath(file.path))
    let tree = Parser.parse(source: String(decoding: file.bytes, as: UTF8.self))
    for node in tree.tokens(viewMode: .sourceAccurate) where Self.targetCalls.contains(node.text) {
      guard let call = node.parent?.parent?.parent?.as(FunctionCallExprSyntax.self) else { continue }
      var texts: [String: String] = [:]
      for argument in call.arguments {
        guard let label = argument.label?.text else { continue }
        texts[label] = argument.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
      }
      guard let name = texts["name"] else { continue }
      let usual = (node.text == "testTarget" ? "Tests/" : node.text == "plugin" ? "Plugins/" : "Sources/") + name
      folders.append((joined(root, texts["path"] ?? usual), Target(root: root, name: name), []))
    }
  }
}

/// The paths of the files and groups of an Xcode project.
private struct ProjectPlaces {
  private var paths: [String: String] = [:]
  /// The synchronized folders among them.
  private(set) var synchronized: [(id: String, path: String)] = []

  init(_ objects: [String: OldStyleList], project: OldStyleList?, folder: String) {
    let root = joined(folder, project?["projectDirPath"]?.text ?? "")
    var rest = [(id: project?["mainGroup"]?.text ?? "", around: root)]
    while let (id, around) = rest.popLast() {
      guard paths[id] == nil, let object = objects[id] else { continue }
      let path = object["path"]?.text ?? ""
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
  plainPath(folder.isEmpty ? path : path.isEmpty ? folder : folder + "/" + path)
}

/// A path without `.`, `..` and doubled slashes, as far as possible without looking at the file system.
private func plainPath(_ path: String) -> String {
  var parts: [Substring] = []
  for part in path.split(separator: "/") where part != "." {
    if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
  }
  return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
}
