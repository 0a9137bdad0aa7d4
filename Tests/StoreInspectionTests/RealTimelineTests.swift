import StoreCoreData
import StoreInspection
import StoreSQLite
import TestSupport
import Testing

/// The history of real stores: SQL counts it too.
@Suite struct RealTimelineTests {
  /// 741 deletions, of 653 of which something is kept, and every value of it by attribute.
  @Test(.needsSharedData) func everyDeletionAndTombstoneIsShown() throws {
    var (deletions, kept) = (0, 0)
    for entry in Catalogue.real {
      let timeline = try makeTimeline(PosixPath(entry.path))
      for change in timeline.changes where change.kind == .delete {
        deletions += 1
        kept += change.tombstones.isEmpty ? 0 : 1
        for tombstone in change.tombstones {
          #expect(!tombstone.name.hasPrefix("ZTOMBSTONE"), "\(entry.slug) \(change.key)")
          #expect(tombstone.fits, "\(entry.slug) \(change.key) \(tombstone)")
        }
      }
    }
    #expect(deletions == 741 && kept == 653)
  }

  @Test(arguments: Catalogue.stores.filter { $0.history_rows != nil })
  func countsEqualThoseOfSQL(_ entry: Catalogue.Entry) throws {
    let timeline = try makeTimeline(PosixPath(entry.path))
    let connection = try Connection(reading: DatabaseFiles(path: entry.path))
    func counts(_ sql: String) throws -> [Int64: Int64] {
      guard try connection.schema().contains(where: { $0.name == "ACHANGE" }) else { return [:] }
      let rows = try connection.prepare(sql)
      var counts: [Int64: Int64] = [:]
      while try rows.step() { counts[rows.int64(0)] = rows.int64(1) }
      return counts
    }
    let kinds = try counts("SELECT ZCHANGETYPE, count(1) FROM ACHANGE GROUP BY 1")
    #expect(Int64(timeline.changes.count { $0.kind == .insert }) == kinds[0] ?? 0)
    #expect(Int64(timeline.changes.count { $0.kind == .update }) == kinds[1] ?? 0)
    #expect(Int64(timeline.changes.count { $0.kind == .delete }) == kinds[2] ?? 0)
    #expect(try Int64(timeline.transactions.count) == counts("SELECT 0, count(1) FROM ATRANSACTION")[0] ?? 0)
    #expect(try timeline.events == makeTimeline(PosixPath(entry.path)).events)

    // Every update's bits have names, as many as there are bits; a companion or an order key counts with its relationship.
    guard kinds[1] != nil else { return }
    let rows = try connection.prepare("SELECT Z_PK, ZCOLUMNS FROM ACHANGE WHERE ZCHANGETYPE = 1")
    var bits: [Int64: Int] = [:]
    while try rows.step() { bits[rows.int64(0)] = rows.blob(1)?.reduce(0) { $0 + $1.nonzeroBitCount } }
    let store = try Store(path: entry.path)
    for change in timeline.changes where change.kind == .update {
      let names = try #require(change.properties, "\(entry.slug) \(change.key)")
      let all = store.historyProperties(of: change.entity)?.bits.map(\.property) ?? []
      let mayShare = Set(all).count < all.count
      #expect(names.count == bits[change.key] || mayShare && names.count < bits[change.key] ?? 0)
    }
  }

  /// What commits of the write-ahead log changed, against what history says of the same save.
  @Test(.needsSharedData) func changedPropertiesAreThoseWhoseColumnsChanged() throws {
    func properties(_ slug: String, _ entity: String, _ key: Int64, transaction: Int64? = nil) throws -> [[String]] {
      let entry = try #require(Catalogue.real.first { $0.slug.contains(slug) })
      let timeline = try makeTimeline(PosixPath(entry.path), options: .init(entities: [entity], keys: [key]))
      return timeline.changes.filter { $0.kind == .update }.compactMap(\.properties)
    }
    #expect(
      try properties("photos-28b88a", "AdditionalAssetAttributes", 4).last == ["lastViewedDate", "pendingViewCount"])
    #expect(try properties("photos-28b88a", "Album", 50).last == ["parentFolder", "trashedDate", "trashedState"])
    #expect(try properties("josh-ios17", "ICCloudState", 44).last == ["inCloud", "latestVersionSyncedToCloud"])
    #expect(try properties("josh-ios17", "ICNote", 44).suffix(2) == [["lastOpenedDate"], ["serverRecordData"]])
  }
}

extension HistoryChange.Tombstone {
  /// Whether the value is of the attribute's type.
  fileprivate var fits: Bool {
    switch (type, value) {
    case (.string?, .text), (.string?, .blob), (.uuid?, .blob), (.uri?, .text), (.binary?, .blob): true
    case (.date?, .real), (.date?, .integer), (.double?, .real), (.float?, .real): true
    case (.integer16?, .integer), (.integer32?, .integer), (.integer64?, .integer), (.boolean?, .integer): true
    default: false
    }
  }
}
