import Foundation
import TestSupport
import Testing

@testable import SwiftDataSource

/// Which files around the source are read, and which are not.
@Suite struct ProjectFilesTests {
  private func folder(_ files: [String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in files {
      let url = URL(fileURLWithPath: folder.path + "/" + name)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("x".utf8).write(to: url)
    }
    return folder
  }

  private func found(_ folder: TemporaryFolder, _ paths: String...) -> [String] {
    let files = ProjectFiles(around: paths.map { folder.path + "/" + $0 })
    let all = [files.tests, files.entitlements, files.manifests, files.buildSettings].flatMap { $0.map(\.path) }
    return (all + files.stores).map { $0.replacing(folder.path + "/", with: "") }
  }

  @Test func looksThroughTheProjectThatAPathBelongsTo() throws {
    let folder = try folder([
      ".git/HEAD", "App/App.xcodeproj/project.pbxproj", "App/App.entitlements", "App/Sources/A.swift",
      "App/Sources/ATests/B.swift", "App/Tests/C.swift", "Other/Other.entitlements", "App/.build/D.entitlements",
      "App/Pods/E.entitlements", "Shipped/1.0.store",
    ])
    #expect(
      found(folder, "App/Sources") == [
        "App/Sources/ATests/B.swift", "App/App.entitlements", "App/App.xcodeproj/project.pbxproj", "Shipped/1.0.store",
      ])
    #expect(found(folder, "App/Sources/A.swift") == ["App/App.entitlements", "App/App.xcodeproj/project.pbxproj"])
  }

  @Test func aFolderOfNoProjectIsLookedThroughItself() throws {
    let folder = try folder(["Sources/A.swift", "Sources/A.entitlements", "B.entitlements", "Sources/Tests/T.swift"])
    #expect(found(folder, "Sources") == ["Sources/Tests/T.swift", "Sources/A.entitlements"])
    // A single file is read without its surroundings.
    #expect(found(folder, "Sources/A.swift") == [])
    #expect(found(folder, "nowhere") == [])
  }

  @Test func nothingAboveTheRepositoryIsLookedAt() throws {
    let folder = try folder(["Package.swift", "A.entitlements", "App/.git/HEAD", "App/Sources/A.swift"])
    #expect(found(folder, "App/Sources") == [])
  }

  @Test func linksAreNotFollowed() throws {
    let outside = try folder(["Secret.entitlements"])
    let folder = try folder(["Package.swift", "A.swift"])
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: folder.path + "/out", withDestinationPath: outside.path)
    try manager.createSymbolicLink(
      atPath: folder.path + "/B.entitlements", withDestinationPath: outside.path + "/Secret.entitlements")
    try manager.createSymbolicLink(atPath: folder.path + "/loop", withDestinationPath: folder.path)
    #expect(found(folder, "") == ["Package.swift"])
  }

  /// The files nearest to a source file in `App/Sources`.
  @Test(arguments: [
    (["App.entitlements", "App/App.entitlements"], ["App/App.entitlements"]),
    (["App.entitlements", "Kit/Kit.entitlements"], ["App.entitlements"]),
    (["Kit/Kit.entitlements", "Tool/Tool.entitlements"], ["Kit/Kit.entitlements", "Tool/Tool.entitlements"]),
    (["../App.entitlements", "Kit/Kit.entitlements"], ["../App.entitlements"]),
    (["App/App.xcodeproj/project.pbxproj", "project.pbxproj"], ["App/App.xcodeproj/project.pbxproj"]),
  ])
  func theNearestCount(paths: [String], nearest: [String]) {
    let files = paths.map { FoundFile(path: $0, bytes: []) }
    #expect(files.nearest(to: "./App/Sources/Note.swift").map(\.path) == nearest)
  }
}
