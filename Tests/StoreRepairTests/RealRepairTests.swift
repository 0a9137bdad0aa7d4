@testable import StoreDiagnosis
@testable import StoreFindings
import StorePublishing
@testable import StoreRepair
import StoreCoreData
import Foundation
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

/// Defects that Core Data or an app left in real stores are repaired, and nothing else is changed.
@Suite struct RealRepairTests {
  @Test(.needsSharedData, arguments: RealRepair.all)
  func mendsWhatIsWrongAndNothingElse(_ repair: RealRepair) throws {
    let entry = try #require(Catalogue.real.first { $0.slug.hasPrefix(repair.slug) })
    let (source, target) = (try CopiedEntry(entry), try TemporaryFolder())
    let recipe = try Recipe(reading: Array("version: 1\n\(repair.recipe)".utf8))
    let plan = try planRepair(recipe, of: Store(path: source.path))
    #expect(plan.operations.map(\.line) == repair.operations)
    #expect(plan.obstacles == [])
    let output = target("Mended.sqlite")
    let before = try FolderContents(source.folder.path)
    _ = try apply(
      plan, to: Store(path: source.path), destination: .output(OutputTarget(PosixPath(output))),
      allowance: RepairAllowance(lossy: true))
    #expect(try FolderContents(source.folder.path) == before)
    #expect(try cellChanges(from: source.path, to: output) == repair.changes)

    let (old, new) = (try Store(path: source.path), try Store(path: output))
    #expect(new.metadata.keys == old.metadata.keys)
    #expect(new.metadata.hashes == old.metadata.hashes)
    let gone = Set(try findings(source.path)).subtracting(try findings(output))
    #expect(gone.sorted() == repair.gone)
    #expect(Set(try findings(output)).subtracting(try findings(source.path)) == [])
    #expect(try planRepair(recipe, of: new).operations == [])
  }

  /// The findings without those about side files, which a copy does not have.
  private func findings(_ path: String) throws -> [String] {
    try diagnose(path: path).findings.filter { !["SD104", "SD105", "SD106", "SD107"].contains($0.id) }.map {
      "\($0.id) \([$0.entity ?? $0.table, $0.property].compactMap(\.self).joined(separator: ".")) \($0.count)"
    }
  }

  /// The stores with orphaned rows in reflexive join tables, found with SQL alone, are all among those that are
  /// repaired above.
  @Test(.needsSharedData) func everyStoreWithReflexiveOrphansIsMended() throws {
    var found: Set<String> = []
    for entry in Catalogue.real {
      let connection = try Connection(reading: DatabaseFiles(path: entry.path))
      for table in try connection.schema() where table.name.hasSuffix("MERGECANDIDATES") && table.isOrdinaryTable {
        let columns = try connection.columns(of: table.name).map { quotedIdentifier($0.name) }
        let orphans = try connection.prepare(
          """
          SELECT count(*) FROM \(table.name) WHERE \(columns[0]) NOT IN (SELECT Z_PK FROM ZPERSON) \
          OR \(columns[1]) NOT IN (SELECT Z_PK FROM ZPERSON)
          """)
        if try orphans.step(), orphans.int64(0) > 0 { found.insert(entry.slug) }
      }
    }
    #expect(found == ["osxphotos--photos-7ca272", "osxphotos--photos-8a0831"])
    #expect(found.isSubset(of: RealRepair.all.filter { $0.recipe.contains("join-orphans") }.map(\.slug)))
  }
}

/// One real defect and its repair.
struct RealRepair: CustomTestStringConvertible, Sendable {
  /// The beginning of the store's slug.
  var slug: String
  var recipe: String
  /// Each as "repair: summary (changes, grade)".
  var operations: [String]
  /// As listed by ``cellChanges(from:to:)``.
  var changes: [String]
  /// The findings that the repair removes.
  var gone: [String]

  var testDescription: String { "\(slug) \(recipe)" }

