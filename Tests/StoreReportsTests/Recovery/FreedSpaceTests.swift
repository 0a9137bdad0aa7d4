import StoreRecovery
import StoreReports
import StoreSQLite
import TestSupport
import Testing

/// How much of the freed space of a store was wiped is measured in the store, and not concluded from its system.
@Suite struct FreedSpaceTests {
  /// Notes with ten of them deleted.
  private func recovered(secureDelete: String) throws -> Recovery {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    do {
      let writer = try Connection(writing: store, create: false)
      try writer.execute(
        "PRAGMA journal_mode=DELETE; PRAGMA secure_delete=\(secureDelete); DELETE FROM ZNOTE WHERE Z_PK IN (2, 4)")
    }
    return try recover(PosixPath(store))
  }

  @Test func contentIsCountedWhereNothingWasWiped() throws {
    let space = try recovered(secureDelete: "OFF").freedSpace
    #expect(space.blocksWithContent > 0)
  }

  @Test func wipedBlocksAreCountedAsWiped() throws {
    let recovery = try recovered(secureDelete: "ON")
    #expect(recovery.freedSpace.blocks > 0 && recovery.freedSpace.blocksWithContent == 0)
    let text = recovery.text(width: 200, isStyled: false, isSummary: false)
    #expect(text.contains("freed space: 0 of \(recovery.freedSpace.blocks) freed block"), "\(text)")
    #expect(text.contains("was wiped, and of a single deleted row only its key, history or the log can tell"))
  }
}
