/// Files around the source about signing, building and testing. Checks use them; models are never read from them.
package struct ProjectFiles: Sendable {
  /// The kind of a file, by its name.
  enum Kind {
    /// Swift code in a folder or file whose name ends in `Tests`.
    case test
    /// `App.entitlements`
    case entitlements
    /// `Package.swift`
    case manifest
    /// `App.xcodeproj/project.pbxproj`
    case buildSettings
    /// By its extension, since the contents may be elsewhere (`git lfs`).
    case store

    /// - Parameter isTest: whether it lies in a folder of tests.
    init?(name: String, isTest: Bool) {
      if name.hasSuffix(".entitlements") {
        self = .entitlements
      } else if name == "Package.swift" {
        self = .manifest
      } else if name == "project.pbxproj" {
        self = .buildSettings
      } else if [".store", ".sqlite", ".sqlite3", ".db"].contains(where: name.hasSuffix) {
        self = .store
      } else if name.hasSuffix(".swift"), isTest || FoundFile.isTest(name) {
        self = .test
      } else {
        return nil
      }
    }
  }

  /// Test code below the given paths, by path.
  package private(set) var tests: [FoundFile] = []
  /// Entitlements of the app.
  package private(set) var entitlements: [FoundFile] = []
  /// Manifests of packages.
  package private(set) var manifests: [FoundFile] = []
  /// The build settings of Xcode's projects.
  package private(set) var buildSettings: [FoundFile] = []
  /// Files with the name of a store.
  package private(set) var stores: [String] = []
  /// Whether all folders could be searched completely.
  package internal(set) var isWhole = true

  /// Folders of third-party code, whose projects say nothing of the app's.
  static let foreign: Set<String> = ["node_modules", "Pods", "Carthage"]

  /// Nothing around the source.
  package init() {}

  /// The files among `texts` that are not source.
  init(texts: [FoundFile]) {
    for file in texts {
      if let kind = Self.kind(of: file.path) { add(file, as: kind) }
    }
  }

  /// The kind of a file by its path; nil for source and anything else.
  static func kind(of path: String) -> Kind? {
    let parts = path.split(separator: "/").map { String($0) }
    return Kind(name: parts.last ?? "", isTest: parts.dropLast().contains(where: FoundFile.isTest))
  }

  mutating func add(_ file: FoundFile, as kind: Kind) {
    switch kind {
    case .test: tests.append(file)
    case .entitlements: entitlements.append(file)
    case .manifest: manifests.append(file)
    case .buildSettings: buildSettings.append(file)
    case .store: stores.append(file.path)
    }
  }

  mutating func sort() {
    tests.sort { $0.path < $1.path }
    entitlements.sort { $0.path < $1.path }
    manifests.sort { $0.path < $1.path }
    buildSettings.sort { $0.path < $1.path }
    stores.sort()
  }
}

extension Sequence<FoundFile> {
  /// The files nearest to a path: those in the deepest folders that contain it, or that it contains; all where none
  /// does.
  package func nearest(to path: String) -> [FoundFile] {
    let parts = folders(of: path)
    let around = compactMap { file -> (file: FoundFile, depth: Int)? in
      // `App.xcodeproj/project.pbxproj` belongs to the folder that contains the project.
      let folder = folders(of: file.path).filter { !$0.hasSuffix(".xcodeproj") }
      return isAround(parts, folder: folder) ? (file, folder.count { $0 != ".." }) : nil
    }
    guard let deepest = around.map(\.depth).max() else { return Array(self) }
    return around.filter { $0.depth == deepest }.map(\.file)
  }
}

extension Sequence<FoundFile> {
  /// The files that are not of another of Xcode's projects than a path is; all where no project contains the path.
  ///
  /// - Parameter projects: `project.pbxproj` files.
  package func inProject(of path: String, among projects: [FoundFile]) -> [FoundFile] {
    let roots = projects.map { folders(of: $0.path).filter { !$0.hasSuffix(".xcodeproj") } }
    func root(of path: String) -> [String]? {
      let parts = folders(of: path)
      return roots.filter { isAround(parts, folder: $0) }.max { $0.count { $0 != ".." } < $1.count { $0 != ".." } }
    }
    guard let own = root(of: path) else { return Array(self) }
    return filter { file in root(of: file.path).map { isAround(own, folder: $0) } ?? true }
  }
}

/// Whether a folder contains another, or is it.
private func isAround(_ parts: [String], folder: [String]) -> Bool {
  folder.allSatisfy { $0 == ".." } || parts.starts(with: folder)
}

/// The folders of a path, without ".".
private func folders(of path: String) -> [String] {
  let parts = path.split(separator: "/").map { String($0) }
  return parts.dropLast().filter { $0 != "." }
}
