@testable import StoreSystem
import Foundation
import TestSupport
import Testing

/// Archives that unpack to huge sizes are read up to a limit, and take little disk space.
@Suite(.needsArchivers) struct ArchiveLimitTests {
  /// One mebibyte of zeros, and the header of an entry with any size.
  private static let tools = """
    part = bytes(1 << 20)
    def header(name, size):
      info = tarfile.TarInfo(name); info.size = size
      return info.tobuf(tarfile.GNU_FORMAT)

    """

  private func limits(_ change: (inout ArchiveLimits) -> Void) -> ArchiveLimits {
    var limits = ArchiveLimits.standard
    change(&limits)
    return limits
  }

  /// Expects `error`, and little on the disk: what is read and thrown away is counted as well.
  private func expect(_ error: ArchiveError, of archive: TriedArchive, _ limits: ArchiveLimits) throws {
    #expect(throws: error) { try archive.unpacked(limits: limits) }
    #expect(try archive.written().values.allSatisfy { $0.count <= 8 << 20 })
  }

  @Test func endsAtABombOfOneEntry() throws {
    let archive = try TriedArchive(
      "raw", [],
      Self.tools + """
        with open(out, "wb") as file:
          file.write(gzip.compress(header("a.sqlite", 3 << 30)))
          file.write(gzip.compress(part) * (3 << 10))
        """)
    try expect(.tooManyBytes(limit: 2 << 30), of: archive, limits { $0.bytes = 2 << 30 })
    try expect(.bomb(growth: 10), of: archive, limits { ($0.growth, $0.growthAllowance) = (10, 1 << 20) })
  }

  @Test func endsAtAMillionTinyEntries() throws {
    let archive = try TriedArchive(
      "raw", [],
      Self.tools + """
        with open(out, "wb") as file:
          file.write(gzip.compress(header("a.sqlite", 0) * 10000) * 100)
        """)
    try expect(.tooManyEntries(limit: 3000), of: archive, limits { $0.entries = 3000 })
  }

  /// Entries that are not wanted count as well.
  @Test func endsAtManyLargeEntries() throws {
    let archive = try TriedArchive(
      "raw", [],
      Self.tools + """
        with open(out, "wb") as file:
          file.write((gzip.compress(header("a.txt", 1 << 20)) + gzip.compress(part)) * 3000)
        """)
    try expect(.tooManyBytes(limit: 50 << 20), of: archive, limits { $0.bytes = 50 << 20 })
  }

  @Test func leavesSpaceFree() throws {
    let archive = try TriedArchive("tar", [], #"add("a.txt"); add("a.sqlite")"#)
    try expect(.noSpace(kept: 1 << 60), of: archive, limits { $0.freeBytes = 1 << 60 })
  }

  @Test func saysWhatWasTooMuch() {
    #expect(
      ArchiveError.tooManyBytes(limit: ArchiveLimits.standard.bytes).description
        == "unpacks to more than 4 GiB; unpack it yourself and audit the folder")
    #expect(
      ArchiveError.noSpace(kept: 1 << 30).description
        == "unpacking it would leave less than 1 GiB of free space; unpack it yourself and audit the folder")
    #expect(ArchiveLimits.standard.growthLimit(of: .max) == .max)
    #expect(ArchiveLimits.standard.growthLimit(of: 1 << 20) == (1256 << 20))
  }
}
