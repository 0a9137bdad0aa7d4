@testable import StoreAudit
import Foundation
import StoreSQLite
import TestSupport
import Testing

/// Unpacked files are removed in the end, whichever process is killed, and never while another audit uses them.
@Suite struct UnpackingFoldersTests {
  private let place: TemporaryFolder
  init() throws { place = try TemporaryFolder() }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: place.path).sorted() }
  }

  private static let marker = "unpacked-by-storedoctor-audit"

  private func leave(_ name: String, mode: Int = 0o700, isMarked: Bool = true) throws {
    try FileManager.default.createDirectory(
      atPath: place(name + "/1"), withIntermediateDirectories: true, attributes: [.posixPermissions: mode])
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place(name))
    try place.write([1], to: name + "/1/Notes.sqlite")
    if isMarked { try place.write([], to: "\(name)/\(Self.marker)") }
  }

  @Test func makesNothingBeforeItIsNeededAndLeavesNothing() throws {
    var folders: UnpackingFolders? = UnpackingFolders(in: PosixPath(place.path))
    #expect(try names == [])
    var first = try folders?.next()
    let second = try folders?.next()
    #expect(try names.count == 1)
    try place.write([1], to: names[0] + "/1/Notes.sqlite")
    #expect(first?.path.description == place("\(try names[0])/1"))
    first = nil
    #expect(try FileManager.default.contentsOfDirectory(atPath: place(names[0])).sorted() == ["2", Self.marker])
    folders = nil
    #expect(try names == [])
    withExtendedLifetime(second) {}
  }

  @Test func removesWhatWasLeftBehindAndNothingElse() throws {
    let used = UnpackingFolders(in: PosixPath(place.path))
    let folder = try used.next()
    let inUse = try names
    try leave("storedoctor-audit-left")
    try leave("storedoctor-audit-open", mode: 0o755)
    // Stores of the user's, in a folder named like one of an audit, or within one.
    try leave("storedoctor-audit-theirs", isMarked: false)
    try leave("storedoctor-audit-shared")
    try place.write([1], to: "storedoctor-audit-shared/mine.sqlite")
    try leave("storedoctor-auditor")
    try leave("mine")
    try place.write([], to: "storedoctor-audit-file")
    try FileManager.default.createSymbolicLink(atPath: place("storedoctor-audit-link"), withDestinationPath: "mine")
    _ = UnpackingFolders(in: PosixPath(place.path))
    #expect(
      try names
        == (inUse + [
          "mine", "storedoctor-audit-file", "storedoctor-audit-link", "storedoctor-audit-open",
          "storedoctor-audit-shared", "storedoctor-audit-theirs", "storedoctor-auditor",
        ]).sorted())
    #expect(FileManager.default.fileExists(atPath: folder.path.description))
    #expect(FileManager.default.fileExists(atPath: place("mine/1/Notes.sqlite")))
  }

  /// Many audits that begin and clean up at the same moment keep their own folders.
  @Test func manyAtOnceKeepTheirOwn() async throws {
    let parent = PosixPath(place.path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<50 {
            let folders = UnpackingFolders(in: parent)
            let folder = try folders.next()
            try Data([1]).write(to: URL(fileURLWithPath: folder.path.description + "/file"))
            #expect(FileManager.default.fileExists(atPath: folder.path.description + "/file"))
            withExtendedLifetime(folders) {}
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try names == [])
  }

  @Test(arguments: [
    ("/tmp/storedoctor-audit-x/1", "/tmp/storedoctor-audit-x"), ("/tmp/1", nil), ("/tmp/storedoctor-audit-x", nil),
    ("1", nil),
  ])
  func onlyAnAuditsOwnFolderIsTakenForOne(folder: String, root: String?) {
    #expect(UnpackingFolders.root(of: PosixPath(folder))?.description == root)
  }
}