  static let all: [RealRepair] = [
    RealRepair(
      slug: "wire-ios-data-model--store1-27-4ce0cb",
      recipe: "structure: [join-orphans]\ndangling: nullify",
      operations: [
        "join-orphans: delete 4 links of Conversation.lastServerSyncedActiveParticipants to objects that do not exist "
          + "(4, safe)",
        "join-orphans: delete 4 links of Conversation.otherActiveParticipants to objects that do not exist (4, safe)",
        "dangling: empty Connection.to of 4 objects, whose object does not exist (4, safe)",
        "dangling: empty Conversation.creator of 4 objects, whose object does not exist (4, safe)",
      ],
      changes: [
        "ZCONNECTION.ZTO 4", "ZCONNECTION.Z_OPT 4", "ZCONVERSATION.ZCREATOR 4", "ZCONVERSATION.Z_OPT 4",
        "Z_2LASTSERVERSYNCEDACTIVEPARTICIPANTS -4", "Z_2OTHERACTIVEPARTICIPANTS -4",
      ],
      gone: [
        "SD401 Connection.to 4", "SD401 Conversation.creator 4",
        "SD404 Conversation.lastServerSyncedActiveParticipants 4", "SD404 Conversation.otherActiveParticipants 4",
      ]),
    reflexiveOrphans(of: "osxphotos--photos-7ca272"),
    reflexiveOrphans(of: "osxphotos--photos-8a0831"),
    RealRepair(
      slug: "energy--artsypartner-1.3-781b69", recipe: "structure: [high-water]",
      operations: ["high-water: set Z_MAX of Artwork from 0 to 1 (1, safe)"],
      changes: ["Z_PRIMARYKEY.Z_MAX 1"], gone: ["SD207 Artwork 1"]),
    RealRepair(
      slug: "energy--artsypartner-1.4-3ad12c", recipe: "structure: [high-water]",
      operations: [
        "high-water: set Z_MAX of Artist from -1 to 4 (1, safe)",
        "high-water: set Z_MAX of ArtistDocument from -1 to 0 (1, safe)",
        "high-water: set Z_MAX of ShowDocument from -1 to 0 (1, safe)",
        "high-water: set Z_MAX of Partner from -1 to 1 (1, safe)",
      ],
      changes: ["Z_PRIMARYKEY.Z_MAX 4"],
      gone: ["SD207 Artist 1", "SD207 Partner 1", "SD208 ArtistDocument 1", "SD208 ShowDocument 1"]),
    RealRepair(
      slug: "osxphotos--photos-e0e196", recipe: "structure: [high-water]",
      operations: [
        "high-water: set Z_MAX of InternalResource from 130 to 132 (1, safe)",
        "high-water: set Z_MAX of CHANGE from 1385 to 1388 (1, safe)",
        "high-water: set Z_MAX of TRANSACTION from 195 to 196 (1, safe)",
        "high-water: set Z_MAX of TRANSACTIONSTRING from 66 to 70 (1, safe)",
      ],
      changes: ["Z_PRIMARYKEY.Z_MAX 4"],
      gone: ["SD207 CHANGE 1", "SD207 InternalResource 1", "SD207 TRANSACTION 1", "SD207 TRANSACTIONSTRING 1"]),
    RealRepair(
      slug: "coredataplus--samplemodel-v2-7d1458", recipe: "structure: [entity-names]",
      operations: ["entity-names: name entity 3 'LuxuryCar' and not 'ExpensiveSportCar' (1, named)"],
      changes: ["Z_PRIMARYKEY.Z_NAME 1"], gone: ["SD206 ExpensiveSportCar 1"]),
  ]

  /// A reflexive join table may have both (3,14) and (14,3); after person 14 was deleted, only (14,3) was removed.
  private static func reflexiveOrphans(of slug: String) -> RealRepair {
    RealRepair(
      slug: slug, recipe: "structure: [join-orphans]",
      operations: [
        "join-orphans: delete 6 links of Person.mergeCandidates to objects that do not exist (6, safe)"
      ],
      changes: ["Z_47MERGECANDIDATES -6"], gone: ["SD404 Person.mergeCandidates 6"])
  }
}

extension StoreRepair.Operation {
  /// "repair: summary (changes, grade)".
  var line: String { "\(repair.rawValue): \(summary) (\(expectedChanges), \(grade.rawValue))" }
}

/// A copy of a real store with all its side files.
struct CopiedEntry {
  let folder: TemporaryFolder
  let path: String

  init(_ entry: Catalogue.Entry) throws {
    folder = try TemporaryFolder()
    path = try folder.copyStore(entry.path)
    let origin = (entry.path as NSString).deletingLastPathComponent
    for name in try FileManager.default.contentsOfDirectory(atPath: origin) where name.hasSuffix("_SUPPORT") {
      try FileManager.default.copyItem(atPath: origin + "/" + name, toPath: folder(name))
    }
  }
}
