import Foundation
import StoreSQLite
import TestSupport
import Testing

@Suite struct StoreModelTests {
  /// With `--store-model`, a store without its model cache is described as it was with it.
  @Test func aGivenModelTakesThePlaceOfTheCache() throws {
    let folder = try TemporaryFolder()
    let bundle = try XcodeFiles.bundle(in: folder)
    let store = try XcodeFiles.store(XcodeFiles.versions[1], in: folder)
    let whole = try JSONTree(Program.run(["inspect", store, "--format", "json"]).output)
    try Connection(writing: store, create: false).execute("DROP TABLE Z_MODELCACHE")
    let command = ["inspect", store, "--format", "json"]
    let inferred = try JSONTree(Program.run(command).output)
    #expect(inferred["model"]?["source"]?.string == "inferred")
    let given = try JSONTree(Program.run(command + ["--store-model", bundle]).output)
    #expect(given["model"]?["source"]?.string == "given")
    #expect(given["model"]?["path"]?.string == bundle)
    #expect(given["entities"] == whole["entities"])
    #expect(inferred["entities"] != whole["entities"])
  }

  @Test func aModelThatDoesNotFitIsSaid() throws {
    let folder = try TemporaryFolder()
    let bundle = try XcodeFiles.bundle(in: folder)
    let store = try XcodeFiles.store(XcodeFiles.versions[1], in: folder)
    let outcome = try Program.run(
      ["inspect", store, "--store-model", bundle + "#Notes"], environment: ["COLUMNS": "200"])
    #expect(outcome.status == 0)
    #expect(
      outcome.output.contains(
        "the hashes in the metadata and those of the given model differ for 1 of 1 entities: 'Note'"))
  }

  /// The store is larger than any model file may be, and is recognized by its first bytes.
  @Test func aLargeStoreIsAModelToo() throws {
    let folder = try TemporaryFolder()
    let store = try XcodeFiles.store(XcodeFiles.versions[1], in: folder)
    try Connection(writing: store, create: false)
      .execute("CREATE TABLE APPDATA (B BLOB); INSERT INTO APPDATA VALUES (zeroblob(70000000))")
    let outcome = try Program.run(["model", "hash", store])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("1 entity"))
  }
}
