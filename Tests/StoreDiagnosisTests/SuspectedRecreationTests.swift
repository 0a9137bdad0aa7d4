@testable import StoreDiagnosis
@testable import StoreFindings
import Foundation
import StoreSQLite
import TestSupport
import Testing

/// A finding needs three signs, one of them outside the store's own counters: a new store shows the others by itself.
@Suite struct SuspectedRecreationTests {
  /// Changes to a much-used store that produce one sign each.
  enum Sign: CaseIterable {
    case nothingDeleted, lowCounter, freePages, leftover, setAside, foreignUUID, unknownKeys

    var isOutside: Bool { ![.nothingDeleted, .lowCounter, .freePages].contains(self) }
  }

  @Test func itTakesThreeSignsOneOfThemFromOutside() throws {
    for signs in subsets(of: Sign.allCases) where signs.count < 5 {
      let isExpected = signs.count >= 3 && signs.contains(where: \.isOutside)
      let found = try finding(signs)
      #expect((found != nil) == isExpected, "\(signs)")
      #expect(found.map { $0.message.split(separator: ";").count } ?? signs.count == signs.count, "\(signs)")
    }
  }

  @Test func namesWhatItSaw() throws {
    #expect(
      try finding([.leftover, .setAside, .nothingDeleted])?.message
        == "'.Notes.sqlite.migrationdestination_41b5' was left by a migration; 'Notes-backup.sqlite' (and 1 more) looks "
        + "like a copy that was set aside; nothing was ever deleted")
  }

  private func subsets(of signs: [Sign]) -> [[Sign]] {
    (0..<1 << signs.count).map { bits in signs.indices.filter { bits >> $0 & 1 == 1 }.map { signs[$0] } }
  }

  private func finding(_ signs: [Sign]) throws -> Finding? {
    let folder = try TemporaryFolder()
    let path = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let database = try Connection(writing: path, create: false)
    try database.execute(signs.contains(.freePages) ? "DROP INDEX Z_Note_byCreationDate" : "SELECT 1")
    if !signs.contains(.nothingDeleted) {
      try database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_NAME = 'Tag'")
    }
    if signs.contains(.foreignUUID) {
      try database.execute(
        "UPDATE ATRANSACTIONSTRING SET ZNAME = 'from x-coredata://11111111-2222-4333-8444-555555555555/Note/p1'")
    }
    if signs.contains(.unknownKeys) { try database.execute("UPDATE ACHANGE SET ZENTITYPK = 1000") }
    database.close()
    if signs.contains(.leftover) { try folder.write([1], to: ".Notes.sqlite.migrationdestination_41b5") }
    if signs.contains(.setAside) {
      for name in ["Notes.sqlite.corrupt-1", "Notes-backup.sqlite", "Noteside.old"] { try folder.write([1], to: name) }
    }
    try setChangeCounter(of: path, to: signs.contains(.lowCounter) ? 3 : 300)
    return try diagnose(path: path, with: [.suspectedRecreation]).findings.first
  }

  /// Sets the file change counter (offset 24) and the version-valid-for number (92), which are equal in an intact file
  /// (https://sqlite.org/fileformat2.html).
  private func setChangeCounter(of path: String, to counter: UInt16) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    for offset in [24, 92] as [UInt64] {
      try file.seek(toOffset: offset)
      try file.write(contentsOf: Data([0, 0, UInt8(counter >> 8), UInt8(counter & 0xff)]))
    }
    try file.close()
  }
}
