@testable import StoreSystem
import Foundation
import StoreSQLite
import TestSupport
import Testing

@Suite struct RemoveFolderTests {
  @Test func removesAllAndFollowsNoLink() throws {
    let place = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: place("a/b/c"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: place("kept"), withIntermediateDirectories: true)
    try place.write([1], to: "kept/file")
    try place.write([1], to: "a/b/file")
    try FileManager.default.createSymbolicLink(atPath: place("a/b/folder"), withDestinationPath: place("kept"))
    try FileManager.default.createSymbolicLink(atPath: place("a/nowhere"), withDestinationPath: "nowhere")
    #expect(mkfifo(place("a/pipe"), 0o600) == 0)
    try removeFolder(PosixPath(place("a")))
    #expect(try FileManager.default.subpathsOfDirectory(atPath: place.path).sorted() == ["kept", "kept/file"])
    try removeFolder(PosixPath(place("a")))
    #expect(throws: FileError(path: place("kept/file"), kind: .missing)) {
      try removeFolder(PosixPath(place("kept/file")))
    }
  }

  @Test func doesNotRemoveWhatALinkLeadsTo() throws {
    let place = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: place("kept"), withIntermediateDirectories: true)
    try place.write([1], to: "kept/file")
    try FileManager.default.createSymbolicLink(atPath: place("link"), withDestinationPath: place("kept"))
    #expect(throws: FileError.self) { try removeFolder(PosixPath(place("link"))) }
    #expect(FileManager.default.fileExists(atPath: place("kept/file")))
  }
}
