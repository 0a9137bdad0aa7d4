import StoreSQLite
import TestSupport
import Testing

@testable import StorePlaces

/// Members that may be databases without their header are taken whole, within limits; their pages tell then what they are.
@Suite struct HeadlessMemberTests {
  /// Notes.sqlite without its first 100 bytes.
  private static func headless() throws -> [UInt8] {
    let source = try EvidenceFile(PosixPath(Project.path("corpus/Notes.sqlite")))
    return [UInt8](repeating: 0, count: 100) + (try source.read(at: 100, count: Int(source.size)))
  }

  private let noise = (0..<100_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) | 0x80 }

  @Test func areReadWhole() throws {
    let (store, zeros) = (try Self.headless(), [UInt8](repeating: 0, count: 70_000))
    var (zip, tar) = (ZipMaker(), TarMaker())
    for (name, bytes) in [("a.sqlite", store), ("b.bin", store), ("c.txt", noise), ("d.store", zeros), ("e", zeros)] {
      try zip.add(name, bytes)
      tar.add(name, bytes)
    }
    for place in [try TriedPlace(zip.archive()), try TriedPlace(gzip(tar.archive), named: "a.tar.gz")] {
      // Zeros need a store's name.
      #expect(place.lines == ["a.sqlite", "b.bin", "d.store"])
      #expect(place.sets.allSatisfy { $0.mayBeHeadless && !$0.isDatabase })
      #expect(try place.bytes("a.sqlite") == store && place.bytes("b.bin") == store)
      #expect(try place.bytes("d.store").count == 70_000)
    }
  }

  /// Behind what should be the header is the beginning of a page with rows of a table, whose content begins where its first
  /// row does or before.
  @Test func takesOnlyTheFirstPageOfATable() throws {
    let store = try Self.headless()
    func isTaken(_ change: (inout [UInt8]) -> Void) -> Bool {
      var head = Array(store.prefix(512))
      change(&head)
      return HeadlessDatabase.mayBegin(head, named: Array("a.bin".utf8))
    }
    #expect(isTaken { _ in })
    #expect(isTaken { $0[100] = $0[100] == 5 ? 13 : 5 })
    #expect(!isTaken { $0[100] = 10 }, "the page of an index")
    #expect(!isTaken { $0[100] = 1 }, "no page")
    #expect(!isTaken { ($0[103], $0[104]) = (0, 0) }, "no rows")
    #expect(!isTaken { ($0[105], $0[106]) = (0, 4) }, "content among the pointers")
    #expect(!isTaken { ($0[105], $0[106]) = (0x7f, 0xff) }, "a row before the content")
    #expect(!isTaken { $0.removeLast() }, "less than a page")
  }

  /// Those with a store's name come first; of the others of them the beginning is read as before.
  @Test func areLimited() throws {
    let store = try Self.headless()
    var zip = ZipMaker()
    for name in ["a.bin", "b.sqlite", "c.sqlite"] { try zip.add(name, store) }
    let reason = "it holds more files than are looked into that may be stores without their beginning; "
    var limits = PlaceLimits.standard
    limits.mostHeadless = 1
    let few = try TriedPlace(zip.archive(), limits: limits)
    #expect(few.lines == ["b.sqlite", "c.sqlite", ": whole: \(reason)2 were not"])
    #expect(try few.bytes("b.sqlite") == store)
    #expect(try few.bytes("c.sqlite") == Array(store.prefix(Int(limits.namedStoreBytes))))
    limits.mostHeadless = 200
    limits.headlessBytes = Int64(store.count) * 2
    let large = try TriedPlace(zip.archive(), limits: limits)
    #expect(large.lines == ["b.sqlite", "c.sqlite", ": whole: \(reason)1 was not"])
    #expect(PlaceLimits.standard.mostHeadless == 200 && PlaceLimits.standard.headlessBytes == 4 << 30)
  }
}
