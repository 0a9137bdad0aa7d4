import Foundation
import StoreSQLite
import StoreSystem
import TestSupport
import Testing

@testable import StorePlaces

@Suite struct NestedArchiveTests {
  @Test func archivesInArchivesAreFollowed() throws {
    var tar = TarMaker()
    tar.add("b/Notes.sqlite", database())
    tar.add("b/Notes.sqlite-wal", log)
    var inner = ZipMaker()
    try inner.add("c.tar.gz", gzip(tar.archive))
    try inner.add("d.sqlite", database(seed: 1))
    for method in [0, 8] as [UInt16] {
      var outer = ZipMaker()
      try outer.add("e/inner.zip", inner.archive(), .init(method: method))
      let place = try TriedPlace(outer.archive())
      #expect(
        place.lines == [
          "e/inner.zip!c.tar.gz!b/Notes.sqlite + b/Notes.sqlite-wal", "e/inner.zip!d.sqlite",
        ])
      #expect(try place.bytes("e/inner.zip!c.tar.gz!b/Notes.sqlite", ending: "-wal") == log)
    }
  }

  @Test func archivesAreFollowedSoFar() throws {
    var bytes = database()
    var name = "Notes.sqlite"
    for level in 0..<7 {
      var zip = ZipMaker()
      try zip.add(name, bytes)
      (bytes, name) = (zip.archive(), "\(level).zip")
    }
    let place = try TriedPlace(bytes)
    #expect(
      place.lines == [
        "5.zip!4.zip!3.zip!2.zip!1.zip: tooDeep: it lies in 5 archives, and no more are followed"
      ])
  }

  @Test func whatIsNoArchiveInSpiteOfItsNameIsSaid() throws {
    var zip = ZipMaker()
    try zip.add("a.zip", Array("PK".utf8))
    try zip.add("b.sqlite", database())
    let place = try TriedPlace(zip.archive())
    #expect(place.lines.first == "b.sqlite")
    #expect(place.leftOut.map(\.kind) == [.unreadableArchive])
  }

  @Test func valuesInFilesBelongToTheirStore() throws {
    var zip = ZipMaker()
    let external = "a/.Notes_SUPPORT/_EXTERNAL_DATA/0F1E2D3C-0000-4000-8000-000000000001"
    try zip.add("/" + external, [1, 2, 3])
    try zip.add("/a/Notes.sqlite", database())
    try zip.add("/a/Notes.sqlite-shm", [0])
    try zip.add("/a/other.sqlite-wal", log)
    let place = try TriedPlace(zip.archive())
    #expect(place.lines.first == "/a/Notes.sqlite + /a/Notes.sqlite-shm + /\(external) + /a/other.sqlite-wal")
    #expect(place.leftOut.map(\.kind) == [.orphanLog])
  }

  @Test func containersAreNamedByTheirApp() throws {
    var zip = ZipMaker()
    let root = "private/var/mobile/Containers/Data/Application/7A2B9C10-1111-4222-8333-0123456789AB/"
    let list =
      "<plist version=\"1.0\"><dict><key>MCMMetadataIdentifier</key><string>com.example.notes</string></dict></plist>"
    try zip.add(root + "Library/Notes.sqlite", database())
    try zip.add(root + ".com.apple.mobile_container_manager.metadata.plist", Array(list.utf8))
    try zip.add("elsewhere/Notes.sqlite", database())
    let place = try TriedPlace(zip.archive())
    #expect(place.contents.sets.map(\.container) == [nil, "com.example.notes"])
  }

  /// A set is read under the names that it has in the archive, by everything that only reads.
  @Test func whatIsMountedIsReadUnderItsName() throws {
    var zip = ZipMaker()
    try zip.add("/a/Notes.sqlite", database())
    try zip.add("/a/Notes.sqlite-wal", log)
    let place = try TriedPlace(zip.archive())
    let path = place.sets[0].mount(in: PosixPath(place.folder("a.zip")))
    defer { MountedFiles.unmountAll() }
    #expect(path.description == place.folder("a.zip") + "!/a/Notes.sqlite")
    #expect(try EvidenceFile(path).read(at: 0, count: 16) == Array(database().prefix(16)))
    #expect(FileSystem.kind(of: path) == .file)
    let folder = path.sibling(named: [])
    #expect(
      FileSystem.names(in: folder)?.map { String(decoding: $0, as: UTF8.self) } == ["Notes.sqlite", "Notes.sqlite-wal"])
    #expect(!FileManager.default.fileExists(atPath: path.description), "nothing that writes finds it")
    place.sets[0].unmount(from: PosixPath(place.folder("a.zip")))
    #expect(FileSystem.kind(of: path) == nil)
  }
}
