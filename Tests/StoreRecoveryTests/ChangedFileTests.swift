import Foundation
import StoreRecovery
import StoreSQLite
import TestSupport
import Testing

/// Values are read in the files when somebody asks: what is there by then is never taken for what was found.
@Suite struct ChangedFileTests {
  @Test func aByteThatChangedSinceTheSearchGivesNoValues() throws {
    let folder = try TemporaryFolder()
    let path = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let writer = try Connection(writing: path, create: false)
    try writer.execute("PRAGMA secure_delete = 0; DELETE FROM ZNOTE WHERE Z_PK = 3")
    let recovery = try recover(PosixPath(path))
    let row = try #require(recovery.rows.first { $0.entity == "Note" && !$0.values.isEmpty })
    try recovery.checkUnchanged()
    #expect(row.values.contains { $0.name == "title" })

    let place = try #require(row.places.first)
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.seek(toOffset: UInt64(place.end - 1))
    let last = try #require(try file.read(upToCount: 1)?.first)
    try file.seek(toOffset: UInt64(place.end - 1))
    try file.write(contentsOf: Data([last ^ 1]))
    try file.close()

    #expect(row.values.isEmpty)
    #expect(row.missing.contains("title"))
    #expect(throws: FileError.self) { try recovery.checkUnchanged() }
  }
}
