@testable import StoreDiagnosis
import Foundation
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

/// Files of external values are compared with the rows carefully, and without changing access times.
@Suite struct ExternalFileTests {
  private let file = "0308CA1C-D76C-4F97-8631-28E8EFF6F510"

  @Test func aFolderThatTwoStoresShareIsNobodys() throws {
    let folder = try TemporaryFolder()
    let path = try store(in: folder)
    try addFile(folder)
    _ = try folder.copyStore(Project.path("corpus/Club.sqlite"), as: "Notes.db")
    try folder.write(Array("no database".utf8), to: "Notes.txt")
    let diagnosis = try diagnose(path: path, with: [.orphanedExternalFile, .missingExternalFile])
    #expect(diagnosis.findings == [])
    #expect(
      diagnosis.skipped.map(\.line) == [
        "SD602 'Notes.db': may keep values in the same folder, so it is not known whose the files are"
      ])
  }

  @Test(.enabled(if: getuid() != 0, "root may list any folder")) func aFolderThatMayNotBeListedIsNotMissing() throws {
    let folder = try TemporaryFolder()
    let path = try store(in: folder)
    try run("UPDATE ZATTACHMENT SET ZDATA = CAST(x'02' || '\(file)' || x'00' AS BLOB)", path)
    try addFile(folder)
    let support = folder(".Notes_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: support)
    defer { _ = try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: support) }
    let diagnosis = try diagnose(path: path, with: [.missingExternalFile])
    #expect(diagnosis.findings == [])
    #expect(
      diagnosis.skipped.map(\.line) == ["SD601 the folder '.Notes_SUPPORT/_EXTERNAL_DATA' cannot be listed"])
  }

  @Test func aLinkIsNoFile() throws {
    let folder = try TemporaryFolder()
    let path = try store(in: folder)
    try run("UPDATE ZATTACHMENT SET ZDATA = CAST(x'02' || '\(file)' || x'00' AS BLOB) WHERE Z_PK = 1", path)
    let support = folder(".Notes_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: support, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: "\(support)/\(file)", withDestinationPath: path)
    let diagnosis = try diagnose(path: path, with: [.missingExternalFile])
    #expect(diagnosis.findings.map(\.line) == ["SD601 warning Attachment.data 1 [1]"])
  }

  private func store(in folder: TemporaryFolder) throws -> String {
    try folder.copyStore(Project.path("corpus/Notes.sqlite"))
  }

  private func addFile(_ folder: TemporaryFolder) throws {
    let support = folder(".Notes_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: support, withIntermediateDirectories: true)
    try folder.write([1, 2, 3], to: ".Notes_SUPPORT/_EXTERNAL_DATA/\(file)")
  }

  private func run(_ sql: String, _ path: String) throws {
    let database = try Connection(writing: path, create: false)
    try database.execute(sql)
    database.close()
  }
}
