import StorePlatform

extension ProjectFiles {
  /// Reads the projects that contain these paths: for each the nearest enclosing folder with a package or an Xcode
  /// project, within the repository; a folder outside of any project is searched itself.
  ///
  /// Files that cannot be read are skipped, since they are not what the user asked for.
  ///
  /// - Parameter kinds: what is looked for; nil for everything.
  init(around paths: [String], kinds: Set<Kind>? = nil) {
    self.init()
    var walk = ProjectWalk(kinds: kinds)
    for path in paths {
      guard let real = realPath(path) else { continue }
      walk.given[real] = path
    }
    for (real, shown) in walk.given.sorted(by: { $0.key < $1.key }) {
      guard let root = projectFolder(real, shown: shown) else { continue }
      walk.read(root.real, shown: root.shown, into: &self)
      // A test's store may be beside the package.
      if !tests.isEmpty, stores.isEmpty, let top = repositoryFolder(root.real, shown: root.shown) {
        walk.readsStoresOnly = true
        walk.read(top.real, shown: top.shown, into: &self)
        walk.readsStoresOnly = false
      }
    }
    isWhole = walk.remainingNames > 0
    sort()
  }
}

/// Searches folders, each once. Links are not followed.
private struct ProjectWalk {
  private let kinds: Set<ProjectFiles.Kind>?
  /// The given paths by their real paths.
  var given: [String: String] = [:]
  var readsStoresOnly = false
  private(set) var remainingNames = 50_000
  private var remainingBytes = 64 << 20
  private var seen: Set<String> = []

  /// The largest file that is read, in bytes; Xcode's project files are the largest.
  private static let largestFile = 16 << 20
  init(kinds: Set<ProjectFiles.Kind>?) { self.kinds = kinds }

  private struct Folder {
    var real: String
    var shown: String
    /// Whether it is below a given path.
    var isGiven: Bool
    var isTest: Bool
    var depth: Int
  }

  mutating func read(_ root: String, shown: String, into files: inout ProjectFiles) {
    var rest = [Folder(real: root, shown: shown, isGiven: false, isTest: false, depth: 0)]
    while var folder = rest.popLast(), remainingNames > 0 {
      if let shown = given[folder.real] {
        folder = Folder(real: folder.real, shown: shown, isGiven: true, isTest: false, depth: folder.depth)
      }
      guard folder.depth < 64, readsStoresOnly || seen.insert(folder.real).inserted else { continue }
      let names = FoundFile.names(in: folder.real, atMost: remainingNames) ?? []
      remainingNames -= names.count
      for name in names where !FoundFile.isHidden(name) && !ProjectFiles.foreign.contains(name) {
        look(at: name, in: folder, rest: &rest, files: &files)
      }
    }
  }

  private mutating func look(
    at name: String, in folder: Folder, rest: inout [Folder], files: inout ProjectFiles
  ) {
    let path = folder.real + "/" + name
    let shown = folder.shown == "." ? name : folder.shown + (folder.shown.hasSuffix("/") ? "" : "/") + name
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      rest.append(
        Folder(
          real: path, shown: shown, isGiven: folder.isGiven, isTest: folder.isTest || FoundFile.isTest(name),
          depth: folder.depth + 1))
    case S_IFREG:
      guard let kind = ProjectFiles.Kind(name: name, isTest: folder.isTest), kinds?.contains(kind) ?? true
      else { return }
      switch kind {
      case .store: files.add(FoundFile(path: shown, bytes: []), as: kind)
      case .test where !folder.isGiven: return
      case .test, .entitlements, .manifest, .buildSettings:
        guard !readsStoresOnly, status.st_size <= Self.largestFile, status.st_size <= remainingBytes,
          let bytes = try? FoundFile.bytes(of: path, shown: shown, limit: Self.largestFile)
        else { return }
        remainingBytes -= bytes.count
        files.add(FoundFile(path: shown, bytes: bytes), as: kind)
      }
    default: return
    }
  }
}

// MARK: Upwards

private typealias Place = (real: String, shown: String)

private func projectFolder(_ real: String, shown: String) -> Place? {
  var status = stat()
  guard stat(real, &status) == 0 else { return nil }
  let isFolder = (status.st_mode & S_IFMT) == S_IFDIR
  let first = isFolder ? (real, shown) : parent((real, shown))
  return upwards(from: first) { names in
    names.contains("Package.swift") || names.contains { $0.hasSuffix(".xcodeproj") || $0.hasSuffix(".xcworkspace") }
  } ?? (isFolder ? (real, shown) : nil)
}

private func repositoryFolder(_ real: String, shown: String) -> Place? {
  upwards(from: (real, shown)) { $0.contains(".git") }
}

/// The nearest enclosing folder whose names satisfy a condition, not beyond the repository's top.
private func upwards(from first: Place?, where isFound: ([String]) -> Bool) -> Place? {
  var place = first
  for _ in 0..<64 {
    guard let current = place, let names = FoundFile.names(in: current.real, atMost: 10_000) else { return nil }
    if isFound(names) { return current }
    if names.contains(".git") { return nil }
    place = parent(current)
  }
  return nil
}

/// The parent folder; shown by dropping a name where possible.
private func parent(_ place: Place) -> Place? {
  guard place.real != "/", let slash = place.real.lastIndex(of: "/") else { return nil }
  let real = slash == place.real.startIndex ? "/" : String(place.real[..<slash])
  var parts = place.shown.split(separator: "/", omittingEmptySubsequences: true).filter { $0 != "." }
  let start = place.shown.hasPrefix("/") ? "/" : ""
  if parts.last.map({ $0 != ".." }) ?? false { parts.removeLast() } else if start.isEmpty { parts.append("..") }
  return (real, parts.isEmpty && start.isEmpty ? "." : start + parts.joined(separator: "/"))
}

private func realPath(_ path: String) -> String? {
  guard !path.utf8.contains(0), let pointer = realpath(path, nil) else { return nil }
  defer { free(pointer) }
  return String(cString: pointer)
}
