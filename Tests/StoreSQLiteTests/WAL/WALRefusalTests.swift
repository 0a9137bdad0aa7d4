import StoreSQLite
import Testing

/// Which commits of a log cannot be read with the main file as it is, and which page is named: files made for it, of which
/// each page is of one byte.
@Suite struct WALRefusalTests {
  /// A frame: the page, its byte, and the size of the database in pages where it commits.
  private typealias Frame = (page: UInt32, byte: UInt8, size: UInt32)

  /// A log of these frames.
  private func log(_ frames: [Frame], pageSize: Int = 512) -> MemoryBytes {
    var file = WALFile(
      [UInt8](repeating: 0, count: 8) + bigEndian([UInt32(pageSize)]) + [UInt8](repeating: 7, count: 20))
    file.put(3_007_000, at: 4)
    for frame in frames {
      file.bytes += bigEndian([frame.page, frame.size, 0x0707_0707, 0x0707_0707, 0, 0])
      file.bytes += [UInt8](repeating: frame.byte, count: pageSize)
    }
    file.seal(bigEndian: false)
    return MemoryBytes(file.bytes)
  }

  private func bigEndian(_ words: [UInt32]) -> [UInt8] {
    words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
  }

  /// A header of a database with pages of 512 bytes.
  private func header(pageCount: UInt32) -> [UInt8] {
    var page = Array("SQLite format 3\0".utf8) + [2, 0, 2, 2, 0, 64, 32, 32] + bigEndian([1, pageCount])
    page += [UInt8](repeating: 0, count: 512 - page.count)
    put(1, at: 92, in: &page)
    return page
  }

  /// A main file: the header's number of pages, and of each page behind the first its byte.
  private func main(_ pageCount: UInt32, _ bytes: [UInt8]) -> MemoryBytes {
    MemoryBytes(header(pageCount: pageCount) + bytes.flatMap { [UInt8](repeating: $0, count: 512) })
  }

  private func refusals(_ log: MemoryBytes, _ main: any ByteSource) throws -> [WALHistory.Refusal?] {
    try WALHistory(of: log, over: main).commits.map(\.refusal)
  }

  /// A commit made the database smaller, a checkpoint cut the file off, and it grew again without those pages.
  @Test func pagesThatWereCutOffAreNoZeros() throws {
    let smaller: [Frame] = [(2, 21, 6), (2, 22, 3), (2, 23, 6)]
    #expect(
      try refusals(log(smaller), main(6, [2, 3, 0, 0, 0])) == [.cutOff(page: 4), .cutOff(page: 4), nil, nil])
    // The last page of the database is one of it.
    #expect(
      try refusals(log(smaller), main(6, [2, 3, 4, 5, 0])) == [.cutOff(page: 6), .cutOff(page: 6), nil, nil])
    // A page that the smaller database kept was always zero.
    #expect(try refusals(log(smaller), main(6, [2, 0, 4, 5, 6])) == [nil, nil, nil, nil])
    // Twice smaller, the second time only to 6 pages: page 6 was cut off the first time alone.
    let twice: [Frame] = [(2, 21, 3), (2, 22, 8), (2, 23, 6), (2, 24, 8)]
    #expect(
      try refusals(log(twice), main(8, [2, 3, 4, 5, 0, 7, 8])) == [.cutOff(page: 6), nil, nil, nil, nil])
    // A commit that wrote the page itself has it in the log.
    let written: [Frame] = [(4, 24, 6), (2, 22, 3), (2, 23, 6)]
    #expect(try refusals(log(written), main(6, [2, 3, 0, 5, 6])) == [.cutOff(page: 4), nil, nil, nil])
  }

  /// A checkpoint of a later, smaller database has cut the file off, and the log has not all of what was behind.
  @Test func pagesOfNeitherFileAreMissing() throws {
    #expect(try refusals(log([(2, 21, 6)]), main(6, [2, 3, 4])) == [.missing(page: 5), .missing(page: 5)])
    // Page 5 is in the log from commit 1 on, page 6 from commit 2 on.
    let frames: [Frame] = [(5, 25, 6), (6, 26, 6)]
    #expect(
      try refusals(log(frames), main(6, [2, 3, 4])) == [.missing(page: 6), .missing(page: 6), nil])
    #expect(try refusals(log([(5, 25, 5), (6, 26, 6)]), main(4, [2, 3, 4])) == [nil, nil, nil])
  }

  /// Page 2 was copied from its last frame: commit 1 still has its own.
  @Test func aPageOfTheLogIsReadFromIt() throws {
    let frames: [Frame] = [(2, 21, 3), (2, 22, 3)]
    #expect(try refusals(log(frames), main(3, [22, 3])) == [.overwritten(page: 2, by: 2), nil, nil])
    #expect(try refusals(log(frames), main(3, [2, 3])) == [nil, nil, nil])
  }

  /// The page at 1 GiB is written nowhere, so it cannot be missed; those beside it can.
  @Test func theLockPageIsNotMissing() throws {
    let main = Sparse(beginning: header(pageCount: 16_384), pages: 16_384)
    #expect(
      try refusals(log([(16_386, 1, 0), (16_387, 2, 16_387)], pageSize: 65_536), main) == [nil, nil])
    #expect(
      try refusals(log([(16_387, 2, 16_387)], pageSize: 65_536), main) == [nil, .missing(page: 16_386)])
  }
}

/// A file of pages of 64 KiB, of zeros but for its beginning.
private struct Sparse: ByteSource {
  let beginning: [UInt8]
  let pages: Int64

  var name: String { "sparse" }
  var size: Int64 { pages * 65_536 }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    let count = Int(max(0, min(Int64(buffer.count), size - offset)))
    for index in 0..<count {
      let position = offset + Int64(index)
      buffer[index] = position < beginning.count ? beginning[Int(position)] : 0
    }
    return count
  }
}
