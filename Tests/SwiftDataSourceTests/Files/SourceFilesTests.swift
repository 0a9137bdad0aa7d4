import Foundation
import StoreSwiftDataSchemas
import TestSupport
import Testing

@testable import SwiftDataSource

@Suite struct SourceFilesTests {
  /// Writes files into a new folder.
  private func folder(_ files: [String: String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, text) in files {
      let url = URL(fileURLWithPath: folder.path + "/" + name)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    return folder
  }

  @Test func testsAndBuildFoldersAreLeftOut() throws {
    let model = "@Model class A { var x: Int }"
    let folder = try folder([
      "Sources/A.swift": model, "Package.swift": "// swift-tools-version: 6.0",
      "Tests/AppTests/B.swift": "@Model class B {}",
      "AppUITests/C.swift": "@Model class C {}", "Sources/ModelTests.swift": "@Model class D {}",
      ".build/checkouts/E.swift": "@Model class E {}", "DerivedData/F.swift": "@Model class F {}", "G.txt": model,
    ])
    let reading = try readSwiftData([folder.path])
    #expect(reading.schemas.flatMap { $0.entities.map(\.className) } == ["A"])
    #expect(reading.fileCount == 2)
    #expect(reading.parsedFileCount == 1)
    #expect(try readSwiftData([folder.path + "/Tests"]).fileCount == 0)
    #expect(try readSwiftData([folder.path + "/Sources/ModelTests.swift"]).fileCount == 1)
  }

  /// Besides files with models, only those are parsed that declare a type which a model names.
  @Test func filesThatDeclareWhatAModelNamesAreParsed() throws {
    let folder = try folder([
      "A.swift": "@Model class A { var k: Kind; var s: S? }", "Kind.swift": "enum Kind: String { case a }",
      "S.swift": "struct S: Codable { var inner: Alias }",
      "T.swift": "typealias Alias = T\nstruct T: Codable { var x: Int }",
      "View.swift": "struct View { enum Unused {} }", "Other.swift": "struct Other { var kind: Kind }",
    ])
    let reading = try readSwiftData([folder.path])
    #expect(reading.parsedFileCount == 4)
    #expect(reading.fileCount == 6)
    #expect(reading.schemas.first?.entities.first?.certainty == .derived)
  }

  @Test func linksThatLeadOutAreReportedAndNotFollowed() throws {
    let outside = try folder(["B.swift": "@Model class B { var x: Int }"])
    let folder = try folder(["A.swift": "@Model class A { var x: Int }"])
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: folder.path + "/out", withDestinationPath: outside.path)
    try manager.createSymbolicLink(atPath: folder.path + "/out.swift", withDestinationPath: outside.path + "/B.swift")
    try manager.createSymbolicLink(atPath: folder.path + "/loop", withDestinationPath: folder.path)
    try manager.createSymbolicLink(atPath: folder.path + "/in.swift", withDestinationPath: folder.path + "/A.swift")
    let reading = try readSwiftData([folder.path])
    #expect(reading.schemas.flatMap { $0.entities.map(\.className) } == ["A"])
    #expect(reading.problems.count == 2)
    #expect(reading.problems.allSatisfy { $0.message.contains("a link that leads out of the folder") })
  }

  @Test func aFileGivenTwiceCountsOnce() throws {
    let folder = try folder(["A.swift": "@Model class A { var x: Int }"])
    #expect(try readSwiftData([folder.path, folder.path + "/A.swift"]).fileCount == 1)
  }

  @Test func limitsAreKept() throws {
    let folder = try folder([
      "A.swift": "@Model class A { var x: Int }", "B.swift": String(repeating: "/", count: 2_000),
    ])
    var limits = SourceLimits()
    limits.fileSize = 1_000
    let reading = try readSwiftData([folder.path], limits: limits)
    #expect(reading.problems.map(\.message) == ["cannot read '\(folder.path)/B.swift': 2000 bytes, more than 1000"])
    #expect(throws: SourceFileError.self) { try readSwiftData([folder.path + "/B.swift"], limits: limits) }
    limits = SourceLimits()
    limits.files = 1
    #expect(throws: SourceFileError.self) { try readSwiftData([folder.path], limits: limits) }
    limits = SourceLimits()
    limits.bytes = 100
    #expect(throws: SourceFileError.self) { try readSwiftData([folder.path], limits: limits) }
    limits = SourceLimits()
    limits.parsedBytes = 100
    #expect(try readSwiftData([folder.path], limits: limits).parsedFileCount == 1)
    limits.parsedBytes = 20
    #expect(throws: SourceFileError.self) { try readSwiftData([folder.path], limits: limits) }
  }

  @Test func whatIsNotThereIsAnError() {
    #expect(throws: SourceFileError("/no/such", "No such file or directory")) { try readSwiftData(["/no/such"]) }
    #expect(throws: SourceFileError.self) { try readSwiftData(["/dev/null"]) }
  }
}
